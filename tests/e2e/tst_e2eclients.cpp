// SPDX-License-Identifier: MIT
#include "e2etest.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QtTest>

using namespace kv::test;

namespace {

const QString c_save = QStringLiteral("save");
const QString c_restore = QStringLiteral("restore");
const QString c_erase = QStringLiteral("erase");
const QString c_begin = QStringLiteral("request.begin");
constexpr int c_shortlyMs = 300; // long enough for a wrong answer to arrive

/// Whether a GET /slots answer shows the first slot processing.
bool showsProcessing(const RecordedCall &call)
{
    return QJsonDocument::fromJson(call.replyBody())[0][QStringLiteral("is_processing")].toBool();
}

} // namespace

/// Clients that die, wait, give up or do not belong: the next one is served, and nothing is done for nobody.
class TstE2eClients final : public E2eTest {
    Q_OBJECT

private Q_SLOTS:
    void killedWhileItHoldsTheLease();
    void killedWhileItWaits();
    void killedWhileARestoreRuns();
    void cancelledBeginCausesNoCall();
    void strangerGeneratingInTheSlotIsWaitedFor();
    void abortedRequestDoesNotSpoilTheSnapshot();
};

void TstE2eClients::killedWhileItHoldsTheLease()
{
    KV_STAGE();
    Conversation b(QStringLiteral("session-b"), 2);
    RpcClient killed;
    QVERIFY(killed.connectTo(stage().daemon().socketPath()));
    const RpcReply held = killed.call(c_begin, Stage::beginParams(QStringLiteral("session-a")));
    QCOMPARE(held.result[QStringLiteral("outcome")].toString(), QStringLiteral("cold"));
    stage().proxy().forget();
    const int waiting = stage().client().send(c_begin, Stage::beginParams(b.session()));
    QTest::qWait(c_shortlyMs);
    QVERIFY(!stage().client().hasAnswer(waiting));
    QCOMPARE(stage().proxy().actions(), QStringList()); // not one before the lease is over
    killed.abort();
    Turn turn;
    turn.begin = stage().client().wait(waiting);
    QVERIFY2(turn.begin.ok(), qPrintable(turn.begin.text()));
    QCOMPARE(turn.outcome(), QStringLiteral("cold"));
    QVERIFY(!stage().proxy().actions().contains(c_save)); // the killed one left nothing worth it
    turn.answer = complete(stage().server().port(), b.prompt());
    turn.end = stage().end(turn.begin, turn.answer);
    QVERIFY(turn.end.ok());
    b.answered(turn.answer);
    verifyCold(turn, stage().coldReference(b));
}

void TstE2eClients::killedWhileItWaits()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    const RpcReply begun = stage().begin(a.session());
    RpcClient killed;
    RpcClient next;
    QVERIFY(killed.connectTo(stage().daemon().socketPath()));
    QVERIFY(next.connectTo(stage().daemon().socketPath()));
    killed.send(c_begin, Stage::beginParams(QStringLiteral("session-b")));
    QTest::qWait(c_shortlyMs);
    const int waiting = next.send(c_begin, Stage::beginParams(QStringLiteral("session-c")));
    QTest::qWait(c_shortlyMs);
    QVERIFY(!next.hasAnswer(waiting));
    killed.abort();
    QTest::qWait(c_shortlyMs);
    stage().proxy().forget();
    const Completion answer = complete(stage().server().port(), a.prompt());
    QVERIFY(stage().end(begun, answer).ok());
    const RpcReply granted = next.wait(waiting);
    QVERIFY2(granted.ok(), qPrintable(granted.text()));
    QCOMPARE(granted.result[QStringLiteral("outcome")].toString(), QStringLiteral("cold"));
    KV_COMPARE_ACTIONS(c_save, c_erase); // one switch, from A to C: nothing was done for B
}

void TstE2eClients::killedWhileARestoreRuns()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(a);
    stage().turn(b);
    stage().proxy().forget();
    ProxyFault fault;
    fault.match = "action=restore";
    fault.kind = ProxyFault::Kind::Hold;
    fault.times = 1;
    stage().proxy().addFault(fault);
    RpcClient killed;
    QVERIFY(killed.connectTo(stage().daemon().socketPath()));
    killed.send(c_begin, Stage::beginParams(a.session()));
    QVERIFY(QTest::qWaitFor([this] { return stage().proxy().held() == 1; }, 15000));
    const int waiting = stage().client().send(c_begin, Stage::beginParams(b.session()));
    killed.abort();
    QTest::qWait(c_shortlyMs);
    QVERIFY(!stage().client().hasAnswer(waiting)); // the restore still runs in the slot
    stage().proxy().release();
    Turn turn;
    turn.begin = stage().client().wait(waiting);
    QVERIFY2(turn.begin.ok(), qPrintable(turn.begin.text()));
    QCOMPARE(turn.outcome(), QStringLiteral("restored"));
    KV_COMPARE_ACTIONS(c_save, c_restore, c_restore); // B saved, A restored for nobody, B restored
    const int held = b.held();
    turn.answer = complete(stage().server().port(), b.prompt());
    b.answered(turn.answer);
    verifyWarm(turn, held, stage().warmReference(b));
}

void TstE2eClients::cancelledBeginCausesNoCall()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    const RpcReply begun = stage().begin(a.session());
    stage().proxy().forget();
    RpcClient other;
    QVERIFY(other.connectTo(stage().daemon().socketPath()));
    const int waiting = other.send(c_begin,
        Stage::beginParams(
            QStringLiteral("session-b"), { { QStringLiteral("call"), QStringLiteral("b1") } }));
    QTest::qWait(c_shortlyMs);
    QVERIFY(!other.hasAnswer(waiting));
    other.notify(QStringLiteral("request.end"),
        { { QStringLiteral("call"), QStringLiteral("b1") },
            { QStringLiteral("outcome"), QStringLiteral("aborted") } });
    const RpcReply refused = other.wait(waiting);
    QVERIFY(refused.answered);
    QCOMPARE(refused.code(), QStringLiteral("KV_CANCELLED"));

    const Completion answer = complete(stage().server().port(), a.prompt());
    QVERIFY(stage().end(begun, answer).ok());
    a.answered(answer);
    QTest::qWait(c_shortlyMs);
    const RpcReply again = stage().begin(a.session());
    QCOMPARE(again.result[QStringLiteral("outcome")].toString(), QStringLiteral("resident"));
    QCOMPARE(stage().proxy().slotCalls(), QStringList());
}

void TstE2eClients::strangerGeneratingInTheSlotIsWaitedFor()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    Conversation stranger(QStringLiteral("nobody"), 7, 100);
    stage().turn(a);
    stage().proxy().forget();

    QNetworkAccessManager network;
    QNetworkRequest request(stage().server().url(QStringLiteral("/completion")));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    const std::unique_ptr<QNetworkReply> running(
        network.post(request, completionBody(stranger.prompt(), false, 3000)));
    const auto generating = [&] {
        const std::unique_ptr<QNetworkReply> seen(
            network.get(QNetworkRequest(stage().server().url(QStringLiteral("/slots")))));
        return QTest::qWaitFor([&] { return seen->isFinished(); }, 5000)
            && QJsonDocument::fromJson(seen->readAll())[0][QStringLiteral("is_processing")].toBool();
    };
    QVERIFY(QTest::qWaitFor(generating, 10000));

    const RpcReply begun = stage().begin(b.session());
    QVERIFY2(begun.ok(), qPrintable(begun.text()));
    bool sawItBusy = false;
    bool idle = false; // as the last inspect before an action showed it
    for (const auto &call : stage().proxy().calls()) {
        if (call->method == "GET" && call->isSlotCall()) {
            idle = !showsProcessing(*call);
            sawItBusy = sawItBusy || !idle;
        } else if (!call->action().isEmpty()) {
            QVERIFY2(idle, qPrintable(stage().proxy().transcript()));
        }
    }
    QVERIFY2(sawItBusy, "the stranger was gone too soon for this test to show anything");
    QVERIFY(!stage().proxy().actions().contains(c_save)); // what the slot holds now is not A's
    Turn turn { begun, complete(stage().server().port(), b.prompt()), {} };
    turn.end = stage().end(begun, turn.answer);
    b.answered(turn.answer);
    QCOMPARE(turn.answer.tokens, stage().coldReference(b));
}

void TstE2eClients::abortedRequestDoesNotSpoilTheSnapshot()
{
    KV_STAGE();
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(a);
    stage().turn(b);
    // A comes back, and its request is given up before it reached the server.
    const RpcReply begun = stage().begin(a.session());
    QCOMPARE(begun.result[QStringLiteral("outcome")].toString(), QStringLiteral("restored"));
    QVERIFY(stage()
                .client()
                .call(QStringLiteral("request.end"),
                    { { QStringLiteral("lease"), begun.result[QStringLiteral("lease")] },
                        { QStringLiteral("outcome"), QStringLiteral("aborted") } })
                .ok());
    stage().turn(b);
    const int held = a.held();
    const Turn turn = stage().turn(a);
    QCOMPARE(turn.outcome(), QStringLiteral("restored"));
    QCOMPARE(turn.begin.result[QStringLiteral("tokens")].toInt(), held);
    verifyWarm(turn, held, stage().warmReference(a));
}

QTEST_GUILESS_MAIN(TstE2eClients)
#include "tst_e2eclients.moc"
