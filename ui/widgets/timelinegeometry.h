// SPDX-License-Identifier: MIT
#pragma once

#include "timelineview.h"

#include <QRectF>

namespace kv {

/// Where a TimelineView paints what, in its pixels.
struct TimelineView::Geometry {
    double line = 0; ///< height of a line of text
    double width = 0;
    double names = 0; ///< width of the names of lanes
    double top = 0; ///< of the first lane
    double laneHigh = 0;
    double barTop = 0; ///< of a bar in its lane
    double barHigh = 0;
    qint64 fromMs = 0;
    qint64 toMs = 1;
    bool mirrored = false;

    [[nodiscard]] double plotWide() const { return width - names > 1 ? width - names : 1; }
    [[nodiscard]] double xOf(qint64 ms) const;
    [[nodiscard]] double timeAt(double x) const; ///< milliseconds
    [[nodiscard]] qint64 msOfPixel() const;
    [[nodiscard]] int laneAt(double y) const; ///< -1: above all
    [[nodiscard]] QRectF plot() const; ///< of no height
    [[nodiscard]] QRectF between(qint64 from, qint64 to, double y, double high) const;
    [[nodiscard]] QRectF placeOf(int lane, const TimelineInterval &interval) const;
};

} // namespace kv
