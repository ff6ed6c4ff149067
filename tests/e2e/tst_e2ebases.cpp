// SPDX-License-Identifier: MIT
// Warm from the first request, on a real server: what sessions begin with in common is processed once.
#include "e2etest.h"

#include <QJsonArray>

#include <algorithm>

using namespace kv::test;

namespace {

constexpr int c_shared = 6000;
constexpr int c_own = 150;
constexpr int c_sessions = 10;

StageOptions bases(const QString &model)
{
    StageOptions options;
    options.model = model;
    options.serverFlags
        = { QStringLiteral("-np"), QStringLiteral("1"), QStringLiteral("--cache-ram"), QStringLiteral("0"),
              QStringLiteral("-c"), QStringLiteral("8192"), QStringLiteral("-t"), QStringLiteral("1") };
    options.config = "coldStart: base\n";
    return options;
}

QJsonObject withBase() { return { { QStringLiteral("base"), QStringLiteral("system-and-tools-1") } }; }

QList<int> sharedPrompt(quint32 seed = 77) { return Conversation(QString(), seed, c_shared).prompt(); }

QJsonArray listed(Stage &stage, const QString &kind)
{
    return stage.client()
        .call(QStringLiteral("kv.list"), { { QStringLiteral("kind"), kind } })
        .result[QStringLiteral("rows")]
        .toArray();
}

}

class TstE2eBases final : public E2eTest {
    Q_OBJECT
private:
    /// The first session of a base, until the base is on record.
    bool makeBase(const QList<int> &shared)
    {
        Conversation first(QStringLiteral("first"), 1, shared, c_own);
        const Turn turn = stage().turn(first, withBase());
        return turn.outcome() == u"cold" && turn.answer.status == 200
            && QTest::qWaitFor([&] { return listed(stage(), QStringLiteral("base")).size() == 1; }, 20000);
    }
    /// Somebody whose prompt shares nothing gets the slot.
    void pushOut(quint32 seed)
    {
        Conversation other(QStringLiteral("other-%1").arg(seed), seed, 400);
        stage().turn(other);
    }

private Q_SLOTS:
    void tenSessionsWithOneBeginning_data();
    void tenSessionsWithOneBeginning();
    void theFirstRequestAfterARestartOfBothIsWarm();
    void aWrongBaseIsNoWorseThanColdAndIsDropped();
    void aForkStartsFromItsParent();
    void threeSlotsAtOnce();
    void purgingItsSessionTakesTheBaseAlong();
    void subAgentsThatAreDoneAfterOneRequestLeaveTheirBase();
};

void TstE2eBases::tenSessionsWithOneBeginning_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<double>("leastReused");
    QTest::newRow("dense") << QStringLiteral("tiny-dense") << 0.99;
    // It can go back only to where the server made a checkpoint, every so many tokens.
    QTest::newRow("recurrent") << QStringLiteral("tiny-mamba") << 0.5;
}

void TstE2eBases::tenSessionsWithOneBeginning()
{
    QFETCH(QString, model);
    QFETCH(double, leastReused);
    if (const QString why = RealLlamaServer::whyNot(model); !why.isEmpty()) {
        QSKIP(qPrintable(why));
    }
    KV_STAGE(bases(model));
    const QList<int> shared = sharedPrompt();
    QVERIFY(makeBase(shared));
    int restored = 0;
    for (int i = 1; i < c_sessions; ++i) {
        const bool pushed = i % 3 != 0; // else the slot still holds a session that begins alike
        if (pushed) {
            pushOut(500U + static_cast<quint32>(i));
        }
        Conversation session(QStringLiteral("s%1").arg(i), 10U + static_cast<quint32>(i), shared, c_own);
        const Turn turn = stage().turn(session, withBase());
        QCOMPARE(turn.outcome(), QStringLiteral("based"));
        QCOMPARE(turn.answer.status, 200);
        QVERIFY2(turn.answer.cachedTokens >= leastReused * c_shared,
            qPrintable(QStringLiteral("session %1 (%2): %3 of %4 tokens reused")
                           .arg(i)
                           .arg(pushed ? QStringLiteral("restored") : QStringLiteral("left"))
                           .arg(turn.answer.cachedTokens)
                           .arg(turn.answer.promptTokens)));
        QCOMPARE(turn.end.result[QStringLiteral("reuse")][QStringLiteral("verdict")].toString(),
            QStringLiteral("verified"));
        if (i >= c_sessions - 2) { // one that was restored, one that was left
            QCOMPARE(turn.answer.tokens, stage().coldReference(session));
        }
        restored += turn.begin.result[QStringLiteral("restoreMs")].isDouble() ? 1 : 0;
    }
    QCOMPARE(restored, c_sessions - c_sessions / 3 - 1);
    // One base, known to be shared as far as it was; no session got another one's state as its own.
    const QJsonArray rows = listed(stage(), QStringLiteral("base"));
    QCOMPARE(rows.size(), 1);
    QVERIFY(rows.at(0)[QStringLiteral("prefixTokens")].toInt() >= leastReused * c_shared);
    QCOMPARE(stage().status()[QStringLiteral("snapshots")][QStringLiteral("bases")].toInt(), 1);
    for (const QJsonValue &row : listed(stage(), QStringLiteral("session"))) {
        QCOMPARE(row[QStringLiteral("kind")].toString(), QStringLiteral("session"));
    }
}

void TstE2eBases::theFirstRequestAfterARestartOfBothIsWarm()
{
    KV_STAGE(bases(QStringLiteral("tiny-dense")));
    const QList<int> shared = sharedPrompt();
    QVERIFY(makeBase(shared));
    QVERIFY(stage().daemon().stop());
    stage().stopServer();
    QVERIFY(stage().startServer());
    QVERIFY(stage().daemon().start());
    QVERIFY(stage().connectClient() && stage().waitHealthy());
    Conversation fresh(QStringLiteral("fresh"), 30, shared, c_own);
    const Turn turn = stage().turn(fresh, withBase());
    QCOMPARE(turn.outcome(), QStringLiteral("based"));
    QVERIFY(turn.answer.cachedTokens >= 0.99 * c_shared);
    QCOMPARE(turn.answer.tokens, stage().coldReference(fresh));
}

void TstE2eBases::aWrongBaseIsNoWorseThanColdAndIsDropped()
{
    KV_STAGE(bases(QStringLiteral("tiny-dense")));
    QVERIFY(makeBase(sharedPrompt()));
    const QList<int> another = sharedPrompt(78); // though its hash says the same
    for (int i = 0; i < 2; ++i) {
        pushOut(600U + static_cast<quint32>(i));
        QCOMPARE(listed(stage(), QStringLiteral("base")).size(), 1);
        Conversation wrong(QStringLiteral("wrong-%1").arg(i), 40U + static_cast<quint32>(i), another, c_own);
        const Turn turn = stage().turn(wrong, withBase());
        QCOMPARE(turn.outcome(), QStringLiteral("based"));
        verifyCold(turn, stage().coldReference(wrong));
        QCOMPARE(turn.end.result[QStringLiteral("reuse")][QStringLiteral("verdict")].toString(),
            QStringLiteral("none"));
    }
    QCOMPARE(listed(stage(), QStringLiteral("base")).size(), 0);
    pushOut(610);
    Conversation third(QStringLiteral("third"), 50, another, c_own);
    const Turn turn = stage().turn(third, withBase());
    QCOMPARE(turn.outcome(), QStringLiteral("cold"));
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    QCOMPARE(listed(stage(), QStringLiteral("base")).size(),
        0); // whoever calls two prompts the same does it again
}

void TstE2eBases::aForkStartsFromItsParent()
{
    KV_STAGE(bases(QStringLiteral("tiny-dense")));
    Conversation parent(QStringLiteral("parent"), 60, 3000);
    stage().turn(parent);
    QList<int> copied = parent.sent().last();
    for (const bool pushed : { true, false }) {
        if (pushed) {
            pushOut(620);
        } else {
            stage().turn(parent);
        }
        Conversation fork(pushed ? QStringLiteral("fork-1") : QStringLiteral("fork-2"), 61, copied, c_own);
        const Turn turn = stage().turn(fork, { { QStringLiteral("fork"), QStringLiteral("parent") } });
        QCOMPARE(turn.outcome(), QStringLiteral("based"));
        QVERIFY(turn.answer.cachedTokens >= 0.95 * static_cast<double>(copied.size()));
        QCOMPARE(turn.answer.tokens, stage().coldReference(fork));
        // Its parent goes on as if nothing had been.
        const int held = parent.held();
        const Turn back = stage().turn(parent);
        QCOMPARE(back.outcome(), QStringLiteral("restored"));
        verifyWarm(back, held, stage().warmReference(parent));
        copied = parent.sent().last();
    }
}

void TstE2eBases::threeSlotsAtOnce()
{
    StageOptions options = bases(QStringLiteral("tiny-dense"));
    options.serverFlags[1] = QStringLiteral("3");
    options.serverFlags[5] = QStringLiteral("24576");
    options.serverConfig = "    mode: managed-slots\n";
    options.pins = true;
    options.direct = true;
    KV_STAGE(options);
    const QList<int> shared = sharedPrompt();
    QVERIFY(makeBase(shared));
    // Three at once: each is in a slot of its own, and none of them is cold.
    std::vector<RpcReply> begun;
    std::vector<Conversation *> talks;
    Conversation a(QStringLiteral("a"), 70, shared, c_own);
    Conversation b(QStringLiteral("b"), 71, shared, c_own);
    Conversation c(QStringLiteral("c"), 72, shared, c_own);
    for (Conversation *talk : { &a, &b, &c }) {
        begun.push_back(stage().begin(talk->session(), withBase()));
        talks.push_back(talk);
        QCOMPARE(begun.back().result[QStringLiteral("outcome")].toString(), QStringLiteral("based"));
    }
    for (std::size_t i = 0; i < talks.size(); ++i) {
        const Completion answer = complete(
            stage().server().port(), talks[i]->prompt(), true, c_answerTokens, stage().pinOf(begun[i]));
        QVERIFY(answer.cachedTokens >= 0.99 * c_shared);
        QVERIFY(stage().end(begun[i], answer).ok());
    }
}

void TstE2eBases::purgingItsSessionTakesTheBaseAlong()
{
    KV_STAGE(bases(QStringLiteral("tiny-dense")));
    const QList<int> shared = sharedPrompt();
    QVERIFY(makeBase(shared));
    const RpcReply purged = stage().client().call(
        QStringLiteral("kv.purge"), { { QStringLiteral("session"), QStringLiteral("first") } });
    QVERIFY2(purged.ok(), qPrintable(purged.text()));
    QCOMPARE(listed(stage(), QStringLiteral("base")).size(), 0);
    pushOut(630);
    Conversation next(QStringLiteral("next"), 80, shared, c_own);
    const Turn turn = stage().turn(next, withBase());
    QCOMPARE(turn.outcome(), QStringLiteral("cold"));
    verifyCold(turn, stage().coldReference(next));
}

void TstE2eBases::subAgentsThatAreDoneAfterOneRequestLeaveTheirBase()
{
    KV_STAGE(bases(QStringLiteral("tiny-dense")));
    const QList<int> shared = sharedPrompt();
    QJsonObject child = withBase();
    child[QStringLiteral("origin")] = QStringLiteral("subagent");
    child[QStringLiteral("parent")] = QStringLiteral("parent");
    for (int i = 0; i < 4; ++i) {
        Conversation agent(QStringLiteral("agent-%1").arg(i), 90U + static_cast<quint32>(i), shared, c_own);
        const Turn turn = stage().turn(agent, child);
        QVERIFY(
            stage().hint(agent.session(), QStringLiteral("disposed")).ok()); // as its harness does at once
        QCOMPARE(turn.outcome(), i == 0 ? QStringLiteral("cold") : QStringLiteral("based"));
        QVERIFY(i == 0 || turn.answer.cachedTokens >= 0.99 * c_shared);
        QTRY_COMPARE(listed(stage(), QStringLiteral("base")).size(), 1);
        pushOut(700U + static_cast<quint32>(i));
    }
    for (const QJsonValue &row : listed(stage(), QStringLiteral("session"))) {
        QVERIFY(!row[QStringLiteral("subagent")].toBool());
    }
}

QTEST_GUILESS_MAIN(TstE2eBases)
#include "tst_e2ebases.moc"
