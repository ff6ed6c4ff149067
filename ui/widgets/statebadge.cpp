// SPDX-License-Identifier: MIT
#include "statebadge.h"

#include "trayiconart.h"

#include <QPainter>

namespace kv {

StateBadge::StateBadge(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StateBadge::setState(TrayState state)
{
    m_state = state;
    update();
}

void StateBadge::setLines(double lines)
{
    m_lines = lines;
    updateGeometry();
}

QSize StateBadge::sizeHint() const
{
    const int side = qRound(fontMetrics().height() * m_lines);
    return { side, side };
}

void StateBadge::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    trayStateIcon(m_state, trayGround(palette())).paint(&painter, rect());
}

} // namespace kv
