// SPDX-License-Identifier: MIT
// The states of a slot over its life, as status shows them.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstTransitions final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFreshSlotIsUnknown();
    void aFirstRequestLeadsToInferenceThenDirty();
    void aSaveLeadsFromDirtyOverSavingToReady();
    void aSaveIsReadyOnlyWhenItsRowIsDurable();
    void aFailedSaveLeavesItDirty();
    void aSwitchLeadsOverSavingAndRestoringToInference();
    void anAbortedRequestIsUnprovedUntilSeenIdle();
    void anAbortedRequestThatNobodySawAtWorkProvesNothing_data();
    void anAbortedRequestThatNobodySawAtWorkProvesNothing();
    void anAuxiliaryRequestLeavesAnIdleSlot();
    void anOperationPastItsTimeIsLateUntilItsReply();
    void aLostReplyIsLateUntilAnotherProcess();
    void aSlotThatIsNotListedIsBrokenUntilItIs();
    void anotherProcessMakesItUnknown();
    void sleepMakesItUnknown();
    void aManualRestoreLeavesItReady();
    void aManualEraseLeavesItIdle();
    void sessionStatesFollowSlotAndSnapshot();
    void noTransitionBreaksARule();
};

void TstTransitions::aFreshSlotIsUnknown()
{
    CoordinatorHarness h;
    QCOMPARE(h.state(), u"unknown"_qs);
    QCOMPARE(h.takeOps(), QString()); // nothing moves before a request does
}

void TstTransitions::aFirstRequestLeadsToInferenceThenDirty()
{
    CoordinatorHarness h;
    h.hold(OpKind::Look);
    const RequestId request = h.begin(u"A");
    QCOMPARE(h.state(), u"unknown"_qs);
    h.unhold(OpKind::Look);
    QCOMPARE(h.outcomeOf(request), u"cold"_qs);
    QCOMPARE(h.state(), u"inference"_qs);
    h.server.infer(0, u"A"_qs, 100);
    h.end(request, EndOutcome::Ok, 100);
    QCOMPARE(h.state(), u"dirty"_qs);
    QCOMPARE(h.takeOps(), u"look erase"_qs);
    VERIFY_RULES(h);
}

void TstTransitions::aSaveLeadsFromDirtyOverSavingToReady()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.hold(OpKind::Save);
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.state(), u"saving"_qs);
    h.hold(OpKind::Identity);
    h.unhold(OpKind::Save);
    QCOMPARE(h.state(), u"saving"_qs);
    QVERIFY(!h.answered(save));
    h.unhold(OpKind::Identity);
    QCOMPARE(h.state(), u"ready"_qs);
    QCOMPARE(h.manualAnswer(save)->tokens, 100);
    VERIFY_RULES(h);
}

void TstTransitions::aSaveIsReadyOnlyWhenItsRowIsDurable()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.holdStore = true;
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.state(), u"dirty"_qs);
    QVERIFY(!h.answered(save));
    QVERIFY(h.answerStore());
    QCOMPARE(h.state(), u"ready"_qs);
    QVERIFY(h.manualAnswer(save).has_value());
}

void TstTransitions::aFailedSaveLeavesItDirty()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.failNext(OpKind::Save, OpFailure::ServerError);
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.errorOf(save), u"KV_SAVE_FAILED"_qs);
    QCOMPARE(h.state(), u"dirty"_qs);
    QCOMPARE(h.owner(), u"A"_qs);
}

void TstTransitions::aSwitchLeadsOverSavingAndRestoringToInference()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.turn(u"B", 200);
    h.takeOps();
    h.hold(OpKind::Save);
    h.hold(OpKind::Restore);
    const RequestId request = h.begin(u"A");
    QCOMPARE(h.state(), u"saving"_qs);
    h.unhold(OpKind::Save);
    QCOMPARE(h.state(), u"restoring"_qs);
    h.unhold(OpKind::Restore);
    QCOMPARE(h.outcomeOf(request), u"restored"_qs);
    QCOMPARE(h.state(), u"inference"_qs);
    QCOMPARE(h.takeOps(), u"look save identity restore identity"_qs);
    VERIFY_RULES(h);
}

void TstTransitions::anAbortedRequestIsUnprovedUntilSeenIdle()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    const RequestId request = h.begin(u"A");
    h.server.infer(0, u"A"_qs, 150);
    h.server.contents[0].processing = true;
    h.sawAnswers = true;
    h.end(request, EndOutcome::Aborted);
    QVERIFY(h.slot().draining);
    h.advance(5000);
    QVERIFY(h.slot().draining); // still seen processing
    h.server.contents[0].processing = false;
    h.advance(5000);
    QVERIFY(!h.slot().draining);
    QCOMPARE(h.state(), u"dirty"_qs);
    QCOMPARE(h.owner(), u"A"_qs);
    VERIFY_RULES(h);
}

void TstTransitions::anAbortedRequestThatNobodySawAtWorkProvesNothing_data()
{
    QTest::addColumn<QString>("whose");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<bool>("seen");
    QTest::addColumn<bool>("kept");
    QTest::addRow("it worked, and its client saw that") << u"A"_qs << qint64 { 150 } << true << true;
    QTest::addRow("it worked, unseen") << u"A"_qs << qint64 { 150 } << false << false;
    QTest::addRow("it never began") << u"A"_qs << qint64 { 100 } << false << true;
    QTest::addRow("a stranger had been there") << u"stranger"_qs << qint64 { 150 } << false << false;
}

void TstTransitions::anAbortedRequestThatNobodySawAtWorkProvesNothing()
{
    QFETCH(QString, whose);
    QFETCH(qint64, tokens);
    QFETCH(bool, seen);
    QFETCH(bool, kept);
    CoordinatorHarness h;
    h.turn(u"A", 100);
    if (whose != u"A"_qs) {
        h.server.infer(0, whose, tokens); // between two requests of A, so no look meets it
    }
    const RequestId request = h.begin(u"A");
    QCOMPARE(h.outcomeOf(request), u"resident"_qs);
    if (whose == u"A"_qs && tokens != 100) {
        h.server.infer(0, whose, tokens);
    }
    h.sawAnswers = seen;
    h.end(request, EndOutcome::Aborted);
    h.advance(120000);
    QCOMPARE(h.owner(), kept ? u"A"_qs : QString());
    QCOMPARE(h.row(u"A") != nullptr, kept);
    VERIFY_RULES(h);
}

void TstTransitions::anAuxiliaryRequestLeavesAnIdleSlot()
{
    CoordinatorHarness h;
    const RequestId title = h.auxiliary(u"A");
    QCOMPARE(h.outcomeOf(title), u"auxiliary"_qs);
    QCOMPARE(h.state(), u"inference"_qs);
    h.server.infer(0, u"(aux)"_qs, 30);
    h.end(title, EndOutcome::Ok, 30);
    QCOMPARE(h.state(), u"idle"_qs);
    QCOMPARE(h.owner(), QString());
}

void TstTransitions::anOperationPastItsTimeIsLateUntilItsReply()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.advance(120000);
    QCOMPARE(h.state(), u"late"_qs);
    const RequestId request = h.begin(u"A");
    QCOMPARE(h.outcomeOf(request), u"bypass"_qs);
    h.end(request, EndOutcome::Ok, 120);
    h.unhold(OpKind::Save);
    QCOMPARE(h.state(), u"idle"_qs); // it was looked at, as something may have waited behind it
    QCOMPARE(h.turn(u"B", 100), u"cold"_qs); // and is managed again
    QCOMPARE(h.state(), u"dirty"_qs);
    VERIFY_RULES(h);
}

void TstTransitions::aLostReplyIsLateUntilAnotherProcess()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.failNext(OpKind::Save, OpFailure::ConnectionLost);
    h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.state(), u"late"_qs);
    h.advance(100000);
    QCOMPARE(h.state(), u"late"_qs);
    h.restart();
    h.observe();
    QCOMPARE(h.state(), u"unknown"_qs);
    QCOMPARE(h.turn(u"A", 100), u"cold"_qs);
}

void TstTransitions::aSlotThatIsNotListedIsBrokenUntilItIs()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.slotId = 1;
    CoordinatorHarness h(policy, 1);
    const RequestId request = h.begin(u"A");
    QCOMPARE(h.outcomeOf(request), u"bypass"_qs);
    QCOMPARE(h.state(1), u"broken"_qs);
    QCOMPARE(h.takeOps(), u"look"_qs); // ids that do not exist are accepted by the server: nothing is sent
    h.end(request, EndOutcome::Ok, 100);
    h.server.setSlotCount(2);
    QCOMPARE(h.turn(u"A", 100), u"cold"_qs);
    QCOMPARE(h.state(1), u"dirty"_qs);
    VERIFY_RULES(h);
}

void TstTransitions::anotherProcessMakesItUnknown()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.restart();
    h.observe();
    QCOMPARE(h.state(), u"unknown"_qs);
    QCOMPARE(h.owner(), QString());
}

void TstTransitions::sleepMakesItUnknown()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.server.sleep();
    h.observe();
    QCOMPARE(h.state(), u"unknown"_qs);
    QCOMPARE(h.owner(), QString());
}

void TstTransitions::aManualRestoreLeavesItReady()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.turn(u"B", 200);
    h.advance(3000);
    const RequestId restore = h.manual(ManualRequest::Kind::Restore, u"A");
    QCOMPARE(h.manualAnswer(restore)->tokens, 100);
    QCOMPARE(h.state(), u"ready"_qs);
    QCOMPARE(h.owner(), u"A"_qs);
    QCOMPARE(h.turn(u"A", 150), u"resident"_qs);
    VERIFY_RULES(h);
}

void TstTransitions::aManualEraseLeavesItIdle()
{
    CoordinatorHarness h;
    h.turn(u"A", 100);
    h.takeOps();
    const RequestId erase = h.manual(ManualRequest::Kind::Erase);
    QCOMPARE(h.manualAnswer(erase)->tokens, 100);
    QCOMPARE(h.takeOps(), u"look save identity erase"_qs);
    QCOMPARE(h.state(), u"idle"_qs);
    QVERIFY(h.row(u"A") != nullptr);
}

void TstTransitions::sessionStatesFollowSlotAndSnapshot()
{
    CoordinatorHarness h;
    const auto state = [&](const QString &session) { return toString(h.coordinator->sessionState(session)); };
    QCOMPARE(state(u"A"_qs), u"none"_qs);
    h.turn(u"A", 100);
    QCOMPARE(state(u"A"_qs), u"active-dirty"_qs);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(state(u"A"_qs), u"saving"_qs);
    h.unhold(OpKind::Save);
    QCOMPARE(state(u"A"_qs), u"active-clean"_qs);
    h.turn(u"B", 200);
    QCOMPARE(state(u"A"_qs), u"saved"_qs);
    h.hold(OpKind::Restore);
    h.begin(u"A");
    QCOMPARE(state(u"A"_qs), u"restoring"_qs);
    h.unhold(OpKind::Restore);
    h.manual(ManualRequest::Kind::Invalidate, u"B");
    QCOMPARE(state(u"B"_qs), u"invalid"_qs);
}

void TstTransitions::noTransitionBreaksARule()
{
    // A life with everything in it; the harness checks its rules after every event.
    CoordinatorHarness h;
    for (int round = 0; round < 3; ++round) {
        h.turn(u"A", 100 + round);
        h.turn(u"B", 200 + round);
        const RequestId title = h.auxiliary(u"B");
        h.advance(12000);
        h.end(title, EndOutcome::Ok, 20);
        h.manual(ManualRequest::Kind::Save, u"B");
        h.restart();
        h.observe();
        h.turn(u"A", 130 + round);
        h.server.sleep();
        h.observe();
        h.turn(u"B", 230 + round);
        h.advance(60000);
    }
    VERIFY_RULES(h);
    QVERIFY(h.unanswered().empty());
}

QTEST_GUILESS_MAIN(TstTransitions)
#include "tst_transitions.moc"
