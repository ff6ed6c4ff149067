// SPDX-License-Identifier: MIT
// Numbers of snapshot files: who holds one, and when it is free again.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstNames final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theLowestFreeNumberIsTaken();
    void nothingIsTakenAboveTheMark();
    void afterAnUncleanStartFreeNumbersRest();
    void theMarkOnlyRises();

    void theMarkIsRaisedBeforeTheFirstSave();
    void aSaveNeverTouchesTheGoodFile();
    void growthIsBounded();
    void anUncleanStartRestsUntilAnotherProcess();
    void aLateOperationKeepsItsName();
    void aLateSaveOutlivesItsProcessUntilItsConnectionBreaks();
    void aFailedSaveFreesItsName();
    void aFailedCommitFreesItsName();
    void aNameIsFreeOnlyWhenTheRemovalIsDurable();
    void aFailedRemovalKeepsTheNameAndIsTriedAgain();
    void aNameBeingRestoredIsNotFreedUnderTheRestore();
    void onASharedFileSystemTheFileGoesBeforeTheNumber();
};

void TstNames::theLowestFreeNumberIsTaken()
{
    NamePool pool(8);
    pool.hold(0);
    pool.hold(2);
    QCOMPARE(pool.take(), 1);
    QCOMPARE(pool.take(), 3);
    pool.release(1);
    QCOMPARE(pool.take(), 1);
}

void TstNames::nothingIsTakenAboveTheMark()
{
    NamePool pool(2);
    QVERIFY(pool.isLow());
    (void)pool.take();
    (void)pool.take();
    QCOMPARE(pool.take(), -1);
    pool.setHighWater(3);
    QCOMPARE(pool.take(), 2);
}

void TstNames::afterAnUncleanStartFreeNumbersRest()
{
    NamePool pool(4);
    pool.hold(1);
    pool.restUnheld();
    QVERIFY(pool.hasResting());
    QCOMPARE(pool.take(), -1);
    pool.setHighWater(6);
    QCOMPARE(pool.take(), 4); // above the old mark nothing can be written to
    pool.endRest();
    QCOMPARE(pool.take(), 0);
}

void TstNames::theMarkOnlyRises()
{
    NamePool pool(10);
    pool.setHighWater(5);
    QCOMPARE(pool.highWater(), 10);
}

void TstNames::theMarkIsRaisedBeforeTheFirstSave()
{
    CoordinatorHarness h;
    QVERIFY(h.coordinator->highWater() > 0);

    InitialState initial;
    Coordinator core(CoordinatorHarness::defaultPolicy(), initial);
    const Effects effects = core.handle(TimerFired {}, { 1, 1 });
    const auto raise = std::find_if(effects.begin(), effects.end(), [](const Effect &effect) {
        const auto *store = std::get_if<Store>(&effect);
        return store != nullptr && store->command.kind == StoreCommand::Kind::RaiseHighWater;
    });
    QVERIFY(raise != effects.end());
    QCOMPARE(core.highWater(), 0); // until the database has it
    (void)core.handle(StoreDone { std::get<Store>(*raise).command.seq }, { 2, 2 });
    QVERIFY(core.highWater() > 0);
}

void TstNames::aSaveNeverTouchesTheGoodFile()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    const NameNumber first = h.row(u"A")->name;
    h.turn(u"A", 1200);
    h.manual(ManualRequest::Kind::Save, u"A");
    QVERIFY(h.row(u"A")->name != first);
    QCOMPARE(h.server.files.at(first).tokens, 1000); // as it was
    VERIFY_RULES(h);
}

void TstNames::growthIsBounded()
{
    CoordinatorHarness h;
    for (int i = 0; i < 50; ++i) {
        h.turn(i % 2 == 0 ? u"A" : u"B", 1000 + i * 20);
    }
    QVERIFY(h.server.files.size() <= 3);
    VERIFY_RULES(h);
}

void TstNames::anUncleanStartRestsUntilAnotherProcess()
{
    InitialState initial;
    initial.highWater = 64;
    initial.cleanStop = false;
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 1, initial);
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    QVERIFY(h.row(u"A")->name >= 64);
    h.restart();
    h.observe();
    h.turn(u"B", 1000);
    h.manual(ManualRequest::Kind::Save, u"B");
    QVERIFY(h.row(u"B")->name < 64);
}

void TstNames::aLateOperationKeepsItsName()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.advance(120000);
    QCOMPARE(h.state(0), u"late"_qs);
    const NameNumber late = h.pendingOps().front().name;
    h.turn(u"B", 1000);
    h.manual(ManualRequest::Kind::Save, u"B");
    QVERIFY(h.pendingOps().back().name != late);
    h.unhold(OpKind::Save);
    h.turn(u"B", 1200);
    h.manual(ManualRequest::Kind::Save, u"B");
    QCOMPARE(h.row(u"B")->name, late); // answered, so it is free
    VERIFY_RULES(h);
}

void TstNames::aLateSaveOutlivesItsProcessUntilItsConnectionBreaks()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"A");
    const NameNumber late = h.pendingOps().front().name;
    h.advance(120000);
    h.restart();
    h.observe();
    QCOMPARE(h.turn(u"B", 1000), u"bypass"_qs);
    QCOMPARE(h.state(), u"late"_qs);
    h.unhold(OpKind::Save);
    h.turn(u"B", 1200);
    QCOMPARE(h.state(), u"dirty"_qs); // the slot is managed again
    h.manual(ManualRequest::Kind::Save, u"B");
    QCOMPARE(h.row(u"B")->name, late); // and the number free
    QCOMPARE(h.coordinator->strayReplies(), quint64 { 0 });
    VERIFY_RULES(h);
}

void TstNames::aFailedSaveFreesItsName()
{
    CoordinatorHarness h;
    for (int i = 0; i < 100; ++i) {
        h.turn(u"A", 1000 + i);
        h.failNext(OpKind::Save, OpFailure::Refused);
        h.manual(ManualRequest::Kind::Save, u"A");
        h.restart(); // so that the breaker stays closed
        h.observe();
    }
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    QVERIFY(h.row(u"A")->name < 2);
}

void TstNames::aFailedCommitFreesItsName()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    for (int i = 1; i < 50; ++i) {
        h.turn(u"A", 1000 + 50 * i);
        h.failStores = 1;
        const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
        QCOMPARE(h.errorOf(save), u"KV_METADATA_IO"_qs);
        QCOMPARE(h.row(u"A")->tokens, 1000); // the old one is kept
    }
    h.manual(ManualRequest::Kind::Save, u"A");
    QVERIFY(h.row(u"A")->name < 2);
    VERIFY_RULES(h);
}

void TstNames::aNameIsFreeOnlyWhenTheRemovalIsDurable()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    const NameNumber name = h.row(u"A")->name;
    h.holdStore = true;
    h.manual(ManualRequest::Kind::Purge, u"A");
    h.turn(u"B", 1000);
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"B");
    QVERIFY(h.pendingOps().front().name != name);
    h.unhold(OpKind::Save);
    while (h.answerStore()) { }
    h.turn(u"B", 1100);
    h.holdStore = false;
    h.manual(ManualRequest::Kind::Save, u"B");
    QCOMPARE(h.row(u"B")->name, name);
    VERIFY_RULES(h);
}

void TstNames::aFailedRemovalKeepsTheNameAndIsTriedAgain()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    h.failStores = 1;
    h.manual(ManualRequest::Kind::Purge, u"A");
    QVERIFY(h.row(u"A") == nullptr);
    QCOMPARE(h.database().size(), std::size_t { 1 });
    h.advance(6000);
    QCOMPARE(h.database().size(), std::size_t { 0 }); // purged stays purged
}

void TstNames::aNameBeingRestoredIsNotFreedUnderTheRestore()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.turn(u"C", 3000);
    const NameNumber name = h.row(u"A")->name;
    h.hold(OpKind::Restore);
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.pending(OpKind::Restore), 1);
    h.manual(ManualRequest::Kind::Purge, u"A");
    h.hold(OpKind::Save);
    h.manual(ManualRequest::Kind::Save, u"C");
    QVERIFY(h.pending(OpKind::Save) == 0 || h.pendingOps().back().name != name);
    h.unhold(OpKind::Save);
    h.unhold(OpKind::Restore);
    QVERIFY(h.granted(a));
    VERIFY_RULES(h);
}

void TstNames::onASharedFileSystemTheFileGoesBeforeTheNumber()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.sharedFiles = true;
    CoordinatorHarness h(policy);
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    const NameNumber name = h.row(u"A")->name;
    h.hold(OpKind::DeleteFile);
    h.turn(u"A", 1200);
    h.manual(ManualRequest::Kind::Save, u"A");
    QCOMPARE(h.pending(OpKind::DeleteFile), 1);
    h.turn(u"A", 1400);
    h.manual(ManualRequest::Kind::Save, u"A");
    QVERIFY(h.row(u"A")->name != name);
    h.unhold(OpKind::DeleteFile);
    QVERIFY(!h.server.files.contains(name));
    QCOMPARE(h.server.files.size(), std::size_t { 1 });
    VERIFY_RULES(h);
}

QTEST_GUILESS_MAIN(TstNames)
#include "tst_names.moc"
