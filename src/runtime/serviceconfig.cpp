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
    if (change.sections.contains(QStringLiteral("metadata"))) {
        restart.append(QStringLiteral("metadata"));
    }
    const QString metadata = m_config.metadataPath;
    m_config = config;
    m_config.metadataPath = metadata; // in use until the restart
    Answers answers;
    for (const QString &name : change.removedServers) {
        removeModels(name, answers);
        removeServer(name, answers);
        if (const auto unmade = m_addLater.extract(name)) {
            refuseBegins(unmade.mapped(), answers);
        }
    }
    const std::vector<ServerConfig> servers = m_config.servers; // an answer may lead to another reload
    for (const ServerConfig &server : servers) {
        const auto found = m_servers.find(server.name);
        if (found == m_servers.end()) {
            startServer({ server, false, -1 });
            continue;
        }
        const ServerConfig &before = found->second->runtime->server();
        if (before.baseUrl != server.baseUrl || before.apiKey != server.apiKey
            || before.requestTimeoutMs != server.requestTimeoutMs) {
            const bool paused = found->second->runtime->coordinator().isPaused();
            const qint64 until = found->second->pausedUntilWallMs;
            removeModels(server.name, answers);
            removeServer(server.name, answers);
            startServer({ server, paused, until });
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
