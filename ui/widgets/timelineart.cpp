// SPDX-License-Identifier: MIT
#include "timelineart.h"

#include "apppalette.h"

#include <QPainter>
#include <QPalette>

namespace kv {

TimelineArt::TimelineArt(const QPalette &palette)
    : m_text(palette.color(QPalette::WindowText))
    , m_dark(isDark(palette))
{
}

QColor TimelineArt::bar(const QString &session) const
{
    if (session.isEmpty()) {
        return faint(0.35F);
    }
    const auto hue = static_cast<float>(TimelineModel::hueOf(session)) / 360.0F;
    return QColor::fromHslF(hue, m_dark ? 0.45F : 0.62F, m_dark ? 0.34F : 0.80F);
}

QColor TimelineArt::inference(const QString &session) const
{
    if (session.isEmpty()) {
        return faint(0.6F);
    }
    const auto hue = static_cast<float>(TimelineModel::hueOf(session)) / 360.0F;
    return QColor::fromHslF(hue, m_dark ? 0.60F : 0.65F, m_dark ? 0.66F : 0.42F);
}

QColor TimelineArt::alarm() const { return m_dark ? QColor(255, 120, 105) : QColor(192, 28, 28); }

QColor TimelineArt::faint(float alpha) const
{
    QColor color = m_text;
    color.setAlphaF(alpha);
    return color;
}

QColor TimelineArt::textOn(const QColor &ground)
{
    const double light = 0.299 * ground.redF() + 0.587 * ground.greenF() + 0.114 * ground.blueF();
    return light > 0.5 ? QColor(Qt::black) : QColor(Qt::white);
}

void TimelineArt::mark(QPainter &painter, TimelineInterval::Kind kind, const QRectF &place) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (kind == TimelineInterval::Kind::Failure) {
        painter.setPen(QPen(alarm(), place.width() / 3.5, Qt::SolidLine, Qt::RoundCap));
        const QRectF cross = place.adjusted(1, 1, -1, -1);
        painter.drawLine(cross.topLeft(), cross.bottomRight());
        painter.drawLine(cross.topRight(), cross.bottomLeft());
    } else {
        const bool down = kind == TimelineInterval::Kind::Save;
        const double foot = down ? place.top() : place.bottom();
        const double tip = down ? place.bottom() : place.top();
        const QPolygonF triangle { { QPointF(place.left(), foot), QPointF(place.right(), foot),
            QPointF(place.center().x(), tip) } };
        painter.setPen(QPen(m_text, 1));
        // The hollow one differs from the full one even where they overlap.
        painter.setBrush(down ? QBrush(m_text) : QBrush(Qt::NoBrush));
        painter.drawPolygon(triangle);
    }
    painter.restore();
}

} // namespace kv
