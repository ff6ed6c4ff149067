// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "daemonoptions.h"
#include "exitcodes.h"

#include <QObject>
#include <QProcessEnvironment>
#include <QTimer>

#include <memory>
#include <optional>

namespace kv {

class ApiServer;
class InstanceLock;
class Logging;
class MetricsServer;
class ProxyServer;
class RuntimeService;

struct StartFailure {
    ExitCode code = ExitFailed;
    QString message; ///< for the user; may have several lines
};

/// The daemon's parts, made in one place, and its life: start, reload, stop.
class Daemon final : public QObject {
    Q_OBJECT

public:
    /// `logging` must outlive this.
    Daemon(DaemonOptions options, const QProcessEnvironment &environment, Logging &logging,
        QObject *parent = nullptr);
    ~Daemon() override;
    Q_DISABLE_COPY_MOVE(Daemon)

    /// Everything up to the first connection. nullopt: it runs.
    [[nodiscard]] std::optional<StartFailure> start();
    /// Takes no new work, saves what is dirty within a bound, then emits stopped(). The second call ends the
    /// process at once.
    void stop();
    /// The configuration anew, whole or not at all; the outcome is logged.
    void reload();

Q_SIGNALS:
    void stopped(int exitCode);

private:
    std::optional<StartFailure> loadConfig();
    std::optional<StartFailure> takeSocket();
    std::optional<StartFailure> createService();
    void applyLogging(const Config &config);
    void configureListeners(const Config &config);
    void onEvent(const QJsonObject &event);
    void giveUp();
    void onStopped();

    DaemonOptions m_options;
    QProcessEnvironment m_environment;
    Logging &m_logging;
    QString m_configPath;
    QString m_socketPath;
    Config m_config; ///< as at the start
    // Destroyed in reverse order: the connections before the service that they use, the lock last.
    std::unique_ptr<InstanceLock> m_lock;
    std::unique_ptr<RuntimeService> m_service;
    std::unique_ptr<ApiServer> m_server;
    std::unique_ptr<ProxyServer> m_proxy;
    std::unique_ptr<MetricsServer> m_metrics;
    QTimer m_bound; ///< for the last saves
    bool m_stopping = false;
    bool m_stopped = false;
};

} // namespace kv
