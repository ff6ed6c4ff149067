// SPDX-License-Identifier: MIT
// Traffic through the proxy for some minutes: chats, aborts at every point, nonsense; then what is left over.
#include "benchkit.h"
#include "realdaemon.h"
#include "realllamaserver.h"
#include "rpcclient.h"

#include <QDir>
#include <QElapsedTimer>
#include <QHostAddress>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace kv::bench {

namespace {

/// One client that never rests: a chat of a few turns, now and then given up or spoilt.
class Talker final : public QObject {
public:
    Talker(quint16 port, quint32 seed)
        : m_port(port)
        , m_random(seed)
    {
        connect(&m_socket, &QTcpSocket::readyRead, this, [this] { take(); });
        connect(&m_socket, &QTcpSocket::disconnected, this, [this] { m_idle = true; });
    }
    void step()
    {
        if (m_abortAt >= 0 && m_clock.elapsed() > m_abortAt) {
            ++aborted;
            m_abortAt = -1;
            m_socket.abort();
            m_idle = true;
        }
        if (m_idle && !stopping) {
            next();
        }
    }
    void hangUp() { m_socket.abort(); }

    int answered = 0;
    int aborted = 0;
    int spoilt = 0;
    bool stopping = false;

private:
    void next()
    {
        m_idle = false;
        m_got.clear();
        if (m_socket.state() != QAbstractSocket::ConnectedState) {
            m_socket.abort();
            m_socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
        }
        const quint32 dice = m_random.bounded(100U);
        if (dice < 5) {
            ++spoilt;
            m_socket.write(
                "POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n");
            return;
        }
        if (m_turns.isEmpty() || m_turns.size() > 12) {
            m_turns = { "chat " + QByteArray::number(m_random.generate()) + QByteArray(600, 'x') };
        }
        QByteArray messages;
        for (qsizetype i = 0; i < m_turns.size(); ++i) {
            messages += (i == 0 ? "" : ",") + QByteArray("{\"role\":\"") + (i % 2 == 0 ? "user" : "assistant")
                + "\",\"content\":\"" + m_turns[i] + "\"}";
        }
        const QByteArray body = "{\"messages\":[" + messages
            + "],\"stream\":" + (dice % 2 == 0 ? "true" : "false")
            + ",\"max_tokens\":" + QByteArray::number(4 + m_random.bounded(60)) + ",\"ignore_eos\":true}";
        // A few sessions only: what a session leaves on record is not left over.
        const QByteArray name = "X-Session-Id: soak-" + QByteArray::number(m_random.bounded(24)) + "\r\n";
        m_socket.write("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: "
            + QByteArray::number(body.size()) + "\r\n" + name + "\r\n" + body);
        m_clock.start();
        m_abortAt = dice >= 80 ? static_cast<qint64>(m_random.bounded(120U)) : -1;
    }
    void take()
    {
        m_got += m_socket.readAll();
        const qsizetype head = m_got.indexOf("\r\n\r\n");
        const qsizetype length = m_got.indexOf("Content-Length: ");
        const bool sized = length >= 0 && length < head;
        const bool whole = head >= 0
            && (sized ? m_got.size() >= head + 4
                            + m_got.mid(length + 16, m_got.indexOf('\r', length) - length - 16).toLongLong()
                      : QByteArrayView(m_got).sliced(head + 2).endsWith("\r\n0\r\n\r\n"));
        if (whole) {
            ++answered;
            m_abortAt = -1;
            m_turns.append("answer");
            m_turns.append("more");
            m_idle = true;
        }
    }

    quint16 m_port;
    QRandomGenerator m_random;
    QTcpSocket m_socket;
    QElapsedTimer m_clock;
    qint64 m_abortAt = -1;
    QList<QByteArray> m_turns;
    QByteArray m_got;
    bool m_idle = true;
};

QJsonObject look(const test::RealDaemon &daemon, test::RpcClient &client)
{
    const QJsonObject server
        = client.call(QStringLiteral("kv.status")).result[QStringLiteral("servers")][0].toObject();
    int running = 0;
    const QJsonArray slotList = server[QStringLiteral("slots")].toArray();
    for (const QJsonValue slot : slotList) {
        running += slot[QStringLiteral("running")][QStringLiteral("kind")].toString()
                == QStringLiteral("inference")
            ? 1
            : 0;
    }
    return { { QStringLiteral("descriptors"),
                 QDir(QStringLiteral("/proc/%1/fd").arg(daemon.pid()))
                     .entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot)
                     .size() },
        { QStringLiteral("residentBytes"), memoryBytes(daemon.pid(), "VmRSS") },
        { QStringLiteral("leases"), running },
        { QStringLiteral("waiting"), server[QStringLiteral("waiting")] } };
}

} // namespace

QJsonObject measureSoak(const Sizes &sizes)
{
    const double minutes = sizes.soakMinutes;
    constexpr int talkers = 8;
    const int settleMs = sizes.quietMs;
    const QString model = QStringLiteral("tiny-dense");
    if (const QString why = test::RealLlamaServer::whyNot(model); !why.isEmpty()) {
        return { { QStringLiteral("skipped"), why } };
    }
    QTemporaryDir slotFolder;
    test::RealLlamaServer server(model, slotFolder.path(),
        { QStringLiteral("-c"), QStringLiteral("16384"), QStringLiteral("-np"), QStringLiteral("2"),
            QStringLiteral("-t"), QStringLiteral("1") });
    const quint16 port = test::freePort();
    test::RealDaemon daemon;
    if (!server.start()) {
        return { { QStringLiteral("skipped"), server.log() } };
    }
    daemon.setConfig(
        "servers:\n  local:\n    mode: managed-slots\n    baseURL: " + server.url().toString().toUtf8()
        + "\nproviders: { p: local }\nleases: { holdMs: 0 }\nmetadata: { path: \"${METADATA}\" }\nproxy: { "
          "listen: 127.0.0.1:"
        + QByteArray::number(port) + ", server: local }\n");
    test::RpcClient client;
    if (!daemon.start() || !client.connectTo(daemon.socketPath())) {
        return { { QStringLiteral("skipped"), daemon.log() } };
    }
    std::vector<std::unique_ptr<Talker>> all;
    for (quint32 i = 0; i < talkers; ++i) {
        all.push_back(std::make_unique<Talker>(port, i + 1));
    }
    const auto run = [&](qint64 ms) {
        QElapsedTimer clock;
        for (clock.start(); clock.elapsed() < ms;) {
            for (const auto &talker : all) {
                talker->step();
            }
            QTest::qWait(2);
        }
    };
    const auto rest = [&] {
        for (const auto &talker : all) {
            talker->stopping = true;
        }
        run(settleMs);
        for (const auto &talker : all) {
            talker->hangUp();
        }
        run(1000);
        const QJsonObject seen = look(daemon, client);
        for (const auto &talker : all) {
            talker->stopping = false;
        }
        return seen;
    };
    run(sizes.soakSettleMs); // what is made once is made
    const QJsonObject before = rest();
    QJsonArray course;
    const qint64 part = std::max<qint64>(static_cast<qint64>(minutes * 60'000 / 10), 100);
    for (int i = 0; i < 10; ++i) {
        run(part);
        course.append(memoryBytes(daemon.pid(), "VmRSS"));
    }
    const QJsonObject after = rest();
    int answered = 0;
    int aborted = 0;
    int spoilt = 0;
    for (const auto &talker : all) {
        answered += talker->answered;
        aborted += talker->aborted;
        spoilt += talker->spoilt;
    }
    return { { QStringLiteral("minutes"), minutes }, { QStringLiteral("answered"), answered },
        { QStringLiteral("aborted"), aborted }, { QStringLiteral("refused"), spoilt },
        { QStringLiteral("before"), before }, { QStringLiteral("residentBytesEachTenth"), course },
        { QStringLiteral("after"), after }, { QStringLiteral("daemonRuns"), daemon.running() },
        { QStringLiteral("daemonsLastWords"), daemon.running() ? QString() : daemon.log().right(4000) } };
}

} // namespace kv::bench
