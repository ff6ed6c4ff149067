// SPDX-License-Identifier: MIT
// A server with several slots. Two sessions at once: is their throughput that of the bare server? Eight
// sessions that take turns at random on four slots: what share of all prompt tokens needs no processing, with
// kv-persist, on the bare server without its host prompt cache, and with it?
#include "benchkit.h"
#include "realdaemon.h"
#include "realllamaserver.h"
#include "rpcclient.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QThread>

#include <array>
#include <memory>

namespace kv::bench {

namespace {

constexpr int c_turnTokens = 60;
constexpr quint32 c_seed = 20261130;

struct Talk {
    QString session;
    QString prompt;
    int turns = 0;
};

struct Sums {
    qint64 prompt = 0;
    qint64 cached = 0;
    qint64 generated = 0;
    int failed = 0;
};

void turn(Talk &talk, const QUrl &server, test::RpcClient *client, int answerTokens, Sums &sums)
{
    test::RpcReply begun;
    if (client != nullptr) {
        begun = client->call(QStringLiteral("request.begin"),
            { { QStringLiteral("session"), talk.session },
                { QStringLiteral("provider"), QStringLiteral("p") },
                { QStringLiteral("model"), QStringLiteral("m") } },
            120000);
    }
    const int slot = begun.result.value(u"transport").toObject().value(u"id_slot").toInt(-1);
    const Completion done = complete(server, talk.prompt, slot, answerTokens);
    if (client != nullptr) {
        client->call(QStringLiteral("request.end"), endParams(begun.result.value(u"lease"), done));
    }
    sums.prompt += done.promptTokens;
    sums.cached += done.cachedTokens;
    sums.generated += done.completionTokens;
    sums.failed += done.ok ? 0 : 1;
    talk.prompt += words(QStringLiteral(" turn%1").arg(++talk.turns), c_turnTokens);
}

bool connectPinning(test::RpcClient &client, const QString &socket)
{
    return client.connectTo(socket)
        && client.call(QStringLiteral("hello"), { { QStringLiteral("pins"), true } }).ok();
}

/// One server, with the daemon or without it, for the time of a measurement.
class Setting final {
public:
    Setting(const QString &model, const QStringList &flags, bool managed)
        : m_server(model, m_slots.path(), flags)
        , m_managed(managed)
    {
    }
    bool start()
    {
        if (!m_server.start()) {
            return false;
        }
        m_daemon.setConfig(configFor(m_server.url(), "    mode: managed-slots\n"));
        return !m_managed || m_daemon.start();
    }
    [[nodiscard]] QUrl url() const { return m_server.url(); }
    [[nodiscard]] QString socket() const { return m_managed ? m_daemon.socketPath() : QString(); }
    [[nodiscard]] QJsonObject skipped() const
    {
        return { { QStringLiteral("skipped"), m_server.log() + m_daemon.log() } };
    }

private:
    QTemporaryDir m_slots;
    test::RealLlamaServer m_server;
    test::RealDaemon m_daemon;
    bool m_managed;
};

QJsonObject takeTurns(const QStringList &cacheFlags, bool managed, const Sizes &sizes)
{
    const QStringList flags { QStringLiteral("-np"), QStringLiteral("4"), QStringLiteral("-c"),
        QStringLiteral("32768") };
    Setting setting(QStringLiteral("tiny-dense"), flags + cacheFlags + sizes.serverFlags, managed);
    test::RpcClient client;
    if (!setting.start() || (managed && !connectPinning(client, setting.socket()))) {
        return setting.skipped();
    }
    QRandomGenerator random(c_seed); // the same traffic each time
    std::vector<Talk> talks;
    for (int i = 0; i < 8; ++i) {
        const QString session = QStringLiteral("%1talk").arg(QChar(u'a' + static_cast<char16_t>(i)));
        talks.push_back({ session, words(session, sizes.slotCharacters), 0 });
    }
    Sums sums;
    QElapsedTimer wall;
    wall.start();
    for (int i = 0; i < sizes.slotTurns; ++i) {
        turn(talks.at(random.bounded(static_cast<quint32>(talks.size()))), setting.url(),
            managed ? &client : nullptr, 4, sums);
    }
    return { { QStringLiteral("promptTokens"), sums.prompt }, { QStringLiteral("reusedTokens"), sums.cached },
        { QStringLiteral("reusedShare"),
            sums.prompt > 0 ? static_cast<double>(sums.cached) / static_cast<double>(sums.prompt) : 0 },
        { QStringLiteral("failed"), sums.failed },
        { QStringLiteral("totalMs"), static_cast<double>(wall.nsecsElapsed()) / 1e6 } };
}

QJsonObject runAtOnce(bool managed, const Sizes &sizes)
{
    const QStringList flags { QStringLiteral("-np"), QStringLiteral("2"), QStringLiteral("-c"),
        QStringLiteral("16384"), QStringLiteral("--cache-ram"), QStringLiteral("0") };
    Setting setting(sizes.denseModel, flags + sizes.serverFlags, managed);
    if (!setting.start()) {
        return setting.skipped();
    }
    std::array<Sums, 2> sums;
    std::vector<std::unique_ptr<QThread>> threads;
    QElapsedTimer wall;
    wall.start();
    for (std::size_t i = 0; i < sums.size(); ++i) {
        threads.emplace_back(QThread::create([&sums, &setting, &sizes, managed, i] {
            test::RpcClient client;
            if (managed && !connectPinning(client, setting.socket())) {
                sums.at(i).failed = sizes.atOnceTurns;
                return;
            }
            const QString session = i == 0 ? QStringLiteral("one") : QStringLiteral("two");
            Talk talk { session, words(session, sizes.slotCharacters), 0 };
            for (int at = 0; at < sizes.atOnceTurns; ++at) {
                turn(talk, setting.url(), managed ? &client : nullptr, 60, sums.at(i));
            }
        }));
        threads.back()->start();
    }
    for (const auto &thread : threads) {
        thread->wait();
    }
    const double totalMs = static_cast<double>(wall.nsecsElapsed()) / 1e6;
    const qint64 generated = sums[0].generated + sums[1].generated;
    return { { QStringLiteral("totalMs"), totalMs }, { QStringLiteral("generatedTokens"), generated },
        { QStringLiteral("tokensPerSecond"), 1000 * static_cast<double>(generated) / totalMs },
        { QStringLiteral("failed"), sums[0].failed + sums[1].failed } };
}

} // namespace

QJsonObject measureSlots(const Sizes &sizes)
{
    if (const QString why = test::RealLlamaServer::whyNot(sizes.denseModel); !why.isEmpty()) {
        return { { QStringLiteral("skipped"), why } };
    }
    const QStringList noCache { QStringLiteral("--cache-ram"), QStringLiteral("0") };
    QJsonObject atOnce;
    std::vector<double> ratios;
    for (int round = 0; round < sizes.atOnceRounds; ++round) {
        // Side by side, as the machine is not equally quiet at all times.
        const QJsonObject with = runAtOnce(true, sizes);
        const QJsonObject bare = runAtOnce(false, sizes);
        atOnce.insert(QStringLiteral("round%1").arg(round),
            QJsonObject {
                { QStringLiteral("withKvPersist"), with }, { QStringLiteral("bareServer"), bare } });
        ratios.push_back(
            with.value(u"tokensPerSecond").toDouble() / bare.value(u"tokensPerSecond").toDouble());
    }
    atOnce.insert(QStringLiteral("ratioOfThroughput"), summary(ratios));
    return { { QStringLiteral("twoAtOnce"), atOnce },
        { QStringLiteral("eightOnFour"),
            QJsonObject { { QStringLiteral("turns"), sizes.slotTurns },
                { QStringLiteral("withKvPersist"), takeTurns(noCache, true, sizes) },
                { QStringLiteral("withKvPersistAndHostCache"), takeTurns({}, true, sizes) },
                { QStringLiteral("bareServer"), takeTurns(noCache, false, sizes) },
                { QStringLiteral("bareServerWithHostCache"), takeTurns({}, false, sizes) } } } };
}

} // namespace kv::bench
