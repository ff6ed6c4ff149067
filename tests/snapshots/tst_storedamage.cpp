// SPDX-License-Identifier: MIT
// What the store finds when it is opened: damaged, foreign, missing or locked databases, unusable folders.
#include "snapshotname.h"
#include "storefixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

const QString c_a = QStringLiteral("a");

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

class TestStoreDamage final : public QObject {
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
};

QTEST_GUILESS_MAIN(TestStoreDamage)
#include "tst_storedamage.moc"
