// SPDX-License-Identifier: MIT
#include "yamleditbytes.h"

#include <algorithm>

namespace kv {

qsizetype YamlBytes::lineStart(qsizetype at) const
{
    return at <= 0 ? 0 : m_bytes.lastIndexOf('\n', at - 1) + 1;
}

qsizetype YamlBytes::lineAfter(qsizetype at) const
{
    const qsizetype newline = m_bytes.indexOf('\n', at);
    return newline < 0 ? m_bytes.size() : newline + 1;
}

qsizetype YamlBytes::skipSpaces(qsizetype at) const
{
    while (byteAt(at) == ' ') {
        ++at;
    }
    return at;
}

bool YamlBytes::endsHere(qsizetype at) const
{
    const char next = byteAt(skipSpaces(at));
    return next == '\n' || next == '\r' || next == '#';
}

QByteArray YamlBytes::replaced(Span span, const QByteArray &by) const
{
    return m_bytes.first(span.from) + by + m_bytes.mid(span.to);
}

QByteArray YamlBytes::replacedBeforeComment(Span span, const QByteArray &by) const
{
    const qsizetype comment = skipSpaces(span.to);
    const qsizetype gap = comment - span.to;
    if (byteAt(comment) != '#' || gap < 2) {
        return replaced(span, by);
    }
    const qsizetype before = QString::fromUtf8(m_bytes.sliced(span.from, span.to - span.from)).size() + gap;
    const qsizetype spaces = std::max<qsizetype>(1, before - QString::fromUtf8(by).size());
    return replaced({ span.from, comment }, by + QByteArray(spaces, ' '));
}

std::optional<YamlBytes::Span> YamlBytes::token(qsizetype at, bool flow, const QString &text) const
{
    const char first = byteAt(at);
    qsizetype end = at;
    if (first == '"' || first == '\'') {
        for (end = at + 1; byteAt(end) != first || (first == '\'' && byteAt(end + 1) == '\''); ++end) {
            if (byteAt(end) == '\n') {
                return std::nullopt;
            }
            if ((first == '"' && byteAt(end) == '\\') || (first == '\'' && byteAt(end) == '\'')) {
                ++end;
            }
        }
        return Span { at, end + 1 };
    }
    const auto blank = [&](qsizetype i) { return QByteArrayView(" \t\r\n").contains(byteAt(i)); };
    while (byteAt(end) != '\n') {
        const char c = byteAt(end);
        if ((c == ':' && blank(end + 1)) || (c == '#' && end > at && blank(end - 1))
            || (flow && QByteArrayView(",[]{}").contains(c))) {
            break;
        }
        ++end;
    }
    while (end > at && blank(end - 1)) {
        --end;
    }
    if (m_bytes.sliced(at, end - at) != text.toUtf8()) {
        return std::nullopt; // over several lines, a block, an anchor or a tag
    }
    return Span { at, end };
}

qsizetype YamlBytes::endOfContent(qsizetype from, qsizetype limit, qsizetype indent) const
{
    const auto isContent = [&](qsizetype start) {
        const qsizetype at = skipSpaces(start);
        const QByteArrayView line(QByteArrayView(m_bytes).sliced(start));
        return !endsHere(at) && !(column(at) == 0 && (line.startsWith("...") || line.startsWith("---")));
    };
    qsizetype end = limit == m_bytes.size() ? limit : lineStart(limit);
    while (end > from) {
        const qsizetype start = lineStart(end - 1);
        if (start <= from || isContent(start)) {
            break;
        }
        end = start;
    }
    const auto isOurComment = [&](qsizetype start) {
        const qsizetype at = skipSpaces(start);
        return start < limit && byteAt(at) == '#' && at - start >= indent && indent > 0;
    };
    while (isOurComment(end)) {
        end = lineAfter(end);
    }
    return end;
}

} // namespace kv
