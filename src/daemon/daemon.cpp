// SPDX-License-Identifier: MIT
#include "daemon.h"

#include "apiserver.h"
#include "configreader.h"
#include "eventname.h"
#include "instancelock.h"
#include "logging.h"
#include "metricsserver.h"
#include "paths.h"
#include "proxyserver.h"
#include "runtimeservice.h"
#include "servicemanager.h"
#include "socketfolder.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <unistd.h>

namespace kv {

namespace {

/// For the last saves. Shorter than the 90 s after which systemd kills.
constexpr qint64 c_shutdownBoundMs = 20'000;
/// The service keeps the bound itself; this is for a service that does not.
constexpr int c_shutdownGraceMs = 2'000;

void tellServiceManager(const QProcessEnvironment &environment, const QByteArray &state)
{
    const QByteArray socket = environment.value(QStringLiteral("NOTIFY_SOCKET")).toLocal8Bit();
    if (!notifyServiceManager(socket, state)) {
        qCWarning(lcDaemon) << "The service manager could not be told" << state;
    }
}

} // namespace

Daemon::Daemon(
    DaemonOptions options, const QProcessEnvironment &environment, Logging &logging, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_environment(environment)
    , m_logging(logging)
{
    m_bound.setSingleShot(true);
    m_bound.setInterval(static_cast<int>(c_shutdownBoundMs) + c_shutdownGraceMs);
    connect(&m_bound, &QTimer::timeout, this, &Daemon::giveUp);
}

Daemon::~Daemon() = default;

std::optional<StartFailure> Daemon::start()
{
    if (auto failure = loadConfig()) {
        return failure;
    }
    if (auto failure = takeSocket()) {
        return failure;
    }
    if (auto failure = createService()) {
        return failure;
    }
    m_server = std::make_unique<ApiServer>(*m_service);
    if (const Result<Done> listening = m_server->listen(m_socketPath); !listening) {
        return StartFailure { ExitSocket, listening.error().message };
    }
    m_proxy = std::make_unique<ProxyServer>(*m_service);
    m_metrics = std::make_unique<MetricsServer>(*m_service);
    configureListeners(m_config);
    qCInfo(lcDaemon).noquote() << "kv-persistd" << KV_PERSIST_VERSION << "serves" << m_socketPath;
    tellServiceManager(m_environment, "READY=1");
    return std::nullopt;
}

std::optional<StartFailure> Daemon::loadConfig()
{
    m_configPath = m_options.config.isEmpty() ? defaultConfigPath(m_environment)
                                              : QFileInfo(m_options.config).absoluteFilePath();
    if (!m_options.config.isEmpty() && !QFileInfo::exists(m_configPath)) {
        return StartFailure { ExitConfig,
            tr("The configuration file %1 does not exist. Make it, or leave out --config to run with the "
               "defaults.")
                .arg(m_configPath) };
    }
    Result<LoadedConfig> loaded = loadConfigFile(m_configPath, m_environment);
    if (!loaded) {
        return StartFailure { ExitConfig, loaded.error().message };
    }
    m_config = loaded.value().config;
    applyLogging(m_config);
    for (const QString &warning : std::as_const(loaded.value().warnings)) {
        qCWarning(lcConfig).noquote() << warning;
    }
    return std::nullopt;
}

std::optional<StartFailure> Daemon::takeSocket()
{
    const SocketPath place = socketPath(m_options.socket, m_environment);
    m_socketPath = place.path;
    if (const Result<Done> prepared = prepareSocketFolder(place); !prepared) {
        return StartFailure { ExitSocket, prepared.error().message };
    }
    m_lock = std::make_unique<InstanceLock>(m_socketPath);
    const InstanceLock::Attempt attempt = m_lock->take();
    switch (attempt.state) {
    case InstanceLock::State::Taken:
        break;
    case InstanceLock::State::HeldByOther:
        return StartFailure { ExitAlreadyRuns, attempt.message };
    case InstanceLock::State::Failed:
        return StartFailure { ExitSocket, attempt.message };
    }
    return std::nullopt;
}

std::optional<StartFailure> Daemon::createService()
{
    RuntimeOptions options;
    options.config = m_config;
    options.configPath = m_configPath;
    options.environment = m_environment;
    options.socketPath = m_socketPath;
    options.protocol = c_protocolVersion;
    Result<std::unique_ptr<RuntimeService>> created = RuntimeService::create(std::move(options), nullptr);
    if (!created) {
        const bool metadata = created.error().code == ErrorCode::MetadataIo;
        return StartFailure { metadata ? ExitMetadata : ExitFailed, created.error().message };
    }
    m_service = std::move(created).value();
    connect(m_service.get(), &Service::eventEmitted, this, &Daemon::onEvent);
    connect(m_service.get(), &RuntimeService::shutdownFinished, this, &Daemon::onStopped);
    return std::nullopt;
}

void Daemon::applyLogging(const Config &config)
{
    LogOptions logging;
    logging.level = m_options.logLevel.value_or(config.logging.level);
    logging.format = m_options.logFormat.value_or(config.logging.format);
    logging.filter = m_options.logFilter.value_or(config.logging.filter);
    logging.journald = stderrIsJournal(m_environment.value(QStringLiteral("JOURNAL_STREAM")).toLocal8Bit());
    logging.secrets = config.secrets();
    m_logging.setOptions(logging);
}

void Daemon::configureListeners(const Config &config)
{
    // The socket's clients are served without them, so they are no reason to stop.
    if (const Result<Done> listening = m_metrics->configure(config); !listening) {
        qCWarning(lcDaemon).noquote() << "No metrics are served." << listening.error().message;
    }
    if (const Result<Done> listening = m_proxy->configure(config); !listening) {
        qCWarning(lcDaemon).noquote() << "The proxy is off." << listening.error().message;
    }
}

void Daemon::onEvent(const QJsonObject &event)
{
    // However the configuration came to be reloaded: logging and listeners are the daemon's part of it.
    if (event.value(u"name").toString() == eventname::configReloaded) {
        if (const Result<LoadedConfig> loaded = loadConfigFile(m_configPath, m_environment)) {
            applyLogging(loaded.value().config);
            if (m_proxy != nullptr && !m_stopping) {
                configureListeners(loaded.value().config);
            }
        }
    }
}

void Daemon::reload()
{
    if (m_service == nullptr || m_stopping) {
        return;
    }
    const Result<QJsonObject> reloaded = m_service->reload();
    if (reloaded) {
        qCInfo(lcDaemon).noquote() << "The configuration was read anew:" << m_configPath;
    } else {
        qCWarning(lcDaemon).noquote()
            << "The configuration was not changed; the old one stays in force." << reloaded.error().message;
    }
}

void Daemon::stop()
{
    if (m_stopping) {
        qCWarning(lcDaemon) << "Ending at once; what was not saved yet costs a cold start, no more.";
        m_lock.reset(); // the socket went with the first signal
        ::_exit(ExitHurried);
    }
    m_stopping = true;
    qCInfo(lcDaemon) << "Stopping: no new work is taken, what is not saved yet is saved.";
    tellServiceManager(m_environment, "STOPPING=1");
    m_server->stopTakingWork();
    m_proxy->stopTakingWork();
    m_metrics->stopTakingWork();
    m_bound.start();
    m_service->shutdown(c_shutdownBoundMs);
}

void Daemon::giveUp()
{
    qCWarning(lcDaemon) << "The last saves took too long and are given up.";
    onStopped();
}

void Daemon::onStopped()
{
    if (!m_stopped) {
        m_stopped = true;
        qCInfo(lcDaemon) << "Stopped.";
        Q_EMIT stopped(ExitOk);
    }
}

} // namespace kv
