// SPDX-License-Identifier: MIT
// What a resident request costs: begin and end against a bare echo over the same kind of socket, in one run;
// once left to the scheduler, once on one core, as waking another core of a virtual machine costs either of
// them tens of microseconds, which say little of the program.
#include "benchkit.h"
#include "fakellamaserver.h"
#include "realdaemon.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QProcess>
#include <QThread>

#include <sched.h>

namespace kv::bench {

namespace {

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

/// While it lives, this process's main thread, and what it starts, run on the first of its cores.
class OneCore final {
public:
    OneCore()
    {
        if (sched_getaffinity(0, sizeof m_all, &m_all) != 0) {
            return;
        }
        for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
            if (CPU_ISSET(core, &m_all)) {
                cpu_set_t one;
                CPU_ZERO(&one);
                CPU_SET(core, &one);
                m_bound = sched_setaffinity(0, sizeof one, &one) == 0;
                return;
            }
        }
    }
    ~OneCore()
    {
        if (m_bound) {
            sched_setaffinity(0, sizeof m_all, &m_all);
        }
    }
    Q_DISABLE_COPY_MOVE(OneCore)

private:
    cpu_set_t m_all {};
    bool m_bound = false;
};

QJsonObject measurePairs(int rounds)
{
    test::FakeLlamaServer server;
    if (!server.start()) {
        return { { QStringLiteral("skipped"), QStringLiteral("no port for the server's stand-in") } };
    }
    test::RealDaemon daemon;
    daemon.setConfig(configFor(server.url()));
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

} // namespace

QJsonObject measureOverhead(const Sizes &sizes)
{
    QJsonObject out = measurePairs(sizes.overheadRounds);
    const OneCore bound;
    out.insert(QStringLiteral("onOneCore"), measurePairs(sizes.overheadRounds));
    return out;
}

} // namespace kv::bench
