// SPDX-License-Identifier: MIT
#include "benchfit.h"
#include "benchformat.h"

#include <QTest>

#include <cmath>

using namespace kv::bench;

namespace {

std::vector<Point> along(double factor, double exponent, double noise = 0)
{
    std::vector<Point> points;
    double sign = 1;
    for (double x = 1; x <= 100'000; x *= 10) {
        points.push_back({ x, factor * std::pow(x, exponent) * (1 + sign * noise) });
        sign = -sign;
    }
    return points;
}

} // namespace

class TestBenchFit final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void powerLawIsFound_data();
    void powerLawIsFound();
    void noiseAroundALevelIsLevel();
    void constantWithAGrowingPartFitsPoorly();
    void pointsWithoutLogarithmAreLeftOut();
    void tooFewPointsHaveNoSlope();
    void lineFindsTheConstantPart();
    void curveKeepsItsPoints();
    void numbersForPeople();
};

void TestBenchFit::powerLawIsFound_data()
{
    QTest::addColumn<double>("exponent");
    QTest::newRow("level") << 0.0;
    QTest::newRow("root") << 0.5;
    QTest::newRow("linear") << 1.0;
    QTest::newRow("falling") << -0.7;
}

void TestBenchFit::powerLawIsFound()
{
    QFETCH(double, exponent);
    const PowerFit fit = fitPower(along(7, exponent));
    QVERIFY(fit.valid);
    QVERIFY(std::abs(fit.exponent - exponent) < 1e-9);
    QVERIFY(std::abs(fit.factor - 7) < 1e-6);
    QVERIFY(std::abs(fit.r2 - 1) < 1e-9);
    QVERIFY(std::abs(fit.farthest - 1) < 1e-6);
    QVERIFY(std::abs(fit.lastExponent - exponent) < 1e-9);
    QVERIFY(fit.good());
    QCOMPARE(fit.level(), exponent == 0);
    const QString told = exponent > 0 ? QStringLiteral("grows as n^") : QStringLiteral("falls as n^-");
    QVERIFY(fitSentence(fit).startsWith(exponent == 0 ? QStringLiteral("level: n^0.00") : told));
}

void TestBenchFit::noiseAroundALevelIsLevel()
{
    const PowerFit fit = fitPower(along(20, 0, 0.02));
    QVERIFY2(fit.r2 < 0.5, "R² says nothing where nothing grows");
    QVERIFY(fit.level());
    QVERIFY(fitSentence(fit).startsWith(QStringLiteral("level")));
    QVERIFY(fitLabel(fit).startsWith(QStringLiteral("level")));
}

void TestBenchFit::constantWithAGrowingPartFitsPoorly()
{
    std::vector<Point> points;
    for (double x = 1; x <= 100'000; x *= 10) {
        points.push_back({ x, 20 + x / 200 });
    }
    const PowerFit fit = fitPower(points);
    QVERIFY(!fit.good());
    QVERIFY(fit.farthest > 2);
    QVERIFY2(fit.lastExponent > 0.8, "what it tends to");
    QVERIFY(fitSentence(fit).contains(QStringLiteral("fits poorly")));
    QVERIFY(fitLabel(fit).startsWith(QStringLiteral("fits poorly")));
    QVERIFY(fitLabel(fit).size() <= 50);
}

void TestBenchFit::pointsWithoutLogarithmAreLeftOut()
{
    std::vector<Point> points = along(3, 1);
    points.push_back({ 0, 5 });
    points.push_back({ 10, 0 });
    points.push_back({ 10, -1 });
    const PowerFit fit = fitPower(points);
    QVERIFY(std::abs(fit.exponent - 1) < 1e-9);
}

void TestBenchFit::tooFewPointsHaveNoSlope()
{
    QVERIFY(!fitPower({}).valid);
    QVERIFY(!fitPower({ { 1, 1 } }).valid);
    QVERIFY(!fitPower({ { 2, 1 }, { 2, 3 } }).valid);
    QVERIFY(!fitPower({}).good());
    QVERIFY(!fitSentence({}).contains(QStringLiteral("n^")));
}

void TestBenchFit::lineFindsTheConstantPart()
{
    const LineFit line = fitLine({ { 0, 10 }, { 10, 12 }, { 100, 30 } });
    QVERIFY(line.valid);
    QVERIFY(std::abs(line.start - 10) < 1e-9);
    QVERIFY(std::abs(line.perUnit - 0.2) < 1e-9);
}

void TestBenchFit::curveKeepsItsPoints()
{
    const std::vector<Point> points = along(2, 0.5);
    const QJsonObject curve
        = curveJson(QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("ms"), points);
    const std::vector<Point> back = curvePoints(curve);
    QCOMPARE(back.size(), points.size());
    QCOMPARE(back.back().x, points.back().x);
    QCOMPARE(back.back().y, points.back().y);
    QVERIFY(std::abs(curve[QStringLiteral("power")][QStringLiteral("exponent")].toDouble() - 0.5) < 1e-9);
}

void TestBenchFit::numbersForPeople()
{
    QCOMPARE(shortNumber(1485.2), QStringLiteral("1 485"));
    QCOMPARE(shortNumber(100'000), QStringLiteral("100 000"));
    QCOMPARE(shortNumber(22.4), QStringLiteral("22"));
    QCOMPARE(shortNumber(9.996), QStringLiteral("10"));
    QCOMPARE(shortNumber(5.34), QStringLiteral("5.3"));
    QCOMPARE(shortNumber(0.236), QStringLiteral("0.24"));
    QCOMPARE(shortNumber(0.0058), QStringLiteral("0.006"));
    QCOMPARE(shortNumber(0), QStringLiteral("0"));
    QCOMPARE(shortNumber(qQNaN()), QStringLiteral("?"));
    QCOMPARE(grouped(-1234567), QStringLiteral("-1 234 567"));
    QCOMPARE(milliseconds(0.021), QStringLiteral("21 µs"));
    QCOMPARE(milliseconds(0.17), QStringLiteral("0.17 ms"));
    QCOMPARE(milliseconds(17'500), QStringLiteral("17.5 s"));
    QCOMPARE(bytesText(34.2 * 1024 * 1024), QStringLiteral("34 MiB"));
    QCOMPARE(bytesText(512), QStringLiteral("512 B"));
    QCOMPARE(times(1.206), QStringLiteral("1.21×"));
    QCOMPARE(times(61.4), QStringLiteral("61×"));
    QCOMPARE(percent(0.944), QStringLiteral("94.4 %"));
}

QTEST_GUILESS_MAIN(TestBenchFit)
#include "tst_benchfit.moc"
