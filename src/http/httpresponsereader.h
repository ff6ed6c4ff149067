// SPDX-License-Identifier: MIT
#pragma once

#include "httphead.h"

#include <functional>
#include <memory>

namespace kv {

/// One response, out of bytes as they come, interim ones (1xx) passed over. It tells where the response ends
/// and what its body is without its framing; the framed bytes themselves can so be passed on untouched.
/// Knows no socket. The server is trusted as far as one trusts one's own: what Boost.Beast takes is taken.
class HttpResponseReader final {
public:
    enum class State {
        Head,
        Body, ///< head() is valid
        Done,
        Failed, ///< no HTTP, or cut short
    };
    using BodySink = std::function<void(QByteArrayView)>;

    /// `toHead`: the request's method was HEAD, so that there is no body. `sink` gets the body, unframed.
    HttpResponseReader(bool toHead, BodySink sink);
    ~HttpResponseReader();
    Q_DISABLE_COPY_MOVE(HttpResponseReader)

    /// How many of these bytes belong to the body of the final response, framing included; those of its head
    /// do not count. They are the last ones of `bytes`, but for what comes behind the end of the response.
    struct Fed {
        qsizetype from = 0;
        qsizetype count = 0;
    };
    Fed feed(QByteArrayView bytes);
    /// The connection has ended.
    State end();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const HttpResponseHead &head() const { return m_head; }

private:
    struct Parser;
    void restart();
    void takeHead();
    bool step(QByteArrayView bytes, qsizetype &at);

    bool m_toHead;
    BodySink m_sink;
    State m_state = State::Head;
    std::unique_ptr<Parser> m_parser;
    QByteArray m_pending;
    HttpResponseHead m_head;
};

} // namespace kv
