// SPDX-License-Identifier: MIT
// The number that people come for: time to the first token, cold, resident, restored after a switch, restored
// after a restart of the server; and the same turns on the bare server, without and with its host prompt
// cache, in the same run.
#include "benchfirsttoken.h"
#include "benchkit.h"
#include "realdaemon.h"
#include "realllamaserver.h"
#include "rpcclient.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QTemporaryDir>

#include <map>

namespace kv::bench {

QStringList firstTokenFlags(const Sizes &sizes, bool hostCache)
{
    QStringList list { QStringLiteral("-c"), QStringLiteral("16384"), QStringLiteral("-np"),
        QStringLiteral("1") };
    if (!hostCache) {
        list << QStringLiteral("--cache-ram") << QStringLiteral("0");
    }
    return list + sizes.serverFlags;
}

TimedTurn timedTurn(const QUrl &server, const QString &prompt)
{
    return { QStringLiteral("bare"), 0, complete(server, prompt) };
}

TimedTurn timedTurn(
    test::RpcClient &client, const QUrl &server, const QJsonObject &begin, const QString &prompt)
{
    QJsonObject params { { QStringLiteral("provider"), QStringLiteral("p") },
        { QStringLiteral("model"), QStringLiteral("m") } };
    for (auto it = begin.begin(); it != begin.end(); ++it) {
        params.insert(it.key(), it.value());
    }
    QElapsedTimer timer;
    timer.start();
    const test::RpcReply begun = client.call(QStringLiteral("request.begin"), params, 120000);
    TimedTurn turn;
    turn.waitedMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    turn.outcome = begun.result.value(u"outcome").toString();
    turn.done = complete(server, prompt);
    client.call(QStringLiteral("request.end"), endParams(begun.result.value(u"lease"), turn.done));
    return turn;
}

QString otherBeginning(int number)
{
    // The first letter differs, or the slot's content would be reused.
    return QStringLiteral("%1%2 ").arg(QChar(u'a' + static_cast<char16_t>(number % 26))).arg(number);
}

namespace {

/// All rounds of one situation.
struct Cell {
    std::vector<double> ms;
    qint64 prompt = 0;
    qint64 cached = 0;
    std::map<QString, int> outcomes;
    int failed = 0;

    void take(const TimedTurn &turn)
    {
        if (!turn.done.ok) {
            ++failed;
            return;
        }
        ms.push_back(turn.firstTokenMs());
        prompt = turn.done.promptTokens;
        cached = turn.done.cachedTokens;
        ++outcomes[turn.outcome];
    }
    [[nodiscard]] QJsonObject shown(double coldMs) const
    {
        QJsonObject seen;
        for (const auto &[outcome, count] : outcomes) {
            seen.insert(outcome, count);
        }
        const double own = median(ms);
        return { { QStringLiteral("firstTokenMs"), summary(ms) }, { QStringLiteral("promptTokens"), prompt },
            { QStringLiteral("cachedTokens"), cached }, { QStringLiteral("outcomes"), seen },
            { QStringLiteral("failed"), failed },
            { QStringLiteral("timesFasterThanCold"), own > 0 ? coldMs / own : 0 } };
    }
};

using Side = std::map<QString, Cell>;

QJsonObject shown(const Side &side, double coldMs)
{
    QJsonObject out;
    for (const auto &[key, cell] : side) {
        out.insert(key, cell.shown(coldMs));
    }
    return out;
}

const QString c_cold = QStringLiteral("cold");
const QString c_resident = QStringLiteral("resident");
const QString c_switch = QStringLiteral("afterSwitch");
const QString c_restart = QStringLiteral("afterRestart");
const QString c_hostCache = QStringLiteral("afterSwitchHostCache");

/// Three servers at once, of which one works at a time: managed, bare, and bare with its host prompt cache.
class Bench final {
public:
    Bench(const QString &model, const Sizes &sizes)
        : m_managed(model, m_slots.path(), firstTokenFlags(sizes, false))
        , m_bare(model, {}, firstTokenFlags(sizes, false))
        , m_cached(model, {}, firstTokenFlags(sizes, true))
    {
    }
    /// Empty: all runs.
    QString start()
    {
        if (!m_managed.start() || !m_bare.start() || !m_cached.start()) {
            return m_managed.log() + m_bare.log() + m_cached.log();
        }
        m_daemon.setConfig(configFor(m_managed.url()));
        return m_daemon.start() && m_client.connectTo(m_daemon.socketPath()) ? QString() : m_daemon.log();
    }
    void round(int number, int characters)
    {
        const QString prompt = words(otherBeginning(number), characters);
        managedRound(QStringLiteral("session-%1").arg(number), prompt);
        bareRound(prompt);
        cachedRound(prompt);
    }
    [[nodiscard]] QJsonObject result() const
    {
        const auto cold = m_with.find(c_cold);
        const double coldMs = cold == m_with.end() ? 0 : median(cold->second.ms);
        return { { QStringLiteral("promptTokens"), cold == m_with.end() ? 0 : cold->second.prompt },
            { QStringLiteral("withKvPersist"), shown(m_with, coldMs) },
            { QStringLiteral("bareServer"), shown(m_without, coldMs) } };
    }

private:
    TimedTurn managed(const QString &session, const QString &prompt)
    {
        return timedTurn(m_client, m_managed.url(), { { QStringLiteral("session"), session } }, prompt);
    }
    void managedRound(const QString &session, const QString &prompt)
    {
        // What the last round left unsaved is none of this one's business.
        m_client.call(QStringLiteral("kv.flush"), {}, 120000);
        m_with[c_cold].take(managed(session, prompt));
        m_with[c_resident].take(managed(session, prompt + QStringLiteral(" more")));
        managed(QStringLiteral("other"), m_other);
        m_with[c_switch].take(managed(session, prompt + QStringLiteral(" more of it")));
        managed(QStringLiteral("other"), m_other);
        m_managed.restart();
        m_with[c_restart].take(managed(session, prompt + QStringLiteral(" more of it yet")));
    }
    void bareRound(const QString &prompt)
    {
        m_without[c_cold].take(timedTurn(m_bare.url(), prompt));
        m_without[c_resident].take(timedTurn(m_bare.url(), prompt + QStringLiteral(" more")));
        timedTurn(m_bare.url(), m_other);
        m_without[c_switch].take(timedTurn(m_bare.url(), prompt + QStringLiteral(" more of it")));
        timedTurn(m_bare.url(), m_other);
        m_bare.restart();
        m_without[c_restart].take(timedTurn(m_bare.url(), prompt + QStringLiteral(" more of it yet")));
    }
    void cachedRound(const QString &prompt)
    {
        timedTurn(m_cached.url(), prompt);
        timedTurn(m_cached.url(), prompt + QStringLiteral(" more"));
        timedTurn(m_cached.url(), m_other);
        m_without[c_hostCache].take(timedTurn(m_cached.url(), prompt + QStringLiteral(" more of it")));
    }

    QTemporaryDir m_slots;
    test::RealLlamaServer m_managed;
    test::RealLlamaServer m_bare;
    test::RealLlamaServer m_cached;
    test::RealDaemon m_daemon;
    test::RpcClient m_client;
    QString m_other = words(QStringLiteral("Other"), 300);
    Side m_with;
    Side m_without;
};

QJsonObject measureModel(const QString &model, const QString &kind, const Sizes &sizes)
{
    QJsonArray lengths;
    for (const int characters : sizes.promptCharacters) {
        Bench bench(model, sizes);
        if (const QString why = bench.start(); !why.isEmpty()) {
            return skipped(why);
        }
        for (int number = 0; number < sizes.firstTokenRounds; ++number) {
            bench.round(number, characters);
        }
        lengths.append(bench.result());
    }
    return { { QStringLiteral("model"), model }, { QStringLiteral("kind"), kind },
        { QStringLiteral("lengths"), lengths } };
}

} // namespace

QJsonObject measureFirstToken(const Sizes &sizes)
{
    QJsonArray models;
    for (const auto &[model, kind] : { std::pair { sizes.denseModel, QStringLiteral("dense") },
             std::pair { sizes.recurrentModel, QStringLiteral("recurrent") } }) {
        if (const QString why = test::RealLlamaServer::whyNot(model); !why.isEmpty()) {
            return skipped(why);
        }
        const QJsonObject measured = measureModel(model, kind, sizes);
        if (measured.contains(u"skipped")) {
            return measured;
        }
        models.append(measured);
    }
    return { { QStringLiteral("rounds"), sizes.firstTokenRounds }, { QStringLiteral("models"), models } };
}

} // namespace kv::bench
