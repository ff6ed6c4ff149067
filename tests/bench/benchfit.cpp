// SPDX-License-Identifier: MIT
#include "benchfit.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace kv::bench {

namespace {

constexpr double c_near = 1.25; // no point farther than a quarter from its line
constexpr double c_explained = 0.95;
constexpr double c_levelExponent = 0.0414; // 10^0.0414 = 1.1

struct Straight {
    bool valid = false;
    double slope = 0;
    double start = 0;
    double r2 = 0;
};

Straight leastSquares(const std::vector<Point> &points)
{
    if (points.size() < 2) {
        return {};
    }
    const auto count = static_cast<double>(points.size());
    Point mean;
    for (const Point &point : points) {
        mean.x += point.x / count;
        mean.y += point.y / count;
    }
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (const Point &point : points) {
        xx += (point.x - mean.x) * (point.x - mean.x);
        xy += (point.x - mean.x) * (point.y - mean.y);
        yy += (point.y - mean.y) * (point.y - mean.y);
    }
    if (xx <= 0) {
        return {};
    }
    const double slope = xy / xx;
    return { true, slope, mean.y - slope * mean.x, yy > 0 ? xy * xy / (xx * yy) : 1 };
}

QString number(double value, int decimals)
{
    const QString text = QString::number(value, 'f', decimals);
    return text.toDouble() == 0 ? QString::number(0.0, 'f', decimals) : text; // no -0.00
}

} // namespace

bool PowerFit::good() const { return valid && (farthest <= c_near || r2 >= c_explained); }
bool PowerFit::level() const { return good() && std::abs(exponent) <= c_levelExponent; }

PowerFit fitPower(const std::vector<Point> &points)
{
    std::vector<Point> logs;
    for (const Point &point : points) {
        if (point.x > 0 && point.y > 0) {
            logs.push_back({ std::log(point.x), std::log(point.y) });
        }
    }
    const Straight line = leastSquares(logs);
    PowerFit fit;
    if (!line.valid) {
        return fit;
    }
    fit.valid = true;
    fit.exponent = line.slope;
    fit.factor = std::exp(line.start);
    fit.r2 = line.r2;
    for (const Point &log : logs) {
        const double beside = std::abs(log.y - (line.start + line.slope * log.x));
        fit.farthest = std::max(fit.farthest, std::exp(beside));
    }
    const Point &last = logs.back();
    const Point &before = logs[logs.size() - 2];
    fit.lastExponent = last.x != before.x ? (last.y - before.y) / (last.x - before.x) : 0;
    return fit;
}

LineFit fitLine(const std::vector<Point> &points)
{
    const Straight line = leastSquares(points);
    return { line.valid, line.start, line.slope, line.r2 };
}

QString fitSentence(const PowerFit &fit)
{
    if (!fit.valid) {
        return QStringLiteral("too few points for a slope");
    }
    const QString power = QStringLiteral("n^%1").arg(number(fit.exponent, 2));
    if (fit.level()) {
        return QStringLiteral("level: %1, every point within %2× of the line")
            .arg(power, number(fit.farthest, 2));
    }
    if (fit.good()) {
        return (
            fit.exponent > 0 ? QStringLiteral("grows as %1 (R² %2)") : QStringLiteral("falls as %1 (R² %2)"))
            .arg(power, number(fit.r2, 2));
    }
    return QStringLiteral("%1 fits poorly (R² %2, a point %3× beside the line); at the end n^%4")
        .arg(power, number(fit.r2, 2), number(fit.farthest, 1), number(fit.lastExponent, 2));
}

QString fitLabel(const PowerFit &fit)
{
    if (!fit.valid) {
        return QStringLiteral("too few points for a slope");
    }
    const QString power = QStringLiteral("n^%1").arg(number(fit.exponent, 2));
    if (fit.level()) {
        return QStringLiteral("level: %1").arg(power);
    }
    const QString told = QStringLiteral("%1, R² %2").arg(power, number(fit.r2, 2));
    return fit.good()
        ? told
        : QStringLiteral("fits poorly: %1; at the end n^%2").arg(told, number(fit.lastExponent, 2));
}

QJsonObject curveJson(
    const QString &name, const QString &title, const QString &unit, const std::vector<Point> &points)
{
    QJsonArray pairs;
    for (const Point &point : points) {
        pairs.append(QJsonArray { point.x, point.y });
    }
    const PowerFit fit = fitPower(points);
    const LineFit line = fitLine(points);
    return { { QStringLiteral("name"), name }, { QStringLiteral("title"), title },
        { QStringLiteral("unit"), unit }, { QStringLiteral("points"), pairs },
        { QStringLiteral("growth"), fitSentence(fit) },
        { QStringLiteral("power"),
            QJsonObject { { QStringLiteral("exponent"), fit.exponent },
                { QStringLiteral("factor"), fit.factor }, { QStringLiteral("r2"), fit.r2 },
                { QStringLiteral("farthest"), fit.farthest },
                { QStringLiteral("lastExponent"), fit.lastExponent },
                { QStringLiteral("good"), fit.good() } } },
        { QStringLiteral("line"),
            QJsonObject { { QStringLiteral("start"), line.start },
                { QStringLiteral("perUnit"), line.perUnit }, { QStringLiteral("r2"), line.r2 } } } };
}

std::vector<Point> curvePoints(const QJsonObject &curve)
{
    std::vector<Point> points;
    const QJsonArray pairs = curve.value(u"points").toArray();
    for (const QJsonValue pair : pairs) {
        points.push_back({ pair[0].toDouble(), pair[1].toDouble() });
    }
    return points;
}

} // namespace kv::bench
