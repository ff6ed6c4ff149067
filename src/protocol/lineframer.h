// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace kv {

/// Longest line a daemon takes from a client, without its line end.
inline constexpr qsizetype c_maxRequestLine = qsizetype { 1 } << 20;
/// Longest line a client takes from a daemon (documents may be longer than requests).
inline constexpr qsizetype c_maxAnswerLine = qsizetype { 16 } << 20;

/// Bytes in, lines out. Each byte is looked at once, however it arrives. A line ends at LF; a CR before it is
/// dropped; blank lines are not delivered. Knows nothing of JSON and takes any byte.
class LineFramer final {
public:
    explicit LineFramer(qsizetype maxLine = c_maxRequestLine)
        : m_maxLine(maxLine)
    {
    }

    /// Ignored once failed(). Call next() until it has nothing before feeding more: a line that is too long
    /// is noticed there, so that the lines before it are still delivered.
    void feed(QByteArrayView bytes);
    /// The next complete line; nullopt: none yet, or failed().
    [[nodiscard]] std::optional<QByteArray> next();
    /// A line was longer than the limit. Final: where the next line begins cannot be trusted any more.
    [[nodiscard]] bool failed() const { return m_failed; }
    /// Bytes held that are not delivered yet.
    [[nodiscard]] qsizetype pending() const { return m_buffer.size() - m_lineStart; }

private:
    void fail();

    QByteArray m_buffer;
    qsizetype m_lineStart = 0;
    qsizetype m_scanned = 0; ///< no LF between m_lineStart and here
    qsizetype m_maxLine;
    bool m_failed = false;
};

} // namespace kv
