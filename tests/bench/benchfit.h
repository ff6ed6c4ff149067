// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QString>

#include <vector>

namespace kv::bench {

struct Point {
    double x = 0;
    double y = 0;
};

/// y = factor · x^exponent, by least squares on the logarithms of both; points that are not positive have
/// none and are left out.
struct PowerFit {
    bool valid = false; ///< false: fewer than two points, or all at one x
    double exponent = 0;
    double factor = 0;
    double r2 = 0; ///< of the logarithms; 1 when nothing varies
    double farthest = 1; ///< by what factor the worst point lies beside the line, 1 or more
    double lastExponent = 0; ///< slope from the last but one point to the last: what growth tends to

    /// A line is a good account of its points when none is far from it. For a level curve R² says nothing:
    /// there is no growth to be explained.
    [[nodiscard]] bool good() const;
    [[nodiscard]] bool level() const; ///< good, and ten times as many cost less than a tenth more
};

PowerFit fitPower(const std::vector<Point> &points);

/// y = start + perUnit · x, by least squares; for what has a constant part.
struct LineFit {
    bool valid = false;
    double start = 0;
    double perUnit = 0;
    double r2 = 0;
};

LineFit fitLine(const std::vector<Point> &points);

/// "grows as n^0.52 (R² 0.98)", and what is wrong with saying so where something is.
QString fitSentence(const PowerFit &fit);
QString fitLabel(const PowerFit &fit); ///< the same in at most 45 letters, for a plot

/// A measured curve as JSON: its name, titles, points and fits.
QJsonObject curveJson(
    const QString &name, const QString &title, const QString &unit, const std::vector<Point> &points);
std::vector<Point> curvePoints(const QJsonObject &curve);

} // namespace kv::bench
