// SPDX-License-Identifier: MIT
// Purge: answered when no restart can bring it back; the file itself is emptied, or buried by the next save.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstEmptyings final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theAnswerWaitsForTheDatabase();
    void aDatabaseThatFailsIsSaid();
    void theFileIsEmptiedOnAnIdleEmptySlot();
    void anEmptySlotThatWasFilledMeanwhileCountsForNothing();
    void aSessionThatHoldsTheSlotIsNotDisturbed();
    void theNextSaveBuriesIt();
    void aFailedSaveLeavesItToBeEmptied();
    void itIsRememberedOverARestartOfTheDaemon();
    void afterAnUncleanStopItRestsUntilANewProcess();
    void aFileThatStillIsOnRecordIsNotTouched();
    void withSharedFilesItIsDeleted();
    void anotherPurgeTellsWhatRemains();
    void onlyWhatWasPurgedDuringItsSaveCounts_data();
    void onlyWhatWasPurgedDuringItsSaveCounts();
};

namespace {
qint64 tokensIn(const CoordinatorHarness &h, NameNumber number)
{
    const auto found = h.server.files.find(number);
    return found == h.server.files.end() ? -1 : found->second.tokens;
}
/// A is saved and pushed out by B; gives the number of A's file.
NameNumber fill(CoordinatorHarness &h)
{
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.takeOps();
    return h.row(u"A")->name;
}
}

void TstEmptyings::theAnswerWaitsForTheDatabase()
{
    CoordinatorHarness h;
    fill(h);
    h.holdStore = true;
    const RequestId purge = h.manual(ManualRequest::Kind::Purge, u"A");
    QCOMPARE(h.answersTo(purge), 0);
    while (h.answersTo(purge) == 0 && h.answerStore()) { }
    QCOMPARE(h.manualAnswer(purge)->count, 1);
    QVERIFY(h.manualAnswer(purge)->fileRemains);
    const bool onRecord = std::any_of(
        h.database().begin(), h.database().end(), [](const auto &row) { return row.session == u"A"; });
    QVERIFY(!onRecord);
}

void TstEmptyings::aDatabaseThatFailsIsSaid()
{
    CoordinatorHarness h;
    const NameNumber number = fill(h);
    h.failStores = 1;
    const RequestId purge = h.manual(ManualRequest::Kind::Purge, u"A");
    QCOMPARE(h.errorOf(purge), u"KV_METADATA_IO"_qs);
    h.advance(20000); // tried again
    QVERIFY(h.row(u"A") == nullptr);
    h.turn(u"C", 3000);
    h.turn(u"D", 3500);
    QVERIFY(tokensIn(h, number) != 1000);
    VERIFY_RULES(h);
}

void TstEmptyings::theFileIsEmptiedOnAnIdleEmptySlot()
{
    CoordinatorHarness h;
    const NameNumber number = fill(h);
    h.hint(u"B", HintType::Disposed); // saved, then nobody's
    h.takeOps();
    const RequestId purge = h.manual(ManualRequest::Kind::Purge, u"A");
    QVERIFY(h.manualAnswer(purge)->fileRemains);
    QCOMPARE(h.takeOps(), u"look erase save"_qs);
    QCOMPARE(tokensIn(h, number), 0);
    QVERIFY(h.coordinator->purgedFiles().empty());
    QCOMPARE(h.turn(u"B", 2100), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstEmptyings::anEmptySlotThatWasFilledMeanwhileCountsForNothing()
{
    CoordinatorHarness h;
    const NameNumber number = fill(h);
    h.hint(u"B", HintType::Disposed);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Purge, u"A");
    h.server.infer(0, u"(stranger)"_qs, 700);
    h.unhold(OpKind::Save);
    QCOMPARE(h.coordinator->purgedFiles(), std::vector<NameNumber> { number });
    h.advance(200000);
    QCOMPARE(h.server.contents[0].tokens, 700); // a stranger's content is not erased for it
    h.turn(u"C", 3000);
    h.turn(u"D", 3500);
    QVERIFY(h.coordinator->purgedFiles().empty());
    VERIFY_RULES(h);
}

void TstEmptyings::aSessionThatHoldsTheSlotIsNotDisturbed()
{
    CoordinatorHarness h;
    fill(h);
    h.takeOps();
    h.manual(ManualRequest::Kind::Purge, u"A");
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.turn(u"B", 2100), u"resident"_qs);
}

void TstEmptyings::theNextSaveBuriesIt()
{
    CoordinatorHarness h;
    const NameNumber number = fill(h);
    h.manual(ManualRequest::Kind::Purge, u"A");
    h.manual(ManualRequest::Kind::Save, u"B");
    QCOMPARE(h.row(u"B")->name, number);
    QCOMPARE(h.server.files[number].content, u"B"_qs);
    QVERIFY(h.coordinator->purgedFiles().empty());
    VERIFY_RULES(h);
}

void TstEmptyings::aFailedSaveLeavesItToBeEmptied()
{
    CoordinatorHarness h;
    const NameNumber number = fill(h);
    h.manual(ManualRequest::Kind::Purge, u"A");
    h.failNext(OpKind::Save, OpFailure::ServerError);
    h.manual(ManualRequest::Kind::Save, u"B");
    QCOMPARE(h.coordinator->purgedFiles(), std::vector<NameNumber> { number });
    h.manual(ManualRequest::Kind::Save, u"B");
    QCOMPARE(h.row(u"B")->name, number);
    VERIFY_RULES(h);
}

void TstEmptyings::itIsRememberedOverARestartOfTheDaemon()
{
    InitialState initial;
    initial.highWater = 64;
    initial.purgedFiles = { 3 };
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 1, initial);
    h.server.files[3] = { u"A"_qs, 1000, 100000, {}, {} };
    h.turn(u"B", 2000);
    h.manual(ManualRequest::Kind::Save, u"B");
    QCOMPARE(h.row(u"B")->name, 3);
}

void TstEmptyings::afterAnUncleanStopItRestsUntilANewProcess()
{
    InitialState initial;
    initial.highWater = 64;
    initial.purgedFiles = { 3 };
    initial.cleanStop = false;
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 1, initial);
    h.turn(u"B", 2000);
    h.manual(ManualRequest::Kind::Save, u"B");
    QVERIFY(h.row(u"B")->name >= 64);
    h.restart();
    h.observe();
    h.turn(u"B", 2100);
    h.manual(ManualRequest::Kind::Save, u"B");
    QCOMPARE(h.row(u"B")->name, 3);
    VERIFY_RULES(h);
}

void TstEmptyings::aFileThatStillIsOnRecordIsNotTouched()
{
    Snapshot row;
    row.session = u"A"_qs;
    row.fingerprint = fingerprintOf(u"model-1.gguf"_qs);
    row.name = 3;
    row.tokens = 1000;
    row.bytes = 100000;
    InitialState initial;
    initial.highWater = 64;
    initial.purgedFiles = { 3 }; // the crash came before its row was removed, so the purge was not answered
    initial.snapshots = { row };
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 1, initial);
    h.server.files[3] = { u"A"_qs, 1000, 100000, row.fingerprint->hash(), {} };
    h.turn(u"B", 2000);
    h.manual(ManualRequest::Kind::Save, u"B");
    QVERIFY(h.row(u"B")->name != 3);
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
}

void TstEmptyings::withSharedFilesItIsDeleted()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.sharedFiles = true;
    CoordinatorHarness h(policy);
    const NameNumber number = fill(h);
    const RequestId purge = h.manual(ManualRequest::Kind::Purge, u"A");
    QVERIFY(!h.manualAnswer(purge)->fileRemains);
    QCOMPARE(tokensIn(h, number), -1);
    QCOMPARE(h.takeOps(), u"delete"_qs);
}

void TstEmptyings::anotherPurgeTellsWhatRemains()
{
    CoordinatorHarness h;
    fill(h);
    h.manual(ManualRequest::Kind::Purge, u"A");
    const RequestId again = h.manual(ManualRequest::Kind::Purge, u"A");
    QCOMPARE(h.manualAnswer(again)->count, 0);
    QVERIFY(h.manualAnswer(again)->fileRemains);
    h.manual(ManualRequest::Kind::Save, u"B");
    QVERIFY(!h.manualAnswer(h.manual(ManualRequest::Kind::Purge, u"A"))->fileRemains);
}

void TstEmptyings::onlyWhatWasPurgedDuringItsSaveCounts_data()
{
    QTest::addColumn<bool>("purged");
    QTest::addRow("purged") << true;
    QTest::addRow("the server was restarted") << false;
}

void TstEmptyings::onlyWhatWasPurgedDuringItsSaveCounts()
{
    QFETCH(bool, purged);
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Identity);
    h.manual(ManualRequest::Kind::Save, u"A");
    if (purged) {
        h.manual(ManualRequest::Kind::Purge, u"A");
    } else {
        h.restart();
        h.observe();
    }
    h.hold(OpKind::Erase);
    h.takeOps();
    h.unhold(OpKind::Identity);
    QCOMPARE(h.coordinator->purgedFiles().size(), purged ? std::size_t { 1 } : std::size_t { 0 });
    QCOMPARE(h.takeOps(), purged ? u"look erase"_qs : QString());
}

QTEST_GUILESS_MAIN(TstEmptyings)
#include "tst_emptyings.moc"
