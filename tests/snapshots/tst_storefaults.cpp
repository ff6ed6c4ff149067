// SPDX-License-Identifier: MIT
// The database in foul weather while it runs: deleted, overwritten, full, read-only, locked.
#include "storefixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QScopeGuard>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

const QString c_a = QStringLiteral("a");

} // namespace

class TestStoreFaults final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFolderThatVanishesIsMadeAnewWithAllRows()
    {
        const QTemporaryDir top;
        const QString folder = top.filePath(QStringLiteral("metadata"));
        fill(folder, 5);
        {
            SnapshotStore store;
            const QString prefix = store.open(folder).value().namePrefix;
            StoreLog log(store);
            store.submit(put(6, c_a, row(6)));
            QVERIFY(log.wait(1));
            QVERIFY(QDir(folder).removeRecursively());
            store.submit(put(7, c_a, row(7)));
            QVERIFY(log.wait(2));
            QVERIFY(log.failures.empty());
            QVERIFY(QTest::qWaitFor([&] { return !log.recreations.isEmpty(); }));
            QCOMPARE(log.recreations.size(), 1);
            QVERIFY(log.recreations.first().contains(folder));
            QCOMPARE(QString::fromLatin1(contentOf(prefixFile(folder)).trimmed()), prefix);
            store.submit(put(8, c_a, row(8)));
            QVERIFY(log.wait(3));
            QCOMPARE(log.recreations.size(), 1);
            QCOMPARE(
                QFile::permissions(databaseFile(folder)) & QFile::Permissions(0x077), QFile::Permissions());
        } // no close(): what was answered is there all the same
        verifyRows(folder, 8);
    }

    void filesDeletedOneByOneAreMadeAnew_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::addRow("database") << QString();
        QTest::addRow("wal") << QStringLiteral("-wal");
    }

    void filesDeletedOneByOneAreMadeAnew()
    {
        QFETCH(QString, suffix);
        const QTemporaryDir dir;
        fill(dir.path(), 5);
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            StoreLog log(store);
            QVERIFY(QFile::remove(databaseFile(dir.path()) + suffix));
            store.submit(put(6, c_a, row(6)));
            QVERIFY(log.wait(1));
            QVERIFY(log.failures.empty());
            QVERIFY(QTest::qWaitFor([&] { return log.recreations.size() == 1; }));
        }
        verifyRows(dir.path(), 6);
    }

    void aDatabaseReplacedOrOverwrittenWhileItRunsIsWrittenAnew_data()
    {
        QTest::addColumn<int>("how");
        QTest::addRow("another file") << 0;
        QTest::addRow("the same file overwritten") << 1;
        QTest::addRow("cut short") << 2;
        QTest::addRow("emptied") << 3;
        QTest::addRow("a byte of its magic") << 4;
    }

    void aDatabaseReplacedOrOverwrittenWhileItRunsIsWrittenAnew()
    {
        QFETCH(int, how);
        const QTemporaryDir dir;
        fill(dir.path(), 120);
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            StoreLog log(store);
            const QString file = databaseFile(dir.path());
            switch (how) {
            case 0:
                QVERIFY(QFile::remove(file));
                overwrite(file, QByteArray(9000, 'x'));
                break;
            case 1:
                overwrite(file, QByteArray(QFileInfo(file).size() + 9000, 'x'));
                overwrite(file + QStringLiteral("-wal"), QByteArray(9000, 'x'));
                break;
            case 2:
                QVERIFY(QFile::resize(file, 8192));
                break;
            case 3:
                QVERIFY(QFile::resize(file, 0));
                break;
            default: {
                QFile damaged(file);
                QVERIFY(damaged.open(QIODevice::ReadWrite));
                QVERIFY(damaged.putChar('X'));
            }
            }
            for (int i = 1; i <= 120; ++i) { // rows all over the tree, none may be lost
                store.submit(put(static_cast<StoreSeq>(i), c_a, row(i)));
            }
            QVERIFY(log.wait(120));
            QVERIFY2(log.failures.empty(),
                log.failures.empty() ? "" : qPrintable(log.failures.begin()->second.detail));
            QVERIFY(QTest::qWaitFor([&] { return log.recreations.size() == 1; }));
        }
        verifyRows(dir.path(), 120);
    }

    void aFullDatabaseFailsTheMoveKeepsTheOldRowAndTriesAgain()
    {
        const QTemporaryDir dir;
        fill(dir.path(), 5);
        StoreOptions options;
        options.limits.maxPages = 24;
        Snapshot large = row(3);
        large.label = QString(200'000, u'x');
        {
            SnapshotStore store(options);
            QVERIFY(store.open(dir.path()).ok());
            StoreLog log(store);
            store.submit(put(1, c_a, large));
            QVERIFY(log.wait(1));
            QCOMPARE(log.failures.size(), 1U);
            const Error error = log.failures.at(1);
            QCOMPARE(error.code, ErrorCode::MetadataIo);
            QVERIFY2(error.message.contains(dir.path()), qPrintable(error.message));
            QVERIFY2(error.message.contains(QStringLiteral("full")), qPrintable(error.message));
            store.submit(put(2, c_a, row(6))); // small enough
            QVERIFY(log.wait(2));
            QCOMPARE(log.failures.size(), 1U);
            QVERIFY(log.recreations.isEmpty());
        }
        // The pointer of session 3 has not moved: neither half nor whole.
        verifyRows(dir.path(), 6);
    }

    void aLockedDatabaseFailsAndTheNextCommandSucceeds()
    {
        const QTemporaryDir dir;
        fill(dir.path(), 2);
        StoreOptions options;
        options.limits.busyTimeoutMs = 50;
        const QString name = QStringLiteral("locker");
        {
            SnapshotStore store(options);
            QVERIFY(store.open(dir.path()).ok());
            StoreLog log(store);
            {
                QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
                db.setDatabaseName(databaseFile(dir.path()));
                QVERIFY(db.open());
                QVERIFY(QSqlQuery(db).exec(QStringLiteral("BEGIN IMMEDIATE")));
                store.submit(put(1, c_a, row(3)));
                QVERIFY(log.wait(1));
                QCOMPARE(log.failures.at(1).code, ErrorCode::MetadataIo);
                QVERIFY(log.failures.at(1).message.contains(QStringLiteral("locked")));
                QVERIFY(QSqlQuery(db).exec(QStringLiteral("ROLLBACK")));
            }
            QSqlDatabase::removeDatabase(name);
            store.submit(put(2, c_a, row(3)));
            QVERIFY(log.wait(2));
            QCOMPARE(log.failures.size(), 1U);
            QVERIFY(log.recreations.isEmpty());
        }
        QVERIFY(setAsideFiles(dir.path()).isEmpty());
        verifyRows(dir.path(), 3);
    }

    void aFolderThatCannotComeBackFailsEachCommandUntilItCan()
    {
        const QTemporaryDir top;
        const QString folder = top.filePath(QStringLiteral("metadata"));
        fill(folder, 3);
        {
            SnapshotStore store;
            QVERIFY(store.open(folder).ok());
            StoreLog log(store);
            QVERIFY(QDir(folder).removeRecursively());
            overwrite(folder, "in the way");
            store.submit(put(1, c_a, row(4)));
            store.submit(put(2, c_a, row(4)));
            QVERIFY(log.wait(2));
            QCOMPARE(log.failures.size(), 2U);
            QVERIFY(log.failures.at(1).message.contains(folder));
            QVERIFY(QFile::remove(folder));
            store.submit(put(3, c_a, row(4)));
            QVERIFY(log.wait(3));
            QCOMPARE(log.failures.size(), 2U);
            QVERIFY(QTest::qWaitFor([&] { return log.recreations.size() == 1; }));
        }
        verifyRows(folder, 4);
    }

    void aRealFullAndAReadOnlyDisk()
    {
        const QTemporaryDir top;
        const QString disk = top.filePath(QStringLiteral("disk"));
        QVERIFY(QDir().mkdir(disk));
        const auto run = [](const QStringList &arguments) {
            return QProcess::execute(QStringLiteral("mount"), arguments) == 0;
        };
        const QString tmpfs = QStringLiteral("tmpfs");
        if (!run({ QStringLiteral("-t"), tmpfs, QStringLiteral("-o"), QStringLiteral("size=1m"), tmpfs,
                disk })) {
            QSKIP("mounting a small disk needs rights that this user lacks");
        }
        const auto unmount = qScopeGuard([&] { QProcess::execute(QStringLiteral("umount"), { disk }); });
        const QString folder = QDir(disk).filePath(QStringLiteral("metadata"));
        fill(folder, 5);
        const QString ballast = QDir(disk).filePath(QStringLiteral("ballast"));
        {
            SnapshotStore store;
            QVERIFY(store.open(folder).ok());
            StoreLog log(store);
            QFile file(ballast);
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
            while (file.write(QByteArray(4096, 'x')) > 0) { }
            Snapshot large = row(5);
            large.label = QString(50'000, u'y');
            store.submit(put(1, c_a, large));
            QVERIFY(log.wait(1));
            QCOMPARE(log.failures.size(), 1U);
            QVERIFY2(log.failures.at(1).message.contains(folder), qPrintable(log.failures.at(1).message));
            QVERIFY(file.remove());
            store.submit(put(2, c_a, row(6)));
            QVERIFY(log.wait(2));
            QCOMPARE(log.failures.size(), 1U);
            QVERIFY(store.close().ok());
        }
        verifyRows(folder, 6);
        QVERIFY(run({ QStringLiteral("-o"), QStringLiteral("remount,ro"), disk }));
        SnapshotStore store;
        const Result<LoadedStore> loaded = store.open(folder);
        QVERIFY(!loaded.ok() && loaded.error().code == ErrorCode::MetadataIo);
        QVERIFY2(loaded.error().message.contains(folder), qPrintable(loaded.error().message));
        QVERIFY(run({ QStringLiteral("-o"), QStringLiteral("remount,rw"), disk }));
        verifyRows(folder, 6);
    }
};

QTEST_GUILESS_MAIN(TestStoreFaults)
#include "tst_storefaults.moc"
