// SPDX-License-Identifier: MIT
// Restores: under which identity, what counts as success, and what is evidence against a snapshot.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

class TstRestores final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSwitchBackRestores();
    void anotherProcessOfTheSameRuntimeRestores();
    void aSmallerReadIsNoRestore();
    void anotherModelHidesAndItsReturnRestores();
    void theServerIsLookedAtAgainWhenItRestartedDuringTheRestore();
    void whatARestoreLeftInAnotherModelsProcessIsErased();
    void sleepDuringTheRestoreIsNoticed();
    void oneRefusalMakesSuspectTwoProcessesInvalid();
    void aRefusalBesideAFullNeighbourIsNoEvidence();
    void timeOutsAreNoEvidence();
    void theServersDeathOnAFileIs();
    void aDeathRightAfterTheAnswerCountsToo();
    void aSecondDeathStopsRestoringUntilResumed();
    void aRefusalOfACheckedFileIsTriedOnceMoreAfterAnErase();
    void aSecondRefusalIsCold();
    void nothingIsTriedTwiceWhereFilesAreTheServersOwn();
    void aFailedRestoreIsColdFallback();
    void strictModeRefusesInstead();
    void restoringCanBeSwitchedOff();
    void sharedFilesAreCheckedFirstAndTheSlotAgainAfterIt();
    void aFailedFileCheckCondemnsTheFileAndTouchesNothing();
    void strictVerificationLooksAtTheSlot();
    void aStrangerSeenAfterTheRestoreIsNoEvidence();
    void aLookThatFailsAfterTheRestoreIsNoEvidence();
    void theNewestRowIsKeptAcrossACrashBetweenTwoWrites();
};

namespace {
void fill(CoordinatorHarness &h)
{
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.takeOps();
}
Policy sharedPolicy()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.sharedFiles = true;
    return policy;
}
QString stateOfRow(const CoordinatorHarness &h, QStringView session)
{
    return h.row(session) == nullptr ? u"none"_qs
                                     : toString(h.row(session)->state) + u' ' + h.row(session)->reason;
}
}

void TstRestores::aSwitchBackRestores()
{
    CoordinatorHarness h;
    fill(h);
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.takeOps(), u"look save identity restore identity"_qs);
    QCOMPARE(h.outcomeOf(a), u"restored"_qs);
    QCOMPARE(h.grantOf(a).tokens, 1000);
    QCOMPARE(h.server.contents[0].content, u"A"_qs);
    VERIFY_RULES(h);
}

void TstRestores::anotherProcessOfTheSameRuntimeRestores()
{
    CoordinatorHarness h;
    fill(h);
    h.restart();
    h.observe();
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
    QCOMPARE(h.takeOps(), u"look restore identity"_qs); // B's dirty state went with its process
}

void TstRestores::aSmallerReadIsNoRestore()
{
    CoordinatorHarness h;
    fill(h);
    h.tamper = [](const Op &op, OpReply &reply) {
        if (op.kind == OpKind::Restore) {
            reply.bytes -= 1;
        }
    };
    QCOMPARE(h.turn(u"A", 1100), u"cold-fallback"_qs);
    QCOMPARE(h.takeOps(), u"look save identity restore erase"_qs);
}

void TstRestores::anotherModelHidesAndItsReturnRestores()
{
    CoordinatorHarness h;
    fill(h);
    h.server.setModel(u"other.gguf"_qs);
    h.restart();
    h.observe();
    const RequestId cold = h.begin(u"A");
    QCOMPARE(h.outcomeOf(cold), u"cold"_qs);
    QVERIFY(h.grantOf(cold).reason.contains(u"MODEL_CHANGED"_qs));
    QCOMPARE(stateOfRow(h, u"A"), u"valid "_qs); // hidden is derived, nothing was condemned
    h.end(cold, EndOutcome::Error);
    h.server.setModel(u"model-1.gguf"_qs);
    h.restart();
    h.observe();
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstRestores::theServerIsLookedAtAgainWhenItRestartedDuringTheRestore()
{
    CoordinatorHarness h;
    fill(h);
    h.hold(OpKind::Identity);
    const RequestId a = h.begin(u"A");
    h.answer(OpKind::Identity); // after the save
    h.takeOps();
    h.restart();
    h.observe(); // the watcher sees it first: both reads would agree
    h.unhold(OpKind::Identity);
    QCOMPARE(h.outcomeOf(a), u"restored"_qs);
    QCOMPARE(h.takeOps(), u"look restore identity"_qs);
    QCOMPARE(h.server.contents[0].content, u"A"_qs);
    VERIFY_RULES(h);
}

// The server was swapped for one with another model of the same shape between the look and the restore.
void TstRestores::whatARestoreLeftInAnotherModelsProcessIsErased()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.coldStart = ColdStart::Keep;
    CoordinatorHarness h(policy);
    fill(h);
    h.hold(OpKind::Restore);
    const RequestId a = h.begin(u"A");
    h.takeOps();
    h.server.setModel(u"other.gguf"_qs);
    h.server.restart();
    h.arriveInNewProcess();
    h.unhold(OpKind::Restore);
    QCOMPARE(h.outcomeOf(a), u"cold"_qs);
    QCOMPARE(h.takeOps(), u"identity look erase look"_qs);
    QCOMPARE(h.server.contents[0].tokens, 0); // else the request would reuse the other model's state
}

void TstRestores::sleepDuringTheRestoreIsNoticed()
{
    CoordinatorHarness h;
    fill(h);
    h.restart();
    h.observe();
    h.hold(OpKind::Identity);
    const RequestId a = h.begin(u"A");
    h.takeOps();
    h.server.sleep();
    h.unhold(OpKind::Identity);
    QCOMPARE(h.outcomeOf(a), u"restored"_qs);
    QCOMPARE(h.takeOps(), u"look restore identity"_qs);
    QCOMPARE(h.server.contents[0].content, u"A"_qs);
    VERIFY_RULES(h);
}

void TstRestores::oneRefusalMakesSuspectTwoProcessesInvalid()
{
    CoordinatorHarness h;
    fill(h);
    const auto refuse = [&] {
        h.failNext(OpKind::Restore, OpFailure::Refused);
        const RequestId a = h.begin(u"A");
        QCOMPARE(h.outcomeOf(a), u"cold-fallback"_qs);
        h.end(a, EndOutcome::Error);
    };
    refuse();
    QCOMPARE(stateOfRow(h, u"A"), u"suspect RESTORE_FAILED"_qs);
    refuse();
    QCOMPARE(stateOfRow(h, u"A"), u"suspect RESTORE_FAILED"_qs); // the same process says nothing new
    h.restart();
    h.observe();
    refuse();
    QCOMPARE(stateOfRow(h, u"A"), u"invalid RESTORE_FAILED"_qs);
    QCOMPARE(h.turn(u"A", 900), u"cold"_qs);
    QCOMPARE(h.notices(eventname::snapshotInvalidated).size(), 1);
}

void TstRestores::aRefusalBesideAFullNeighbourIsNoEvidence()
{
    CoordinatorHarness h(CoordinatorHarness::managedPolicy(), 2);
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.turn(u"C", 3000); // takes A's slot
    for (int boot = 0; boot < 3; ++boot) {
        h.failNext(OpKind::Restore, OpFailure::Refused);
        h.turn(u"B", 2000);
        const RequestId a = h.begin(u"A");
        QVERIFY(h.granted(a));
        h.end(a, EndOutcome::Error);
        QVERIFY(stateOfRow(h, u"A").startsWith(u"suspect"_qs) || stateOfRow(h, u"A").startsWith(u"valid"_qs));
        h.restart();
        h.observe();
    }
    VERIFY_RULES(h);
}

void TstRestores::timeOutsAreNoEvidence()
{
    for (const OpFailure failure : { OpFailure::ServerError, OpFailure::Unauthorized, OpFailure::Loading }) {
        CoordinatorHarness h;
        fill(h);
        h.failNext(OpKind::Restore, failure);
        QCOMPARE(h.outcomeOf(h.begin(u"A")), u"cold-fallback"_qs);
        QCOMPARE(stateOfRow(h, u"A"), u"valid "_qs);
    }
    CoordinatorHarness h;
    fill(h);
    h.hold(OpKind::Restore);
    const RequestId a = h.begin(u"A");
    h.advance(200000);
    QCOMPARE(h.outcomeOf(a), u"bypass"_qs);
    QCOMPARE(stateOfRow(h, u"A"), u"valid "_qs);
}

void TstRestores::theServersDeathOnAFileIs()
{
    CoordinatorHarness h;
    fill(h);
    h.hold(OpKind::Restore);
    const RequestId a = h.begin(u"A");
    h.server.alive = false;
    h.loseReply(OpKind::Restore);
    QCOMPARE(h.outcomeOf(a), u"bypass"_qs);
    h.end(a, EndOutcome::Error);
    h.observe();
    QCOMPARE(stateOfRow(h, u"A"), u"invalid SERVER_DIED"_qs);
    h.restart();
    h.observe();
    h.unhold(OpKind::Restore);
    QCOMPARE(h.turn(u"A", 1000), u"cold"_qs); // not tried again
    QCOMPARE(h.turn(u"B", 2100), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstRestores::aDeathRightAfterTheAnswerCountsToo()
{
    CoordinatorHarness h;
    fill(h);
    h.hold(OpKind::Identity);
    h.begin(u"A");
    QVERIFY(h.answer(OpKind::Identity)); // after the save of B
    QVERIFY(h.reply(OpKind::Identity, OpFailure::ConnectionRefused)); // after the restore of A
    QCOMPARE(stateOfRow(h, u"A"), u"invalid SERVER_DIED"_qs);
    QCOMPARE(stateOfRow(h, u"B"), u"valid "_qs);
}

void TstRestores::aSecondDeathStopsRestoringUntilResumed()
{
    CoordinatorHarness h;
    fill(h);
    h.turn(u"C", 3000);
    h.turn(u"D", 4000);
    const auto dieOf = [&](QStringView session) {
        h.hold(OpKind::Restore);
        const RequestId request = h.begin(session);
        h.restart(); // it died of it, and somebody started another one
        h.reply(OpKind::Restore, OpFailure::ConnectionLost);
        h.unhold(OpKind::Restore);
        h.end(request, EndOutcome::Error);
    };
    dieOf(u"A");
    QCOMPARE(h.turn(u"B", 2100), u"restored"_qs); // once may be the file's fault
    dieOf(u"C");
    QCOMPARE(stateOfRow(h, u"C"), u"invalid SERVER_DIED"_qs);
    QCOMPARE(h.notices(eventname::persistencePaused).size(), 1);
    h.takeOps();
    const RequestId d = h.begin(u"D");
    QCOMPARE(h.outcomeOf(d), u"cold"_qs);
    QVERIFY(h.grantOf(d).reason.startsWith(u"SERVER_DIED"));
    QVERIFY(!h.takeOps().contains(u"restore"));
    h.end(d, EndOutcome::Error);
    h.send(Resumed {});
    QCOMPARE(h.notices(eventname::persistenceResumed).size(), 1);
    QCOMPARE(h.turn(u"D", 4100), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstRestores::aRefusalOfACheckedFileIsTriedOnceMoreAfterAnErase()
{
    CoordinatorHarness h(sharedPolicy());
    fill(h);
    h.failNext(OpKind::Restore, OpFailure::Refused);
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.outcomeOf(a), u"restored"_qs);
    QCOMPARE(h.takeOps(), u"look save identity check look restore erase look restore identity"_qs);
    QCOMPARE(stateOfRow(h, u"A"), u"valid "_qs);
    VERIFY_RULES(h);
}

void TstRestores::aSecondRefusalIsCold()
{
    CoordinatorHarness h(sharedPolicy());
    fill(h);
    h.failNext(OpKind::Restore, OpFailure::Refused, 2);
    QCOMPARE(h.turn(u"A", 1100), u"cold-fallback"_qs);
    QCOMPARE(h.takeOps(), u"look save identity check look restore erase look restore erase"_qs);
    QCOMPARE(stateOfRow(h, u"A"), u"suspect RESTORE_FAILED"_qs);
    VERIFY_RULES(h);
}

void TstRestores::nothingIsTriedTwiceWhereFilesAreTheServersOwn()
{
    CoordinatorHarness h;
    fill(h);
    h.failNext(OpKind::Restore, OpFailure::Refused);
    QCOMPARE(h.turn(u"A", 1100), u"cold-fallback"_qs);
    QCOMPARE(h.takeOps(), u"look save identity restore erase"_qs);
}

void TstRestores::aFailedRestoreIsColdFallback()
{
    CoordinatorHarness h;
    fill(h);
    h.server.files.clear(); // deleted by hand
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.outcomeOf(a), u"cold-fallback"_qs);
    QVERIFY(!h.grantOf(a).reason.isEmpty());
    QCOMPARE(h.takeOps(), u"look save identity restore erase"_qs);
    QCOMPARE(h.server.contents[0].tokens, 0);
    VERIFY_RULES(h);
}

void TstRestores::strictModeRefusesInstead()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.strict = true;
    CoordinatorHarness h(policy);
    fill(h);
    h.failNext(OpKind::Restore, OpFailure::Refused);
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.errorOf(a), u"KV_RESTORE_FAILED"_qs);
    QVERIFY(h.refusalOf(a).strict);
    QCOMPARE(h.turn(u"C", 300), u"cold"_qs);
    h.failNext(OpKind::Save, OpFailure::ServerError);
    const RequestId d = h.begin(u"D");
    QCOMPARE(h.errorOf(d), u"KV_SAVE_FAILED"_qs);
    h.server.alive = false;
    h.advance(6000);
    const RequestId e = h.begin(u"E");
    QCOMPARE(h.errorOf(e), u"KV_BACKEND_UNAVAILABLE"_qs);
    VERIFY_RULES(h);
}

void TstRestores::restoringCanBeSwitchedOff()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.restoreEnabled = false;
    CoordinatorHarness h(policy);
    fill(h);
    QCOMPARE(h.turn(u"A", 1000), u"cold"_qs);
    QVERIFY(!h.takeOps().contains(u"restore"_qs));
}

void TstRestores::sharedFilesAreCheckedFirstAndTheSlotAgainAfterIt()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.sharedFiles = true;
    CoordinatorHarness h(policy);
    fill(h);
    h.hold(OpKind::CheckFile);
    const RequestId a = h.begin(u"A");
    h.server.contents[0].processing = true; // a stranger came while the file was read
    h.unhold(OpKind::CheckFile);
    QCOMPARE(h.outcomeOf(a), u"waits"_qs);
    QVERIFY(!h.takeOps().contains(u"restore"_qs));
    h.server.contents[0].processing = false;
    h.advance(3000);
    QCOMPARE(h.outcomeOf(a), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstRestores::aFailedFileCheckCondemnsTheFileAndTouchesNothing()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.sharedFiles = true;
    CoordinatorHarness h(policy);
    fill(h);
    h.server.files[h.row(u"A")->name].bytes -= 3; // a file some bytes short kills the server
    QCOMPARE(h.outcomeOf(h.begin(u"A")), u"cold-fallback"_qs);
    QCOMPARE(h.takeOps(), u"look save identity check"_qs);
    QCOMPARE(stateOfRow(h, u"A"), u"invalid FILE_SIZE"_qs);
}

void TstRestores::strictVerificationLooksAtTheSlot()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.verify = RestoreVerify::Strict;
    CoordinatorHarness h(policy);
    fill(h);
    QCOMPARE(h.outcomeOf(h.begin(u"A")), u"restored"_qs);
    QCOMPARE(h.takeOps(), u"look save identity restore look"_qs);
}

void TstRestores::aStrangerSeenAfterTheRestoreIsNoEvidence()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.verify = RestoreVerify::Strict;
    CoordinatorHarness h(policy);
    fill(h);
    for (int boot = 0; boot < 2; ++boot) { // what is seen in two processes would condemn it
        h.hold(OpKind::Restore);
        const RequestId a = h.begin(u"A");
        h.hold(OpKind::Look);
        h.unhold(OpKind::Restore);
        h.server.infer(0, u"stranger"_qs, 9000);
        h.unhold(OpKind::Look);
        QVERIFY(h.granted(a));
        QCOMPARE(stateOfRow(h, u"A"), u"valid "_qs);
        h.end(a, EndOutcome::Error);
        h.restart();
        h.observe();
    }
    QCOMPARE(h.turn(u"A", 1100), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstRestores::aLookThatFailsAfterTheRestoreIsNoEvidence()
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.verify = RestoreVerify::Strict;
    CoordinatorHarness h(policy);
    fill(h);
    int looks = 0;
    h.tamper = [&](const Op &op, OpReply &reply) {
        if (op.kind == OpKind::Look && ++looks == 2) {
            reply.slotsListed = false;
            reply.slotList.clear();
            reply.slotsFailure = OpFailure::ServerError;
        }
    };
    QCOMPARE(h.outcomeOf(h.begin(u"A")), u"cold-fallback"_qs);
    // Nobody knows which process answered the restore: looked at again before the erase.
    QCOMPARE(h.takeOps(), u"look save identity restore look look erase"_qs);
    QCOMPARE(stateOfRow(h, u"A"), u"valid "_qs);
    VERIFY_RULES(h);
}

void TstRestores::theNewestRowIsKeptAcrossACrashBetweenTwoWrites()
{
    // The pointer moved to a row of the same runtime with one field more; the older row's removal was lost.
    const auto row = [](const QString &lora, NameNumber name, quint64 seq) {
        Snapshot made;
        made.session = u"A"_qs;
        made.fingerprint = fingerprintOf(u"model-1.gguf"_qs, lora);
        made.name = name;
        made.tokens = 1000;
        made.usedSeq = seq;
        return made;
    };
    InitialState initial;
    initial.highWater = 64;
    initial.snapshots = { row(u"none"_qs, 1, 9), row(QString(), 0, 4) };
    CoordinatorHarness h(CoordinatorHarness::defaultPolicy(), 1, initial);
    QCOMPARE(h.row(u"A")->name, NameNumber { 1 });
    QCOMPARE(h.database().size(), std::size_t { 1 }); // and the older one is removed before its name is free
    QCOMPARE(h.database().front().name, NameNumber { 1 });
    VERIFY_RULES(h);
}

QTEST_GUILESS_MAIN(TstRestores)
#include "tst_restores.moc"
