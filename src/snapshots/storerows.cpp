// SPDX-License-Identifier: MIT
#include "storerows.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace kv {

namespace {

/// A text column is NOT NULL, and a null QString would be bound as NULL.
QVariant text(const QString &value)
{
    return value.isNull() ? QVariant(QStringLiteral("")) : QVariant(value);
}

QString fieldsToJson(const FieldList &fields)
{
    QJsonArray list;
    for (const auto &[name, value] : fields) {
        list.append(QJsonArray { name, value });
    }
    return QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact));
}

Result<Done> writeFingerprint(StoreDatabase &database, const Fingerprint &fingerprint)
{
    // What is shown only may change under one hash; the newest stands.
    return database.run(
        QStringLiteral(
            "INSERT INTO fingerprint (hash, compared, shown, slot_context) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (hash) DO UPDATE SET shown = excluded.shown, slot_context = excluded.slot_context"
            " WHERE shown <> excluded.shown OR slot_context <> excluded.slot_context"),
        { fingerprint.hash(), fieldsToJson(fingerprint.compared()), fieldsToJson(fingerprint.shown()),
            fingerprint.slotContext() });
}

/// Hidden is derived from the running server and never recorded.
SnapshotState recordedState(const Snapshot &row)
{
    return row.state == SnapshotState::Hidden ? SnapshotState::Valid : row.state;
}

Result<Done> writeSnapshotRow(StoreDatabase &database, const QString &server, const Snapshot &row)
{
    return database.run(
        QStringLiteral(
            "INSERT OR REPLACE INTO snapshot (server, session, fingerprint, schema_version, provider, model,"
            " slot_model, endpoint_hash, boot, slot, name, session_seq, tokens, bytes, created, updated,"
            " last_restore, used_seq, state, reason, compatibility, verdict, pinned, subagent, label,"
            " checksum, base, source, prefix_tokens, misses) VALUES (?, ?,"
            " (SELECT id FROM fingerprint WHERE hash = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
            "?, ?,"
            " ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        { text(server), text(row.session), row.fingerprint->hash(), c_manifestSchema, text(row.provider),
            text(row.model), text(row.slotModel), text(row.endpointHash), text(row.boot), row.slotId,
            row.name, row.sessionSeq, row.tokens, row.bytes, row.createdWallMs, row.updatedWallMs,
            row.lastRestoreWallMs, static_cast<qint64>(row.usedSeq), toString(recordedState(row)),
            text(row.reason), toString(row.compatibility), toString(row.verdict), int { row.pinned },
            int { row.subagent }, text(row.label), text(row.checksum), int { row.base }, text(row.source),
            row.prefixTokens, row.misses });
}

} // namespace

Result<Done> writeSnapshot(StoreDatabase &database, const QString &server, const Snapshot &snapshot)
{
    if (Result<Done> done = writeFingerprint(database, *snapshot.fingerprint); !done) {
        return done;
    }
    return writeSnapshotRow(database, server, snapshot);
}

Result<Done> removeSnapshot(
    StoreDatabase &database, const QString &server, const QString &session, const QString &fingerprintHash)
{
    return database.run(QStringLiteral("DELETE FROM snapshot WHERE server = ? AND session = ?"
                                       " AND fingerprint = (SELECT id FROM fingerprint WHERE hash = ?)"),
        { text(server), text(session), text(fingerprintHash) });
}

Result<Done> touchSnapshot(StoreDatabase &database, const QString &server, const Snapshot &snapshot)
{
    // What is known of a file is not known of the one that a later save has put in its place.
    const QString ofRow = QStringLiteral(" WHERE server = ? AND session = ?"
                                         " AND fingerprint = (SELECT id FROM fingerprint WHERE hash = ?)");
    Result<Done> done = database.run(QStringLiteral("UPDATE snapshot SET state = ?, reason = ?, checksum = ?")
            + ofRow + QStringLiteral(" AND name = ?"),
        { toString(recordedState(snapshot)), text(snapshot.reason), text(snapshot.checksum), text(server),
            text(snapshot.session), snapshot.fingerprint->hash(), snapshot.name });
    if (!done) {
        return done;
    }
    return database.run(
        QStringLiteral(
            "UPDATE snapshot SET last_restore = ?, used_seq = ?, pinned = ?, compatibility = ?, verdict = ?,"
            " label = ?, prefix_tokens = ?, misses = ?")
            + ofRow,
        { snapshot.lastRestoreWallMs, static_cast<qint64>(snapshot.usedSeq), int { snapshot.pinned },
            toString(snapshot.compatibility), toString(snapshot.verdict), text(snapshot.label),
            snapshot.prefixTokens, snapshot.misses, text(server), text(snapshot.session),
            snapshot.fingerprint->hash() });
}

void copyTouched(Snapshot &to, const Snapshot &from)
{
    to.lastRestoreWallMs = from.lastRestoreWallMs;
    to.usedSeq = from.usedSeq;
    to.pinned = from.pinned;
    to.compatibility = from.compatibility;
    to.verdict = from.verdict;
    to.label = from.label;
    to.prefixTokens = from.prefixTokens;
    to.misses = from.misses;
    if (to.name == from.name) {
        to.state = recordedState(from);
        to.reason = from.reason;
        to.checksum = from.checksum;
    }
}

Result<Done> writeHighWater(StoreDatabase &database, const QString &server, NameNumber number)
{
    return database.run(
        QStringLiteral("INSERT INTO server (name, high_water) VALUES (?, ?) ON CONFLICT (name)"
                       " DO UPDATE SET high_water = max(high_water, excluded.high_water)"),
        { text(server), number });
}

Result<Done> writeTotal(StoreDatabase &database, const QString &server, const QString &name, qint64 value)
{
    return database.run(QStringLiteral("INSERT OR REPLACE INTO total (server, name, value) VALUES (?, ?, ?)"),
        { text(server), text(name), value });
}

Result<Done> writeSetting(
    StoreDatabase &database, const QString &server, const QString &key, const QString &value)
{
    if (value.isNull()) {
        return database.run(
            QStringLiteral("DELETE FROM setting WHERE server = ? AND key = ?"), { text(server), text(key) });
    }
    return database.run(
        QStringLiteral("INSERT OR REPLACE INTO setting (server, key, value) VALUES (?, ?, ?)"),
        { text(server), text(key), value });
}

Result<Done> writeMeta(StoreDatabase &database, QStringView key, const QString &value)
{
    return database.run(QStringLiteral("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"),
        { key.toString(), text(value) });
}

Result<Done> removeUnusedFingerprints(StoreDatabase &database)
{
    return database.run(
        QStringLiteral("DELETE FROM fingerprint WHERE id NOT IN (SELECT fingerprint FROM snapshot)"));
}

Result<Done> writeRows(StoreDatabase &database, const StoreMirror &mirror)
{
    Result<Done> done = Done {};
    for (auto it = mirror.meta.cbegin(); done && it != mirror.meta.cend(); ++it) {
        done = writeMeta(database, it.key(), it.value());
    }
    for (auto it = mirror.fingerprints.cbegin(); done && it != mirror.fingerprints.cend(); ++it) {
        done = writeFingerprint(database, *it.value());
    }
    for (auto server = mirror.servers.cbegin(); done && server != mirror.servers.cend(); ++server) {
        const auto &[name, rows] = *server;
        done = writeHighWater(database, name, rows.highWater);
        for (auto it = rows.snapshots.cbegin(); done && it != rows.snapshots.cend(); ++it) {
            done = writeSnapshotRow(database, name, it->second);
        }
        for (auto it = rows.totals.cbegin(); done && it != rows.totals.cend(); ++it) {
            done = writeTotal(database, name, it.key(), it.value());
        }
        for (auto it = rows.settings.cbegin(); done && it != rows.settings.cend(); ++it) {
            done = writeSetting(database, name, it.key(), it.value());
        }
    }
    return done;
}

} // namespace kv
