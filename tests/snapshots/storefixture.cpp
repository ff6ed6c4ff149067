// SPDX-License-Identifier: MIT
#include "storefixture.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace kv::test {

FingerprintPtr makeFingerprint(const QString &model, qint64 slotContext)
{
    return std::make_shared<const Fingerprint>(
        FieldList { { field::backend.toString(), QStringLiteral("llama.cpp") },
            { field::modelPath.toString(), QStringLiteral("/models/%1.gguf").arg(model) } },
        FieldList { { field::alias.toString(), model } }, slotContext);
}

Snapshot makeSnapshot(const QString &session, NameNumber name, const FingerprintPtr &fingerprint)
{
    Snapshot s;
    s.session = session;
    s.provider = QStringLiteral("provider ü %1").arg(name);
    s.model = QStringLiteral("model-%1").arg(name);
    s.slotModel = QStringLiteral("slot-model-%1").arg(name);
    s.serverInstanceKey = QStringLiteral("a");
    s.endpointHash = QStringLiteral("hash-%1").arg(name);
    s.fingerprint = fingerprint;
    s.boot = QStringLiteral("boot-%1").arg(name);
    s.slotId = static_cast<int>(name) + 1;
    s.name = name;
    s.sessionSeq = name + 2;
    s.tokens = name + 1000;
    s.bytes = (qint64 { 1 } << 40) + name;
    s.createdWallMs = 1'700'000'000'000 + name;
    s.updatedWallMs = 1'700'000'001'000 + name;
    s.lastRestoreWallMs = 1'700'000'002'000 + name;
    s.usedSeq = static_cast<quint64>(name) + 77;
    s.state = SnapshotState::Suspect;
    s.reason = QStringLiteral("reason '; DROP TABLE snapshot; -- %1").arg(name);
    s.compatibility = Compatibility::Experimental;
    s.verdict = Verdict::Partial;
    s.pinned = true;
    s.subagent = true;
    s.label = QStringLiteral("label 🙂 %1").arg(name);
    s.checksum = QStringLiteral("%1").arg(name, 16, 16, QLatin1Char('0'));
    return s;
}

StoreCommand command(StoreCommand::Kind kind, StoreSeq seq, const QString &server, const Snapshot &snapshot)
{
    StoreCommand c;
    c.kind = kind;
    c.seq = seq;
    c.server = server;
    c.snapshot = snapshot;
    return c;
}

StoreCommand put(StoreSeq seq, const QString &server, const Snapshot &snapshot)
{
    return command(StoreCommand::Kind::PutSnapshot, seq, server, snapshot);
}

QStringList differences(const Snapshot &a, const Snapshot &b)
{
    QStringList names;
    const auto compare = [&](const char *name, const auto &x, const auto &y) {
        if (!(x == y)) {
            names.append(QString::fromLatin1(name));
        }
    };
    compare("session", a.session, b.session);
    compare("provider", a.provider, b.provider);
    compare("model", a.model, b.model);
    compare("slotModel", a.slotModel, b.slotModel);
    compare("serverInstanceKey", a.serverInstanceKey, b.serverInstanceKey);
    compare("endpointHash", a.endpointHash, b.endpointHash);
    compare("fingerprint", a.fingerprint->hash(), b.fingerprint->hash());
    compare("fingerprint compared", a.fingerprint->compared(), b.fingerprint->compared());
    compare("fingerprint shown", a.fingerprint->shown(), b.fingerprint->shown());
    compare("fingerprint context", a.fingerprint->slotContext(), b.fingerprint->slotContext());
    compare("boot", a.boot, b.boot);
    compare("slotId", a.slotId, b.slotId);
    compare("name", a.name, b.name);
    compare("sessionSeq", a.sessionSeq, b.sessionSeq);
    compare("tokens", a.tokens, b.tokens);
    compare("bytes", a.bytes, b.bytes);
    compare("createdWallMs", a.createdWallMs, b.createdWallMs);
    compare("updatedWallMs", a.updatedWallMs, b.updatedWallMs);
    compare("lastRestoreWallMs", a.lastRestoreWallMs, b.lastRestoreWallMs);
    compare("usedSeq", a.usedSeq, b.usedSeq);
    compare("state", a.state, b.state);
    compare("reason", a.reason, b.reason);
    compare("compatibility", a.compatibility, b.compatibility);
    compare("verdict", a.verdict, b.verdict);
    compare("pinned", a.pinned, b.pinned);
    compare("subagent", a.subagent, b.subagent);
    compare("label", a.label, b.label);
    compare("checksum", a.checksum, b.checksum);
    return names;
}

Snapshot find(const LoadedStore &loaded, const QString &server, const QString &session)
{
    for (const Snapshot &snapshot : loaded.server(server).snapshots) {
        if (snapshot.session == session) {
            return snapshot;
        }
    }
    Snapshot none;
    none.fingerprint = makeFingerprint(QStringLiteral("none"));
    return none;
}

QString databaseFile(const QString &folder) { return QDir(folder).filePath(QStringLiteral("kv-persist.db")); }

QString prefixFile(const QString &folder) { return QDir(folder).filePath(QStringLiteral("name-prefix")); }

StoreLog::StoreLog(SnapshotStore &store)
{
    connect(
        &store, &SnapshotStore::done, this, [this](const QString &, StoreSeq seq) { order.push_back(seq); });
    connect(&store, &SnapshotStore::failed, this, [this](const QString &, StoreSeq seq, const Error &error) {
        order.push_back(seq);
        failures.emplace(seq, error);
    });
    connect(&store, &SnapshotStore::recreated, this,
        [this](const QString &sentence) { recreations.append(sentence); });
}

bool StoreLog::wait(int count)
{
    return QTest::qWaitFor([&] { return static_cast<int>(order.size()) >= count; }, 60000);
}

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
        store.submit(put(static_cast<StoreSeq>(i), QStringLiteral("a"), row(i)));
    }
    StoreCommand raise = command(StoreCommand::Kind::RaiseHighWater, 1000, QStringLiteral("a"));
    raise.number = 64;
    store.submit(raise);
    store.submitTotals(QStringLiteral("a"), { { QStringLiteral("saves"), 9 } }, 1001);
    store.submitSetting(QStringLiteral("a"), QStringLiteral("k"), QStringLiteral("v"), 1002);
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
    QCOMPARE(static_cast<int>(loaded.value().server(QStringLiteral("a")).snapshots.size()), rows);
    for (int i = 1; i <= rows; ++i) {
        QCOMPARE(
            differences(find(loaded.value(), QStringLiteral("a"), row(i).session), row(i)), QStringList());
    }
    QCOMPARE(loaded.value().server(QStringLiteral("a")).highWater, 64);
    QCOMPARE(loaded.value().server(QStringLiteral("a")).totals.value(QStringLiteral("saves")), 9);
    QCOMPARE(
        loaded.value().server(QStringLiteral("a")).settings.value(QStringLiteral("k")), QStringLiteral("v"));
}

} // namespace kv::test
