// SPDX-License-Identifier: MIT
#include "benchplot.h"
#include "benchsvgcheck.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace kv::bench;

namespace {

BarChart bars()
{
    BarChart chart;
    chart.title = QStringLiteral("Time & <tokens>");
    chart.description = QStringLiteral("Bars of something, as a sentence.");
    chart.axis = QStringLiteral("milliseconds");
    chart.panels = { QStringLiteral("dense"), QStringLiteral("recurrent") };
    chart.series = { { QStringLiteral("1 285 tokens"), QStringLiteral("5 132 tokens") },
        { QStringLiteral("1 285 tokens"), QStringLiteral("5 132 tokens") } };
    for (int row = 0; row < 9; ++row) {
        const double ms = std::pow(3, row);
        const std::vector<Bar> pair { { ms, QStringLiteral("%1 ms").arg(ms) },
            { ms * 4, QStringLiteral("%1 ms").arg(ms * 4) } };
        chart.rows.push_back({ QStringLiteral("row number %1").arg(row), row % 2 == 0, { pair, pair } });
    }
    return chart;
}

CurveChart curves(int panels)
{
    CurveChart chart;
    chart.title = QStringLiteral("Growth");
    chart.description = QStringLiteral("Curves of something, as a sentence.");
    chart.xTitle = QStringLiteral("snapshots");
    for (int panel = 0; panel < panels; ++panel) {
        std::vector<Point> points;
        for (double x = 1; x <= 100'000; x *= 10) {
            points.push_back({ x, 20 + x * panel / 300 });
        }
        chart.panels.push_back({ QStringLiteral("something, ms"), fitLabel(fitPower(points)), points });
    }
    return chart;
}

} // namespace

class TestBenchPlot final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ticks_data();
    void ticks();
    void barsAreSound();
    void barsGrowWithTheirValues();
    void curvesAreSound_data();
    void curvesAreSound();
    void nothingMeasuredIsSaid();
    void theCheckSeesOverlaps();
};

void TestBenchPlot::ticks_data()
{
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::newRow("one decade") << 10.0 << 100.0;
    QTest::newRow("five decades") << 1.0 << 100'000.0;
    QTest::newRow("not round") << 13.7 << 182.0;
    QTest::newRow("small") << 0.002 << 0.09;
}

void TestBenchPlot::ticks()
{
    QFETCH(double, from);
    QFETCH(double, to);
    const std::vector<double> all = logTicks(from, to);
    QVERIFY(all.size() >= 3);
    QVERIFY(all.size() <= 8);
    QVERIFY(std::is_sorted(all.begin(), all.end()));
    QVERIFY(all.front() >= from * 0.999 && all.back() <= to * 1.001);
    QVERIFY(logTicks(0, 10).empty());
    QVERIFY(logTicks(10, 1).empty());
}

void TestBenchPlot::barsAreSound()
{
    const QByteArray svg = drawBars(bars());
    const QStringList faults = faultsOf(svg);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    QVERIFY2(svg.contains("Time &amp; &lt;tokens"), "texts are escaped");
    QVERIFY(svg.contains("prefers-color-scheme"));
}

void TestBenchPlot::barsGrowWithTheirValues()
{
    BarChart chart = bars();
    chart.rows.resize(2);
    QXmlStreamReader xml(drawBars(chart));
    std::vector<double> widths;
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QStringLiteral("rect")
            && xml.attributes().value(QLatin1String("y")).toDouble() > 80) {
            widths.push_back(xml.attributes().value(QLatin1String("width")).toDouble());
        }
    }
    QCOMPARE(widths.size(), std::size_t { 8 });
    // 1, 4 | 3, 12 in each panel: a factor is the same length wherever it stands.
    QVERIFY(std::abs((widths[1] - widths[0]) - (widths[3] - widths[2])) < 1.1);
    QVERIFY(widths[3] > widths[1]);
}

void TestBenchPlot::curvesAreSound_data()
{
    QTest::addColumn<int>("panels");
    for (int panels = 1; panels <= 4; ++panels) {
        QTest::addRow("%d", panels) << panels;
    }
}

void TestBenchPlot::curvesAreSound()
{
    QFETCH(int, panels);
    const QByteArray svg = drawCurves(curves(panels));
    const QStringList faults = faultsOf(svg);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    QCOMPARE(svg.count("<circle"), 6 * panels);
    QCOMPARE(svg.count("class=\"fit\""), panels);
}

void TestBenchPlot::nothingMeasuredIsSaid()
{
    CurveChart chart = curves(1);
    chart.panels[0].points.clear();
    QVERIFY(drawCurves(chart).contains("not measured"));
    BarChart empty = bars();
    empty.rows.clear();
    QVERIFY(faultsOf(drawBars(empty)).isEmpty());
}

void TestBenchPlot::theCheckSeesOverlaps()
{
    const QByteArray head
        = "<svg width=\"200\" height=\"50\"><title>t</title><desc>a whole sentence of words</desc>";
    QVERIFY(faultsOf(head + "<text x=\"10\" y=\"20\">one</text><text x=\"60\" y=\"20\">two</text></svg>")
                .isEmpty());
    QVERIFY(!faultsOf(head + "<text x=\"10\" y=\"20\">one</text><text x=\"20\" y=\"22\">two</text></svg>")
                 .isEmpty());
    QVERIFY(!faultsOf(head + "<text x=\"190\" y=\"20\">long words</text></svg>").isEmpty());
    QVERIFY(!faultsOf(head + "<text").isEmpty());
}

QTEST_GUILESS_MAIN(TestBenchPlot)
#include "tst_benchplot.moc"
