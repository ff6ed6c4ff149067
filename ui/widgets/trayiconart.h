// SPDX-License-Identifier: MIT
#pragma once

#include "trayiconstate.h"

#include <QIcon>

class QPainter;
class QPalette;
class QRectF;

namespace kv {

/// What the sign lies on.
enum class TrayGround { Light, Dark };

/// Draws the sign of a state into a square. Each state has a shape of its own, in any colour.
void paintTrayState(QPainter &painter, const QRectF &square, TrayState state, TrayGround ground);
/// Sharp at every size.
QIcon trayStateIcon(TrayState state, TrayGround ground);
/// Of a palette, as a rule the program's own; what a panel looks like is not told to anybody, so each sign
/// also has an outline.
TrayGround trayGround(const QPalette &palette);

} // namespace kv
