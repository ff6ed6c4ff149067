// SPDX-License-Identifier: MIT
// RuntimeService: configuration and steering.
#include "configdiff.h"
#include "configreader.h"
#include "configwriter.h"
#include "eventname.h"
#include "humantime.h"
#include "keptstate.h"
#include "logging.h"
#include "policymaker.h"
#include "runtimeservice.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

namespace kv {

namespace {

QJsonArray errorList(const Error &error)
{
    QJsonArray list;
    const QStringList lines = error.message.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    // "FILE:LINE: key 'a.b': …", as configreader.h has it.
    static const QRegularExpression located(QStringLiteral("^.*?:(\\d+): (?:key '([^']+)'[: ]*)?(.*)$"));
    for (const QString &line : lines) {
        QJsonObject one { { QStringLiteral("message"), line } };
        if (const QRegularExpressionMatch match = located.match(line); match.hasMatch()) {
            one.insert(QStringLiteral("line"), match.captured(1).toInt());
            one.insert(QStringLiteral("message"), line.mid(match.capturedEnd(1) + 2));
            if (!match.captured(2).isEmpty()) {
                one.insert(QStringLiteral("key"), match.captured(2));
            }
        }
        list.append(one);
    }
    return list;
}

} // namespace

Result<RuntimeService::Document> RuntimeService::pause(const QString &server, qint64 forMs)
{
    const Result<std::vector<Server *>> named = serversNamed(server);
    if (!named) {
        return named.error();
    }
    QStringList names;
    QJsonObject out;
    for (Server *one : named.value()) {
        one->pausedUntilWallMs = forMs > 0 ? m_clock->now().wallMs + forMs : -1;
        one->runtime->post(Paused { forMs > 0 ? forMs : -1 });
        names.append(one->runtime->server().name);
        if (forMs > 0) {
            out.insert(QStringLiteral("until"), isoUtc(one->pausedUntilWallMs));
        }
    }
    out.insert(QStringLiteral("servers"), QJsonArray::fromStringList(names));
    return out;
}

Result<RuntimeService::Document> RuntimeService::resume(const QString &server)
{
    const Result<std::vector<Server *>> named = serversNamed(server);
    if (!named) {
        return named.error();
    }
    QStringList names;
    for (Server *one : named.value()) {
        const Coordinator &coordinator = one->runtime->coordinator();
        if (coordinator.isPaused() || coordinator.compatibility() == Compatibility::Broken) {
            names.append(one->runtime->server().name);
        }
        one->runtime->post(Resumed {});
    }
    return QJsonObject { { QStringLiteral("servers"), QJsonArray::fromStringList(names) } };
}

Result<RuntimeService::Document> RuntimeService::reload()
{
    if (m_stopping) {
        return Error { ErrorCode::Cancelled, QStringLiteral("kv-persist is stopping."), {} };
    }
    Result<LoadedConfig> loaded = loadConfigFile(m_options.configPath, m_options.environment);
    if (!loaded) {
        Error error = loaded.error();
        error.data.insert(QStringLiteral("errors"), errorList(error));
        return error;
    }
    for (const QString &warning : loaded.value().warnings) {
        qCWarning(lcConfig).noquote() << warning;
    }
    return apply(loaded.value().config);
}

Result<RuntimeService::Document> RuntimeService::apply(const Config &wanted)
{
    Config config = wanted;
    if (config.autodiscover && !m_discovered.isEmpty()) {
        config = defaultForDiscovered(m_discovered, config); // what was found stays in use
    }
    const ConfigChange change = whatChanged(m_config, config);
    QStringList changed = change.sections;
    for (const QStringList *list : { &change.addedServers, &change.removedServers, &change.changedServers }) {
        for (const QString &name : *list) {
            changed.append(QStringLiteral("servers.%1").arg(name));
        }
    }
    QStringList restart;
    for (const QString &section : change.sections) {
        if (section == QStringLiteral("metadata") || section == QStringLiteral("metrics")
            || section == QStringLiteral("proxy")) {
            restart.append(section);
        }
    }
    const QString metadata = m_config.metadataPath;
    m_config = config;
    m_config.metadataPath = metadata; // in use until the restart
    Answers answers;
    for (const QString &name : change.removedServers) {
        removeModels(name, answers);
        removeServer(name, answers);
    }
    const std::vector<ServerConfig> servers = m_config.servers; // an answer may lead to another reload
    for (const ServerConfig &server : servers) {
        const auto found = m_servers.find(server.name);
        if (found == m_servers.end()) {
            addServer(server);
            continue;
        }
        const ServerConfig &before = found->second->runtime->server();
        if (before.baseUrl != server.baseUrl || before.apiKey != server.apiKey
            || before.requestTimeoutMs != server.requestTimeoutMs) {
            const bool paused = found->second->runtime->coordinator().isPaused();
            const qint64 until = found->second->pausedUntilWallMs;
            removeModels(server.name, answers);
            removeServer(server.name, answers);
            Server *added = addServer(server);
            const qint64 leftMs = until < 0 ? -1 : until - m_clock->now().wallMs;
            if (paused && leftMs != 0) {
                added->pausedUntilWallMs = until;
                added->runtime->post(Paused { leftMs < 0 ? -1 : leftMs });
            }
            continue;
        }
        found->second->runtime->reconfigure(
            { server, makePolicy(m_config, server), m_loaded.serverPrefix(server.name) });
        reconfigureModels(server);
    }
    if (m_config.autodiscover && m_servers.empty()) {
        m_discoverTimer.start();
        discoverDefault();
    }
    for (const auto &answer : answers) {
        answer();
    }
    announce(eventname::configReloaded, {});
    return QJsonObject { { QStringLiteral("path"), m_options.configPath },
        { QStringLiteral("changed"), QJsonArray::fromStringList(changed) },
        { QStringLiteral("restartNeeded"), QJsonArray::fromStringList(restart) } };
}

void RuntimeService::removeServer(const QString &name, Answers &answers)
{
    const auto found = m_servers.find(name);
    if (found == m_servers.end()) {
        return;
    }
    Server *server = found->second.get();
    const Coordinator &coordinator = server->runtime->coordinator();
    LoadedServer kept;
    kept.snapshots = server->runtime->expectedRows();
    kept.highWater = coordinator.highWater();
    kept.totals = server->counters->totals();
    kept.settings.insert(QStringLiteral("modelFile"), server->runtime->keptModelFile());
    for (const auto &[hash, text] : coordinator.keptRates()) {
        kept.settings.insert(ratesSetting(hash), text);
    }
    for (const auto &[hash, text] : coordinator.keptProofs()) {
        kept.settings.insert(proofSetting(hash), text);
    }
    kept.settings.insert(nudgeSetting(), nudgeText(coordinator.nudgeBuilds()));
    kept.settings.insert(purgedSetting(), purgedText(coordinator.purgedFiles()));
    keepRates(*server);
    m_loaded.servers[name] = std::move(kept);
    if (server->counters->isDirty()) {
        m_store->submitTotals(name, server->counters->totals());
    }
    connect(server->runtime.get(), &ServerRuntime::left, this, [this, server] { bury(server); });
    server->models.reset();
    server->router = nullptr;
    server->runtime->leave();
    m_leaving.push_back(std::move(found->second));
    m_servers.erase(found);

    // Every call is answered: who waits there goes on without us.
    const auto here = [&](const auto &entry) { return entry.second.server == server; };
    std::erase_if(m_leases, here);
    const Error gone { ErrorCode::Cancelled,
        QStringLiteral("The configuration of server %1 was changed; go on without it.").arg(name), {} };
    const auto take = [&](auto &waiting, const auto &answer) {
        std::erase_if(waiting, [&](const auto &entry) {
            if (!here(entry)) {
                return false;
            }
            answers.push_back([reply = entry.second.reply, answer] { answer(reply); });
            return true;
        });
    };
    take(m_begins, [gone](const BeginReply &reply) { reply(BeginFailure { gone, false }); });
    take(m_ends, [gone](const Reply<EndAnswer> &reply) { reply(gone); });
    take(m_manuals, [gone](const Reply<ManualAnswer> &reply) { reply(gone); });
    for (auto &[request, flush] : m_flushes) {
        const std::size_t parts
            = std::erase_if(flush.parts, [&](const auto &part) { return part.first == server; });
        for (std::size_t i = 0; i < parts; ++i) {
            answers.push_back([this, id = request] { flushDone(id, 0); });
        }
    }
}

void RuntimeService::removeModels(const QString &router, Answers &answers)
{
    for (const QString &name : modelsOf(router)) {
        removeServer(name, answers);
    }
}

void RuntimeService::bury(Server *server)
{
    // From within its own signal.
    QTimer::singleShot(0, this, [this, server] {
        std::erase_if(m_leaving, [server](const auto &one) { return one.get() == server; });
    });
}

Result<RuntimeService::Document> RuntimeService::config(
    const QString &action, const QString &yaml, const QString &ifHash)
{
    const QString &path = m_options.configPath;
    QJsonObject out { { QStringLiteral("path"), path } };
    if (action == QStringLiteral("validate")) {
        const Result<LoadedConfig> read = readConfig(yaml.toUtf8(), path, m_options.environment);
        out.insert(QStringLiteral("valid"), read.ok());
        out.insert(QStringLiteral("errors"), read ? QJsonArray() : errorList(read.error()));
        return out;
    }
    if (action == QStringLiteral("set")) {
        if (m_stopping) {
            return Error { ErrorCode::Cancelled, QStringLiteral("kv-persist is stopping."), {} };
        }
        const Result<LoadedConfig> written
            = replaceConfigFile(path, yaml.toUtf8(), ifHash, m_options.environment);
        if (!written) {
            Error error = written.error();
            const bool changedMeanwhile = error.data.contains(QStringLiteral("hash"));
            if (error.code == ErrorCode::ConfigInvalid && !changedMeanwhile) {
                error.data.insert(QStringLiteral("errors"), errorList(error));
            }
            return error;
        }
        Result<Document> applied = apply(written.value().config);
        if (!applied) {
            return applied;
        }
        QJsonObject document = applied.value();
        document.insert(QStringLiteral("exists"), true);
        document.insert(QStringLiteral("hash"), configHash(yaml.toUtf8()));
        return document;
    }
    QFile file(path);
    out.insert(QStringLiteral("exists"), file.exists());
    if (file.exists()) {
        if (!file.open(QIODevice::ReadOnly)) {
            return Error { ErrorCode::MetadataIo,
                QStringLiteral("The configuration %1 cannot be read: %2.").arg(path, file.errorString()),
                {} };
        }
        const QByteArray bytes = file.readAll();
        out.insert(QStringLiteral("yaml"), QString::fromUtf8(bytes));
        out.insert(QStringLiteral("hash"), configHash(bytes));
    } else {
        out.insert(QStringLiteral("yaml"), QString());
        out.insert(QStringLiteral("hash"), QString());
    }
    return out;
}

} // namespace kv
