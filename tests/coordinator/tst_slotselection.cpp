// SPDX-License-Identifier: MIT
// Which slot a request gets, with 1, 2 and 4 slots.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstSlotSelection final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theListIsReadOnceBeforeTheFirstRequest();
    void aSessionComesBackToItsOwnSlot();
    void emptySlotsGoFirst();
    void thenTheCleanLeastRecentlyUsed();
    void thenTheDirtyLeastRecentlyUsedWhichIsSaved();
    void aLeasedSlotIsNeverTaken();
    void aHeldSlotIsNotTaken();
    void aLateSlotIsOnlyGrantedAsForeign();
    void aDrainingSlotIsNotTakenWhileItIsBusy();
    void aReservedSlotServesOnlyAuxiliaryRequests();
    void withOneSlotNobodyGetsATransport();
    void withSeveralEachGetsItsSlotId();
    void twoBeginsOfOneSessionNeverTakeTwoSlots();
    void aSubagentDoesNotPushItsParentOut();
    void aSlotThatIsNoLongerListedIsForgotten();
    void theConfiguredSlotCanChange();
};

void TstSlotSelection::theListIsReadOnceBeforeTheFirstRequest()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 4);
    QCOMPARE(h.turn(u"A", 1000), u"cold"_qs);
    QCOMPARE(h.takeOps(), u"look look erase"_qs);
    QCOMPARE(h.turn(u"B", 1000), u"cold"_qs);
    QCOMPARE(h.takeOps(), u"look erase"_qs);
    QCOMPARE(h.coordinator->slotTable().size(), std::size_t { 4 });
    VERIFY_RULES(h);
}

void TstSlotSelection::aSessionComesBackToItsOwnSlot()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 1000);
    h.takeOps();
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs);
    QCOMPARE(h.turn(u"B", 1100), u"resident"_qs);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.owner(0), u"A"_qs);
    QCOMPARE(h.owner(1), u"B"_qs);
}

void TstSlotSelection::emptySlotsGoFirst()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 4);
    for (const QStringView session : { u"A", u"B", u"C", u"D" }) {
        h.turn(session, 1000);
    }
    QCOMPARE(h.owner(0) + h.owner(1) + h.owner(2) + h.owner(3), u"ABCD"_qs);
    QVERIFY(!h.takeOps().contains(u"save"_qs));
}

void TstSlotSelection::thenTheCleanLeastRecentlyUsed()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 4);
    for (const QStringView session : { u"A", u"B", u"C", u"D" }) {
        h.turn(session, 1000);
    }
    h.manual(ManualRequest::Kind::Save, u"B");
    h.manual(ManualRequest::Kind::Save, u"C");
    h.turn(u"B", 1100); // dirty again
    h.manual(ManualRequest::Kind::Save, u"B");
    h.takeOps();
    QCOMPARE(h.turn(u"E", 1000), u"cold"_qs); // A is older but dirty; C was used before B
    QCOMPARE(h.owner(2), u"E"_qs);
    QCOMPARE(h.takeOps(), u"look erase"_qs);
}

void TstSlotSelection::thenTheDirtyLeastRecentlyUsedWhichIsSaved()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 1000);
    h.turn(u"A", 1100);
    h.takeOps();
    QCOMPARE(h.turn(u"C", 1000), u"cold"_qs);
    QCOMPARE(h.owner(1), u"C"_qs);
    QCOMPARE(h.takeOps(), u"look save identity erase"_qs);
    QVERIFY(h.row(u"B") != nullptr);
    VERIFY_RULES(h);
}

void TstSlotSelection::aLeasedSlotIsNeverTaken()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    const RequestId a = h.begin(u"A");
    const RequestId b = h.begin(u"B");
    const RequestId c = h.begin(u"C");
    QVERIFY(h.granted(a) && h.granted(b));
    QCOMPARE(h.outcomeOf(c), u"waits"_qs);
    h.server.infer(1, u"B"_qs, 500);
    h.end(b, EndOutcome::Ok, 500);
    QCOMPARE(h.grantOf(c).slot.id, 1);
    VERIFY_RULES(h);
}

void TstSlotSelection::aHeldSlotIsNotTaken()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000, true);
    h.turn(u"B", 1000, false);
    QCOMPARE(h.turn(u"C", 1000), u"cold"_qs); // A was used longer ago, but more is to come
    QCOMPARE(h.owner(0), u"A"_qs);
    QCOMPARE(h.owner(1), u"C"_qs);
}

void TstSlotSelection::aLateSlotIsOnlyGrantedAsForeign()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 1000);
    h.failNext(OpKind::Save, OpFailure::ConnectionLost);
    h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.state(0), u"late"_qs);
    QCOMPARE(h.grantOf(h.begin(u"C")).slot.id, 1);
    const RequestId d = h.begin(u"D");
    QCOMPARE(h.outcomeOf(d), u"bypass"_qs);
    QCOMPARE(h.grantOf(d).slot.id, 0);
    VERIFY_RULES(h);
}

void TstSlotSelection::aDrainingSlotIsNotTakenWhileItIsBusy()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    const RequestId a = h.begin(u"A");
    h.server.infer(0, u"A"_qs, 100);
    h.server.contents[0].processing = true;
    h.end(a, EndOutcome::Aborted);
    h.takeOps();
    QCOMPARE(h.grantOf(h.begin(u"B")).slot.id, 1);
    const RequestId c = h.begin(u"C");
    h.advance(3000);
    QCOMPARE(h.outcomeOf(c), u"waits"_qs);
    QVERIFY(!h.takeOps().contains(u"save"_qs));
    h.server.contents[0].processing = false;
    h.advance(3000);
    QCOMPARE(h.outcomeOf(c), u"cold"_qs);
    VERIFY_RULES(h);
}

void TstSlotSelection::aReservedSlotServesOnlyAuxiliaryRequests()
{
    Policy policy = CoordinatorHarness::managedPolicy();
    policy.auxiliarySlot = true;
    CoordinatorHarness h(policy, 2);
    h.turn(u"A", 1000);
    h.takeOps();
    const RequestId title = h.auxiliary(u"A");
    QCOMPARE(h.grantOf(title).slot.id, 1);
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs); // beside it
    h.end(title, EndOutcome::Ok, 30);
    h.turn(u"B", 1000);
    QCOMPARE(h.owner(0), u"B"_qs); // the last slot stays reserved
    QCOMPARE(h.owner(1), QString());
    VERIFY_RULES(h);
}

void TstSlotSelection::withOneSlotNobodyGetsATransport()
{
    CoordinatorHarness h;
    QVERIFY(!h.grantOf(h.begin(u"A")).transport.has_value());
}

void TstSlotSelection::withSeveralEachGetsItsSlotId()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.begin(u"A");
    const Grant grant = h.grantOf(h.begin(u"B"));
    QVERIFY(grant.transport.has_value());
    QCOMPARE(grant.transport->idSlot, 1);
    QVERIFY(grant.transport->cachePrompt);
}

void TstSlotSelection::twoBeginsOfOneSessionNeverTakeTwoSlots()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 4);
    h.turn(u"X", 100);
    h.hold(OpKind::Look);
    const RequestId one = h.begin(u"A");
    const RequestId two = h.begin(u"A");
    const RequestId byHand = h.manual(ManualRequest::Kind::Restore, u"A");
    QCOMPARE(h.pending(OpKind::Look), 1);
    h.unhold(OpKind::Look);
    QCOMPARE(h.outcomeOf(one), u"cold"_qs);
    QCOMPARE(h.outcomeOf(two), u"bypass"_qs); // beside its own running request
    h.end(two, EndOutcome::Ok, 100);
    h.end(one, EndOutcome::Ok, 100);
    QCOMPARE(h.answersTo(byHand), 1);
    VERIFY_RULES(h);
}

void TstSlotSelection::aSubagentDoesNotPushItsParentOut()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 1000); // used later
    const auto childOfA = [](BeginRequest &event) {
        event.origin = u"subagent"_qs;
        event.parent = u"A"_qs;
    };
    QCOMPARE(h.turn(u"C", 500, false, childOfA), u"cold"_qs);
    QCOMPARE(h.owner(0), u"A"_qs);
    QCOMPARE(h.owner(1), u"C"_qs);
    const RequestId c = h.begin(u"C", childOfA); // while the other slot works, its parent's is all there is
    QVERIFY(h.granted(c));
    const RequestId d = h.begin(u"D", childOfA);
    QCOMPARE(h.grantOf(d).slot.id, 0);
    VERIFY_RULES(h);
}

void TstSlotSelection::aSlotThatIsNoLongerListedIsForgotten()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 4);
    for (const QStringView session : { u"A", u"B", u"C" }) {
        h.turn(session, 1000);
    }
    h.server.setSlotCount(2);
    h.restart();
    h.observe();
    QCOMPARE(h.turn(u"D", 1000), u"cold"_qs);
    QCOMPARE(h.coordinator->slotTable().size(), std::size_t { 2 });
    VERIFY_RULES(h);
}

void TstSlotSelection::theConfiguredSlotCanChange()
{
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 2);
    const RequestId a = h.begin(u"A");
    Policy policy = h.coordinator->policy();
    policy.slotId = 1;
    h.send(ConfigChanged { policy });
    QCOMPARE(h.turn(u"B", 1000), u"cold"_qs);
    QCOMPARE(h.owner(1), u"B"_qs);
    h.end(a, EndOutcome::Ok, 100);
    QCOMPARE(h.coordinator->slotTable().size(), std::size_t { 1 }); // the old one went when it came to rest
    VERIFY_RULES(h);
}

QTEST_GUILESS_MAIN(TstSlotSelection)
#include "tst_slotselection.moc"
