// SPDX-License-Identifier: MIT
// Requests that are not the conversation: titles, compactions, those without a session.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstAuxiliary final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTitleNeverBecomesState();
    void anotherPurposeAnEmptySessionAndAdaptersAreAuxiliary();
    void itWaitsUntilTheOwnerHasBeenQuiet();
    void itWaitsTenSecondsAtMost();
    void itTakesAnEmptySlotAtOnce();
    void theOwnerIsSavedFirstAndNothingIsErased();
    void itsLeftoversAreErasedForTheNext();
    void theOwnerIsRestoredAfterIt();
    void ignoredTheyPassAsForeign();
    void aCompactionIsServedAsTheSessionAndIsNotSaved();
    void aCompactionOfASavedSessionIsRestored();
    void theNextConversationTurnAfterACompactionIsSaved();
    void anAbortedTurnAfterACompactionIsNotSaved();
    void aSaveAskedForDuringACompactionIsAnswered();
    void aFlushCommandDoesNotWaitForACompaction();
};

namespace {
void compaction(BeginRequest &event) { event.purpose = u"compaction"_qs; }
}

void TstAuxiliary::aTitleNeverBecomesState()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.advance(3000);
    const RequestId title = h.auxiliary(u"A");
    QCOMPARE(h.outcomeOf(title), u"auxiliary"_qs);
    h.server.infer(0, u"(aux)"_qs, 1000); // as many tokens, by chance
    h.end(title, EndOutcome::Ok, 1000);
    h.takeOps();
    h.advance(100000);
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Save, u"Z")), u"KV_SESSION_UNKNOWN"_qs);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.server.files.at(h.row(u"A")->name).content, u"A"_qs);
    VERIFY_RULES(h);
}

void TstAuxiliary::anotherPurposeAnEmptySessionAndAdaptersAreAuxiliary()
{
    CoordinatorHarness h;
    const auto outcome = [&](QStringView session, const CoordinatorHarness::Tweak &tweak) {
        const RequestId request = h.begin(session, tweak);
        h.end(request, EndOutcome::Ok, 50);
        return h.outcomeOf(request);
    };
    QCOMPARE(outcome(u"A", [](BeginRequest &event) { event.purpose = u"summary"_qs; }), u"auxiliary"_qs);
    QCOMPARE(outcome(u"", {}), u"auxiliary"_qs);
    QCOMPARE(outcome(u"A", [](BeginRequest &event) { event.ownAdapters = true; }), u"auxiliary"_qs);
    QCOMPARE(outcome(u"A", [](BeginRequest &event) { event.purpose = u"conversation"_qs; }), u"cold"_qs);
    VERIFY_RULES(h);
}

void TstAuxiliary::itWaitsUntilTheOwnerHasBeenQuiet()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    const RequestId title = h.auxiliary(u"A");
    h.advance(1999);
    QCOMPARE(h.outcomeOf(title), u"waits"_qs);
    h.advance(1);
    QCOMPARE(h.outcomeOf(title), u"auxiliary"_qs);
}

void TstAuxiliary::itWaitsTenSecondsAtMost()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    const RequestId title = h.auxiliary(u"A");
    for (int i = 0; i < 9; ++i) {
        h.advance(1000);
        h.turn(u"A", 1100 + 100 * i, true); // a busy owner
        QCOMPARE(h.outcomeOf(title), u"waits"_qs);
    }
    h.advance(1000);
    QCOMPARE(h.outcomeOf(title), u"auxiliary"_qs);
    VERIFY_RULES(h);
}

void TstAuxiliary::itTakesAnEmptySlotAtOnce()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    const RequestId title = h.auxiliary(u"A");
    QCOMPARE(h.grantOf(title).slot.id, 1);
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs);
}

void TstAuxiliary::theOwnerIsSavedFirstAndNothingIsErased()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.advance(2000);
    h.takeOps();
    QCOMPARE(h.outcomeOf(h.auxiliary(u"A")), u"auxiliary"_qs);
    QCOMPARE(h.takeOps(), u"look save identity"_qs);
    QCOMPARE(h.row(u"A")->tokens, 1000);
}

void TstAuxiliary::itsLeftoversAreErasedForTheNext()
{
    CoordinatorHarness h;
    const RequestId title = h.auxiliary(u"A");
    h.server.infer(0, u"(aux)"_qs, 40);
    h.end(title, EndOutcome::Ok, 40);
    h.takeOps();
    QCOMPARE(h.turn(u"A", 1000), u"cold"_qs);
    QCOMPARE(h.takeOps(), u"look erase"_qs);
}

void TstAuxiliary::theOwnerIsRestoredAfterIt()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.advance(2000);
    const RequestId title = h.auxiliary(u"A");
    h.server.infer(0, u"(aux)"_qs, 40);
    h.end(title, EndOutcome::Ok, 40);
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstAuxiliary::ignoredTheyPassAsForeign()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.auxiliary = AuxiliaryMode::Ignore;
    CoordinatorHarness h(policy);
    h.turn(u"A", 1000);
    h.takeOps();
    const RequestId title = h.auxiliary(u"A");
    QCOMPARE(h.outcomeOf(title), u"bypass"_qs);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.owner(), QString());
}

void TstAuxiliary::aCompactionIsServedAsTheSessionAndIsNotSaved()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.takeOps();
    QCOMPARE(h.turn(u"A", 1300, false, compaction), u"resident"_qs);
    QCOMPARE(h.owner(), u"A"_qs);
    h.advance(100000);
    h.turn(u"B", 500);
    QVERIFY(!h.takeOps().contains(u"save"_qs));
    QCOMPARE(h.row(u"A")->tokens, 1000);
    VERIFY_RULES(h);
}

void TstAuxiliary::aCompactionOfASavedSessionIsRestored()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    QCOMPARE(h.turn(u"A", 1300, false, compaction), u"restored"_qs);
}

void TstAuxiliary::theNextConversationTurnAfterACompactionIsSaved()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"A", 1300, false, compaction);
    h.turn(u"A", 200);
    h.advance(40000);
    QCOMPARE(h.row(u"A")->tokens, 200);
}

void TstAuxiliary::anAbortedTurnAfterACompactionIsNotSaved()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.turn(u"A", 1300, false, compaction);
    h.end(h.begin(u"A"), EndOutcome::Aborted);
    h.advance(100000);
    QCOMPARE(h.row(u"A")->tokens, 1000);
}

void TstAuxiliary::aSaveAskedForDuringACompactionIsAnswered()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    const RequestId request = h.begin(u"A", compaction);
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    h.server.infer(0, u"A"_qs, 1300);
    h.end(request, EndOutcome::Ok, 1300);
    QCOMPARE(h.manualAnswer(save)->skipped, u"compacting"_qs);
}

void TstAuxiliary::aFlushCommandDoesNotWaitForACompaction()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"A", 1300, false, compaction);
    const RequestId flush = h.manual(ManualRequest::Kind::Flush);
    QCOMPARE(h.manualAnswer(flush)->count, 0);
}

QTEST_GUILESS_MAIN(TstAuxiliary)
#include "tst_auxiliary.moc"
