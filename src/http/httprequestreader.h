// SPDX-License-Identifier: MIT
#pragma once

#include "httphead.h"

#include <QString>

#include <memory>

namespace kv {

/// Why a request is not taken: a status of RFC 9110 and a sentence for the client. The connection is to be
/// closed after that answer, as nobody knows where the next request begins.
struct HttpRefusal {
    int status = 400;
    QString sentence;
};

struct HttpRequestLimits {
    qsizetype headerBytes = 65'536; ///< request line and headers; also of a chunk's own line and trailers
    quint64 bodyBytes = 67'108'864;
};

/// The requests of one connection, one after the other, out of bytes as they come. Boost.Beast's parser reads
/// them; refused before it are the ways in which two parsers could see different requests (RFC 9112, 11.2):
/// a bare CR or LF, folded lines, Content-Length with Transfer-Encoding or twice, any transfer coding but
/// chunked, a missing or second Host. Knows no socket. A body is kept whole.
class HttpRequestReader final {
public:
    enum class State {
        Head, ///< the head is not complete
        Body, ///< head() is valid
        Done, ///< takeBody() has it all; next() goes on
        Failed, ///< refusal() says why, for good
    };

    explicit HttpRequestReader(const HttpRequestLimits &limits = {});
    ~HttpRequestReader();
    Q_DISABLE_COPY_MOVE(HttpRequestReader)

    /// Bytes behind the end of the present request are kept for next().
    State feed(QByteArrayView bytes);
    /// After Done: the next request, as far as it has come.
    State next();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const HttpRequestHead &head() const { return m_head; }
    [[nodiscard]] QByteArray takeBody() { return std::exchange(m_body, {}); }
    [[nodiscard]] const HttpRefusal &refusal() const { return m_refusal; }
    /// `Expect: 100-continue`, and nothing of the body has come.
    [[nodiscard]] bool awaitsContinue() const;
    /// A request has begun: bytes of it were seen.
    [[nodiscard]] bool hasBegun() const { return m_state != State::Head || !m_pending.isEmpty(); }
    [[nodiscard]] qsizetype buffered() const { return m_pending.size(); }

private:
    struct Parser;
    void run();
    bool readHead();
    void readBody();
    void checkHead();
    void checkFraming();
    void fail(int status, const QString &sentence);

    HttpRequestLimits m_limits;
    State m_state = State::Head;
    std::unique_ptr<Parser> m_parser;
    QByteArray m_pending;
    qsizetype m_guarded = 0; // of m_pending, known to hold no stray line end
    HttpRequestHead m_head;
    QByteArray m_body;
    HttpRefusal m_refusal;
};

} // namespace kv
