// SPDX-License-Identifier: MIT
// Clients that cannot name a slot, on a server with several: which slot took a request is found after its
// end.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

namespace {
void noPin(BeginRequest &event) { event.pins = false; }
void noPinNoCall(BeginRequest &event)
{
    event.pins = false;
    event.purpose = QStringLiteral("title");
}

/// One request whose work the server does in slot `ran`.
QString turnIn(CoordinatorHarness &h, QStringView session, int ran, qint64 tokens)
{
    const RequestId begun = h.begin(session, noPin);
    const QString outcome = h.outcomeOf(begun);
    h.server.infer(ran, session.toString(), tokens);
    h.end(begun, EndOutcome::Ok, tokens);
    return outcome;
}

/// A and B have snapshots of 1000 and 2000 tokens, and the new process holds nothing.
void saveTwoAndRestart(CoordinatorHarness &h)
{
    turnIn(h, u"A", 0, 1000);
    turnIn(h, u"B", 1, 2000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.manual(ManualRequest::Kind::Save, u"B");
    h.restart();
    h.observe();
}
}

class TstBookings final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRequestThatRanWhereItWasExpectedIsBookedThere();
    void oneThatRanElsewhereIsBookedThere();
    void aPinnedRequestIsNotLookedFor();
    void theOwnerWhoseSlotWasTakenIsNotResidentAnyMore();
    void whatIsDirtyIsSavedBeforeAnyUnpinnedRequest();
    void aResidentRequestSavesTheOthersToo();
    void twoOfOneSizeCannotBeToldApart();
    void twoRequestsThatChangedPlaces();
    void nothingIsErasedForARequestThatMayGoAnywhere();
    void withoutUsageNothingIsOwned();
    void anAbortedRequestOwnsNothing();
    void aTitleThatLandedInAnothersSlotIsNoticed();
    void theNextBeginWaitsForTheBooking();
    void aNeighbourWaitsForTheBookingAndTheSave();
    void aLookThatFailsLosesTheSlotOnly();
    void oneManagedSlotOfSeveral();
    void aSlotThatIsBeingChangedMeanwhile();
    void aRunningRequestInAnotherSlotIsNoForgottenLease();
    void nobodyMayComeUponWhatARestoreLeftInAnotherProcess();
    void aGrantWaitsForTheRestoreBesideIt();
    void whatWasRestoredMeanwhileIsNotRestoredTwice();
    void shutdownWaitsForTheBookingAndSaves();
};

void TstBookings::aRequestThatRanWhereItWasExpectedIsBookedThere()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    QCOMPARE(turnIn(h, u"A", 0, 1000), u"cold"_qs);
    QCOMPARE(h.owner(0), u"A"_qs);
    QVERIFY(h.slot(0).isDirty());
    QCOMPARE(h.slot(0).tokens.value_or(-1), qint64 { 1000 });
    h.takeOps();
    QCOMPARE(turnIn(h, u"A", 0, 1100), u"resident"_qs);
    QCOMPARE(h.takeOps(), u"look"_qs); // after its end
    QCOMPARE(h.owner(0), u"A"_qs);
    VERIFY_RULES(h);
}

void TstBookings::oneThatRanElsewhereIsBookedThere()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 4);
    QCOMPARE(turnIn(h, u"A", 2, 1000), u"cold"_qs);
    QCOMPARE(h.owner(0), QString());
    QCOMPARE(h.owner(2), u"A"_qs);
    h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.row(u"A")->tokens, qint64 { 1000 });
    QCOMPARE(h.row(u"A")->slotId, 2);
    QCOMPARE(turnIn(h, u"A", 2, 1100), u"resident"_qs);
    VERIFY_RULES(h);
}

void TstBookings::aPinnedRequestIsNotLookedFor()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.takeOps();
    h.turn(u"A", 1100);
    QCOMPARE(h.takeOps(), QString()); // invariant 6
}

void TstBookings::theOwnerWhoseSlotWasTakenIsNotResidentAnyMore()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 3);
    turnIn(h, u"A", 0, 1000);
    turnIn(h, u"B", 1, 2000);
    turnIn(h, u"C", 0, 4000); // over A, though slot 2 is free
    QCOMPARE(h.owner(0), u"C"_qs);
    QCOMPARE(h.owner(1), u"B"_qs);
    QCOMPARE(turnIn(h, u"A", 2, 1100), u"restored"_qs);
    QCOMPARE(h.owner(2), u"A"_qs);
    VERIFY_RULES(h);
}

void TstBookings::whatIsDirtyIsSavedBeforeAnyUnpinnedRequest()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 3); // slots that do not disturb each other
    turnIn(h, u"A", 0, 1000);
    QVERIFY(h.slot(0).isDirty());
    turnIn(h, u"B", 1, 2000);
    QVERIFY(h.row(u"A") != nullptr); // B's request might have gone into A's slot
    VERIFY_RULES(h);
}

void TstBookings::aResidentRequestSavesTheOthersToo()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    turnIn(h, u"A", 0, 1000);
    turnIn(h, u"B", 1, 2000);
    QVERIFY(h.row(u"B") == nullptr);
    QCOMPARE(turnIn(h, u"A", 0, 1100), u"resident"_qs);
    QVERIFY(h.row(u"B") != nullptr);
    VERIFY_RULES(h);
}

void TstBookings::twoOfOneSizeCannotBeToldApart()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 4);
    const RequestId a = h.begin(u"A", noPin);
    QVERIFY(h.granted(a));
    h.server.infer(2, u"A"_qs, 1000);
    h.server.infer(3, u"stranger"_qs, 1000);
    h.end(a, EndOutcome::Ok, 1000);
    for (int slot = 0; slot < 4; ++slot) {
        QCOMPARE(h.owner(slot), QString());
    }
    QCOMPARE(h.coordinator->unbooked(), 1);
    QCOMPARE(turnIn(h, u"A", 2, 1100), u"cold"_qs); // invariant 11: nothing doubtful was saved
    VERIFY_RULES(h);
}

void TstBookings::twoRequestsThatChangedPlaces()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    const RequestId a = h.begin(u"A", noPin);
    const RequestId b = h.begin(u"B", noPin);
    QCOMPARE(h.grantOf(a).slot.id, 0);
    QCOMPARE(h.grantOf(b).slot.id, 1);
    h.server.contents[0].processing = true; // B's
    h.server.infer(1, u"A"_qs, 1000);
    h.end(a, EndOutcome::Ok, 1000);
    QCOMPARE(h.owner(1), u"A"_qs);
    QCOMPARE(h.owner(0), u"B"_qs);
    h.server.infer(0, u"B"_qs, 2000);
    h.server.contents[0].processing = false;
    h.end(b, EndOutcome::Ok, 2000);
    QCOMPARE(h.owner(0), u"B"_qs);
    QCOMPARE(h.owner(1), u"A"_qs);
    h.manual(ManualRequest::Kind::Flush);
    QCOMPARE(h.row(u"A")->tokens, qint64 { 1000 });
    QCOMPARE(h.row(u"B")->tokens, qint64 { 2000 });
    VERIFY_RULES(h);
}

void TstBookings::nothingIsErasedForARequestThatMayGoAnywhere()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    turnIn(h, u"A", 0, 1000);
    turnIn(h, u"B", 1, 2000);
    turnIn(h, u"C", 0, 4000);
    QVERIFY(!h.takeOps().contains(u"erase"_qs));
}

void TstBookings::withoutUsageNothingIsOwned()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    const RequestId a = h.begin(u"A", noPin);
    h.server.infer(0, u"A"_qs, 1000);
    h.end(a);
    QCOMPARE(h.owner(0), QString());
    VERIFY_RULES(h);
}

void TstBookings::anAbortedRequestOwnsNothing()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    turnIn(h, u"A", 0, 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    const RequestId a = h.begin(u"A", noPin);
    h.server.infer(1, u"A"_qs, 1200);
    h.end(a, EndOutcome::Aborted);
    QCOMPARE(h.owner(0) + h.owner(1), QString());
    QCOMPARE(h.row(u"A")->tokens, qint64 { 1000 });
    QCOMPARE(turnIn(h, u"A", 0, 1100), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstBookings::aTitleThatLandedInAnothersSlotIsNoticed()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    turnIn(h, u"A", 0, 1000);
    const RequestId title = h.begin(u"A", noPinNoCall);
    QCOMPARE(h.grantOf(title).slot.id, 1);
    h.server.infer(0, u"title"_qs, 300);
    h.end(title, EndOutcome::Ok, 300);
    QCOMPARE(h.owner(0), QString());
    QCOMPARE(turnIn(h, u"A", 1, 1100), u"restored"_qs); // it had been saved before the title
    VERIFY_RULES(h);
}

void TstBookings::theNextBeginWaitsForTheBooking()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    turnIn(h, u"A", 0, 1000);
    h.hold(OpKind::Look);
    const RequestId a = h.begin(u"A", noPin);
    QCOMPARE(h.outcomeOf(a), u"resident"_qs);
    h.server.infer(1, u"A"_qs, 1100);
    const RequestId ended = h.end(a, EndOutcome::Ok, 1100, true);
    QVERIFY(h.endAnswer(ended).has_value()); // its end waits for nothing
    const RequestId next = h.begin(u"A", noPin);
    QCOMPARE(h.outcomeOf(next), u"waits"_qs);
    h.unhold(OpKind::Look);
    QCOMPARE(h.outcomeOf(next), u"resident"_qs);
    QCOMPARE(h.grantOf(next).slot.id, 1);
    VERIFY_RULES(h);
}

void TstBookings::aNeighbourWaitsForTheBookingAndTheSave()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 4);
    h.server.startWithoutParallel(); // each request empties the other slots
    const RequestId a = h.begin(u"A", noPin);
    h.server.infer(0, u"A"_qs, 1000);
    h.hold(OpKind::Look);
    h.end(a, EndOutcome::Ok, 1000);
    const RequestId b = h.begin(u"B", noPin);
    h.answer(OpKind::Look); // the look that was for A's end
    h.unhold(OpKind::Look);
    QVERIFY(h.granted(b));
    QVERIFY(h.row(u"A") != nullptr);
    h.server.infer(1, u"B"_qs, 2000);
    h.end(b, EndOutcome::Ok, 2000);
    QCOMPARE(turnIn(h, u"A", 0, 1100), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstBookings::aLookThatFailsLosesTheSlotOnly()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    turnIn(h, u"A", 0, 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.failNext(OpKind::Look, OpFailure::ServerError);
    turnIn(h, u"A", 0, 1100);
    QCOMPARE(h.owner(0), QString());
    QCOMPARE(turnIn(h, u"A", 0, 1200), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstBookings::oneManagedSlotOfSeveral()
{
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 4);
    turnIn(h, u"A", 0, 1000);
    QCOMPARE(h.owner(0), u"A"_qs);
    turnIn(h, u"A", 3, 1100); // a slot that is not managed
    QCOMPARE(h.owner(0), QString());
    QCOMPARE(h.coordinator->unbooked(), 1);
    VERIFY_RULES(h);
}

void TstBookings::aSlotThatIsBeingChangedMeanwhile()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    turnIn(h, u"B", 1, 2000);
    const RequestId a = h.begin(u"A", noPin);
    h.server.infer(1, u"A"_qs, 1000); // in B's slot
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Erase, {}, 1);
    h.end(a, EndOutcome::Ok, 1000);
    h.unhold(OpKind::Save);
    const Snapshot *b = h.row(u"B");
    QVERIFY(b == nullptr || b->tokens == 2000);
    QVERIFY(h.row(u"A") == nullptr || h.row(u"A")->tokens == 1000);
    VERIFY_RULES(h);
}

void TstBookings::aRunningRequestInAnotherSlotIsNoForgottenLease()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    const RequestId a = h.begin(u"A", noPin);
    const RequestId b = h.begin(u"B", noPin);
    QVERIFY(h.granted(b));
    h.server.contents[1].processing = true; // A's, while B's ended unseen
    const RequestId c = h.begin(u"C", noPin);
    h.advance(100'000);
    QCOMPARE(h.outcomeOf(c), u"waits"_qs);
    h.server.infer(1, u"A"_qs, 1000);
    h.server.contents[1].processing = false;
    h.end(a, EndOutcome::Ok, 1000);
    h.advance(1000);
    QVERIFY(h.granted(c));
    VERIFY_RULES(h);
}

void TstBookings::nobodyMayComeUponWhatARestoreLeftInAnotherProcess()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    turnIn(h, u"A", 0, 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    turnIn(h, u"B", 1, 2000);
    turnIn(h, u"C", 0, 3000);
    h.hold(OpKind::Restore);
    const RequestId a = h.begin(u"A", noPin);
    QCOMPARE(h.pending(OpKind::Restore), 1);
    const int into = h.pendingOps().front().slot.id;
    h.server.setModel(u"other.gguf"_qs);
    h.server.restart();
    h.arriveInNewProcess();
    h.hold(OpKind::Erase);
    h.unhold(OpKind::Restore);
    QCOMPARE(h.server.contents[static_cast<std::size_t>(into)].tokens, 1000); // of the model that is gone
    // The server may send a request that names no slot to just that one.
    QCOMPARE(h.outcomeOf(a), u"waits"_qs);
    const RequestId d = h.begin(u"D", noPin);
    QCOMPARE(h.outcomeOf(d), u"waits"_qs);
    h.unhold(OpKind::Erase);
    h.advance(1000);
    QCOMPARE(h.outcomeOf(a), u"cold"_qs);
    QCOMPARE(h.outcomeOf(d), u"cold"_qs);
    QCOMPARE(h.server.contents[static_cast<std::size_t>(into)].tokens, 0);
    VERIFY_RULES(h);
}

void TstBookings::aGrantWaitsForTheRestoreBesideIt()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    saveTwoAndRestart(h);
    h.hold(OpKind::Restore);
    const RequestId a = h.begin(u"A", noPin);
    const RequestId b = h.begin(u"B", noPin);
    const RequestId c = h.begin(u"C");
    QCOMPARE(h.pending(OpKind::Restore), 1);
    QCOMPARE(h.outcomeOf(b), u"waits"_qs); // whose state A's restore leaves is not proved yet
    QCOMPARE(h.outcomeOf(c), u"cold"_qs); // one that names its slot cannot come upon it
    h.end(c);
    h.unhold(OpKind::Restore);
    QCOMPARE(h.outcomeOf(a), u"restored"_qs);
    QCOMPARE(h.outcomeOf(b), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstBookings::whatWasRestoredMeanwhileIsNotRestoredTwice()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    saveTwoAndRestart(h);
    h.hold(OpKind::Look);
    h.hold(OpKind::Restore);
    const RequestId a = h.begin(u"A", noPin);
    const RequestId b = h.begin(u"B", noPin);
    h.unhold(OpKind::Look);
    QCOMPARE(h.pending(OpKind::Restore), 2);
    h.takeOps();
    QVERIFY(h.answer(OpKind::Restore));
    QCOMPARE(h.outcomeOf(a), u"waits"_qs);
    h.unhold(OpKind::Restore);
    QCOMPARE(h.outcomeOf(b), u"restored"_qs);
    QCOMPARE(h.outcomeOf(a), u"resident"_qs);
    QVERIFY2(!h.takeOps().contains(u"erase"), "nothing was in doubt");
    QCOMPARE(h.server.contents[0].tokens + h.server.contents[1].tokens, 3000);
    VERIFY_RULES(h);
}

void TstBookings::shutdownWaitsForTheBookingAndSaves()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    const RequestId a = h.begin(u"A", noPin);
    h.server.infer(1, u"A"_qs, 1000);
    h.hold(OpKind::Look);
    h.end(a, EndOutcome::Ok, 1000);
    h.shutdown();
    QVERIFY(!h.shutdownDone());
    h.unhold(OpKind::Look);
    QVERIFY(h.shutdownDone());
    QVERIFY(h.row(u"A") != nullptr);
    VERIFY_RULES(h);
}

QTEST_GUILESS_MAIN(TstBookings)
#include "tst_bookings.moc"
