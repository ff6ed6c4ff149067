// SPDX-License-Identifier: MIT
#include "storerows.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

#include <array>
#include <optional>
#include <span>

namespace kv {

namespace {

// The statement's columns in the order of the Column enum.
constexpr const char16_t *c_selectSnapshots
    = u"SELECT server, session, fingerprint, schema_version, provider, model, slot_model, endpoint_hash, "
      u"boot, slot,"
      u" name, session_seq, tokens, bytes, created, updated, last_restore, used_seq, state, reason, "
      u"compatibility,"
      u" verdict, pinned, subagent, label, checksum FROM snapshot ORDER BY server, session, fingerprint";

enum Column {
    Server,
    Session,
    FingerprintId,
    SchemaVersion,
    Provider,
    Model,
    SlotModel,
    EndpointHash,
    Boot,
    SlotId,
    Name,
    SessionSeq,
    Tokens,
    Bytes,
    Created,
    Updated,
    LastRestore,
    UsedSeq,
    State,
    Reason,
    CompatibilityColumn,
    VerdictColumn,
    Pinned,
    Subagent,
    Label,
    Checksum,
};

constexpr std::array c_states { SnapshotState::Valid, SnapshotState::Suspect, SnapshotState::Invalid };
constexpr std::array c_compatibilities { Compatibility::Unknown, Compatibility::Experimental,
    Compatibility::Supported, Compatibility::Broken };
constexpr std::array c_verdicts { Verdict::Verified, Verdict::Partial, Verdict::None, Verdict::Unknown };

/// Names of states and the like in rows, resolved once each.
template <typename Enum> class NameTable {
public:
    explicit NameTable(std::span<const Enum> values)
    {
        for (const Enum value : values) {
            m_values.emplace_back(toString(value), value);
        }
    }
    [[nodiscard]] std::optional<Enum> find(const QString &name) const
    {
        for (const auto &[known, value] : m_values) {
            if (known == name) {
                return value;
            }
        }
        return std::nullopt;
    }

private:
    std::vector<std::pair<QString, Enum>> m_values;
};

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

FieldList fieldsFromJson(const QString &json)
{
    FieldList fields;
    const QJsonArray list = QJsonDocument::fromJson(json.toUtf8()).array();
    for (const auto &entry : list) {
        const QJsonArray pair = entry.toArray();
        fields.emplace_back(pair.at(0).toString(), pair.at(1).toString());
    }
    return fields;
}

/// Reads the table of snapshots; equal texts of different rows become one.
class SnapshotReader final {
public:
    SnapshotReader(StoreMirror &mirror, const QHash<qint64, FingerprintPtr> &byId)
        : m_mirror(mirror)
        , m_byId(byId)
    {
    }

    void read(const QSqlQuery &row)
    {
        const FingerprintPtr fingerprint = m_byId.value(row.value(FingerprintId).toLongLong());
        if (fingerprint == nullptr) {
            ++dropped;
            return;
        }
        Snapshot snapshot;
        readTexts(row, snapshot);
        readNumbers(row, snapshot);
        snapshot.fingerprint = fingerprint;
        const auto state = m_states.find(row.value(State).toString());
        const auto compatibility = m_compatibilities.find(row.value(CompatibilityColumn).toString());
        const auto verdict = m_verdicts.find(row.value(VerdictColumn).toString());
        snapshot.state = state.value_or(SnapshotState::Invalid);
        snapshot.compatibility = compatibility.value_or(Compatibility::Unknown);
        snapshot.verdict = verdict.value_or(Verdict::Unknown);
        const bool usable = snapshot.state != SnapshotState::Invalid;
        const bool plausible = state && compatibility && verdict
            && row.value(SchemaVersion).toInt() == c_manifestSchema && (!usable || snapshot.name >= 0);
        if (!plausible) {
            snapshot.state = SnapshotState::Invalid;
            snapshot.reason = intern(QStringLiteral("MANIFEST_INVALID"));
            ++invalid;
        }
        m_mirror.servers[snapshot.serverInstanceKey].snapshots.insert_or_assign(
            { snapshot.session, fingerprint->hash() }, snapshot);
    }

    int dropped = 0;
    int invalid = 0;

private:
    void readTexts(const QSqlQuery &row, Snapshot &snapshot)
    {
        snapshot.serverInstanceKey = intern(row.value(Server).toString());
        // Rows of one session follow each other.
        const QString session = row.value(Session).toString();
        m_session = session == m_session ? m_session : session;
        snapshot.session = m_session;
        snapshot.provider = intern(row.value(Provider).toString());
        snapshot.model = intern(row.value(Model).toString());
        snapshot.slotModel = intern(row.value(SlotModel).toString());
        snapshot.endpointHash = intern(row.value(EndpointHash).toString());
        snapshot.boot = intern(row.value(Boot).toString());
        snapshot.reason = intern(row.value(Reason).toString());
        snapshot.label = row.value(Label).toString();
        snapshot.checksum = row.value(Checksum).toString();
    }

    static void readNumbers(const QSqlQuery &row, Snapshot &snapshot)
    {
        snapshot.slotId = row.value(SlotId).toInt();
        snapshot.name = row.value(Name).toLongLong();
        snapshot.sessionSeq = row.value(SessionSeq).toLongLong();
        snapshot.tokens = row.value(Tokens).toLongLong();
        snapshot.bytes = row.value(Bytes).toLongLong();
        snapshot.createdWallMs = row.value(Created).toLongLong();
        snapshot.updatedWallMs = row.value(Updated).toLongLong();
        snapshot.lastRestoreWallMs = row.value(LastRestore).toLongLong();
        snapshot.usedSeq = static_cast<quint64>(row.value(UsedSeq).toLongLong());
        snapshot.pinned = row.value(Pinned).toInt() != 0;
        snapshot.subagent = row.value(Subagent).toInt() != 0;
    }

    QString intern(const QString &value) { return *m_texts.insert(value); }

    StoreMirror &m_mirror;
    const QHash<qint64, FingerprintPtr> &m_byId;
    QSet<QString> m_texts;
    QString m_session;
    NameTable<SnapshotState> m_states { c_states };
    NameTable<Compatibility> m_compatibilities { c_compatibilities };
    NameTable<Verdict> m_verdicts { c_verdicts };
};

Result<Done> readSmallTables(StoreDatabase &database, StoreMirror &mirror)
{
    Result<Done> done = database.read(QStringLiteral("SELECT key, value FROM meta"),
        [&](const QSqlQuery &row) { mirror.meta.insert(row.value(0).toString(), row.value(1).toString()); });
    if (done) {
        done = database.read(
            QStringLiteral("SELECT name, high_water, boot FROM server"), [&](const QSqlQuery &row) {
                ServerRows &server = mirror.servers[row.value(0).toString()];
                server.highWater = row.value(1).toLongLong();
                server.boot = row.value(2).toString();
            });
    }
    if (done) {
        done = database.read(
            QStringLiteral("SELECT server, name, value FROM total"), [&](const QSqlQuery &row) {
                mirror.servers[row.value(0).toString()].totals.insert(
                    row.value(1).toString(), row.value(2).toLongLong());
            });
    }
    if (done) {
        done = database.read(
            QStringLiteral("SELECT server, key, value FROM setting"), [&](const QSqlQuery &row) {
                mirror.servers[row.value(0).toString()].settings.insert(
                    row.value(1).toString(), row.value(2).toString());
            });
    }
    return done;
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

Result<Done> writeSnapshotRow(StoreDatabase &database, const QString &server, const Snapshot &row)
{
    // Hidden is derived from the running server and never recorded.
    const SnapshotState state = row.state == SnapshotState::Hidden ? SnapshotState::Valid : row.state;
    return database.run(
        QStringLiteral(
            "INSERT OR REPLACE INTO snapshot (server, session, fingerprint, schema_version, provider, model,"
            " slot_model, endpoint_hash, boot, slot, name, session_seq, tokens, bytes, created, updated,"
            " last_restore, used_seq, state, reason, compatibility, verdict, pinned, subagent, label,"
            " checksum) VALUES (?, ?, (SELECT id FROM fingerprint WHERE hash = ?), ?, ?, ?, ?, ?, ?, ?, ?,"
            " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        { text(server), text(row.session), row.fingerprint->hash(), c_manifestSchema, text(row.provider),
            text(row.model), text(row.slotModel), text(row.endpointHash), text(row.boot), row.slotId,
            row.name, row.sessionSeq, row.tokens, row.bytes, row.createdWallMs, row.updatedWallMs,
            row.lastRestoreWallMs, static_cast<qint64>(row.usedSeq), toString(state), text(row.reason),
            toString(row.compatibility), toString(row.verdict), int { row.pinned }, int { row.subagent },
            text(row.label), text(row.checksum) });
}

} // namespace

Result<StoreMirror> readRows(StoreDatabase &database, QStringList &notices)
{
    StoreMirror mirror;
    if (const Result<Done> done = readSmallTables(database, mirror); !done) {
        return done.error();
    }
    QHash<qint64, FingerprintPtr> byId;
    Result<Done> done = database.read(
        QStringLiteral("SELECT id, hash, compared, shown, slot_context FROM fingerprint"),
        [&](const QSqlQuery &row) {
            auto fingerprint = std::make_shared<const Fingerprint>(fieldsFromJson(row.value(2).toString()),
                fieldsFromJson(row.value(3).toString()), row.value(4).toLongLong());
            // One whose fields no longer give its hash says nothing about the state it stands for.
            if (fingerprint->hash() == row.value(1).toString()) {
                mirror.fingerprints.insert(fingerprint->hash(), fingerprint);
                byId.insert(row.value(0).toLongLong(), std::move(fingerprint));
            }
        });
    if (!done) {
        return done.error();
    }
    SnapshotReader reader(mirror, byId);
    done = database.read(
        QStringView(c_selectSnapshots).toString(), [&](const QSqlQuery &row) { reader.read(row); });
    if (!done) {
        return done.error();
    }
    if (reader.dropped > 0) {
        notices.append(
            QStringLiteral("%1 snapshots on record had no readable runtime and are left out. Their sessions "
                           "start cold once.")
                .arg(reader.dropped));
    }
    if (reader.invalid > 0) {
        notices.append(QStringLiteral("%1 snapshots on record were not understood and are not used "
                                      "(MANIFEST_INVALID). Their sessions start cold once.")
                           .arg(reader.invalid));
    }
    return mirror;
}

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
    return database.run(
        QStringLiteral(
            "UPDATE snapshot SET last_restore = ?, used_seq = ?, pinned = ?, compatibility = ?, verdict = ?,"
            " label = ? WHERE server = ? AND session = ?"
            " AND fingerprint = (SELECT id FROM fingerprint WHERE hash = ?)"),
        { snapshot.lastRestoreWallMs, static_cast<qint64>(snapshot.usedSeq), int { snapshot.pinned },
            toString(snapshot.compatibility), toString(snapshot.verdict), text(snapshot.label), text(server),
            text(snapshot.session), snapshot.fingerprint->hash() });
}

void copyTouched(Snapshot &to, const Snapshot &from)
{
    to.lastRestoreWallMs = from.lastRestoreWallMs;
    to.usedSeq = from.usedSeq;
    to.pinned = from.pinned;
    to.compatibility = from.compatibility;
    to.verdict = from.verdict;
    to.label = from.label;
}

Result<Done> writeHighWater(StoreDatabase &database, const QString &server, NameNumber number)
{
    return database.run(
        QStringLiteral("INSERT INTO server (name, high_water) VALUES (?, ?) ON CONFLICT (name)"
                       " DO UPDATE SET high_water = max(high_water, excluded.high_water)"),
        { text(server), number });
}

Result<Done> writeBoot(StoreDatabase &database, const QString &server, const QString &boot)
{
    return database.run(QStringLiteral("INSERT INTO server (name, boot) VALUES (?, ?) ON CONFLICT (name)"
                                       " DO UPDATE SET boot = excluded.boot"),
        { text(server), text(boot) });
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
        done = done ? writeBoot(database, name, rows.boot) : done;
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
