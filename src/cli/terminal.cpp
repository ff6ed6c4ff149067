// SPDX-License-Identifier: MIT
#include "terminal.h"

#include <QList>
#include <QStringView>

#include <algorithm>
#include <array>
#include <utility>

namespace kv {

namespace {

/// Ranges of code points that take two cells (Unicode's East Asian width W and F, coarsely, and emoji).
constexpr std::array<std::pair<char32_t, char32_t>, 12> c_wide { { { 0x1100, 0x115F }, { 0x2E80, 0x303E },
    { 0x3041, 0x33FF }, { 0x3400, 0x4DBF }, { 0x4E00, 0x9FFF }, { 0xA000, 0xA4CF }, { 0xAC00, 0xD7A3 },
    { 0xF900, 0xFAFF }, { 0xFE30, 0xFE6F }, { 0xFF00, 0xFF60 }, { 0x1F300, 0x1FAFF },
    { 0x20000, 0x3FFFD } } };

int cells(char32_t point)
{
    switch (QChar::category(point)) {
    case QChar::Mark_NonSpacing:
    case QChar::Mark_Enclosing:
    case QChar::Other_Format:
    case QChar::Other_Control:
        return 0;
    default:
        break;
    }
    const bool wide = std::any_of(c_wide.begin(), c_wide.end(),
        [point](const auto &range) { return point >= range.first && point <= range.second; });
    return wide ? 2 : 1;
}

const char *codeOf(Style style)
{
    switch (style) {
    case Style::Heading:
        return "1";
    case Style::Good:
        return "32";
    case Style::Warning:
        return "33";
    case Style::Bad:
        return "31";
    case Style::Faint:
        return "2";
    case Style::Plain:
        break;
    }
    return "";
}

} // namespace

QString Terminal::styled(const QString &text, Style style) const
{
    if (!colour || style == Style::Plain || text.isEmpty()) {
        return text;
    }
    return QStringLiteral("\x1b[%1m%2\x1b[0m").arg(QLatin1String(codeOf(style)), text);
}

void Terminal::line(const QString &text) const
{
    out << text << '\n';
    out.flush();
}

void Terminal::error(const QString &text) const
{
    out.flush();
    err << text << '\n';
    err.flush();
}

QString printable(const QString &text)
{
    QString result;
    const auto points = text.toUcs4();
    for (const char32_t point : points) {
        if (point == U'\n' || point == U'\r' || point == U'\t') {
            result.append(u' ');
            continue;
        }
        const auto category = QChar::category(point);
        const bool joiner = point == 0x200D; // part of many emoji
        const bool hidden = category == QChar::Other_Control || category == QChar::Other_Surrogate
            || category == QChar::Separator_Line || category == QChar::Separator_Paragraph
            || (category == QChar::Other_Format && !joiner);
        result.append(hidden ? QString(QChar(QChar::ReplacementCharacter)) : QString::fromUcs4(&point, 1));
    }
    return result;
}

int displayWidth(const QString &text)
{
    int width = 0;
    const auto points = text.toUcs4();
    for (const char32_t point : points) {
        width += cells(point);
    }
    return width;
}

} // namespace kv
