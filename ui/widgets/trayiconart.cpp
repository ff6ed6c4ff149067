// SPDX-License-Identifier: MIT
#include "trayiconart.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace kv {

namespace {

// All signs are drawn on a field of 32 by 32.

constexpr qreal c_field = 32;

struct Inks {
    QColor flame; ///< what is warm
    QColor core;
    QColor line; ///< what is not
    QColor outline; ///< keeps the sign apart from a ground that was guessed wrong
    QColor warning;
    QColor onWarning;
};

Inks inksFor(TrayGround ground)
{
    if (ground == TrayGround::Dark) {
        return { QColor(0xff, 0x9f, 0x43), QColor(0xff, 0xe0, 0xa3), QColor(0xe8, 0xea, 0xed),
            QColor(0x15, 0x18, 0x1c, 0xd0), QColor(0xff, 0xcf, 0x33), QColor(0x20, 0x20, 0x20) };
    }
    return { QColor(0xe0, 0x5a, 0x00), QColor(0xff, 0xc8, 0x70), QColor(0x3c, 0x43, 0x4b),
        QColor(0xff, 0xff, 0xff, 0xd0), QColor(0xf5, 0xb4, 0x00), QColor(0x20, 0x20, 0x20) };
}

QPainterPath flame()
{
    QPainterPath path(QPointF(17.0, 1.8));
    path.cubicTo(18.2, 7.0, 26.4, 10.6, 26.4, 19.4);
    path.cubicTo(26.4, 25.8, 21.8, 30.2, 16.0, 30.2);
    path.cubicTo(10.2, 30.2, 5.6, 25.9, 5.6, 19.6);
    path.cubicTo(5.6, 15.6, 7.6, 12.6, 10.0, 10.4);
    path.cubicTo(10.4, 12.6, 11.2, 14.0, 12.6, 14.8);
    path.cubicTo(12.4, 9.6, 13.6, 5.0, 17.0, 1.8);
    path.closeSubpath();
    return path;
}

QPainterPath innerFlame()
{
    QPainterPath path(QPointF(16.6, 16.4));
    path.cubicTo(17.4, 19.4, 20.8, 20.6, 20.8, 24.0);
    path.cubicTo(20.8, 26.6, 18.7, 28.2, 16.1, 28.2);
    path.cubicTo(13.4, 28.2, 11.4, 26.5, 11.4, 23.9);
    path.cubicTo(11.4, 20.8, 14.8, 19.6, 16.6, 16.4);
    path.closeSubpath();
    return path;
}

void fillShape(QPainter &painter, const QPainterPath &shape, const QColor &fill, const Inks &inks)
{
    painter.strokePath(shape, QPen(inks.outline, 2.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.fillPath(shape, fill);
}

void strokeShape(
    QPainter &painter, const QPainterPath &shape, qreal width, const QColor &ink, const Inks &inks)
{
    painter.strokePath(shape, QPen(inks.outline, width + 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.strokePath(shape, QPen(ink, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

/// Takes away what is there, so that what comes over it stands free.
void clear(QPainter &painter, const QPainterPath &shape, qreal margin)
{
    painter.save();
    painter.setCompositionMode(QPainter::CompositionMode_DestinationOut);
    painter.fillPath(shape, Qt::black);
    painter.strokePath(shape, QPen(Qt::black, margin * 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.restore();
}

void drawWarm(QPainter &painter, const Inks &inks)
{
    fillShape(painter, flame(), inks.flame, inks);
    painter.fillPath(innerFlame(), inks.core);
}

/// A small flame in a ring that is open on top: something goes round.
void drawWorking(QPainter &painter, const Inks &inks)
{
    QPainterPath ring;
    ring.arcMoveTo(QRectF(2.6, 2.6, 26.8, 26.8), 55);
    ring.arcTo(QRectF(2.6, 2.6, 26.8, 26.8), 55, -290);
    strokeShape(painter, ring, 3.4, inks.flame, inks);
    const QPainterPath small
        = QTransform::fromTranslate(16, 15.5).scale(0.62, 0.62).translate(-16, -16.5).map(flame());
    fillShape(painter, small, inks.flame, inks);
}

void drawDegraded(QPainter &painter, const Inks &inks)
{
    drawWarm(painter, inks);
    QPainterPath triangle(QPointF(21.8, 11.6));
    triangle.lineTo(30.6, 29.6);
    triangle.lineTo(13.0, 29.6);
    triangle.closeSubpath();
    clear(painter, triangle, 2.6);
    painter.strokePath(triangle, QPen(inks.outline, 3.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.fillPath(triangle, inks.warning);
    painter.strokePath(triangle, QPen(inks.warning, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.fillRect(QRectF(20.5, 17.0, 2.6, 6.8), inks.onWarning);
    painter.fillRect(QRectF(20.5, 25.4, 2.6, 2.8), inks.onWarning);
}

/// Two bars in a disc.
void drawPaused(QPainter &painter, const Inks &inks)
{
    QPainterPath disc;
    disc.addEllipse(QPointF(16, 16), 13.4, 13.4);
    fillShape(painter, disc, inks.line, inks);
    QPainterPath bars;
    bars.addRoundedRect(QRectF(10.2, 9.4, 4.0, 13.2), 1, 1);
    bars.addRoundedRect(QRectF(17.8, 9.4, 4.0, 13.2), 1, 1);
    clear(painter, bars, 0);
}

/// A flame that is only a line, struck out.
void drawServerAway(QPainter &painter, const Inks &inks)
{
    const QPainterPath inside
        = QTransform::fromTranslate(16, 17).scale(0.86, 0.88).translate(-16, -17).map(flame());
    strokeShape(painter, inside, 2.6, inks.line, inks);
    QPainterPath slash(QPointF(4.2, 4.6));
    slash.lineTo(28.2, 28.6);
    clear(painter, slash, 3.4);
    strokeShape(painter, slash, 3.2, inks.line, inks);
}

/// The sign of a switch that is off.
void drawDaemonAway(QPainter &painter, const Inks &inks)
{
    QPainterPath power;
    power.arcMoveTo(QRectF(4.4, 5.6, 23.2, 23.2), 55);
    power.arcTo(QRectF(4.4, 5.6, 23.2, 23.2), 55, -290);
    power.moveTo(16, 3.0);
    power.lineTo(16, 15.4);
    strokeShape(painter, power, 3.4, inks.line, inks);
}

class TrayIconEngine final : public QIconEngine {
public:
    TrayIconEngine(TrayState state, TrayGround ground)
        : m_state(state)
        , m_ground(ground)
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        // On a layer of its own: parts are taken away, and what is under the icon shall stay.
        const qreal ratio = painter->device() == nullptr ? 1 : painter->device()->devicePixelRatioF();
        QPixmap layer = pixmap(rect.size() * ratio, mode, state);
        layer.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect.topLeft(), layer);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode /*mode*/, QIcon::State /*state*/) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        const int side = std::min(size.width(), size.height());
        const QRectF square((size.width() - side) / 2.0, (size.height() - side) / 2.0, side, side);
        paintTrayState(painter, square, m_state, m_ground);
        return pixmap;
    }

    /// Read by trays that are sent pixels.
    QList<QSize> availableSizes(QIcon::Mode /*mode*/, QIcon::State /*state*/) override
    {
        QList<QSize> out;
        for (const int side : { 16, 20, 22, 24, 32, 40, 48, 64 }) {
            out.append({ side, side });
        }
        return out;
    }

    [[nodiscard]] QIconEngine *clone() const override { return new TrayIconEngine(m_state, m_ground); }

private:
    TrayState m_state;
    TrayGround m_ground;
};

} // namespace

void paintTrayState(QPainter &painter, const QRectF &square, TrayState state, TrayGround ground)
{
    const Inks inks = inksFor(ground);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(square.topLeft());
    painter.scale(square.width() / c_field, square.height() / c_field);
    switch (state) {
    case TrayState::Warm:
        drawWarm(painter, inks);
        break;
    case TrayState::Working:
        drawWorking(painter, inks);
        break;
    case TrayState::Degraded:
        drawDegraded(painter, inks);
        break;
    case TrayState::Paused:
        drawPaused(painter, inks);
        break;
    case TrayState::ServerAway:
        drawServerAway(painter, inks);
        break;
    case TrayState::DaemonAway:
        drawDaemonAway(painter, inks);
        break;
    }
    painter.restore();
}

QIcon trayStateIcon(TrayState state, TrayGround ground) { return QIcon(new TrayIconEngine(state, ground)); }

TrayGround trayGround(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? TrayGround::Dark : TrayGround::Light;
}

} // namespace kv
