// SPDX-License-Identifier: MIT
// The tray's table of many snapshots: first page, sort, filter, as its model sees them over the real socket;
// and what the program takes.
#include "benchkit.h"
#include "clock.h"
#include "realdaemon.h"
#include "rpcclient.h"
#include "sessionsmodel.h"
#include "socketdaemon.h"
#include "statusfeed.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

namespace kv::bench {

namespace {

constexpr int c_patienceMs = 20'000;
constexpr int c_restMs = 3000;

using Shown = std::function<bool(const SessionRow &first)>;

/// From `begin` until the model's first row is one that `shown` waits for; -1: it never was.
double timed(SessionsModel &model, const std::function<void()> &begin, const Shown &shown)
{
    bool ready = false;
    const auto connection = QObject::connect(&model, &SessionsModel::changed, &model, [&] {
        const std::optional<SessionRow> row = model.row(0);
        ready = model.phase() == SessionsModel::Phase::Ready && row && shown(*row);
    });
    QElapsedTimer timer;
    timer.start();
    begin();
    while (!ready && timer.elapsed() < c_patienceMs) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    }
    QObject::disconnect(connection);
    return ready ? static_cast<double>(timer.nsecsElapsed()) / 1e6 : -1;
}

/// From a pause, or its end, asked for by another client, to the status that shows it: what the tray shows
/// then.
QJsonObject changesShown(SocketDaemon &daemon, const QString &socket, int rounds)
{
    StatusFeed feed(daemon);
    test::RpcClient other;
    std::vector<double> delays;
    bool paused = false;
    QElapsedTimer timer;
    QObject::connect(&feed, &StatusFeed::changed, &feed, [&] {
        if (feed.status() && feed.status()->paused == paused && timer.isValid()) {
            delays.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            timer.invalidate();
        }
    });
    other.connectTo(socket);
    for (int round = 0; round < 2 * rounds; ++round) {
        paused = !paused;
        timer.start();
        other.send(paused ? QStringLiteral("kv.pause") : QStringLiteral("kv.resume"));
        static_cast<void>(QTest::qWaitFor([&] { return !timer.isValid(); }, c_patienceMs));
        QTest::qWait(c_restMs / 4);
    }
    return summary(delays);
}

/// Memory of the tray program with the sessions page open, after it came to rest, and what it costs then.
QJsonObject trayAtRest(const QString &socket, int idleMs)
{
    const QTemporaryDir home;
    QProcess tray;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *variable : { "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "HOME" }) {
        environment.insert(QLatin1String(variable), home.path());
    }
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    tray.setProcessEnvironment(environment);
    tray.start(qEnvironmentVariable("KV_PERSIST_TEST_BIN") + QStringLiteral("/kv-persist-tray"),
        { QStringLiteral("--socket"), socket, QStringLiteral("--page"), QStringLiteral("sessions") });
    if (!tray.waitForStarted()) {
        return { { QStringLiteral("skipped"), tray.errorString() } };
    }
    QTest::qWait(c_restMs);
    const double before = cpuMicroseconds(tray.processId());
    QTest::qWait(idleMs);
    const double used = cpuMicroseconds(tray.processId()) - before;
    const qint64 memory = memoryBytes(tray.processId(), "VmRSS");
    tray.kill();
    tray.waitForFinished();
    return { { QStringLiteral("memoryBytes"), memory },
        { QStringLiteral("idleCpuPercent"), used / 10.0 / idleMs } };
}

} // namespace

QJsonObject measureTray(const Sizes &sizes)
{
    const int snapshots = sizes.traySnapshots;
    test::RealDaemon real;
    real.setConfig(configFor(QUrl(QStringLiteral("http://127.0.0.1:9"))));
    if (!fillSnapshots(real.metadataFolder(), snapshots) || !real.start()) {
        return { { QStringLiteral("skipped"),
            QStringLiteral("the daemon did not start with so many rows") } };
    }
    SocketDaemon daemon(real.socketPath());
    const SystemClock clock;
    SessionsModel model(daemon, clock);
    daemon.open();
    if (!QTest::qWaitFor([&] { return daemon.link() == Daemon::Link::Connected; }, c_patienceMs)) {
        return { { QStringLiteral("skipped"), QStringLiteral("the daemon does not answer") } };
    }
    const double first = timed(
        model, [&] { model.setShown(true); }, [](const SessionRow &) { return true; });
    std::vector<double> sorts;
    std::vector<double> filters;
    for (int round = 0; round < sizes.trayRounds; ++round) {
        const auto column = round % 2 == 0 ? SessionsModel::Label : SessionsModel::Size;
        const auto order = round % 4 < 2 ? Qt::AscendingOrder : Qt::DescendingOrder;
        const QString before = model.row(0)->hash;
        const double ms = timed(
            model, [&] { model.sort(column, order); },
            [&](const SessionRow &row) { return row.hash != before; });
        if (ms >= 0) { // else two orders begin with the same row
            sorts.push_back(ms);
        }
    }
    for (int round = 0; round < sizes.trayRounds; ++round) {
        const QString text = QStringLiteral("project 1%1").arg(round);
        filters.push_back(timed(
            model, [&] { model.setFilter(text); },
            [&](const SessionRow &row) { return row.label.startsWith(text); }));
    }
    const QJsonObject shown = changesShown(daemon, real.socketPath(), sizes.trayRounds);
    const QJsonObject atRest = trayAtRest(real.socketPath(), sizes.trayIdleMs);
    real.stop();
    return { { QStringLiteral("snapshots"), snapshots }, { QStringLiteral("firstPageMs"), first },
        { QStringLiteral("sortMs"), summary(sorts) },
        { QStringLiteral("filterMsAfterTheLastKey"), summary(filters) },
        { QStringLiteral("changeShownMs"), shown }, { QStringLiteral("trayAtRest"), atRest } };
}

} // namespace kv::bench
