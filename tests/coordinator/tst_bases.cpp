// SPDX-License-Identifier: MIT
// Beginnings that sessions share: made once, restored for sessions without a snapshot, never anybody's own
// state.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstBases final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstSessionsSnapshotIsKeptAsABase();
    void aBaseIsASecondReferenceToItsFile();
    void aColdSessionStartsFromTheBase();
    void whatASlotStillHoldsIsNotRestoredOverIt();
    void aSnapshotOfItsOwnGoesFirst();
    void itIsNeverTheSessionsOwnState();
    void aForkStartsFromItsParent();
    void nothingLeavesItsProvider();
    void keepAndEraseRestoreNoBase();
    void aRefusedBaseIsColdAndNobodyIsRefused();
    void aBadFileEndsTheBase();
    void aWrongBaseIsDroppedAfterTwoMissesAndNotMadeAgain();
    void theSharedLengthIsLearnedAndJudgedBy();
    void aBaseWhoseReuseFallsIsMadeAnew();
    void aBaseThatCostsMoreThanItSparesIsLeft();
    void aPurgeTakesTheBaseAlong();
    void aBaseOutlivesItsSession();
    void aNewerSnapshotLeavesTheBasesFileAlone();
    void aBaseIsNoSession();
    void aCancelledBeginLeavesNobodysState();
    void onlyAFreshSessionMakesABase();
    void itSurvivesARestartOfTheDaemon();
    void aFileThatKilledTheServerIsRestoredForNobody();
    void whatIsInvalidatedByHandIsNobodysBeginning();
    void aRefusedBaseIsMadeAnew();
    void aSessionThatSharesLittleSaysNothingOfOthers();
    void whatIsTooLongForWhatIsSharedGivesWayToAShorterOne();
    void aShortPromptThatIsAllSharedIsNoMiss();
    void aTenthIsTheLeastThatCountsAsShared();
    void aProvedBaseThatIsMissedTwiceIsMadeAgain();
    void resumingTriesAWrongBaseOnceMore();
    void aBaseTooLongForTheContextIsMadeAnew();
    void aLaterStateOfASessionIsNoBase();
    void withStrictABrokenRestoreOfABaseRefusesNobody();
    void aForkIsJudgedByWhereItWasBranched();
    void aForkLeftInItsSlotSpeaksOfNoBase();
    void aSubAgentThatIsDoneAtOnceLeavesItsBase();
    void aDoneSubAgentWhoseRowIsOnItsWayLeavesItsBase();
    void aDoneSubAgentThatCannotBeSavedIsForgotten();
    void aDoneSubAgentIsInNobodysWay();
    void evidenceAgainstAFileIsNoneAgainstTheNext();
    void whatIsInvalidatedTakesABaseThatIsOnItsWay();
    void aRemovalThatFailedTakesNothingNewer();
    void aBaseThatCouldNotBeWrittenIsOfferedAgain();
    void aPurgeTakesWhatIsOnItsWay();
    void aFileStaysUntilNoRowOnTheDiskNamesIt();
};

namespace {

const auto c_base = u"hash-of-system-and-tools"_qs;

void withBase(BeginRequest &event) { event.base = c_base; }

Policy basePolicy(bool managed = false)
{
    Policy policy = managed ? CoordinatorHarness::managedPolicy() : CoordinatorHarness::defaultPolicy();
    policy.coldStart = ColdStart::Base;
    return policy;
}

/// A has made the base, another session has the only slot.
void fill(CoordinatorHarness &h)
{
    h.turn(u"A", 1000, false, withBase);
    h.advance(600);
    h.turn(u"X", 500);
    h.takeOps();
}

/// One of X, not reused and processed in so many ms: what the server's speed is learned from.
void measuredTurn(CoordinatorHarness &h, qint64 tokens, double promptMs)
{
    const RequestId x = h.begin(u"X");
    EndRequest end;
    end.connection = h.connection;
    end.lease = h.grantOf(x).lease;
    end.outcome = EndOutcome::Ok;
    end.more = false;
    end.usage = { tokens, 1, 0 };
    end.timings.promptMs = promptMs;
    h.server.infer(0, u"X"_qs, tokens);
    h.send(end);
}

/// One request of a session that ends with so many of its prompt's tokens reused.
QString turn(CoordinatorHarness &h, QStringView session, qint64 tokens, qint64 cached)
{
    const RequestId request = h.begin(session, withBase);
    const Grant grant = h.grantOf(request);
    h.server.infer(std::max(0, grant.slot.id), session.toString(), tokens);
    h.end(request, EndOutcome::Ok, tokens, false, cached);
    return h.outcomeOf(request);
}

}

void TstBases::theFirstSessionsSnapshotIsKeptAsABase()
{
    CoordinatorHarness h(basePolicy());
    QCOMPARE(h.turn(u"A", 1000, false, withBase), u"cold"_qs);
    QVERIFY(h.row(c_base) == nullptr);
    h.takeOps();
    h.advance(600); // early, long before the idle checkpoint: it is small now
    QCOMPARE(h.takeOps(), u"look save identity"_qs);
    QVERIFY(h.row(c_base) != nullptr);
    QVERIFY(h.row(c_base)->base);
    QCOMPARE(h.row(c_base)->source, u"A"_qs);
    // Once.
    h.turn(u"A", 1100, false, withBase);
    h.advance(600);
    QCOMPARE(h.takeOps(), QString());
    VERIFY_RULES(h);
}

void TstBases::aBaseIsASecondReferenceToItsFile()
{
    CoordinatorHarness h(basePolicy());
    h.turn(u"A", 1000, false, withBase);
    h.advance(600);
    QCOMPARE(h.row(c_base)->name, h.row(u"A")->name);
    QCOMPARE(h.row(c_base)->tokens, 1000);
    QCOMPARE(h.server.files.size(), std::size_t { 1 });
}

void TstBases::aColdSessionStartsFromTheBase()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    const RequestId b = h.begin(u"B", withBase);
    QCOMPARE(h.takeOps(), u"look save identity restore identity"_qs);
    QCOMPARE(h.outcomeOf(b), u"based"_qs);
    QCOMPARE(h.grantOf(b).tokens, 1000);
    QCOMPARE(h.server.contents[0].content, u"A"_qs);
    QCOMPARE(h.notices(eventname::sessionBased).size(), 1);
    QCOMPARE(h.notices(eventname::sessionCold).size(), 2); // A and X
    VERIFY_RULES(h);
}

void TstBases::whatASlotStillHoldsIsNotRestoredOverIt()
{
    CoordinatorHarness h(basePolicy());
    h.turn(u"A", 1000, false, withBase);
    h.advance(600);
    h.takeOps();
    QCOMPARE(turn(h, u"B", 1200, 900), u"based"_qs);
    QCOMPARE(h.takeOps(), u"look"_qs);
    // Where what is left is not reused by the next, the file is.
    QCOMPARE(turn(h, u"C", 1200, 0), u"based"_qs);
    h.takeOps();
    QCOMPARE(turn(h, u"D", 1200, 900), u"based"_qs);
    QVERIFY(h.takeOps().contains(u"restore"_qs));
    VERIFY_RULES(h);
}

void TstBases::aSnapshotOfItsOwnGoesFirst()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    QCOMPARE(h.turn(u"A", 1100, false, withBase), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstBases::itIsNeverTheSessionsOwnState()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    const RequestId b = h.begin(u"B", withBase);
    QVERIFY(!h.slot().isDirty());
    QVERIFY(!h.slot().owner->ownState);
    QCOMPARE(h.slot().owner->provenTokens, 0);
    h.end(b, EndOutcome::Aborted); // before anything was computed: the slot holds what A computed
    h.takeOps();
    h.turn(u"X", 600);
    QVERIFY(!h.takeOps().contains(u"save"_qs));
    QVERIFY(h.row(u"B") == nullptr);
    // A request that ended well makes a state of its own, in a file of its own.
    QCOMPARE(turn(h, u"B", 1300, 900), u"based"_qs);
    h.turn(u"X", 700);
    QVERIFY(h.row(u"B") != nullptr);
    QVERIFY(h.row(u"B")->name != h.row(c_base)->name);
    VERIFY_RULES(h); // among them: a row names a file with that session's tokens
}

void TstBases::aForkStartsFromItsParent()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    const auto fork = [](BeginRequest &event) { event.fork = u"A"_qs; };
    const RequestId f = h.begin(u"F", fork);
    QCOMPARE(h.outcomeOf(f), u"based"_qs);
    QCOMPARE(h.grantOf(f).tokens, 1000);
    QVERIFY(h.takeOps().contains(u"restore"_qs));
    h.server.infer(0, u"F"_qs, 1050);
    const RequestId ended = h.end(f, EndOutcome::Ok, 1050, false, 990);
    QVERIFY(h.endAnswer(ended)->verdict == Verdict::Verified);
    QCOMPARE(h.row(u"A")->tokens, 1000); // its parent's is what it was
    // In the slot of its parent there is nothing to be restored.
    h.turn(u"A", 1100);
    h.takeOps();
    QCOMPARE(h.outcomeOf(h.begin(u"G", fork)), u"based"_qs);
    QCOMPARE(h.takeOps(), u"look save identity"_qs);
    VERIFY_RULES(h);
}

void TstBases::nothingLeavesItsProvider()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    QCOMPARE(h.turn(u"F", 700, false,
                 [](BeginRequest &event) {
                     event.fork = u"A"_qs;
                     event.provider = u"another"_qs;
                 }),
        u"cold"_qs);
    // Nor what is left in the slot.
    h.turn(u"A", 1100);
    h.takeOps();
    QCOMPARE(h.turn(u"G", 700, false,
                 [](BeginRequest &event) {
                     event.fork = u"A"_qs;
                     event.provider = u"another"_qs;
                 }),
        u"cold"_qs);
    VERIFY_RULES(h);
}

void TstBases::keepAndEraseRestoreNoBase()
{
    for (const ColdStart way : { ColdStart::Keep, ColdStart::Erase }) {
        Policy policy = basePolicy();
        policy.coldStart = way;
        CoordinatorHarness h(policy);
        fill(h);
        QVERIFY(h.row(c_base) == nullptr);
        QCOMPARE(turn(h, u"B", 1300, 0), u"cold"_qs);
        QCOMPARE(h.turn(u"F", 700, false, [](BeginRequest &event) { event.fork = u"A"_qs; }), u"cold"_qs);
    }
}

void TstBases::aRefusedBaseIsColdAndNobodyIsRefused()
{
    Policy policy = basePolicy();
    policy.strict = true;
    CoordinatorHarness h(policy);
    fill(h);
    h.failNext(OpKind::Restore, OpFailure::Refused);
    const RequestId b = h.begin(u"B", withBase);
    QCOMPARE(h.outcomeOf(b), u"cold-fallback"_qs);
    QVERIFY(h.grantOf(b).reason.contains(u"beginning"_qs));
    QVERIFY(h.row(c_base)->state == SnapshotState::Suspect); // one refusal is no evidence
    VERIFY_RULES(h);
}

void TstBases::aBadFileEndsTheBase()
{
    Policy policy = basePolicy();
    policy.sharedFiles = true;
    CoordinatorHarness h(policy);
    fill(h);
    h.turn(u"A", 1100, false, withBase); // A's own snapshot is another file by now
    h.turn(u"X", 600);
    h.server.files.at(h.row(c_base)->name).bytes -= 1;
    QCOMPARE(turn(h, u"B", 1300, 0), u"cold-fallback"_qs);
    QVERIFY(h.row(c_base) == nullptr);
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"B"_qs); // who was cold makes another one
    VERIFY_RULES(h);
}

void TstBases::aWrongBaseIsDroppedAfterTwoMissesAndNotMadeAgain()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    QCOMPARE(turn(h, u"B", 1300, 3), u"based"_qs);
    h.turn(u"X", 600);
    QVERIFY(h.row(c_base) != nullptr);
    QCOMPARE(turn(h, u"C", 1300, 3), u"based"_qs);
    QVERIFY(h.row(c_base) == nullptr);
    h.turn(u"X", 700);
    QCOMPARE(turn(h, u"D", 1300, 0), u"cold"_qs);
    h.advance(40000);
    QVERIFY(h.row(c_base) == nullptr);
    QVERIFY(h.row(u"D") != nullptr);
    QVERIFY(h.coordinator->compatibility() != Compatibility::Broken); // the prompts' fault, not the model's
    VERIFY_RULES(h);
}

void TstBases::theSharedLengthIsLearnedAndJudgedBy()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    turn(h, u"B", 5000, 800);
    QCOMPARE(h.row(c_base)->prefixTokens, 800);
    h.turn(u"X", 600);
    const RequestId c = h.begin(u"C", withBase);
    QCOMPARE(h.grantOf(c).tokens, 800);
    h.server.infer(0, u"C"_qs, 3000);
    const RequestId ended = h.end(c, EndOutcome::Ok, 3000, false, 790);
    QVERIFY(h.endAnswer(ended)->verdict == Verdict::Verified);
    QCOMPARE(h.endAnswer(ended)->expected, 800);
    VERIFY_RULES(h);
}

void TstBases::aBaseWhoseReuseFallsIsMadeAnew()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    turn(h, u"B", 2000, 900);
    h.turn(u"X", 600);
    turn(h, u"C", 2000, 400);
    h.turn(u"X", 700);
    QCOMPARE(h.row(c_base)->source, u"A"_qs);
    turn(h, u"D", 2000, 400);
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"D"_qs);
    QCOMPARE(h.row(c_base)->prefixTokens, -1);
    h.turn(u"X", 800);
    turn(h, u"E", 2000, 900);
    QCOMPARE(h.row(c_base)->prefixTokens, 900);
    VERIFY_RULES(h);
}

void TstBases::aBaseThatCostsMoreThanItSparesIsLeft()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    turn(h, u"B", 2000, 100);
    // A request that was processed at 100 000 tokens a second: 100 shared ones are a millisecond's work, the
    // restore takes ten.
    measuredTurn(h, 20000, 200);
    QVERIFY(h.coordinator->rates().restorePerSecond > 0);
    QCOMPARE(turn(h, u"C", 2000, 0), u"cold"_qs);
}

void TstBases::aPurgeTakesTheBaseAlong()
{
    for (const bool shared : { false, true }) {
        Policy policy = basePolicy();
        policy.sharedFiles = shared;
        CoordinatorHarness h(policy);
        fill(h);
        const RequestId purge = h.manual(ManualRequest::Kind::Purge, u"A");
        QVERIFY(h.manualAnswer(purge).has_value());
        QCOMPARE(h.manualAnswer(purge)->count, 1); // what the user knows of
        QVERIFY(h.row(u"A") == nullptr);
        QVERIFY(h.row(c_base) == nullptr); // it holds what A said
        h.turn(u"X", 600);
        h.manual(ManualRequest::Kind::Purge, u"X");
        h.advance(70000);
        for (const auto &[name, file] : h.server.files) {
            QVERIFY(file.content != u"A"_qs || file.tokens == 0);
        }
        VERIFY_RULES(h);
    }
}

void TstBases::aBaseOutlivesItsSession()
{
    Policy policy = basePolicy();
    policy.sharedFiles = true;
    CoordinatorHarness h(policy);
    fill(h);
    const NameNumber name = h.row(c_base)->name;
    RemoveRows gone;
    gone.rows.push_back({ u"A"_qs, h.row(u"A")->fingerprint->hash(), u"age"_qs });
    h.send(gone);
    QVERIFY(h.row(u"A") == nullptr);
    h.advance(5000);
    QVERIFY(h.server.files.contains(name));
    QCOMPARE(turn(h, u"B", 1300, 900), u"based"_qs);
    // And the file goes with it.
    h.turn(u"X", 600);
    gone.rows.front() = { c_base, h.row(c_base)->fingerprint->hash(), u"unused"_qs };
    h.send(gone);
    QVERIFY(h.row(c_base) == nullptr);
    QVERIFY(!h.server.files.contains(name));
    VERIFY_RULES(h);
}

void TstBases::aNewerSnapshotLeavesTheBasesFileAlone()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    const NameNumber name = h.row(c_base)->name;
    for (int i = 0; i < 10; ++i) {
        h.turn(u"A", 1100 + i * 100, false, withBase);
        h.turn(u"X", 600 + i * 100);
        QVERIFY(h.row(u"A")->name != name);
        QCOMPARE(h.server.files.at(name).tokens, 1000);
    }
    VERIFY_RULES(h);
}

void TstBases::aBaseIsNoSession()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Restore, c_base)), u"KV_SNAPSHOT_NOT_FOUND"_qs);
    QCOMPARE(h.turn(u"F", 700, false, [](BeginRequest &event) { event.fork = c_base; }), u"cold"_qs);
    VERIFY_RULES(h);
}

void TstBases::aCancelledBeginLeavesNobodysState()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    h.hold(OpKind::Restore);
    const RequestId b = h.begin(u"B", withBase);
    h.send(CancelRequest { b });
    h.unhold(OpKind::Restore);
    QCOMPARE(h.owner(), QString());
    QCOMPARE(h.coordinator->leases().size(), std::size_t { 0 });
    h.takeOps();
    QCOMPARE(h.turn(u"X", 600), u"restored"_qs);
    QVERIFY(!h.takeOps().contains(u"save"_qs));
    VERIFY_RULES(h);
}

void TstBases::onlyAFreshSessionMakesABase()
{
    CoordinatorHarness h(basePolicy());
    h.turn(u"A", 20000); // it named no base, as its client is an older one
    h.turn(u"X", 500);
    QCOMPARE(h.turn(u"A", 20100, false, withBase), u"restored"_qs);
    h.advance(40000);
    QVERIFY(h.row(c_base) == nullptr);
    // Neither one that has long begun otherwise.
    h.turn(u"X", 600);
    h.turn(u"N", 700);
    h.turn(u"N", 900, false, withBase);
    h.advance(40000);
    QVERIFY(h.row(c_base) == nullptr);
    VERIFY_RULES(h);
}

void TstBases::itSurvivesARestartOfTheDaemon()
{
    InitialState initial;
    {
        CoordinatorHarness before(basePolicy());
        fill(before);
        initial.snapshots = before.database();
        initial.highWater = before.coordinator->highWater();
    }
    QCOMPARE(initial.snapshots.size(), std::size_t { 2 });
    const NameNumber name = initial.snapshots.front().name;
    CoordinatorHarness h(basePolicy(), 1, initial);
    h.server.files[name] = { u"A"_qs, 1000, 100000, h.server.identity().fingerprint->hash(), {} };
    QCOMPARE(turn(h, u"B", 1300, 900), u"based"_qs);
    RemoveRows gone;
    gone.rows.push_back({ u"A"_qs, h.row(u"A")->fingerprint->hash(), u"age"_qs });
    h.send(gone);
    h.turn(u"X", 600);
    h.turn(u"Y", 600);
    QCOMPARE(h.server.files.at(name).content, u"A"_qs); // still the base's
    VERIFY_RULES(h);
}

void TstBases::aFileThatKilledTheServerIsRestoredForNobody()
{
    for (const bool baseFirst : { false, true }) {
        CoordinatorHarness h(basePolicy());
        fill(h);
        h.hold(OpKind::Restore);
        const RequestId first = h.begin(baseFirst ? u"B"_qs : u"A"_qs, withBase);
        QCOMPARE(h.pending(OpKind::Restore), 1);
        h.restart(); // it died of it, and somebody started another one
        h.reply(OpKind::Restore, OpFailure::ConnectionLost);
        h.unhold(OpKind::Restore);
        h.end(first, EndOutcome::Error);
        QVERIFY(h.row(u"A")->state == SnapshotState::Invalid);
        QVERIFY(h.row(c_base) == nullptr);
        h.takeOps();
        QCOMPARE(turn(h, u"C", 1300, 0), u"cold"_qs);
        QVERIFY(!h.takeOps().contains(u"restore"_qs));
        QCOMPARE(h.notices(eventname::persistencePaused).size(), 0);
        h.advance(600);
        QCOMPARE(h.row(c_base)->source, u"C"_qs);
        VERIFY_RULES(h);
    }
}

void TstBases::whatIsInvalidatedByHandIsNobodysBeginning()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Invalidate, u"A"))->count, 1);
    QVERIFY(h.row(c_base) == nullptr);
    QCOMPARE(turn(h, u"B", 1300, 0), u"cold"_qs);
    // A base by itself leaves its session what it has.
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"B"_qs);
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Invalidate, c_base))->count, 1);
    QVERIFY(h.row(c_base) == nullptr);
    QVERIFY(h.row(u"B")->state == SnapshotState::Valid);
    VERIFY_RULES(h);
}

void TstBases::aRefusedBaseIsMadeAnew()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    h.failNext(OpKind::Restore, OpFailure::Refused);
    QCOMPARE(turn(h, u"B", 1300, 0), u"cold-fallback"_qs);
    QVERIFY(h.row(c_base)->state == SnapshotState::Suspect);
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"B"_qs);
    QVERIFY(h.row(c_base)->state == SnapshotState::Valid);
    h.turn(u"X", 600);
    // It was another file that was refused: once more, in another process, is no second time.
    h.restart();
    h.observe();
    h.failNext(OpKind::Restore, OpFailure::Refused);
    QCOMPARE(turn(h, u"C", 1300, 0), u"cold-fallback"_qs);
    QVERIFY(h.row(c_base)->state == SnapshotState::Suspect);
    VERIFY_RULES(h);
}

void TstBases::aSessionThatSharesLittleSaysNothingOfOthers()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    // At 20 000 tokens a second 110 shared ones are five milliseconds' work, and 900 are 45; the restore
    // takes ten to twenty.
    measuredTurn(h, 20000, 1000);
    QCOMPARE(turn(h, u"B", 2000, 110), u"based"_qs);
    QCOMPARE(h.row(c_base)->prefixTokens, -1);
    QCOMPARE(h.row(c_base)->misses, 1);
    h.turn(u"X", 20100);
    QCOMPARE(turn(h, u"C", 2000, 900), u"based"_qs);
    QCOMPARE(h.row(c_base)->prefixTokens, 900);
    QCOMPARE(h.row(c_base)->misses, 0);
    QCOMPARE(h.row(c_base)->source, u"A"_qs);
    VERIFY_RULES(h);
}

void TstBases::whatIsTooLongForWhatIsSharedGivesWayToAShorterOne()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    measuredTurn(h, 20000, 1000);
    for (const QString &session : { u"B"_qs, u"C"_qs }) {
        QCOMPARE(turn(h, session, 2000, 110), u"based"_qs);
        h.turn(u"X", 20100);
    }
    QVERIFY(h.row(c_base) == nullptr);
    // One that is as long would cost more than it spares, too.
    for (const QString &session : { u"D"_qs, u"E"_qs }) {
        QCOMPARE(turn(h, session, 2000, 0), u"cold"_qs);
        h.advance(600);
        QVERIFY(h.row(c_base) == nullptr);
        h.turn(u"X", 20200);
    }
    // At 2000 tokens a second 110 of them are 55 ms.
    measuredTurn(h, 20000, 10000);
    turn(h, u"F", 400, 0);
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"F"_qs);
    h.turn(u"X", 20300);
    QCOMPARE(turn(h, u"G", 400, 110), u"based"_qs);
    QCOMPARE(h.row(c_base)->prefixTokens, 110);
    VERIFY_RULES(h);
}

void TstBases::aShortPromptThatIsAllSharedIsNoMiss()
{
    CoordinatorHarness h(basePolicy());
    h.turn(u"A", 20000, false, withBase);
    h.advance(600);
    h.turn(u"X", 500);
    QCOMPARE(turn(h, u"B", 1700, 1600), u"based"_qs);
    QCOMPARE(h.row(c_base)->misses, 0);
    QCOMPARE(h.row(c_base)->prefixTokens, 1600);
}

void TstBases::aTenthIsTheLeastThatCountsAsShared()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    const RequestId b = h.begin(u"B", withBase);
    h.server.infer(0, u"B"_qs, 2000);
    const RequestId ended = h.end(b, EndOutcome::Ok, 2000, false, 99);
    QVERIFY(h.endAnswer(ended)->verdict == Verdict::None);
    QCOMPARE(h.endAnswer(ended)->expected, 100);
    QCOMPARE(h.row(c_base)->misses, 1);
    h.turn(u"X", 600);
    turn(h, u"C", 2000, 100);
    QCOMPARE(h.row(c_base)->misses, 0);
    QCOMPARE(h.row(c_base)->prefixTokens, 100);
}

void TstBases::aProvedBaseThatIsMissedTwiceIsMadeAgain()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    QCOMPARE(turn(h, u"B", 1300, 900), u"based"_qs);
    // The template prints the date: from today on all begin otherwise, and alike.
    for (const QString &session : { u"C"_qs, u"D"_qs }) {
        h.turn(u"X", 600);
        QCOMPARE(turn(h, session, 1300, 3), u"based"_qs);
    }
    QVERIFY(h.row(c_base) == nullptr);
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"D"_qs);
    h.turn(u"X", 700);
    QCOMPARE(turn(h, u"E", 1300, 900), u"based"_qs);
    VERIFY_RULES(h);
}

void TstBases::resumingTriesAWrongBaseOnceMore()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    for (const QString &session : { u"B"_qs, u"C"_qs }) {
        turn(h, session, 1300, 3);
        h.turn(u"X", 600);
    }
    turn(h, u"D", 1300, 0);
    h.advance(600);
    QVERIFY(h.row(c_base) == nullptr);
    h.send(Resumed {});
    h.turn(u"X", 700);
    turn(h, u"E", 1300, 0);
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"E"_qs);
}

void TstBases::aBaseTooLongForTheContextIsMadeAnew()
{
    CoordinatorHarness h(basePolicy());
    const qint64 context = h.server.identity().fingerprint->slotContext();
    QVERIFY(context > 2000);
    h.turn(u"A", context - 10, false, withBase);
    h.advance(600);
    h.turn(u"X", 500);
    h.server.setContext(context / 2);
    h.restart();
    h.observe();
    QCOMPARE(turn(h, u"B", 1000, 0), u"cold"_qs);
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"B"_qs);
    h.turn(u"X", 600);
    QCOMPARE(turn(h, u"C", 1000, 900), u"based"_qs);
    VERIFY_RULES(h);
}

void TstBases::aLaterStateOfASessionIsNoBase()
{
    Policy policy = basePolicy();
    policy.coldStart = ColdStart::Keep;
    CoordinatorHarness h(policy);
    h.turn(u"A", 1000, false, withBase);
    h.send(ConfigChanged { basePolicy() });
    h.turn(u"A", 3000, false, withBase);
    h.advance(40000);
    QVERIFY(h.row(u"A") != nullptr);
    QVERIFY(h.row(c_base) == nullptr);
    // Nor what comes after a session's first snapshot.
    h.turn(u"B", 1000, false, withBase);
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"B"_qs);
    RemoveRows gone;
    gone.rows.push_back({ c_base, h.row(c_base)->fingerprint->hash(), u"unused"_qs });
    h.send(gone);
    h.turn(u"B", 3000, false, withBase);
    h.advance(40000);
    QVERIFY(h.row(c_base) == nullptr);
    VERIFY_RULES(h);
}

void TstBases::withStrictABrokenRestoreOfABaseRefusesNobody()
{
    Policy policy = basePolicy();
    policy.strict = true;
    CoordinatorHarness h(policy);
    fill(h);
    h.hold(OpKind::Restore);
    const RequestId b = h.begin(u"B", withBase);
    h.loseReply(OpKind::Restore);
    h.unhold(OpKind::Restore);
    // The slot may still be at work on it, so its request goes on unmanaged. It is not refused.
    QCOMPARE(h.outcomeOf(b), u"bypass"_qs);
    VERIFY_RULES(h);
}

void TstBases::aForkIsJudgedByWhereItWasBranched()
{
    const auto begunAt = [](qint64 seq) { return [=](BeginRequest &event) { event.seq = seq; }; };
    for (const qint64 branchedAt : { 7, 4, -1 }) {
        CoordinatorHarness h(basePolicy());
        h.turn(u"A", 1000, false, begunAt(5));
        h.turn(u"X", 500);
        const RequestId f = h.begin(u"F", [=](BeginRequest &event) {
            event.fork = u"A"_qs;
            event.forkSeq = branchedAt;
        });
        QCOMPARE(h.outcomeOf(f), u"based"_qs);
        h.server.infer(0, u"F"_qs, 1500);
        const RequestId ended = h.end(f, EndOutcome::Ok, 1500, false, 500);
        // Branched after its last snapshot, all of that is shared; else nobody knows how much.
        QVERIFY(h.endAnswer(ended)->verdict == (branchedAt == 7 ? Verdict::Partial : Verdict::Verified));
        QCOMPARE(h.endAnswer(ended)->expected, branchedAt == 7 ? 1000 : 500);
        VERIFY_RULES(h);
    }
}

void TstBases::aForkLeftInItsSlotSpeaksOfNoBase()
{
    CoordinatorHarness h(basePolicy());
    fill(h);
    h.turn(u"A", 1100, false, withBase);
    const RequestId f = h.begin(u"F", [](BeginRequest &event) {
        withBase(event);
        event.fork = u"A"_qs;
    });
    h.takeOps();
    h.server.infer(0, u"F"_qs, 1300);
    const RequestId ended = h.end(f, EndOutcome::Ok, 1300, false, 0);
    QVERIFY(h.endAnswer(ended)->verdict == Verdict::None);
    QCOMPARE(h.row(c_base)->misses, 0);
    // What sessions of that base leave is used as before.
    h.takeOps();
    QCOMPARE(turn(h, u"G", 1300, 900), u"based"_qs);
    QVERIFY(!h.takeOps().contains(u"restore"_qs));
    VERIFY_RULES(h);
}

void TstBases::aSubAgentThatIsDoneAtOnceLeavesItsBase()
{
    Policy policy = basePolicy();
    policy.subagents = SubagentCheckpoint::WhileAlive;
    policy.sharedFiles = true;
    CoordinatorHarness h(policy);
    const auto child = [](BeginRequest &event) {
        withBase(event);
        event.origin = u"subagent"_qs;
    };
    h.turn(u"c1", 1000, false, child);
    h.hint(u"c1", HintType::Disposed); // milliseconds after its only request
    h.advance(10);
    QCOMPARE(h.row(c_base)->source, u"c1"_qs);
    QVERIFY(h.row(u"c1") == nullptr);
    QCOMPARE(h.owner(), QString());
    QCOMPARE(h.database().size(), std::size_t { 1 });
    QVERIFY(h.server.files.contains(h.row(c_base)->name));
    h.turn(u"X", 500);
    const RequestId next = h.begin(u"c2", child);
    QCOMPARE(h.outcomeOf(next), u"based"_qs);
    h.server.infer(0, u"c2"_qs, 1200);
    h.end(next, EndOutcome::Ok, 1200, false, 900);
    h.takeOps();
    h.hint(u"c2", HintType::Disposed); // there is one already
    h.advance(40000);
    QCOMPARE(h.takeOps(), QString());
    QVERIFY(h.row(u"c2") == nullptr);
    VERIFY_RULES(h);
}

void TstBases::aDoneSubAgentWhoseRowIsOnItsWayLeavesItsBase()
{
    const auto child = [](BeginRequest &event) {
        withBase(event);
        event.origin = u"subagent"_qs;
    };
    for (const int written : { 0, 1, 2 }) { // before it is disposed of
        Policy policy = basePolicy();
        policy.subagents = SubagentCheckpoint::WhileAlive;
        policy.sharedFiles = true;
        CoordinatorHarness h(policy);
        h.turn(u"c1", 1000, false, child);
        h.holdStore = true;
        h.advance(600);
        for (int i = 0; i < written; ++i) {
            QVERIFY(h.answerStore());
        }
        h.hint(u"c1", HintType::Disposed);
        while (h.answerStore()) { }
        h.holdStore = false;
        h.advance(5000);
        QVERIFY(h.row(u"c1") == nullptr);
        QVERIFY(h.row(c_base) != nullptr);
        QCOMPARE(h.database().size(), std::size_t { 1 });
        QVERIFY(h.server.files.contains(h.row(c_base)->name));
        VERIFY_RULES(h);
    }
}

void TstBases::aDoneSubAgentThatCannotBeSavedIsForgotten()
{
    Policy policy = basePolicy();
    policy.subagents = SubagentCheckpoint::WhileAlive;
    CoordinatorHarness h(policy);
    h.turn(u"c1", 1000, false, [](BeginRequest &event) {
        withBase(event);
        event.origin = u"subagent"_qs;
    });
    h.failNext(OpKind::Save, OpFailure::Refused);
    h.hint(u"c1", HintType::Disposed);
    h.advance(10);
    QCOMPARE(h.owner(), QString());
    QVERIFY(h.row(c_base) == nullptr);
    h.takeOps();
    QCOMPARE(h.turn(u"X", 500), u"cold"_qs);
    QVERIFY(!h.takeOps().contains(u"save"_qs));
    VERIFY_RULES(h);
}

void TstBases::aDoneSubAgentIsInNobodysWay()
{
    Policy policy = basePolicy(true);
    policy.subagents = SubagentCheckpoint::WhileAlive;
    policy.strict = true;
    const auto child = [](BeginRequest &event) {
        withBase(event);
        event.origin = u"subagent"_qs;
        event.parent = u"P"_qs;
    };
    CoordinatorHarness h(policy, 2);
    const RequestId parent = h.begin(u"P");
    QVERIFY(h.granted(parent));
    QCOMPARE(h.turn(u"c1", 1000, true, child), u"cold"_qs);
    h.hint(u"c1", HintType::Disposed);
    h.takeOps();
    // Its save waits for the busy neighbour. Who needs the slot gets it at once; that it fails is no matter.
    h.failNext(OpKind::Save, OpFailure::Refused);
    const RequestId x = h.begin(u"X");
    QCOMPARE(h.outcomeOf(x), u"cold"_qs);
    QCOMPARE(h.takeOps().count(u"save"_qs), 1);
    QVERIFY(h.row(u"c1") == nullptr);
    VERIFY_RULES(h);
}

void TstBases::evidenceAgainstAFileIsNoneAgainstTheNext()
{
    Policy policy = basePolicy(true);
    policy.sharedFiles = true;
    CoordinatorHarness h(policy, 2);
    h.turn(u"A", 1000, false, withBase);
    h.advance(600);
    h.turn(u"X", 500);
    h.turn(u"Y", 500);
    h.turn(u"X", 510);
    h.hold(OpKind::CheckFile);
    const RequestId c = h.begin(u"C", withBase);
    QCOMPARE(h.pending(OpKind::CheckFile), 1);
    RemoveRows gone;
    gone.rows.push_back({ c_base, h.row(c_base)->fingerprint->hash(), u"unused"_qs });
    h.send(gone);
    turn(h, u"B", 1300, 0);
    h.advance(600);
    QCOMPARE(h.row(c_base)->source, u"B"_qs);
    h.reply(OpKind::CheckFile, OpFailure::File);
    h.unhold(OpKind::CheckFile);
    QCOMPARE(h.outcomeOf(c), u"cold-fallback"_qs);
    QVERIFY(h.row(c_base) != nullptr);
    QVERIFY(h.row(u"B")->state == SnapshotState::Valid);
    VERIFY_RULES(h);
}

void TstBases::whatIsInvalidatedTakesABaseThatIsOnItsWay()
{
    CoordinatorHarness h(basePolicy());
    h.turn(u"A", 1000, false, withBase);
    h.holdStore = true;
    h.advance(600);
    QVERIFY(h.answerStore());
    h.manual(ManualRequest::Kind::Invalidate, u"A");
    while (h.answerStore()) { }
    h.holdStore = false;
    h.advance(1000);
    QVERIFY(h.row(u"A")->state == SnapshotState::Invalid);
    QVERIFY(h.row(c_base) == nullptr);
    QCOMPARE(h.database().size(), std::size_t { 1 });
    VERIFY_RULES(h);
}

void TstBases::aRemovalThatFailedTakesNothingNewer()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"X", 500);
    h.failStores = 1;
    h.manual(ManualRequest::Kind::Purge, u"A");
    QVERIFY(h.row(u"A") == nullptr);
    h.turn(u"A", 1200);
    h.holdStore = true;
    h.begin(u"X"); // saves A, whose row is on its way when the removal is tried again
    h.advance(6000);
    while (h.answerStore()) { }
    h.advance(6000);
    while (h.answerStore()) { }
    h.holdStore = false;
    h.advance(1000);
    QCOMPARE(h.row(u"A")->tokens, 1200);
    QCOMPARE(std::count_if(h.database().begin(), h.database().end(),
                 [](const Snapshot &row) { return row.session == u"A"_qs && row.tokens == 1200; }),
        1);
    VERIFY_RULES(h);
}

void TstBases::aBaseThatCouldNotBeWrittenIsOfferedAgain()
{
    CoordinatorHarness h(basePolicy());
    h.turn(u"A", 1000, false, withBase);
    h.failStores = 1;
    h.advance(600);
    QVERIFY(h.row(u"A") == nullptr);
    h.advance(40000);
    QVERIFY(h.row(u"A") != nullptr);
    QCOMPARE(h.row(c_base)->source, u"A"_qs);
    VERIFY_RULES(h);
}

void TstBases::aPurgeTakesWhatIsOnItsWay()
{
    for (const int written : { 0, 1, 2 }) { // of the session's row and the base's
        Policy policy = basePolicy();
        policy.sharedFiles = true;
        CoordinatorHarness h(policy);
        h.turn(u"A", 1000, false, withBase);
        h.holdStore = true;
        h.advance(600);
        for (int i = 0; i < written; ++i) {
            QVERIFY(h.answerStore());
        }
        h.manual(ManualRequest::Kind::Purge, u"A");
        while (h.answerStore()) { }
        h.holdStore = false;
        h.advance(5000);
        QVERIFY(h.row(u"A") == nullptr);
        QVERIFY(h.row(c_base) == nullptr);
        QVERIFY(h.database().empty());
        QVERIFY(h.server.files.empty());
        VERIFY_RULES(h);
    }
}

void TstBases::aFileStaysUntilNoRowOnTheDiskNamesIt()
{
    Policy policy = basePolicy();
    policy.sharedFiles = true;
    CoordinatorHarness h(policy);
    fill(h);
    const NameNumber name = h.row(u"A")->name;
    h.failStores = 2; // neither row can be removed
    h.manual(ManualRequest::Kind::Purge, u"A");
    turn(h, u"B", 1300, 0);
    h.advance(600); // another file is the base by now
    QVERIFY(h.row(c_base)->name != name);
    h.holdStore = true;
    h.advance(10000);
    QVERIFY(h.server.files.contains(name)); // A's row may still be read after a crash
    while (h.answerStore()) { }
    h.holdStore = false;
    h.advance(1000);
    QVERIFY(!h.server.files.contains(name));
    QCOMPARE(h.database().size(), std::size_t { 3 }); // X, B, the base
    VERIFY_RULES(h);
}

QTEST_APPLESS_MAIN(TstBases)
#include "tst_bases.moc"
