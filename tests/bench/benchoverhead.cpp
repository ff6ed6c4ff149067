// SPDX-License-Identifier: MIT
// What a resident request costs: begin and end against a bare echo over the same kind of socket, in one run.
#include "benchkit.h"
#include "fakellamaserver.h"
#include "realdaemon.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QProcess>
#include <QThread>

namespace kv::bench {

namespace {

QByteArray beginLine(int id)
{
    return QByteArrayLiteral(R"({"jsonrpc":"2.0","id":)") + QByteArray::number(id)
        + R"(,"method":"request.begin","params":{"session":"conversation-1","provider":"p","model":"m"}})";
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

struct Series {
    std::vector<double> begin;
    std::vector<double> end;
    std::vector<double> echo;
};

void runBatch(LineClient &daemon, LineClient &echo, int rounds, int &id, Series &to)
{
    const QByteArray same = beginLine(0);
    for (int i = 0; i < rounds; ++i) {
        echo.ask(same);
        to.echo.push_back(echo.lastMicroseconds());
        const QByteArray granted = daemon.ask(beginLine(++id));
        to.begin.push_back(daemon.lastMicroseconds());
        daemon.ask(endLine(++id, leaseIn(granted)));
        to.end.push_back(daemon.lastMicroseconds());
    }
}

} // namespace

QJsonObject measureOverhead(int rounds)
{
    test::FakeLlamaServer server;
    if (!server.start()) {
        return { { QStringLiteral("skipped"), QStringLiteral("no port for the server's stand-in") } };
    }
    test::RealDaemon daemon;
    daemon.setConfig("servers:\n  local:\n    baseURL: " + server.url().toString().toUtf8()
        + "\nproviders: { p: local }\nmetadata: { path: \"${METADATA}\" }\n");
    if (!daemon.start()) {
        return { { QStringLiteral("skipped"), daemon.log() } };
    }
    const QString echoPath = daemon.folder() + QStringLiteral("/echo.sock");
    QProcess echoServer;
    echoServer.start(QCoreApplication::applicationFilePath(), { QStringLiteral("--echo-server"), echoPath });
    echoServer.waitForStarted();
    LineClient echo;
    for (int tries = 0; tries < 100 && !echo.connectTo(echoPath); ++tries) {
        QThread::msleep(20);
    }
    LineClient client;
    client.connectTo(daemon.socketPath());
    int id = 0;
    const QByteArray first = client.askRunning(beginLine(++id));
    client.askRunning(endLine(++id, leaseIn(first)));

    Series warmUp;
    runBatch(client, echo, rounds / 10, id, warmUp);
    const std::size_t callsBefore = server.calls().size();
    const qint64 writtenBefore = ioCounter(daemon.pid(), "write_bytes");
    const double cpuBefore = cpuMicroseconds(daemon.pid());
    Series series;
    runBatch(client, echo, rounds, id, series);
    const double cpu = cpuMicroseconds(daemon.pid()) - cpuBefore;
    const qint64 written = ioCounter(daemon.pid(), "write_bytes") - writtenBefore;
    echoServer.kill();
    echoServer.waitForFinished();
    QCoreApplication::processEvents();
    qint64 slotCalls = 0;
    for (std::size_t i = callsBefore; i < server.calls().size(); ++i) {
        slotCalls += server.calls()[i].path.startsWith(QStringLiteral("/slots")) ? 1 : 0;
    }
    return { { QStringLiteral("unit"), QStringLiteral("µs") },
        { QStringLiteral("begin"), summary(series.begin) }, { QStringLiteral("end"), summary(series.end) },
        { QStringLiteral("echo"), summary(series.echo) },
        { QStringLiteral("beginToEcho"), median(series.begin) / median(series.echo) },
        { QStringLiteral("daemonCpuPerPair"), cpu / rounds },
        { QStringLiteral("bytesWrittenToDisk"), written }, { QStringLiteral("slotCalls"), slotCalls } };
}

} // namespace kv::bench
