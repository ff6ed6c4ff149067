// SPDX-License-Identifier: MIT
// readRows(): the database's tables as values.
#include "storerows.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kv {

namespace {

// The statement's columns in the order of the Column enum.
constexpr const char16_t *c_selectSnapshots
    = u"SELECT server, session, fingerprint, schema_version, provider, model, slot_model, endpoint_hash, "
      u"boot, slot,"
      u" name, session_seq, tokens, bytes, created, updated, last_restore, used_seq, state, reason, "
      u"compatibility,"
      u" verdict, pinned, subagent, label, checksum, base, source, prefix_tokens, misses FROM snapshot ORDER "
      u"BY server, session, fingerprint";

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
    Base,
    Source,
    PrefixTokens,
    Misses,
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
            ++m_dropped;
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
            ++m_invalid;
        }
        auto &rows = m_mirror.servers[snapshot.serverInstanceKey].snapshots;
        std::pair key(snapshot.session, fingerprint->hash());
        rows.emplace_hint(rows.end(), std::move(key), std::move(snapshot)); // they come nearly in order
    }

    [[nodiscard]] int dropped() const { return m_dropped; }
    [[nodiscard]] int invalid() const { return m_invalid; }

private:
    int m_dropped = 0;
    int m_invalid = 0;
    void readTexts(const QSqlQuery &row, Snapshot &snapshot)
    {
        snapshot.serverInstanceKey = shared(row, Server);
        snapshot.session = sameAsBefore(row, Session);
        snapshot.provider = shared(row, Provider);
        snapshot.model = shared(row, Model);
        snapshot.slotModel = shared(row, SlotModel);
        snapshot.endpointHash = shared(row, EndpointHash);
        snapshot.boot = shared(row, Boot);
        snapshot.reason = shared(row, Reason);
        snapshot.label = row.value(Label).toString();
        snapshot.checksum = row.value(Checksum).toString();
        snapshot.source = row.value(Source).toString();
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
        snapshot.base = row.value(Base).toInt() != 0;
        snapshot.prefixTokens = row.value(PrefixTokens).toLongLong();
        snapshot.misses = row.value(Misses).toInt();
    }

    /// For texts of which many rows have one of a few.
    QString shared(const QSqlQuery &row, Column column)
    {
        QString &last = m_last.at(column);
        QString value = row.value(column).toString();
        if (value != last) {
            last = intern(value);
        }
        return last;
    }

    /// For texts that only neighbouring rows share.
    QString sameAsBefore(const QSqlQuery &row, Column column)
    {
        QString &last = m_last.at(column);
        QString value = row.value(column).toString();
        if (value != last) {
            last = std::move(value);
        }
        return last;
    }

    QString intern(const QString &value) { return *m_texts.insert(value); }

    StoreMirror &m_mirror;
    const QHash<qint64, FingerprintPtr> &m_byId;
    QSet<QString> m_texts;
    std::array<QString, Misses + 1> m_last; ///< by column, of the row before
    NameTable<SnapshotState> m_states { c_states };
    NameTable<Compatibility> m_compatibilities { c_compatibilities };
    NameTable<Verdict> m_verdicts { c_verdicts };
};

Result<Done> readSmallTables(StoreDatabase &database, StoreMirror &mirror)
{
    Result<Done> done = database.read(QStringLiteral("SELECT key, value FROM meta"),
        [&](const QSqlQuery &row) { mirror.meta.insert(row.value(0).toString(), row.value(1).toString()); });
    if (done) {
        done
            = database.read(QStringLiteral("SELECT name, high_water FROM server"), [&](const QSqlQuery &row) {
                  ServerRows &server = mirror.servers[row.value(0).toString()];
                  server.highWater = row.value(1).toLongLong();
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
                byId.insert(row.value(0).toLongLong(), fingerprint);
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
    if (reader.dropped() > 0) {
        notices.append(
            QStringLiteral("%1 snapshots on record had no readable runtime and are left out. Their sessions "
                           "start cold once.")
                .arg(reader.dropped()));
    }
    if (reader.invalid() > 0) {
        notices.append(QStringLiteral("%1 snapshots on record were not understood and are not used "
                                      "(MANIFEST_INVALID). Their sessions start cold once.")
                           .arg(reader.invalid()));
    }
    return mirror;
}

} // namespace kv
