// SPDX-License-Identifier: MIT
#include "benchkit.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalServer>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace kv::bench {

namespace {
constexpr int c_answerMs = 10000;
}

Sizes Sizes::quick()
{
    Sizes sizes;
    sizes.overheadRounds = 50;
    sizes.startSnapshots = { 20, 200 };
    sizes.startRounds = 1;
    sizes.switchRounds = 6;
    sizes.firstTokenRounds = 1;
    sizes.denseModel = QStringLiteral("tiny-dense");
    sizes.recurrentModel = QStringLiteral("tiny-mamba");
    // One thread spins for nobody while others have the cores.
    sizes.serverFlags = QStringList { QStringLiteral("-t"), QStringLiteral("1") };
    sizes.promptCharacters = { 200, 400 };
    sizes.baseCharacters = 300;
    sizes.baseSessions = 3;
    sizes.listSnapshots = 300;
    sizes.listRounds = 2;
    sizes.memorySnapshots = { 0, 100, 300 };
    sizes.growthSnapshots = { 1, 10, 100 };
    sizes.growthClients = { 1, 2, 4 };
    sizes.growthSlots = { 1, 2, 4 };
    sizes.growthRounds = 1;
    sizes.pairs = 20;
    sizes.slotSwitches = 6;
    sizes.slotTurns = 10;
    sizes.slotCharacters = 150;
    sizes.atOnceRounds = 1;
    sizes.atOnceTurns = 1;
    sizes.traySnapshots = 300;
    sizes.trayRounds = 1;
    sizes.trayIdleMs = 300;
    sizes.trafficSteps = 1;
    sizes.trafficCharacters = 200;
    sizes.failingRequests = 3;
    sizes.proxyRounds = 8;
    sizes.proxyStreams = 1;
    sizes.proxyChunks = 20;
    sizes.soakMinutes = 0.02;
    sizes.soakSettleMs = 300;
    sizes.quietMs = 1000;
    return sizes;
}

QJsonObject summary(std::vector<double> values)
{
    if (values.empty()) {
        return {};
    }
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        const double value = values[std::min(
            values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
        return std::round(value * 1000) / 1000;
    };
    return { { QStringLiteral("min"), at(0) }, { QStringLiteral("median"), at(0.5) },
        { QStringLiteral("p95"), at(0.95) },
        { QStringLiteral("count"), static_cast<qint64>(values.size()) } };
}

double median(std::vector<double> values) { return summary(std::move(values)).value(u"median").toDouble(); }

double cpuMicroseconds(qint64 pid)
{
    double sum = 0;
    QDir tasks(QStringLiteral("/proc/%1/task").arg(pid));
    const QStringList threads = tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &thread : threads) {
        QFile file(tasks.filePath(thread + QStringLiteral("/schedstat")));
        if (!file.open(QIODevice::ReadOnly)) {
            return -1;
        }
        sum += file.readAll().split(' ').value(0).toDouble() / 1000;
    }
    return threads.isEmpty() ? -1 : sum;
}

namespace {

qint64 numberIn(const QString &path, const QByteArray &name)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return -1;
    }
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith(name + ':')) {
            return line.mid(name.size() + 1).simplified().split(' ').value(0).toLongLong();
        }
    }
    return -1;
}

} // namespace

qint64 memoryBytes(qint64 pid, const QByteArray &line)
{
    const qint64 kib = numberIn(QStringLiteral("/proc/%1/status").arg(pid), line);
    return kib < 0 ? -1 : kib * 1024;
}

qint64 ioCounter(qint64 pid, const QByteArray &name)
{
    return numberIn(QStringLiteral("/proc/%1/io").arg(pid), name);
}

bool LineClient::connectTo(const QString &path)
{
    m_socket.connectToServer(path);
    return m_socket.waitForConnected(c_answerMs);
}

void LineClient::close() { m_socket.abort(); }

QByteArray LineClient::ask(const QByteArray &line)
{
    QElapsedTimer timer;
    timer.start();
    m_socket.write(line + '\n');
    m_socket.flush();
    while (!m_socket.canReadLine()) {
        if (!m_socket.waitForReadyRead(c_answerMs)) {
            return {};
        }
    }
    m_lastMicroseconds = static_cast<double>(timer.nsecsElapsed()) / 1000;
    return m_socket.readLine();
}

QByteArray LineClient::askRunning(const QByteArray &line)
{
    QElapsedTimer timer;
    timer.start();
    m_socket.write(line + '\n');
    m_socket.flush();
    while (!m_socket.canReadLine() && timer.elapsed() < c_answerMs) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
    }
    m_lastMicroseconds = static_cast<double>(timer.nsecsElapsed()) / 1000;
    return m_socket.readLine();
}

QByteArray beginLine(int id, const QByteArray &session)
{
    return R"({"jsonrpc":"2.0","id":)" + QByteArray::number(id)
        + R"(,"method":"request.begin","params":{"session":")" + session
        + R"(","provider":"p","model":"m"}})";
}

QByteArray endLine(int id, const QByteArray &lease)
{
    return QByteArrayLiteral(R"({"jsonrpc":"2.0","id":)") + QByteArray::number(id)
        + R"(,"method":"request.end","params":{"outcome":"ok","more":false,"usage":{"promptTokens":900,)"
          R"("completionTokens":50,"cachedTokens":890},"lease":")"
        + lease + R"("}})";
}

QByteArray leaseIn(const QByteArray &answer)
{
    return QJsonDocument::fromJson(answer)
        .object()
        .value(u"result")
        .toObject()
        .value(u"lease")
        .toString()
        .toLatin1();
}

QByteArray configFor(const QUrl &server, const QByteArray &more)
{
    return "servers:\n  local:\n    baseURL: " + server.toString().toUtf8() + "\n" + more
        + "providers: { p: local }\nmetadata: { path: \"${METADATA}\" }\n";
}

QJsonObject skipped(const QString &why) { return { { QStringLiteral("skipped"), why } }; }

QJsonObject post(const QUrl &url, const QJsonObject &body)
{
    QNetworkAccessManager manager;
    QNetworkRequest request(url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    QNetworkReply *reply = manager.post(request, QJsonDocument(body).toJson(QJsonDocument::Compact));
    QEventLoop loop;
    QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
    loop.exec();
    return QJsonDocument::fromJson(reply->readAll()).object();
}

Completion complete(const QUrl &server, const QString &prompt, int idSlot, int answerTokens)
{
    QNetworkAccessManager manager;
    QUrl url = server;
    url.setPath(QStringLiteral("/completion"));
    QNetworkRequest request(url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    QJsonObject body { { QStringLiteral("prompt"), prompt }, { QStringLiteral("n_predict"), answerTokens },
        { QStringLiteral("temperature"), 0 }, { QStringLiteral("stream"), true },
        { QStringLiteral("cache_prompt"), true } };
    if (idSlot >= 0) {
        body.insert(QStringLiteral("id_slot"), idSlot);
    }
    Completion done;
    QElapsedTimer timer;
    timer.start();
    QNetworkReply *reply = manager.post(request, QJsonDocument(body).toJson(QJsonDocument::Compact));
    QEventLoop loop;
    QByteArray all;
    QObject::connect(reply, &QNetworkReply::readyRead, &loop, [&] {
        all += reply->readAll();
        if (done.firstChunkMs < 0 && all.contains("data:")) {
            done.firstChunkMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        }
    });
    QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
    loop.exec();
    all += reply->readAll();
    const QList<QByteArray> lines = all.split('\n');
    for (const QByteArray &line : lines) {
        if (!line.startsWith("data: ")) {
            continue;
        }
        const QJsonObject timings
            = QJsonDocument::fromJson(line.mid(6)).object().value(u"timings").toObject();
        if (!timings.isEmpty()) {
            done.ok = true;
            done.cachedTokens = timings.value(u"cache_n").toInteger();
            done.promptTokens = done.cachedTokens + timings.value(u"prompt_n").toInteger();
            done.completionTokens = timings.value(u"predicted_n").toInteger();
        }
    }
    return done;
}

QString words(const QString &begin, int characters)
{
    QString text = begin;
    for (int word = 1; text.size() < characters; ++word) {
        text += QStringLiteral(" %1%2").arg(begin.left(1)).arg(word * 7919 % 100003);
    }
    return text.left(characters);
}

QJsonObject endParams(const QJsonValue &lease, const Completion &done)
{
    return { { QStringLiteral("lease"), lease },
        { QStringLiteral("outcome"), done.ok ? QStringLiteral("ok") : QStringLiteral("error") },
        { QStringLiteral("more"), false },
        { QStringLiteral("timings"), QJsonObject { { QStringLiteral("firstChunkMs"), done.firstChunkMs } } },
        { QStringLiteral("usage"),
            QJsonObject { { QStringLiteral("promptTokens"), done.promptTokens },
                { QStringLiteral("completionTokens"), done.completionTokens },
                { QStringLiteral("cachedTokens"), done.cachedTokens } } } };
}

int runEchoServer(const QString &path)
{
    QLocalServer server;
    if (!server.listen(path)) {
        return 1;
    }
    QObject::connect(&server, &QLocalServer::newConnection, &server, [&server] {
        QLocalSocket *socket = server.nextPendingConnection();
        QObject::connect(socket, &QLocalSocket::readyRead, socket, [socket] {
            while (socket->canReadLine()) {
                socket->write(socket->readLine());
            }
        });
        QObject::connect(socket, &QLocalSocket::disconnected, socket, [] { QCoreApplication::quit(); });
    });
    return QCoreApplication::exec();
}

} // namespace kv::bench
