// SPDX-License-Identifier: MIT
// What people ask for by hand.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstManual final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saveTellsWhatWasWritten();
    void saveOfASessionElsewhereIsSkipped();
    void aSaveDuringARequestIsAnsweredAfterIt();
    void aSaveIsNeverAnsweredByAnotherSessionsCommit();
    void aSaveOfADroppedOwnerIsAnswered();
    void restoreSavesADirtyOwnerFirst();
    void restoreWithoutASnapshotSaysSo();
    void restoreThrowsNothingAwayThatCouldNotBeSaved();
    void restoreOnAFreshServerReadsItsSlotsFirst();
    void restoreOfABusySlotDoesNotSpin();
    void restoreThatFailsIsAnswered();
    void eraseOfAnUnknownSlot();
    void invalidateAndPinOnlyChangeRows();
    void purgedStaysPurgedWhenACommitWasUnderWay();
    void purgedStaysPurgedWhenASaveWasUnderWay();
    void purgingByProviderSparesTheOthersAndCatchesACommit();
    void aSessionThatLivesOnAfterAPurgeIsSavedAnew();
    void purgeDuringARequestKeepsNothingOfIt();
    void flushSavesEverySlotAndCounts();
    void manualRequestsOfAGoneClientAreForgotten();
    void aPinnedSnapshotStaysPinnedAcrossSaves();
};

void TstManual::saveTellsWhatWasWritten()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    const auto answer = h.manualAnswer(h.manual(ManualRequest::Kind::Save, u"A"));
    QVERIFY(answer.has_value());
    QCOMPARE(answer->tokens, 1000);
    QCOMPARE(answer->bytes, 100000);
    QCOMPARE(answer->slot, 0);
    QVERIFY(answer->revision > 0);
    QVERIFY(answer->skipped.isEmpty());
}

void TstManual::saveOfASessionElsewhereIsSkipped()
{
    CoordinatorHarness h;
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Save, u"A")), u"KV_SESSION_UNKNOWN"_qs);
    h.turn(u"A", 1000);
    h.turn(u"B", 1000);
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Save, u"A"))->skipped, u"not-resident"_qs);
}

void TstManual::aSaveDuringARequestIsAnsweredAfterIt()
{
    CoordinatorHarness h;
    const RequestId request = h.begin(u"A");
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.answersTo(save), 0);
    h.server.infer(0, u"A"_qs, 1000);
    h.end(request, EndOutcome::Ok, 1000);
    QCOMPARE(h.manualAnswer(save)->tokens, 1000);
}

void TstManual::aSaveIsNeverAnsweredByAnotherSessionsCommit()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.holdStore = true;
    const RequestId b = h.begin(u"B"); // A's row is on its way
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"B");
    while (h.answerStore()) { }
    QCOMPARE(h.answersTo(save), 0);
    h.holdStore = false;
    h.server.infer(0, u"B"_qs, 2000);
    h.end(b, EndOutcome::Ok, 2000);
    QCOMPARE(h.manualAnswer(save)->tokens, 2000);
}

void TstManual::aSaveOfADroppedOwnerIsAnswered()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Look);
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    h.restart();
    h.observe();
    h.unhold(OpKind::Look);
    QCOMPARE(h.errorOf(save), u"KV_SLOT_STATE_INVALID"_qs);
    VERIFY_RULES(h);
}

void TstManual::restoreSavesADirtyOwnerFirst()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.takeOps();
    const RequestId restore = h.manual(ManualRequest::Kind::Restore, u"A");
    QCOMPARE(h.takeOps(), u"look save identity restore identity"_qs);
    QCOMPARE(h.manualAnswer(restore)->tokens, 1000);
    QCOMPARE(h.row(u"B")->tokens, 2000);
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Restore, u"A"))->skipped, u"resident"_qs);
}

void TstManual::restoreWithoutASnapshotSaysSo()
{
    CoordinatorHarness h;
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Restore, u"A")), u"KV_SNAPSHOT_NOT_FOUND"_qs);
    h.turn(u"A", 1000);
    h.turn(u"B", 1000);
    h.manual(ManualRequest::Kind::Invalidate, u"A");
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Restore, u"A")), u"KV_SNAPSHOT_INCOMPATIBLE"_qs);
}

void TstManual::restoreThrowsNothingAwayThatCouldNotBeSaved()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.failNext(OpKind::Save, OpFailure::ServerError);
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Restore, u"A")), u"KV_SAVE_FAILED"_qs);
    QCOMPARE(h.owner(), u"B"_qs);
    QCOMPARE(h.server.contents[0].content, u"B"_qs);
}

void TstManual::restoreOnAFreshServerReadsItsSlotsFirst()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    const RequestId restore = h.manual(ManualRequest::Kind::Restore, u"A");
    QCOMPARE(h.errorOf(restore), u"KV_SNAPSHOT_NOT_FOUND"_qs);
    QCOMPARE(h.takeOps(), u"look look"_qs);
}

void TstManual::restoreOfABusySlotDoesNotSpin()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.advance(2000);
    h.watching = false;
    h.advance(10000); // no sign of life: the slot is looked at
    h.server.contents[0].processing = true;
    h.takeOps();
    const RequestId restore = h.manual(ManualRequest::Kind::Restore, u"A");
    h.advance(10000);
    QVERIFY(h.takeOps().count(u"look"_qs) < 15);
    QCOMPARE(h.answersTo(restore), 0);
    h.server.contents[0].processing = false;
    h.advance(3000);
    QCOMPARE(h.manualAnswer(restore)->skipped, u"resident"_qs);
    VERIFY_RULES(h);
}

void TstManual::restoreThatFailsIsAnswered()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.failNext(OpKind::Restore, OpFailure::Refused);
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Restore, u"A")), u"KV_RESTORE_FAILED"_qs);
    h.turn(u"B", 2100);
    h.failNext(OpKind::Restore, OpFailure::ConnectionLost);
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Restore, u"A")), u"KV_OPERATION_TIMEOUT"_qs);
    VERIFY_RULES(h);
}

void TstManual::eraseOfAnUnknownSlot()
{
    CoordinatorHarness h;
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Erase, {}, 7)), u"KV_SLOT_NOT_FOUND"_qs);
}

void TstManual::invalidateAndPinOnlyChangeRows()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.takeOps();
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Pin, u"A"))->count, 1);
    QVERIFY(h.row(u"A")->pinned);
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Invalidate, u"A"))->count, 1);
    QCOMPARE(h.row(u"A")->reason, u"MANUAL"_qs);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.errorOf(h.manual(ManualRequest::Kind::Pin, u"Q")), u"KV_SNAPSHOT_NOT_FOUND"_qs);
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Invalidate, u"Q"))->count, 0);
}

void TstManual::purgedStaysPurgedWhenACommitWasUnderWay()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.holdStore = true;
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    h.manual(ManualRequest::Kind::Purge, u"A");
    while (h.answerStore()) { }
    QVERIFY(h.row(u"A") == nullptr);
    QVERIFY(h.database().empty());
    QCOMPARE(h.answersTo(save), 1);
    QVERIFY(!h.errorOf(save).isEmpty());
    VERIFY_RULES(h);
}

void TstManual::purgedStaysPurgedWhenASaveWasUnderWay()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    h.manual(ManualRequest::Kind::Purge, u"A");
    h.unhold(OpKind::Save);
    QVERIFY(h.row(u"A") == nullptr);
    QVERIFY(h.database().empty());
    QCOMPARE(h.answersTo(save), 1);
    QVERIFY(!h.slot().job.has_value());
}

void TstManual::purgingByProviderSparesTheOthersAndCatchesACommit()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.holdStore = true;
    h.manual(ManualRequest::Kind::Save, u"A");
    ManualRequest purge;
    purge.kind = ManualRequest::Kind::Purge;
    purge.session = u"A"_qs;
    purge.provider = u"another"_qs;
    h.send(purge);
    while (h.answerStore()) { }
    QVERIFY(h.row(u"A") != nullptr);
    h.turn(u"A", 1200);
    h.manual(ManualRequest::Kind::Save, u"A");
    purge.provider = u"provider"_qs;
    h.send(purge);
    while (h.answerStore()) { }
    QVERIFY(h.row(u"A") == nullptr);
    QVERIFY(h.database().empty());
}

void TstManual::aSessionThatLivesOnAfterAPurgeIsSavedAnew()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.holdStore = true;
    h.manual(ManualRequest::Kind::Save, u"A");
    h.manual(ManualRequest::Kind::Purge, u"A");
    h.turn(u"A", 1100);
    h.manual(ManualRequest::Kind::Save, u"A");
    while (h.answerStore()) { }
    QCOMPARE(h.row(u"A")->tokens, 1100);
    QCOMPARE(h.database().size(), std::size_t { 1 }); // the purge did not take the newer row along
    QCOMPARE(h.database().front().tokens, 1100);
    VERIFY_RULES(h);
}

void TstManual::purgeDuringARequestKeepsNothingOfIt()
{
    CoordinatorHarness h;
    const RequestId request = h.begin(u"A");
    h.manual(ManualRequest::Kind::Purge, u"A");
    h.server.infer(0, u"A"_qs, 1000);
    h.end(request, EndOutcome::Ok, 1000);
    h.advance(60000);
    QVERIFY(h.row(u"A") == nullptr);
    QCOMPARE(h.owner(), QString());
}

void TstManual::flushSavesEverySlotAndCounts()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.hold(OpKind::Save);
    const RequestId flush = h.manual(ManualRequest::Kind::Flush);
    QCOMPARE(h.answersTo(flush), 0);
    h.unhold(OpKind::Save);
    QCOMPARE(h.manualAnswer(flush)->count, 2);
    QCOMPARE(h.manualAnswer(h.manual(ManualRequest::Kind::Flush))->count, 0);
}

void TstManual::manualRequestsOfAGoneClientAreForgotten()
{
    CoordinatorHarness h;
    h.connection = 2;
    h.begin(u"A");
    h.connection = 1;
    const RequestId erase = h.manual(ManualRequest::Kind::Erase);
    h.clientGone(1);
    h.takeOps();
    h.clientGone(2);
    h.advance(10000);
    QCOMPARE(h.answersTo(erase), 0);
    QVERIFY(!h.takeOps().contains(u"erase"_qs));
    VERIFY_RULES(h);
}

void TstManual::aPinnedSnapshotStaysPinnedAcrossSaves()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.manual(ManualRequest::Kind::Pin, u"A");
    h.turn(u"A", 1100);
    h.manual(ManualRequest::Kind::Save, u"A");
    QVERIFY(h.row(u"A")->pinned);
    QCOMPARE(h.row(u"A")->tokens, 1100);
}

QTEST_GUILESS_MAIN(TstManual)
#include "tst_manual.moc"
