// SPDX-License-Identifier: MIT
#include "overviewlabel.h"

#include "directedtext.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace kv {

OverviewLabel::OverviewLabel(Tone tone, QWidget *parent)
    : QLabel(parent)
    , m_tone(tone)
{
    setTextFormat(Qt::PlainText);
    if (tone == Tone::Strong) {
        QFont strong = font();
        strong.setBold(true);
        setFont(strong);
    }
}

QSize OverviewLabel::minimumSizeHint() const
{
    return { fontMetrics().averageCharWidth() * 4, QLabel::minimumSizeHint().height() };
}

void OverviewLabel::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    QColor ink = palette().color(foregroundRole());
    if (m_tone == Tone::Quiet) {
        ink.setAlphaF(0.72F);
    }
    painter.setPen(ink);
    const QRect area = contentsRect();
    drawDirected(painter, area, alignment(), fontMetrics().elidedText(text(), Qt::ElideRight, area.width()),
        layoutDirection());
}

bool OverviewLabel::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty()
        && fontMetrics().horizontalAdvance(text()) > contentsRect().width()) {
        QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), text(), this);
        return true;
    }
    return QLabel::event(event);
}

} // namespace kv
