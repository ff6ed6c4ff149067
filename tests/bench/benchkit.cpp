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

namespace kv::bench {

namespace {
constexpr int c_answerMs = 10000;
}

QJsonObject summary(std::vector<double> values)
{
    if (values.empty()) {
        return {};
    }
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        return values[std::min(
            values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
    };
    return { { QStringLiteral("min"), values.front() }, { QStringLiteral("median"), at(0.5) },
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
