// SPDX-License-Identifier: MIT
#include "overviewbar.h"

#include <QPainter>

#include <algorithm>

namespace kv {

OverviewBar::OverviewBar(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OverviewBar::setShare(std::optional<double> share, const QString &text)
{
    m_share = share;
    setAccessibleName(text);
    setToolTip(text);
    update();
}

QSize OverviewBar::sizeHint() const
{
    return { fontMetrics().averageCharWidth() * 16, std::max(6, fontMetrics().height() / 2) };
}

void OverviewBar::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF whole = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const qreal radius = whole.height() / 2;
    QColor groove = palette().color(QPalette::WindowText);
    groove.setAlphaF(0.14F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(groove);
    painter.drawRoundedRect(whole, radius, radius);
    if (m_share.value_or(0) <= 0) {
        return;
    }
    QRectF part = whole;
    part.setWidth(std::max(whole.height(), whole.width() * *m_share));
    if (layoutDirection() == Qt::RightToLeft) {
        part.moveRight(whole.right());
    }
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawRoundedRect(part, radius, radius);
}

} // namespace kv
