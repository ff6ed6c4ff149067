// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QPainter;
class QRectF;

namespace kv {

/// One line of text. `layout` says on which side "leading" is, the text itself how it runs: mirrored, "1.2
/// GiB" stands on the other side, but does not become "GiB 1.2". (QPainter goes by the application for both.)
void drawDirected(QPainter &painter, const QRectF &area, Qt::Alignment alignment, const QString &text,
    Qt::LayoutDirection layout);

} // namespace kv
