// SPDX-License-Identifier: MIT
#include "doctorglyph.h"

#include "apppalette.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <numbers>

namespace kv {

namespace {

using Verdict = DoctorCheck::Verdict;

QPainterPath polygon(int corners, qreal turn)
{
    QPainterPath path;
    for (int i = 0; i < corners; ++i) {
        const qreal angle = 2 * std::numbers::pi * (i + turn) / corners;
        const QPointF at(10 + 9.5 * std::sin(angle), 10 - 9.5 * std::cos(angle));
        if (i == 0) {
            path.moveTo(at);
        } else {
            path.lineTo(at);
        }
    }
    path.closeSubpath();
    return path;
}

/// In a square of 20.
QPainterPath outline(Verdict verdict)
{
    QPainterPath path;
    switch (verdict) {
    case Verdict::Passed:
        path.addEllipse(QRectF(0.5, 0.5, 19, 19));
        return path;
    case Verdict::Warning:
        path.moveTo(10, 1);
        path.lineTo(19.5, 18.5);
        path.lineTo(0.5, 18.5);
        path.closeSubpath();
        return path;
    case Verdict::Failed:
        break;
    }
    return polygon(8, 0.5);
}

void drawSign(QPainter &painter, Verdict verdict)
{
    switch (verdict) {
    case Verdict::Passed:
        painter.drawPolyline(QPolygonF { QPointF(5.5, 10.5), QPointF(8.8, 13.8), QPointF(14.5, 6.8) });
        break;
    case Verdict::Warning:
        painter.drawLine(QPointF(10, 7.2), QPointF(10, 12.2));
        painter.drawPoint(QPointF(10, 15.6));
        break;
    case Verdict::Failed:
        painter.drawLine(QPointF(6.8, 6.8), QPointF(13.2, 13.2));
        painter.drawLine(QPointF(13.2, 6.8), QPointF(6.8, 13.2));
        break;
    }
}

} // namespace

QColor doctorColour(Verdict verdict, const QPalette &palette)
{
    const bool dark = isDark(palette);
    switch (verdict) {
    case Verdict::Passed:
        return dark ? QColor(0x5f, 0xc9, 0x7f) : QColor(0x1b, 0x7f, 0x3b);
    case Verdict::Warning:
        return dark ? QColor(0xf0, 0xb4, 0x3c) : QColor(0x9a, 0x62, 0x00);
    case Verdict::Failed:
        break;
    }
    return dark ? QColor(0xff, 0x7b, 0x72) : QColor(0xb4, 0x23, 0x18);
}

QPixmap doctorGlyph(Verdict verdict, const QPalette &palette, int extent, qreal ratio)
{
    QPixmap pixmap(QSize(extent, extent) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(extent / 20.0, extent / 20.0);
    painter.fillPath(outline(verdict), doctorColour(verdict, palette));
    painter.setPen(QPen(palette.color(QPalette::Base), 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    drawSign(painter, verdict);
    return pixmap;
}

} // namespace kv
