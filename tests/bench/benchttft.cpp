// SPDX-License-Identifier: MIT
// The number that people come for: time to the first token, cold, resident, restored after a switch, restored
// after a restart of the server, and on a bare server by its host prompt cache.
#include "benchkit.h"
#include "realdaemon.h"
#include "realllamaserver.h"
#include "rpcclient.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

namespace kv::bench {

namespace {

const QString c_model = QStringLiteral("mid-dense");

QStringList flags(bool hostCache)
{
    QStringList list { QStringLiteral("-c"), QStringLiteral("16384"), QStringLiteral("-np"),
        QStringLiteral("1") };
    if (!hostCache) {
        list << QStringLiteral("--cache-ram") << QStringLiteral("0");
    }
    return list;
}

struct Turn {
    QString outcome;
    double firstTokenMs = -1; ///< from begin to the first chunk
    qint64 cached = 0;
    qint64 prompt = 0;
};

Turn turn(test::RpcClient &client, const QUrl &server, const QString &session, const QString &prompt)
{
    Turn result;
    QElapsedTimer timer;
    timer.start();
    const test::RpcReply begin = client.call(QStringLiteral("request.begin"),
        { { QStringLiteral("session"), session }, { QStringLiteral("provider"), QStringLiteral("p") },
            { QStringLiteral("model"), QStringLiteral("m") } },
        120000);
    const double waited = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    const Completion done = complete(server, prompt);
    client.call(QStringLiteral("request.end"), endParams(begin.result.value(u"lease"), done));
    result.outcome = begin.result.value(u"outcome").toString();
    result.firstTokenMs = waited + done.firstChunkMs;
    result.cached = done.cachedTokens;
    result.prompt = done.promptTokens;
    return result;
}

QJsonObject shown(const Turn &turn, double coldMs)
{
    return { { QStringLiteral("outcome"), turn.outcome },
        { QStringLiteral("firstTokenMs"), turn.firstTokenMs },
        { QStringLiteral("cachedTokens"), turn.cached }, { QStringLiteral("promptTokens"), turn.prompt },
        { QStringLiteral("timesFasterThanCold"), turn.firstTokenMs > 0 ? coldMs / turn.firstTokenMs : 0 } };
}

QString promptOf(const QString &begin, int tokens)
{
    // The generated models take about one token a character.
    QString text = begin;
    int word = 0;
    while (text.size() < tokens) {
        text += QStringLiteral(" w%1").arg(++word * 7919 % 100003);
    }
    return text.left(tokens);
}

QJsonObject measureLength(int tokens)
{
    QTemporaryDir slotFolder;
    test::RealLlamaServer server(c_model, slotFolder.path(), flags(false));
    test::RealDaemon daemon;
    if (!server.start()) {
        return { { QStringLiteral("skipped"), server.log() } };
    }
    daemon.setConfig("servers:\n  local:\n    baseURL: " + server.url().toString().toUtf8()
        + "\nproviders: { p: local }\nmetadata: { path: \"${METADATA}\" }\n");
    if (!daemon.start()) {
        return { { QStringLiteral("skipped"), daemon.log() } };
    }
    test::RpcClient client;
    client.connectTo(daemon.socketPath());
    const QString prompt = promptOf(QStringLiteral("first"), tokens);
    const QString other = promptOf(QStringLiteral("Other"), 300);
    const Turn cold = turn(client, server.url(), QStringLiteral("A"), prompt);
    const Turn resident = turn(client, server.url(), QStringLiteral("A"), prompt + QStringLiteral(" more"));
    turn(client, server.url(), QStringLiteral("B"), other);
    const Turn switched
        = turn(client, server.url(), QStringLiteral("A"), prompt + QStringLiteral(" more of it"));
    turn(client, server.url(), QStringLiteral("B"), other);
    server.restart();
    const Turn restarted
        = turn(client, server.url(), QStringLiteral("A"), prompt + QStringLiteral(" more of it yet"));
    daemon.stop();
    server.stop();

    test::RealLlamaServer bare(c_model, slotFolder.path(), flags(true));
    Turn hostCache;
    if (bare.start()) {
        complete(bare.url(), prompt);
        complete(bare.url(), other);
        const Completion done = complete(bare.url(), prompt + QStringLiteral(" more"));
        hostCache
            = { QStringLiteral("bare server"), done.firstChunkMs, done.cachedTokens, done.promptTokens };
    }
    const double coldMs = cold.firstTokenMs;
    return { { QStringLiteral("promptTokens"), cold.prompt }, { QStringLiteral("cold"), shown(cold, coldMs) },
        { QStringLiteral("resident"), shown(resident, coldMs) },
        { QStringLiteral("restoredAfterSwitch"), shown(switched, coldMs) },
        { QStringLiteral("restoredAfterRestart"), shown(restarted, coldMs) },
        { QStringLiteral("hostPromptCache"), shown(hostCache, coldMs) } };
}

} // namespace

QJsonObject measureFirstToken(const std::vector<int> &promptTokens)
{
    if (const QString why = test::RealLlamaServer::whyNot(c_model); !why.isEmpty()) {
        return { { QStringLiteral("skipped"), why } };
    }
    QJsonObject out { { QStringLiteral("model"), c_model } };
    for (const int tokens : promptTokens) {
        out.insert(QString::number(tokens), measureLength(tokens));
    }
    return out;
}

} // namespace kv::bench
