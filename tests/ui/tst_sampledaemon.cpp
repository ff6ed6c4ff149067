// SPDX-License-Identifier: MIT
#include "methods.h"
#include "sampledaemon.h"
#include "status.h"

#include <QJsonArray>
#include <QSignalSpy>
#include <QTest>

using namespace kv;

class TestSampleDaemon final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatReadsIsAnswered_data();
    void whatReadsIsAnswered();
    void timesAreOfNow();
    void theListIsFilteredSortedAndPaged();
    void allElseIsRefused();

private:
    SystemClock m_clock;
};

namespace {

QString word(const char *text) { return QString::fromLatin1(text); }

} // namespace

void TestSampleDaemon::whatReadsIsAnswered_data()
{
    QTest::addColumn<QString>("method");
    for (const char *method :
        { "kv.status", "kv.list", "kv.get", "kv.history", "kv.doctor", "kv.config", "kv.discover" }) {
        QTest::newRow(method) << word(method);
    }
}

/// Every field at the top of an answer is one that the protocol has.
void TestSampleDaemon::whatReadsIsAnswered()
{
    QFETCH(QString, method);
    SampleDaemon daemon(m_clock);
    const std::optional<QJsonObject> answer = daemon.answerTo(method, {});
    QVERIFY(answer && !answer->isEmpty());
    const QStringList known = methodInfo(methodFromName(method).value()).results;
    const QStringList keys = answer->keys();
    for (const QString &key : keys) {
        QVERIFY2(known.contains(key), qPrintable(key));
    }
}

void TestSampleDaemon::timesAreOfNow()
{
    SampleDaemon daemon(m_clock);
    QSignalSpy status(&daemon, &Daemon::statusReceived);
    daemon.open();
    QCOMPARE(status.count(), 1);
    const StatusView view = parseStatus(status.first().first().toJsonObject());
    QCOMPARE(view.servers.size(), 2);
    const auto &running = view.servers.first().slotList.first().running;
    QVERIFY(running && running->sinceMs);
    const qint64 age = m_clock.now().wallMs - *running->sinceMs;
    QVERIFY(age > 0 && age < 3'600'000);
}

void TestSampleDaemon::theListIsFilteredSortedAndPaged()
{
    const qint64 now = m_clock.now().wallMs;
    QCOMPARE(sampleList({}, now).value(word("total")), 40);
    const QJsonObject page = sampleList(
        { { word("filter"), word("LAPTOP") }, { word("sort"), word("tokens") }, { word("limit"), 4 } }, now);
    QCOMPARE(page.value(word("total")), 10);
    const QJsonArray rows = page.value(word("rows")).toArray();
    QCOMPARE(rows.size(), 4);
    for (qsizetype i = 1; i < rows.size(); ++i) {
        QVERIFY(rows.at(i - 1).toObject().value(word("tokens")).toInteger()
            <= rows.at(i).toObject().value(word("tokens")).toInteger());
    }
}

void TestSampleDaemon::allElseIsRefused()
{
    SampleDaemon daemon(m_clock);
    daemon.open();
    std::optional<CallResult> result;
    daemon.call(
        word("kv.purge"), {}, this, [&result](const CallResult &answer) { result = answer; },
        Daemon::c_noDeadline);
    QTRY_VERIFY(result);
    QCOMPARE(result->status, CallResult::Status::Refused);
    QVERIFY(!result->error.error.message.isEmpty());
}

QTEST_GUILESS_MAIN(TestSampleDaemon)
#include "tst_sampledaemon.moc"
