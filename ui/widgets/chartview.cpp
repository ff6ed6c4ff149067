// SPDX-License-Identifier: MIT
#include "chartview.h"

#include "clock.h"
#include "directedtext.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace kv {

ChartView::ChartView(const QString &title, Format format, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_format(std::move(format))
{
    setAccessibleName(title);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    describe();
}

void ChartView::setPoints(const QList<QPointF> &points, double fromMs, double toMs, double stepMs)
{
    const double chosenMs = m_chosen < 0 ? -1 : m_points.at(m_chosen).x();
    m_points = points;
    m_from = fromMs;
    m_to = std::max(toMs, fromMs + 1);
    m_step = stepMs;
    m_max = 0;
    m_chosen = -1;
    for (int i = 0; i < points.size(); ++i) {
        m_max = std::max(m_max, points.at(i).y());
        m_chosen = chosenMs >= 0 && points.at(i).x() <= chosenMs ? i : m_chosen;
    }
    describe();
    update();
}

QString ChartView::timeText(double ms) const
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(ms));
    return m_to - m_from >= static_cast<double>(c_msPerDay)
        ? QLocale().toString(at, QLocale::ShortFormat)
        : QLocale().toString(at.time(), QLocale::ShortFormat);
}

QString ChartView::textOf(const QPointF &point) const
{
    return tr("%1: %2", "time, value").arg(timeText(point.x()), m_format(point.y()));
}

/// The chosen value, else what is worth knowing of all.
void ChartView::describe()
{
    if (m_points.isEmpty()) {
        setAccessibleDescription(tr("Nothing in this time"));
    } else if (m_chosen >= 0) {
        setAccessibleDescription(textOf(m_points.at(m_chosen)));
    } else {
        setAccessibleDescription(
            tr("%n value(s); last %1, largest %2", nullptr, static_cast<int>(m_points.size()))
                .arg(m_format(m_points.last().y()), m_format(m_max)));
    }
}

QSize ChartView::sizeHint() const
{
    return { fontMetrics().averageCharWidth() * 26, fontMetrics().height() * 6 };
}

QRectF ChartView::plot() const
{
    const int line = fontMetrics().height();
    return QRectF(rect()).adjusted(0, line * 1.4, -1, -line * 1.2);
}

QRectF ChartView::barOf(const QPointF &point) const
{
    const QRectF area = plot();
    const double scale = area.width() / (m_to - m_from);
    const double left = std::max(area.left(), area.left() + (point.x() - m_from) * scale);
    const double wide = std::max(2.0, m_step * scale - 1);
    const double high = m_max > 0 ? area.height() * point.y() / m_max : 0;
    QRectF bar(left, area.bottom() - high, wide, high);
    if (isRightToLeft()) {
        bar.moveRight(area.left() + area.right() - left);
    }
    return bar;
}

int ChartView::pointAt(const QPoint &position) const
{
    for (int i = 0; i < m_points.size(); ++i) {
        const QRectF bar = barOf(m_points.at(i));
        if (position.x() >= bar.left() && position.x() <= bar.right()) {
            return i;
        }
    }
    return -1;
}

void ChartView::choose(int point)
{
    m_chosen = m_points.isEmpty() ? -1 : std::clamp(point, 0, static_cast<int>(m_points.size()) - 1);
    describe();
    update();
}

void ChartView::keyPressEvent(QKeyEvent *event)
{
    const int last = static_cast<int>(m_points.size()) - 1;
    const int later = isRightToLeft() ? Qt::Key_Left : Qt::Key_Right;
    const int earlier = isRightToLeft() ? Qt::Key_Right : Qt::Key_Left;
    if (event->key() == later) {
        choose(m_chosen + 1);
    } else if (event->key() == earlier) {
        choose(m_chosen < 0 ? last : m_chosen - 1);
    } else if (event->key() == Qt::Key_Home) {
        choose(0);
    } else if (event->key() == Qt::Key_End) {
        choose(last);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void ChartView::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    m_chosen = -1;
    describe();
    update();
}

bool ChartView::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int point = pointAt(help->pos());
        QToolTip::showText(
            help->globalPos(), point < 0 ? accessibleDescription() : textOf(m_points.at(point)), this);
        return true;
    }
    return QWidget::event(event);
}

void ChartView::paintBars(QPainter &painter) const
{
    const QColor ink = palette().color(QPalette::Highlight);
    for (int i = 0; i < m_points.size(); ++i) {
        const QRectF bar = barOf(m_points.at(i));
        painter.fillRect(bar, ink);
        if (i == m_chosen) {
            const QRectF column(bar.left(), plot().top(), bar.width(), plot().height());
            painter.setPen(palette().color(QPalette::Text));
            painter.drawRect(column.adjusted(-1, 0, 1, 0));
        }
    }
}

void ChartView::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    const int line = fontMetrics().height();
    const QRectF area = plot();
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    const QRectF above(0, 0, width(), line);
    const auto write = [this, &painter](const QRectF &where, Qt::Alignment alignment, const QString &text) {
        drawDirected(painter, where, alignment, text, layoutDirection());
    };
    write(above, Qt::AlignLeading, m_title);
    painter.setFont(font());
    QColor faint = palette().color(QPalette::Text);
    faint.setAlphaF(0.65F);
    painter.setPen(faint);
    if (m_points.isEmpty()) {
        painter.drawText(area, Qt::AlignCenter, tr("Nothing in this time"));
    } else if (m_chosen >= 0) {
        painter.setPen(palette().color(QPalette::Text));
        write(above, Qt::AlignTrailing, textOf(m_points.at(m_chosen)));
    } else {
        write(above, Qt::AlignTrailing, m_format(m_max));
    }
    painter.setPen(faint);
    const QRectF below(0, area.bottom() + 2, width(), line);
    write(below, Qt::AlignLeading, timeText(m_from));
    write(below, Qt::AlignTrailing, timeText(m_to));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    paintBars(painter);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace kv
