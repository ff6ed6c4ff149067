// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace kv {

/// Takes the progress events out of a stream whose client did not ask for them (`return_progress` was added
/// by the proxy), and tells what the first of them says. They come before the first token, each whole in a
/// chunk of its own (build 11669); from the first other event on everything passes untouched.
class ProgressFilter final {
public:
    struct Progress {
        qint64 total = 0; ///< tokens of the prompt
        qint64 cached = 0; ///< of them, those that need no processing
    };

    /// `framed` is a body in Transfer-Encoding: chunked. What is to be passed on of all that came so far.
    QByteArray feed(QByteArrayView framed);
    /// The first progress event; nullopt: none has come.
    [[nodiscard]] const std::optional<Progress> &progress() const { return m_progress; }

private:
    QByteArray withoutProgress(QByteArrayView payload);
    void read(QByteArrayView event);

    QByteArray m_pending; ///< a chunk that is not complete
    std::optional<Progress> m_progress;
    bool m_done = false;
};

} // namespace kv
