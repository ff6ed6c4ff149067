// SPDX-License-Identifier: MIT
// A database of every older version is opened; one of a newer version is left alone. schemas/schema-<n>.sql
// holds what a program of schema n wrote; it is never changed once n was released.
#include "storefixture.h"
#include "storeschema.h"

#include <QDir>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

void runSql(const QString &file, const QStringList &statements)
{
    const QString name = QStringLiteral("migrations");
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        db.setDatabaseName(file);
        QVERIFY(db.open());
        for (const QString &statement : statements) {
            if (!statement.trimmed().isEmpty()) {
                QSqlQuery query(db);
                QVERIFY2(query.exec(statement), qPrintable(statement + query.lastError().text()));
            }
        }
    }
    QSqlDatabase::removeDatabase(name);
}

QStringList schemaOf(const QString &file)
{
    QStringList schema;
    const QString name = QStringLiteral("schema");
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        db.setDatabaseName(file);
        if (db.open()) {
            QSqlQuery query(
                QStringLiteral("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name"), db);
            while (query.next()) {
                schema.append(query.value(0).toString());
            }
        }
    }
    QSqlDatabase::removeDatabase(name);
    return schema;
}

QString currentFile(const QTemporaryDir &dir)
{
    SnapshotStore store;
    return store.open(dir.path()).ok() ? databaseFile(dir.path()) : QString();
}

} // namespace

class TestStoreMigrations final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileOfEveryVersionIsCarriedForward_data()
    {
        QTest::addColumn<int>("version");
        for (int version = 1; version <= c_storeSchema; ++version) {
            QTest::addRow("schema %d", version) << version;
        }
    }

    void aFileOfEveryVersionIsCarriedForward()
    {
        QFETCH(int, version);
        const QByteArray sql = contentOf(QStringLiteral(KV_SCHEMA_FOLDER "/schema-%1.sql").arg(version));
        QVERIFY2(!sql.isEmpty(), "no sample of this schema version");
        const QTemporaryDir dir;
        runSql(databaseFile(dir.path()), QString::fromUtf8(sql).split(QStringLiteral(";\n")));
        {
            SnapshotStore store;
            const Result<LoadedStore> loaded = store.open(dir.path());
            QVERIFY2(loaded.ok(), loaded.ok() ? "" : qPrintable(loaded.error().detail));
            QCOMPARE(loaded.value().notices, QStringList());
            const LoadedServer server = loaded.value().server(QStringLiteral("local"));
            QCOMPARE(loaded.value().namePrefix, QStringLiteral("0123456789abcdef"));
            QCOMPARE(server.highWater, 32);
            QCOMPARE(server.totals.value(QStringLiteral("saves")), 12);
            QCOMPARE(server.settings.value(QStringLiteral("rates")), QStringLiteral("{}"));
            QCOMPARE(server.snapshots.size(), 1U);
            const Snapshot &row = server.snapshots.front();
            QCOMPARE(row.session, QStringLiteral("session-1"));
            QCOMPARE(row.name, 7);
            QCOMPARE(row.tokens, 1421);
            QCOMPARE(row.bytes, 386612);
            QVERIFY(row.state == SnapshotState::Valid);
            QCOMPARE(row.fingerprint->value(field::modelPath), QStringLiteral("/m.gguf"));
            QCOMPARE(row.fingerprint->slotContext(), 8192);
        }
        const QTemporaryDir fresh;
        QCOMPARE(schemaOf(databaseFile(dir.path())), schemaOf(currentFile(fresh)));
    }

    void aNewerFileIsRefusedAndLeftUntouched()
    {
        const QTemporaryDir dir;
        const QString file = currentFile(dir);
        runSql(file,
            { QStringLiteral("PRAGMA journal_mode = DELETE"),
                QStringLiteral("PRAGMA user_version = %1").arg(c_storeSchema + 1) });
        const QByteArray before = contentOf(file);
        const QStringList files = QDir(dir.path()).entryList(QDir::Files);
        SnapshotStore store;
        const Result<LoadedStore> loaded = store.open(dir.path());
        QVERIFY(!loaded.ok());
        QCOMPARE(loaded.error().code, ErrorCode::MetadataIo);
        QVERIFY2(loaded.error().message.contains(QStringLiteral("newer kv-persist")),
            qPrintable(loaded.error().message));
        QVERIFY(loaded.error().message.contains(file));
        QCOMPARE(contentOf(file), before);
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files), files);
    }

    void aNewerFileIsRefusedTooWhenOnlyItsWalSaysSo()
    {
        const QTemporaryDir dir;
        const QString file = currentFile(dir);
        const QString name = QStringLiteral("newer");
        {
            QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
            db.setDatabaseName(file);
            QVERIFY(db.open());
            QVERIFY(QSqlQuery(db).exec(QStringLiteral("PRAGMA user_version = %1").arg(c_storeSchema + 1)));
            SnapshotStore store;
            const Result<LoadedStore> loaded = store.open(dir.path());
            QVERIFY(!loaded.ok());
            QVERIFY(loaded.error().message.contains(QStringLiteral("newer kv-persist")));
        }
        QSqlDatabase::removeDatabase(name);
        QVERIFY(QDir(dir.path()).entryList({ QStringLiteral("*damaged*") }).isEmpty());
    }

    void aTableThatIsMissingMeansDamage()
    {
        const QTemporaryDir dir;
        runSql(currentFile(dir), { QStringLiteral("DROP TABLE snapshot") });
        SnapshotStore store;
        const Result<LoadedStore> loaded = store.open(dir.path());
        QVERIFY(loaded.ok());
        QCOMPARE(QDir(dir.path()).entryList({ QStringLiteral("*damaged*") }, QDir::Files).size(), 1);
    }

    void rowsThatMakeNoSenseAreInvalidOrLeftOutAndSaidSo()
    {
        const QTemporaryDir dir;
        const QString a = QStringLiteral("a");
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            const FingerprintPtr print = makeFingerprint(QStringLiteral("m"));
            for (int i = 0; i < 6; ++i) {
                store.submit(put(1, a, makeSnapshot(QString::number(i), i, print)));
            }
            store.submit(
                put(1, a, makeSnapshot(QStringLiteral("x"), 9, makeFingerprint(QStringLiteral("torn")))));
            QVERIFY(store.close().ok());
        }
        runSql(databaseFile(dir.path()),
            { QStringLiteral("UPDATE snapshot SET state = 'perfect' WHERE session = '1'"),
                QStringLiteral("UPDATE snapshot SET schema_version = 99 WHERE session = '2'"),
                QStringLiteral("UPDATE snapshot SET name = -5 WHERE session = '3'"),
                QStringLiteral("UPDATE snapshot SET verdict = '' WHERE session = '4'"),
                QStringLiteral("UPDATE fingerprint SET compared = '[[\"modelPath\",\"/other\"]]'"
                               " WHERE compared LIKE '%torn%'") });
        SnapshotStore store;
        const LoadedStore loaded = store.open(dir.path()).value();
        QCOMPARE(loaded.server(a).snapshots.size(), 6U);
        QCOMPARE(loaded.notices.size(), 2);
        for (int i = 0; i < 6; ++i) {
            const Snapshot row = find(loaded, a, QString::number(i));
            const bool bad = i >= 1 && i <= 4;
            QVERIFY(row.state == (bad ? SnapshotState::Invalid : SnapshotState::Suspect));
            QCOMPARE(row.reason == QLatin1String("MANIFEST_INVALID"), bad);
        }
    }
};

QTEST_GUILESS_MAIN(TestStoreMigrations)
#include "tst_storemigrations.moc"
