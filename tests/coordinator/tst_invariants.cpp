// SPDX-License-Identifier: MIT
// The invariants of the project (design §1), one test each: the part of each that the coordinator enforces.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstInvariants final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void invariant01_deletingEverythingCostsAColdPrefill();
    void invariant02_oneOwnerAndOneHolderASlot();
    void invariant03_aDirtySlotIsSavedBeforeItIsGivenAway();
    void invariant04_identityOnBothSidesOfSaveAndRestore();
    void invariant05_failureMeansColdUnlessStrict();
    void invariant06_aResidentRequestCostsNoCallAndNoWrite();
    void invariant07_anAuxiliaryRequestNeverBecomesState();
    void invariant08_operationsAreSerializedPerSlot();
    void invariant09_namesAreNumbersMadeHere();
    void invariant10_onlyTheNextRequestProvesARestore();
    void invariant11_aGoodSnapshotIsNeverHarmedBySomethingWorse_data();
    void invariant11_aGoodSnapshotIsNeverHarmedBySomethingWorse();
    void invariant12_watchingWakesNobody();
    void invariant13_transportIsAllThatIsAdded();
    void invariant14_noRequestWaitsForMoreThanOneSaveAndOneRestore();
};

// Every file and the whole database gone while it runs: each session is granted, cold.
void TstInvariants::invariant01_deletingEverythingCostsAColdPrefill()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.server.files.clear();
    h.failStores = 1000000;
    QCOMPARE(h.turn(u"A", 1000), u"cold-fallback"_qs);
    QCOMPARE(h.turn(u"A", 1100), u"resident"_qs);
    QCOMPARE(h.turn(u"B", 2000), u"cold"_qs); // it could not even be filed
    QCOMPARE(h.turn(u"C", 500), u"cold"_qs);
    VERIFY_RULES(h);
}

// The harness refuses a second owner or holder after every event; here is every way to become one at once.
void TstInvariants::invariant02_oneOwnerAndOneHolderASlot()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    std::vector<RequestId> all;
    for (const QStringView session : { u"A", u"B", u"A", u"C", u"B", u"A" }) {
        all.push_back(h.begin(session));
    }
    h.send(Paused {});
    all.push_back(h.begin(u"D"));
    h.send(Resumed {});
    all.push_back(h.begin(u"E", [](BeginRequest &event) { event.running = true; }));
    all.push_back(h.begin(u"F", [](BeginRequest &event) { event.timeoutMs = 10; }));
    h.advance(100);
    VERIFY_RULES(h);
    for (const RequestId request : all) {
        h.end(request, EndOutcome::Ok, 100);
    }
    h.advance(10000);
    VERIFY_RULES(h);
    QVERIFY(h.unanswered().empty());
}

// Also for a title of the very same session; and not at all where it is switched off.
void TstInvariants::invariant03_aDirtySlotIsSavedBeforeItIsGivenAway()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.takeOps();
    h.turn(u"B", 2000);
    QCOMPARE(h.takeOps(), u"look save identity erase"_qs);
    QCOMPARE(h.row(u"A")->tokens, 1000);
    h.advance(2000);
    h.auxiliary(u"B");
    QCOMPARE(h.row(u"B")->tokens, 2000);
    VERIFY_RULES(h);

    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.onSwitch = false;
    CoordinatorHarness off(policy);
    off.turn(u"A", 1000);
    off.takeOps();
    off.turn(u"B", 2000);
    QCOMPARE(off.takeOps(), u"look"_qs); // nor is erased what was not saved
}

// The server is exchanged between a save and the identity read after it: the file is not filed. And a
// snapshot of another model is never sent for restore.
void TstInvariants::invariant04_identityOnBothSidesOfSaveAndRestore()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.hold(OpKind::Identity);
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    h.server.setModel(u"other.gguf"_qs);
    h.unhold(OpKind::Identity);
    QVERIFY(!h.errorOf(save).isEmpty());
    QVERIFY(h.row(u"A") == nullptr);

    h.turn(u"B", 1000);
    h.manual(ManualRequest::Kind::Save, u"B");
    h.server.setModel(u"third.gguf"_qs);
    h.observe();
    h.takeOps();
    QCOMPARE(h.turn(u"B", 1000), u"cold"_qs);
    QVERIFY(!h.takeOps().contains(u"restore"_qs));

    h.server.setModel(u"other.gguf"_qs);
    h.observe();
    h.hold(OpKind::Restore);
    const RequestId b = h.begin(u"B");
    h.hold(OpKind::Identity);
    h.unhold(OpKind::Restore);
    h.server.setModel(u"third.gguf"_qs);
    h.unhold(OpKind::Identity);
    QCOMPARE(h.outcomeOf(b), u"cold-fallback"_qs);
    QVERIFY(h.server.contents[0].tokens == 0);
    VERIFY_RULES(h);
}

// Each operation fails in each way: the request is granted all the same, or refused by a strict policy.
void TstInvariants::invariant05_failureMeansColdUnlessStrict()
{
    for (const bool strict : { false, true }) {
        for (const OpKind kind : { OpKind::Look, OpKind::Save, OpKind::Restore, OpKind::Identity }) {
            for (const OpFailure failure :
                { OpFailure::ServerError, OpFailure::Refused, OpFailure::Unauthorized, OpFailure::Unsupported,
                    OpFailure::Loading, OpFailure::ConnectionLost, OpFailure::ConnectionRefused }) {
                Policy policy = CoordinatorHarness::defaultPolicy();
                policy.strict = strict;
                CoordinatorHarness h(policy);
                h.turn(u"A", 1000);
                h.turn(u"B", 2000);
                h.failNext(kind, failure, 2);
                const RequestId request = h.begin(u"A");
                QCOMPARE(h.answersTo(request), 1);
                QVERIFY(strict || h.granted(request));
                QVERIFY(!strict || h.outcomeOf(request) != u"cold-fallback"_qs);
                VERIFY_RULES(h);
            }
        }
    }
}

// Not one operation, not one write, and the answer is among the effects of the begin itself.
void TstInvariants::invariant06_aResidentRequestCostsNoCallAndNoWrite()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.takeOps();
    const int writes = h.storeCount();
    for (const OpKind kind :
        { OpKind::Look, OpKind::Identity, OpKind::Save, OpKind::Restore, OpKind::Erase }) {
        h.hold(kind);
    }
    for (int i = 0; i < 50; ++i) {
        QCOMPARE(h.turn(u"A", 1100 + i * 10, true), u"resident"_qs);
    }
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.storeCount(), writes);
}

// Whatever it ends with, and however often the slot is checkpointed afterwards.
void TstInvariants::invariant07_anAuxiliaryRequestNeverBecomesState()
{
    CoordinatorHarness h;
    for (const EndOutcome outcome : { EndOutcome::Ok, EndOutcome::Error, EndOutcome::Aborted }) {
        h.turn(u"A", 1000);
        h.advance(2000);
        const RequestId title = h.auxiliary(u"A");
        h.server.infer(0, u"(aux)"_qs, 1000);
        h.end(title, outcome, 1000);
        h.hint(u"A", HintType::Flush);
        h.manual(ManualRequest::Kind::Flush);
        h.advance(60000);
        QCOMPARE(h.server.files.at(h.row(u"A")->name).content, u"A"_qs);
        QCOMPARE(h.turn(u"A", 1000), u"restored"_qs);
    }
    VERIFY_RULES(h);
}

// Everybody wants the slot while each of its operations is under way: one at a time. A second slot does not
// wait.
void TstInvariants::invariant08_operationsAreSerializedPerSlot()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    for (const OpKind kind :
        { OpKind::Look, OpKind::Save, OpKind::Identity, OpKind::Erase, OpKind::Restore }) {
        h.hold(kind);
    }
    h.manual(ManualRequest::Kind::Save, u"A");
    h.manual(ManualRequest::Kind::Save, u"B");
    h.begin(u"C");
    h.begin(u"D");
    h.manual(ManualRequest::Kind::Erase, {}, 0);
    for (int i = 0; i < 60; ++i) {
        std::map<int, int> perSlot;
        for (const Op &op : h.pendingOps()) {
            QCOMPARE(++perSlot[op.slot.id], 1);
        }
        if (i == 0) {
            QCOMPARE(perSlot.size(), std::size_t { 2 });
        }
        if (h.pendingOps().empty()) {
            break;
        }
        h.answerOp(h.pendingOps().front().id);
    }
    VERIFY_RULES(h);
}

// A path-like session id goes nowhere near an operation.
void TstInvariants::invariant09_namesAreNumbersMadeHere()
{
    CoordinatorHarness h;
    const QString hostile = u"../../etc/passwd"_qs;
    h.turn(hostile, 1000);
    h.manual(ManualRequest::Kind::Save, hostile);
    QCOMPARE(h.row(hostile)->name, NameNumber { 0 });
    QCOMPARE(h.server.files.size(), std::size_t { 1 });
}

// The 200 of a restore leaves the verdict open; the usage of the next request gives it.
void TstInvariants::invariant10_onlyTheNextRequestProvesARestore()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    const RequestId a = h.begin(u"A");
    QCOMPARE(toString(h.row(u"A")->verdict), u"unknown"_qs);
    h.end(a, EndOutcome::Ok, 1200, false, 0);
    QCOMPARE(toString(h.row(u"A")->verdict), u"none"_qs);
}

void TstInvariants::invariant11_aGoodSnapshotIsNeverHarmedBySomethingWorse_data()
{
    QTest::addColumn<QString>("worse");
    for (const char *worse : { "empty slot", "failed save", "late save", "lost save", "stranger",
             "dead server", "full disk", "aborted request", "stranger after an abort", "short save" }) {
        QTest::newRow(worse) << QString::fromLatin1(worse);
    }
}

// After each of these the snapshot of before is on record, valid, its file untouched – and restores.
void TstInvariants::invariant11_aGoodSnapshotIsNeverHarmedBySomethingWorse()
{
    QFETCH(QString, worse);
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.manual(ManualRequest::Kind::Save, u"A");
    const NameNumber good = h.row(u"A")->name;
    const RequestId second = h.begin(u"A");
    h.server.infer(0, u"A"_qs, worse == u"aborted request"_qs ? 400 : 1200);
    h.end(second, worse.contains(u"abort"_qs) ? EndOutcome::Aborted : EndOutcome::Ok, 1200);
    if (worse == u"stranger after an abort"_qs) {
        h.server.infer(0, u"stranger"_qs, 1300); // the look at what the abort left was before it
    }
    if (worse == u"empty slot"_qs) {
        h.server.contents[0].tokens = 0;
    } else if (worse == u"failed save"_qs) {
        h.failNext(OpKind::Save, OpFailure::ServerError);
    } else if (worse == u"late save"_qs) {
        h.hold(OpKind::Save);
    } else if (worse == u"lost save"_qs) {
        h.failNext(OpKind::Save, OpFailure::ConnectionLost);
    } else if (worse == u"stranger"_qs) {
        h.server.infer(0, u"stranger"_qs, 9000);
    } else if (worse == u"dead server"_qs) {
        h.server.alive = false;
    } else if (worse == u"full disk"_qs) {
        h.failStores = 1000000;
    } else if (worse == u"short save"_qs) {
        h.tamper = [](const Op &op, OpReply &reply) { reply.tokens -= op.kind == OpKind::Save ? 1 : 0; };
    }
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"A");
    h.advance(120000);
    QCOMPARE(h.answersTo(save), 1);
    QCOMPARE(h.row(u"A")->name, good);
    QCOMPARE(toString(h.row(u"A")->state), u"valid"_qs);
    QCOMPARE(h.server.files.at(good).tokens, 1000);
    QCOMPARE(h.server.files.at(good).content, u"A"_qs);
    h.tamper = {};
    h.failStores = 0;
    h.unhold(OpKind::Save);
    h.restart();
    h.observe();
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
    VERIFY_RULES(h);
}

// The background asks nothing that would wake a sleeper, and an idle daemon asks nothing at all.
void TstInvariants::invariant12_watchingWakesNobody()
{
    CoordinatorHarness h;
    h.turn(u"A", 1000);
    h.server.sleep();
    h.advance(3600000);
    QVERIFY(h.server.sleeping);
    h.takeOps();
    h.advance(3600000);
    QCOMPARE(h.takeOps(), QString());
    QCOMPARE(h.wakeMs(), -1);
}

// A grant carries an id of a slot and a flag; there is nothing else that could reach a prompt.
void TstInvariants::invariant13_transportIsAllThatIsAdded()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    const Grant grant = h.grantOf(h.begin(u"A"));
    QCOMPARE(grant.transport->idSlot, grant.slot.id);
    QVERIFY(grant.transport->cachePrompt);
    CoordinatorHarness one;
    QVERIFY(!one.grantOf(one.begin(u"A")).transport.has_value());
}

// A server that answers nothing at all: each step has its time, then the request is granted.
void TstInvariants::invariant14_noRequestWaitsForMoreThanOneSaveAndOneRestore()
{
    for (const OpKind kind : { OpKind::Look, OpKind::Save, OpKind::Identity, OpKind::Restore }) {
        CoordinatorHarness h;
        h.turn(u"A", 1000);
        h.turn(u"B", 2000);
        h.takeOps();
        h.hold(kind);
        const RequestId a = h.begin(u"A");
        h.advance(200000);
        QVERIFY2(h.granted(a), qPrintable(toString(kind)));
        const QString ops = h.takeOps();
        QVERIFY(ops.count(u"save"_qs) <= 1 && ops.count(u"restore"_qs) <= 1);
    }
}

QTEST_GUILESS_MAIN(TstInvariants)
#include "tst_invariants.moc"
