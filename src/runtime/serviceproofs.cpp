// SPDX-License-Identifier: MIT
// RuntimeService: what the proofs of `doctor --verify` are given to work with.
#include "policymaker.h"
#include "runtimeservice.h"

#include <algorithm>

namespace kv {

bool RuntimeService::holds(LeaseId lease) const
{
    const auto held = m_leases.find(lease);
    return held != m_leases.end()
        && held->second.server->runtime->coordinator().leases().contains(held->second.local);
}

RequestId RuntimeService::beginProof(const QString &server, BeginRequest request, BeginReply reply)
{
    const auto found = m_servers.find(server);
    if (found == m_servers.end() || m_stopping) {
        reply(BeginFailure { cancelledError(), true });
        return 0;
    }
    Server *at = found->second.get();
    const RequestId id = m_nextRequest++;
    request.request = id;
    const bool routed = at->router != nullptr && at->router->models;
    m_begins.emplace(
        id, PendingBegin { routed ? at->router : at, request.connection, {}, {}, true, std::move(reply) });
    if (routed) {
        beginAtRouter(*at->router, request);
    } else {
        at->runtime->post(request);
    }
    return m_begins.contains(id) ? id : 0;
}

void RuntimeService::saveAll(const QString &server, std::function<void()> done)
{
    const auto found = m_servers.find(server);
    if (found == m_servers.end()) {
        return; // who waits for it gives up
    }
    ManualRequest flush;
    flush.request = m_nextRequest++;
    flush.kind = ManualRequest::Kind::Flush;
    m_ownFlushes.emplace(flush.request, std::move(done));
    found->second->runtime->post(flush);
}

VerifyRun::House RuntimeService::proofHouse(const QString &server, ConnectionId connection)
{
    VerifyRun::House house;
    house.begin = [this, server](const BeginRequest &request, BeginReply reply) {
        return beginProof(server, request, std::move(reply));
    };
    house.end = [this](const EndRequest &request) { end(request, [](const Result<EndAnswer> &) {}); };
    house.cancel = [this, connection](RequestId request) { cancel(connection, request); };
    house.holds = [this](LeaseId lease) { return holds(lease); };
    house.flush = [this, server](std::function<void()> done) { saveAll(server, std::move(done)); };
    house.restore
        = [this, server, connection](const QString &session, const std::function<void(bool)> &done) {
              SessionCall call;
              call.connection = connection;
              call.session = session;
              call.server = server;
              restore(call, [done](const Result<ManualAnswer> &answer) { done(answer.ok()); });
          };
    house.tell = [this, server](const Verified &verified) {
        if (const auto found = m_servers.find(server); found != m_servers.end()) {
            found->second->runtime->post(verified);
            storeProof(*found->second);
        }
    };
    house.bye = [this, connection] { closeConnection(connection); };
    return house;
}

Result<VerifyRun *> RuntimeService::makeProof(const QString &server, bool acrossRestart)
{
    const auto found = m_servers.find(server);
    if (found == m_servers.end()) {
        return Error { ErrorCode::SlotNotFound,
            QStringLiteral("only slots of a configured server are used, so that nobody's state is lost."),
            QStringLiteral("Name the server under servers: in the configuration.") };
    }
    if (m_verifications.contains(server)) {
        return Error { ErrorCode::SlotBusy, QStringLiteral("another proof of this server runs."),
            QStringLiteral("Verify again when it has ended.") };
    }
    ServerRuntime &runtime = *found->second->runtime;
    VerifyRun::Settings settings;
    settings.connection = openConnection();
    settings.endpoint = endpointOf(runtime.server());
    settings.fileName = m_loaded.serverPrefix(server) + QStringLiteral("-verify.bin");
    settings.removeFrom
        = runtime.coordinator().policy().sharedFiles ? runtime.server().slotSavePath : QString();
    settings.acrossRestart = acrossRestart;
    settings.stepMs = m_options.verifyStepMs;
    auto run = std::make_unique<VerifyRun>(settings, proofHouse(server, settings.connection), &runtime,
        m_options.parts(runtime.server()).backend, &m_pool);
    VerifyRun *made = run.get();
    connect(made, &VerifyRun::ended, this, [this, server] {
        if (auto ended = m_verifications.extract(server)) {
            ended.mapped().release()->deleteLater(); // the sender of this very signal
        }
    });
    m_verifications.emplace(server, std::move(run));
    return made;
}

} // namespace kv
