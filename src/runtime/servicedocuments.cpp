// SPDX-License-Identifier: MIT
// RuntimeService: what it shows.
#include "eventname.h"
#include "humantime.h"
#include "listedrow.h"
#include "policymaker.h"
#include "runtimeservice.h"
#include "sessionhash.h"
#include "statusdocument.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>

namespace kv {

namespace {

int slotOwnedBy(const Coordinator &coordinator, const QString &session)
{
    for (const auto &[key, slot] : coordinator.slotTable()) {
        if (slot.ownedBy(session)) {
            return key.id;
        }
    }
    return -1;
}

/// An order without ties: pages must not overlap.
bool comesBefore(const ListedRow &a, const ListedRow &b, const RowLess &less, bool desc)
{
    if (less(a, b)) {
        return !desc;
    }
    if (less(b, a)) {
        return desc;
    }
    if (a.row->session != b.row->session) {
        return a.row->session < b.row->session;
    }
    if (a.row->serverInstanceKey != b.row->serverInstanceKey) {
        return a.row->serverInstanceKey < b.row->serverInstanceKey;
    }
    return a.row->fingerprint->hash() < b.row->fingerprint->hash();
}

const Fingerprint *runningFingerprint(const ServerRuntime &runtime)
{
    const Identity &identity = runtime.coordinator().identity();
    return identity.known() ? identity.fingerprint.get() : nullptr;
}

/// SnapshotIndex::judge() for very many rows: most share a fingerprint.
class Judge final {
public:
    explicit Judge(const ServerRuntime &runtime)
        : m_running(runningFingerprint(runtime))
    {
    }
    [[nodiscard]] SnapshotState state(const Snapshot &row)
    {
        if (row.state == SnapshotState::Invalid || m_running == nullptr) {
            return row.state;
        }
        if (row.fingerprint.get() != m_last) {
            m_last = row.fingerprint.get();
            const auto [known, first] = m_hidden.try_emplace(m_last, false);
            if (first) {
                known->second = compareFingerprints(*row.fingerprint, *m_running, 0).has_value();
            }
            m_lastHidden = known->second;
        }
        if (m_lastHidden) {
            return SnapshotState::Hidden;
        }
        return m_running->slotContext() > 0 && row.tokens > m_running->slotContext()
            ? SnapshotIndex::judge(row, m_running).state
            : row.state;
    }

private:
    const Fingerprint *m_running;
    std::map<const Fingerprint *, bool> m_hidden;
    const Fingerprint *m_last = nullptr;
    bool m_lastHidden = false;
};

} // namespace

RuntimeService::Document RuntimeService::status() const
{
    QJsonArray servers;
    bool allPaused = !m_servers.empty();
    qint64 until = -1;
    for (const auto &[name, server] : m_servers) {
        QJsonObject document = serverDocument(*server->runtime);
        if (server->runtime->coordinator().isPaused()) {
            if (server->pausedUntilWallMs > 0) {
                document.insert(QStringLiteral("pausedUntil"), isoUtc(server->pausedUntilWallMs));
                until = std::max(until, server->pausedUntilWallMs);
            }
        } else {
            allPaused = false;
        }
        servers.append(document);
    }
    QStringList advice = m_notices;
    if (const QString full = metadataAdvice(); !full.isEmpty()) {
        advice.append(full);
    }
    if (m_servers.empty()) {
        advice.append(m_config.autodiscover
                ? QStringLiteral(
                    "No server is configured, and no llama-server answers at 127.0.0.1:8080 or :9931. Start "
                    "one with --slot-save-path FOLDER, or name it in the configuration.")
                : QStringLiteral("No server is configured."));
    }
    QJsonObject out { { QStringLiteral("enabled"), m_config.enabled },
        { QStringLiteral("version"), QStringLiteral(KV_PERSIST_VERSION) },
        { QStringLiteral("pid"), QCoreApplication::applicationPid() },
        { QStringLiteral("startedAt"), isoUtc(m_startedAt.wallMs) },
        { QStringLiteral("metadataPath"), m_config.metadataPath }, { QStringLiteral("paused"), allPaused },
        { QStringLiteral("servers"), servers }, { QStringLiteral("snapshots"), snapshotsDocument() },
        { QStringLiteral("stats"), statsDocument() },
        { QStringLiteral("advice"), QJsonArray::fromStringList(advice) } };
    if (QFileInfo::exists(m_options.configPath)) {
        out.insert(QStringLiteral("configPath"), m_options.configPath);
    }
    if (allPaused && until > 0) {
        out.insert(QStringLiteral("pausedUntil"), isoUtc(until));
    }
    return out;
}

QJsonObject RuntimeService::snapshotsDocument() const
{
    qint64 known = 0;
    qint64 bases = 0;
    qint64 bytes = 0;
    std::map<SnapshotState, qint64> states;
    for (const auto &[name, server] : m_servers) {
        Judge judge(*server->runtime);
        for (const auto &[session, rows] : server->runtime->coordinator().index().all()) {
            for (const Snapshot &row : rows) {
                ++known;
                bases += row.base ? 1 : 0;
                bytes += server->runtime->coordinator().index().isFree(row) ? 0 : row.bytes;
                ++states[judge.state(row)];
            }
        }
    }
    return QJsonObject { { QStringLiteral("known"), known }, { QStringLiteral("bases"), bases },
        { QStringLiteral("valid"), states[SnapshotState::Valid] },
        { QStringLiteral("suspect"), states[SnapshotState::Suspect] },
        { QStringLiteral("hidden"), states[SnapshotState::Hidden] },
        { QStringLiteral("invalid"), states[SnapshotState::Invalid] }, { QStringLiteral("bytes"), bytes } };
}

QJsonObject RuntimeService::statsDocument() const
{
    QJsonObject out;
    for (const QString &name : statNames()) {
        qint64 sum = 0;
        for (const auto &[key, server] : m_servers) {
            sum += server->counters->value(name);
        }
        out.insert(name, sum);
    }
    return out;
}

Result<RuntimeService::Document> RuntimeService::list(const ListCall &call) const
{
    const std::optional<RowLess> less = rowOrder(call.sort);
    if (!less) {
        return Error { ErrorCode::BadRequest,
            QStringLiteral("Rows cannot be sorted by “%1”. Any field of a row will do.")
                .arg(call.sort.left(80)),
            {} };
    }
    const RowFilter filter(call.filter);
    const bool withHash
        = filter.wantsHash() || call.sort == QStringLiteral("hash") || call.sort == QStringLiteral("session");
    std::vector<ListedRow> rows;
    for (const auto &[name, server] : m_servers) {
        const Coordinator &coordinator = server->runtime->coordinator();
        Judge judge(*server->runtime);
        if (call.filter.isEmpty()) {
            rows.reserve(rows.size() + static_cast<std::size_t>(coordinator.index().count()));
        }
        for (const auto &[session, ofSession] : coordinator.index().all()) {
            for (const Snapshot &row : ofSession) {
                if (!call.kind.isEmpty() && row.base != (call.kind == QStringLiteral("base"))) {
                    continue;
                }
                ListedRow one { server->runtime.get(), &row, judge.state(row), {}, -1 };
                if (withHash) {
                    one.hash = hashOf(session);
                }
                if (!filter.passes(one)) {
                    continue;
                }
                if (call.sort == QStringLiteral("slot")) {
                    one.slot = slotOwnedBy(coordinator, session);
                }
                rows.push_back(std::move(one));
            }
        }
    }
    const std::size_t first = std::min(rows.size(), static_cast<std::size_t>(std::max(0, call.offset)));
    const std::size_t last = std::min(rows.size(), first + static_cast<std::size_t>(std::max(0, call.limit)));
    std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(last), rows.end(),
        [&](const ListedRow &a, const ListedRow &b) { return comesBefore(a, b, *less, call.desc); });
    QJsonArray page;
    for (std::size_t i = first; i < last; ++i) {
        page.append(rowDocument(*rows[i].runtime, *rows[i].row, hashOf(rows[i].row->session)));
    }
    return QJsonObject { { QStringLiteral("rows"), page },
        { QStringLiteral("total"), static_cast<qint64>(rows.size()) } };
}

Result<RuntimeService::Document> RuntimeService::get(const SessionCall &call) const
{
    const Result<std::vector<Server *>> named = serversNamed(call.server);
    if (!named) {
        return named.error();
    }
    const Result<QString> session = resolveSession(call.session, call.server);
    if (!session) {
        return session.error();
    }
    const QString hash = hashOf(session.value());
    QJsonObject out { { QStringLiteral("session"), hash.left(c_sessionDigits) },
        { QStringLiteral("hash"), hash } };
    SessionState state = SessionState::None;
    QString label;
    std::vector<std::pair<qint64, QJsonObject>> manifests;
    for (const Server *server : named.value()) {
        const Coordinator &coordinator = server->runtime->coordinator();
        for (const auto &[key, slot] : coordinator.slotTable()) {
            if (slot.ownedBy(session.value())) {
                out.insert(QStringLiteral("server"), server->runtime->server().name);
                out.insert(QStringLiteral("slot"), key.id);
                label = slot.owner->label;
                state = coordinator.sessionState(session.value());
            }
        }
        const SessionState here = coordinator.sessionState(session.value());
        if (state == SessionState::None || (state == SessionState::Invalid && here != SessionState::None)) {
            state = here;
        }
        const SnapshotIndex::Rows *rows = coordinator.index().find(session.value());
        for (const Snapshot &row : rows != nullptr ? *rows : SnapshotIndex::Rows {}) {
            label = label.isEmpty() ? row.label : label;
            if ((call.provider.isEmpty() || row.provider == call.provider)
                && (call.model.isEmpty() || row.model == call.model)) {
                manifests.emplace_back(row.updatedWallMs, manifestDocument(*server->runtime, row, hash));
            }
        }
    }
    std::stable_sort(
        manifests.begin(), manifests.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    QJsonArray list;
    for (const auto &[at, manifest] : manifests) {
        list.append(manifest);
    }
    if (!label.isEmpty()) {
        out.insert(QStringLiteral("label"), label);
    }
    out.insert(QStringLiteral("state"), toString(state));
    out.insert(QStringLiteral("manifests"), list);
    return out;
}

Result<RuntimeService::Document> RuntimeService::history(const HistoryCall &call) const
{
    constexpr qint64 c_buckets = 200;
    constexpr qint64 c_leastBucketMs = 1000;
    const qint64 span = std::max<qint64>(1, call.toWallMs - call.fromWallMs);
    const qint64 bucketMs
        = call.bucketMs > 0 ? call.bucketMs : std::max(c_leastBucketMs, (span + c_buckets - 1) / c_buckets);
    QJsonObject out { { QStringLiteral("from"), isoUtc(call.fromWallMs) },
        { QStringLiteral("to"), isoUtc(call.toWallMs) }, { QStringLiteral("bucketMs"), bucketMs } };
    QString session;
    if (!call.session.isEmpty()) {
        const Result<QString> resolved = resolveSession(call.session, call.server);
        if (!resolved) {
            return resolved.error();
        }
        session = resolved.value();
        out.insert(QStringLiteral("session"), shortSession(session));
    }
    const Result<std::vector<Server *>> named = serversNamed(call.server);
    if (!named) {
        return named.error();
    }
    Timeline::Buckets sums;
    for (const Server *server : named.value()) {
        server->timeline.addTo(sums, session, call.fromWallMs, call.toWallMs, bucketMs);
        if (session.isEmpty()) {
            out.insert(QStringLiteral("server"), server->runtime->server().name);
            out.insert(
                QStringLiteral("slots"), server->timeline.slotIntervals(call.fromWallMs, call.toWallMs));
        } else if (const SnapshotIndex::Rows *rows = server->runtime->coordinator().index().find(session)) {
            out.insert(QStringLiteral("label"), rows->front().label);
        }
    }
    out.insert(QStringLiteral("buckets"), Timeline::document(sums, call.fromWallMs, bucketMs));
    return out;
}

} // namespace kv
