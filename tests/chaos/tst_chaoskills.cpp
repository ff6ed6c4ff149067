// SPDX-License-Identifier: MIT
#include "chaosworld.h"

#include <QtTest>

using namespace kv::test;

/// Daemon and server are killed at random points under load. Each run prints its seed.
class TstChaosKills final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(!builtProgram(QStringLiteral("kv-persistd")).isEmpty(), "kv-persistd is not built");
    }
    void killedAtRandomPoints_data();
    void killedAtRandomPoints();
    void nothingLeaksWhileServersDie();

private:
    static void hurt(ChaosWorld &world);
    static void disturb(ChaosWorld &world);
};

void TstChaosKills::killedAtRandomPoints_data()
{
    QTest::addColumn<int>("slotCount");
    QTest::addColumn<bool>("sharedFiles");
    QTest::addColumn<bool>("pins");
    QTest::addRow("one slot, the server's own files") << 1 << false << true;
    QTest::addRow("two slots, a shared folder") << 2 << true << true;
    QTest::addRow("four slots") << 4 << false << true;
    QTest::addRow("four slots, clients that name none") << 4 << false << false;
}

/// Faults of single calls, before somebody dies of something else.
void TstChaosKills::disturb(ChaosWorld &world)
{
    if (!world.serverUp()) {
        return;
    }
    const QStringList actions { QStringLiteral("save"), QStringLiteral("restore"), QStringLiteral("erase"),
        QStringLiteral("slots"), QStringLiteral("props") };
    const QString action = actions.at(world.random().bounded(static_cast<int>(actions.size())));
    switch (world.random().bounded(8)) {
    case 0:
        world.server().failNext(action, 500);
        break;
    case 1:
        world.server().dropNext(action);
        break;
    case 2:
        world.server().delayNext(action, 300);
        break;
    case 3:
        world.server().holdNext(action, 300);
        break;
    case 4:
        world.server().setDiskFull(world.random().bounded(2) == 0);
        break;
    default:
        break;
    }
}

void TstChaosKills::hurt(ChaosWorld &world)
{
    const int what = world.random().bounded(10);
    if (what < 4) {
        world.killDaemon();
        world.work(world.random().bounded(60));
        world.startDaemon();
    } else if (what < 7) {
        world.killServer();
        world.work(world.random().bounded(80));
        if (world.random().bounded(4) == 0) {
            world.changeModel();
        }
        world.startServer();
    } else if (what < 8) {
        world.swapServer();
    } else {
        world.killServer();
        world.killDaemon();
        world.work(world.random().bounded(40));
        if (world.random().bounded(4) == 0) {
            world.changeModel();
        }
        world.startServer();
        world.startDaemon();
    }
}

void TstChaosKills::killedAtRandomPoints()
{
    QFETCH(int, slotCount);
    QFETCH(bool, sharedFiles);
    QFETCH(bool, pins);
    ChaosOptions options;
    options.seed = chaosSeed();
    options.slotCount = slotCount;
    options.sharedFiles = sharedFiles;
    options.pins = pins;
    ChaosWorld world(options);
    qInfo("KV_PERSIST_CHAOS_SEED=%u", options.seed);
    QVERIFY2(world.start(), qPrintable(world.log()));
    const int rounds = chaosRounds(25);
    // On a slow machine there is little between two deaths: then it takes more of them.
    const auto idle = [&world] {
        return world.counted(QStringLiteral("restored")) == 0
            || world.counted(QStringLiteral("durable")) == 0;
    };
    for (int round = 0; (round < rounds || (idle() && round < 4 * rounds)) && world.faults().isEmpty();
         ++round) {
        disturb(world);
        world.work(20 + world.random().bounded(180));
        hurt(world);
    }
    world.server().setDiskFull(false);
    world.work(500);
    QVERIFY2(world.comeToRest(), "somebody still waits for an answer");
    world.server().clearFaults();
    world.verifyNothingLost();
    qInfo().noquote() << world.summary();
    QVERIFY2(world.faults().isEmpty(),
        qPrintable(world.summary() + u'\n' + world.faults().join(u'\n') + u'\n' + world.log().right(4000)));
    // It was no idle run.
    QVERIFY(world.counted(QStringLiteral("restored")) > 0);
    QVERIFY(world.counted(QStringLiteral("durable")) > 0);
    QVERIFY(world.counted(QStringLiteral("verified")) > 0);
    QVERIFY(world.daemon().stop());
}

void TstChaosKills::nothingLeaksWhileServersDie()
{
    ChaosOptions options;
    options.seed = chaosSeed();
    ChaosWorld world(options);
    qInfo("KV_PERSIST_CHAOS_SEED=%u", options.seed);
    QVERIFY2(world.start(), qPrintable(world.log()));
    const auto kill = [&](int times) {
        for (int i = 0; i < times; ++i) {
            world.work(30 + world.random().bounded(60));
            world.killServer();
            world.work(world.random().bounded(40));
            world.startServer();
        }
        world.work(300);
        QVERIFY(world.comeToRest());
    };
    kill(5);
    const int before = world.descriptors();
    if (before < 0) {
        QSKIP("the daemon's descriptors cannot be counted here");
    }
    kill(20);
    // Connections that are kept for the next call come and go; each death must not leave one.
    const bool few = QTest::qWaitFor([&] { return world.descriptors() <= before + 4; }, 20000);
    QVERIFY2(few, qPrintable(QStringLiteral("%1, then %2").arg(before).arg(world.descriptors())));
    QVERIFY2(world.faults().isEmpty(), qPrintable(world.faults().join(u'\n')));
}

QTEST_GUILESS_MAIN(TstChaosKills)
#include "tst_chaoskills.moc"
