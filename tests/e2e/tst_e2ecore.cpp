// SPDX-License-Identifier: MIT
#include "e2etest.h"

#include <QJsonArray>
#include <QtTest>

using namespace kv::test;

namespace {
const QString c_save = QStringLiteral("save");
const QString c_restore = QStringLiteral("restore");
const QString c_erase = QStringLiteral("erase");
} // namespace

/// Sessions come back warm: over switches, over restarts of either side; and what must cost nothing costs
/// nothing.
class TstE2eCore final : public E2eTest {
    Q_OBJECT

private Q_SLOTS:
    void firstRequestOfASessionIsOneErase();
    void secondRequestTouchesNeitherServerNorFiles();
    void switchSavesTheOwnerAndErases();
    void switchBackRestoresAndTheNextCompletionReusesIt();
    void everyKindOfModelComesBackWarm_data();
    void everyKindOfModelComesBackWarm();
    void daemonStoppedAndStartedRestores();
    void daemonKilledAndStartedRestores();
    void serverRestartedRestoresWithoutTheUserDoingAnything();
    void anotherModelOfTheSameShapeIsNotRestoredInto();
    void unroutedProviderCausesNoCall();
    void titleRequestBetweenTwoTurnsLeavesTheSnapshotTheSessions();
    void idleSaveComesOnceAfterQuietNeverByAnOldTimer();
    void openingAndResumingMoveNothing();
    void flushHintsBeforeEveryCallCauseNoSave();
    void flushHintInQuietSavesOnce();
};

void TstE2eCore::firstRequestOfASessionIsOneErase()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    const Turn turn = stage().turn(a);
    QVERIFY2(turn.begin.ok(), qPrintable(turn.begin.text()));
    QCOMPARE(turn.begin.result[QStringLiteral("managed")].toBool(), true);
    QCOMPARE(turn.begin.result[QStringLiteral("server")].toString(), QStringLiteral("local"));
    QCOMPARE(turn.begin.result[QStringLiteral("slot")].toInt(-1), 0);
    QCOMPARE(turn.outcome(), QStringLiteral("cold"));
    KV_COMPARE_ACTIONS(c_erase);
    verifyCold(turn, stage().coldReference(a));
    QVERIFY2(turn.end.ok(), qPrintable(turn.end.text()));
    QCOMPARE(turn.end.result[QStringLiteral("dirty")].toBool(), true);
    QCOMPARE(turn.end.result[QStringLiteral("revision")].toInt(), 1);
    QVERIFY(stage().snapshotFiles().isEmpty());
}

void TstE2eCore::secondRequestTouchesNeitherServerNorFiles()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    const QStringList filesBefore = stage().snapshotFiles();
    for (int i = 0; i < 3; ++i) {
        const int held = a.held();
        const Turn turn = stage().turn(a);
        QCOMPARE(turn.outcome(), QStringLiteral("resident"));
        QCOMPARE(stage().proxy().slotCalls(), QStringList());
        verifyWarm(turn, held, stage().warmReference(a));
        QCOMPARE(turn.end.result[QStringLiteral("revision")].toInt(), i + 2);
    }
    QCOMPARE(stage().snapshotFiles(), filesBefore);
}

void TstE2eCore::switchSavesTheOwnerAndErases()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(a);
    const Turn turn = stage().turn(b);
    QCOMPARE(turn.outcome(), QStringLiteral("cold"));
    KV_COMPARE_ACTIONS(c_save, c_erase);
    verifyCold(turn, stage().coldReference(b));
    QCOMPARE(stage().snapshotFiles().size(), 1);
    QVERIFY(turn.begin.result[QStringLiteral("saveMs")].toDouble(-1) >= 0);
}

void TstE2eCore::switchBackRestoresAndTheNextCompletionReusesIt()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(a);
    stage().turn(b);
    for (Conversation *next : { &a, &b, &a }) {
        const int held = next->held();
        const Turn turn = stage().turn(*next);
        QCOMPARE(turn.outcome(), QStringLiteral("restored"));
        KV_COMPARE_ACTIONS(c_save, c_restore);
        QCOMPARE(turn.begin.result[QStringLiteral("tokens")].toInt(), held);
        verifyWarm(turn, held, stage().warmReference(*next));
        QCOMPARE(turn.end.result[QStringLiteral("reuse")][QStringLiteral("verdict")].toString(),
            QStringLiteral("verified"));
    }
    QCOMPARE(stage().stat(QStringLiteral("restores")), 3);
    QCOMPARE(stage().stat(QStringLiteral("restoreHits")), 3);
}

void TstE2eCore::everyKindOfModelComesBackWarm_data()
{
    QTest::addColumn<QString>("model");
    QTest::newRow("dense") << QStringLiteral("tiny-dense");
    QTest::newRow("sliding window") << QStringLiteral("tiny-swa");
    QTest::newRow("recurrent") << QStringLiteral("tiny-mamba");
}

void TstE2eCore::everyKindOfModelComesBackWarm()
{
    QFETCH(const QString, model);
    StageOptions options;
    options.model = model;
    KV_STAGE(options);
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(a);
    stage().turn(b);
    const int held = a.held();
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("restored"));
    KV_COMPARE_ACTIONS(c_save, c_restore);
    QVERIFY(turn.answer.cachedTokens * 10 >= held * 9);
}

void TstE2eCore::daemonStoppedAndStartedRestores()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    stage().proxy().forget();
    QVERIFY(stage().daemon().stop());
    QCOMPARE(stage().daemon().exitCode(), 0);
    KV_COMPARE_ACTIONS(c_save);

    QVERIFY(stage().daemon().start());
    QVERIFY(stage().connectClient());
    QVERIFY(stage().waitHealthy());
    KV_COMPARE_ACTIONS(c_save); // starting moves nothing
    const int held = a.held();
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("restored"));
    KV_COMPARE_ACTIONS(c_restore);
    verifyWarm(turn, held, stage().warmReference(a));
}

void TstE2eCore::daemonKilledAndStartedRestores()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    KV_COMPARE_ACTIONS(c_erase, c_save);
    stage().daemon().kill();
    QVERIFY(stage().daemon().start());
    QVERIFY(stage().connectClient());
    QVERIFY(stage().waitHealthy());
    const int held = a.held();
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("restored"));
    KV_COMPARE_ACTIONS(c_restore);
    verifyWarm(turn, held, stage().warmReference(a));
}

void TstE2eCore::serverRestartedRestoresWithoutTheUserDoingAnything()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    stage().stopServer();
    QVERIFY(stage().startServer());
    QVERIFY(stage().waitUnowned()); // seen by the watcher, no client asked
    QVERIFY(stage().waitHealthy());
    const int held = a.held();
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("restored"));
    KV_COMPARE_ACTIONS(c_restore);
    verifyWarm(turn, held, stage().warmReference(a));
}

void TstE2eCore::anotherModelOfTheSameShapeIsNotRestoredInto()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    stage().stopServer();
    stage().server().setModel(QStringLiteral("tiny-dense-b"));
    QVERIFY(stage().startServer());
    QVERIFY(stage().waitUnowned());
    QVERIFY(stage().waitHealthy());
    const Turn other = stage().turn(a);
    QCOMPARE(other.outcome(), QStringLiteral("cold"));
    QCOMPARE(other.answer.cachedTokens, 0);
    KV_COMPARE_ACTIONS(c_erase);

    // Back to the first model: its snapshot, hidden meanwhile and not replaced, is good again.
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    stage().stopServer();
    stage().server().setModel(QStringLiteral("tiny-dense"));
    QVERIFY(stage().startServer());
    QVERIFY(stage().waitUnowned());
    QVERIFY(stage().waitHealthy());
    const Turn back = stage().turn(a);
    QCOMPARE(back.outcome(), QStringLiteral("restored"));
    KV_COMPARE_ACTIONS(c_restore);
}

void TstE2eCore::unroutedProviderCausesNoCall()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    stage().proxy().forget();
    const RpcReply begun = stage().begin(
        QStringLiteral("session-x"), { { QStringLiteral("provider"), QStringLiteral("somewhere-else") } });
    QVERIFY2(begun.ok(), qPrintable(begun.text()));
    QCOMPARE(begun.result[QStringLiteral("managed")].toBool(true), false);
    QCOMPARE(begun.result[QStringLiteral("outcome")].toString(), QStringLiteral("unmanaged"));
    QVERIFY(!begun.result.contains(QStringLiteral("lease")));
    QCOMPARE(stage().proxy().slotCalls(), QStringList());
    QCOMPARE(stage().turn(a).outcome(), QStringLiteral("resident"));
    QCOMPARE(stage().proxy().slotCalls(), QStringList());
}

void TstE2eCore::titleRequestBetweenTwoTurnsLeavesTheSnapshotTheSessions()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    Conversation title(QStringLiteral("session-a"), 9, 300);
    const Turn aside = stage().turn(title, { { QStringLiteral("purpose"), QStringLiteral("title") } });
    QCOMPARE(aside.outcome(), QStringLiteral("auxiliary"));
    KV_COMPARE_ACTIONS(c_save); // the conversation's state, before the title runs over it
    QCOMPARE(aside.answer.tokens, stage().coldReference(title));

    const int held = a.held();
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("restored"));
    KV_COMPARE_ACTIONS(c_restore);
    QCOMPARE(turn.begin.result[QStringLiteral("tokens")].toInt(), held);
    verifyWarm(turn, held, stage().warmReference(a));
    QCOMPARE(stage().snapshotFiles().size(), 1);
}

void TstE2eCore::idleSaveComesOnceAfterQuietNeverByAnOldTimer()
{
    constexpr int c_idleMs = 1500;
    StageOptions options;
    options.config = "checkpoint: { idleMs: 1500, minTokens: 1 }\n";
    KV_STAGE(options);
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    QTest::qWait(c_idleMs / 2);
    QCOMPARE(stage().turn(a).outcome(), QStringLiteral("resident")); // the first turn's timer is now void
    const qint64 lastEnd = stage().proxy().elapsedMs();
    QVERIFY(stage().waitActions(1));
    for (const auto &call : stage().proxy().calls()) {
        if (!call->action().isEmpty()) {
            QVERIFY2(call->atMs >= lastEnd + c_idleMs - 500, qPrintable(stage().proxy().transcript()));
        }
    }
    QTest::qWait(2 * c_idleMs);
    KV_COMPARE_ACTIONS(c_save);
    QCOMPARE(stage().slot()[QStringLiteral("tokens")].toInt(), a.held());

    // What is clean is not saved again, by a switch neither.
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(b);
    QVERIFY(!stage().proxy().actions().isEmpty());
    QCOMPARE(stage().proxy().actions().first(), c_erase);
}

void TstE2eCore::openingAndResumingMoveNothing()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(b);
    stage().turn(a);
    stage().proxy().forget();
    QVERIFY(stage().hint(QStringLiteral("session-b"), QStringLiteral("resumed")).ok());
    QVERIFY(stage().hint(QStringLiteral("session-c"), QStringLiteral("created")).ok());
    QTest::qWait(1000);
    QCOMPARE(stage().proxy().slotCalls(), QStringList());
    QCOMPARE(stage().turn(a).outcome(), QStringLiteral("resident"));
}

void TstE2eCore::flushHintsBeforeEveryCallCauseNoSave()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    for (int i = 0; i < 4; ++i) {
        QVERIFY(stage().hint(a.session(), QStringLiteral("flush")).ok());
        const Turn turn = stage().turn(a);
        QCOMPARE(turn.outcome(), QStringLiteral("resident"));
        QCOMPARE(stage().proxy().slotCalls(), QStringList());
    }
    // While the session's own request runs the hint is ignored for good.
    stage().proxy().forget();
    const RpcReply begun = stage().begin(a.session());
    QVERIFY(stage().hint(a.session(), QStringLiteral("flush")).ok());
    QTest::qWait(2500);
    QCOMPARE(stage().proxy().slotCalls(), QStringList());
    const Completion answer = complete(stage().server().port(), a.prompt());
    QVERIFY(stage().end(begun, answer).ok());
    QCOMPARE(stage().proxy().slotCalls(), QStringList());
}

void TstE2eCore::flushHintInQuietSavesOnce()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    stage().proxy().forget();
    QVERIFY(stage().hint(a.session(), QStringLiteral("flush")).ok());
    QVERIFY(stage().hint(a.session(), QStringLiteral("flush")).ok());
    QVERIFY(stage().waitActions(1));
    QTest::qWait(2500);
    KV_COMPARE_ACTIONS(c_save);
}

QTEST_GUILESS_MAIN(TstE2eCore)
#include "tst_e2ecore.moc"
