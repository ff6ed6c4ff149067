// SPDX-License-Identifier: MIT
// What was measured of a server outlives the daemon and a reload, and belongs to the runtime it was measured
// with.
#include "stage.h"

using namespace kv;
using namespace kv::test;

namespace {
const QByteArray c_long(400, 'x');
const QByteArray c_other(300, 'y');

QJsonObject rates(const Stage &stage) { return stage.serverStatus().value(u"rates").toObject(); }
}

class TstRatesKept final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ratesOutliveTheDaemon()
    {
        Stage stage;
        stage.watched = true;
        QVERIFY(stage.open());
        stage.turn(u"A"_qs, c_long);
        stage.turn(u"B"_qs, c_other);
        stage.turn(u"A"_qs, c_long + "z");
        const QJsonObject before = rates(stage);
        QVERIFY(before.contains(u"savePerSecond") && before.contains(u"restorePerSecond"));
        QVERIFY(before.contains(u"bytesPerToken") && before.contains(u"switchMs"));
        QVERIFY(stage.serverStatus().value(u"bytesWrittenToday").toInteger() > 0);
        QCOMPARE(stage.serverStatus().value(u"maxBytesPerDay").toInteger(), 50'000'000'000);
        stage.config.checkpoint.onShutdown = false; // measures nothing anew
        QVERIFY(stage.stop());
        QVERIFY(stage.open());
        QTRY_VERIFY(rates(stage).contains(u"restorePerSecond"));
        for (const QString &name : before.keys()) {
            const double was = before.value(name).toDouble();
            QVERIFY2(qAbs(rates(stage).value(name).toDouble() - was) <= was / 10, qPrintable(name));
        }
    }

    void aReloadThatReplacesTheServerKeepsThem()
    {
        Stage stage;
        QVERIFY(stage.open());
        stage.turn(u"A"_qs, c_long);
        QVERIFY(stage.saved(u"A"_qs));
        QVERIFY(rates(stage).contains(u"savePerSecond"));
        stage.config.servers.front().requestTimeoutMs = 3000;
        stage.writeConfig(stage.yaml({ u"a"_qs }));
        QVERIFY(stage.service().reload().ok());
        QVERIFY(!rates(stage).contains(u"savePerSecond")); // it is not known yet who answers
        stage.turn(u"B"_qs, c_other);
        QVERIFY(rates(stage).contains(u"savePerSecond"));
    }
};

QTEST_GUILESS_MAIN(TstRatesKept)
#include "tst_rateskept.moc"
