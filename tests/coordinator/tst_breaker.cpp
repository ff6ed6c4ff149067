// SPDX-License-Identifier: MIT
// The circuit breaker, by itself and through the coordinator.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstBreaker final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void threeFailuresInARowOpenIt();
    void aSuccessResetsTheCount();
    void aProbeDecides();
    void failedProbesDoubleThePauseUpToFifteenMinutes();
    void aFailureRightAfterRecoveryReopensDoubled();
    void aSuccessAfterRecoveryForgetsThePause();
    void repliesThatWereUnderWayCountNoMore();
    void anotherProcessResetsIt();

    void whileOpenEveryRequestIsGrantedAtOnceWithoutACall();
    void whoWaitsWhenItOpensIsGranted();
    void theProbeIsSentByATimer();
    void aProbeThatIsNeverAnsweredFails();
    void asleepNobodyIsProbed();
    void aSaveThatFailsRightAfterReopensDoubled();
    void pausingDoesNotHideThatItIsOpen();
    void refusedConnectionsAndRefusedRestoresDoNotCount();
    void aFailingListOfSlotsCounts();
    void itRecoversAndManagesAgain();
};

void TstBreaker::threeFailuresInARowOpenIt()
{
    Breaker breaker(3, 60000);
    QVERIFY(!breaker.failed(1));
    QCOMPARE(toString(breaker.state()), u"degraded"_qs);
    QVERIFY(!breaker.failed(2));
    QVERIFY(breaker.failed(3));
    QVERIFY(breaker.isOpen());
    QCOMPARE(breaker.probeDueMs(), 60003);
}

void TstBreaker::aSuccessResetsTheCount()
{
    Breaker breaker(3, 60000);
    (void)breaker.failed(1);
    (void)breaker.failed(2);
    QVERIFY(breaker.succeeded());
    QVERIFY(!breaker.succeeded());
    QVERIFY(!breaker.failed(3));
    QVERIFY(!breaker.failed(4));
    QVERIFY(breaker.failed(5));
}

void TstBreaker::aProbeDecides()
{
    Breaker breaker(1, 1000);
    QVERIFY(!breaker.probeFinished(true, 0)); // none was asked for
    (void)breaker.failed(0);
    breaker.probeStarted();
    QCOMPARE(toString(breaker.state()), u"half-open"_qs);
    QVERIFY(breaker.isOpen());
    QCOMPARE(breaker.probeDueMs(), -1);
    QVERIFY(breaker.probeFinished(true, 1000));
    QCOMPARE(toString(breaker.state()), u"healthy"_qs);
}

void TstBreaker::failedProbesDoubleThePauseUpToFifteenMinutes()
{
    Breaker breaker(1, 60000);
    (void)breaker.failed(0);
    QList<qint64> pauses;
    for (int i = 0; i < 6; ++i) {
        pauses << breaker.pauseMs();
        breaker.probeStarted();
        QVERIFY(!breaker.probeFinished(false, 0));
    }
    QCOMPARE(pauses, (QList<qint64> { 60000, 120000, 240000, 480000, 900000, 900000 }));
}

void TstBreaker::aFailureRightAfterRecoveryReopensDoubled()
{
    Breaker breaker(3, 60000);
    for (int i = 0; i < 3; ++i) {
        (void)breaker.failed(0);
    }
    breaker.probeStarted();
    QVERIFY(breaker.probeFinished(true, 0));
    QVERIFY(breaker.failed(10)); // one is enough
    QCOMPARE(breaker.pauseMs(), 120000);
}

void TstBreaker::aSuccessAfterRecoveryForgetsThePause()
{
    Breaker breaker(1, 60000);
    (void)breaker.failed(0);
    breaker.probeStarted();
    (void)breaker.probeFinished(true, 0);
    (void)breaker.succeeded();
    (void)breaker.failed(0);
    QCOMPARE(breaker.pauseMs(), 60000);
}

void TstBreaker::repliesThatWereUnderWayCountNoMore()
{
    Breaker breaker(1, 60000);
    QVERIFY(breaker.failed(0));
    QVERIFY(!breaker.failed(5));
    QVERIFY(!breaker.succeeded());
    QVERIFY(breaker.isOpen());
    QCOMPARE(breaker.pauseMs(), 60000);
}

void TstBreaker::anotherProcessResetsIt()
{
    CoordinatorHarness h;
    h.failNext(OpKind::Look, OpFailure::ServerError, 3);
    for (int i = 0; i < 3; ++i) {
        h.end(h.begin(u"A"), EndOutcome::Ok, 100);
    }
    QVERIFY(h.coordinator->breaker().isOpen());
    h.restart();
    h.observe();
    QCOMPARE(toString(h.coordinator->breaker().state()), u"healthy"_qs);
    QCOMPARE(h.turn(u"A", 100), u"cold"_qs);
}

namespace {
void open(CoordinatorHarness &h)
{
    h.failNext(OpKind::Look, OpFailure::ServerError, 3);
    for (int i = 0; i < 3; ++i) {
        h.end(h.begin(u"X"), EndOutcome::Ok, 100);
    }
    h.takeOps();
}
}

void TstBreaker::whileOpenEveryRequestIsGrantedAtOnceWithoutACall()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    open(h);
    QVERIFY(h.coordinator->breaker().isOpen());
    QCOMPARE(h.owner(0), QString()); // ownership is given up
    for (const QStringView session : { u"A", u"B", u"A", u"C" }) {
        const RequestId request = h.begin(session);
        QCOMPARE(h.outcomeOf(request), u"bypass"_qs);
        QVERIFY(h.grantOf(request).lease != 0);
        QVERIFY(!h.grantOf(request).reason.isEmpty());
        h.end(request, EndOutcome::Ok, 500);
    }
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Restore, u"A")), u"KV_BACKEND_UNAVAILABLE"_qs);
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Erase)), u"KV_BACKEND_UNAVAILABLE"_qs);
    h.advance(50000);
    QCOMPARE(h.takeOps(), QString());
    VERIFY_RULES(h);
}

void TstBreaker::whoWaitsWhenItOpensIsGranted()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    const RequestId b = h.begin(u"B");
    const RequestId c = h.begin(u"C");
    Policy policy = h.coordinator->policy();
    policy.maxConsecutiveFailures = 1;
    h.send(ConfigChanged { policy });
    h.reply(OpKind::Save, OpFailure::ServerError);
    QCOMPARE(h.outcomeOf(b), u"bypass"_qs);
    QCOMPARE(h.outcomeOf(c), u"bypass"_qs);
    VERIFY_RULES(h);
}

void TstBreaker::theProbeIsSentByATimer()
{
    CoordinatorHarness h;
    open(h);
    h.advance(59999);
    QCOMPARE(h.takeOps(), QString());
    h.advance(1);
    QCOMPARE(h.takeOps(), u"probe"_qs);
    QVERIFY(!h.coordinator->breaker().isOpen());
}

void TstBreaker::aProbeThatIsNeverAnsweredFails()
{
    CoordinatorHarness h;
    open(h);
    h.hold(OpKind::Probe);
    h.advance(60000);
    QCOMPARE(toString(h.coordinator->breaker().state()), u"half-open"_qs);
    h.advance(15000);
    QCOMPARE(toString(h.coordinator->breaker().state()), u"open"_qs);
    QCOMPARE(h.coordinator->breaker().pauseMs(), 120000);
    h.unhold(OpKind::Probe); // its answer comes too late to count
    QCOMPARE(toString(h.coordinator->breaker().state()), u"open"_qs);
    h.advance(120000);
    QVERIFY(!h.coordinator->breaker().isOpen());
}

void TstBreaker::asleepNobodyIsProbed()
{
    CoordinatorHarness h;
    open(h);
    h.server.sleep();
    h.observe();
    h.advance(60000);
    QCOMPARE(h.takeOps(), QString());
    QVERIFY(!h.coordinator->breaker().isOpen());
    QVERIFY(h.server.sleeping);
    QCOMPARE(h.notices(eventname::circuitRecovered).size(), 1);
}

void TstBreaker::aSaveThatFailsRightAfterReopensDoubled()
{
    CoordinatorHarness h;
    open(h);
    h.advance(60000);
    QCOMPARE(h.turn(u"A", 1000), u"cold"_qs);
    h.failNext(OpKind::Save, OpFailure::ServerError);
    h.manual(ManualRequest::Kind::Save, u"A");
    QVERIFY(h.coordinator->breaker().isOpen());
    QCOMPARE(h.coordinator->breaker().pauseMs(), 120000);
    QCOMPARE(h.owner(), QString());
}

void TstBreaker::pausingDoesNotHideThatItIsOpen()
{
    CoordinatorHarness h;
    open(h);
    h.send(Paused {});
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Erase)), u"KV_BACKEND_UNAVAILABLE"_qs);
    h.shutdown();
    QCOMPARE(h.takeOps(), QString());
    QVERIFY(h.shutdownDone());
}

void TstBreaker::refusedConnectionsAndRefusedRestoresDoNotCount()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.failNext(OpKind::Restore, OpFailure::Refused);
    h.turn(u"A", 1000);
    QCOMPARE(h.coordinator->breaker().failures(), 0);
    h.failNext(OpKind::Look, OpFailure::ConnectionRefused, 5);
    h.advance(6000);
    for (int i = 0; i < 5; ++i) {
        const RequestId request = h.begin(u"C");
        QCOMPARE(h.outcomeOf(request), u"bypass"_qs);
        h.end(request, EndOutcome::Error);
    }
    QVERIFY(!h.coordinator->breaker().isOpen());
}

void TstBreaker::aFailingListOfSlotsCounts()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.failNext(OpKind::Look, OpFailure::ServerError, 9);
    for (int i = 0; i < 6; ++i) {
        const RequestId request = h.begin(u"A");
        QCOMPARE(h.outcomeOf(request), u"bypass"_qs);
        h.end(request, EndOutcome::Ok, 100);
    }
    QCOMPARE(h.takeOps(), u"look look look"_qs);
    QVERIFY(h.coordinator->breaker().isOpen());
}

void TstBreaker::itRecoversAndManagesAgain()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    open(h);
    h.advance(61000);
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
    QCOMPARE(h.turn(u"A", 1200), u"resident"_qs);
    VERIFY_RULES(h);
}

QTEST_GUILESS_MAIN(TstBreaker)
#include "tst_breaker.moc"
