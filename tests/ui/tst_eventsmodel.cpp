// SPDX-License-Identifier: MIT
#include "eventsmodel.h"
#include "fakeui.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace kv;

class TestEventsModel final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheLatest();
    void progressIsADetail();
};

void TestEventsModel::keepsTheLatest()
{
    FakeUiDaemon daemon;
    EventsModel model(daemon);
    const auto send = [&daemon](int number) {
        daemon.sendEvent({ { QStringLiteral("name"), QStringLiteral("kv.test.%1").arg(number) } });
    };
    for (int number = 0; number < EventsModel::c_maxEvents + 10; ++number) {
        send(number);
    }
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    send(9999);
    QCOMPARE(model.rowCount(), EventsModel::c_maxEvents);
    QCOMPARE(model.index(0, EventsModel::Name).data().toString(), QStringLiteral("kv.test.11"));
    model.setPaused(true);
    send(10'000);
    QCOMPARE(model.index(model.rowCount() - 1, EventsModel::Name).data().toString(),
        QStringLiteral("kv.test.9999"));
}

void TestEventsModel::progressIsADetail()
{
    FakeUiDaemon daemon;
    EventsModel model(daemon);
    daemon.sendEvent({ { QStringLiteral("name"), QStringLiteral("kv.operation.progress") },
        { QStringLiteral("permille"), 412 }, { QStringLiteral("ms"), 1500 } });
    QCOMPARE(model.index(0, EventsModel::Detail).data().toString(), QStringLiteral("41.2\u00a0%, 1.5 s"));
}

QTEST_GUILESS_MAIN(TestEventsModel)
#include "tst_eventsmodel.moc"
