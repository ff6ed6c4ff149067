// SPDX-License-Identifier: MIT
// RuntimeService: doctor and discovery.
#include "doctorrun.h"
#include "policymaker.h"
#include "runtimeservice.h"
#include "slotfolder.h"

#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>

namespace kv {

namespace {

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

RequestId RuntimeService::doctor(ConnectionId connection, const QJsonObject &params,
    std::function<void(QJsonObject)> check, Reply<Document> reply)
{
    std::vector<DoctorRun::Subject> subjects;
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
        DoctorRun::Subject subject;
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
            const ServerConfig &settings = server->runtime->server();
            DoctorRun::Subject subject;
            subject.server = settings.name;
            subject.endpoint = endpointOf(settings);
            subject.managed = settings.mode == ServerConfig::Mode::ManagedSlots;
            subject.slotId = settings.slotId;
            subject.knownTrouble = server->runtime->coordinator().unsupportedReason();
            subject.pinless = server->runtime->coordinator().pinless();
            subject.savedBefore = server->runtime->coordinator().rates().savePerSecond > 0;
            subjects.push_back(subject);
        }
    }
    std::vector<QJsonObject> local;
    for (const auto &[name, server] : m_servers) {
        const bool asked = std::any_of(subjects.begin(), subjects.end(),
            [&, served = name](const auto &one) { return one.server == served; });
        const SlotFolderFinding found = findSlotFolder(*server->runtime);
        if (!asked || found.message.isEmpty()) {
            continue;
        }
        const bool offer = found.kind == SlotFolderFinding::Kind::Offer; // nothing is wrong
        QJsonObject one = DoctorRun::makeCheck(QStringLiteral("slot folder"),
            offer ? QStringLiteral("passed") : QStringLiteral("warning"),
            offer ? found.message + QLatin1Char(' ') + found.remedy : found.message,
            offer ? QString() : found.remedy);
        one.insert(QStringLiteral("server"), name);
        local.push_back(one);
    }
    const QFileInfo folder(m_config.metadataPath);
    local.push_back(folder.isDir() && folder.isWritable()
            ? DoctorRun::makeCheck(QStringLiteral("metadata folder"), QStringLiteral("passed"),
                QStringLiteral("%1 can be written to.").arg(m_config.metadataPath))
            : DoctorRun::makeCheck(QStringLiteral("metadata folder"), QStringLiteral("failed"),
                QStringLiteral("%1 is missing or cannot be written to: nothing new can be kept.")
                    .arg(m_config.metadataPath),
                QStringLiteral("Make the folder writable for this user, or set metadata.path.")));
    if (subjects.empty()) {
        local.push_back(DoctorRun::makeCheck(QStringLiteral("configuration"), QStringLiteral("failed"),
            QStringLiteral("No server is configured, and none was found on the usual ports of this machine."),
            QStringLiteral(
                "Start llama-server with --slot-save-path FOLDER, or name it under servers: in %1.")
                .arg(m_options.configPath)));
    }
    const RequestId id = m_nextRequest++;
    auto run = std::make_unique<DoctorRun>(std::move(subjects), std::move(local));
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
