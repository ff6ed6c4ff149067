// SPDX-License-Identifier: MIT
#include "e2etest.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

using namespace kv::test;

namespace {

const QString c_save = QStringLiteral("save");
const QString c_restore = QStringLiteral("restore");
const QString c_erase = QStringLiteral("erase");

ProxyFault answerWith(const QByteArray &match, int status)
{
    ProxyFault fault;
    fault.match = match;
    fault.status = status;
    return fault;
}

} // namespace

/// Whatever goes wrong, the completion works, cold, with the right answer, and status says what happened.
class TstE2eFaults final : public E2eTest {
    Q_OBJECT

private Q_SLOTS:
    void snapshotFilesDeletedByHand();
    void restoreAnsweringAnError();
    void slotsUnreachable();
    void saveFailing();
    void saveAnswerLost();
    void serverDownAtBegin();
    void threeFailuresOpenTheBreakerAndInferenceGoesOn();
    void strictModeAnswersWithTheError();
    void metadataFolderDeletedWhileRunning();
    void secondDaemonSaysWhoRunsAndExits();
    void serverWithoutSlotSavePathIsNamed();

private:
    /// Turns of A and B, so that A is saved and B is dirty in the slot.
    void twoSessions(Conversation &a, Conversation &b)
    {
        stage().turn(a);
        QCOMPARE(stage().turn(b).outcome(), QStringLiteral("cold"));
    }
};

void TstE2eFaults::snapshotFilesDeletedByHand()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    twoSessions(a, b);
    stage().removeSnapshotFiles();
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("cold-fallback"));
    KV_COMPARE_ACTIONS(c_save, c_restore, c_erase);
    verifyCold(turn, stage().coldReference(a));
    QVERIFY(!turn.begin.result[QStringLiteral("reason")].toString().isEmpty());
    QCOMPARE(stage().stat(QStringLiteral("coldFallbacks")), 1);
    const int held = a.held();
    const Turn again = stage().turn(a);
    QCOMPARE(again.outcome(), QStringLiteral("resident"));
    verifyWarm(again, held, stage().warmReference(a));
}

void TstE2eFaults::restoreAnsweringAnError()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    twoSessions(a, b);
    stage().proxy().addFault(answerWith("action=restore", 500));
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("cold-fallback"));
    KV_COMPARE_ACTIONS(c_save, c_restore, c_erase);
    verifyCold(turn, stage().coldReference(a));
    QCOMPARE(stage().stat(QStringLiteral("coldFallbacks")), 1);

    // A 5xx is no evidence against the snapshot of B, and the server is asked again.
    stage().proxy().clearFaults();
    const int held = b.held();
    const Turn next = stage().turn(b);
    QCOMPARE(next.outcome(), QStringLiteral("restored"));
    KV_COMPARE_ACTIONS(c_save, c_restore);
    verifyWarm(next, held, stage().warmReference(b));
}

void TstE2eFaults::slotsUnreachable()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    twoSessions(a, b);
    ProxyFault fault;
    fault.match = " /slots";
    fault.kind = ProxyFault::Kind::Drop;
    stage().proxy().addFault(fault);
    const Turn turn = stage().turn(a);
    QVERIFY2(turn.begin.ok(), qPrintable(turn.begin.text()));
    QVERIFY2(turn.outcome() != QStringLiteral("restored") && turn.outcome() != QStringLiteral("resident"),
        qPrintable(turn.outcome()));
    KV_COMPARE_ACTIONS(); // nobody could see that the slot is idle
    verifyCold(turn, stage().coldReference(a));
    QVERIFY2(turn.end.ok(), qPrintable(turn.end.text()));
    const QString state
        = stage()
              .status()[QStringLiteral("servers")][0][QStringLiteral("backend")][QStringLiteral("state")]
              .toString();
    QVERIFY2(state != QStringLiteral("healthy"), qPrintable(state));

    // The fault over, A's older snapshot is still good.
    stage().proxy().clearFaults();
    QVERIFY(stage().turn(b).begin.ok());
    const Turn back = stage().turn(a);
    QCOMPARE(back.outcome(), QStringLiteral("restored"));
    QVERIFY(back.answer.cachedTokens > 1000);
}

void TstE2eFaults::saveFailing()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(a);
    stage().proxy().addFault(answerWith("action=save", 500));
    const Turn turn = stage().turn(b);
    QCOMPARE(turn.outcome(), QStringLiteral("cold"));
    QVERIFY(!stage().proxy().actions().isEmpty());
    QCOMPARE(stage().proxy().actions().first(), c_save);
    QVERIFY(!stage().proxy().actions().contains(c_restore));
    verifyCold(turn, stage().coldReference(b));
    QCOMPARE(stage().stat(QStringLiteral("saveFailures")), 1);
}

void TstE2eFaults::saveAnswerLost()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(a);
    ProxyFault fault;
    fault.match = "action=save";
    fault.kind = ProxyFault::Kind::DropReply;
    fault.times = 1;
    stage().proxy().addFault(fault);
    const Turn turn = stage().turn(b);
    QVERIFY2(turn.begin.ok(), qPrintable(turn.begin.text()));
    QCOMPARE(turn.answer.tokens, stage().coldReference(b));
    // One POST for one operation: a lost answer is not asked for a second time by the HTTP layer.
    QCOMPARE(stage().proxy().actions().count(c_save), 1);
}

void TstE2eFaults::serverDownAtBegin()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    stage().stopServer();
    QVERIFY(stage().waitUnowned());
    const RpcReply begun = stage().begin(a.session());
    QVERIFY2(begun.ok(), qPrintable(begun.text()));
    QCOMPARE(begun.result[QStringLiteral("outcome")].toString(), QStringLiteral("bypass"));
    QVERIFY(!begun.result[QStringLiteral("reason")].toString().isEmpty());
    QVERIFY(stage()
                .client()
                .call(QStringLiteral("request.end"),
                    { { QStringLiteral("lease"), begun.result[QStringLiteral("lease")] },
                        { QStringLiteral("outcome"), QStringLiteral("error") } })
                .ok());
    QVERIFY(stage().startServer());
    QVERIFY(stage().waitHealthy());
    const int held = a.held();
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("restored"));
    KV_COMPARE_ACTIONS(c_restore);
    verifyWarm(turn, held, stage().warmReference(a));
}

void TstE2eFaults::threeFailuresOpenTheBreakerAndInferenceGoesOn()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    twoSessions(a, b);
    stage().proxy().addFault(answerWith(" /slots", 500));
    QString state;
    for (int i = 0; i < 6 && state != QStringLiteral("open"); ++i) {
        Conversation &next = i % 2 == 0 ? a : b;
        const Turn turn = stage().turn(next);
        QVERIFY2(turn.begin.ok(), qPrintable(turn.begin.text()));
        QCOMPARE(turn.answer.tokens, stage().coldReference(next));
        state
            = stage()
                  .status()[QStringLiteral("servers")][0][QStringLiteral("backend")][QStringLiteral("state")]
                  .toString();
    }
    QCOMPARE(state, QStringLiteral("open"));
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("bypass"));
    QVERIFY(turn.begin.result.contains(QStringLiteral("lease")));
    QVERIFY(!turn.begin.result[QStringLiteral("reason")].toString().isEmpty());
    QCOMPARE(stage().proxy().slotCalls(), QStringList());
}

void TstE2eFaults::strictModeAnswersWithTheError()
{
    StageOptions options;
    options.config = "failure: { strict: true }\n";
    KV_STAGE(options);
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    twoSessions(a, b);
    stage().proxy().addFault(answerWith("action=restore", 500));
    const RpcReply begun = stage().begin(a.session());
    QVERIFY(!begun.ok());
    QCOMPARE(begun.code(), QStringLiteral("KV_RESTORE_FAILED"));
    QCOMPARE(begun.error[QStringLiteral("data")][QStringLiteral("strict")].toBool(), true);
}

void TstE2eFaults::metadataFolderDeletedWhileRunning()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    twoSessions(a, b);
    QTRY_VERIFY(QDir(stage().daemon().metadataFolder()).removeRecursively()); // while it writes there
    const int held = a.held();
    const Turn turn = stage().turn(a);
    QVERIFY2(turn.begin.ok(), qPrintable(turn.begin.text()));
    QCOMPARE(turn.answer.status, 200);
    QCOMPARE(turn.answer.tokens,
        turn.outcome() == QStringLiteral("restored") ? stage().warmReference(a) : stage().coldReference(a));
    QVERIFY(held > 0);
    QVERIFY(QTest::qWaitFor([this] { return QFileInfo::exists(stage().daemon().metadataFolder()); }, 15000));
    const QByteArray said = QJsonDocument(stage().status()).toJson();
    QVERIFY2(said.contains("metadata"), said.constData());

    // And the new folder does its work.
    stage().turn(b);
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    QVERIFY(stage().daemon().restart());
    QVERIFY(stage().connectClient());
    QVERIFY(stage().waitHealthy());
    const int heldByB = b.held();
    const Turn back = stage().turn(b);
    QCOMPARE(back.outcome(), QStringLiteral("restored"));
    verifyWarm(back, heldByB, stage().warmReference(b));
}

void TstE2eFaults::secondDaemonSaysWhoRunsAndExits()
{
    KV_STAGE();
    QProcess second;
    second.setProcessEnvironment(stage().daemon().environment());
    second.setProcessChannelMode(QProcess::MergedChannels);
    second.start(builtProgram(QStringLiteral("kv-persistd")),
        { QStringLiteral("--socket"), stage().daemon().socketPath(), QStringLiteral("--config"),
            stage().daemon().configPath() });
    QVERIFY(QTest::qWaitFor([&] { return second.state() == QProcess::NotRunning; }, 15000));
    const QByteArray said = second.readAll();
    QVERIFY(second.exitStatus() == QProcess::NormalExit);
    QVERIFY(second.exitCode() != 0);
    QVERIFY2(said.contains(QByteArray::number(stage().daemon().pid())), said.constData());
    QVERIFY(stage().daemon().running());
    QVERIFY(stage().client().call(QStringLiteral("kv.status")).ok());
}

void TstE2eFaults::serverWithoutSlotSavePathIsNamed()
{
    KV_STAGE();
    RealLlamaServer bare(QStringLiteral("tiny-dense"), QString(), StageOptions::plainServer());
    QVERIFY(bare.start());
    stage().stopServer();
    stage().proxy().setUpstream(bare.port());
    QVERIFY(stage().proxy().setListening(true));
    QVERIFY(stage().waitUnowned());
    QVERIFY(stage().waitHealthy());
    Conversation a(QStringLiteral("session-a"), 1);
    const RpcReply begun = stage().begin(a.session());
    QVERIFY2(begun.ok(), qPrintable(begun.text()));
    const Completion answer = complete(bare.port(), a.prompt());
    QVERIFY(stage().end(begun, answer).ok());
    a.answered(answer);
    QCOMPARE(answer.tokens, stage().coldReference(a));
    stage().client().call(QStringLiteral("kv.flush")); // the first operation that can show it
    const QByteArray said = QJsonDocument(stage().status()).toJson();
    QVERIFY2(said.contains("--slot-save-path"), said.constData());
    QVERIFY(said.contains("unsupported"));
}

QTEST_GUILESS_MAIN(TstE2eFaults)
#include "tst_e2efaults.moc"
