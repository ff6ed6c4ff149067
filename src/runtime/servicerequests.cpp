// SPDX-License-Identifier: MIT
// RuntimeService: the request path.
#include "eventname.h"
#include "runtimeservice.h"
#include "sessionhash.h"

#include <QElapsedTimer>

#include <algorithm>

namespace kv {

namespace {

constexpr QChar c_baseMark = u'\x1'; // no session's id may begin with it, whoever tells it

/// What a base is known by: nothing leaves its provider.
QString baseKey(const QString &provider, const QString &base)
{
    return base.isEmpty() ? QString() : c_baseMark + sessionHash(provider + QChar(u'\0') + base).left(32);
}

} // namespace

Error RuntimeService::cancelledError()
{
    return { ErrorCode::Cancelled, QStringLiteral("Cancelled: no request was sent for it."), {} };
}

BeginAnswer RuntimeService::unmanagedAnswer()
{
    BeginAnswer answer;
    answer.grant.outcome = Outcome::Unmanaged;
    answer.grant.slot.id = -1;
    return answer;
}

RequestId RuntimeService::begin(BeginRequest request, BeginReply reply)
{
    QElapsedTimer busy;
    busy.start();
    const std::optional<QString> name
        = m_config.enabled ? m_config.serverFor(request.provider, request.model) : std::nullopt;
    const auto found = name ? m_servers.find(*name) : m_servers.end();
    const auto later = name ? m_addLater.find(*name) : m_addLater.end();
    if (found == m_servers.end() && later == m_addLater.end()) {
        reply(unmanagedAnswer());
        return 0;
    }
    if (request.session.startsWith(c_baseMark)) {
        reply(BeginFailure {
            { ErrorCode::BadRequest,
                QStringLiteral("A session's id must not begin with a control character."), {} },
            false });
        return 0;
    }
    const RequestId id = m_nextRequest++;
    request.request = id;
    request.base = baseKey(request.provider, request.base);
    const bool conversation
        = request.purpose.isEmpty() || request.purpose == u"conversation" || request.purpose == u"compaction";
    m_begins.emplace(id,
        PendingBegin { nullptr, request.connection, request.call, request.session,
            !conversation || request.session.isEmpty(), std::move(reply) });
    if (found != m_servers.end()) {
        handOver(*found->second, request);
    } else {
        later->second.begins.push_back(request);
    }
    noteBegun(id, busy.nsecsElapsed());
    return m_begins.contains(id) ? id : 0;
}

void RuntimeService::noteBegun(RequestId request, qint64 busyNs)
{
    if (const auto waiting = m_begins.find(request); waiting != m_begins.end()) {
        waiting->second.beginning = false;
        waiting->second.busyNs = busyNs;
    } else if (!m_leases.empty() && m_leases.rbegin()->second.request == request) {
        m_leases.rbegin()->second.busyNs = busyNs; // granted at once: the newest there is
    }
}

void RuntimeService::handOver(Server &server, const BeginRequest &request)
{
    m_begins.at(request.request).server = &server;
    onRouter(server); // if it is one
    if (server.models && server.runtime->isRouter()) {
        beginAtRouter(server, request);
    } else {
        server.runtime->post(request);
    }
}

bool RuntimeService::dropBegin(RequestId request)
{
    const auto found = m_begins.find(request);
    if (found == m_begins.end()
        || (found->second.server != nullptr && !dropAtRouter(found->second.server, request))) {
        return false;
    }
    const BeginReply reply = std::move(found->second.reply);
    m_begins.erase(found);
    reply(BeginFailure { cancelledError(), false });
    return true;
}

void RuntimeService::onGranted(Server &server, const Grant &grant)
{
    QElapsedTimer busy;
    busy.start();
    server.counters->takeGrant(grant);
    tellRouter(server, grant.request);
    const auto found = m_begins.find(grant.request);
    if (found == m_begins.end()) {
        return; // its connection is gone; the lease ends with the ClientGone that follows
    }
    const PendingBegin begin = std::move(found->second);
    m_begins.erase(found);
    HeldLease lease;
    lease.server = &server;
    lease.local = grant.lease;
    lease.connection = begin.connection;
    lease.call = begin.call;
    lease.session = begin.session;
    lease.transport = grant.transport;
    lease.auxiliary = begin.auxiliary;
    lease.restored = grant.outcome == Outcome::Restored
        || (grant.outcome == Outcome::Based && grant.restoreMs >= 0); // what was left would be there anyway
    lease.restoreMs = grant.restoreMs;
    lease.request = grant.request;
    const LeaseId id = m_nextLease++;
    m_leases.emplace(id, lease);
    BeginAnswer answer;
    answer.grant = grant;
    answer.grant.waitMs += static_cast<double>(begin.waitedMs);
    answer.grant.lease = id;
    answer.managed = true;
    answer.server = server.runtime->server().name;
    begin.reply(answer);
    if (const auto held = m_leases.find(id); held != m_leases.end() && !begin.beginning) {
        held->second.busyNs = begin.busyNs + busy.nsecsElapsed(); // else begin() measures it
    }
}

void RuntimeService::onRefused(const Refuse &refusal)
{
    const auto found = m_begins.find(refusal.request);
    if (found == m_begins.end()) {
        return;
    }
    if (found->second.server != nullptr) {
        tellRouter(*found->second.server, refusal.request);
    }
    const BeginReply reply = std::move(found->second.reply);
    m_begins.erase(found);
    reply(BeginFailure { refusal.error, refusal.strict });
}

void RuntimeService::end(EndRequest request, Reply<EndAnswer> reply)
{
    QElapsedTimer busy;
    busy.start();
    std::optional<qint64> begunNs; // of a lease's end: what its begin took
    auto found = m_leases.find(request.lease);
    if (request.lease == 0) {
        found = std::find_if(m_leases.begin(), m_leases.end(), [&](const auto &entry) {
            return entry.second.connection == request.connection && !request.call.isEmpty()
                && entry.second.call == request.call;
        });
    }
    Server *server = nullptr;
    if (found != m_leases.end() && found->second.connection == request.connection) {
        const HeldLease lease = found->second;
        m_leases.erase(found);
        server = lease.server;
        begunNs = lease.busyNs;
        request.lease = lease.local;
        const qint64 wallMs = m_clock->now().wallMs;
        const qint64 savedMs = server->counters->takeEnd(request,
            server->runtime->coordinator().rates().prefillPerSecond, lease.restored, lease.restoreMs);
        server->timeline.takeEnd(lease.session, request, savedMs, wallMs);
    } else if (request.lease == 0) {
        // A begin that still waits is cancelled by the end of its call.
        const auto waiting = std::find_if(m_begins.begin(), m_begins.end(), [&](const auto &entry) {
            return entry.second.connection == request.connection && !request.call.isEmpty()
                && entry.second.call == request.call;
        });
        server = waiting != m_begins.end() ? waiting->second.server : nullptr;
        if (waiting != m_begins.end() && dropBegin(waiting->first)) {
            reply(EndAnswer {});
            return;
        }
    }
    if (server == nullptr) {
        reply(Error { ErrorCode::LeaseUnknown,
            QStringLiteral("There is no such lease on this connection. It ended already or was revoked; "
                           "nothing has to be done."),
            {} });
        return;
    }
    request.request = m_nextRequest++;
    m_ends.emplace(request.request, PendingEnd { server, request.connection, std::move(reply) });
    server->runtime->post(request);
    if (begunNs) {
        // Measured where nothing waits and nothing is written: a look at a clock, no call to the system.
        constexpr double nsPerUs = 1000;
        server->counters->takeOverhead(static_cast<double>(*begunNs + busy.nsecsElapsed()) / nsPerUs);
    }
}

void RuntimeService::onAnswered(const Answer &answer)
{
    if (const auto end = m_ends.find(answer.request); end != m_ends.end()) {
        const Reply<EndAnswer> reply = std::move(end->second.reply);
        m_ends.erase(end);
        if (!answer.result) {
            reply(answer.result.error());
        } else {
            reply(std::get<EndAnswer>(answer.result.value()));
        }
        return;
    }
    if (const auto own = m_ownFlushes.find(answer.request); own != m_ownFlushes.end()) {
        const std::function<void()> done = std::move(own->second);
        m_ownFlushes.erase(own);
        done();
        return;
    }
    for (auto &[request, flush] : m_flushes) {
        const auto part = std::find_if(flush.parts.begin(), flush.parts.end(),
            [&](const auto &one) { return one.second == answer.request; });
        if (part != flush.parts.end()) {
            flush.parts.erase(part);
            flushDone(request, answer.result ? std::get<ManualAnswer>(answer.result.value()).count : 0);
            return;
        }
    }
    const auto manual = m_manuals.find(answer.request);
    if (manual == m_manuals.end()) {
        return;
    }
    if (manual->second.server != nullptr) {
        tellRouter(*manual->second.server, answer.request);
    }
    const Reply<ManualAnswer> reply = std::move(manual->second.reply);
    m_manuals.erase(manual);
    if (!answer.result) {
        reply(answer.result.error());
    } else {
        reply(std::get<ManualAnswer>(answer.result.value()));
    }
}

void RuntimeService::hint(SessionHint hint)
{
    for (ServerRuntime *runtime : runtimes()) {
        const bool routed = hint.provider.isEmpty()
            || isPartOf(
                runtime->server().name, m_config.serverFor(hint.provider, hint.model).value_or(QString()));
        if (routed) {
            runtime->post(hint);
        }
    }
}

std::vector<LeaseView> RuntimeService::leases(const QString &server) const
{
    const auto isThere
        = [&](const Server *at) { return at != nullptr && isPartOf(at->runtime->server().name, server); };
    std::vector<LeaseView> out;
    for (const auto &[id, lease] : m_leases) {
        if (isThere(lease.server)) {
            out.push_back({ id, lease.connection, lease.session, lease.transport, lease.auxiliary });
        }
    }
    for (const auto &[id, begin] : m_begins) {
        if (isThere(begin.server)) {
            out.push_back({ 0, begin.connection, begin.session, std::nullopt, begin.auxiliary });
        }
    }
    return out;
}

void RuntimeService::notePrefix(const QString &server, const QString &session, const QString &change)
{
    const auto found = m_servers.find(server);
    if (found == m_servers.end()) {
        return;
    }
    for (const auto &[name, part] : m_servers) {
        if (isPartOf(name, server)) { // which of a router's models it is for is not known here
            part->runtime->notePrefix(session, change);
        }
    }
    if (!change.isEmpty()) {
        Notice notice;
        notice.name = eventname::prefixChanged.toString();
        notice.session = session;
        notice.reason = change;
        onNoticed(*found->second, notice);
    }
}

void RuntimeService::noteReuse(const QString &server, const QString &session, qint64 cached, qint64 total)
{
    const auto found = m_servers.find(server);
    if (found == m_servers.end()) {
        return;
    }
    Notice notice;
    notice.name = eventname::reuseEarly.toString();
    notice.session = session;
    notice.tokens = cached;
    notice.reason = QStringLiteral("%1 of %2 tokens of the prompt need no processing").arg(cached).arg(total);
    onNoticed(*found->second, notice);
}

} // namespace kv
