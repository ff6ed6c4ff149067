// SPDX-License-Identifier: MIT
// The proof of a restore, by itself and through the end of a request.
#include "coordinatortest.h"
#include "reuse.h"

using namespace kv;
using namespace kv::test;

class TstReuse final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void verdictsByRatio_data();
    void verdictsByRatio();
    void noUsageIsNoVerdict();
    void whatASlotMustShow();
    void strangersAreThoseBeyondEightOrOnePercent();
    void onlyTheFirstEndAfterARestoreIsJudged();
    void noReuseNamesItsCause();
    void aCompactionExplainsIt();
    void anAbortedRequestProvesNothing();
    void twoStableSessionsThatReuseNothingPauseTheRuntimeUntilResumed();
    void aDriftingPromptPausesOnlyItsSession();
    void aProofOnPurposeOutweighsWhatSessionsShowed();
    void aProofOfAnotherProcessOrRuntimeCountsNothing();
    void aStrictRequestTakesNobodysUnsavedState_data();
    void aStrictRequestTakesNobodysUnsavedState();
};

void TstReuse::verdictsByRatio_data()
{
    QTest::addColumn<qint64>("restored");
    QTest::addColumn<qint64>("prompt");
    QTest::addColumn<qint64>("cached");
    QTest::addColumn<QString>("verdict");
    QTest::newRow("all") << qint64 { 1000 } << qint64 { 1200 } << qint64 { 1000 } << u"verified"_qs;
    QTest::newRow("90 %") << qint64 { 1000 } << qint64 { 1200 } << qint64 { 900 } << u"verified"_qs;
    QTest::newRow("just below") << qint64 { 1000 } << qint64 { 1200 } << qint64 { 899 } << u"partial"_qs;
    QTest::newRow("10 %") << qint64 { 1000 } << qint64 { 1200 } << qint64 { 100 } << u"partial"_qs;
    QTest::newRow("just below 10 %") << qint64 { 1000 } << qint64 { 1200 } << qint64 { 99 } << u"none"_qs;
    QTest::newRow("nothing") << qint64 { 1000 } << qint64 { 1200 } << qint64 { 0 } << u"none"_qs;
    QTest::newRow("the same prompt again")
        << qint64 { 1000 } << qint64 { 1000 } << qint64 { 999 } << u"verified"_qs;
    QTest::newRow("a shorter prompt")
        << qint64 { 1000 } << qint64 { 500 } << qint64 { 499 } << u"verified"_qs;
    QTest::newRow("not told") << qint64 { 1000 } << qint64 { 1200 } << qint64 { -1 } << u"unknown"_qs;
    QTest::newRow("0 of 0") << qint64 { 1000 } << qint64 { 0 } << qint64 { 0 } << u"unknown"_qs;
}

void TstReuse::verdictsByRatio()
{
    QFETCH(qint64, restored);
    QFETCH(qint64, prompt);
    QFETCH(qint64, cached);
    QFETCH(QString, verdict);
    QCOMPARE(toString(judgeReuse(restored, Usage { prompt, 10, cached }).verdict), verdict);
}

void TstReuse::noUsageIsNoVerdict() { QCOMPARE(toString(judgeReuse(1000, {}).verdict), u"unknown"_qs); }

void TstReuse::whatASlotMustShow()
{
    QCOMPARE(expectedSlotTokens({ 100, 11, 0 }), 110);
    QCOMPARE(expectedSlotTokens({ 100, 0, 0 }), 100);
    QCOMPARE(expectedSlotTokens({}), -1);
}

void TstReuse::strangersAreThoseBeyondEightOrOnePercent()
{
    QVERIFY(!looksForeign(108, 100));
    QVERIFY(looksForeign(109, 100));
    QVERIFY(looksForeign(91, 100));
    QVERIFY(!looksForeign(10100, 10000));
    QVERIFY(looksForeign(10101, 10000));
    QVERIFY(!looksForeign(5, -1)); // nothing is expected
}

namespace {
RequestId restoredAndEnded(
    CoordinatorHarness &h, qint64 tokens, qint64 cached, EndOutcome outcome = EndOutcome::Ok)
{
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    const RequestId a = h.begin(u"A");
    h.server.infer(0, u"A"_qs, tokens);
    return h.end(a, outcome, tokens, false, cached);
}
}

void TstReuse::onlyTheFirstEndAfterARestoreIsJudged()
{
    CoordinatorHarness h;
    const RequestId end = restoredAndEnded(h, 1200, 1000);
    QCOMPARE(toString(*h.endAnswer(end)->verdict), u"verified"_qs);
    QCOMPARE(h.endAnswer(end)->expected, 1000);
    QCOMPARE(toString(h.row(u"A")->verdict), u"verified"_qs);
    const RequestId next = h.begin(u"A");
    QVERIFY(!h.endAnswer(h.end(next, EndOutcome::Ok, 1300, false, 0))->verdict.has_value());
}

void TstReuse::noReuseNamesItsCause()
{
    CoordinatorHarness h;
    const RequestId end = restoredAndEnded(h, 1200, 0);
    QCOMPARE(toString(*h.endAnswer(end)->verdict), u"none"_qs);
    QVERIFY(!h.endAnswer(end)->cause.isEmpty());
    QCOMPARE(h.notices(eventname::reuseNone).size(), 1);
}

void TstReuse::aCompactionExplainsIt()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    const RequestId a = h.begin(u"A");
    h.hint(u"A", HintType::Compacted);
    const RequestId end = h.end(a, EndOutcome::Ok, 1200, false, 0);
    QVERIFY(h.endAnswer(end)->cause.contains(u"compacted"_qs));
}

void TstReuse::anAbortedRequestProvesNothing()
{
    CoordinatorHarness h;
    const RequestId end = restoredAndEnded(h, 1200, 0, EndOutcome::Aborted);
    QVERIFY(!h.endAnswer(end)->verdict.has_value());
    QVERIFY(h.notices(eventname::reuseNone).isEmpty());
}

namespace {
/// A first and a resident turn that shows a stable prompt.
void stableTurns(CoordinatorHarness &h, QStringView session, qint64 tokens)
{
    h.turn(session, tokens);
    const RequestId again = h.begin(session);
    h.server.infer(0, session.toString(), tokens + 100);
    h.end(again, EndOutcome::Ok, tokens + 100, false, tokens);
}

/// A turn after a restore that reuses nothing of it.
void reusesNothing(CoordinatorHarness &h, QStringView session, qint64 tokens)
{
    const RequestId begun = h.begin(session);
    h.server.infer(0, session.toString(), tokens);
    h.end(begun, EndOutcome::Ok, tokens, false, 0);
}
}

void TstReuse::twoStableSessionsThatReuseNothingPauseTheRuntimeUntilResumed()
{
    CoordinatorHarness h;
    stableTurns(h, u"A", 1000);
    stableTurns(h, u"B", 2000);
    reusesNothing(h, u"A", 1300);
    QVERIFY(h.notices(eventname::persistencePaused).isEmpty()); // one session alone never makes it broken
    reusesNothing(h, u"B", 2300);
    QCOMPARE(h.notices(eventname::persistencePaused).size(), 1);
    h.takeOps();
    QCOMPARE(h.turn(u"A", 1400), u"cold"_qs);
    const QString ops = h.takeOps();
    QVERIFY2(!ops.contains(u"save"_qs) && !ops.contains(u"restore"_qs), qPrintable(ops));
    h.send(Resumed {});
    QCOMPARE(h.turn(u"B", 2400), u"restored"_qs);
}

void TstReuse::aDriftingPromptPausesOnlyItsSession()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000); // never shown to be stable
    h.turn(u"B", 2000);
    reusesNothing(h, u"A", 1300);
    QVERIFY(h.notices(eventname::persistencePaused).isEmpty());
    h.takeOps();
    h.turn(u"B", 2100);
    QVERIFY(!h.takeOps().contains(u"save"_qs)); // A is not worth a file any more
    h.turn(u"A", 1400);
    QVERIFY(h.takeOps().contains(u"save"_qs)); // B is
}

namespace {
Verified proved(const CoordinatorHarness &h, bool works, bool acrossRestart = false)
{
    const Identity &now = h.coordinator->identity();
    return { now.boot, now.fingerprint->hash(), works, acrossRestart };
}

/// A proof's request: auxiliary, and rather refused than at somebody's cost.
RequestId strictRequest(CoordinatorHarness &h)
{
    return h.begin({}, [](BeginRequest &event) {
        event.purpose = u"verify"_qs;
        event.strict = true;
    });
}
}

void TstReuse::aProofOnPurposeOutweighsWhatSessionsShowed()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.send(proved(h, true));
    QCOMPARE(toString(h.coordinator->compatibility()), u"supported"_qs);
    h.send(proved(h, false));
    QCOMPARE(toString(h.coordinator->compatibility()), u"broken"_qs);
    QCOMPARE(h.notices(eventname::persistencePaused).size(), 1);
    h.takeOps();
    h.turn(u"B", 2000);
    QVERIFY(!h.takeOps().contains(u"save"_qs)); // it rests
    // What outlives a restart of the daemon.
    InitialState kept;
    kept.proofs = h.coordinator->keptProofs();
    CoordinatorHarness again(CoordinatorHarness::defaultPolicy(), 1, kept);
    again.turn(u"A", 1000);
    QCOMPARE(toString(again.coordinator->compatibility()), u"broken"_qs);
    again.send(Resumed {});
    QCOMPARE(toString(again.coordinator->compatibility()), u"unknown"_qs);
    h.send(proved(h, true, true));
    QCOMPARE(toString(h.coordinator->compatibility()), u"supported"_qs);
    QCOMPARE(h.notices(eventname::persistenceResumed).size(), 1);
    h.takeOps();
    h.turn(u"C", 3000);
    QVERIFY(h.takeOps().contains(u"save"_qs));
}

void TstReuse::aProofOfAnotherProcessOrRuntimeCountsNothing()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    Verified otherProcess = proved(h, false);
    otherProcess.boot += u"x"_qs;
    h.send(otherProcess);
    Verified otherRuntime = proved(h, false);
    otherRuntime.fingerprintHash += u"x"_qs;
    h.send(otherRuntime);
    QCOMPARE(toString(h.coordinator->compatibility()), u"unknown"_qs);
}

void TstReuse::aStrictRequestTakesNobodysUnsavedState_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how :
        { "saved", "save fails", "save is never answered", "broken", "paused", "ignored" }) {
        QTest::newRow(how) << QString::fromLatin1(how);
    }
}

void TstReuse::aStrictRequestTakesNobodysUnsavedState()
{
    QFETCH(const QString, how);
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.auxiliary = how == u"ignored" ? AuxiliaryMode::Ignore : AuxiliaryMode::Isolate;
    CoordinatorHarness h(policy);
    h.turn(u"A", 1000);
    if (how == u"save fails") {
        h.failNext(OpKind::Save, OpFailure::ServerError, 3);
    } else if (how == u"save is never answered") {
        h.hold(OpKind::Save);
    } else if (how == u"broken") {
        h.send(proved(h, false)); // so that saving rests
    } else if (how == u"paused") {
        h.send(Paused {});
    }
    const RequestId asked = strictRequest(h);
    h.advance(200'000);
    if (how == u"saved" || how == u"ignored") {
        QCOMPARE(h.outcomeOf(asked), u"auxiliary"_qs);
        QVERIFY(h.row(u"A") != nullptr);
        return;
    }
    QCOMPARE(h.outcomeOf(asked), u"refused"_qs);
    QVERIFY(h.refusalOf(asked).strict);
    QCOMPARE(h.answersTo(asked), 1);
    if (how != u"save is never answered") { // then the slot itself cannot be trusted
        QCOMPARE(h.owner(), u"A"_qs);
    }
}

QTEST_GUILESS_MAIN(TstReuse)
#include "tst_reuse.moc"
