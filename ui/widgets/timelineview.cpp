// SPDX-License-Identifier: MIT
#include "timelineview.h"

#include "timelinegeometry.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr qint64 c_shortestMs = 5000; ///< no nearer than this
constexpr int c_tickMs = 1000;

bool isSame(const TimelineInterval &left, const TimelineInterval &right)
{
    return left.kind == right.kind && left.fromMs == right.fromMs && left.session == right.session;
}

} // namespace

TimelineView::TimelineView(QWidget *parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline of the slots"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::MinimumExpanding);
    m_tick.setInterval(c_tickMs);
    connect(&m_tick, &QTimer::timeout, this, &TimelineView::tick);
}

void TimelineView::setModel(TimelineModel &model)
{
    m_model = &model;
    connect(&model, &TimelineModel::changed, this, &TimelineView::onChanged);
    onChanged();
}

void TimelineView::onChanged()
{
    const qint64 end = m_model->toMs();
    const qint64 range = m_model->rangeMs();
    // A part that was zoomed to stays, but for the newest part, which goes with the time.
    const qint64 wide = range == m_rangeMs ? m_toMs - m_fromMs : range;
    const bool follows = range != m_rangeMs || wide >= range || end - m_toMs < c_shortestMs + wide / 10;
    m_rangeMs = range;
    if (follows) {
        m_fromMs = end - wide;
        m_toMs = end;
    }
    if (m_lane >= m_model->lanes().size() || (m_lane >= 0 && focusedIndex() < 0)) {
        m_lane = -1;
    }
    updateGeometry();
    startOrStop();
    describe();
    update();
}

void TimelineView::tick()
{
    const qint64 end = m_model->nowMs();
    if (m_toMs >= m_model->toMs()) { // it shows the newest
        m_fromMs += end - m_toMs;
        m_toMs = end;
    }
    update();
}

void TimelineView::startOrStop()
{
    const bool moves = isVisible() && m_model != nullptr && m_model->hasOpen();
    if (moves && !m_tick.isActive()) {
        m_tick.start();
    } else if (!moves) {
        m_tick.stop();
    }
}

void TimelineView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    startOrStop();
}

void TimelineView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_tick.stop();
}

void TimelineView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LayoutDirectionChange) {
        updateGeometry();
        update();
    }
}

TimelineView::Hit TimelineView::hitAt(const QPoint &position) const
{
    if (m_model == nullptr) {
        return {};
    }
    const Geometry geometry = geometryNow();
    const int lane = geometry.laneAt(position.y());
    if (lane < 0 || lane >= m_model->lanes().size()) {
        return {};
    }
    Hit hit;
    const QList<TimelineInterval> list
        = TimelineModel::intervalsIn(m_model->lanes()[lane], m_fromMs, m_toMs, geometry.msOfPixel());
    for (const TimelineInterval &interval : list) {
        const bool nearer = hit.lane < 0 || interval.kind >= hit.interval.kind;
        if (nearer && geometry.placeOf(lane, interval).adjusted(-1, -1, 1, 1).contains(position)) {
            hit = { lane, interval }; // marks are above inference, which is above the owner
        }
    }
    return hit;
}

QString TimelineView::textAt(const QPoint &position) const
{
    const Hit hit = hitAt(position);
    return hit.lane < 0 ? QString() : TimelineModel::sentenceOf(hit.interval);
}

bool TimelineView::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString text = textAt(help->pos());
        if (text.isEmpty()) {
            QToolTip::hideText();
            event->ignore();
        } else {
            QToolTip::showText(help->globalPos(), text, this);
        }
        return true;
    }
    return QWidget::event(event);
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    const Hit hit = hitAt(event->pos());
    if (hit.lane >= 0) {
        setFocused(hit.lane, hit.interval);
    }
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const int sideways = event->angleDelta().x();
    if (m_model == nullptr || (!(event->modifiers() & Qt::ControlModifier) && sideways == 0)) {
        event->ignore(); // the area around it scrolls
        return;
    }
    if (event->modifiers() & Qt::ControlModifier) {
        zoom(std::pow(0.8, event->angleDelta().y() / 120.0), geometryNow().timeAt(event->position().x()));
    } else {
        const auto by = static_cast<qint64>(static_cast<double>(m_toMs - m_fromMs) * sideways / -1200.0);
        setSpan(m_fromMs + by, m_toMs + by);
    }
    event->accept();
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const bool mirrored = isRightToLeft();
    const double middle
        = m_lane >= 0 ? static_cast<double>(m_focused.fromMs) : static_cast<double>(m_fromMs + m_toMs) / 2;
    switch (event->key()) {
    case Qt::Key_Left:
        return moveWithin(mirrored ? 1 : -1);
    case Qt::Key_Right:
        return moveWithin(mirrored ? -1 : 1);
    case Qt::Key_Up:
        return moveLane(-1);
    case Qt::Key_Down:
        return moveLane(1);
    case Qt::Key_Home:
        return moveWithin(std::numeric_limits<int>::min());
    case Qt::Key_End:
        return moveWithin(std::numeric_limits<int>::max());
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(0.5, middle);
    case Qt::Key_Minus:
        return zoom(2, middle);
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimelineView::zoom(double factor, double aroundMs)
{
    if (m_model == nullptr) {
        return;
    }
    const auto wide = static_cast<double>(m_toMs - m_fromMs);
    const double next = std::clamp(
        wide * factor, static_cast<double>(c_shortestMs), static_cast<double>(m_model->rangeMs()));
    const double share = std::clamp((aroundMs - static_cast<double>(m_fromMs)) / wide, 0.0, 1.0);
    const auto from = static_cast<qint64>(aroundMs - share * next);
    setSpan(from, from + static_cast<qint64>(next));
}

void TimelineView::setSpan(qint64 fromMs, qint64 toMs)
{
    const qint64 wide = toMs - fromMs;
    const qint64 end = std::max(m_model->toMs(), m_toMs);
    m_toMs = std::clamp(toMs, end - m_model->rangeMs() + wide, end);
    m_fromMs = m_toMs - wide;
    update();
}

qsizetype TimelineView::focusedIndex() const
{
    if (m_model == nullptr || m_lane < 0 || m_lane >= m_model->lanes().size()) {
        return -1;
    }
    const QList<TimelineInterval> &list = m_model->lanes()[m_lane].intervals;
    const auto found = std::find_if(list.begin(), list.end(),
        [this](const TimelineInterval &interval) { return isSame(interval, m_focused); });
    return found == list.end() ? -1 : found - list.begin();
}

void TimelineView::moveWithin(int by)
{
    if (m_model == nullptr || m_model->lanes().isEmpty()) {
        return;
    }
    const int lane = std::max(m_lane, 0);
    const QList<TimelineInterval> &list = m_model->lanes()[lane].intervals;
    if (list.isEmpty()) {
        return;
    }
    const qint64 last = list.size() - 1;
    const qint64 index = focusedIndex(); // the first step back is to the newest
    setFocused(lane, list[std::clamp<qint64>(index < 0 && by == -1 ? last : index + by, 0, last)]);
}

void TimelineView::moveLane(int by)
{
    const int lanes = m_model == nullptr ? 0 : static_cast<int>(m_model->lanes().size());
    const qint64 at = m_lane < 0 ? m_toMs : m_focused.fromMs;
    for (int lane = m_lane < 0 ? 0 : m_lane + by; lane >= 0 && lane < lanes; lane += by) {
        const QList<TimelineInterval> &list = m_model->lanes()[lane].intervals;
        if (list.isEmpty()) {
            continue; // nothing there to be on
        }
        const auto after = std::upper_bound(list.begin(), list.end(), at,
            [](qint64 time, const TimelineInterval &interval) { return time < interval.fromMs; });
        return setFocused(lane, after == list.begin() ? *after : *std::prev(after));
    }
}

void TimelineView::setFocused(int lane, const TimelineInterval &interval)
{
    m_lane = lane;
    m_focused = interval;
    if (interval.fromMs > m_toMs || interval.toMs < m_fromMs) {
        const qint64 half = (m_toMs - m_fromMs) / 2;
        setSpan(interval.fromMs - half, interval.fromMs + half);
    }
    describe();
    update();
}

void TimelineView::describe()
{
    if (m_model == nullptr) {
        return;
    }
    const qsizetype index = focusedIndex();
    QString text = m_model->emptyText();
    if (index >= 0) {
        m_focused = m_model->lanes()[m_lane].intervals[index];
        text = tr("%1. %2").arg(
            TimelineModel::nameOf(m_model->lanes()[m_lane]), TimelineModel::sentenceOf(m_focused));
    } else if (text.isEmpty() && !m_model->noticeText().isEmpty()) {
        text = m_model->noticeText();
    } else if (text.isEmpty()) {
        text = tr("The arrow keys go through what happened, plus and minus zoom.");
    }
    if (text != accessibleDescription()) {
        setAccessibleDescription(text); // which tells screen readers
    }
}

} // namespace kv
