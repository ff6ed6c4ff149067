// SPDX-License-Identifier: MIT
// How cost grows: with the snapshots on record, with clients at once, with a server's slots. A fake server
// stands for the real one, so that what is measured is the daemon's.
#include "benchfit.h"
#include "benchkit.h"
#include "fakellamaserver.h"
#include "realdaemon.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>

namespace kv::bench {

namespace {

constexpr qsizetype c_promptBytes = 900;
const QByteArray c_hello = R"({"jsonrpc":"2.0","id":1,"method":"hello","params":{"pins":true}})";
const QByteArray c_firstPage = R"({"jsonrpc":"2.0","id":2,"method":"kv.list","params":{"limit":100}})";

QJsonObject resultIn(const QByteArray &answer)
{
    return QJsonDocument::fromJson(answer).object().value(u"result").toObject();
}

QString outcomeIn(const QByteArray &granted) { return resultIn(granted).value(u"outcome").toString(); }

/// "3× cold, 1× bypass"
QString told(const std::map<QString, int> &outcomes)
{
    QStringList list;
    for (const auto &[outcome, count] : outcomes) {
        list.append(QStringLiteral("%1× %2").arg(count).arg(outcome));
    }
    return list.join(QStringLiteral(", "));
}

struct Pairs {
    std::vector<double> us; ///< begin and end together
    std::map<QString, int> others; ///< begins that were not resident

    void run(LineClient &client, const QByteArray &session, int rounds)
    {
        for (int round = 0; round < rounds; ++round) {
            const QByteArray granted = client.ask(beginLine(2 * round, session));
            const double begin = client.lastMicroseconds();
            client.ask(endLine(2 * round + 1, leaseIn(granted)));
            us.push_back(begin + client.lastMicroseconds());
            if (const QString outcome = outcomeIn(granted); outcome != QStringLiteral("resident")) {
                ++others[outcome];
            }
        }
    }
};

/// A fake server with so many slots, a daemon that manages them all, and sessions that own them.
class World final {
public:
    explicit World(int slotCount)
        : m_server(options(slotCount))
    {
    }
    /// Empty: it stands.
    QString start()
    {
        if (!m_server.start()) {
            return QStringLiteral("no port for the server's stand-in");
        }
        m_daemon.setConfig(configFor(m_server.url(), "    mode: managed-slots\n"));
        if (!m_daemon.start() || !m_client.connectTo(m_daemon.socketPath())) {
            return m_daemon.log();
        }
        m_client.askRunning(c_hello);
        return {};
    }
    /// One whole request of a session; milliseconds of its begin.
    double request(const QByteArray &session, QString *outcome = nullptr)
    {
        const QByteArray granted = m_client.askRunning(beginLine(++m_id, session));
        const double ms = m_client.lastMicroseconds() / 1000;
        const QJsonObject result = resultIn(granted);
        const int slot = result.value(u"slot").toInt();
        const test::FakeCompletionReply reply = m_server.engine().completeNow(
            { session + QByteArray(c_promptBytes - session.size(), 'x'), 4, slot, true });
        Completion done;
        done.ok = reply.status == 200;
        done.promptTokens = reply.cached + reply.processed;
        done.cachedTokens = reply.cached;
        done.completionTokens = reply.predicted;
        QJsonObject params = endParams(result.value(u"lease"), done);
        params.remove(QStringLiteral("timings")); // nothing was computed, so nothing took time
        const QJsonObject end { { QStringLiteral("jsonrpc"), QStringLiteral("2.0") },
            { QStringLiteral("id"), ++m_id }, { QStringLiteral("method"), QStringLiteral("request.end") },
            { QStringLiteral("params"), params } };
        m_client.askRunning(QJsonDocument(end).toJson(QJsonDocument::Compact));
        if (outcome != nullptr) {
            *outcome = result.value(u"outcome").toString();
        }
        return ms;
    }
    /// A snapshot counts once its row is on disk, which on a busy one takes longer than many requests here.
    bool waitForSnapshots(int count)
    {
        const QByteArray list
            = R"({"jsonrpc":"2.0","id":3,"method":"kv.list","params":{"filter":"state:valid","limit":1}})";
        return QTest::qWaitFor(
            [&] { return resultIn(m_client.askRunning(list)).value(u"total").toInt() >= count; }, 10'000);
    }
    [[nodiscard]] test::RealDaemon &daemon() { return m_daemon; }
    [[nodiscard]] LineClient &client() { return m_client; }

private:
    static test::FakeOptions options(int slotCount)
    {
        test::FakeOptions options;
        options.slotCount = slotCount;
        return options;
    }

    test::FakeLlamaServer m_server;
    test::RealDaemon m_daemon;
    LineClient m_client;
    int m_id = 0;
};

QByteArray sessionName(int number) { return "session-" + QByteArray::number(number); }

QJsonObject family(const char *title, const char *xTitle, const QJsonArray &curves)
{
    return { { QStringLiteral("title"), QString::fromLatin1(title) },
        { QStringLiteral("xTitle"), QString::fromLatin1(xTitle) }, { QStringLiteral("curves"), curves } };
}

struct AtSnapshots {
    QString skipped;
    double startMs = 0;
    double listMs = 0;
    double memoryMiB = 0;
    double pairUs = 0;
};

AtSnapshots withSnapshots(int snapshots, const Sizes &sizes)
{
    AtSnapshots at;
    test::FakeLlamaServer server;
    test::RealDaemon daemon;
    server.start();
    daemon.setConfig(configFor(server.url()));
    if (!fillSnapshots(daemon.metadataFolder(), snapshots)) {
        at.skipped = QStringLiteral("the database could not be filled");
        return at;
    }
    std::vector<double> starts;
    std::vector<double> lists;
    Pairs pairs;
    for (int round = 0; round < sizes.growthRounds; ++round) {
        LineClient client;
        const double ms = launchAndAsk(daemon, client);
        if (ms < 0) {
            at.skipped = daemon.log();
            return at;
        }
        starts.push_back(ms);
        for (int again = 0; again < 3; ++again) {
            client.ask(c_firstPage);
            lists.push_back(client.lastMicroseconds() / 1000);
        }
        if (round + 1 == sizes.growthRounds) {
            at.memoryMiB = static_cast<double>(memoryBytes(daemon.pid(), "VmRSS")) / 1024 / 1024;
            client.askRunning(endLine(2, leaseIn(client.askRunning(beginLine(1, "own")))));
            Pairs().run(client, "own", sizes.pairs / 10);
            pairs.run(client, "own", sizes.pairs);
        }
        daemon.stop();
    }
    at.startMs = median(starts);
    at.listMs = median(lists);
    at.pairUs = median(pairs.us);
    at.skipped = pairs.others.empty() ? QString() : told(pairs.others);
    return at;
}

struct AtClients {
    QString skipped;
    double pairUs = 0;
    double pairsPerSecond = 0;
    double cpuUs = 0;
};

AtClients withClients(World &world, int clients, int pairsInAll)
{
    std::vector<Pairs> pairs(static_cast<std::size_t>(clients));
    std::vector<std::unique_ptr<QThread>> threads;
    std::atomic<int> ready = 0;
    std::atomic<bool> go = false;
    const int each = std::max(pairsInAll / clients, 20);
    const QString path = world.daemon().socketPath();
    for (int number = 0; number < clients; ++number) {
        Pairs &own = pairs[static_cast<std::size_t>(number)];
        threads.emplace_back(QThread::create([&own, &ready, &go, number, each, path] {
            LineClient client;
            const bool connected = client.connectTo(path);
            client.ask(c_hello);
            Pairs().run(client, sessionName(number), 5);
            ++ready;
            while (!go) {
                QThread::usleep(200);
            }
            if (connected) {
                own.run(client, sessionName(number), each);
            }
        }));
        threads.back()->start();
    }
    // Meanwhile this thread is the server.
    const bool all = QTest::qWaitFor([&] { return ready == clients; }, 20'000);
    const double cpuBefore = cpuMicroseconds(world.daemon().pid());
    const auto begun = std::chrono::steady_clock::now();
    go = true;
    const bool done = QTest::qWaitFor(
        [&] {
            return std::all_of(threads.begin(), threads.end(), [](const auto &t) { return t->isFinished(); });
        },
        60'000);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    const double cpu = cpuMicroseconds(world.daemon().pid()) - cpuBefore;
    AtClients at;
    std::vector<double> us;
    std::map<QString, int> others;
    for (std::size_t i = 0; i < threads.size(); ++i) {
        threads[i]->wait();
        us.insert(us.end(), pairs[i].us.begin(), pairs[i].us.end());
        for (const auto &[outcome, count] : pairs[i].others) {
            others[outcome] += count;
        }
    }
    if (!all || !done || !others.empty() || us.empty()) {
        at.skipped
            = QStringLiteral("not all of %1 begins were resident: %2").arg(us.size()).arg(told(others));
        return at;
    }
    at.pairUs = median(us);
    at.pairsPerSecond = static_cast<double>(us.size()) / took.count();
    at.cpuUs = cpu / static_cast<double>(us.size());
    return at;
}

} // namespace

QJsonObject growthOfSnapshots(const Sizes &sizes)
{
    std::vector<Point> start;
    std::vector<Point> list;
    std::vector<Point> memory;
    std::vector<Point> pair;
    for (const int snapshots : sizes.growthSnapshots) {
        const AtSnapshots at = withSnapshots(snapshots, sizes);
        if (!at.skipped.isEmpty()) {
            return skipped(QStringLiteral("%1 snapshots: %2").arg(snapshots).arg(at.skipped));
        }
        const double x = snapshots;
        start.push_back({ x, at.startMs });
        list.push_back({ x, at.listMs });
        memory.push_back({ x, at.memoryMiB });
        pair.push_back({ x, at.pairUs });
    }
    return family("Cost against the number of snapshots on record", "snapshots",
        { curveJson(
              QStringLiteral("start"), QStringLiteral("start to first answer"), QStringLiteral("ms"), start),
            curveJson(
                QStringLiteral("list"), QStringLiteral("first page of the list"), QStringLiteral("ms"), list),
            curveJson(QStringLiteral("memory"), QStringLiteral("memory of the daemon"), QStringLiteral("MiB"),
                memory),
            curveJson(QStringLiteral("pair"), QStringLiteral("resident begin + end"), QStringLiteral("µs"),
                pair) });
}

QJsonObject growthOfClients(const Sizes &sizes)
{
    const int most = *std::max_element(sizes.growthClients.begin(), sizes.growthClients.end());
    World world(most);
    if (const QString why = world.start(); !why.isEmpty()) {
        return skipped(why);
    }
    for (int number = 0; number < most; ++number) {
        world.request(sessionName(number));
    }
    world.client().close(); // with it 64 others would be one too many
    std::vector<Point> pair;
    std::vector<Point> rate;
    std::vector<Point> cpu;
    for (const int clients : sizes.growthClients) {
        const AtClients at = withClients(world, clients, 2 * sizes.pairs);
        if (!at.skipped.isEmpty()) {
            return skipped(QStringLiteral("%1 clients: %2").arg(clients).arg(at.skipped));
        }
        pair.push_back({ static_cast<double>(clients), at.pairUs });
        rate.push_back({ static_cast<double>(clients), at.pairsPerSecond });
        cpu.push_back({ static_cast<double>(clients), at.cpuUs });
    }
    return family("Cost against the number of clients at once, each with a slot of its own", "clients",
        { curveJson(
              QStringLiteral("pair"), QStringLiteral("resident begin + end"), QStringLiteral("µs"), pair),
            curveJson(QStringLiteral("rate"), QStringLiteral("pairs a second"), QStringLiteral("1/s"), rate),
            curveJson(
                QStringLiteral("cpu"), QStringLiteral("daemon CPU a pair"), QStringLiteral("µs"), cpu) });
}

QJsonObject growthOfSlots(const Sizes &sizes)
{
    std::vector<Point> change;
    std::vector<Point> pair;
    for (const int slotCount : sizes.growthSlots) {
        World world(slotCount);
        if (const QString why = world.start(); !why.isEmpty()) {
            return skipped(why);
        }
        // One session more than slots, in turns: each finds its slot taken.
        std::vector<double> switches;
        std::map<QString, int> outcomes;
        const int warmUp = 2 * (slotCount + 1);
        for (int turn = 0; turn < warmUp + sizes.slotSwitches; ++turn) {
            if (turn == warmUp) {
                world.waitForSnapshots(slotCount + 1);
            }
            QString outcome;
            const double ms = world.request(sessionName(turn % (slotCount + 1)), &outcome);
            ++outcomes[outcome];
            if (turn >= warmUp && outcome == QStringLiteral("restored")) {
                switches.push_back(ms);
            }
        }
        const QByteArray last = sessionName((warmUp + sizes.slotSwitches - 1) % (slotCount + 1));
        Pairs pairs;
        pairs.run(world.client(), last, sizes.pairs);
        if (switches.empty() || !pairs.others.empty()) {
            return skipped(QStringLiteral("%1 slots: %2; then %3")
                               .arg(QString::number(slotCount), told(outcomes), told(pairs.others))
                + QLatin1Char('\n') + world.daemon().log().right(2000));
        }
        change.push_back({ static_cast<double>(slotCount), median(switches) });
        pair.push_back({ static_cast<double>(slotCount), median(pairs.us) });
    }
    return family("Cost against the number of slots (fake server)", "slots",
        { curveJson(QStringLiteral("switch"), QStringLiteral("switch to a saved session"),
              QStringLiteral("ms"), change),
            curveJson(QStringLiteral("pair"), QStringLiteral("resident begin + end"), QStringLiteral("µs"),
                pair) });
}

QJsonObject measureGrowth(const Sizes &sizes)
{
    return { { QStringLiteral("snapshots"), growthOfSnapshots(sizes) },
        { QStringLiteral("clients"), growthOfClients(sizes) },
        { QStringLiteral("slots"), growthOfSlots(sizes) } };
}

} // namespace kv::bench
