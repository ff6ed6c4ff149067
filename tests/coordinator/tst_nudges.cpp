// SPDX-License-Identifier: MIT
// What an operation that had to wait may have left behind in the server is woken: facts, traps 25 to 28.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstNudges final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSaveThatWaitedIsFollowedByOneNudge();
    void aSaveThatTookItsTimeIsNot();
    void aLostReplyIsFollowedByOne();
    void aLateOperationIsWokenAndItsReplyAwaited();
    void nobodysSlotIsProbedFirst();
    void aBuildThatTakesThePromptIsNeverSentItAgain();
    void whatIsKnownOfABuildOutlivesTheDaemon();
    void aRequestThatEndsDoesTheSame();
    void noneIsSentWhileASlotWorks();
    void noneIsSentWhilePersistenceRests();
};

namespace {
/// The next save answers late: it waited for somebody's request in the server.
void saveThatWaits(CoordinatorHarness &h, double serverMs = 10)
{
    h.tamper = [serverMs](const Op &op, OpReply &reply) {
        if (op.kind == OpKind::Save) {
            reply.wallMs = 9000;
            reply.serverMs = serverMs;
        }
    };
    h.manual(ManualRequest::Kind::Save, u"A");
    h.tamper = nullptr;
}
InitialState knowing(bool refuses)
{
    InitialState initial;
    initial.nudgeBuilds[u"b1"_qs] = refuses;
    return initial;
}
}

void TstNudges::aSaveThatWaitedIsFollowedByOneNudge()
{
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 1, knowing(true));
    h.turn(u"A", 1000);
    h.takeOps();
    saveThatWaits(h);
    QCOMPARE(h.takeOps(), u"look save look look nudge"_qs);
    QCOMPARE(h.server.nudges, 1);
    QCOMPARE(h.owner(), u"A"_qs);
    h.advance(60000);
    QCOMPARE(h.server.nudges, 1);
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs); // it left no trace
    VERIFY_RULES(h);
}

void TstNudges::aSaveThatTookItsTimeIsNot()
{
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 1, knowing(true));
    h.turn(u"A", 1000);
    saveThatWaits(h, 8900);
    QCOMPARE(h.server.nudges, 0);
}

void TstNudges::aLostReplyIsFollowedByOne()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.loseReply(OpKind::Save);
    h.advance(1000);
    QCOMPARE(h.server.nudges, 1);
    QVERIFY(h.coordinator->nudgeBuilds().at(u"b1"_qs));
    VERIFY_RULES(h);
}

void TstNudges::aLateOperationIsWokenAndItsReplyAwaited()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.advance(120000);
    QCOMPARE(h.server.nudges, 1);
    QCOMPARE(h.state(), u"late"_qs); // the nudge itself proves nothing
    h.unhold(OpKind::Save);
    h.advance(3000);
    QCOMPARE(h.server.nudges, 2); // what stood behind the late one
    QVERIFY(h.state() != u"late"_qs);
    QVERIFY(h.row(u"A") == nullptr);
    VERIFY_RULES(h);
}

void TstNudges::nobodysSlotIsProbedFirst()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    saveThatWaits(h);
    QCOMPARE(h.server.nudges, 0); // a build that truncates would destroy A's state
    h.manual(ManualRequest::Kind::Purge, u"A"); // the slot is nobody's now
    QCOMPARE(h.server.nudges, 1);
    VERIFY_RULES(h);
}

void TstNudges::aBuildThatTakesThePromptIsNeverSentItAgain()
{
    CoordinatorHarness h;
    h.server.truncatesPrompts = true;
    h.turn(u"A", 1000);
    for (int i = 0; i < 3; ++i) {
        h.hold(OpKind::Save);
        h.manual(ManualRequest::Kind::Save, u"A");
        h.loseReply(OpKind::Save);
        h.unhold(OpKind::Save);
        h.restart(); // the lost one is void
        h.advance(5000);
        h.turn(u"A", 1000 + i);
    }
    QVERIFY(h.server.nudges <= 1);
    h.server.nudges = 0;
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.loseReply(OpKind::Save);
    h.advance(5000);
    const int probes = h.server.nudges;
    QVERIFY(probes <= 1);
    QVERIFY(!h.coordinator->nudgeBuilds().at(u"b1"_qs));
    VERIFY_RULES(h);
}

void TstNudges::whatIsKnownOfABuildOutlivesTheDaemon()
{
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 1, knowing(false));
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.loseReply(OpKind::Save);
    h.advance(10000);
    QCOMPARE(h.server.nudges, 0);
}

void TstNudges::aRequestThatEndsDoesTheSame()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    saveThatWaits(h); // owed, but the slot is A's and the build is not known
    h.turn(u"A", 1100);
    h.manual(ManualRequest::Kind::Purge, u"A");
    h.advance(10000);
    QCOMPARE(h.server.nudges, 0);
}

void TstNudges::noneIsSentWhileASlotWorks()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2, knowing(true));
    h.turn(u"A", 1000);
    const RequestId b = h.begin(u"B");
    saveThatWaits(h);
    QCOMPARE(h.server.nudges, 0);
    h.end(b, EndOutcome::Error);
    h.advance(3000);
    QCOMPARE(h.server.nudges, 1);
    VERIFY_RULES(h);
}

void TstNudges::noneIsSentWhilePersistenceRests()
{
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 1, knowing(true));
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.send(Paused {});
    h.loseReply(OpKind::Save);
    h.advance(10000);
    QCOMPARE(h.server.nudges, 0);
}

QTEST_GUILESS_MAIN(TstNudges)
#include "tst_nudges.moc"
