// SPDX-License-Identifier: MIT
// Leases: the queue, cancelling, clients that die or forget.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstLeases final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void waitersAreServedInOrder();
    void aCancelledWaiterIsAnsweredAndNoCallIsMadeForIt();
    void aCancelInAnyPhaseIsAnsweredAtOnce_data();
    void aCancelInAnyPhaseIsAnsweredAtOnce();
    void aClientThatDiesHoldingFreesTheSlot();
    void aClientThatDiesWaitingIsForgotten();
    void aSaveOfADeadClientIsNotAnswered();
    void aClientThatDiesDuringItsRestoreLetsTheNextIn();
    void aForgottenLeaseIsRevokedOnlyWhenSomebodyWaits();
    void aForgottenLeaseIsKeptWhileTheSlotWorks();
    void aForgottenForeignLeaseIsRevokedToo();
    void aForgottenLeaseOnASleepingServerIsRevoked();
    void aParentIsPatientForTwoSeconds();
    void theEndOfARevokedLeaseIsUnknownAndMakesTheSlotForeign();
    void anEndFromAnotherConnectionIsUnknown();
    void timeoutMsEndsTheWaitWithABypass();
    void timeoutMsAlsoCountsWhileASaveRuns();
    void aSecondRequestOfASessionNeverWaitsForItsOwnLease();
    void nobodyWaitsForALeaseOfItsOwnSessionThatIsGrantedAfterIt();
    void aRunningRequestIsTakenUpAfterAReconnect();
    void aRunningRequestOfAnUnknownSessionIsForeign();
    void anEndByCallEndsTheLease();
    void callsArePerConnection();
    void aForeignLeaseKeepsTheSlotUntilItEnds();
    void pausingDuringAJobGivesNoSecondHolder();
};

void TstLeases::waitersAreServedInOrder()
{
    CoordinatorHarness h;
    const RequestId a = h.begin(u"A");
    const RequestId b = h.begin(u"B");
    const RequestId c = h.begin(u"C");
    h.end(a, EndOutcome::Ok, 100);
    QVERIFY(h.granted(b) && !h.granted(c));
    h.end(b, EndOutcome::Ok, 100);
    QVERIFY(h.granted(c));
    QCOMPARE(h.answersTo(b), 1);
    VERIFY_RULES(h);
}

void TstLeases::aCancelledWaiterIsAnsweredAndNoCallIsMadeForIt()
{
    CoordinatorHarness h;
    const RequestId a = h.begin(u"A");
    const RequestId b = h.begin(u"B");
    h.takeOps();
    const RequestId cancel = h.end(b, EndOutcome::Aborted);
    QCOMPARE(h.errorOf(b), u"KV_CANCELLED"_qs);
    QVERIFY(h.endAnswer(cancel).has_value());
    h.server.infer(0, u"A"_qs, 100);
    h.end(a, EndOutcome::Ok, 100);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.owner(), u"A"_qs);
}

void TstLeases::aCancelInAnyPhaseIsAnsweredAtOnce_data()
{
    QTest::addColumn<int>("held");
    QTest::addColumn<QString>("owner");
    QTest::newRow("look") << static_cast<int>(OpKind::Look) << u"B"_qs;
    QTest::newRow("save") << static_cast<int>(OpKind::Save) << u"B"_qs;
    QTest::newRow("identity after the save") << static_cast<int>(OpKind::Identity) << u"B"_qs;
    QTest::newRow("check") << static_cast<int>(OpKind::CheckFile) << u"B"_qs;
    QTest::newRow("restore") << static_cast<int>(OpKind::Restore) << u"A"_qs;
}

void TstLeases::aCancelInAnyPhaseIsAnsweredAtOnce()
{
    QFETCH(int, held);
    QFETCH(QString, owner);
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.sharedFiles = true;
    CoordinatorHarness h(policy);
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.hold(static_cast<OpKind>(held));
    const RequestId request = h.begin(u"A");
    QCOMPARE(h.pending(static_cast<OpKind>(held)), 1);
    h.end(request, EndOutcome::Aborted);
    QCOMPARE(h.errorOf(request), u"KV_CANCELLED"_qs);
    h.takeOps();
    h.unhold(static_cast<OpKind>(held));
    QVERIFY(!h.takeOps().contains(u"erase"_qs));
    QCOMPARE(h.owner(), owner); // a restore under way is finished, and what it restored is that session's
    QVERIFY(!h.slot().job.has_value());
    QCOMPARE(h.answersTo(request), 1);
    QCOMPARE(h.turn(u"C", 500), u"cold"_qs);
    VERIFY_RULES(h);
}

void TstLeases::aClientThatDiesHoldingFreesTheSlot()
{
    CoordinatorHarness h;
    h.begin(u"A");
    h.connection = 2;
    const RequestId b = h.begin(u"B");
    h.server.contents[0].processing = true;
    h.clientGone(1);
    h.advance(3000);
    QCOMPARE(h.outcomeOf(b), u"waits"_qs); // its request may still run
    h.server.contents[0].processing = false;
    h.advance(3000);
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
    VERIFY_RULES(h);
}

void TstLeases::aClientThatDiesWaitingIsForgotten()
{
    CoordinatorHarness h;
    const RequestId a = h.begin(u"A");
    h.connection = 2;
    const RequestId b = h.begin(u"B");
    h.connection = 3;
    const RequestId c = h.begin(u"C");
    h.clientGone(2);
    h.end(a, EndOutcome::Ok, 100);
    QCOMPARE(h.answersTo(b), 0);
    QVERIFY(h.granted(c));
    VERIFY_RULES(h);
}

void TstLeases::aSaveOfADeadClientIsNotAnswered()
{
    CoordinatorHarness h;
    h.begin(u"A");
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    h.clientGone(1);
    QCOMPARE(h.answersTo(save), 0);
    VERIFY_RULES(h);
}

void TstLeases::aClientThatDiesDuringItsRestoreLetsTheNextIn()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.hold(OpKind::Restore);
    h.connection = 2;
    const RequestId a = h.begin(u"A");
    h.connection = 3;
    const RequestId b = h.begin(u"B");
    h.clientGone(2);
    QCOMPARE(h.outcomeOf(b), u"waits"_qs);
    h.unhold(OpKind::Restore);
    QCOMPARE(h.answersTo(a), 0);
    QCOMPARE(h.outcomeOf(b), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstLeases::aForgottenLeaseIsRevokedOnlyWhenSomebodyWaits()
{
    CoordinatorHarness h;
    const RequestId a = h.begin(u"A");
    h.takeOps();
    h.advance(600000);
    QCOMPARE(h.takeOps(), QString()); // nobody waits, so nobody asks
    QCOMPARE(h.coordinator->leases().size(), std::size_t { 1 });
    const RequestId b = h.begin(u"B");
    h.advance(50000);
    QCOMPARE(h.outcomeOf(b), u"waits"_qs);
    h.advance(50000);
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
    QCOMPARE(h.errorOf(h.end(a, EndOutcome::Ok, 100)), u"KV_LEASE_UNKNOWN"_qs);
    VERIFY_RULES(h);
}

void TstLeases::aForgottenLeaseIsKeptWhileTheSlotWorks()
{
    CoordinatorHarness h;
    h.begin(u"A");
    const RequestId b = h.begin(u"B");
    h.server.contents[0].processing = true;
    h.advance(600000);
    QCOMPARE(h.outcomeOf(b), u"waits"_qs);
    h.server.contents[0].processing = false;
    h.advance(100000);
    QVERIFY(h.granted(b));
}

void TstLeases::aForgottenForeignLeaseIsRevokedToo()
{
    CoordinatorHarness h;
    h.send(Paused {});
    QCOMPARE(h.outcomeOf(h.begin(u"A")), u"bypass"_qs);
    h.send(Resumed {});
    const RequestId b = h.begin(u"B");
    QCOMPARE(h.outcomeOf(b), u"waits"_qs);
    h.advance(200000);
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
    VERIFY_RULES(h);
}

void TstLeases::aForgottenLeaseOnASleepingServerIsRevoked()
{
    CoordinatorHarness h;
    h.begin(u"A");
    const RequestId b = h.begin(u"B");
    h.server.sleep();
    h.observe();
    h.advance(200000);
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
}

void TstLeases::aParentIsPatientForTwoSeconds()
{
    CoordinatorHarness h;
    h.begin(u"A");
    const RequestId other = h.begin(u"C");
    h.advance(1500);
    const RequestId child = h.begin(u"B", [](BeginRequest &event) {
        event.parent = u"A"_qs;
        event.origin = u"subagent"_qs;
    });
    h.advance(4000);
    QVERIFY(h.granted(other)); // first come; the child follows
    h.end(other, EndOutcome::Ok, 50);
    QVERIFY(h.granted(child));
    VERIFY_RULES(h);
}

void TstLeases::theEndOfARevokedLeaseIsUnknownAndMakesTheSlotForeign()
{
    CoordinatorHarness h;
    const RequestId a = h.begin(u"A");
    const RequestId b = h.begin(u"B");
    h.advance(100000);
    QVERIFY(h.granted(b));
    h.server.infer(0, u"B"_qs, 300);
    h.end(b, EndOutcome::Ok, 300);
    QCOMPARE(h.owner(), u"B"_qs);
    QCOMPARE(h.errorOf(h.end(a, EndOutcome::Ok, 100)), u"KV_LEASE_UNKNOWN"_qs);
    QCOMPARE(h.owner(), QString()); // A's request may have run in it
    QVERIFY(h.slot().draining);
    h.takeOps();
    h.advance(60000);
    QCOMPARE(h.takeOps(), QString());
}

void TstLeases::anEndFromAnotherConnectionIsUnknown()
{
    CoordinatorHarness h;
    const RequestId a = h.begin(u"A");
    EndRequest end;
    end.request = 900;
    end.connection = 7;
    end.lease = h.grantOf(a).lease;
    const Effects effects = h.coordinator->handle(end, h.now());
    const auto answer = std::find_if(effects.begin(), effects.end(),
        [](const Effect &effect) { return std::holds_alternative<Answer>(effect); });
    QVERIFY(answer != effects.end());
    QVERIFY(!std::get<Answer>(*answer).result.ok());
    QCOMPARE(h.coordinator->leases().size(), std::size_t { 1 });
    QVERIFY(h.slot().lease != 0);
}

void TstLeases::timeoutMsEndsTheWaitWithABypass()
{
    CoordinatorHarness h;
    h.begin(u"A");
    const RequestId b = h.begin(u"B", [](BeginRequest &event) { event.timeoutMs = 3000; });
    h.advance(2999);
    QCOMPARE(h.outcomeOf(b), u"waits"_qs);
    h.advance(1);
    QCOMPARE(h.outcomeOf(b), u"bypass"_qs);
    QCOMPARE(h.grantOf(b).waitMs, 3000.0);
    VERIFY_RULES(h);
}

void TstLeases::timeoutMsAlsoCountsWhileASaveRuns()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    const RequestId b = h.begin(u"B", [](BeginRequest &event) { event.timeoutMs = 3000; });
    h.advance(3000);
    QCOMPARE(h.outcomeOf(b), u"bypass"_qs);
    h.unhold(OpKind::Save);
    QVERIFY(h.row(u"A") != nullptr); // the save was sent before and counts
    QCOMPARE(h.owner(), QString());
    h.end(b, EndOutcome::Ok, 100);
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstLeases::aSecondRequestOfASessionNeverWaitsForItsOwnLease()
{
    CoordinatorHarness h;
    const RequestId one = h.begin(u"A");
    const RequestId two = h.begin(u"A");
    QCOMPARE(h.outcomeOf(two), u"bypass"_qs);
    h.end(two, EndOutcome::Ok, 50);
    h.end(one, EndOutcome::Ok, 60);
    QCOMPARE(h.owner(), QString()); // nobody knows what the two made together
    VERIFY_RULES(h);
}

void TstLeases::nobodyWaitsForALeaseOfItsOwnSessionThatIsGrantedAfterIt()
{
    CoordinatorHarness h;
    h.begin(u"A");
    const RequestId first = h.begin(u"D");
    const RequestId second = h.begin(u"D", [](BeginRequest &event) { event.timeoutMs = 500; });
    h.watching = false; // nothing else happens that would look at the queue again
    h.advance(600);
    QCOMPARE(h.outcomeOf(second), u"bypass"_qs);
    QCOMPARE(h.outcomeOf(first), u"bypass"_qs); // its client may be waiting for the first before the second ends
    VERIFY_RULES(h);
}

void TstLeases::aRunningRequestIsTakenUpAfterAReconnect()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.begin(u"A");
    h.server.contents[0].processing = true;
    h.clientGone(1);
    h.connection = 2;
    const RequestId again = h.begin(u"A", [](BeginRequest &event) { event.running = true; });
    QCOMPARE(h.outcomeOf(again), u"resident"_qs);
    h.server.infer(0, u"A"_qs, 1200);
    h.server.contents[0].processing = false;
    h.end(again, EndOutcome::Ok, 1200);
    QCOMPARE(h.state(), u"dirty"_qs);
    h.advance(40000);
    QCOMPARE(h.row(u"A")->tokens, 1200);
    VERIFY_RULES(h);
}

void TstLeases::aRunningRequestOfAnUnknownSessionIsForeign()
{
    CoordinatorHarness h;
    const RequestId a = h.begin(u"A", [](BeginRequest &event) { event.running = true; });
    QCOMPARE(h.outcomeOf(a), u"bypass"_qs);
    QCOMPARE(h.takeOps(), QString());
    const RequestId b = h.begin(u"B");
    QCOMPARE(h.outcomeOf(b), u"waits"_qs);
    h.end(a, EndOutcome::Ok, 100);
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
}

void TstLeases::anEndByCallEndsTheLease()
{
    CoordinatorHarness h;
    const RequestId a = h.begin(u"A");
    EndRequest end;
    end.connection = 1;
    end.call = h.begun(a).call;
    h.send(end);
    QVERIFY(h.coordinator->leases().empty());
}

void TstLeases::callsArePerConnection()
{
    CoordinatorHarness h;
    const RequestId a = h.begin(u"A", [](BeginRequest &event) { event.call = u"1"_qs; });
    h.connection = 2;
    const RequestId b = h.begin(u"B", [](BeginRequest &event) { event.call = u"1"_qs; });
    EndRequest end;
    end.connection = 2;
    end.call = u"1"_qs;
    h.send(end);
    QCOMPARE(h.outcomeOf(b), u"refused"_qs);
    QCOMPARE(h.coordinator->leases().begin()->second.session, h.begun(a).session);
}

void TstLeases::aForeignLeaseKeepsTheSlotUntilItEnds()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.send(Paused {});
    const RequestId b = h.begin(u"B");
    h.send(Resumed {});
    h.takeOps();
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.outcomeOf(a), u"waits"_qs);
    QCOMPARE(h.takeOps(), QString());
    h.end(b, EndOutcome::Ok, 70);
    QVERIFY(h.granted(a));
    VERIFY_RULES(h);
}

void TstLeases::pausingDuringAJobGivesNoSecondHolder()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.hold(OpKind::Restore);
    const RequestId a = h.begin(u"A");
    h.send(Paused {});
    const RequestId c = h.begin(u"C");
    QCOMPARE(h.outcomeOf(c), u"bypass"_qs);
    h.send(Resumed {});
    h.unhold(OpKind::Restore);
    QCOMPARE(h.outcomeOf(a), u"waits"_qs); // C may be writing where A was restored
    h.end(c, EndOutcome::Ok, 100);
    QCOMPARE(h.outcomeOf(a), u"restored"_qs);
    VERIFY_RULES(h);
}

QTEST_GUILESS_MAIN(TstLeases)
#include "tst_leases.moc"
