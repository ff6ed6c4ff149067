// SPDX-License-Identifier: MIT
// How TimelineView paints.
#include "directedtext.h"
#include "localetext.h"
#include "timelineart.h"
#include "timelinegeometry.h"

#include <QDateTime>
#include <QLocale>
#include <QPainter>
#include <QStyleOptionFocusRect>

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {

namespace {

using Kind = TimelineInterval::Kind;

QString axisText(qint64 ms, bool seconds)
{
    return seconds ? localeClockTime(ms)
                   : QLocale().toString(QDateTime::fromMSecsSinceEpoch(ms).time(), QLocale::ShortFormat);
}

} // namespace

QString TimelineView::changesText(const TimelineLane &lane)
{
    const int changes = TimelineModel::ownerChanges(lane);
    return TimelineModel::thrashing(lane).isEmpty() ? tr("%n switch(es)", nullptr, changes)
                                                    : tr("thrashing, %n switch(es)", nullptr, changes);
}

double TimelineView::Geometry::xOf(qint64 ms) const
{
    const double at
        = names + static_cast<double>(ms - fromMs) / static_cast<double>(toMs - fromMs) * plotWide();
    return mirrored ? width - at : at;
}

double TimelineView::Geometry::timeAt(double x) const
{
    const double at = (mirrored ? width - x : x) - names;
    return static_cast<double>(fromMs) + at / plotWide() * static_cast<double>(toMs - fromMs);
}

qint64 TimelineView::Geometry::msOfPixel() const
{
    return std::max<qint64>(1, std::llround(static_cast<double>(toMs - fromMs) / plotWide()));
}

int TimelineView::Geometry::laneAt(double y) const
{
    return y < top ? -1 : static_cast<int>((y - top) / laneHigh);
}

QRectF TimelineView::Geometry::plot() const { return { mirrored ? 0 : names, 0, plotWide(), 0 }; }

QRectF TimelineView::Geometry::between(qint64 from, qint64 to, double y, double high) const
{
    const double begin = xOf(std::clamp(from, fromMs, toMs));
    const double end = xOf(std::clamp(to, fromMs, toMs));
    return { std::min(begin, end), y, std::max(std::abs(end - begin), 1.0), high };
}

QRectF TimelineView::Geometry::placeOf(int lane, const TimelineInterval &interval) const
{
    const double y = top + lane * laneHigh;
    switch (interval.kind) {
    case Kind::Owner:
        return between(interval.fromMs, interval.toMs, y + barTop, barHigh);
    case Kind::Inference:
        return between(interval.fromMs, interval.toMs, y + barTop + barHigh * 0.72, barHigh * 0.28);
    case Kind::Save:
    case Kind::Restore:
    case Kind::Failure:
        break;
    }
    const double size = line * 0.55;
    const double middle = xOf(std::clamp(interval.fromMs, fromMs, toMs));
    // A save ends a stay and a restore begins the next, often in the same pixel: they stand back to back.
    const double before = interval.kind == Kind::Failure ? size / 2
        : (interval.kind == Kind::Save) != mirrored      ? size + 0.5
                                                         : -0.5;
    return { middle - before, y + barTop - size - 3, size, size };
}

TimelineView::Geometry TimelineView::geometryNow() const
{
    Geometry geometry;
    geometry.line = fontMetrics().height();
    geometry.width = width();
    for (const TimelineLane &lane : m_model->lanes()) {
        for (const QString &text : { TimelineModel::nameOf(lane), changesText(lane) }) {
            geometry.names = std::max<double>(geometry.names, fontMetrics().horizontalAdvance(text));
        }
    }
    geometry.names = std::min(geometry.names + geometry.line, geometry.width / 3);
    geometry.top = geometry.line * 1.6;
    geometry.laneHigh = geometry.line * 3.1;
    geometry.barTop = geometry.line * 0.95;
    geometry.barHigh = geometry.line * 1.6;
    geometry.fromMs = m_fromMs;
    geometry.toMs = m_toMs;
    geometry.mirrored = isRightToLeft();
    return geometry;
}

QSize TimelineView::sizeHint() const
{
    const int lanes = m_model == nullptr ? 1 : std::max(1, static_cast<int>(m_model->lanes().size()));
    const double lines = 1.6 + 3.1 * lanes + 1.6;
    return { fontMetrics().averageCharWidth() * 80, static_cast<int>(fontMetrics().height() * lines) };
}

QSize TimelineView::minimumSizeHint() const
{
    return { fontMetrics().averageCharWidth() * 40, sizeHint().height() };
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_model == nullptr) {
        return;
    }
    if (const QString empty = m_model->emptyText(); !empty.isEmpty()) {
        painter.setPen(TimelineArt(palette()).faint(0.75F));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, empty);
        return;
    }
    const Geometry geometry = geometryNow();
    paintLegend(painter, geometry);
    paintAxis(painter, geometry);
    for (int lane = 0; lane < m_model->lanes().size(); ++lane) {
        paintName(painter, geometry, lane);
        paintLane(painter, geometry, lane);
    }
    if (m_lane >= 0 && hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(geometry.placeOf(m_lane, m_focused).adjusted(-2, -2, 2, 2));
    } else if (hasFocus()) {
        QStyleOptionFocusRect option;
        option.initFrom(this);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
    }
}

void TimelineView::paintLegend(QPainter &painter, const Geometry &geometry) const
{
    const TimelineArt art(palette());
    const std::array<std::pair<Kind, QString>, 4> entries { { { Kind::Inference, tr("answering") },
        { Kind::Restore, tr("restored") }, { Kind::Save, tr("saved") }, { Kind::Failure, tr("failed") } } };
    const double size = geometry.line * 0.6;
    double at = geometry.names;
    for (const auto &[kind, text] : entries) {
        const double wide = fontMetrics().horizontalAdvance(text) + 2;
        const auto place = [&geometry](double from, double length, double y, double high) {
            return QRectF(geometry.mirrored ? geometry.width - from - length : from, y, length, high);
        };
        if (kind == Kind::Inference) {
            painter.fillRect(place(at, size * 1.6, geometry.line * 0.4, size * 0.55), art.faint(0.6F));
            at += size * 0.6;
        } else {
            art.mark(painter, kind, place(at, size, geometry.line * 0.2, size));
        }
        at += size + geometry.line * 0.3;
        painter.setPen(art.faint(0.75F));
        painter.drawText(place(at, wide, 0, geometry.line), Qt::AlignCenter, text);
        at += wide + geometry.line;
    }
}

void TimelineView::paintName(QPainter &painter, const Geometry &geometry, int lane) const
{
    const TimelineArt art(palette());
    const TimelineLane &shown = m_model->lanes()[lane];
    const double wide = geometry.names - geometry.line * 0.6;
    const double y = geometry.top + lane * geometry.laneHigh + geometry.barTop;
    const QRectF first(
        geometry.mirrored ? geometry.width - wide : 0, y - geometry.line * 0.2, wide, geometry.line);
    painter.setPen(palette().color(QPalette::WindowText));
    drawDirected(painter, first, Qt::AlignLeading | Qt::AlignVCenter,
        fontMetrics().elidedText(TimelineModel::nameOf(shown), Qt::ElideMiddle, static_cast<int>(wide)),
        layoutDirection());
    const bool thrashes = !TimelineModel::thrashing(shown).isEmpty();
    painter.setPen(thrashes ? art.alarm() : art.faint(0.65F));
    drawDirected(painter, first.translated(0, geometry.line), Qt::AlignLeading | Qt::AlignVCenter,
        fontMetrics().elidedText(changesText(shown), Qt::ElideRight, static_cast<int>(wide)),
        layoutDirection());
}

void TimelineView::paintLane(QPainter &painter, const Geometry &geometry, int lane) const
{
    const TimelineArt art(palette());
    const TimelineLane &shown = m_model->lanes()[lane];
    const double y = geometry.top + lane * geometry.laneHigh;
    painter.save();
    QRectF clip = geometry.plot();
    clip.setHeight(height());
    painter.setClipRect(clip.adjusted(-geometry.line * 0.3, 0, geometry.line * 0.3, 0));
    painter.fillRect(
        geometry.between(m_fromMs, m_toMs, y + geometry.barTop, geometry.barHigh), art.faint(0.06F));
    const qint64 end = m_model->openEndMs();
    painter.setOpacity(m_model->isAway() ? 0.5 : 1);
    QList<TimelineInterval> list = TimelineModel::intervalsIn(shown, m_fromMs, m_toMs, geometry.msOfPixel());
    std::stable_sort(list.begin(), list.end(),
        [](const TimelineInterval &left, const TimelineInterval &right) { return left.kind < right.kind; });
    for (TimelineInterval &interval : list) {
        if (interval.open) {
            interval.toMs = end;
        }
        const QRectF place = geometry.placeOf(lane, interval);
        if (interval.kind == Kind::Inference) {
            painter.fillRect(place, art.inference(interval.session));
        } else if (interval.kind != Kind::Owner) {
            art.mark(painter, interval.kind, place);
        } else {
            const QColor ground = art.bar(interval.session);
            // A gap of a pixel keeps neighbours apart whose colours are alike.
            painter.fillRect(place.width() > 3 ? place.adjusted(0.5, 0, -0.5, 0) : place, ground);
            const QString text = interval.name();
            const auto room = static_cast<int>(place.width() - geometry.line * 0.5);
            if (room > geometry.line * 2.5 && !text.isEmpty()) {
                painter.setPen(interval.session.isEmpty() ? palette().color(QPalette::WindowText)
                                                          : TimelineArt::textOn(ground));
                drawDirected(painter,
                    QRectF(place.left() + geometry.line * 0.25, place.top(), room, geometry.barHigh * 0.72),
                    Qt::AlignLeading | Qt::AlignVCenter, fontMetrics().elidedText(text, Qt::ElideRight, room),
                    layoutDirection());
            }
        }
    }
    for (const TimelineSpan &span : TimelineModel::thrashing(shown)) {
        if (span.toMs >= m_fromMs && span.fromMs <= m_toMs) {
            painter.setPen(QPen(art.alarm(), 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(geometry.between(span.fromMs, span.toMs, y + geometry.barTop, geometry.barHigh)
                                 .adjusted(-2, -2, 2, 2));
        }
    }
    painter.restore();
}

void TimelineView::paintAxis(QPainter &painter, const Geometry &geometry) const
{
    static constexpr qint64 c_second = 1000;
    static constexpr std::array<qint64, 14> c_steps { 1, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
        10'800, 21'600 };
    const TimelineArt art(palette());
    const double wide = fontMetrics().horizontalAdvance(QStringLiteral("00:00:00")) * 1.8;
    const double atMost = std::max(1.0, geometry.plotWide() / wide);
    qint64 step = c_steps.back() * c_second;
    for (const qint64 candidate : c_steps) {
        if (static_cast<double>(m_toMs - m_fromMs) / static_cast<double>(candidate * c_second) <= atMost) {
            step = candidate * c_second;
            break;
        }
    }
    const double bottom = geometry.top + geometry.laneHigh * static_cast<double>(m_model->lanes().size());
    const qint64 offset = QDateTime::fromMSecsSinceEpoch(m_fromMs).offsetFromUtc() * c_second;
    qint64 at = ((m_fromMs + offset) / step + 1) * step - offset; // round times of the user's zone
    for (; at <= m_toMs; at += step) {
        const double x = geometry.xOf(at);
        painter.setPen(art.faint(0.15F));
        painter.drawLine(QPointF(x, geometry.top), QPointF(x, bottom + geometry.line * 0.3));
        const QRectF place(x - wide / 2, bottom + geometry.line * 0.35, wide, geometry.line);
        if (place.right() <= geometry.width + wide * 0.2) {
            painter.setPen(art.faint(0.75F));
            painter.drawText(place, Qt::AlignHCenter, axisText(at, step < 60 * c_second));
        }
    }
}

} // namespace kv
