// SPDX-License-Identifier: MIT
#include "chartview.h"

#include <QDateTime>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace kv {

ChartView::ChartView(const QString &title, Format format, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_format(std::move(format))
{
    setAccessibleName(title);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChartView::setPoints(const QList<QPointF> &points, double fromMs, double toMs, double stepMs)
{
    m_points = points;
    m_from = fromMs;
    m_to = std::max(toMs, fromMs + 1);
    m_step = stepMs;
    m_max = 0;
    for (const QPointF &point : points) {
        m_max = std::max(m_max, point.y());
    }
    const QString text = points.isEmpty()
        ? tr("Nothing in this time")
        : tr("Last %1, largest %2").arg(m_format(points.last().y()), m_format(m_max));
    setAccessibleDescription(text);
    setToolTip(text);
    update();
}

QSize ChartView::sizeHint() const
{
    return { fontMetrics().averageCharWidth() * 26, fontMetrics().height() * 6 };
}

void ChartView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int line = fontMetrics().height();
    const QRectF plot = QRectF(rect()).adjusted(0, line * 1.4, -1, -line * 1.2);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(QRect(0, 0, width(), line), Qt::AlignLeading, m_title);
    painter.setFont(font());
    QColor faint = palette().color(QPalette::Text);
    faint.setAlphaF(0.65F);
    painter.setPen(faint);
    if (m_points.isEmpty()) {
        painter.drawText(plot, Qt::AlignCenter, tr("Nothing in this time"));
    } else {
        painter.drawText(QRect(0, 0, width(), line), Qt::AlignTrailing, m_format(m_max));
    }
    const auto time = [](double ms) {
        return QLocale().toString(
            QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(ms)).time(), QLocale::ShortFormat);
    };
    const QRectF below(0, plot.bottom() + 2, width(), line);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignAbsolute, time(m_from));
    painter.drawText(below, Qt::AlignRight | Qt::AlignAbsolute, time(m_to));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    const double scale = plot.width() / (m_to - m_from);
    for (const QPointF &point : std::as_const(m_points)) {
        const double left = std::max(plot.left(), plot.left() + (point.x() - m_from) * scale);
        const double wide = std::max(2.0, m_step * scale - 1);
        const double high = m_max > 0 ? plot.height() * point.y() / m_max : 0;
        painter.fillRect(
            QRectF(left, plot.bottom() - high, wide, high), palette().color(QPalette::Highlight));
    }
}

} // namespace kv
