// SPDX-License-Identifier: MIT
#include "reuseproof.h"
#include "worth.h"

#include <QTest>

using namespace kv;

class TstWorth final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotMeasuredNeverSpeaksAgainstASave();
    void aRestoreSlowerThanThePrefillItSavesIsNotWorthIt();
    void minTokensAsConfiguredDecidesAlone();
    void nearTheDaysBudgetOnlyWhatCannotWaitIsSaved();
    void aLargeStateWithLittleNewWaits();
    void manualIsAlwaysWorthIt();
    void oneSessionAloneNeverMakesARuntimeBroken();
    void twoStableSessionsThatReuseNothingMakeItBroken();
    void aSessionThatWasNeverStableDrifts();
    void aShortPromptProvesNothing();
    void threeVerifiedOneAfterARestartIsSupported();
    void aVerifiedRestoreClearsTheSuspicion();
    void proofSurvivesARestart();
    void deathsWithAGoodRestoreBetweenThemStopNothing();
};

namespace {

WorthInput measured(SaveReason reason)
{
    WorthInput input;
    input.reason = reason;
    input.tokens = 10000;
    input.bytesPerToken = 20000; // 200 MB
    input.prefillPerSecond = 100; // 100 s
    input.savePerSecond = 100e6; // 2 s
    input.restorePerSecond = 200e6; // 1 s
    return input;
}

} // namespace

void TstWorth::whatIsNotMeasuredNeverSpeaksAgainstASave()
{
    WorthInput input;
    input.tokens = 3;
    for (const SaveReason reason : { SaveReason::Idle, SaveReason::Switch, SaveReason::Shutdown }) {
        input.reason = reason;
        QVERIFY(judgeWorth(input) == Worth::Yes);
    }
}

void TstWorth::aRestoreSlowerThanThePrefillItSavesIsNotWorthIt()
{
    WorthInput input = measured(SaveReason::Switch);
    QVERIFY(judgeWorth(input) == Worth::Yes);
    input.restorePerSecond = 1e6; // 200 s, twice the prefill
    QVERIFY(judgeWorth(input) == Worth::Small);
}

void TstWorth::minTokensAsConfiguredDecidesAlone()
{
    WorthInput input = measured(SaveReason::Switch);
    input.restorePerSecond = 1e6;
    input.minTokens = 5000;
    QVERIFY(judgeWorth(input) == Worth::Yes);
    input.minTokens = 10001;
    QVERIFY(judgeWorth(input) == Worth::Small);
}

void TstWorth::nearTheDaysBudgetOnlyWhatCannotWaitIsSaved()
{
    WorthInput input = measured(SaveReason::Idle);
    input.maxBytesPerDay = 1'000'000'000;
    input.bytesWrittenToday = 600'000'000;
    QVERIFY(judgeWorth(input) == Worth::Yes);
    input.bytesWrittenToday = 750'000'000; // and 200 MB more would be 95 %
    QVERIFY(judgeWorth(input) == Worth::BudgetSpent);
    for (const SaveReason reason : { SaveReason::Switch, SaveReason::Flush, SaveReason::Shutdown }) {
        input.reason = reason;
        QVERIFY(judgeWorth(input) == Worth::Yes);
    }
}

void TstWorth::aLargeStateWithLittleNewWaits()
{
    WorthInput input = measured(SaveReason::Idle);
    input.snapshotTokens = 9700; // 3 s of prefill against 2 s of saving
    QVERIFY(judgeWorth(input) == Worth::LittleNew);
    input.snapshotTokens = 9500; // 5 s
    QVERIFY(judgeWorth(input) == Worth::Yes);
    input.snapshotTokens = 9990;
    input.bytesPerToken = 1000; // 10 MB
    QVERIFY(judgeWorth(input) == Worth::Yes);
}

void TstWorth::manualIsAlwaysWorthIt()
{
    WorthInput input = measured(SaveReason::Manual);
    input.minTokens = 1'000'000;
    QVERIFY(judgeWorth(input) == Worth::Yes);
}

void TstWorth::oneSessionAloneNeverMakesARuntimeBroken()
{
    ReuseProof proof;
    proof.noteStable(QStringLiteral("a"));
    for (int i = 0; i < 10; ++i) {
        QVERIFY(!proof.note(QStringLiteral("a"), Verdict::None, true, false).becameBroken);
    }
    QVERIFY(!proof.isBroken());
}

void TstWorth::twoStableSessionsThatReuseNothingMakeItBroken()
{
    ReuseProof proof;
    proof.noteStable(QStringLiteral("a"));
    proof.noteStable(QStringLiteral("b"));
    QVERIFY(!proof.note(QStringLiteral("a"), Verdict::None, true, false).becameBroken);
    QVERIFY(proof.note(QStringLiteral("b"), Verdict::None, true, false).becameBroken);
    QVERIFY(proof.compatibility() == Compatibility::Broken);
    proof.reset();
    QVERIFY(proof.compatibility() == Compatibility::Unknown);
}

void TstWorth::aSessionThatWasNeverStableDrifts()
{
    ReuseProof proof;
    QVERIFY(proof.note(QStringLiteral("a"), Verdict::None, true, false).prompts);
    QVERIFY(proof.drifts(QStringLiteral("a")));
    QVERIFY(!proof.drifts(QStringLiteral("b")));
    proof.note(QStringLiteral("a"), Verdict::Partial, true, false);
    QVERIFY(!proof.drifts(QStringLiteral("a")));
}

void TstWorth::aShortPromptProvesNothing()
{
    ReuseProof proof;
    proof.noteStable(QStringLiteral("a"));
    proof.noteStable(QStringLiteral("b"));
    proof.note(QStringLiteral("a"), Verdict::None, false, false);
    proof.note(QStringLiteral("b"), Verdict::None, false, false);
    QVERIFY(!proof.isBroken());
    QVERIFY(!proof.drifts(QStringLiteral("a")));
}

void TstWorth::threeVerifiedOneAfterARestartIsSupported()
{
    ReuseProof proof;
    QVERIFY(proof.compatibility() == Compatibility::Unknown);
    proof.note(QStringLiteral("a"), Verdict::Verified, true, false);
    QVERIFY(proof.compatibility() == Compatibility::Experimental);
    proof.note(QStringLiteral("a"), Verdict::Verified, true, false);
    proof.note(QStringLiteral("a"), Verdict::Verified, true, false);
    QVERIFY(proof.compatibility() == Compatibility::Experimental);
    proof.note(QStringLiteral("a"), Verdict::Verified, true, true);
    QVERIFY(proof.compatibility() == Compatibility::Supported);
}

void TstWorth::aVerifiedRestoreClearsTheSuspicion()
{
    ReuseProof proof;
    proof.noteStable(QStringLiteral("a"));
    proof.noteStable(QStringLiteral("b"));
    proof.note(QStringLiteral("a"), Verdict::None, true, false);
    proof.note(QStringLiteral("c"), Verdict::Verified, true, false);
    QVERIFY(!proof.note(QStringLiteral("b"), Verdict::None, true, false).becameBroken);
}

void TstWorth::proofSurvivesARestart()
{
    ReuseProof proof;
    proof.note(QStringLiteral("a"), Verdict::Verified, true, true);
    proof.note(QStringLiteral("a"), Verdict::Verified, true, false);
    proof.note(QStringLiteral("a"), Verdict::Verified, true, false);
    QVERIFY(ReuseProof::fromText(proof.toText()).compatibility() == Compatibility::Supported);
    QVERIFY(ReuseProof::fromText(QStringLiteral("garbage")).compatibility() == Compatibility::Unknown);
}

void TstWorth::deathsWithAGoodRestoreBetweenThemStopNothing()
{
    // A server is killed now and then, and twice in a year it happens to be restoring.
    ReuseProof proof;
    for (int i = 0; i < 5; ++i) {
        QVERIFY(!proof.noteDeath());
        proof.note(QStringLiteral("a"), Verdict::Verified, true, false);
    }
    QVERIFY(!proof.noteDeath());
    QVERIFY(proof.noteDeath()); // two in a row
    QVERIFY(proof.restoresStopped());
}

QTEST_GUILESS_MAIN(TstWorth)
#include "tst_worth.moc"
