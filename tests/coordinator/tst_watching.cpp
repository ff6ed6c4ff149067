// SPDX-License-Identifier: MIT
// The server seen from outside: restarts, sleep, silence, another shape.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstWatching final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRestartBetweenAnyTwoStepsIsSurvived_data();
    void aRestartBetweenAnyTwoStepsIsSurvived();
    void anOperationToAGoneProcessIsOverWithIt();
    void sleepLosesEverythingAndIsNotDisturbed();
    void whereTheSleepTimeIsKnownTheCheckpointComesBeforeIt();
    void aSleepThatWasSeenTeachesTheTime();
    void aBeginWakesTheSleeperAndManages();
    void aRefusedConnectionMeansTheSlotsAreGone();
    void silenceAloneForgetsNothing();
    void withoutASignOfLifeTheSlotIsLookedAt();
    void anotherNumberOfSlotsForgetsTheContents();
    void anotherAdapterForgetsTheContents();
    void anUnknownIdentityDropsNobodyAndSavesNothing();
    void aStrangerAtWorkIsNeverQueuedBehind();
    void aLookForAnotherSlotThatShowsAStrangerCounts();
    void aSlotSeenBusyIsNotGrantedToItsOwnerEither();
    void busySlotsAreLookedAtEverMoreSlowly();
    void aServerThatListsNoSlotsIsNotAskedForEver();
    void oneThatSaysItSleepsAlthoughWokenAnswersTheWaiter();
    void strayRepliesChangeNothingAndAreCounted();
};

void TstWatching::aRestartBetweenAnyTwoStepsIsSurvived_data()
{
    QTest::addColumn<int>("held");
    QTest::addColumn<bool>("seen");
    for (const OpKind kind :
        { OpKind::Look, OpKind::Save, OpKind::Identity, OpKind::Restore, OpKind::Erase }) {
        for (const bool seen : { true, false }) {
            QTest::addRow("%s, %s", qPrintable(toString(kind)), seen ? "seen by the watcher" : "not seen")
                << static_cast<int>(kind) << seen;
        }
    }
}

void TstWatching::aRestartBetweenAnyTwoStepsIsSurvived()
{
    QFETCH(int, held);
    QFETCH(bool, seen);
    const auto kind = static_cast<OpKind>(held);
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.hold(kind);
    const RequestId request = h.begin(kind == OpKind::Erase ? u"C" : u"A");
    QCOMPARE(h.pending(kind), 1);
    h.restart();
    if (seen) {
        h.observe();
    }
    h.unhold(kind);
    h.observe();
    h.advance(20000);
    QVERIFY(h.granted(request));
    h.end(request, EndOutcome::Ok, 1100);
    QCOMPARE(h.turn(u"Z", 300), u"cold"_qs); // nothing is stuck
    QCOMPARE(h.state(), u"dirty"_qs);
    VERIFY_RULES(h);
}

void TstWatching::anOperationToAGoneProcessIsOverWithIt()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    const RequestId b = h.begin(u"B");
    h.restart();
    h.observe();
    h.loseReply(OpKind::Save); // the connection broke with the old process
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
    QVERIFY(h.slot().late.empty());
    QCOMPARE(h.coordinator->breaker().failures(), 0);
    VERIFY_RULES(h);
}

void TstWatching::sleepLosesEverythingAndIsNotDisturbed()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.server.sleep();
    h.takeOps();
    h.advance(100000); // the idle checkpoint was due: the look asks for the slots only of an awake server
    QVERIFY(h.server.sleeping);
    QVERIFY(!h.takeOps().contains(u"save"_qs));
    QCOMPARE(h.owner(), QString());
}

void TstWatching::whereTheSleepTimeIsKnownTheCheckpointComesBeforeIt()
{
    CoordinatorHarness h;
    h.watching = false;
    ServerObserved seen { h.server.identity(), false, 1 };
    seen.sleepIdleMs = 20000;
    h.send(seen);
    h.turn(u"A", 1000);
    h.advance(14900);
    QVERIFY(h.row(u"A") == nullptr);
    h.advance(200); // five seconds before it, not after the 30 of checkpoint.idleMs
    QVERIFY(h.row(u"A") != nullptr);
    seen.sleepIdleMs = 3000;
    h.send(seen);
    h.turn(u"A", 1100);
    h.advance(1600);
    QCOMPARE(h.row(u"A")->tokens, 1100);
    VERIFY_RULES(h);
}

void TstWatching::aSleepThatWasSeenTeachesTheTime()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.advance(10000);
    h.server.sleep();
    h.observe(); // too late for this state
    QVERIFY(h.row(u"A") == nullptr);
    h.turn(u"A", 1100);
    h.advance(5500);
    QVERIFY(h.row(u"A") != nullptr);
    QVERIFY(!h.coordinator->isSleeping());
    VERIFY_RULES(h);
}

void TstWatching::aBeginWakesTheSleeperAndManages()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.server.sleep();
    h.observe();
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
    QVERIFY(!h.server.sleeping);
    QCOMPARE(h.turn(u"A", 1200), u"resident"_qs);
}

void TstWatching::aRefusedConnectionMeansTheSlotsAreGone()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.server.alive = false;
    h.observe();
    QCOMPARE(h.owner(), QString());
    QVERIFY(h.coordinator->isUnreachable());
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.outcomeOf(a), u"bypass"_qs);
    h.end(a, EndOutcome::Error);
    h.restart();
    h.observe();
    QVERIFY(!h.coordinator->isUnreachable());
    QCOMPARE(h.turn(u"A", 1000), u"cold"_qs);
}

void TstWatching::silenceAloneForgetsNothing()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.send(ServerLost { false, u"no answer in time"_qs });
    QCOMPARE(h.owner(), u"A"_qs);
    h.takeOps();
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs);
    QCOMPARE(h.takeOps(), u"look"_qs); // in doubt it is looked at
}

void TstWatching::withoutASignOfLifeTheSlotIsLookedAt()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.watching = false;
    h.advance(5001);
    h.takeOps();
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs);
    QCOMPARE(h.takeOps(), u"look"_qs);
}

void TstWatching::anotherNumberOfSlotsForgetsTheContents()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.send(ServerObserved { h.server.identity(), false, 3 });
    QCOMPARE(h.owner(), QString());
}

void TstWatching::anotherAdapterForgetsTheContents()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    Identity other = h.server.identity();
    other.fingerprint = fingerprintOf(u"model-1.gguf"_qs, u"adapter=1"_qs);
    h.send(ServerObserved { other, false, 1 });
    QCOMPARE(h.owner(), QString()); // what it holds was computed without the adapter
    h.observe();
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs); // and with it gone the snapshot is as good as before
}

void TstWatching::anUnknownIdentityDropsNobodyAndSavesNothing()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.tamper = [](const Op &, OpReply &reply) { reply.identity.fingerprint = nullptr; };
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.errorOf(save), u"KV_SLOT_STATE_INVALID"_qs);
    QCOMPARE(h.owner(), u"A"_qs);
    h.tamper = {};
    h.observe();
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Save, u"A"))->tokens, 1000);
}

void TstWatching::aStrangerAtWorkIsNeverQueuedBehind()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.server.contents[0].processing = true;
    h.takeOps();
    const RequestId b = h.begin(u"B");
    h.advance(60000);
    QCOMPARE(h.outcomeOf(b), u"waits"_qs);
    const QStringList ops = h.takeOps().split(u' ');
    QCOMPARE(ops.count(u"look"_qs), ops.size()); // not one action
    h.server.infer(0, u"stranger"_qs, 5000);
    h.server.contents[0].processing = false;
    h.advance(3000);
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
    QCOMPARE(h.takeOps(), u"look"_qs); // nor is what the stranger left erased
    VERIFY_RULES(h);
}

void TstWatching::aLookForAnotherSlotThatShowsAStrangerCounts()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.hold(OpKind::Identity);
    const RequestId c = h.begin(u"C"); // A's slot is saved; what follows the save waits
    h.server.contents[0].processing = true;
    h.manual(ManualRequest::Kind::Save, u"B"); // looks at slot 1, and the list shows slot 0 too
    h.takeOps();
    h.answer(OpKind::Identity);
    QVERIFY(!h.takeOps().contains(u"erase"_qs));
    QCOMPARE(h.outcomeOf(c), u"waits"_qs);
    h.server.contents[0].processing = false;
    h.unhold(OpKind::Identity);
    h.advance(3000);
    QVERIFY(h.granted(c));
    VERIFY_RULES(h);
}

void TstWatching::aSlotSeenBusyIsNotGrantedToItsOwnerEither()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.watching = false;
    h.advance(6000);
    h.server.contents[0].processing = true;
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.outcomeOf(a), u"waits"_qs);
    h.server.contents[0].processing = false;
    h.advance(3000);
    QCOMPARE(h.outcomeOf(a), u"resident"_qs);
}

void TstWatching::busySlotsAreLookedAtEverMoreSlowly()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.server.contents[0].processing = true;
    h.begin(u"B");
    h.takeOps();
    h.advance(60000);
    QVERIFY(h.takeOps().count(u"look"_qs) <= 35);
}

void TstWatching::aServerThatListsNoSlotsIsNotAskedForEver()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 0);
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.outcomeOf(a), u"bypass"_qs);
    QCOMPARE(h.takeOps(), u"look"_qs);
    VERIFY_RULES(h);
}

void TstWatching::oneThatSaysItSleepsAlthoughWokenAnswersTheWaiter()
{
    CoordinatorHarness h;
    h.tamper = [](const Op &, OpReply &reply) {
        reply.slotsListed = false;
        reply.slotList.clear();
        reply.sleeping = true;
    };
    QCOMPARE(h.outcomeOf(h.begin(u"A")), u"bypass"_qs);
}

void TstWatching::strayRepliesChangeNothingAndAreCounted()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    OpReply reply;
    reply.id = 4711;
    reply.kind = OpKind::Erase;
    h.send(OpFinished { reply });
    QCOMPARE(h.coordinator->strayReplies(), 1u);
    QCOMPARE(h.owner(), u"A"_qs);
    QCOMPARE(h.state(), u"dirty"_qs);
}

QTEST_GUILESS_MAIN(TstWatching)
#include "tst_watching.moc"
