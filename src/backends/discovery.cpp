// SPDX-License-Identifier: MIT
#include "discovery.h"

#include "factsbook.h"
#include "failuretext.h"
#include "llamacppbackend.h"
#include "servercommandline.h"
#include "serverjson.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace kv {

namespace {

// An endpoint on this machine that is silent for longer is no use to anybody; elsewhere the caller sets the
// time.
constexpr int c_localTimeoutMs = 3000;

} // namespace

ServerDiscovery::ServerDiscovery(const ServerEndpoint &endpoint, QObject *parent, ProcessFinder finder)
    : QObject(parent)
    , m_http(endpoint)
    , m_finder(std::move(finder))
    , m_where(m_http.endpoint().base.toString(QUrl::RemoveUserInfo))
{
    m_findings.base = m_http.endpoint().base;
}

// Running calls are children and would outlive m_http, whose managers they use.
ServerDiscovery::~ServerDiscovery()
{
    qDeleteAll(findChildren<HttpCall *>(QString(), Qt::FindDirectChildrenOnly));
}

void ServerDiscovery::start() { ask(QStringLiteral("/health"), &ServerDiscovery::onHealth); }

void ServerDiscovery::ask(const QString &path, Step next)
{
    auto *call = m_http.getPlain(path, m_http.endpoint().requestTimeoutMs, this);
    connect(call, &HttpCall::finished, this, next);
}

void ServerDiscovery::addMissing(const QString &name, const QString &remedy, const QString &message)
{
    m_findings.missing.append({ name, remedy, message });
}

void ServerDiscovery::onHealth(const HttpAnswer &answer)
{
    const OpFailure failure = failureOf(answer);
    m_findings.heard = answer.transport != OpFailure::ConnectionRefused && !answer.timedOut;
    if (answer.transport != OpFailure::None) {
        addMissing(QStringLiteral("server"), QStringLiteral("baseURL"),
            FailureText::message(
                failure, answer, FailureText::wanted(OpKind::Identity, 0), m_http.endpoint().base));
        finish();
        return;
    }
    m_findings.loading = failure == OpFailure::Loading;
    m_findings.alive = failure == OpFailure::None;
    ask(QStringLiteral("/props"), &ServerDiscovery::onProps);
}

void ServerDiscovery::onProps(const HttpAnswer &answer)
{
    const OpFailure failure = failureOf(answer);
    const bool keySent = !m_http.endpoint().apiKey.isEmpty();
    if (failure == OpFailure::Unauthorized) {
        m_findings.key = keySent ? ServerFindings::Key::Wrong : ServerFindings::Key::Missing;
        // Its own error shape; other servers that want a key answer otherwise.
        m_findings.llamaServer = m_findings.alive && answer.body.contains("authentication_error");
        addMissing(QStringLiteral("apiKey"), QStringLiteral("apiKeyFile"),
            keySent ? tr("The server at %1 does not take the configured API key. Set apiKeyFile to the key "
                         "that it was "
                         "started with (--api-key).")
                          .arg(m_where)
                    : tr("The server at %1 wants an API key and none is configured. Set apiKeyFile to the "
                         "key that it "
                         "was started with (--api-key).")
                          .arg(m_where));
        finish();
        return;
    }
    if (failure == OpFailure::Loading) {
        m_findings.loading = true;
        m_findings.llamaServer = answer.body.contains("unavailable_error");
        addMissing(QStringLiteral("server"), {},
            FailureText::message(
                failure, answer, FailureText::wanted(OpKind::Identity, 0), m_http.endpoint().base));
        finish();
        return;
    }
    const auto props = failure == OpFailure::None ? parseProps(answer.body) : Result<PropsAnswer>(Error {});
    if (!props) {
        addMissing(QStringLiteral("server"), QStringLiteral("baseURL"),
            tr("What answers at %1 is no llama-server, or hides its properties (GET /props). Set baseURL to "
               "a "
               "llama-server.")
                .arg(m_where));
        finish();
        return;
    }
    m_findings.llamaServer = true;
    m_findings.key = keySent ? ServerFindings::Key::Accepted : ServerFindings::Key::NotAsked;
    m_findings.router = props.value().router;
    m_findings.sleeping = props.value().sleeping;
    m_findings.totalSlots = props.value().totalSlots;
    m_findings.slotContext = props.value().slotContext;
    m_findings.build = props.value().build;
    m_findings.modelPath = props.value().modelPath;
    m_findings.alias = props.value().alias;
    m_findings.multimodal = props.value().multimodal;
    lookAtProcess(props.value());
    if (m_findings.router) {
        ask(QStringLiteral("/models"), &ServerDiscovery::onModels);
        return;
    }
    m_findings.slotsListing = props.value().slotsEndpoint; // newer builds tell it here
    const bool listed = m_findings.slotsListing.value_or(true);
    if (!m_findings.sleeping && (!m_findings.slotsListing || (listed && m_looksIntoSlots))) {
        ask(QStringLiteral("/slots"), &ServerDiscovery::onSlots);
        return;
    }
    finish();
}

void ServerDiscovery::onModels(const HttpAnswer &answer)
{
    const auto models = parseModels(answer.body);
    const QString &wanted = m_http.endpoint().routerModel;
    if (failureOf(answer) == OpFailure::None && models) {
        for (const ModelEntry &entry : models.value()) {
            m_findings.models.append(entry.id);
            if (entry.loaded()) {
                m_findings.loadedModels.append(entry.id);
            }
            if (!wanted.isEmpty() && entry.hasName(wanted)) {
                m_findings.commandLine = parseServerCommandLine(entry.args);
                m_findings.slotSavePath = savesSlots(entry);
                const bool number = m_findings.commandLine->streams != QStringView(u"auto");
                m_findings.totalSlots = number ? m_findings.commandLine->streams.toInt() : 0;
            }
        }
        if (wanted.isEmpty()) {
            judgeRouter(models.value());
        }
    }
    if (!wanted.isEmpty() && !m_findings.slotSavePath) {
        addMissing(QStringLiteral("model"), QStringLiteral("model"),
            tr("The router at %1 knows no model named “%2”. Use one of: %3.")
                .arg(m_where, wanted, m_findings.models.join(QStringLiteral(", "))));
    }
    finish();
}

bool ServerDiscovery::savesSlots(const ModelEntry &model) const
{
    // A model's process has the router's environment, too, which its arguments do not show.
    return !parseServerCommandLine(model.args).slotSavePath.isEmpty()
        || (m_findings.routerLine && !m_findings.routerLine->slotSavePath.isEmpty());
}

void ServerDiscovery::judgeRouter(const std::vector<ModelEntry> &models)
{
    const bool told = std::any_of(
        models.begin(), models.end(), [](const ModelEntry &entry) { return !entry.args.isEmpty(); });
    if (told) {
        m_findings.slotSavePath = std::any_of(
            models.begin(), models.end(), [&](const ModelEntry &entry) { return savesSlots(entry); });
    } else if (m_findings.routerLine) {
        m_findings.slotSavePath = !m_findings.routerLine->slotSavePath.isEmpty();
    }
}

void ServerDiscovery::onSlots(const HttpAnswer &answer)
{
    const OpFailure failure = failureOf(answer);
    if (failure == OpFailure::None) {
        m_findings.slotsListing = parseSlots(answer.body).ok();
        const QJsonArray listed = QJsonDocument::fromJson(answer.body).array();
        m_findings.showsPrompts = std::any_of(listed.begin(), listed.end(),
            [](const QJsonValue &slot) { return !slot[u"prompt"].toString().isEmpty(); });
    } else if (failure == OpFailure::Unsupported) {
        m_findings.slotsListing = false;
    }
    finish();
}

void ServerDiscovery::lookAtProcess(const PropsAnswer &props)
{
    const quint16 port = localPort(m_http.endpoint().base);
    const auto process = port != 0 ? m_finder(port) : std::nullopt;
    if (!props.router) {
        m_findings.boot = bootOf(props, process);
    }
    if (process) {
        ServerCommandLine line = parseServerCommandLine(process->argv, process->environment);
        line.apiKey = line.apiKey || process->keyVariable;
        m_findings.local = true;
        m_findings.userId = process->userId;
        m_findings.groupIds = process->groupIds;
        if (props.router) {
            m_findings.routerLine = std::move(line);
            return;
        }
        m_findings.slotSavePath = !line.slotSavePath.isEmpty();
        if (!line.slotSavePath.isEmpty()) {
            m_findings.slotFolder
                = QDir::cleanPath(QDir(process->workingDirectory).absoluteFilePath(line.slotSavePath));
        }
        m_findings.commandLine = std::move(line);
    }
}

void ServerDiscovery::finish()
{
    if (m_findings.slotsListing == false) {
        addMissing(QStringLiteral("slots"), QStringLiteral("--slots"),
            tr("The server at %1 does not list its slots, so nobody can tell whether one is in use, and "
               "nothing is "
               "saved or restored. Start it without --no-slots.")
                .arg(m_where));
    }
    if (m_findings.slotSavePath == false) {
        addMissing(QStringLiteral("slotSavePath"), QStringLiteral("--slot-save-path DIR"),
            tr("The server at %1 has no folder to save slots to, so nothing can be saved or restored. Start "
               "it with "
               "--slot-save-path DIR, where DIR is an existing folder.")
                .arg(m_where));
    }
    Q_EMIT finished(m_findings);
}

LocalDiscovery::LocalDiscovery(QList<quint16> ports, QObject *parent)
    : QObject(parent)
    , m_ports(std::move(ports))
{
}

LocalDiscovery::~LocalDiscovery() = default;

void LocalDiscovery::start()
{
    m_running = m_ports.size();
    m_found = QList<ServerFindings>(m_ports.size());
    if (m_ports.isEmpty()) {
        QMetaObject::invokeMethod(
            this, [this] { Q_EMIT finished({}); }, Qt::QueuedConnection);
        return;
    }
    for (qsizetype i = 0; i < m_ports.size(); ++i) {
        ServerEndpoint endpoint;
        endpoint.base.setScheme(QStringLiteral("http"));
        endpoint.base.setHost(QStringLiteral("127.0.0.1"));
        endpoint.base.setPort(m_ports.at(i));
        endpoint.requestTimeoutMs = c_localTimeoutMs;
        auto *discovery = new ServerDiscovery(endpoint, this);
        connect(discovery, &ServerDiscovery::finished, this,
            [this, i, discovery](const ServerFindings &findings) {
                discovery->deleteLater();
                oneDone(i, findings);
            });
        discovery->start();
    }
}

void LocalDiscovery::oneDone(qsizetype index, const ServerFindings &findings)
{
    m_found[index] = findings;
    if (--m_running > 0) {
        return;
    }
    QList<ServerFindings> servers;
    for (const ServerFindings &each : m_found) {
        if (each.llamaServer) {
            servers.append(each);
        }
    }
    Q_EMIT finished(servers);
}

} // namespace kv
