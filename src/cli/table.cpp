// SPDX-License-Identifier: MIT
#include "table.h"

#include <algorithm>

namespace kv {

namespace {

QString fitted(const QString &text, int maxWidth)
{
    if (maxWidth <= 0 || displayWidth(text) <= maxWidth) {
        return text;
    }
    QString cut;
    const auto points = text.toUcs4();
    for (const char32_t point : points) {
        const QString next = cut + QString::fromUcs4(&point, 1);
        if (displayWidth(next) >= maxWidth) {
            break;
        }
        cut = next;
    }
    return cut + QChar(0x2026);
}

} // namespace

QList<int> Table::widths() const
{
    QList<int> widths(m_columns.size(), 0);
    for (const QList<Cell> &row : m_rows) {
        for (qsizetype i = 0; i < row.size() && i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], displayWidth(fitted(row.at(i).text, m_columns.at(i).maxWidth)));
        }
    }
    for (qsizetype i = 0; i < widths.size(); ++i) {
        if (widths[i] > 0) {
            widths[i] = std::max(widths[i], displayWidth(m_columns.at(i).heading));
        }
    }
    return widths;
}

void Table::print(const Terminal &terminal, int indent) const
{
    const QList<int> columnWidths = widths();
    const auto printRow = [&](const QList<Cell> &row) {
        QString line(indent, u' ');
        QString gap;
        for (qsizetype i = 0; i < row.size() && i < columnWidths.size(); ++i) {
            if (columnWidths.at(i) == 0) {
                continue;
            }
            const QString text = fitted(row.at(i).text, m_columns.at(i).maxWidth);
            const QString fill(columnWidths.at(i) - displayWidth(text), u' ');
            const QString shown = terminal.styled(text, row.at(i).style);
            const bool right = m_columns.at(i).align == Align::Right;
            // Blanks wait for a text behind them, so that no line ends in blanks.
            line += gap + (right ? fill : QString()) + shown;
            gap = (right ? QString() : fill) + QStringLiteral("  ");
        }
        while (line.endsWith(u' ')) {
            line.chop(1);
        }
        terminal.line(line);
    };
    QList<Cell> headings;
    for (const Column &column : m_columns) {
        headings.append(Cell(column.heading, Style::Heading));
    }
    printRow(headings);
    for (const QList<Cell> &row : m_rows) {
        printRow(row);
    }
}

} // namespace kv
