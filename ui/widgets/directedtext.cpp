// SPDX-License-Identifier: MIT
#include "directedtext.h"

#include <QPainter>
#include <QStyle>

namespace kv {

void drawDirected(QPainter &painter, const QRectF &area, Qt::Alignment alignment, const QString &text,
    Qt::LayoutDirection layout)
{
    const Qt::LayoutDirection before = painter.layoutDirection();
    painter.setLayoutDirection(text.isRightToLeft() ? Qt::RightToLeft : Qt::LeftToRight);
    const Qt::Alignment side = QStyle::visualAlignment(layout, alignment) | Qt::AlignAbsolute;
    painter.drawText(area, static_cast<int>(side) | Qt::TextSingleLine, text);
    painter.setLayoutDirection(before);
}

} // namespace kv
