// SPDX-License-Identifier: MIT
// RuntimeService: doctor and discovery.
#include "doctorrun.h"
#include "policymaker.h"
#include "runtimeservice.h"
#include "slotfolder.h"

#include <QJsonArray>

#include <algorithm>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace kv {

namespace {

constexpr qint64 c_firstLooksMs = 40'000;

QString discoveredState(const ServerFindings &findings)
{
    if (!findings.llamaServer) {
        return QStringLiteral("unreachable");
    }
    if (findings.sleeping) {
        return QStringLiteral("sleeping");
    }
    return findings.missing.isEmpty() ? QStringLiteral("healthy") : QStringLiteral("unsupported");
}

/// −1: it has no number here.
qint64 ownUser()
{
#ifdef Q_OS_UNIX
    return ::geteuid();
#else
    return -1;
#endif
}

} // namespace

void RuntimeService::discover(Reply<Document> reply)
{
    const quint64 id = m_nextRequest++;
    auto run = std::make_unique<LocalDiscovery>();
    connect(
        run.get(), &LocalDiscovery::finished, this, [this, id, reply](const QList<ServerFindings> &found) {
            QJsonArray servers;
            for (const ServerFindings &one : found) {
                QStringList missing;
                for (const MissingPiece &piece : one.missing) {
                    missing.append(piece.remedy.isEmpty() ? piece.name : piece.remedy);
                }
                const QString saving = one.slotSavePath.has_value()
                    ? (*one.slotSavePath ? QStringLiteral("yes") : QStringLiteral("no"))
                    : QStringLiteral("unknown");
                QJsonObject server { { QStringLiteral("baseURL"), shownEndpoint(one.base) },
                    { QStringLiteral("state"), discoveredState(one) }, { QStringLiteral("build"), one.build },
                    { QStringLiteral("model"), one.alias.isEmpty() ? one.modelPath : one.alias },
                    { QStringLiteral("slots"), one.totalSlots }, { QStringLiteral("saving"), saving },
                    { QStringLiteral("missing"), QJsonArray::fromStringList(missing) } };
                for (const ServerConfig &known : m_config.servers) {
                    if (known.baseUrl.port() == one.base.port() && isLoopback(known.baseUrl)) {
                        server.insert(QStringLiteral("name"), known.name);
                    }
                }
                servers.append(server);
            }
            if (const auto at = m_discoveries.find(id); at != m_discoveries.end()) {
                at->second.release()->deleteLater();
                m_discoveries.erase(at);
            }
            reply(QJsonObject { { QStringLiteral("servers"), servers } });
        });
    LocalDiscovery *started = run.get();
    m_discoveries.emplace(id, std::move(run));
    started->start();
}

bool RuntimeService::isRouted(const QString &server) const
{
    return std::any_of(
        m_config.providers.begin(), m_config.providers.end(), [&](const ProviderConfig &provider) {
            return std::any_of(provider.routes.begin(), provider.routes.end(),
                [&](const ProviderRoute &route) { return isPartOf(server, route.server); });
        });
}

DoctorSubject RuntimeService::doctorSubject(const Server &server) const
{
    const ServerRuntime &runtime = *server.runtime;
    const ServerConfig &settings = runtime.server();
    const Coordinator &coordinator = runtime.coordinator();
    DoctorSubject subject;
    subject.server = settings.name;
    subject.endpoint = endpointOf(settings);
    subject.managed = settings.mode == ServerConfig::Mode::ManagedSlots;
    subject.slotId = settings.slotId;
    subject.shared = coordinator.policy().sharedFiles;
    subject.ownUserId = ownUser();
    subject.runtimeKey = !settings.runtimeKey.isEmpty();
    subject.idleCheckpointMs = coordinator.policy().idleMs;
    subject.minFreeBytes = coordinator.policy().minFreeBytes;
    subject.slotFolder = runtime.slotFolder();
    subject.boot = coordinator.identity().boot;
    subject.knownTrouble = coordinator.unsupportedReason();
    subject.savedBefore = coordinator.rates().savePerSecond > 0;
    subject.pinless = coordinator.pinless();
    subject.clearsIdleSlots = coordinator.clearsIdleSlots();
    subject.enabled = coordinator.policy().enabled;
    subject.routed = isRouted(settings.name);
    subject.restores = coordinator.policy().restoreEnabled;
    subject.paused = coordinator.isPaused();
    subject.lastTrouble
        = coordinator.breaker().state() == BreakerState::Degraded ? coordinator.trouble() : QString();
    subject.resting = coordinator.breaker().isOpen() ? coordinator.trouble() : QString();
    subject.expectedBytes = coordinator.roomWanted();
    subject.fingerprint = coordinator.identity().fingerprint;
    // Which process answers is told by a look or two.
    const bool early = runtime.now().wallMs - runtime.stateSinceWallMs() < c_firstLooksMs;
    subject.identityTrouble = early ? QString() : runtime.identityTrouble();
    subject.compatibility = coordinator.compatibility();
    const std::map<QString, QString> proofs = coordinator.keptProofs();
    subject.rested = std::any_of(proofs.begin(), proofs.end(), [](const auto &entry) {
        const ReuseProof proof = ReuseProof::fromText(entry.second);
        return proof.isBroken() || proof.restoresStopped();
    });
    subject.restoresStopped = coordinator.restoresStopped();
    subject.folderFinding = findSlotFolder(runtime);
    return subject;
}

DaemonFacts RuntimeService::daemonFacts() const
{
    DaemonFacts facts;
    facts.version = QStringLiteral(KV_PERSIST_VERSION);
    facts.protocol = m_options.protocol;
    facts.socketPath = m_options.socketPath;
    facts.metadataPath = m_config.metadataPath;
    facts.configPath = m_options.configPath;
    if (m_config.proxy) {
        facts.proxy = m_config.proxy->listen;
    }
    facts.metrics = m_config.metricsListen;
    facts.ownUserId = ownUser();
    for (const auto &[connection, note] : m_clients) {
        facts.clients.push_back({ note.name, note.version, note.pins, true });
    }
    for (const ClientNote &note : m_goneClients) {
        facts.clients.push_back({ note.name, note.version, note.pins, false });
    }
    return facts;
}

RequestId RuntimeService::doctor(ConnectionId connection, const QJsonObject &params,
    std::function<void(QJsonObject)> check, Reply<Document> reply)
{
    std::vector<DoctorSubject> subjects;
    const QString baseUrl = params.value(u"baseURL").toString();
    if (!baseUrl.isEmpty()) {
        const QUrl url(baseUrl, QUrl::StrictMode);
        if (!url.isValid() || url.host().isEmpty()
            || (url.scheme() != QStringLiteral("http") && url.scheme() != QStringLiteral("https"))) {
            reply(Error { ErrorCode::BadRequest,
                QStringLiteral("“%1” is no address of a server. One looks like http://127.0.0.1:8080.")
                    .arg(baseUrl.left(200)),
                {} });
            return 0;
        }
        DoctorSubject subject;
        subject.endpoint.base = url;
        subject.endpoint.apiKey = params.value(u"apiKey").toString().toUtf8();
        subjects.push_back(subject);
    } else {
        const Result<std::vector<Server *>> named = serversNamed(params.value(u"server").toString());
        if (!named) {
            reply(named.error());
            return 0;
        }
        for (const Server *server : named.value()) {
            subjects.push_back(doctorSubject(*server));
        }
    }
    DaemonFacts daemon = daemonFacts();
    daemon.anyServer = !subjects.empty();
    DoctorRun::Tools tools;
    tools.pool = &m_pool;
    tools.look = m_options.folderLook;
    tools.finder = m_options.finder;
    if (params.value(u"verify").toBool()) {
        tools.prove = [this, restart = params.value(u"restart").toBool()](
                          const DoctorSubject &subject) { return makeProof(subject.server, restart); };
    }
    const RequestId id = m_nextRequest++;
    auto run = std::make_unique<DoctorRun>(std::move(subjects), std::move(daemon), std::move(tools));
    DoctorRun *started = run.get();
    connect(started, &DoctorRun::check, this, [check](const QJsonObject &one) { check(one); });
    connect(started, &DoctorRun::finished, this, [this, id](const QJsonObject &document) {
        const auto at = m_doctors.find(id);
        if (at == m_doctors.end()) {
            return;
        }
        const Reply<Document> done = std::move(at->second.reply);
        at->second.run.release()->deleteLater();
        m_doctors.erase(at);
        done(document);
    });
    m_doctors.emplace(id, DoctorSlot { connection, std::move(run), std::move(reply) });
    started->start();
    return id;
}

} // namespace kv
