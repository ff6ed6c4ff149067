// SPDX-License-Identifier: MIT
// What the proxy adds: to a request and to each streamed chunk, against the server itself in the same run.
#include "benchkit.h"
#include "realdaemon.h"
#include "realllamaserver.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QHostAddress>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <thread>

namespace kv::bench {

namespace {

constexpr int c_waitMs = 10'000;

qint64 nowNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Requests of different lengths are different conversations.
QByteArray requestBytes(const QByteArray &method, const QByteArray &target, const QByteArray &body)
{
    const QByteArray size = QByteArray::number(body.size());
    return method + ' ' + target + " HTTP/1.1\r\nHost: bench\r\nX-Session-Id: bench-" + size
        + "\r\nContent-Type: application/json\r\nContent-Length: " + size + "\r\n\r\n" + body;
}

/// Blocking, over one kept connection.
class WireClient final {
public:
    explicit WireClient(quint16 port)
        : m_port(port)
    {
    }
    /// Microseconds until the answer was there whole; −1: it was not.
    double ask(const QByteArray &request)
    {
        // A server that closes after each answer is connected to outside of the measurement.
        if (m_socket.state() != QAbstractSocket::ConnectedState) {
            m_socket.abort();
            m_socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
            m_socket.waitForConnected(c_waitMs);
            m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
        }
        QElapsedTimer timer;
        timer.start();
        m_socket.write(request);
        QByteArray got;
        while (!isWhole(got)) {
            if (m_socket.bytesAvailable() == 0 && !m_socket.waitForReadyRead(c_waitMs)) {
                return -1;
            }
            got += m_socket.readAll();
        }
        return static_cast<double>(timer.nsecsElapsed()) / 1e3;
    }

private:
    static bool isWhole(const QByteArray &got)
    {
        const qsizetype head = got.indexOf("\r\n\r\n");
        const qsizetype length = got.indexOf("Content-Length: ");
        if (head < 0) {
            return false;
        }
        if (length < 0 || length > head) {
            return QByteArrayView(got).sliced(head + 2).endsWith("\r\n0\r\n\r\n");
        }
        const qsizetype size = got.mid(length + 16, got.indexOf('\r', length) - length - 16).toLongLong();
        return got.size() >= head + 4 + size;
    }

    quint16 m_port;
    QTcpSocket m_socket;
};

struct Pair {
    std::vector<double> direct;
    std::vector<double> proxied;

    [[nodiscard]] QJsonObject shown() const
    {
        return { { QStringLiteral("direct"), summary(direct) },
            { QStringLiteral("proxied"), summary(proxied) },
            { QStringLiteral("addedMedian"), median(proxied) - median(direct) } };
    }
};

Pair measureRequests(quint16 direct, quint16 proxied, const QByteArray &request, int rounds)
{
    WireClient one(direct);
    WireClient other(proxied);
    Pair pair;
    const int warmUp = std::max(1, rounds / 10);
    for (int i = 0; i < warmUp + rounds; ++i) {
        QCoreApplication::processEvents(); // takes what server and daemon log, or they would block
        const double directly = one.ask(request);
        const double through = other.ask(request);
        if (i >= warmUp) {
            pair.direct.push_back(directly);
            pair.proxied.push_back(through);
        }
    }
    return pair;
}

/// Answers the first POST with a stream whose chunks hold the time at which they were written; what the
/// daemon itself asks is not found.
void serveStamps(QTcpServer &server, int chunks)
{
    while (server.waitForNewConnection(c_waitMs)) {
        const std::unique_ptr<QTcpSocket> socket(server.nextPendingConnection());
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        QByteArray request;
        while (!request.contains("\r\n\r\n") && socket->waitForReadyRead(c_waitMs)) {
            request += socket->readAll();
        }
        const bool wanted = request.startsWith("POST");
        socket->write(wanted
                ? "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                : "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        for (int chunk = 0; wanted && chunk < chunks; ++chunk) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            const QByteArray event = "data: {\"t\":" + QByteArray::number(nowNs()) + ",\"content\":\""
                + QByteArray(150, 'x') + "\"}\n\n";
            socket->write(QByteArray::number(event.size(), 16) + "\r\n" + event + "\r\n");
            socket->waitForBytesWritten(c_waitMs);
        }
        socket->write(wanted ? "0\r\n\r\n" : "");
        socket->flush();
        socket->disconnectFromHost();
        if (socket->state() != QAbstractSocket::UnconnectedState) {
            socket->waitForDisconnected(1000);
        }
        if (wanted) {
            return;
        }
    }
}

/// Microseconds from the write of each chunk to its arrival.
std::vector<double> readStamps(quint16 port)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    socket.waitForConnected(c_waitMs);
    socket.write(requestBytes("POST", "/v1/chat/completions", "{}"));
    std::vector<double> late;
    QByteArray pending;
    while (!pending.endsWith("0\r\n\r\n") && socket.waitForReadyRead(c_waitMs)) {
        pending += socket.readAll();
        const qint64 now = nowNs();
        for (qsizetype at = pending.indexOf("\"t\":"); at >= 0; at = pending.indexOf("\"t\":")) {
            const qsizetype end = pending.indexOf(',', at);
            if (end < 0) {
                break;
            }
            late.push_back(static_cast<double>(now - pending.mid(at + 4, end - at - 4).toLongLong()) / 1e3);
            pending.remove(0, end);
        }
    }
    return late;
}

QByteArray proxyConfig(const QByteArray &url, quint16 port, const QByteArray &providers)
{
    return "servers:\n  local:\n    baseURL: " + url + "\nproviders: " + providers
        + "\nmetadata: { path: \"${METADATA}\" }\nproxy: { listen: 127.0.0.1:" + QByteArray::number(port)
        + ", server: local }\n";
}

QJsonObject measureChunks(int streams, int chunks)
{
    QTcpServer listener;
    listener.listen(QHostAddress(QHostAddress::LocalHost), 0);
    const quint16 port = listener.serverPort();
    listener.close();
    const quint16 proxyPort = test::freePort();
    test::RealDaemon daemon;
    // Nothing is routed to the server: it is asked for nothing but the streams.
    daemon.setConfig(
        proxyConfig("http://127.0.0.1:" + QByteArray::number(port), proxyPort, "{}") + "enabled: false\n");
    if (!daemon.start()) {
        return { { QStringLiteral("skipped"), daemon.log() } };
    }
    Pair pair;
    for (int round = 0; round < 2 * streams; ++round) {
        std::thread server([port, chunks] {
            QTcpServer own;
            own.listen(QHostAddress(QHostAddress::LocalHost), port);
            serveStamps(own, chunks);
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const std::vector<double> late = readStamps(round % 2 == 0 ? port : proxyPort);
        server.join();
        std::vector<double> &to = round % 2 == 0 ? pair.direct : pair.proxied;
        to.insert(to.end(), late.begin(), late.end());
    }
    return pair.shown();
}

} // namespace

QJsonObject measureProxy(const Sizes &sizes)
{
    const int rounds = sizes.proxyRounds;
    const QString model = QStringLiteral("tiny-dense");
    if (const QString why = test::RealLlamaServer::whyNot(model); !why.isEmpty()) {
        return { { QStringLiteral("skipped"), why } };
    }
    QTemporaryDir slotFolder;
    test::RealLlamaServer server(model, slotFolder.path(),
        { QStringLiteral("-c"), QStringLiteral("8192"), QStringLiteral("-np"), QStringLiteral("1"),
            QStringLiteral("-t"), QStringLiteral("1") });
    const quint16 port = test::freePort();
    test::RealDaemon daemon;
    if (!server.start()) {
        return { { QStringLiteral("skipped"), server.log() } };
    }
    daemon.setConfig(proxyConfig(server.url().toString().toUtf8(), port, "{ p: local }"));
    if (!daemon.start()) {
        return { { QStringLiteral("skipped"), daemon.log() } };
    }
    const auto chat = [](int bytes, bool stream) {
        QByteArray text;
        while (text.size() < bytes) {
            text += " word";
        }
        return requestBytes("POST", "/v1/chat/completions",
            "{\"messages\":[{\"role\":\"user\",\"content\":\"" + text
                + "\"}],\"max_tokens\":" + (stream ? "64" : "1")
                + ",\"temperature\":0,\"ignore_eos\":true,\"stream\":" + (stream ? "true" : "false") + '}');
    };
    return { { QStringLiteral("unit"), QStringLiteral("µs") },
        { QStringLiteral("passedRequest"),
            measureRequests(server.port(), port, requestBytes("GET", "/health", {}), rounds).shown() },
        { QStringLiteral("residentRequest"),
            measureRequests(server.port(), port, chat(400, false), rounds).shown() },
        { QStringLiteral("residentRequestOf6kB"),
            measureRequests(server.port(), port, chat(6000, false), rounds / 4).shown() },
        { QStringLiteral("streamOf64Chunks"),
            measureRequests(server.port(), port, chat(400, true), rounds / 4).shown() },
        { QStringLiteral("chunk"), measureChunks(sizes.proxyStreams, sizes.proxyChunks) } };
}

} // namespace kv::bench
