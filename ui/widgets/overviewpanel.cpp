// SPDX-License-Identifier: MIT
#include "overviewpanel.h"

#include <QPainter>
#include <QPainterPath>

namespace kv {

void OverviewPanel::paintEvent(QPaintEvent * /*event*/)
{
    constexpr qreal radius = 7;
    constexpr qreal bar = 4;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath sheet;
    sheet.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.fillPath(sheet, palette().color(QPalette::Base));
    if (m_kind == Kind::Attention) {
        painter.setClipPath(sheet);
        const qreal left = layoutDirection() == Qt::RightToLeft ? width() - bar : 0;
        painter.fillRect(QRectF(left, 0, bar, height()), QColor(0xf5, 0xb4, 0x00));
        painter.setClipping(false);
    }
    QColor edge = palette().color(QPalette::WindowText);
    edge.setAlphaF(0.16F);
    painter.strokePath(sheet, QPen(edge, 1));
}

} // namespace kv
