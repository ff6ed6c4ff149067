// SPDX-License-Identifier: MIT
// RuntimeService: what people ask for by hand, and which session they mean.
#include "runtimeservice.h"
#include "sessionhash.h"

#include <QJsonArray>

#include <algorithm>
#include <map>
#include <memory>

namespace kv {

namespace {
constexpr qsizetype c_shortestPrefix = 6;
constexpr qsizetype c_shownPrefix = 2; // too short to mean one, long enough to show which there are
constexpr std::size_t c_candidatesShown = 20;
constexpr qsizetype c_hashesKept = 20'000; // some 5 MB

bool isHex(const QString &text)
{
    return std::all_of(text.begin(), text.end(),
        [](QChar c) { return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f'); });
}

/// What one call on several servers comes to.
struct Sum {
    int open = 0;
    ManualAnswer answer;
};
}

QString RuntimeService::hashOf(const QString &session) const
{
    const auto found = m_hashes.constFind(session);
    if (found != m_hashes.constEnd()) {
        return *found;
    }
    if (m_hashes.size() >= c_hashesKept) {
        m_hashes.clear();
    }
    const QString hash = sessionHash(session);
    m_hashes.insert(session, hash);
    return hash;
}

bool RuntimeService::knowsSession(const QString &session, const QString &server) const
{
    if (session.isEmpty()) {
        return false;
    }
    return std::any_of(m_servers.begin(), m_servers.end(), [&](const auto &entry) {
        const Coordinator &coordinator = entry.second->runtime->coordinator();
        return (server.isEmpty() || isPartOf(entry.first, server))
            && (coordinator.index().find(session) != nullptr
                || std::any_of(coordinator.slotTable().begin(), coordinator.slotTable().end(),
                    [&](const auto &slot) { return slot.second.ownedBy(session); })
                || std::any_of(coordinator.leases().begin(), coordinator.leases().end(),
                    [&](const auto &lease) { return lease.second.session == session; }));
    });
}

std::vector<RuntimeService::Candidate> RuntimeService::sessionsByHash(
    const QString &prefix, const QString &server) const
{
    std::map<QString, Candidate> fitting; // by hash: the same answer each time
    const auto add = [&](const QString &session, const QString &label, const QString &where) {
        if (session.isEmpty()) {
            return;
        }
        const QString hash = hashOf(session);
        if (hash.startsWith(prefix)) {
            fitting.try_emplace(hash, Candidate { session, hash, label, where });
        }
    };
    for (const auto &[name, entry] : m_servers) {
        if (!server.isEmpty() && !isPartOf(name, server)) {
            continue;
        }
        const Coordinator &coordinator = entry->runtime->coordinator();
        for (const auto &[key, slot] : coordinator.slotTable()) {
            if (slot.owner) {
                add(slot.owner->session, slot.owner->label, name);
            }
        }
        for (const auto &[session, rows] : coordinator.index().all()) {
            add(session, rows.front().label, name);
        }
        for (const auto &[id, lease] : coordinator.leases()) {
            add(lease.session, lease.label, name);
        }
    }
    std::vector<Candidate> out;
    out.reserve(fitting.size());
    for (auto &[hash, candidate] : fitting) {
        out.push_back(std::move(candidate));
    }
    return out;
}

Result<QString> RuntimeService::resolveSession(const QString &typed, const QString &server) const
{
    if (knowsSession(typed, server)) {
        return typed;
    }
    const QString prefix = typed.toLower();
    const bool hashLike = prefix.size() >= c_shownPrefix && isHex(prefix);
    const std::vector<Candidate> fitting
        = hashLike ? sessionsByHash(prefix, server) : std::vector<Candidate> {};
    if (fitting.size() == 1 && prefix.size() >= c_shortestPrefix) {
        return fitting.front().session;
    }
    QJsonArray candidates;
    for (std::size_t i = 0; i < std::min(fitting.size(), c_candidatesShown); ++i) {
        QJsonObject candidate { { QStringLiteral("session"), fitting[i].hash.left(c_sessionDigits) },
            { QStringLiteral("hash"), fitting[i].hash }, { QStringLiteral("server"), fitting[i].server } };
        if (!fitting[i].label.isEmpty()) {
            candidate.insert(QStringLiteral("label"), fitting[i].label);
        }
        candidates.append(candidate);
    }
    Error error { ErrorCode::SessionUnknown, {}, {} };
    if (fitting.size() > 1 && prefix.size() >= c_shortestPrefix) {
        error.message = QStringLiteral("%1 sessions begin with “%2”. Give more digits.")
                            .arg(QString::number(fitting.size()), typed.left(80));
    } else if (prefix.size() < c_shortestPrefix) {
        error.message
            = QStringLiteral("No session has this id, and a beginning of the hash needs 6 digits or more.");
    } else {
        error.message
            = QStringLiteral("No session has this id or hash. “kv-persist list” shows those on record.");
    }
    error.data.insert(QStringLiteral("candidates"), candidates);
    return error;
}

Result<std::vector<RuntimeService::Server *>> RuntimeService::serversNamed(const QString &name) const
{
    std::vector<Server *> out;
    for (const auto &[key, server] : m_servers) {
        if (name.isEmpty() || isPartOf(key, name)) {
            out.push_back(server.get());
        }
    }
    if (out.empty() && !name.isEmpty()) {
        QStringList names;
        for (const auto &[key, server] : m_servers) {
            names.append(key);
        }
        return Error { ErrorCode::SlotNotFound,
            names.isEmpty() ? QStringLiteral("There is no server “%1”: none is configured.").arg(name)
                            : QStringLiteral("There is no server “%1”. There are: %2.")
                                  .arg(name, names.join(QStringLiteral(", "))),
            {} };
    }
    return out;
}

RuntimeService::Server *RuntimeService::serverForSession(
    const QString &session, const SessionCall &call) const
{
    Server *best = nullptr;
    qint64 newest = -1;
    const auto meant = [&](const QString &provider, const QString &model) {
        return (call.provider.isEmpty() || provider == call.provider)
            && (call.model.isEmpty() || model == call.model);
    };
    for (const auto &[name, entry] : m_servers) {
        if (!call.server.isEmpty() && !isPartOf(name, call.server)) {
            continue;
        }
        const Coordinator &coordinator = entry->runtime->coordinator();
        for (const auto &[key, slot] : coordinator.slotTable()) {
            if (slot.ownedBy(session) && meant(slot.owner->provider, slot.owner->model)) {
                return entry.get();
            }
        }
        qint64 updated = best == nullptr ? 0 : -1;
        const SnapshotIndex::Rows *rows = coordinator.index().find(session);
        for (const Snapshot &row : rows != nullptr ? *rows : SnapshotIndex::Rows {}) {
            updated = meant(row.provider, row.model) ? std::max(updated, row.updatedWallMs) : updated;
        }
        if (updated > newest) {
            newest = updated;
            best = entry.get();
        }
    }
    return best;
}

RequestId RuntimeService::manual(ManualRequest::Kind kind, const SessionCall &call, Reply<ManualAnswer> reply,
    const std::function<void(ManualRequest &)> &fill)
{
    const Result<std::vector<Server *>> named = serversNamed(call.server);
    if (!named) {
        reply(named.error());
        return 0;
    }
    const Result<QString> session = resolveSession(call.session, call.server);
    if (!session) {
        reply(session.error());
        return 0;
    }
    const bool everywhere = kind == ManualRequest::Kind::Purge || kind == ManualRequest::Kind::Invalidate;
    std::vector<Server *> where;
    if (everywhere) {
        where = named.value();
    } else if (Server *one = serverForSession(session.value(), call)) {
        where.push_back(one);
    }
    ManualRequest request;
    request.connection = call.connection;
    request.kind = kind;
    request.session = session.value();
    request.provider = call.provider;
    request.model = call.model;
    if (fill) {
        fill(request);
    }
    if (where.size() == 1) {
        request.request = m_nextRequest++;
        m_manuals.emplace(
            request.request, PendingManual { where.front(), call.connection, std::move(reply) });
        if (kind == ManualRequest::Kind::Restore && where.front()->router != nullptr) {
            restoreAtRouter(*where.front(), request);
        } else {
            where.front()->runtime->post(request);
        }
        return request.request;
    }
    if (where.empty()) {
        reply(Error { ErrorCode::SessionUnknown, QStringLiteral("No server knows this session."), {} });
        return 0;
    }
    const auto sum = std::make_shared<Sum>();
    sum->open = static_cast<int>(where.size());
    std::vector<std::pair<ServerRuntime *, ManualRequest>> requests;
    for (Server *server : where) {
        request.request = m_nextRequest++;
        m_manuals.emplace(request.request,
            PendingManual { server, call.connection, [sum, reply](const Result<ManualAnswer> &one) {
                               if (one) {
                                   sum->answer.count += one.value().count;
                                   sum->answer.fileRemains
                                       = sum->answer.fileRemains || one.value().fileRemains;
                               }
                               if (--sum->open == 0) {
                                   reply(sum->answer);
                               }
                           } });
        requests.emplace_back(server->runtime.get(), request);
    }
    for (const auto &[runtime, one] : requests) {
        runtime->post(one);
    }
    return 0;
}

RequestId RuntimeService::save(const SessionCall &call, Reply<ManualAnswer> reply)
{
    return manual(ManualRequest::Kind::Save, call, std::move(reply));
}

RequestId RuntimeService::restore(const SessionCall &call, Reply<ManualAnswer> reply)
{
    return manual(ManualRequest::Kind::Restore, call, std::move(reply));
}

RequestId RuntimeService::invalidate(
    const SessionCall &call, const QString &reason, Reply<ManualAnswer> reply)
{
    return manual(ManualRequest::Kind::Invalidate, call, std::move(reply),
        [&](ManualRequest &request) { request.reason = reason; });
}

RequestId RuntimeService::purge(const SessionCall &call, Reply<ManualAnswer> reply)
{
    return manual(ManualRequest::Kind::Purge, call, std::move(reply));
}

RequestId RuntimeService::pin(const SessionCall &call, bool pinned, Reply<ManualAnswer> reply)
{
    return manual(ManualRequest::Kind::Pin, call, std::move(reply),
        [&](ManualRequest &request) { request.pinned = pinned; });
}

RequestId RuntimeService::erase(
    ConnectionId connection, const QString &server, const SlotKey &slot, Reply<ManualAnswer> reply)
{
    const Result<std::vector<Server *>> named
        = serversNamed(slot.model.isEmpty() ? server : modelsName(server, slot.model));
    if (!named || named.value().empty()) {
        reply(named ? Error { ErrorCode::SlotNotFound, QStringLiteral("No server is configured."), {} }
                    : named.error());
        return 0;
    }
    ManualRequest request;
    request.request = m_nextRequest++;
    request.connection = connection;
    request.kind = ManualRequest::Kind::Erase;
    request.slot.id = slot.id; // of the model, when there is one: it has a runtime of its own
    Server *where = named.value().front();
    m_manuals.emplace(request.request, PendingManual { where, connection, std::move(reply) });
    where->runtime->post(request);
    return request.request;
}

RequestId RuntimeService::flush(ConnectionId connection, Reply<ManualAnswer> reply)
{
    const RequestId id = m_nextRequest++;
    m_manuals.emplace(id, PendingManual { nullptr, connection, std::move(reply) });
    Flush flush;
    flush.open = static_cast<int>(m_servers.size());
    std::vector<std::pair<ServerRuntime *, ManualRequest>> requests;
    for (const auto &[name, server] : m_servers) {
        ManualRequest request;
        request.request = m_nextRequest++;
        request.connection = connection;
        request.kind = ManualRequest::Kind::Flush;
        flush.parts.emplace_back(server.get(), request.request);
        requests.emplace_back(server->runtime.get(), request);
    }
    m_flushes.emplace(id, std::move(flush));
    if (requests.empty()) {
        m_flushes[id].open = 1;
        flushDone(id, 0);
        return 0;
    }
    for (const auto &[runtime, request] : requests) {
        runtime->post(request);
    }
    return m_manuals.contains(id) ? id : 0;
}

void RuntimeService::flushDone(RequestId request, int saved)
{
    const auto flush = m_flushes.find(request);
    if (flush == m_flushes.end()) {
        return;
    }
    flush->second.saved += saved;
    if (--flush->second.open > 0) {
        return;
    }
    ManualAnswer answer;
    answer.count = flush->second.saved;
    m_flushes.erase(flush);
    const auto manual = m_manuals.find(request);
    if (manual == m_manuals.end()) {
        return;
    }
    const Reply<ManualAnswer> reply = std::move(manual->second.reply);
    m_manuals.erase(manual);
    reply(answer);
}

} // namespace kv
