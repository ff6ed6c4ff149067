// SPDX-License-Identifier: MIT
// The database in fair weather: what is put in comes back.
#include "snapshotname.h"
#include "storefixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace kv;
using namespace kv::test;

namespace {
const QString c_a = QStringLiteral("a");
const QString c_b = QStringLiteral("b");

LoadedStore reopen(const QString &folder)
{
    SnapshotStore store;
    Result<LoadedStore> loaded = store.open(folder);
    return loaded ? loaded.value() : LoadedStore {};
}
} // namespace

class TestSnapshotStore final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNewFolderIsEmptyAndPrivate()
    {
        const QTemporaryDir top;
        const QString folder = top.filePath(QStringLiteral("x/y/metadata"));
        SnapshotStore store;
        const Result<LoadedStore> loaded = store.open(folder);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : qPrintable(loaded.error().message));
        QVERIFY(loaded.value().servers.empty());
        QVERIFY(loaded.value().cleanStop);
        QVERIFY(loaded.value().notices.isEmpty());
        QVERIFY(isNamePrefix(loaded.value().namePrefix));
        QCOMPARE(loaded.value().firstHighWater, 0);
        const auto mode
            = [](const QString &path) { return QFile::permissions(path) & QFile::Permissions(0x077); };
        for (const QString &each :
            { top.filePath(QStringLiteral("x")), top.filePath(QStringLiteral("x/y")), folder }) {
            QCOMPARE(mode(each), QFile::Permissions());
        }
        const QFileInfoList files = QDir(folder).entryInfoList(QDir::Files);
        QVERIFY(files.size() >= 3); // prefix, database, WAL
        for (const QFileInfo &file : files) {
            QCOMPARE(mode(file.filePath()), QFile::Permissions());
            QVERIFY(!file.permission(QFile::ExeOwner));
        }
    }

    void allFieldsOfASnapshotComeBack()
    {
        const QTemporaryDir dir;
        const Snapshot one = makeSnapshot(QStringLiteral("s1"), 3, makeFingerprint(QStringLiteral("m")));
        Snapshot empty;
        empty.session = QStringLiteral("s2");
        empty.serverInstanceKey = c_a;
        empty.fingerprint = makeFingerprint(QStringLiteral("other"), 0);
        empty.name = 0;
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            StoreLog log(store);
            store.submit(put(1, c_a, one));
            store.submit(put(2, c_a, empty));
            QVERIFY(log.wait(2));
            QVERIFY(log.failures.empty());
            QVERIFY(store.close().ok());
        }
        const LoadedStore loaded = reopen(dir.path());
        QCOMPARE(loaded.server(c_a).snapshots.size(), 2U);
        QCOMPARE(differences(find(loaded, c_a, QStringLiteral("s1")), one), QStringList());
        QCOMPARE(differences(find(loaded, c_a, QStringLiteral("s2")), empty), QStringList());
        QVERIFY(loaded.servers.size() == 1);
    }

    void everyStateVerdictAndCompatibilityComesBack()
    {
        const QTemporaryDir dir;
        const FingerprintPtr print = makeFingerprint(QStringLiteral("m"));
        const std::vector<SnapshotState> states { SnapshotState::Valid, SnapshotState::Suspect,
            SnapshotState::Invalid, SnapshotState::Hidden };
        const std::vector<Verdict> verdicts { Verdict::Verified, Verdict::Partial, Verdict::None,
            Verdict::Unknown };
        const std::vector<Compatibility> kinds { Compatibility::Unknown, Compatibility::Experimental,
            Compatibility::Supported, Compatibility::Broken };
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            for (std::size_t i = 0; i < 4; ++i) {
                Snapshot s = makeSnapshot(QString::number(i), 1, print);
                s.state = states[i];
                s.verdict = verdicts[i];
                s.compatibility = kinds[i];
                store.submit(put(i + 1, c_a, s));
            }
            QVERIFY(store.close().ok());
        }
        const LoadedStore loaded = reopen(dir.path());
        for (std::size_t i = 0; i < 4; ++i) {
            const Snapshot s = find(loaded, c_a, QString::number(i));
            // Hidden is a matter of the running server, so it is not recorded.
            QVERIFY(s.state == (states[i] == SnapshotState::Hidden ? SnapshotState::Valid : states[i]));
            QVERIFY(s.verdict == verdicts[i]);
            QVERIFY(s.compatibility == kinds[i]);
        }
    }

    void putReplacesTheRowOfItsSessionAndFingerprintOnly()
    {
        const QTemporaryDir dir;
        const FingerprintPtr first = makeFingerprint(QStringLiteral("m1"));
        const FingerprintPtr second = makeFingerprint(QStringLiteral("m2"));
        const QString s = QStringLiteral("s");
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            store.submit(put(1, c_a, makeSnapshot(s, 1, first)));
            store.submit(put(2, c_a, makeSnapshot(s, 2, second)));
            store.submit(put(3, c_a, makeSnapshot(s, 3, first)));
            store.submit(put(4, c_b, makeSnapshot(s, 4, first)));
            store.submit(put(5, c_a, makeSnapshot(QStringLiteral("t"), 5, first)));
            QVERIFY(store.close().ok());
        }
        const LoadedStore loaded = reopen(dir.path());
        std::map<std::pair<QString, QString>, NameNumber> names;
        for (const Snapshot &row : loaded.server(c_a).snapshots) {
            names[{ row.session, row.fingerprint->hash() }] = row.name;
        }
        QCOMPARE(names.size(), 3U);
        QCOMPARE((names[{ s, first->hash() }]), 3);
        QCOMPARE((names[{ s, second->hash() }]), 2);
        QCOMPARE(find(loaded, c_b, s).name, 4);
        QCOMPARE(find(loaded, c_b, s).serverInstanceKey, c_b);
        QCOMPARE(find(loaded, c_a, QStringLiteral("t")).name, 5);
    }

    void removeTakesOneRowAndNoOther()
    {
        const QTemporaryDir dir;
        const FingerprintPtr first = makeFingerprint(QStringLiteral("m1"));
        const FingerprintPtr second = makeFingerprint(QStringLiteral("m2"));
        const QString s = QStringLiteral("s");
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            StoreLog log(store);
            store.submit(put(1, c_a, makeSnapshot(s, 1, first)));
            store.submit(put(2, c_a, makeSnapshot(s, 2, second)));
            store.submit(put(3, c_b, makeSnapshot(s, 3, first)));
            store.submit(command(StoreCommand::Kind::RemoveSnapshot, 4, c_a, makeSnapshot(s, 1, first)));
            store.submit(command(
                StoreCommand::Kind::RemoveSnapshot, 5, c_a, makeSnapshot(s, 1, first))); // twice: fine
            QVERIFY(log.wait(5));
            QVERIFY(log.failures.empty());
        }
        const LoadedStore loaded = reopen(dir.path());
        QCOMPARE(loaded.server(c_a).snapshots.size(), 1U);
        QCOMPARE(find(loaded, c_a, s).name, 2);
        QCOMPARE(find(loaded, c_b, s).name, 3);
    }

    void touchKeepsWhatIsKnownOfTheFileOnlyWhereTheRowStillNamesIt()
    {
        const QTemporaryDir dir;
        const FingerprintPtr print = makeFingerprint(QStringLiteral("m"));
        const Snapshot same = makeSnapshot(QStringLiteral("same"), 1, print);
        const Snapshot later = makeSnapshot(QStringLiteral("later"), 2, print);
        Snapshot newer = later;
        newer.name = 5;
        newer.checksum.clear();
        newer.state = SnapshotState::Valid;
        newer.reason.clear();
        const auto condemned = [](Snapshot row) {
            row.state = SnapshotState::Invalid;
            row.reason = QStringLiteral("FILE_CHECKSUM");
            row.checksum = QStringLiteral("00000000000000ff");
            return row;
        };
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            StoreLog log(store);
            store.submit(put(1, c_a, same));
            store.submit(put(2, c_a, later));
            store.submit(command(StoreCommand::Kind::Touch, 3, c_a, condemned(same)));
            store.submit(put(4, c_a, newer));
            store.submit(command(StoreCommand::Kind::Touch, 5, c_a, condemned(later))); // of its former file
            QVERIFY(log.wait(5));
            QVERIFY(log.failures.empty());
            QFile::remove(
                dir.filePath(QStringLiteral("kv-persist.db"))); // what is kept in memory says the same
            store.submit(command(StoreCommand::Kind::Touch, 6, c_a, condemned(later)));
            QVERIFY(log.wait(6));
        }
        const LoadedStore loaded = reopen(dir.path());
        QCOMPARE(differences(find(loaded, c_a, QStringLiteral("same")), same),
            (QStringList { QStringLiteral("state"), QStringLiteral("reason"), QStringLiteral("checksum") }));
        QCOMPARE(differences(find(loaded, c_a, QStringLiteral("later")), newer), QStringList());
    }

    void touchNeverMovesThePointer()
    {
        const QTemporaryDir dir;
        const FingerprintPtr print = makeFingerprint(QStringLiteral("m"));
        const Snapshot before = makeSnapshot(QStringLiteral("s"), 1, print);
        Snapshot touched = makeSnapshot(QStringLiteral("s"), 9, print);
        touched.pinned = false;
        touched.verdict = Verdict::Verified;
        touched.compatibility = Compatibility::Supported;
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            StoreLog log(store);
            store.submit(put(1, c_a, before));
            store.submit(command(StoreCommand::Kind::Touch, 2, c_a, touched));
            // Of a row that is not there: nothing appears.
            store.submit(
                command(StoreCommand::Kind::Touch, 3, c_a, makeSnapshot(QStringLiteral("no"), 1, print)));
            QVERIFY(log.wait(3));
            QVERIFY(log.failures.empty());
        }
        const LoadedStore loaded = reopen(dir.path());
        QCOMPARE(loaded.server(c_a).snapshots.size(), 1U);
        const QStringList changed { QStringLiteral("lastRestoreWallMs"), QStringLiteral("usedSeq"),
            QStringLiteral("compatibility"), QStringLiteral("verdict"), QStringLiteral("pinned"),
            QStringLiteral("label") };
        QCOMPARE(differences(find(loaded, c_a, QStringLiteral("s")), before), changed);
    }

    void highWaterOnlyRisesAndBootsTotalsAndSettingsAreKept()
    {
        const QTemporaryDir dir;
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            StoreCommand raise = command(StoreCommand::Kind::RaiseHighWater, 1, c_a);
            raise.number = 32;
            store.submit(raise);
            raise.number = 16;
            store.submit(raise);
            store.submitTotals(c_a, { { QStringLiteral("saves"), 5 }, { QStringLiteral("restores"), 1 } });
            store.submitTotals(c_a, { { QStringLiteral("saves"), 6 } });
            store.submitSetting(c_a, QStringLiteral("rates"), QStringLiteral("{\"x\":1}"));
            store.submitSetting(c_a, QStringLiteral("gone"), QStringLiteral("x"));
            store.submitSetting(c_a, QStringLiteral("gone"), QString());
            store.submitSetting({}, QStringLiteral("global"), QStringLiteral(""));
            QVERIFY(store.close().ok());
        }
        const LoadedStore loaded = reopen(dir.path());
        const LoadedServer server = loaded.server(c_a);
        QCOMPARE(server.highWater, 32);
        QCOMPARE(server.totals,
            (QMap<QString, qint64> { { QStringLiteral("restores"), 1 }, { QStringLiteral("saves"), 6 } }));
        QCOMPARE(server.settings,
            (QMap<QString, QString> { { QStringLiteral("rates"), QStringLiteral("{\"x\":1}") } }));
        QVERIFY(loaded.server({}).settings.contains(QStringLiteral("global")));
    }

    void answersComeInTheOrderOfSubmissionAndNeverFromInsideSubmit()
    {
        const QTemporaryDir dir;
        SnapshotStore store;
        QVERIFY(store.open(dir.path()).ok());
        StoreLog log(store);
        const FingerprintPtr print = makeFingerprint(QStringLiteral("m"));
        std::vector<StoreSeq> expected(50);
        std::iota(expected.begin(), expected.end(), 100);
        for (const StoreSeq seq : expected) {
            const Snapshot s = makeSnapshot(QString::number(seq), static_cast<NameNumber>(seq), print);
            seq % 2 == 0 ? store.submit(put(seq, c_a, s)) : store.submitSetting(c_a, s.session, s.label, seq);
        }
        QVERIFY(log.order.empty());
        QVERIFY(log.wait(50));
        QCOMPARE(log.order, expected);
    }

    void aSnapshotWithoutARuntimeIsRefusedAndHarmsNothing()
    {
        const QTemporaryDir dir;
        SnapshotStore store;
        QVERIFY(store.open(dir.path()).ok());
        StoreLog log(store);
        store.submit(put(1, c_a, Snapshot {}));
        store.submit(put(2, c_a, makeSnapshot(QStringLiteral("s"), 1, makeFingerprint(QStringLiteral("m")))));
        QVERIFY(log.wait(2));
        QCOMPARE(log.failures.size(), 1U);
        QCOMPARE(log.failures.at(1).code, ErrorCode::Invariant);
    }

    void commandsBeforeOpenFail()
    {
        SnapshotStore store;
        StoreLog log(store);
        store.submit(command(StoreCommand::Kind::RaiseHighWater, 7, c_a));
        QVERIFY(log.wait(1));
        QCOMPARE(log.failures.at(7).code, ErrorCode::MetadataIo);
    }

    void fingerprintsAndTextsAreShared()
    {
        const QTemporaryDir dir;
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
            for (int i = 0; i < 3; ++i) {
                Snapshot s = makeSnapshot(QString::number(i), 1, makeFingerprint(QStringLiteral("m")));
                store.submit(put(1, c_a, s));
            }
            QVERIFY(store.close().ok());
        }
        const LoadedStore loaded = reopen(dir.path());
        const std::vector<Snapshot> &rows = loaded.servers.at(c_a).snapshots;
        QCOMPARE(rows[0].fingerprint.get(), rows[2].fingerprint.get());
        QCOMPARE(rows[0].model.constData(), rows[2].model.constData());
        QCOMPARE(rows[0].provider.constData(), rows[2].provider.constData());
        QCOMPARE(rows[0].serverInstanceKey.constData(), rows[2].serverInstanceKey.constData());
    }

    void onlyCloseMakesAStopAnOrderlyOne()
    {
        const QTemporaryDir dir;
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).ok());
        }
        {
            SnapshotStore store;
            const Result<LoadedStore> loaded = store.open(dir.path());
            QVERIFY(!loaded.value().cleanStop);
            QVERIFY(store.close().ok());
        }
        {
            SnapshotStore store;
            QVERIFY(store.open(dir.path()).value().cleanStop);
            QVERIFY(store.close().ok());
            QVERIFY(store.open(dir.path()).value().cleanStop); // the same object again
        }
        QVERIFY(!reopen(dir.path()).cleanStop);
    }

    void anUncleanStopOfTheMachineIsToldFromOneOfTheDaemon()
    {
        const QTemporaryDir dir;
        const auto openAs = [&](const QString &machine, bool close) {
            SnapshotStore store(StoreOptions { machine, {} });
            const LoadedStore loaded = store.open(dir.path()).value();
            if (close) {
                [[maybe_unused]] const bool closed = store.close().ok();
            }
            return loaded;
        };
        const QString first = QStringLiteral("m1");
        const QString second = QStringLiteral("m2");
        QVERIFY(!openAs(first, false).machineStoppedUncleanly());
        const LoadedStore killed = openAs(first, false);
        QVERIFY(!killed.cleanStop);
        QVERIFY(!killed.machineStoppedUncleanly());
        const LoadedStore powerCut = openAs(second, true);
        QVERIFY(powerCut.machineStoppedUncleanly());
        QCOMPARE(powerCut.previousMachineBoot, first);
        QCOMPARE(powerCut.machineBoot, second);
        QVERIFY(!openAs(first, true).machineStoppedUncleanly()); // rebooted after an orderly stop
    }

    void thePrefixIsMadeOnceAndEachServerHasItsOwn()
    {
        const QTemporaryDir dir;
        const LoadedStore first = reopen(dir.path());
        const LoadedStore second = reopen(dir.path());
        QCOMPARE(first.namePrefix, second.namePrefix);
        QCOMPARE(first.serverPrefix(c_a), second.serverPrefix(c_a));
        QVERIFY(first.serverPrefix(c_a) != first.serverPrefix(c_b));
        QVERIFY(isNamePrefix(first.serverPrefix(c_a)));
        const QTemporaryDir other;
        QVERIFY(reopen(other.path()).namePrefix != first.namePrefix);
        // Lost or damaged beside a whole database: written again, as the rows' files carry it.
        QVERIFY(QFile::remove(prefixFile(dir.path())));
        QCOMPARE(reopen(dir.path()).namePrefix, first.namePrefix);
        QFile file(prefixFile(dir.path()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromLatin1(file.readAll().trimmed()), first.namePrefix);
    }
};

QTEST_GUILESS_MAIN(TestSnapshotStore)
#include "tst_snapshotstore.moc"
