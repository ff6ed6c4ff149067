// SPDX-License-Identifier: MIT
// New sessions whose prompts begin alike, as those of one harness do (its instructions, its tools): when does
// the first token of each come, through the daemon and on the bare server?
#include "benchfirsttoken.h"
#include "realdaemon.h"
#include "realllamaserver.h"
#include "rpcclient.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QTemporaryDir>

#include <functional>
#include <map>

namespace kv::bench {

namespace {

using Ask = std::function<TimedTurn(const QString &session, const QString &base, const QString &prompt)>;

QJsonObject run(const Ask &ask, const Sizes &sizes, bool othersBetween)
{
    const QString prefix = words(QStringLiteral("Base"), sizes.baseCharacters);
    const QString hash
        = QString::fromLatin1(QCryptographicHash::hash(prefix.toUtf8(), QCryptographicHash::Sha256).toHex());
    std::vector<double> all;
    std::map<QString, int> outcomes;
    QJsonArray each;
    for (int number = 0; number < sizes.baseSessions; ++number) {
        if (othersBetween) {
            // As long ago as it takes for another conversation to have the slot.
            ask(QStringLiteral("other"), {}, words(QStringLiteral("other"), 300));
        }
        const QString name = otherBeginning(number).trimmed();
        const TimedTurn turn = ask(name, hash, prefix + QStringLiteral(" ") + words(name, 60));
        all.push_back(turn.firstTokenMs());
        ++outcomes[turn.outcome];
        each.append(QJsonObject { { QStringLiteral("firstTokenMs"), turn.firstTokenMs() },
            { QStringLiteral("outcome"), turn.outcome },
            { QStringLiteral("promptTokens"), turn.done.promptTokens },
            { QStringLiteral("cachedTokens"), turn.done.cachedTokens } });
    }
    QJsonObject seen;
    for (const auto &[outcome, count] : outcomes) {
        seen.insert(outcome, count);
    }
    return { { QStringLiteral("firstSessionMs"), all.front() },
        { QStringLiteral("laterSessionsMs"), summary({ all.begin() + 1, all.end() }) },
        { QStringLiteral("outcomes"), seen }, { QStringLiteral("sessions"), each } };
}

QJsonObject runManaged(const QString &model, const Sizes &sizes, bool othersBetween)
{
    const QTemporaryDir slotFolder;
    test::RealLlamaServer server(model, slotFolder.path(), firstTokenFlags(sizes, false));
    if (!server.start()) {
        return skipped(server.log());
    }
    test::RealDaemon daemon;
    test::RpcClient client;
    daemon.setConfig(configFor(server.url()));
    if (!daemon.start() || !client.connectTo(daemon.socketPath())) {
        return skipped(daemon.log());
    }
    return run(
        [&](const QString &session, const QString &base, const QString &prompt) {
            QJsonObject begin { { QStringLiteral("session"), session } };
            if (!base.isEmpty()) {
                begin.insert(QStringLiteral("base"), base);
            }
            return timedTurn(client, server.url(), begin, prompt);
        },
        sizes, othersBetween);
}

QJsonObject runBare(const QString &model, const Sizes &sizes, bool othersBetween, bool hostCache)
{
    test::RealLlamaServer server(model, {}, firstTokenFlags(sizes, hostCache));
    if (!server.start()) {
        return skipped(server.log());
    }
    return run([&](const QString &, const QString &,
                   const QString &prompt) { return timedTurn(server.url(), prompt); },
        sizes, othersBetween);
}

/// What the second session found of the first one's, in the slot that both had.
qint64 sharedTokens(const QJsonObject &bareInARow)
{
    return bareInARow.value(u"sessions")[1][QStringLiteral("cachedTokens")].toInteger();
}

QJsonObject measureBasesOf(const QString &model, const Sizes &sizes)
{
    QJsonObject out { { QStringLiteral("model"), model } };
    for (const bool othersBetween : { false, true }) {
        const QJsonObject managed = runManaged(model, sizes, othersBetween);
        const QJsonObject bare = runBare(model, sizes, othersBetween, false);
        out.insert(othersBetween ? QStringLiteral("othersBetween") : QStringLiteral("inARow"),
            QJsonObject { { QStringLiteral("withKvPersist"), managed },
                { QStringLiteral("bareServer"), bare },
                { QStringLiteral("bareServerWithHostCache"), runBare(model, sizes, othersBetween, true) } });
        if (!othersBetween) {
            out.insert(QStringLiteral("sharedTokens"), sharedTokens(bare));
        }
    }
    return out;
}

} // namespace

QJsonObject measureBases(const Sizes &sizes)
{
    for (const QString &model : { sizes.denseModel, sizes.recurrentModel }) {
        if (const QString why = test::RealLlamaServer::whyNot(model); !why.isEmpty()) {
            return skipped(why);
        }
    }
    return { { QStringLiteral("sessions"), sizes.baseSessions },
        { QStringLiteral("dense"), measureBasesOf(sizes.denseModel, sizes) },
        { QStringLiteral("recurrent"), measureBasesOf(sizes.recurrentModel, sizes) } };
}

} // namespace kv::bench
