// SPDX-License-Identifier: MIT
#include "runtimeservice.h"

#include "eventname.h"
#include "journalsink.h"
#include "keptstate.h"
#include "llamacppbackend.h"
#include "logging.h"
#include "policymaker.h"
#include "statusdocument.h"

#include <QCoreApplication>

#include <algorithm>

namespace kv {

namespace {

constexpr int c_totalsEveryMs = 5000;
constexpr int c_discoverEveryMs = 10000;
constexpr int c_poolThreads = 2;
constexpr int c_houseEveryMs = 600'000;
constexpr qsizetype c_noticesKept = 20;
constexpr std::size_t c_goneClientsKept = 8;

ServerParts llamaCppParts(const ServerConfig &server)
{
    const ServerEndpoint endpoint = endpointOf(server);
    auto backend = std::make_unique<LlamaCppBackend>(endpoint);
    auto watcher = std::make_unique<Watcher>(endpoint, backend->book());
    return { std::move(backend), std::move(watcher) };
}

LogLevel levelOf(const Notice &notice)
{
    const QStringView name(notice.name);
    const bool bad = name == eventname::backendUnavailable || name == eventname::saveFailed
        || name == eventname::restoreFailed || name == eventname::circuitOpen || name == eventname::reuseNone
        || name == eventname::snapshotInvalidated;
    return bad ? LogLevel::Warning : notice.debug ? LogLevel::Debug : LogLevel::Info;
}

} // namespace

RuntimeService::RuntimeService(RuntimeOptions options, QObject *parent)
    : Service(parent)
    , m_options(std::move(options))
    , m_clock(m_options.clock != nullptr ? m_options.clock : &m_systemClock)
    , m_config(m_options.config)
    , m_metadataFolder(&m_pool, m_options.folderLook)
    , m_startedAt(m_clock->now())
{
    if (!m_options.parts) {
        m_options.parts = llamaCppParts;
    }
    m_pool.setMaxThreadCount(c_poolThreads);
    m_totalsTimer.setInterval(c_totalsEveryMs);
    connect(&m_totalsTimer, &QTimer::timeout, this, &RuntimeService::writeTotals);
    m_houseTimer.setInterval(c_houseEveryMs);
    connect(&m_houseTimer, &QTimer::timeout, this, &RuntimeService::keepHouse);
    m_discoverTimer.setInterval(c_discoverEveryMs);
    connect(&m_discoverTimer, &QTimer::timeout, this, &RuntimeService::discoverDefault);
}

RuntimeService::~RuntimeService() = default;

Result<std::unique_ptr<RuntimeService>> RuntimeService::create(RuntimeOptions options, QObject *parent)
{
    std::unique_ptr<RuntimeService> service(new RuntimeService(std::move(options), parent));
    if (const Result<Done> opened = service->open(); !opened) {
        return opened.error();
    }
    return service;
}

Result<Done> RuntimeService::open()
{
    Result<std::unique_ptr<FolderLock>> lock = FolderLock::acquire(m_config.metadataPath);
    if (!lock) {
        return lock.error();
    }
    m_lock = std::move(lock).value();
    m_store = std::make_unique<SnapshotStore>(m_options.store);
    Result<LoadedStore> loaded = m_store->open(m_config.metadataPath);
    if (!loaded) {
        return loaded.error();
    }
    m_loaded = std::move(loaded).value();
    for (const QString &sentence : m_loaded.notices) {
        takeNotice(sentence);
    }
    connect(m_store.get(), &SnapshotStore::recreated, this, [this](const QString &sentence) {
        takeNotice(sentence);
        if (const Result<Done> renewed = m_lock->renew(); !renewed) {
            takeNotice(renewed.error().message);
        }
    });
    openHouse();
    for (const ServerConfig &server : m_config.servers) {
        addServer(server);
    }
    m_totalsTimer.start();
    m_houseTimer.start();
    if (m_config.autodiscover) {
        m_discoverTimer.start();
        discoverDefault();
    }
    return Done {};
}

void RuntimeService::takeNotice(const QString &sentence)
{
    qCWarning(lcRuntime).noquote() << sentence;
    m_notices.removeAll(sentence);
    m_notices.append(sentence);
    while (m_notices.size() > c_noticesKept) {
        m_notices.removeFirst();
    }
}

std::vector<ServerRuntime *> RuntimeService::runtimes() const
{
    // To be called one after the other: an answer may add or remove servers, and what is removed lives until
    // the event loop is reached.
    std::vector<ServerRuntime *> all;
    for (const auto &[name, server] : m_servers) {
        all.push_back(server->runtime.get());
    }
    return all;
}

RuntimeService::Server *RuntimeService::addServer(const ServerConfig &server)
{
    LoadedServer kept = m_loaded.server(server.name);
    // An operation of a former runtime may still write to a file that no row names.
    const bool first = m_served.insert(server.name).second;
    if (first && m_loaded.machineStoppedUncleanly()) {
        distrust(kept, server);
    }
    auto made = std::make_unique<Server>();
    made->counters = std::make_unique<Counters>(kept.totals, m_clock->now().wallMs);
    ServerRuntime::Settings settings { server, makePolicy(m_config, server),
        m_loaded.serverPrefix(server.name), m_nextRun++, m_options.progressEveryMs,
        journalFolder(m_config.metadataPath) };
    ServerParts parts = m_options.parts(server);
    parts.folderLook = m_options.folderLook;
    InitialState initial = makeInitialState(kept, first && m_loaded.cleanStop);
    made->writtenRates = initial.rates;
    made->runtime = std::make_unique<ServerRuntime>(
        std::move(settings), std::move(initial), std::move(parts), m_store.get(), &m_pool, m_clock);
    Server *added = made.get();
    m_servers[server.name] = std::move(made);
    m_loaded.servers.erase(server.name); // the coordinator has it now
    connectServer(*added);
    added->runtime->assumeModelFile(kept.settings.value(QStringLiteral("modelFile")));
    added->runtime->start();
    return added;
}

void RuntimeService::connectServer(Server &server)
{
    ServerRuntime *runtime = server.runtime.get();
    Server *at = &server;
    connect(
        runtime, &ServerRuntime::granted, this, [this, at](const Grant &grant) { onGranted(*at, grant); });
    connect(runtime, &ServerRuntime::refused, this, &RuntimeService::onRefused);
    connect(runtime, &ServerRuntime::answered, this, &RuntimeService::onAnswered);
    connect(
        runtime, &ServerRuntime::noticed, this, [this, at](const Notice &notice) { onNoticed(*at, notice); });
    // Queued: letting snapshots go leads to the next look.
    connect(runtime, &ServerRuntime::foldersSeen, this, &RuntimeService::makeRoom, Qt::QueuedConnection);
    connect(runtime, &ServerRuntime::troubled, this, &RuntimeService::takeNotice);
    // Queued: it makes more servers.
    connect(
        runtime, &ServerRuntime::isARouter, this,
        [this, name = runtime->server().name] {
            if (const auto found = m_servers.find(name); found != m_servers.end()) {
                onRouter(*found->second);
            }
        },
        Qt::QueuedConnection);
    connect(runtime, &ServerRuntime::shutdownDone, this, [this, at] { onShutdownDone(*at); });
}

void RuntimeService::discoverDefault()
{
    if (!m_config.autodiscover || !m_discovered.isEmpty() || m_discovery) {
        return;
    }
    m_discovery = std::make_unique<LocalDiscovery>();
    connect(m_discovery.get(), &LocalDiscovery::finished, this, [this](const QList<ServerFindings> &found) {
        m_discovery.release()->deleteLater();
        if (found.isEmpty() || !m_config.autodiscover || m_stopping) {
            return;
        }
        m_discoverTimer.stop();
        m_discovered = found.front().base.toString();
        m_config = defaultForDiscovered(m_discovered, m_config);
        addServer(m_config.servers.front());
        qCInfo(lcRuntime).noquote() << "No servers are configured; using the llama-server found at"
                                    << m_discovered;
        announce(eventname::configReloaded, QStringLiteral("found a llama-server at %1").arg(m_discovered));
    });
    m_discovery->start();
}

ConnectionId RuntimeService::openConnection() { return m_nextConnection++; }

void RuntimeService::closeConnection(ConnectionId connection)
{
    // Replies first: none may be called any more.
    const auto ofConnection = [&](const auto &entry) { return entry.second.connection == connection; };
    std::erase_if(m_begins, [&](const auto &entry) {
        if (ofConnection(entry)) {
            dropAtRouter(entry.second.server, entry.first);
        }
        return ofConnection(entry);
    });
    std::erase_if(m_manuals, [&](const auto &entry) {
        if (!ofConnection(entry)) {
            return false;
        }
        dropAtRouter(entry.second.server, entry.first);
        m_flushes.erase(entry.first);
        return true;
    });
    std::erase_if(m_ends, ofConnection);
    if (auto client = m_clients.extract(connection)) {
        std::erase_if(m_goneClients, [&](const ClientNote &note) {
            return note.name == client.mapped().name && note.version == client.mapped().version;
        });
        m_goneClients.push_back(std::move(client.mapped()));
        if (m_goneClients.size() > c_goneClientsKept) {
            m_goneClients.erase(m_goneClients.begin());
        }
    }
    for (auto doctor = m_doctors.begin(); doctor != m_doctors.end();) {
        if (doctor->second.connection == connection) {
            dropDoctor(doctor->second.run.release());
            doctor = m_doctors.erase(doctor);
        } else {
            ++doctor;
        }
    }
    for (ServerRuntime *runtime : runtimes()) {
        runtime->post(ClientGone { connection });
    }
    std::erase_if(m_leases, ofConnection);
}

void RuntimeService::noteClient(ConnectionId connection, const ClientNote &note)
{
    m_clients[connection] = note;
}

void RuntimeService::dropDoctor(QObject *run)
{
    // Perhaps from within one of its own signals.
    run->disconnect(this);
    run->deleteLater();
}

bool RuntimeService::cancel(ConnectionId connection, RequestId request)
{
    if (const auto begin = m_begins.find(request); begin != m_begins.end()) {
        if (begin->second.connection != connection) {
            return false;
        }
        if (dropBegin(request)) {
            return true;
        }
        begin->second.server->runtime->post(CancelRequest { request });
        return true;
    }
    if (const auto doctor = m_doctors.find(request); doctor != m_doctors.end()) {
        if (doctor->second.connection != connection) {
            return false;
        }
        const Reply<Document> reply = std::move(doctor->second.reply);
        dropDoctor(doctor->second.run.release());
        m_doctors.erase(doctor);
        reply(Error { ErrorCode::Cancelled, QStringLiteral("Cancelled."), {} });
        return true;
    }
    const auto manual = m_manuals.find(request);
    if (manual == m_manuals.end() || manual->second.connection != connection) {
        return false;
    }
    if (manual->second.server != nullptr && !dropAtRouter(manual->second.server, request)) {
        manual->second.server->runtime->post(CancelRequest { request });
        return true;
    }
    const Reply<ManualAnswer> reply = std::move(manual->second.reply);
    m_manuals.erase(manual);
    m_flushes.erase(request);
    reply(Error {
        ErrorCode::Cancelled, QStringLiteral("Cancelled. What is being saved is saved all the same."), {} });
    return true;
}

QStringList RuntimeService::providers() const
{
    QStringList names;
    if (m_config.enabled) {
        for (const ProviderConfig &provider : m_config.providers) {
            names.append(provider.name);
        }
    }
    return names;
}

QStringList RuntimeService::features() const
{
    return { QStringLiteral("history"), QStringLiteral("doctor"), QStringLiteral("discover") };
}

void RuntimeService::onNoticed(Server &server, const Notice &notice)
{
    const qint64 wallMs = m_clock->now().wallMs;
    tellRouter(server);
    server.counters->take(notice, wallMs);
    server.timeline.take(notice, wallMs);
    keepProof(server, notice);
    if (notice.name == eventname::saveFailed && server.runtime->coordinator().diskRoom().isShort()) {
        QMetaObject::invokeMethod(this, &RuntimeService::makeRoom, Qt::QueuedConnection);
    }
    if (notice.name == eventname::snapshotSaved) {
        m_heartbeat.saved(m_clock->now());
    }
    if (notice.debug && !eventsWanted() && !lcRuntime().isDebugEnabled()) {
        return;
    }
    QJsonObject event = eventDocument(server.runtime->server().name, notice);
    QJsonObject fields = event;
    fields.remove(QStringLiteral("name"));
    fields.remove(QStringLiteral("label")); // what a conversation is about is nobody's who reads logs
    logEvent(lcRuntime(), levelOf(notice), notice.name, fields);
    Q_EMIT eventEmitted(event);
}

void RuntimeService::keepProof(const Server &server, const Notice &notice)
{
    const QStringView name(notice.name);
    const bool tells = name == eventname::reuseVerified || name == eventname::reuseNone
        || name == eventname::reusePartial || name == eventname::snapshotInvalidated
        || name == eventname::persistenceResumed || name == eventname::persistencePaused;
    if (tells) {
        storeProof(server);
    }
}

void RuntimeService::storeProof(const Server &server)
{
    const Coordinator &coordinator = server.runtime->coordinator();
    if (coordinator.identity().known()) {
        const QString hash = coordinator.identity().fingerprint->hash();
        m_store->submitSetting(
            server.runtime->server().name, proofSetting(hash), coordinator.proofText(hash));
    }
}

void RuntimeService::announce(QStringView name, const QString &reason)
{
    QJsonObject event { { QStringLiteral("name"), name.toString() } };
    if (!reason.isEmpty()) {
        event.insert(QStringLiteral("reason"), reason);
    }
    Q_EMIT eventEmitted(event);
}

} // namespace kv
