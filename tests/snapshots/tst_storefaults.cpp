// SPDX-License-Identifier: MIT
// The database in foul weather: damaged, deleted, full, read-only, locked.
#include "snapshotname.h"
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

Snapshot row(int number)
{
    return makeSnapshot(QStringLiteral("s%1").arg(number), number, makeFingerprint(QStringLiteral("m")));
}

/// A folder whose database holds rows 1 to `rows`, a high-water mark, a total and a setting; stopped in
/// order.
void fill(const QString &folder, int rows)
{
    SnapshotStore store;
    QVERIFY(store.open(folder).ok());
    StoreLog log(store);
    for (int i = 1; i <= rows; ++i) {
        store.submit(put(static_cast<StoreSeq>(i), c_a, row(i)));
    }
    StoreCommand raise = command(StoreCommand::Kind::RaiseHighWater, 1000, c_a);
    raise.number = 64;
    store.submit(raise);
    store.submitTotals(c_a, { { QStringLiteral("saves"), 9 } }, 1001);
    store.submitSetting(c_a, QStringLiteral("k"), QStringLiteral("v"), 1002);
    QVERIFY(log.wait(rows + 3));
    QVERIFY(log.failures.empty());
    QVERIFY(store.close().ok());
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void overwrite(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(content), content.size());
}

QStringList setAsideFiles(const QString &folder)
{
    return QDir(folder).entryList({ QStringLiteral("kv-persist.db.damaged-*") }, QDir::Files);
}

/// Opens `folder` anew: rows 1 to `rows` are all there and equal, with the rest.
void verifyRows(const QString &folder, int rows)
{
    SnapshotStore store;
    const Result<LoadedStore> loaded = store.open(folder);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : qPrintable(loaded.error().message));
    QCOMPARE(loaded.value().notices, QStringList());
    QCOMPARE(static_cast<int>(loaded.value().server(c_a).snapshots.size()), rows);
    for (int i = 1; i <= rows; ++i) {
        QCOMPARE(differences(find(loaded.value(), c_a, row(i).session), row(i)), QStringList());
    }
    QCOMPARE(loaded.value().server(c_a).highWater, 64);
    QCOMPARE(loaded.value().server(c_a).totals.value(QStringLiteral("saves")), 9);
    QCOMPARE(loaded.value().server(c_a).settings.value(QStringLiteral("k")), QStringLiteral("v"));
}

/// Opens a folder whose database is no good: it works, says so, keeps the old file, and rests the numbers.
void verifySetAside(const QString &folder, const QString &prefix)
{
    SnapshotStore store;
    const Result<LoadedStore> loaded = store.open(folder);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : qPrintable(loaded.error().message));
    QCOMPARE(loaded.value().notices.size(), 1);
    const QStringList aside = setAsideFiles(folder);
    QVERIFY(!aside.isEmpty());
    QVERIFY2(
        loaded.value().notices.first().contains(aside.first()), qPrintable(loaded.value().notices.first()));
    QVERIFY(loaded.value().server(c_a).snapshots.empty());
    QVERIFY(!loaded.value().cleanStop);
    QVERIFY(loaded.value().firstHighWater > 64);
    QVERIFY(loaded.value().server(c_a).highWater > 64);
    QCOMPARE(loaded.value().namePrefix, prefix);
    StoreLog log(store);
    store.submit(put(1, c_a, row(1)));
    QVERIFY(log.wait(1));
    QVERIFY(log.failures.empty());
}

} // namespace

class TestStoreFaults final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTruncatedDatabaseIsSetAside_data()
    {
        QTest::addColumn<int>("percent");
        QTest::addColumn<int>("bytes");
        for (const int percent : { 1, 20, 40, 60, 80, 95, 99 }) {
            QTest::addRow("%d percent", percent) << percent << 0;
        }
        for (const int bytes : { 1, 15, 16, 50, 99, 100, 511, 512, 1023, 4095, 4096, 4097, 8192 }) {
            QTest::addRow("%d bytes", bytes) << 0 << bytes;
        }
    }

    void aTruncatedDatabaseIsSetAside()
    {
        QFETCH(int, percent);
        QFETCH(int, bytes);
        const QTemporaryDir dir;
        fill(dir.path(), 60);
        const QString file = databaseFile(dir.path());
        const QString prefix = QString::fromLatin1(contentOf(prefixFile(dir.path())).trimmed());
        QVERIFY(isNamePrefix(prefix));
        QVERIFY(QFile::resize(file, bytes > 0 ? bytes : QFileInfo(file).size() * percent / 100));
        verifySetAside(dir.path(), prefix);
    }

    void garbageIsSetAside_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addRow("text") << QByteArray("this is not a database\n").repeated(400);
        QTest::addRow("zeros") << QByteArray(20000, '\0');
        QTest::addRow("noise") << [] {
            QByteArray noise;
            for (quint32 i = 0, x = 1; i < 20000; ++i) {
                x = x * 1664525U + 1013904223U;
                noise.append(static_cast<char>(x >> 24));
            }
            return noise;
        }();
        QTest::addRow("magic and nothing") << QByteArray("SQLite format 3\0", 16) + QByteArray(5000, 'x');
    }

    void garbageIsSetAside()
    {
        QFETCH(QByteArray, content);
        const QTemporaryDir dir;
        fill(dir.path(), 5);
        const QString prefix = QString::fromLatin1(contentOf(prefixFile(dir.path())).trimmed());
        overwrite(databaseFile(dir.path()), content);
        verifySetAside(dir.path(), prefix);
        QVERIFY(!QTest::currentTestFailed());
        const QString aside = QDir(dir.path()).filePath(setAsideFiles(dir.path()).first());
        QCOMPARE(contentOf(aside), content); // nothing of the user's is thrown away
    }

    void bytesFlippedInsideAreFoundOrHarmless()
    {
        const QTemporaryDir dir;
        fill(dir.path(), 60);
        const QByteArray good = contentOf(databaseFile(dir.path()));
        int aside = 0;
        for (qsizetype at = 4096; at + 64 < good.size(); at += 4096) {
            const QTemporaryDir copy;
            QByteArray bad = good;
            for (qsizetype i = 0; i < 64; ++i) { // a page's header
                bad[at + i] = static_cast<char>(bad[at + i] ^ 0x5a);
            }
            overwrite(databaseFile(copy.path()), bad);
            SnapshotStore store;
            const Result<LoadedStore> loaded = store.open(copy.path());
            QVERIFY(loaded.ok());
            aside += setAsideFiles(copy.path()).isEmpty() ? 0 : 1;
        }
        QVERIFY(aside > 0);
    }

    void aForeignSqliteFileIsSetAside()
    {
        const QTemporaryDir dir;
        const QString name = QStringLiteral("foreign");
        {
            QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
            db.setDatabaseName(databaseFile(dir.path()));
            QVERIFY(db.open());
            QVERIFY(QSqlQuery(db).exec(QStringLiteral("CREATE TABLE theirs (x)")));
        }
        QSqlDatabase::removeDatabase(name);
        SnapshotStore store;
        QVERIFY(store.open(dir.path()).ok());
        QCOMPARE(setAsideFiles(dir.path()).size(), 1);
    }

    void twoDamagesInOneSecondKeepBothFiles()
    {
        const QTemporaryDir dir;
        for (int i = 0; i < 3; ++i) {
            overwrite(databaseFile(dir.path()), QByteArray(3000, 'x'));
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
        }
        QCOMPARE(setAsideFiles(dir.path()).size(), 3);
    }

    void aDatabaseThatIsGoneRestsTheNumbersItMayHaveHad()
    {
        const QTemporaryDir dir;
        fill(dir.path(), 3);
        QVERIFY(QFile::remove(databaseFile(dir.path())));
        SnapshotStore store;
        const LoadedStore loaded = store.open(dir.path()).value();
        QCOMPARE(loaded.notices.size(), 1);
        QVERIFY(!loaded.cleanStop);
        QVERIFY(loaded.server(c_a).highWater > 64);
        QVERIFY(store.close().ok());
        // And they still rest at the next start.
        SnapshotStore next;
        QCOMPARE(next.open(dir.path()).value().firstHighWater, loaded.firstHighWater);
    }

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
        fill(dir.path(), 300);
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
            for (int i = 1; i <= 300; ++i) { // rows all over the tree, none may be lost
                store.submit(put(static_cast<StoreSeq>(i), c_a, row(i)));
            }
            QVERIFY(log.wait(300));
            QVERIFY2(log.failures.empty(),
                log.failures.empty() ? "" : qPrintable(log.failures.begin()->second.detail));
            QVERIFY(QTest::qWaitFor([&] { return log.recreations.size() == 1; }));
        }
        verifyRows(dir.path(), 300);
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

    void aBusyDatabaseAtTheStartIsNotTakenForADamagedOne()
    {
        const QTemporaryDir dir;
        fill(dir.path(), 2);
        StoreOptions options;
        options.limits.busyTimeoutMs = 50;
        const QString name = QStringLiteral("exclusive");
        {
            QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
            db.setDatabaseName(databaseFile(dir.path()));
            QVERIFY(db.open());
            QVERIFY(QSqlQuery(db).exec(QStringLiteral("PRAGMA locking_mode = EXCLUSIVE")));
            QVERIFY(QSqlQuery(db).exec(QStringLiteral("BEGIN EXCLUSIVE")));
            SnapshotStore store(options);
            const Result<LoadedStore> loaded = store.open(dir.path());
            QVERIFY(!loaded.ok());
            QCOMPARE(loaded.error().code, ErrorCode::MetadataIo);
        }
        QSqlDatabase::removeDatabase(name);
        QVERIFY(setAsideFiles(dir.path()).isEmpty());
        verifyRows(dir.path(), 2);
    }

    void aFileInPlaceOfTheFolderIsAClearError()
    {
        const QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("file"));
        overwrite(file, "x");
        for (const QString &folder : { file, file + QStringLiteral("/below/it") }) {
            SnapshotStore store;
            const Result<LoadedStore> loaded = store.open(folder);
            QVERIFY(!loaded.ok());
            QCOMPARE(loaded.error().code, ErrorCode::MetadataIo);
            QVERIFY2(loaded.error().message.contains(folder), qPrintable(loaded.error().message));
            QVERIFY(loaded.error().message.contains(QStringLiteral("metadata.path")));
        }
        QCOMPARE(contentOf(file), QByteArray("x"));
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
