// SPDX-License-Identifier: MIT
#include "chaosworld.h"
#include "e2etest.h"

#include <QRandomGenerator>
#include <QTimer>

using namespace kv::test;

/// The daemon and a real server, killed at random points of their work. Each run prints its seed.
class TstChaosReal final : public E2eTest {
    Q_OBJECT

private Q_SLOTS:
    void killedAtRandomPoints();

private:
    enum class Step { Refused, Failed, Done };
    Step turn(Conversation &conversation);
    void bringUp();
};

/// As a harness does it: whatever kv-persist says or does not say, the request is sent.
TstChaosReal::Step TstChaosReal::turn(Conversation &conversation)
{
    const RpcReply begun = stage().begin(conversation.session());
    if (!begun.answered && stage().client().connected()) {
        QTest::qFail("a begin was not answered", __FILE__, __LINE__);
    }
    const Completion answer = complete(stage().server().port(), conversation.prompt());
    const QString outcome = answer.status == 200 ? QStringLiteral("ok") : QStringLiteral("error");
    if (begun.ok() && stage().client().connected()) {
        const RpcReply ended = stage().end(begun, answer, { { QStringLiteral("outcome"), outcome } });
        if (!ended.answered && stage().client().connected()) {
            QTest::qFail("an end was not answered", __FILE__, __LINE__);
        }
    }
    if (answer.status != 200) {
        return Step::Failed;
    }
    conversation.answered(answer);
    return begun.ok() ? Step::Done : Step::Refused;
}

void TstChaosReal::bringUp()
{
    if (!stage().server().running()) {
        QVERIFY2(stage().startServer(), qPrintable(stage().server().log().right(2000)));
    }
    if (!stage().daemon().running()) {
        QVERIFY2(stage().daemon().start(), qPrintable(stage().daemon().log().right(2000)));
    }
    if (!stage().client().connected()) {
        QVERIFY(stage().connectClient());
    }
}

void TstChaosReal::killedAtRandomPoints()
{
    StageOptions options;
    options.config = "checkpoint: { idleMs: 200, minTokens: 1 }\nfailure: { cooldownMs: 500 }\n";
    options.serverConfig = "    requestTimeoutMs: 2000\n";
    const quint32 seed = chaosSeed();
    qInfo("KV_PERSIST_CHAOS_SEED=%u", seed);
    QRandomGenerator random(seed);
    KV_STAGE(options);
    std::vector<Conversation> sessions;
    for (quint32 i = 0; i < 3; ++i) {
        sessions.emplace_back(QStringLiteral("session-%1").arg(i), i + 1, 700);
    }
    int done = 0;
    int failed = 0;
    const int rounds = chaosRounds(14);
    for (int round = 0; round < rounds; ++round) {
        const int when = random.bounded(700);
        const int victim = random.bounded(3);
        QTimer::singleShot(when, &stage().proxy(), [this, victim] {
            if (victim != 1) {
                stage().daemon().kill();
            }
            if (victim != 0) {
                stage().stopServer();
            }
        });
        for (int i = 0; i < 3; ++i) {
            Conversation &session = sessions[random.bounded(3U)];
            const Step step = turn(session);
            if (step == Step::Failed) {
                ++failed;
                continue;
            }
            ++done;
            // Warm or cold, it is what the model says.
            const QList<int> tokens = session.prompt().mid(session.sent().last().size(), c_answerTokens);
            QVERIFY2(tokens == stage().warmReference(session) || tokens == stage().coldReference(session),
                qPrintable(QStringLiteral("a wrong answer in round %1").arg(round)));
        }
        QTest::qWait(700);
        bringUp();
        if (QTest::currentTestFailed()) {
            return;
        }
    }
    QVERIFY(done > 0);
    qInfo("%d turns done, %d without a server", done, failed);
    // In peace again every session that is on record comes back.
    QVERIFY(stage().waitHealthy());
    for (Conversation &session : sessions) {
        turn(session);
    }
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    stage().stopServer();
    bringUp();
    QVERIFY(stage().waitUnowned());
    QVERIFY(stage().waitHealthy());
    for (Conversation &session : sessions) {
        const int held = session.held();
        const Turn back = stage().turn(session);
        QVERIFY2(back.outcome() == QStringLiteral("restored"), qPrintable(back.begin.text()));
        QVERIFY(back.answer.cachedTokens * 10 >= held * 9);
    }
}

QTEST_GUILESS_MAIN(TstChaosReal)
#include "tst_chaosreal.moc"
