// SPDX-License-Identifier: MIT
#pragma once

#include "terminal.h"

#include <QList>
#include <QString>

namespace kv {

/// Rows in aligned columns. A column that is empty in every row is left out.
class Table final {
public:
    enum class Align { Left, Right };
    struct Column {
        QString heading;
        Align align = Align::Left;
        int maxWidth = 0; ///< cells; longer texts are cut; 0: without limit
    };
    struct Cell {
        Cell(const QString &content = {}, Style look = Style::Plain) // NOLINT(google-explicit-constructor)
            : text(printable(content))
            , style(look)
        {
        }
        QString text;
        Style style;
    };

    explicit Table(const QList<Column> &columns)
        : m_columns(columns)
    {
    }

    void add(const QList<Cell> &row) { m_rows.append(row); }
    [[nodiscard]] bool isEmpty() const { return m_rows.isEmpty(); }
    void print(const Terminal &terminal, int indent = 0) const;

private:
    [[nodiscard]] QList<int> widths() const;

    QList<Column> m_columns;
    QList<QList<Cell>> m_rows;
};

} // namespace kv
