// SPDX-License-Identifier: MIT
#include "mainwindowicons.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

#include <utility>

namespace kv {

namespace {

// All signs are drawn on a field of 16 by 16 with lines of 1.5.

void drawOverview(QPainter &painter)
{
    painter.drawRoundedRect(QRectF(2, 2, 12, 5), 1, 1);
    painter.drawRoundedRect(QRectF(2, 9, 5, 5), 1, 1);
    painter.drawRoundedRect(QRectF(9, 9, 5, 5), 1, 1);
}

void drawSessions(QPainter &painter)
{
    for (const qreal y : { 3.5, 8.0, 12.5 }) {
        painter.drawPoint(QPointF(2.8, y));
        painter.drawLine(QPointF(6, y), QPointF(14, y));
    }
}

void drawActivity(QPainter &painter)
{
    const QList<QPointF> curve { { 1.5, 8.5 }, { 4.5, 8.5 }, { 6.5, 3 }, { 9.5, 13 }, { 11.5, 8.5 },
        { 14.5, 8.5 } };
    painter.drawPolyline(curve.constData(), static_cast<int>(curve.size()));
}

void drawDoctor(QPainter &painter)
{
    painter.drawEllipse(QPointF(8, 8), 6.2, 6.2);
    const QList<QPointF> tick { { 5, 8.3 }, { 7.2, 10.5 }, { 11.2, 5.8 } };
    painter.drawPolyline(tick.constData(), static_cast<int>(tick.size()));
}

void drawSettings(QPainter &painter)
{
    const QList<QPointF> knobs { { 10.5, 3.5 }, { 5, 8 }, { 10.5, 12.5 } };
    for (const QPointF &knob : knobs) {
        painter.drawLine(QPointF(1.8, knob.y()), QPointF(knob.x() - 1.8, knob.y()));
        painter.drawLine(QPointF(knob.x() + 1.8, knob.y()), QPointF(14.2, knob.y()));
        painter.drawEllipse(knob, 1.7, 1.7);
    }
}

void drawSheet(QPainter &painter) { painter.drawRoundedRect(QRectF(3, 2, 10, 12), 1, 1); }

class PageIconEngine final : public QIconEngine {
public:
    explicit PageIconEngine(QString key)
        : m_key(std::move(key))
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State /*state*/) override
    {
        const QPalette palette = QGuiApplication::palette();
        const QPalette::ColorGroup group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const QPalette::ColorRole role
            = mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.topLeft());
        painter->scale(rect.width() / 16.0, rect.height() / 16.0);
        painter->setPen(QPen(palette.color(group, role), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        draw(*painter);
        painter->restore();
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect({}, size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine *clone() const override { return new PageIconEngine(m_key); }

private:
    void draw(QPainter &painter) const
    {
        if (m_key == QStringLiteral("overview")) {
            drawOverview(painter);
        } else if (m_key == QStringLiteral("sessions")) {
            drawSessions(painter);
        } else if (m_key == QStringLiteral("activity")) {
            drawActivity(painter);
        } else if (m_key == QStringLiteral("doctor")) {
            drawDoctor(painter);
        } else if (m_key == QStringLiteral("settings")) {
            drawSettings(painter);
        } else {
            drawSheet(painter);
        }
    }

    QString m_key;
};

} // namespace

QIcon pageIcon(const QString &key) { return QIcon(new PageIconEngine(key)); }

} // namespace kv
