// SPDX-License-Identifier: MIT
#include "e2estage.h"

#include <QDateTime>
#include <QDir>
#include <QJsonArray>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QUrl>
#include <QtTest>

namespace kv::test {

namespace {

constexpr int c_patienceMs = 30000;

QByteArray configText(const StageOptions &options, const QString &url)
{
    // Nothing but what a test asks for moves a slot: no idle save comes by itself, and every size is worth a
    // save.
    const QByteArray checkpoint = options.config.contains("checkpoint:")
        ? QByteArray()
        : "checkpoint: { idleMs: 600000, minTokens: 1 }\n";
    // And a cold start is seen as such.
    const QByteArray coldStart = options.config.contains("coldStart:") ? "" : "coldStart: erase\n";
    return "servers:\n  local:\n    type: llama.cpp\n    baseURL: " + url.toUtf8() + '\n'
        + options.serverConfig + "providers:\n  local-qwen: local\n" + options.providers
        + "metadata: { path: '${METADATA}' }\nlogging: { level: debug }\n" + checkpoint + coldStart
        + options.config;
}

} // namespace

QStringList StageOptions::plainServer()
{
    return { QStringLiteral("-np"), QStringLiteral("1"), QStringLiteral("--cache-ram"), QStringLiteral("0"),
        QStringLiteral("-c"), QStringLiteral("8192"), QStringLiteral("-t"), QStringLiteral("1") };
}

Stage::Stage(StageOptions options)
    : m_options(std::move(options))
    , m_server(m_options.model, slotFolder(), m_options.serverFlags)
{
}

bool Stage::start()
{
    if (!m_server.start()) {
        return false;
    }
    m_proxy.setUpstream(m_server.port());
    QByteArray config = configText(
        m_options, m_options.direct ? m_server.url().toString(QUrl::StripTrailingSlash) : m_proxy.url());
    config.replace("${SLOTS}", slotFolder().toUtf8());
    m_daemon.setConfig(config);
    if (!m_daemon.start() || !connectClient() || !waitHealthy()) {
        return false;
    }
    m_proxy.forget();
    return true;
}

bool Stage::connectClient()
{
    m_client = std::make_unique<RpcClient>();
    return m_client->connectTo(m_daemon.socketPath())
        && (!m_options.pins
            || m_client->call(QStringLiteral("hello"), { { QStringLiteral("pins"), true } }).ok());
}

bool Stage::waitHealthy()
{
    return QTest::qWaitFor(
        [this] {
            const QJsonObject first = status()[QStringLiteral("servers")][0].toObject();
            return first[QStringLiteral("backend")][QStringLiteral("state")] == QStringLiteral("healthy");
        },
        c_patienceMs);
}

void Stage::stopServer()
{
    m_proxy.setListening(false);
    m_server.kill();
}

bool Stage::startServer()
{
    const bool up = m_server.start();
    m_proxy.setUpstream(m_server.port());
    return up && m_proxy.setListening(true);
}

bool Stage::waitUnowned()
{
    return QTest::qWaitFor(
        [this] { return slot()[QStringLiteral("owner")].toString().isEmpty(); }, c_patienceMs);
}

bool Stage::waitActions(int count, int timeoutMs)
{
    return QTest::qWaitFor([&] { return m_proxy.actions().size() >= count; }, timeoutMs);
}

QJsonObject Stage::beginParams(const QString &session, const QJsonObject &more)
{
    QJsonObject params { { QStringLiteral("session"), session },
        { QStringLiteral("provider"), QStringLiteral("local-qwen") },
        { QStringLiteral("model"), QStringLiteral("qwen") } };
    for (auto it = more.begin(); it != more.end(); ++it) {
        params.insert(it.key(), it.value());
    }
    return params;
}

RpcReply Stage::begin(const QString &session, const QJsonObject &more)
{
    return m_client->call(QStringLiteral("request.begin"), beginParams(session, more));
}

RpcReply Stage::end(const RpcReply &begun, const Completion &answer, const QJsonObject &more)
{
    QJsonObject params { { QStringLiteral("lease"), begun.result[QStringLiteral("lease")] },
        { QStringLiteral("outcome"), QStringLiteral("ok") }, { QStringLiteral("more"), false },
        { QStringLiteral("usage"), answer.usage() }, { QStringLiteral("timings"), answer.timings() } };
    for (auto it = more.begin(); it != more.end(); ++it) {
        params.insert(it.key(), it.value());
    }
    return m_client->call(QStringLiteral("request.end"), params);
}

Turn Stage::turn(Conversation &conversation, const QJsonObject &moreBegin)
{
    m_proxy.forget();
    Turn turn;
    turn.begin = begin(conversation.session(), moreBegin);
    turn.answer = complete(m_server.port(), conversation.prompt(), true, c_answerTokens, pinOf(turn.begin));
    turn.end = end(turn.begin, turn.answer);
    conversation.answered(turn.answer);
    return turn;
}

int Stage::pinOf(const RpcReply &begun) const
{
    return m_options.pins ? begun.result[QStringLiteral("transport")][QStringLiteral("id_slot")].toInt(-1)
                          : -1;
}

RpcReply Stage::hint(const QString &session, const QString &type)
{
    return m_client->call(QStringLiteral("session.event"),
        { { QStringLiteral("session"), session }, { QStringLiteral("type"), type },
            { QStringLiteral("provider"), QStringLiteral("local-qwen") },
            { QStringLiteral("model"), QStringLiteral("qwen") } });
}

QJsonObject Stage::status() { return m_client->call(QStringLiteral("kv.status")).result; }

QJsonObject Stage::slot()
{
    return status()[QStringLiteral("servers")][0][QStringLiteral("slots")][0].toObject();
}

qint64 Stage::stat(const QString &name) { return status()[QStringLiteral("stats")][name].toInteger(-1); }

RealLlamaServer &Stage::reference()
{
    if (m_reference == nullptr) {
        m_reference = std::make_unique<RealLlamaServer>(m_options.model, QString(), m_options.serverFlags);
        if (!m_reference->start()) {
            qFatal("the reference server does not start: %s", qPrintable(m_reference->log()));
        }
    }
    return *m_reference;
}

QList<int> Stage::warmReference(const Conversation &conversation)
{
    QList<int> tokens;
    bool first = true;
    for (const QList<int> &prompt : conversation.sent()) {
        tokens = complete(reference().port(), prompt, !first).tokens;
        first = false;
    }
    return tokens;
}

QList<int> Stage::coldReference(const Conversation &conversation)
{
    return complete(reference().port(), conversation.sent().last(), false).tokens;
}

QStringList Stage::snapshotFiles() const
{
    QStringList lines;
    const QFileInfoList files = QDir(slotFolder()).entryInfoList(QDir::Files, QDir::Name);
    for (const QFileInfo &file : files) {
        lines.append(QStringLiteral("%1 %2 %3")
                         .arg(file.fileName())
                         .arg(file.size())
                         .arg(file.lastModified().toMSecsSinceEpoch()));
    }
    return lines;
}

void Stage::removeSnapshotFiles() const
{
    QDir folder(slotFolder());
    const QStringList names = folder.entryList(QDir::Files);
    for (const QString &name : names) {
        folder.remove(name);
    }
}

QString Stage::log() const
{
    return QStringLiteral("--- calls\n%1\n--- daemon\n%2\n").arg(m_proxy.transcript(), m_daemon.log());
}

} // namespace kv::test
