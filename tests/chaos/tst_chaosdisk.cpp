// SPDX-License-Identifier: MIT
#include "chaosworld.h"
#include "smalldisk.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace kv::test;

namespace {

constexpr int c_workMs = 500;

/// On a slow machine a moment's work saves nothing yet.
bool workUntilDurable(ChaosWorld &world)
{
    constexpr int c_rounds = 40;
    for (int i = 0; i < c_rounds && (i == 0 || world.durableSnapshots() == 0); ++i) {
        world.work(c_workMs);
    }
    return world.durableSnapshots() > 0;
}

enum class Damage { Truncated, Overwritten, Deleted };

void damage(const QString &folder, Damage how)
{
    const QString database = QDir(folder).filePath(QStringLiteral("kv-persist.db"));
    QFile file(database);
    switch (how) {
    case Damage::Truncated:
        QVERIFY(file.resize(0));
        return;
    case Damage::Overwritten: {
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray noise = QByteArray("no database at all ").repeated(1000);
        QVERIFY(file.write(noise) == noise.size());
        return;
    }
    case Damage::Deleted: // with its log, or that would bring it back
        QVERIFY(QFile::remove(database));
        QFile::remove(database + QStringLiteral("-wal"));
        QFile::remove(database + QStringLiteral("-shm"));
        return;
    }
}

} // namespace

/// Disks that are full, and a database that is damaged, under load.
class TstChaosDisk final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(!builtProgram(QStringLiteral("kv-persistd")).isEmpty(), "kv-persistd is not built");
    }
    void aFullSlotFolder_data();
    void aFullSlotFolder();
    void aFullMetadataFolder();
    void aDamagedDatabase_data();
    void aDamagedDatabase();

private:
    static void verifyNoFault(ChaosWorld &world)
    {
        qInfo().noquote() << world.summary();
        QVERIFY2(world.faults().isEmpty(),
            qPrintable(world.faults().join(u'\n') + u'\n' + world.log().right(4000)));
    }
};

void TstChaosDisk::aFullSlotFolder_data()
{
    QTest::addColumn<bool>("sharedFiles");
    QTest::addRow("the server's own files") << false;
    QTest::addRow("a shared folder") << true;
}

void TstChaosDisk::aFullSlotFolder()
{
    QFETCH(bool, sharedFiles);
    SmallDisk disk(1);
    if (!disk.isMounted()) {
        QSKIP("a small disk can be mounted by root only");
    }
    ChaosOptions options;
    options.seed = chaosSeed();
    options.sharedFiles = sharedFiles;
    options.slotFolder = disk.path();
    ChaosWorld world(options);
    qInfo("KV_PERSIST_CHAOS_SEED=%u", options.seed);
    QVERIFY2(world.start(), qPrintable(world.log()));
    QVERIFY(workUntilDurable(world));
    disk.fill();
    world.work(c_workMs);
    QVERIFY(world.comeToRest());
    QVERIFY(world.server().files().write(QStringLiteral("probe"), QByteArray(5000, 'x')) == false);
    world.verifyNothingLost(); // on the full disk
    verifyNoFault(world);
    disk.relieve();
    world.work(c_workMs);
    QVERIFY(world.comeToRest());
    world.verifyNothingLost();
    verifyNoFault(world);
    QVERIFY(world.counted(QStringLiteral("verified")) > 0);
}

void TstChaosDisk::aFullMetadataFolder()
{
    SmallDisk disk(1);
    if (!disk.isMounted()) {
        QSKIP("a small disk can be mounted by root only");
    }
    ChaosOptions options;
    options.seed = chaosSeed();
    options.metadata = disk.path() + QStringLiteral("/metadata");
    ChaosWorld world(options);
    qInfo("KV_PERSIST_CHAOS_SEED=%u", options.seed);
    QVERIFY2(world.start(), qPrintable(world.log()));
    QVERIFY(workUntilDurable(world));
    disk.fill(); // at the moment of a commit, sooner or later
    for (int i = 0; i < 3; ++i) {
        world.work(c_workMs);
        world.killServer();
        world.startServer();
    }
    QVERIFY(world.comeToRest());
    world.verifyNothingLost();
    verifyNoFault(world);
    // A kill on the full disk: it may not be able to write, and starts.
    world.killDaemon();
    QVERIFY2(world.startDaemon(), qPrintable(world.log().right(2000)));
    world.work(c_workMs);
    QVERIFY(world.comeToRest());
    disk.relieve();
    world.killDaemon();
    QVERIFY(world.startDaemon());
    world.work(c_workMs);
    QVERIFY(world.comeToRest());
    world.verifyNothingLost();
    verifyNoFault(world);
}

void TstChaosDisk::aDamagedDatabase_data()
{
    QTest::addColumn<int>("how");
    QTest::addColumn<bool>("running");
    const std::vector<std::pair<const char *, Damage>> kinds { { "truncated", Damage::Truncated },
        { "overwritten", Damage::Overwritten }, { "deleted", Damage::Deleted } };
    for (const auto &[name, how] : kinds) {
        QTest::addRow("%s while it runs", name) << static_cast<int>(how) << true;
        QTest::addRow("%s while it is down", name) << static_cast<int>(how) << false;
    }
}

void TstChaosDisk::aDamagedDatabase()
{
    QFETCH(int, how);
    QFETCH(bool, running);
    ChaosOptions options;
    options.seed = chaosSeed();
    ChaosWorld world(options);
    qInfo("KV_PERSIST_CHAOS_SEED=%u", options.seed);
    QVERIFY2(world.start(), qPrintable(world.log()));
    QVERIFY(workUntilDurable(world));
    if (!running) {
        world.killDaemon();
    }
    damage(world.metadataFolder(), static_cast<Damage>(how));
    world.forgetDurable(); // invariant 1: it may all be gone, at the cost of a cold prefill
    if (running) {
        QVERIFY(workUntilDurable(world));
        QVERIFY(world.comeToRest());
        QVERIFY(world.durableSnapshots() > 0); // what was told to be durable since then has to be
        world.killDaemon();
    }
    QVERIFY2(world.startDaemon(), qPrintable(world.log().right(2000)));
    QVERIFY(workUntilDurable(world));
    QVERIFY(world.comeToRest());
    QVERIFY(world.durableSnapshots() > 0);
    world.verifyNothingLost();
    verifyNoFault(world);
    // And what it holds now outlives a kill.
    world.killDaemon();
    QVERIFY(world.startDaemon());
    world.verifyNothingLost();
    verifyNoFault(world);
}

QTEST_GUILESS_MAIN(TstChaosDisk)
#include "tst_chaosdisk.moc"
