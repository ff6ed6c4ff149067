// SPDX-License-Identifier: MIT
// A parent and three sub-agents on one slot, each working through the steps of a turn at once: what
// kv-persist makes of them, and what a bare server with its host prompt cache does. And a server that cannot
// keep states at all: what a request costs with kv-persist there, and without it.
#include "benchkit.h"
#include "realdaemon.h"
#include "realllamaserver.h"
#include "rpcclient.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QThread>

#include <algorithm>
#include <memory>

namespace kv::bench {

namespace {

constexpr int c_agents = 4;
constexpr int c_stepTokens = 40;

struct Agent {
    QString session;
    QString parent;
    std::vector<double> firstTokenMs; ///< of each step, from its begin
    qint64 prefilled = 0;
    int steps = 0;
    int failed = 0;
};

QJsonObject beginParams(const Agent &agent)
{
    QJsonObject params { { QStringLiteral("session"), agent.session },
        { QStringLiteral("provider"), QStringLiteral("p") },
        { QStringLiteral("model"), QStringLiteral("m") } };
    if (!agent.parent.isEmpty()) {
        params.insert(QStringLiteral("parent"), agent.parent);
        params.insert(QStringLiteral("origin"), QStringLiteral("subagent"));
    }
    return params;
}

/// One agent's turn; `socket` empty: straight to the server.
void work(Agent &agent, const QUrl &server, const QString &socket, int steps, int characters)
{
    test::RpcClient client;
    const bool managed = !socket.isEmpty();
    if (managed && !client.connectTo(socket)) {
        agent.failed = steps;
        return;
    }
    QString prompt = words(agent.session, characters);
    for (int step = 0; step < steps; ++step) {
        QElapsedTimer timer;
        timer.start();
        test::RpcReply begun;
        if (managed) {
            begun = client.call(QStringLiteral("request.begin"), beginParams(agent), 300000);
        }
        const double waited = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        const Completion done = complete(server, prompt);
        agent.failed += done.ok ? 0 : 1;
        agent.firstTokenMs.push_back(waited + done.firstChunkMs);
        agent.prefilled += done.promptTokens - done.cachedTokens;
        ++agent.steps;
        if (managed) {
            client.call(QStringLiteral("request.end"),
                { { QStringLiteral("lease"), begun.result.value(u"lease") },
                    { QStringLiteral("outcome"), done.ok ? QStringLiteral("ok") : QStringLiteral("error") },
                    { QStringLiteral("more"), step + 1 < steps },
                    { QStringLiteral("usage"),
                        QJsonObject { { QStringLiteral("promptTokens"), done.promptTokens },
                            { QStringLiteral("completionTokens"), done.completionTokens },
                            { QStringLiteral("cachedTokens"), done.cachedTokens } } } });
        }
        prompt += words(QStringLiteral(" step%1").arg(step), c_stepTokens);
    }
}

QJsonObject runAgents(const QUrl &server, const QString &socket, const Sizes &sizes)
{
    std::vector<Agent> agents(c_agents);
    std::vector<std::unique_ptr<QThread>> threads;
    QElapsedTimer wall;
    wall.start();
    for (std::size_t i = 0; i < agents.size(); ++i) {
        Agent &agent = agents[i];
        agent.session = QStringLiteral("%1agent").arg(QChar(u'a' + static_cast<char16_t>(i)));
        agent.parent = i == 0 ? QString() : agents.front().session;
        threads.emplace_back(QThread::create([&agent, &sizes, server, socket] {
            work(agent, server, socket, sizes.trafficSteps, sizes.trafficCharacters);
        }));
        threads.back()->start();
    }
    for (const auto &thread : threads) {
        thread->wait();
    }
    const double totalMs = static_cast<double>(wall.nsecsElapsed()) / 1e6;
    std::vector<double> waits;
    qint64 prefilled = 0;
    int failed = 0;
    for (const Agent &agent : agents) {
        waits.insert(waits.end(), agent.firstTokenMs.begin(), agent.firstTokenMs.end());
        prefilled += agent.prefilled;
        failed += agent.failed;
    }
    return { { QStringLiteral("totalMs"), totalMs }, { QStringLiteral("prefilledTokens"), prefilled },
        { QStringLiteral("failed"), failed }, { QStringLiteral("firstTokenMs"), summary(waits) },
        { QStringLiteral("longestMs"), *std::max_element(waits.begin(), waits.end()) } };
}

QStringList flags(const Sizes &sizes)
{
    return QStringList { QStringLiteral("-c"), QStringLiteral("8192"), QStringLiteral("-np"),
        QStringLiteral("1") }
    + sizes.serverFlags;
}

QJsonObject withDaemon(test::RealLlamaServer &server, const Sizes &sizes)
{
    test::RealDaemon daemon;
    daemon.setConfig(configFor(server.url()));
    if (!daemon.start()) {
        return { { QStringLiteral("skipped"), daemon.log() } };
    }
    QJsonObject out = runAgents(server.url(), daemon.socketPath(), sizes);
    test::RpcClient client;
    client.connectTo(daemon.socketPath());
    const QJsonObject stats = client.call(QStringLiteral("kv.status"), {}).result.value(u"stats").toObject();
    for (const char *name : { "restores", "saves", "switches", "coldStarts", "bytesSaved" }) {
        out.insert(QLatin1String(name), stats.value(QLatin1String(name)));
    }
    daemon.stop();
    return out;
}

/// `requests` on a server that answers 501 to every save: through the daemon, then without it.
QJsonObject measureFailing(const Sizes &sizes)
{
    const int requests = sizes.failingRequests;
    test::RealLlamaServer server(sizes.denseModel, {}, flags(sizes));
    test::RealDaemon daemon;
    if (!server.start()) {
        return { { QStringLiteral("skipped"), server.log() } };
    }
    daemon.setConfig(configFor(server.url()));
    if (!daemon.start()) {
        return { { QStringLiteral("skipped"), daemon.log() } };
    }
    Agent managed { QStringLiteral("managed"), {}, {}, 0, 0, 0 };
    Agent bare { QStringLiteral("bare"), {}, {}, 0, 0, 0 };
    work(managed, server.url(), daemon.socketPath(), requests + 1, sizes.trafficCharacters);
    work(bare, server.url(), {}, requests + 1, sizes.trafficCharacters);
    daemon.stop();
    // The first of each processes its whole prompt.
    managed.firstTokenMs.erase(managed.firstTokenMs.begin());
    bare.firstTokenMs.erase(bare.firstTokenMs.begin());
    return { { QStringLiteral("requests"), requests },
        { QStringLiteral("withKvPersistMs"), summary(managed.firstTokenMs) },
        { QStringLiteral("withoutMs"), summary(bare.firstTokenMs) },
        { QStringLiteral("ratioOfMedians"), median(managed.firstTokenMs) / median(bare.firstTokenMs) } };
}

} // namespace

QJsonObject measureTraffic(const Sizes &sizes)
{
    const QString model = sizes.denseModel;
    if (const QString why = test::RealLlamaServer::whyNot(model); !why.isEmpty()) {
        return { { QStringLiteral("skipped"), why } };
    }
    QJsonObject out { { QStringLiteral("agents"), c_agents },
        { QStringLiteral("steps"), sizes.trafficSteps } };
    QTemporaryDir slotFolder;
    {
        test::RealLlamaServer server(model, slotFolder.path(), flags(sizes));
        out.insert(QStringLiteral("withKvPersist"),
            server.start() ? withDaemon(server, sizes)
                           : QJsonObject { { QStringLiteral("skipped"), server.log() } });
    }
    {
        test::RealLlamaServer bare(model, slotFolder.path(), flags(sizes));
        out.insert(QStringLiteral("bareServer"),
            bare.start() ? runAgents(bare.url(), {}, sizes)
                         : QJsonObject { { QStringLiteral("skipped"), bare.log() } });
    }
    out.insert(QStringLiteral("slotsApiFailing"), measureFailing(sizes));
    return out;
}

} // namespace kv::bench
