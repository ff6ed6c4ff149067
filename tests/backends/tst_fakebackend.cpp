// SPDX-License-Identifier: MIT
#include "backendtesting.h"
#include "fakebackend.h"

#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {
const QString c_file = QStringLiteral("a.bin");
}

class TestFakeBackend final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSavedSlotComesBackAfterARestart();
    void lookTellsWhatTheSlotsHold();
    void scriptedFailuresTakeTheNextOperationOfTheirKind();
    void aLostReplyWasStillCarriedOut();
    void aLateSaveTakesWhatTheSlotHoldsThen();
    void anEmptySaveIsScripted();
    void aRemovedOrCorruptSnapshotIsRefusedAndEmptiesTheSlot();
    void aSleepingServerIsNotWokenByALookThatMayNot();
    void stepsGiveOneReplyEach();
    void aRestartLosesWhatWasNotAnswered();
    void heldRepliesComeWhenReleased();
    void nobodyAnswersWhenUnreachable();
    void aSaveBehindAnInferenceWaits();
};

void TestFakeBackend::aSavedSlotComesBackAfterARestart()
{
    FakeBackend backend;
    QCOMPARE(backend.infer(QByteArray(100, 'a'), 1).cached, 0);
    const auto saved = runOp(backend, makeOp(OpKind::Save), c_file);
    QVERIFY(saved);
    QCOMPARE(nameOf(saved->failure), nameOf(OpFailure::None));
    QCOMPARE(saved->tokens, 100);
    const QString boot = backend.facts().boot;
    backend.restart();
    QVERIFY(backend.facts().boot != boot);
    const auto restored = runOp(backend, makeOp(OpKind::Restore, 2), c_file);
    QVERIFY(restored);
    QCOMPARE(restored->tokens, 100);
    QCOMPARE(restored->bytes, saved->bytes);
    QCOMPARE(backend.infer(QByteArray(120, 'a')).cached, 100);
    QCOMPARE(backend.startedKinds(), (std::vector<OpKind> { OpKind::Save, OpKind::Restore }));
}

void TestFakeBackend::lookTellsWhatTheSlotsHold()
{
    FakeOptions options;
    options.slotCount = 2;
    FakeBackend backend(options);
    backend.infer(QByteArray(100, 'a'), 5, 1);
    const auto look = runOp(backend, makeOp(OpKind::Look));
    QVERIFY(look && look->slotsListed);
    QVERIFY(look->facts.complete);
    QCOMPARE(look->slotList.size(), std::size_t(2));
    QVERIFY(!look->slotList.at(0).promptTokens);
    QCOMPARE(look->slotList.at(1).promptTokens, std::optional<qint64>(104));
    const auto identity = runOp(backend, makeOp(OpKind::Identity, 2));
    QVERIFY(identity && !identity->slotsListed);
}

void TestFakeBackend::scriptedFailuresTakeTheNextOperationOfTheirKind()
{
    FakeBackend backend;
    backend.failNext(OpKind::Save, OpFailure::ServerError);
    backend.damageNext(OpKind::Save);
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Erase))->failure), nameOf(OpFailure::None));
    QCOMPARE(
        nameOf(runOp(backend, makeOp(OpKind::Save, 2), c_file)->failure), nameOf(OpFailure::ServerError));
    QVERIFY(!backend.files().read(c_file)); // not carried out
    QCOMPARE(
        nameOf(runOp(backend, makeOp(OpKind::Save, 3), c_file)->failure), nameOf(OpFailure::ServerError));
    QVERIFY(backend.files().read(c_file)); // carried out, the answer was damaged
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Save, 4), c_file)->failure), nameOf(OpFailure::None));
}

void TestFakeBackend::aLostReplyWasStillCarriedOut()
{
    FakeBackend backend;
    backend.infer(QByteArray(100, 'a'));
    backend.dropNext(OpKind::Save);
    QCOMPARE(
        nameOf(runOp(backend, makeOp(OpKind::Save), c_file)->failure), nameOf(OpFailure::ConnectionLost));
    QVERIFY(backend.files().read(c_file));
}

void TestFakeBackend::aLateSaveTakesWhatTheSlotHoldsThen()
{
    FakeBackend backend;
    backend.infer(QByteArray(100, 'a'), 1);
    backend.lateNext(OpKind::Save, 20);
    std::optional<BackendReply> reply;
    connect(&backend, &KvBackend::finished, this, [&reply](const BackendReply &got) { reply = got; });
    backend.start(makeOp(OpKind::Save), c_file);
    backend.infer(QByteArray(50, 'b'), 1);
    QTRY_VERIFY(reply);
    QCOMPARE(reply->tokens, 50);
}

void TestFakeBackend::anEmptySaveIsScripted()
{
    FakeBackend backend;
    backend.infer(QByteArray(100, 'a'));
    backend.emptySaveNext();
    const auto saved = runOp(backend, makeOp(OpKind::Save), c_file);
    QCOMPARE(nameOf(saved->failure), nameOf(OpFailure::None));
    QCOMPARE(saved->tokens, 0);
    QCOMPARE(saved->bytes, 36);
}

void TestFakeBackend::aRemovedOrCorruptSnapshotIsRefusedAndEmptiesTheSlot()
{
    FakeBackend backend;
    for (const bool remove : { true, false }) {
        backend.infer(QByteArray(100, 'a'));
        QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Save), c_file)->failure), nameOf(OpFailure::None));
        QVERIFY(remove ? backend.removeSnapshot(c_file) : backend.corruptSnapshot(c_file));
        QCOMPARE(
            nameOf(runOp(backend, makeOp(OpKind::Restore, 2), c_file)->failure), nameOf(OpFailure::Refused));
        QVERIFY(backend.engine().slot(0).content.isEmpty());
    }
}

void TestFakeBackend::aSleepingServerIsNotWokenByALookThatMayNot()
{
    FakeBackend backend;
    backend.sleepNow();
    const auto quiet = runOp(backend, makeOp(OpKind::Look));
    QVERIFY(quiet->facts.sleeping && !quiet->slotsListed && backend.engine().sleeping());
    Op op = makeOp(OpKind::Look, 2);
    op.mayWake = true;
    const auto waking = runOp(backend, op);
    QVERIFY(waking->facts.sleeping && waking->slotsListed && !backend.engine().sleeping());
}

void TestFakeBackend::stepsGiveOneReplyEach()
{
    FakeBackend backend;
    backend.setManual(true);
    QList<OpId> order;
    connect(
        &backend, &KvBackend::finished, this, [&order](const BackendReply &got) { order.append(got.id); });
    backend.start(makeOp(OpKind::Identity, 7), {});
    backend.start(makeOp(OpKind::Look, 8), {});
    QCOMPARE(backend.waiting(), std::size_t(2));
    QVERIFY(order.isEmpty());
    QVERIFY(backend.step());
    QCOMPARE(order, (QList<OpId> { 7 }));
    backend.stepAll();
    QCOMPARE(order, (QList<OpId> { 7, 8 }));
    QVERIFY(!backend.step());
}

void TestFakeBackend::aRestartLosesWhatWasNotAnswered()
{
    FakeBackend backend;
    backend.setManual(true);
    QStringList failures;
    connect(&backend, &KvBackend::finished, this,
        [&failures](const BackendReply &got) { failures.append(toString(got.failure)); });
    backend.engine().setManualInference(true);
    backend.engine().complete({ QByteArray(10, 'a'), 1, 0, true }, {});
    backend.start(makeOp(OpKind::Save), c_file); // waits behind it
    QCOMPARE(backend.waiting(), std::size_t(0));
    backend.restart();
    backend.stepAll();
    QCOMPARE(failures, QStringList { toString(OpFailure::ConnectionLost) });
}

void TestFakeBackend::heldRepliesComeWhenReleased()
{
    FakeBackend backend;
    backend.setManual(true);
    backend.holdNext(OpKind::Erase);
    backend.start(makeOp(OpKind::Erase), {});
    QVERIFY(!backend.step());
    backend.releaseHeld();
    QVERIFY(backend.step());
}

void TestFakeBackend::nobodyAnswersWhenUnreachable()
{
    FakeBackend backend;
    backend.setUnreachable(true);
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Identity))->failure), nameOf(OpFailure::ConnectionRefused));
    backend.setUnreachable(false);
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Identity, 2))->failure), nameOf(OpFailure::None));
}

void TestFakeBackend::aSaveBehindAnInferenceWaits()
{
    FakeBackend backend;
    backend.engine().setManualInference(true);
    backend.engine().complete({ QByteArray(10, 'a'), 1, 0, true }, {});
    std::optional<BackendReply> reply;
    connect(&backend, &KvBackend::finished, this, [&reply](const BackendReply &got) { reply = got; });
    backend.start(makeOp(OpKind::Save), c_file);
    QCoreApplication::processEvents();
    QVERIFY(!reply);
    backend.engine().endInference(0);
    QTRY_VERIFY(reply);
    QCOMPARE(reply->tokens, 10);
}

QTEST_GUILESS_MAIN(TestFakeBackend)
#include "tst_fakebackend.moc"
