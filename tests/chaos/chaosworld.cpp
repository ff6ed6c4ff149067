// SPDX-License-Identifier: MIT
#include "chaosworld.h"

#include <QDir>
#include <QJsonArray>
#include <QtEndian>
#include <QtTest>

#include <algorithm>

namespace kv::test {

namespace {

constexpr int c_restMs = 40000;
constexpr qsizetype c_header = 36;
constexpr qsizetype c_bytesPerToken = 4;

QByteArray configText(const ChaosOptions &options, const QUrl &url, const QString &slotFolder)
{
    QByteArray server = "servers:\n  s:\n    baseURL: " + url.toEncoded() + "\n    requestTimeoutMs: 2000\n";
    if (options.slotCount > 1) {
        server += "    mode: managed-slots\n";
    }
    if (options.sharedFiles) {
        server += "    snapshotBinaryManagement: shared-filesystem\n    slotSavePath: '" + slotFolder.toUtf8()
            + "'\n";
    }
    const QByteArray metadata = options.metadata.isEmpty() ? "${METADATA}" : options.metadata.toUtf8();
    return server + "providers: { p: s }\nmetadata: { path: '" + metadata
        + "' }\nlogging: { level: warn }\n"
          "checkpoint: { idleMs: 150, minTokens: 1 }\nleases: { idleMs: 1000 }\n"
          "failure: { cooldownMs: 300 }\nretention: { minFreeBytes: off }\n";
}

QByteArray tokensOf(const QByteArray &file)
{
    QByteArray out;
    for (qsizetype at = c_header; at < file.size(); at += c_bytesPerToken) {
        out.append(file.at(at));
    }
    return out;
}

} // namespace

quint32 chaosSeed()
{
    bool ok = false;
    const uint seed = qEnvironmentVariable("KV_PERSIST_CHAOS_SEED").toUInt(&ok);
    return ok ? seed : QRandomGenerator::global()->generate();
}

int chaosRounds(int otherwise)
{
    bool ok = false;
    const int rounds = qEnvironmentVariable("KV_PERSIST_CHAOS_ROUNDS").toInt(&ok);
    return ok && rounds > 0 ? rounds : otherwise;
}

ChaosWorld::ChaosWorld(ChaosOptions options)
    : m_options(std::move(options))
    , m_random(m_options.seed)
    , m_slotFolder(m_options.slotFolder.isEmpty() ? m_ownFolder.path() : m_options.slotFolder)
    , m_server(serverOptions(false))
{
    const int perClient = 2;
    for (int i = 0; i < m_options.clients; ++i) {
        std::vector<ChaosSession> sessions;
        for (int k = 0; k < perClient; ++k) {
            const int number = i * perClient + k;
            sessions.push_back({ QStringLiteral("session-%1").arg(number), static_cast<char>('a' + number),
                150 + 20 * number });
        }
        m_clients.push_back(std::make_unique<ChaosClient>(*this, std::move(sessions), m_random.generate()));
    }
}

FakeOptions ChaosWorld::serverOptions(bool second) const
{
    FakeOptions options;
    options.slotCount = m_options.slotCount;
    options.slotContext = 1 << 20;
    options.saveFolder = m_slotFolder;
    options.promptMsPerToken = 0.01;
    options.predictMsPerToken = 0.5;
    if (second) {
        options.weights = QStringLiteral("weights-b");
        options.modelPath = QStringLiteral("/models/second.gguf");
    }
    return options;
}

bool ChaosWorld::start()
{
    startServer();
    m_daemon.setConfig(configText(m_options, m_server.url(), m_slotFolder));
    return m_serverUp && startDaemon();
}

void ChaosWorld::work(int ms)
{
    QElapsedTimer time;
    time.start();
    while (time.elapsed() < ms) {
        for (const auto &client : m_clients) {
            client->awake();
            client->step();
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents, 2);
        QTest::qSleep(1);
    }
}

bool ChaosWorld::comeToRest()
{
    return QTest::qWaitFor(
        [this] {
            bool resting = true;
            for (const auto &client : m_clients) {
                resting = client->rest() && resting;
                client->step();
            }
            return resting;
        },
        c_restMs);
}

void ChaosWorld::killDaemon()
{
    count(QStringLiteral("daemon killed"));
    m_daemon.kill();
}

bool ChaosWorld::startDaemon()
{
    if (m_daemon.start()) {
        return true;
    }
    fault(QStringLiteral("the daemon did not start again"));
    return false;
}

void ChaosWorld::killServer()
{
    count(QStringLiteral("server killed"));
    m_server.stop();
    m_serverUp = false;
    ++m_process;
}

void ChaosWorld::startServer()
{
    ++m_process;
    m_serverUp = m_server.restartWith(serverOptions(m_second));
    if (!m_serverUp) {
        fault(QStringLiteral("the fake server could not listen"));
    }
}

void ChaosWorld::changeModel() { m_second = !m_second; }

void ChaosWorld::swapServer()
{
    count(QStringLiteral("server swapped"));
    changeModel();
    ++m_process;
    m_server.becomes(serverOptions(m_second));
    m_serverUp = true;
}

void ChaosWorld::fault(const QString &what) { m_faults.append(what); }

int ChaosWorld::counted(const QString &what) const
{
    const auto found = m_counts.find(what);
    return found == m_counts.end() ? 0 : found->second;
}

void ChaosWorld::durable(const QString &session, char letter, qint64 tokens)
{
    Kept &kept = m_kept[{ m_second, session }];
    kept.letter = letter;
    kept.tokens = std::max(kept.tokens, tokens);
}

QString ChaosWorld::summary() const
{
    QStringList parts { QStringLiteral("seed %1").arg(m_options.seed) };
    for (const auto &[what, times] : m_counts) {
        parts.append(QStringLiteral("%1: %2").arg(what).arg(times));
    }
    return parts.join(QStringLiteral(", "));
}

int ChaosWorld::descriptors() const
{
    const QDir folder(QStringLiteral("/proc/%1/fd").arg(m_daemon.pid()));
    return folder.exists() ? static_cast<int>(folder.entryList(QDir::Files | QDir::System).size()) : -1;
}

RpcReply ChaosWorld::turn(RpcClient &client, const QString &session, const QByteArray &prompt)
{
    client.call(QStringLiteral("hello"), { { QStringLiteral("pins"), true } });
    const RpcReply begun = client.call(QStringLiteral("request.begin"),
        { { QStringLiteral("session"), session }, { QStringLiteral("provider"), QStringLiteral("p") },
            { QStringLiteral("model"), QStringLiteral("m") } });
    FakeCompletion request;
    request.prompt = prompt;
    request.slot = begun.result[QStringLiteral("transport")][QStringLiteral("id_slot")].toInt(0);
    const FakeCompletionReply reply = m_server.engine().completeNow(request);
    if (reply.wrongState) {
        fault(QStringLiteral("%1 reused what another model had computed").arg(session));
    }
    client.call(QStringLiteral("request.end"),
        { { QStringLiteral("lease"), begun.result[QStringLiteral("lease")] },
            { QStringLiteral("outcome"), QStringLiteral("error") } });
    return begun;
}

void ChaosWorld::verifyNothingLost()
{
    for (const bool second : { false, true }) {
        m_second = second;
        startServer();
        RpcClient client;
        if (!client.connectTo(socketPath())) {
            fault(QStringLiteral("the daemon does not answer"));
            return;
        }
        // Two deaths in a row within a restore stop restoring until a person says otherwise; so it is said.
        client.call(QStringLiteral("kv.resume"));
        // Recovered, and the new process seen.
        const bool healthy = QTest::qWaitFor(
            [&] {
                turn(client, QStringLiteral("somebody-else"), QByteArray(50, 'Z'));
                const QJsonObject status = client.call(QStringLiteral("kv.status")).result;
                const QJsonValue backend = status[QStringLiteral("servers")][0][QStringLiteral("backend")];
                return backend[QStringLiteral("state")] == QStringLiteral("healthy");
            },
            c_restMs);
        if (!healthy) {
            fault(QStringLiteral("the server is not seen healthy again"));
        }
        for (const auto &[key, kept] : m_kept) {
            if (key.first == second) {
                verifyKept(client, key.second, kept);
            }
        }
    }
}

void ChaosWorld::verifyKept(RpcClient &client, const QString &session, const Kept &kept)
{
    const RpcReply got = client.call(QStringLiteral("kv.get"), { { QStringLiteral("session"), session } });
    const QString model = serverOptions(m_second).modelPath;
    QJsonObject row;
    for (const QJsonValue &manifest : got.result[QStringLiteral("manifests")].toArray()) {
        if (manifest[QStringLiteral("runtime")][QStringLiteral("modelPath")] == model) {
            row = manifest.toObject();
        }
    }
    const QString what = QStringLiteral("%1 of %2, %3 tokens").arg(session, model).arg(kept.tokens);
    if (row[QStringLiteral("reason")] == QStringLiteral("SERVER_DIED")) {
        count(QStringLiteral("quarantined")); // the server was killed while it read that file
        return;
    }
    if (row[QStringLiteral("tokens")].toInteger() < kept.tokens
        || row[QStringLiteral("state")] != QStringLiteral("valid")) {
        fault(QStringLiteral("lost: %1; on record: %2").arg(what, got.text()));
        return;
    }
    const QByteArray file
        = m_server.files().read(row[QStringLiteral("snapshotFilename")].toString()).value_or(QByteArray());
    const QByteArray tokens = tokensOf(file);
    if (tokens.count(kept.letter) < kept.tokens - 8 || tokens.size() < kept.tokens) {
        fault(QStringLiteral("not its own tokens: %1: %2").arg(what, QString::fromUtf8(tokens.left(60))));
    }
    const RpcReply begun
        = turn(client, session, QByteArray(static_cast<int>(kept.tokens) + 500, kept.letter));
    const QString outcome = begun.result[QStringLiteral("outcome")].toString();
    if (outcome != QStringLiteral("restored") && outcome != QStringLiteral("resident")) {
        fault(QStringLiteral("not restored: %1: %2").arg(what, begun.text()));
        return;
    }
    count(QStringLiteral("verified"));
}

} // namespace kv::test
