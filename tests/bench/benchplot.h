// SPDX-License-Identifier: MIT
#pragma once

#include "benchfit.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace kv::bench {

/// Charts as SVG text, without a GUI library: text stays text, a title and a description are there for those
/// who do not see it, and the colours follow the reader's light or dark page.

struct Bar {
    double value = 0; ///< not positive: not measured
    QString text; ///< at its end
};

/// One row of a bar chart, with a bar for each series in each panel.
struct BarRow {
    QString label;
    bool accent = false; ///< ours; others are drawn quietly
    std::vector<std::vector<Bar>> bars; ///< [panel][series]
};

struct BarChart {
    QString title;
    QString description;
    QString axis; ///< what the values are, with their unit
    std::vector<QString> panels; ///< their headings
    std::vector<std::vector<QString>> series; ///< [panel][series]: names
    std::vector<BarRow> rows;
};

/// Horizontal bars over a logarithmic axis that all panels share.
QByteArray drawBars(const BarChart &chart);

struct CurvePanel {
    QString title; ///< with the unit
    QString caption; ///< of its growth
    std::vector<Point> points;
};

struct CurveChart {
    QString title;
    QString description;
    QString xTitle;
    std::vector<CurvePanel> panels;
};

/// Small multiples: measured points over logarithmic axes, each with the line that fits best.
QByteArray drawCurves(const CurveChart &chart);

/// Places for ticks of a logarithmic axis over a span: the fewest of {powers of ten; 1-2-5; 1-1.5-2-3-5-7}
/// that are at least three, all inside of the span.
std::vector<double> logTicks(double from, double to);

} // namespace kv::bench
