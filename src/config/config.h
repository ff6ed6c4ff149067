// SPDX-License-Identifier: MIT
#pragma once

#include "logfilter.h"
#include "logformat.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <optional>
#include <vector>

namespace kv {

// The configuration as values, with the defaults of a file that says nothing. Times are milliseconds, sizes
// bytes; nullopt is the file's `off`. Paths are expanded and absolute.

struct ServerConfig {
    enum class Mode { SingleSlot, ManagedSlots };
    enum class Files { ServerOwned, SharedFilesystem };

    QString name;
    QString type = QStringLiteral("llama.cpp");
    QUrl baseUrl; ///< http or https with a host, without a slash at its end
    QString apiKey; ///< also when it came from apiKeyFile
    QString apiKeyFile;
    qint64 requestTimeoutMs = 15'000;
    Mode mode = Mode::SingleSlot;
    int slotId = 0;
    bool auxiliarySlot = false;
    QString runtimeKey;
    Files snapshotBinaryManagement = Files::ServerOwned;
    QString slotSavePath; ///< not empty with Files::SharedFilesystem
    /// No key of the file: a server that turns out to be a router becomes one of these for each model in use.
    QString routerModel;

    bool operator==(const ServerConfig &) const = default;
};

struct ProviderRoute {
    QString model; ///< a pattern with * and ?
    QString server;

    bool operator==(const ProviderRoute &) const = default;
};

struct ProviderConfig {
    QString name; ///< exact, or "*" for every provider that has no entry of its own
    std::vector<ProviderRoute> routes; ///< the first whose model matches counts

    bool operator==(const ProviderConfig &) const = default;
};

struct LeasesConfig {
    qint64 idleMs = 60'000;
    qint64 holdMs = 30'000;

    bool operator==(const LeasesConfig &) const = default;
};

struct CheckpointConfig {
    enum class Subagents { Never, WhileAlive, Always };

    bool onSwitch = true;
    bool onShutdown = true;
    bool onSessionFlush = true;
    bool onDispose = true;
    qint64 idleMs = 30'000; ///< 0: no idle checkpoint
    bool onTurnEnd = false;
    bool onStepEnd = false;
    std::optional<qint64> minTokens; ///< nullopt: auto
    std::optional<qint64> maxBytesPerDay = 50'000'000'000; ///< never 0
    qint64 maxDirtyMs = 300'000;
    Subagents subagents = Subagents::WhileAlive;

    bool operator==(const CheckpointConfig &) const = default;
};

struct RestoreConfig {
    enum class Verify { Off, Basic, Strict };

    bool enabled = true;
    Verify verify = Verify::Basic;

    bool operator==(const RestoreConfig &) const = default;
};

struct FailureConfig {
    bool strict = false;
    int maxConsecutiveFailures = 3;
    qint64 cooldownMs = 60'000;

    bool operator==(const FailureConfig &) const = default;
};

struct RetentionConfig {
    std::optional<qint64> maxTotalBytes = 100'000'000'000; ///< never 0
    std::optional<qint64> minFreeBytes = 5'000'000'000;
    std::optional<int> maxSessions; ///< never 0
    std::optional<int> maxAgeDays; ///< never 0

    bool operator==(const RetentionConfig &) const = default;
};

struct LoggingConfig {
    LogLevel level = LogLevel::Info;
    LogFormat format = LogFormat::Text;
    LogFilter filter = {}; ///< parts of the program that are louder or quieter than `level`

    bool operator==(const LoggingConfig &) const = default;
};

struct ListenAddress {
    QString host; ///< IPv6 without brackets
    quint16 port = 0; ///< 0: any free one

    bool operator==(const ListenAddress &) const = default;
};

struct ProxyConfig {
    ListenAddress listen;
    QString server;

    bool operator==(const ProxyConfig &) const = default;
};

struct Config {
    enum class Auxiliary { Isolate, Ignore };
    enum class ColdStart { Erase, Keep, Base };

    bool enabled = true;
    std::vector<ServerConfig> servers; ///< in the file's order
    std::vector<ProviderConfig> providers; ///< in the file's order; every route names one of `servers`
    /// The file names neither servers nor providers: the daemon may look for a llama-server on the local
    /// ports and go on with defaultForDiscovered().
    bool autodiscover = true;
    Auxiliary auxiliaryRequests = Auxiliary::Isolate;
    ColdStart coldStart = ColdStart::Base;
    LeasesConfig leases;
    CheckpointConfig checkpoint;
    RestoreConfig restore;
    FailureConfig failure;
    RetentionConfig retention;
    QString metadataPath; ///< empty only in a Config that defaultConfig() or the reader did not make
    LoggingConfig logging;
    std::optional<ListenAddress> metricsListen;
    std::optional<ProxyConfig> proxy;

    bool operator==(const Config &) const = default;

    /// The server that serves this provider and model; nullopt: not managed. The entry with the provider's
    /// own name decides alone; "*" counts only where there is none.
    [[nodiscard]] std::optional<QString> serverFor(const QString &provider, const QString &model) const;
    /// nullptr: there is none of that name.
    [[nodiscard]] const ServerConfig *server(const QString &name) const;
    /// What logs must not show.
    [[nodiscard]] QStringList secrets() const;
};

/// What an empty file means.
Config defaultConfig(const QProcessEnvironment &environment);

/// `settings` with one server "local" at this URL, to which every provider is routed.
Config defaultForDiscovered(const QString &baseUrl, Config settings);

/// * stands for any text, ? for one character; the case counts.
bool matchesPattern(QStringView text, QStringView pattern);

} // namespace kv
