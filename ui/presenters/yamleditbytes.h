// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace kv {

/// The bytes of a YAML text, as whoever changes it looks at them.
class YamlBytes {
public:
    struct Span {
        qsizetype from = 0;
        qsizetype to = 0;
    };

    /// Keeps a reference.
    explicit YamlBytes(const QByteArray &bytes)
        : m_bytes(bytes)
        , m_newline(bytes.contains("\r\n") ? QByteArrayLiteral("\r\n") : QByteArrayLiteral("\n"))
    {
    }

    [[nodiscard]] const QByteArray &bytes() const { return m_bytes; }
    [[nodiscard]] const QByteArray &newline() const { return m_newline; }
    [[nodiscard]] char byteAt(qsizetype at) const { return at < m_bytes.size() ? m_bytes.at(at) : '\n'; }
    [[nodiscard]] qsizetype lineStart(qsizetype at) const;
    [[nodiscard]] qsizetype lineAfter(qsizetype at) const;
    [[nodiscard]] qsizetype column(qsizetype at) const { return at - lineStart(at); }
    [[nodiscard]] qsizetype skipSpaces(qsizetype at) const;
    /// Nothing but a comment follows until the end of the line.
    [[nodiscard]] bool endsHere(qsizetype at) const;

    /// The scalar that begins at `at` and means `text`, when it is written on one line.
    [[nodiscard]] std::optional<Span> token(qsizetype at, bool flow, const QString &text) const;
    /// The start of the line after the last one that belongs to what begins at `from`: comments below it
    /// count when they are indented by `indent` (1 or more) at least. `limit`: where the next thing begins.
    [[nodiscard]] qsizetype endOfContent(qsizetype from, qsizetype limit, qsizetype indent) const;

    [[nodiscard]] QByteArray replaced(Span span, const QByteArray &by) const;
    /// A comment behind that stands in a column of its own stays there as far as there is room.
    [[nodiscard]] QByteArray replacedBeforeComment(Span span, const QByteArray &by) const;

private:
    const QByteArray &m_bytes;
    QByteArray m_newline;
};

} // namespace kv
