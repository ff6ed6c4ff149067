// SPDX-License-Identifier: MIT
// When a slot is saved, and when not.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstCheckpoints final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anAbortNeverReplacesALongerSnapshotOnItsWay();
    void anIdleSlotIsSavedOnceAfterQuiet();
    void anOldTimerNeverSaves();
    void idleCheckpointsCanBeSwitchedOff();
    void flushPullsTheDeadlineToTwoSeconds();
    void aFlushBeforeEveryModelCallCausesNoSave();
    void aFlushDuringARequestIsIgnored();
    void turnAndStepEndSaveOnlyWhenConfigured();
    void disposeSavesAndGivesUp();
    void disposeDuringARequestGivesUpAfterIt();
    void aDisposedSessionThatComesBackStays();
    void shutdownSavesWhatIsDirty();
    void shutdownEndsAtItsDeadline();
    void shutdownAnswersWhoWaitsAndWhoIsBeingServed();
    void shutdownDoesNotWaitForALateOperation();
    void requestsForOneRevisionCoalesce();
    void aRevisionThatMovedDuringASaveStaysDirty();
    void aSubagentsSnapshotGoesWithIt();
    void aSubagentDisposedWhileItsRequestRunsIsNotKept();
    void aWaitingSaveIsAnsweredWhenASubagentIsDisposed();
    void smallStatesAreNotSavedUnlessAsked();
    void backgroundSavesWaitForOtherSlotsAtMostMaxDirty();
    void anEmptySlotIsNeverSaved();
    void aStrangersStateIsNeverSaved();
    void pausedTimersComeBackAfterResume();
    void aFailedDatabaseIsTriedAgainWithoutASpin();
};

void TstCheckpoints::anIdleSlotIsSavedOnceAfterQuiet()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.takeOps();
    h.advance(29999);
    QCOMPARE(h.takeOps(), QString());
    h.advance(1);
    QCOMPARE(h.takeOps(), u"look save identity"_qs);
    h.advance(600000);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.row(u"A")->tokens, 1000);
    VERIFY_RULES(h);
}

void TstCheckpoints::anOldTimerNeverSaves()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.advance(20000);
    h.turn(u"A", 1100);
    h.takeOps();
    h.advance(29000); // the first timer would have fired long ago
    QCOMPARE(h.takeOps(), QString());
    const RequestId request = h.begin(u"A");
    h.advance(60000); // a request runs: its begin cancelled what was due
    QCOMPARE(h.takeOps(), QString());
    h.server.infer(0, u"A"_qs, 1200);
    h.end(request, EndOutcome::Ok, 1200);
    h.advance(30000);
    QCOMPARE(h.takeOps(), u"look save identity"_qs);
}

void TstCheckpoints::idleCheckpointsCanBeSwitchedOff()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.idleMs = 0;
    CoordinatorHarness h(policy);
    h.turn(u"A", 1000);
    h.takeOps();
    h.advance(900000);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.state(), u"dirty"_qs);
}

void TstCheckpoints::flushPullsTheDeadlineToTwoSeconds()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.takeOps();
    h.hint(u"A", HintType::Flush);
    h.advance(1999);
    QCOMPARE(h.takeOps(), QString());
    h.advance(1);
    QCOMPARE(h.takeOps(), u"look save identity"_qs);
}

void TstCheckpoints::aFlushBeforeEveryModelCallCausesNoSave()
{
    CoordinatorHarness h;
    for (int i = 0; i < 20; ++i) {
        h.hint(u"A", HintType::Flush);
        h.advance(5);
        h.turn(u"A", 1000 + i * 100);
        h.advance(700);
    }
    QCOMPARE(h.takeOps(), u"look erase"_qs);
}

void TstCheckpoints::aFlushDuringARequestIsIgnored()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    const RequestId request = h.begin(u"A");
    h.hint(u"A", HintType::Flush);
    h.server.infer(0, u"A"_qs, 1100);
    h.end(request, EndOutcome::Ok, 1100);
    h.takeOps();
    h.advance(29000);
    QCOMPARE(h.takeOps(), QString());
}

void TstCheckpoints::turnAndStepEndSaveOnlyWhenConfigured()
{
    CoordinatorHarness quiet;
    quiet.turn(u"A", 1000);
    quiet.takeOps();
    quiet.hint(u"A", HintType::TurnEnd);
    quiet.hint(u"A", HintType::StepEnd);
    QCOMPARE(quiet.takeOps(), QString());

    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.onTurnEnd = true;
    CoordinatorHarness h(policy);
    h.turn(u"A", 1000);
    h.takeOps();
    h.hint(u"A", HintType::StepEnd);
    QCOMPARE(h.takeOps(), QString());
    h.hint(u"A", HintType::TurnEnd);
    QCOMPARE(h.takeOps(), u"look save identity"_qs);
    h.hint(u"A", HintType::TurnEnd); // nothing new
    QCOMPARE(h.takeOps(), QString());
}

void TstCheckpoints::disposeSavesAndGivesUp()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.takeOps();
    h.hint(u"A", HintType::Disposed);
    QCOMPARE(h.takeOps(), u"look save identity"_qs);
    QCOMPARE(h.owner(), QString());
    QCOMPARE(h.row(u"A")->tokens, 1000);
}

void TstCheckpoints::disposeDuringARequestGivesUpAfterIt()
{
    CoordinatorHarness h;
    const RequestId request = h.begin(u"A");
    h.hint(u"A", HintType::Disposed);
    QCOMPARE(h.owner(), u"A"_qs);
    h.server.infer(0, u"A"_qs, 1000);
    h.end(request, EndOutcome::Ok, 1000);
    QCOMPARE(h.owner(), QString());
    QCOMPARE(h.row(u"A")->tokens, 1000);
}

void TstCheckpoints::aDisposedSessionThatComesBackStays()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Look);
    h.hint(u"A", HintType::Disposed);
    h.failNext(OpKind::Look, OpFailure::ServerError);
    h.unhold(OpKind::Look);
    QCOMPARE(h.owner(), u"A"_qs);
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs);
    h.advance(40000);
    QCOMPARE(h.row(u"A")->tokens, 1100);
    QCOMPARE(h.owner(), u"A"_qs); // saved, and still its own
}

void TstCheckpoints::shutdownSavesWhatIsDirty()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.takeOps();
    h.hold(OpKind::Save);
    h.shutdown();
    QVERIFY(!h.shutdownDone());
    h.unhold(OpKind::Save);
    QVERIFY(h.shutdownDone());
    QVERIFY(h.row(u"A") != nullptr && h.row(u"B") != nullptr);
    VERIFY_RULES(h);
}

void TstCheckpoints::shutdownEndsAtItsDeadline()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    h.shutdown(4000);
    h.advance(3999);
    QVERIFY(!h.shutdownDone());
    h.advance(1);
    QVERIFY(h.shutdownDone());
}

void TstCheckpoints::shutdownAnswersWhoWaitsAndWhoIsBeingServed()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    const RequestId b = h.begin(u"B");
    const RequestId c = h.begin(u"C");
    h.shutdown();
    QCOMPARE(h.errorOf(b), u"KV_CANCELLED"_qs);
    QCOMPARE(h.errorOf(c), u"KV_CANCELLED"_qs);
    h.unhold(OpKind::Save);
    QVERIFY(h.shutdownDone());
    QVERIFY(h.row(u"A") != nullptr);
    QCOMPARE(h.errorOf(h.begin(u"D")), u"KV_CANCELLED"_qs);
    VERIFY_RULES(h);
}

void TstCheckpoints::shutdownDoesNotWaitForALateOperation()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.failNext(OpKind::Save, OpFailure::ConnectionLost);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.shutdown();
    QVERIFY(h.shutdownDone());
}

void TstCheckpoints::requestsForOneRevisionCoalesce()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.takeOps();
    h.hold(OpKind::Save);
    h.hint(u"A", HintType::Flush);
    const RequestId one = h.manual(ManualRequest::Kind::Save, u"A");
    const RequestId two = h.manual(ManualRequest::Kind::Save, u"A");
    const RequestId flush = h.manual(ManualRequest::Kind::Flush);
    h.advance(35000);
    h.unhold(OpKind::Save);
    QCOMPARE(h.takeOps().count(u"save"_qs), 1);
    QCOMPARE(h.manualAnswer(one)->revision, h.manualAnswer(two)->revision);
    QCOMPARE(h.manualAnswer(flush)->count, 1);
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Save, u"A"))->skipped, u"clean"_qs);
    VERIFY_RULES(h);
}

void TstCheckpoints::aRevisionThatMovedDuringASaveStaysDirty()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.holdStore = true;
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    h.turn(u"A", 1200);
    while (h.answerStore()) { }
    QCOMPARE(h.manualAnswer(save)->tokens, 1000);
    QCOMPARE(h.state(), u"dirty"_qs);
    h.holdStore = false;
    h.advance(40000);
    QCOMPARE(h.row(u"A")->tokens, 1200);
    QCOMPARE(h.state(), u"ready"_qs);
}

namespace {
void asSubagent(BeginRequest &event)
{
    event.origin = u"subagent"_qs;
    event.parent = u"A"_qs;
}
}

void TstCheckpoints::aSubagentsSnapshotGoesWithIt()
{
    CoordinatorHarness h;
    h.turn(u"S", 500, false, asSubagent);
    h.turn(u"A", 1000);
    QVERIFY(h.row(u"S") != nullptr); // saved on the switch while it lives
    h.hint(u"S", HintType::Disposed);
    QVERIFY(h.row(u"S") == nullptr);
    QCOMPARE(h.database().size(), std::size_t { 0 });
}

void TstCheckpoints::aSubagentDisposedWhileItsRequestRunsIsNotKept()
{
    CoordinatorHarness h;
    const RequestId request = h.begin(u"S", asSubagent);
    h.hint(u"S", HintType::Disposed);
    h.server.infer(0, u"S"_qs, 500);
    h.end(request, EndOutcome::Ok, 500);
    h.takeOps();
    h.advance(60000);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.owner(), QString());
}

void TstCheckpoints::aWaitingSaveIsAnsweredWhenASubagentIsDisposed()
{
    CoordinatorHarness h;
    h.turn(u"S", 500, false, asSubagent);
    h.hold(OpKind::Save);
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"S");
    h.hint(u"S", HintType::Disposed);
    h.unhold(OpKind::Save);
    QCOMPARE(h.answersTo(save), 1);
    QVERIFY(h.row(u"S") == nullptr);

    h.turn(u"T", 500, false, asSubagent);
    h.holdStore = true; // and when the row is already on its way
    const RequestId second = h.manual(ManualRequest::Kind::Save, u"T");
    h.hint(u"T", HintType::Disposed);
    while (h.answerStore()) { }
    QCOMPARE(h.answersTo(second), 1);
    QVERIFY(h.database().empty());
    VERIFY_RULES(h);
}

void TstCheckpoints::smallStatesAreNotSavedUnlessAsked()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.minTokens = 500;
    CoordinatorHarness h(policy);
    h.turn(u"A", 300);
    h.takeOps();
    h.advance(60000);
    QCOMPARE(h.takeOps(), u"look"_qs);
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.manualAnswer(save)->tokens, 300);
}

void TstCheckpoints::backgroundSavesWaitForOtherSlotsAtMostMaxDirty()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    const RequestId b = h.begin(u"B");
    h.takeOps();
    h.advance(290000);
    QVERIFY(!h.takeOps().contains(u"save"_qs)); // a save would stall B
    h.advance(20000);
    QCOMPARE(h.takeOps().count(u"save"_qs), 1);
    h.end(b, EndOutcome::Ok, 100);

    CoordinatorHarness k(CoordinatorHarness::managedPolicy(), 2);
    k.turn(u"A", 1000);
    const RequestId other = k.begin(u"B");
    k.advance(60000);
    k.takeOps();
    k.end(other, EndOutcome::Error);
    QCOMPARE(k.takeOps(), u"look save identity"_qs); // as soon as nobody is disturbed
}

void TstCheckpoints::anEmptySlotIsNeverSaved()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.advance(40000);
    h.turn(u"A", 1100);
    h.server.contents[0].tokens = 0; // cleared by the server
    h.takeOps();
    h.advance(40000);
    QCOMPARE(h.takeOps(), u"look"_qs);
    QCOMPARE(h.row(u"A")->tokens, 1000);
    QCOMPARE(h.owner(), QString());
}

void TstCheckpoints::aStrangersStateIsNeverSaved()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.server.infer(0, u"stranger"_qs, 1011);
    h.takeOps();
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.errorOf(save), u"KV_SLOT_STATE_INVALID"_qs);
    QCOMPARE(h.takeOps(), u"look"_qs);
    QCOMPARE(h.coordinator->strangers(), 1);
}

void TstCheckpoints::pausedTimersComeBackAfterResume()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.takeOps();
    h.send(Paused {});
    h.advance(60000);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.state(), u"dirty"_qs);
    h.send(Resumed {});
    QCOMPARE(h.takeOps(), u"look save identity"_qs);
}

void TstCheckpoints::aFailedDatabaseIsTriedAgainWithoutASpin()
{
    CoordinatorHarness h;
    h.failStores = 1000000;
    h.turn(u"A", 1000);
    const int before = h.storeCount();
    h.advance(60000);
    QVERIFY(h.storeCount() - before < 40);
    QCOMPARE(h.state(), u"dirty"_qs);
    h.failStores = 0;
    h.advance(60000);
    QCOMPARE(h.state(), u"ready"_qs);
    VERIFY_RULES(h);
}

void TstCheckpoints::anAbortNeverReplacesALongerSnapshotOnItsWay()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.turn(u"A", 1500);
    h.holdStore = true;
    h.turn(u"B", 2000); // the row of 1500 tokens is on its way
    const RequestId again = h.begin(u"A");
    QCOMPARE(h.grantOf(again).tokens, 1000); // only what is durable is restored
    h.server.infer(0, u"A"_qs, 1200);
    h.sawAnswers = true;
    h.end(again, EndOutcome::Aborted);
    while (h.answerStore()) { }
    h.advance(120000);
    while (h.answerStore()) { }
    QCOMPARE(h.row(u"A")->tokens, 1500);
    VERIFY_RULES(h);
}

QTEST_GUILESS_MAIN(TstCheckpoints)
#include "tst_checkpoints.moc"
