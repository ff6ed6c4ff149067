// SPDX-License-Identifier: MIT
// A turn is many requests: the slot is held for its owner between them, but not for ever.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstLocality final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void moreHoldsTheSlot();
    void withoutMoreItIsFreeAtOnce();
    void aClientThatNeverSaysHoldsForASecondAtMost();
    void aHoldEndsByItself();
    void anErrorHoldsNothing();
    void aChildIsNeverHeldUpByItsParent();
    void nobodyIsHeldUpLongerThanHoldMsInAll();
    void threeSubagentsOnOneSlotCostASwitchATurn();
};

void TstLocality::moreHoldsTheSlot()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000, true);
    h.takeOps();
    const RequestId b = h.begin(u"B");
    QCOMPARE(h.outcomeOf(b), u"waits"_qs);
    QCOMPARE(h.turn(u"A", 1100, true), u"resident"_qs);
    QCOMPARE(h.turn(u"A", 1200, false), u"resident"_qs);
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
    QCOMPARE(h.takeOps(), u"look save identity erase"_qs);
    VERIFY_RULES(h);
}

void TstLocality::withoutMoreItIsFreeAtOnce()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000, false);
    QVERIFY(h.granted(h.begin(u"B")));
}

void TstLocality::aClientThatNeverSaysHoldsForASecondAtMost()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000, std::nullopt);
    const RequestId b = h.begin(u"B");
    QCOMPARE(h.outcomeOf(b), u"waits"_qs);
    h.advance(1000);
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
}

void TstLocality::aHoldEndsByItself()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000, true);
    const RequestId b = h.begin(u"B");
    h.advance(1001); // four times the assumed cost of a switch
    QCOMPARE(h.outcomeOf(b), u"cold"_qs);
}

void TstLocality::anErrorHoldsNothing()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.end(h.begin(u"A"), EndOutcome::Error, -1, true);
    QVERIFY(h.granted(h.begin(u"B")));
}

void TstLocality::aChildIsNeverHeldUpByItsParent()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000, true);
    const RequestId child = h.begin(u"S", [](BeginRequest &event) {
        event.origin = u"subagent"_qs;
        event.parent = u"A"_qs;
    });
    QCOMPARE(h.outcomeOf(child), u"cold"_qs);
}

void TstLocality::nobodyIsHeldUpLongerThanHoldMsInAll()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.leaseHoldMs = 3000;
    CoordinatorHarness h(policy);
    h.turn(u"A", 1000, true);
    const RequestId b = h.begin(u"B");
    qint64 held = 0;
    for (int i = 0; i < 20 && !h.granted(b); ++i) {
        h.advance(800); // the owner comes back in time, again and again
        held += h.granted(b) ? 0 : 800;
        if (!h.granted(b)) {
            h.turn(u"A", 1100 + i * 50, true);
        }
    }
    QVERIFY(h.granted(b));
    QVERIFY(held <= 3000);
    VERIFY_RULES(h);
}

void TstLocality::threeSubagentsOnOneSlotCostASwitchATurn()
{
    CoordinatorHarness h;
    h.tamper = [](const Op &, OpReply &reply) { reply.wallMs = 200; }; // a switch that is worth avoiding
    constexpr int steps = 8;
    const std::array names { u"S", u"T", u"U" };
    std::array<RequestId, 3> waiting {};
    std::array<int, 3> done {};
    for (std::size_t i = 0; i < names.size(); ++i) {
        waiting[i] = h.begin(names[i]);
    }
    for (int round = 0; round < 200; ++round) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (waiting[i] == 0 || !h.granted(waiting[i])) {
                continue;
            }
            const bool more = ++done[i] < steps;
            h.server.infer(0, QStringView(names[i]).toString(), 1000 + done[i] * 100);
            h.end(waiting[i], EndOutcome::Ok, 1000 + done[i] * 100, more);
            h.advance(300); // the tool runs
            waiting[i] = more ? h.begin(names[i]) : 0;
        }
    }
    QCOMPARE(done, (std::array<int, 3> { steps, steps, steps }));
    QCOMPARE(h.notices(eventname::sessionSwitch).size(), 3);
    QCOMPARE(h.takeOps().count(u"save"_qs), 2);
    VERIFY_RULES(h);
}

QTEST_GUILESS_MAIN(TstLocality)
#include "tst_locality.moc"
