// SPDX-License-Identifier: MIT
#include "benchfit.h"
#include "benchreport.h"
#include "benchsvgcheck.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace kv::bench;

namespace {

QString sourceFile(const char *name)
{
    return QStringLiteral(KV_SOURCE_DIR) + QLatin1Char('/') + QString::fromLatin1(name);
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonObject committedNumbers()
{
    return QJsonDocument::fromJson(contents(sourceFile("resources/bench/numbers.json"))).object();
}

QJsonObject skippedBecause(const QString &why) { return { { QStringLiteral("skipped"), why } }; }

} // namespace

class TestBenchReport final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void committedNumbersAreWhole();
    void hurriedNumbersAreCalledThat();
    void readmeIsWhatTheProgramWrites();
    void committedDrawingsAreWhatTheProgramDraws();
    void partThatIsMissingIsSaid();
    void reasonForSkippingIsShown();
    void innerReasonIsShown();
    void numbersGoBetweenTheMarks();
    void readmeWithoutMarksIsLeftAlone_data();
    void readmeWithoutMarksIsLeftAlone();
};

void TestBenchReport::committedNumbersAreWhole()
{
    const QJsonObject numbers = committedNumbers();
    QVERIFY2(!markdownReport(numbers, {}).contains(QStringLiteral("`--quick`")), "numbers that mean nothing");
    for (const QString &part : reportParts()) {
        QVERIFY2(numbers.contains(part), qPrintable(part));
        QVERIFY2(!numbers[part].toObject().contains(u"skipped"), qPrintable(part));
    }
    for (const auto &[what, measured] : measuredRows(numbers)) {
        for (const char *gap : { "not measured", "skipped", "? " }) {
            QVERIFY2(!measured.contains(QLatin1String(gap)), qPrintable(what + measured));
        }
    }
    const QString text = markdownReport(numbers, {});
    for (const Situation &situation : situations()) {
        QVERIFY2(text.contains(QStringLiteral("| %1 | ").arg(situation.label)), qPrintable(text));
        QVERIFY2(
            !text.contains(QStringLiteral("| %1 | not measured").arg(situation.label)), qPrintable(text));
    }
}

void TestBenchReport::hurriedNumbersAreCalledThat()
{
    const auto ran = [](const char *command) {
        const QJsonObject run { { QStringLiteral("command"), QString::fromLatin1(command) } };
        return markdownReport({ { QStringLiteral("run"), run } }, {});
    };
    QVERIFY(
        ran("kv-persist-bench --quick; then kv-persist-bench ttft").contains(QStringLiteral("nothing else")));
    QVERIFY(!ran("kv-persist-bench").contains(QStringLiteral("nothing else")));
}

/// Nobody writes numbers by hand, and nobody forgets to put new ones in.
void TestBenchReport::readmeIsWhatTheProgramWrites()
{
    const QString readme = QString::fromUtf8(contents(sourceFile("README.md")));
    const auto written
        = withNumbers(readme, markdownReport(committedNumbers(), QStringLiteral("resources/bench")));
    QVERIFY(written.has_value());
    QVERIFY2(*written == readme,
        "the numbers in README.md are not those of resources/bench/numbers.json: kv-persist-bench --from "
        "resources/bench/numbers.json --plot resources/bench --update-readme README.md");
}

void TestBenchReport::committedDrawingsAreWhatTheProgramDraws()
{
    const QMap<QString, QByteArray> files = drawings(committedNumbers());
    QCOMPARE(files.size(), 4);
    for (auto it = files.begin(); it != files.end(); ++it) {
        const QStringList faults = faultsOf(it.value());
        QVERIFY2(
            faults.isEmpty(), qPrintable(it.key() + QStringLiteral(": ") + faults.join(QLatin1Char('\n'))));
        QVERIFY2(it.value() == contents(sourceFile("resources/bench/") + it.key()), qPrintable(it.key()));
    }
}

void TestBenchReport::partThatIsMissingIsSaid()
{
    const auto rows = measuredRows({});
    QVERIFY(rows.size() >= 13);
    for (const auto &[what, measured] : rows) {
        QCOMPARE(measured, QStringLiteral("not measured"));
    }
    QVERIFY(markdownReport({}, QStringLiteral("plots")).contains(QStringLiteral("not measured")));
    QVERIFY(!markdownReport({}, QStringLiteral("plots")).contains(QStringLiteral(".svg")));
    QVERIFY(drawings({}).isEmpty());
}

void TestBenchReport::reasonForSkippingIsShown()
{
    QJsonObject results;
    for (const QString &part : reportParts()) {
        results.insert(part, skippedBecause(QStringLiteral("no server, for ") + part));
    }
    const QString text = markdownReport(results, {});
    for (const QString &part : reportParts()) {
        if (part != QStringLiteral("growth")) { // its families have reasons of their own
            QVERIFY2(text.contains(QStringLiteral("no server, for ") + part), qPrintable(text));
        }
    }
    const QJsonObject growth { { QStringLiteral("clients"), skippedBecause(QStringLiteral("nobody came")) } };
    QVERIFY(
        markdownReport({ { QStringLiteral("growth"), growth } }, {}).contains(QStringLiteral("nobody came")));
}

void TestBenchReport::innerReasonIsShown()
{
    const QJsonObject traffic { { QStringLiteral("steps"), 20 },
        { QStringLiteral("withKvPersist"), skippedBecause(QStringLiteral("the daemon fell over")) } };
    for (const auto &[what, measured] : measuredRows({ { QStringLiteral("traffic"), traffic } })) {
        if (what.contains(QStringLiteral("sub-agents"))) {
            QCOMPARE(measured, QStringLiteral("skipped: the daemon fell over"));
            return;
        }
    }
    QFAIL("there is no such row");
}

void TestBenchReport::numbersGoBetweenTheMarks()
{
    const QString readme = QStringLiteral(
        "before\n<!-- numbers: begin. Some words. -->\nold\n| by hand |\n<!-- numbers: end -->\nafter\n");
    const auto once = withNumbers(readme, QStringLiteral("new\n"));
    QVERIFY(once.has_value());
    QCOMPARE(*once,
        QStringLiteral("before\n<!-- numbers: begin. Some words. -->\nnew\n<!-- numbers: end -->\nafter\n"));
    QCOMPARE(*withNumbers(*once, QStringLiteral("new\n")), *once);
}

void TestBenchReport::readmeWithoutMarksIsLeftAlone_data()
{
    QTest::addColumn<QString>("readme");
    QTest::newRow("none") << QStringLiteral("text\n");
    QTest::newRow("no end") << QStringLiteral("<!-- numbers: begin -->\n");
    QTest::newRow("no begin") << QStringLiteral("<!-- numbers: end -->\n");
    QTest::newRow("the wrong way round")
        << QStringLiteral("<!-- numbers: end -->\n<!-- numbers: begin -->\n");
    QTest::newRow("two beginnings") << QStringLiteral(
        "<!-- numbers: begin -->\n<!-- numbers: begin -->\n<!-- numbers: end -->\n");
    QTest::newRow("two ends") << QStringLiteral(
        "<!-- numbers: begin -->\n<!-- numbers: end -->\n<!-- numbers: end -->\n");
}

void TestBenchReport::readmeWithoutMarksIsLeftAlone()
{
    QFETCH(QString, readme);
    QVERIFY(!withNumbers(readme, QStringLiteral("new\n")).has_value());
}

QTEST_GUILESS_MAIN(TestBenchReport)
#include "tst_benchreport.moc"
