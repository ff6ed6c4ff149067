// SPDX-License-Identifier: MIT
#include "apppalette.h"
#include "chartview.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>

using namespace kv;

namespace {

constexpr double c_minute = 60'000;

QString kilos(double value) { return QStringLiteral("%1 kg").arg(value); }

QString heard(ChartView &chart)
{
    return QAccessible::queryAccessibleInterface(&chart)->text(QAccessible::Description);
}

int countOf(const QImage &image, const QColor &colour, const QRect &in)
{
    int count = 0;
    for (int y = in.top(); y <= in.bottom(); ++y) {
        for (int x = in.left(); x <= in.right(); ++x) {
            count += image.pixelColor(x, y) == colour ? 1 : 0;
        }
    }
    return count;
}

} // namespace

class TestChartView final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void wordsSayTheValues();
    void nothingIsSaid();
    void keysTellOneAfterTheOther();
    void theChosenOneIsKept();
    void thePointerTellsWhatIsThere();
    void paintsDarkAndMirrored_data();
    void paintsDarkAndMirrored();

private:
    /// Of ten minutes from the epoch: a small one in the first minute, a large one in the sixth.
    static QList<QPointF> two() { return { { 0, 2 }, { 5 * c_minute, 7 } }; }
    void set(const QList<QPointF> &points) { m_chart->setPoints(points, 0, 10 * c_minute, c_minute); }

    std::unique_ptr<QWidget> m_window;
    ChartView *m_chart = nullptr;
    QLineEdit *m_other = nullptr;
};

void TestChartView::init()
{
    qputenv("TZ", "UTC");
    m_window = std::make_unique<QWidget>();
    auto *column = new QVBoxLayout(m_window.get());
    m_chart = new ChartView(QStringLiteral("Weight"), kilos);
    m_other = new QLineEdit;
    column->addWidget(m_chart);
    column->addWidget(m_other);
    m_window->resize(400, 200);
    m_window->show();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestChartView::cleanup() { m_window.reset(); }

void TestChartView::wordsSayTheValues()
{
    set(two());
    QCOMPARE(
        QAccessible::queryAccessibleInterface(m_chart)->text(QAccessible::Name), QStringLiteral("Weight"));
    QCOMPARE(heard(*m_chart), QStringLiteral("2 value(s); last 7 kg, largest 7 kg"));
    set({ { 0, 9 }, { c_minute, 1 } });
    QCOMPARE(heard(*m_chart), QStringLiteral("2 value(s); last 1 kg, largest 9 kg"));
}

void TestChartView::nothingIsSaid()
{
    QCOMPARE(heard(*m_chart), QStringLiteral("Nothing in this time"));
    set({});
    QCOMPARE(heard(*m_chart), QStringLiteral("Nothing in this time"));
    m_chart->setFocus();
    for (const Qt::Key key : { Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End }) {
        QTest::keyClick(m_chart, key);
        QCOMPARE(heard(*m_chart), QStringLiteral("Nothing in this time"));
    }
    const QImage empty = m_chart->grab().toImage();
    QCOMPARE(
        countOf(empty, m_chart->palette().color(QPalette::Highlight), m_chart->rect().adjusted(2, 2, -2, -2)),
        0);
}

void TestChartView::keysTellOneAfterTheOther()
{
    set(two());
    for (const Qt::LayoutDirection direction : { Qt::LeftToRight, Qt::RightToLeft }) {
        const bool mirrored = direction == Qt::RightToLeft;
        const Qt::Key later = mirrored ? Qt::Key_Left : Qt::Key_Right;
        const Qt::Key earlier = mirrored ? Qt::Key_Right : Qt::Key_Left;
        m_window->setLayoutDirection(direction);
        m_chart->setFocus();
        QTest::keyClick(m_chart, later);
        QCOMPARE(heard(*m_chart),
            QLocale().toString(QTime(0, 0), QLocale::ShortFormat) + QStringLiteral(": 2 kg"));
        QTest::keyClick(m_chart, later);
        QVERIFY(heard(*m_chart).endsWith(QStringLiteral(": 7 kg")));
        QTest::keyClick(m_chart, later); // there is no more
        QVERIFY(heard(*m_chart).endsWith(QStringLiteral(": 7 kg")));
        QTest::keyClick(m_chart, earlier);
        QVERIFY(heard(*m_chart).endsWith(QStringLiteral(": 2 kg")));
        QTest::keyClick(m_chart, Qt::Key_End);
        QVERIFY(heard(*m_chart).endsWith(QStringLiteral(": 7 kg")));
        QTest::keyClick(m_chart, Qt::Key_Home);
        QVERIFY(heard(*m_chart).endsWith(QStringLiteral(": 2 kg")));
        m_other->setFocus();
        QVERIFY(heard(*m_chart).startsWith(QStringLiteral("2 value(s)")));
    }
}

void TestChartView::theChosenOneIsKept()
{
    set(two());
    m_chart->setFocus();
    QTest::keyClick(m_chart, Qt::Key_End);
    set({ { c_minute, 3 }, { 5 * c_minute, 8 }, { 9 * c_minute, 4 } });
    QVERIFY(heard(*m_chart).endsWith(QStringLiteral(": 8 kg")));
    set({ { 9 * c_minute, 4 } });
    QVERIFY(heard(*m_chart).startsWith(QStringLiteral("1 value(s)")));
}

void TestChartView::thePointerTellsWhatIsThere()
{
    set(two());
    const auto toolTipAt = [this](int x) {
        const QPoint at(x, m_chart->height() / 2);
        QHelpEvent help(QEvent::ToolTip, at, m_chart->mapToGlobal(at));
        QApplication::sendEvent(m_chart, &help);
        return QToolTip::text();
    };
    const int width = m_chart->width();
    QVERIFY(toolTipAt(width * 11 / 20).endsWith(QStringLiteral(": 7 kg")));
    QVERIFY(toolTipAt(width / 20).endsWith(QStringLiteral(": 2 kg")));
    QVERIFY(toolTipAt(width * 8 / 10).startsWith(QStringLiteral("2 value(s)")));
}

void TestChartView::paintsDarkAndMirrored_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("mirrored");
    QTest::newRow("light") << false << false;
    QTest::newRow("dark") << true << false;
    QTest::newRow("mirrored") << false << true;
}

void TestChartView::paintsDarkAndMirrored()
{
    QFETCH(bool, dark);
    QFETCH(bool, mirrored);
    m_window->setPalette(dark ? darkPalette() : lightPalette());
    QCOMPARE(isDark(m_chart->palette()), dark);
    m_window->setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
    set({ { 0, 7 } });
    m_other->setFocus();
    const QImage image = m_chart->grab().toImage();
    const QColor bar = m_chart->palette().color(QPalette::Highlight);
    const QRect half(0, 0, image.width() / 2, image.height());
    const QRect other = half.translated(image.width() / 2, 0);
    QVERIFY(countOf(image, bar, mirrored ? other : half) > 100);
    QCOMPARE(countOf(image, bar, mirrored ? half : other), 0);
    // The title can be read: its darkest or lightest point is far from the ground.
    const int ground = m_chart->palette().color(QPalette::Window).lightness();
    const QRect title = (mirrored ? other : half).adjusted(mirrored ? 100 : 0, 0, mirrored ? 0 : -100, 0);
    int contrast = 0;
    for (int y = 0; y < m_chart->fontMetrics().height(); ++y) {
        for (int x = title.left(); x < title.right(); ++x) {
            contrast = qMax(contrast, qAbs(image.pixelColor(x, y).lightness() - ground));
        }
    }
    QVERIFY2(contrast > 100, qPrintable(QString::number(contrast)));
}

QTEST_MAIN(TestChartView)
#include "tst_chartview.moc"
