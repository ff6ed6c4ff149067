// SPDX-License-Identifier: MIT
// Servers that empty an idle slot when another one gets a request (facts, traps 14 and 30).
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstNeighbours final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withANumberOfSlotsGivenNothingIsSavedForANeighbour();
    void nothingDirtyIsLostOnAServerThatClearsIdleSlots();
    void oneThatSurvivesIsTrusted();
    void aClearedSlotIsRestoredForItsOwner();
    void whatCannotBeSavedHoldsNobodyUp();
    void aBusyNeighbourHoldsNobodyUp();
    void oneSlotOfSeveralIsLookedAtUntilItIsKnown();
    void anotherProcessIsLearntAnew();
};

void TstNeighbours::withANumberOfSlotsGivenNothingIsSavedForANeighbour()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    QVERIFY(!h.takeOps().contains(u"save"));
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs);
    QCOMPARE(h.takeOps(), QString());
}

void TstNeighbours::nothingDirtyIsLostOnAServerThatClearsIdleSlots()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 4);
    h.server.startWithoutParallel();
    const QStringList sessions { u"A"_qs, u"B"_qs, u"C"_qs };
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < sessions.size(); ++i) {
            const QString outcome = h.turn(sessions[i], 1000 * (i + 1) + 10 * round);
            QCOMPARE(outcome, round == 0 ? u"cold"_qs : u"restored"_qs);
        }
    }
    QVERIFY(h.coordinator->clearsIdleSlots());
    VERIFY_RULES(h);
}

void TstNeighbours::oneThatSurvivesIsTrusted()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.server.startWithoutParallel();
    h.server.keepIdleSlots();
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    QVERIFY(h.row(u"A") != nullptr); // saved before B got its slot
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs); // after a look: it survived
    h.takeOps();
    QCOMPARE(h.turn(u"B", 2100), u"resident"_qs);
    QCOMPARE(h.turn(u"A", 1200), u"resident"_qs);
    QCOMPARE(h.takeOps(), QString());
    VERIFY_RULES(h);
}

void TstNeighbours::aClearedSlotIsRestoredForItsOwner()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.server.startWithoutParallel();
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    QCOMPARE(h.server.contents[0].tokens, 0);
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
    QVERIFY(h.coordinator->clearsIdleSlots());
    VERIFY_RULES(h);
}

void TstNeighbours::whatCannotBeSavedHoldsNobodyUp()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.server.startWithoutParallel();
    h.turn(u"A", 1000);
    h.failNext(OpKind::Save, OpFailure::ServerError);
    QCOMPARE(h.turn(u"B", 2000), u"cold"_qs);
    h.hold(OpKind::Save);
    const RequestId again = h.begin(u"A"); // B is dirty
    QCOMPARE(h.outcomeOf(again), u"waits"_qs);
    h.advance(120000); // a save that hangs is late in the end
    QVERIFY(h.granted(again));
    VERIFY_RULES(h);
}

void TstNeighbours::aBusyNeighbourHoldsNobodyUp()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.server.startWithoutParallel();
    h.turn(u"A", 1000);
    h.server.contents[0].processing = true; // a stranger works in A's slot
    const RequestId b = h.begin(u"B");
    QVERIFY(h.granted(b));
    VERIFY_RULES(h);
}

void TstNeighbours::oneSlotOfSeveralIsLookedAtUntilItIsKnown()
{
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 4);
    h.server.startWithoutParallel();
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.takeOps();
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs);
    QCOMPARE(h.takeOps(), u"look"_qs);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.server.infer(2, u"(stranger)"_qs, 500); // clears ours
    QCOMPARE(h.turn(u"A", 1200), u"restored"_qs);
    QVERIFY(h.coordinator->clearsIdleSlots());
    VERIFY_RULES(h);
}

void TstNeighbours::anotherProcessIsLearntAnew()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.server.startWithoutParallel();
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.turn(u"A", 1100);
    QVERIFY(h.coordinator->clearsIdleSlots());
    h.restart();
    h.observe();
    QVERIFY(!h.coordinator->clearsIdleSlots());
}

QTEST_GUILESS_MAIN(TstNeighbours)
#include "tst_neighbours.moc"
