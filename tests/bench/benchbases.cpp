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

#include <algorithm>
#include <functional>
#include <map>

namespace kv::bench {

namespace {

using Ask = std::function<TimedTurn(const QString &session, const QString &base, const QString &prompt)>;

QString prefixOf(const Sizes &sizes) { return words(QStringLiteral("Base"), sizes.baseCharacters); }

QString promptOf(int number, const Sizes &sizes)
{
    return prefixOf(sizes) + QStringLiteral(" ") + words(otherBeginning(number).trimmed(), 60);
}

QJsonObject run(const Ask &ask, const Sizes &sizes, bool othersBetween)
{
    const QString hash = QString::fromLatin1(
        QCryptographicHash::hash(prefixOf(sizes).toUtf8(), QCryptographicHash::Sha256).toHex());
    std::vector<double> all;
    std::map<QString, int> outcomes;
    QJsonArray each;
    for (int number = 0; number < sizes.baseSessions; ++number) {
        if (othersBetween) {
            // As long ago as it takes for another conversation to have the slot.
            ask(QStringLiteral("other"), {}, words(QStringLiteral("other"), 300));
        }
        const TimedTurn turn = ask(otherBeginning(number).trimmed(), hash, promptOf(number, sizes));
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

/// How long the beginning is that the prompts of two sessions share: by the model's tokens, not by what it
/// can take up again, which is less on a recurrent one.
qint64 sharedTokens(const QUrl &server, const Sizes &sizes)
{
    const auto tokensOf = [&](int number) {
        QUrl url = server;
        url.setPath(QStringLiteral("/tokenize"));
        return post(url,
            { { QStringLiteral("content"), promptOf(number, sizes) },
                { QStringLiteral("add_special"), true } })
            .value(u"tokens")
            .toArray();
    };
    const QJsonArray one = tokensOf(0);
    const QJsonArray other = tokensOf(1);
    return std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin();
}

QJsonObject runBare(const QString &model, const Sizes &sizes, bool othersBetween, bool hostCache)
{
    test::RealLlamaServer server(model, {}, firstTokenFlags(sizes, hostCache));
    if (!server.start()) {
        return skipped(server.log());
    }
    QJsonObject out = run([&](const QString &, const QString &,
                              const QString &prompt) { return timedTurn(server.url(), prompt); },
        sizes, othersBetween);
    out.insert(QStringLiteral("sharedTokens"), sharedTokens(server.url(), sizes));
    return out;
}

QJsonObject measureBasesOf(const QString &model, const Sizes &sizes)
{
    QJsonObject out { { QStringLiteral("model"), model } };
    for (const bool othersBetween : { false, true }) {
        const QJsonObject managed = runManaged(model, sizes, othersBetween);
        QJsonObject bare = runBare(model, sizes, othersBetween, false);
        QJsonObject bareWithCache = runBare(model, sizes, othersBetween, true);
        bareWithCache.remove(QStringLiteral("sharedTokens"));
        out.insert(QStringLiteral("sharedTokens"), bare.take(QStringLiteral("sharedTokens")));
        out.insert(othersBetween ? QStringLiteral("othersBetween") : QStringLiteral("inARow"),
            QJsonObject { { QStringLiteral("withKvPersist"), managed },
                { QStringLiteral("bareServer"), bare },
                { QStringLiteral("bareServerWithHostCache"), bareWithCache } });
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
