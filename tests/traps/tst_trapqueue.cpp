// SPDX-License-Identifier: MIT
// Traps of the server's own queue: what was sent runs later, once, on whatever the slot holds by then.
// Numbers as in README.md.
#include "trapkit.h"

#include <QElapsedTimer>
#include <QTimer>

using namespace kv;
using namespace kv::test;

class TstTrapQueue final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trap03_aSaveBehindAStrangerIsNeverTheSessions();
    void trap03_aSaveThatWaitedIsNotBelievedForItsCount();
    void trap03_aNameOfALateSaveIsNotUsedAgain();
    void trap11_anAbortedAnswerIsTheSessionsOwn();
    void trap25_aLateSaveRunsAfterTheNextSessionsRequest();
    void trap26_aRequestThatIsWipedIsNobodysState();
    void trap26_nobodyHangsBehindALateAction();
    void trap27_aDaemonThatDiedLeavesASaveBehind();
    void trap28_aServerThatTakesAnOverlongPromptIsSentOneAtMost();
    void trap28_theNudgeWakesWhoIsStranded();

private:
    /// Sessions A (saved, then grown) in a server that takes 300 ms for slow.
    void prepare(Stage &stage)
    {
        stage.clock = &m_clock;
        stage.config.servers.front().requestTimeoutMs = 1000;
        QVERIFY(stage.open());
        stage.turn(u"A"_qs, wordsOf('a'));
        QVERIFY(stage.saved(u"A"_qs));
        m_good = savedTokens(stage, u"A"_qs);
        QVERIFY(m_good.startsWith(wordsOf('a')));
        stage.turn(u"A"_qs, wordsOf('a') + "more");
        stage.takeActions();
    }
    /// A's snapshot is what it was, and works.
    void verifyUnharmed(Stage &stage)
    {
        QCOMPARE(savedTokens(stage, u"A"_qs), m_good);
        QCOMPARE(manifestOf(stage, u"A"_qs).value(u"state").toString(), u"valid"_qs);
        QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
        QVERIFY(stage.lastEnd.verdict == Verdict::Verified);
    }
    static int completionsSent(const FakeLlamaServer &server)
    {
        return static_cast<int>(server.callsTo(u"/completion"_qs).size());
    }
    QByteArray m_good;
    TrapClock m_clock;
};

void TstTrapQueue::trap03_aSaveBehindAStrangerIsNeverTheSessions()
{
    Stage stage;
    prepare(stage);
    FakeLlamaServer &server = stage.server();
    // The slot was idle when it was looked at; then somebody came, and the save waits behind them.
    onceCalled(server, u"save"_qs, [&] { strangerBegins(server, wordsOf('s')); });
    const AskedPtr<BeginAnswer> next = stage.beginLater(u"B"_qs);
    QTest::qWait(3000); // far past the save's time
    QCOMPARE(server.engine().deferred(), std::size_t { 1 }); // sent once, and still to come
    server.engine().endInference(0);
    server.engine().setManualInference(false);
    QTRY_COMPARE_WITH_TIMEOUT(server.engine().deferred(), std::size_t { 0 }, 5000);
    QVERIFY(next->waited());
    QVERIFY(next->answer && next->answer->managed);
    stage.end(*next->answer, stage.infer(wordsOf('b')));
    QVERIFY(stage.stat(u"saveFailures"_qs) >= 1);
    verifyUnharmed(stage);
}

void TstTrapQueue::trap03_aSaveThatWaitedIsNotBelievedForItsCount()
{
    Stage stage;
    stage.config.servers.front().requestTimeoutMs = 5000; // in time, this time
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    stage.turn(u"A"_qs, wordsOf('a') + "more");
    // The stranger's request leaves exactly as many tokens as the session's.
    const auto tokens = static_cast<int>(stage.server().engine().slot(0).content.size());
    onceCalled(stage.server(), u"save"_qs, [&] {
        strangerBegins(stage.server(), wordsOf('s', tokens - 3));
        QTimer::singleShot(400, &stage.server(), [&] {
            stage.server().engine().endInference(0);
            stage.server().engine().setManualInference(false);
        });
    });
    const AskedPtr<BeginAnswer> next = stage.beginLater(u"B"_qs);
    QVERIFY(next->waited());
    QVERIFY(next->answer && next->answer->managed);
    stage.end(*next->answer, stage.infer(wordsOf('b')));
    QVERIFY2(savedTokens(stage, u"A"_qs).startsWith(wordsOf('a')), savedTokens(stage, u"A"_qs).constData());
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
}

void TstTrapQueue::trap03_aNameOfALateSaveIsNotUsedAgain()
{
    Stage stage;
    prepare(stage);
    FakeLlamaServer &server = stage.server();
    onceCalled(server, u"save"_qs, [&] { strangerBegins(server, wordsOf('s')); });
    const AskedPtr<BeginAnswer> next = stage.beginLater(u"B"_qs);
    QTest::qWait(3000);
    const QString late = server.slotCalls().back().json().value(u"filename").toString();
    QCOMPARE(server.slotCalls().back().action(), u"save"_qs);
    server.engine().endInference(0); // it runs now
    server.engine().setManualInference(false);
    QVERIFY(next->waited());
    stage.end(*next->answer, stage.infer(wordsOf('b')));
    stage.turn(u"B"_qs, wordsOf('b') + "more"); // owned, if that one was granted as a stranger's
    stage.turn(u"C"_qs, wordsOf('c'));
    QByteArray b = savedTokens(stage, u"B"_qs);
    QVERIFY2(b.startsWith(wordsOf('b')), b.constData());
    // Whatever came of the late one, no row names what it wrote.
    const QByteArray written = tokensIn(server.files().read(late).value_or(QByteArray()));
    for (const QString &session : { u"A"_qs, u"B"_qs, u"C"_qs }) {
        const QJsonObject row = manifestOf(stage, session);
        QVERIFY(row.value(u"snapshotFilename").toString() != late || !written.startsWith(wordsOf('s')));
    }
    verifyUnharmed(stage);
}

void TstTrapQueue::trap11_anAbortedAnswerIsTheSessionsOwn()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const BeginAnswer begun = stage.begin(u"A"_qs);
    stage.infer(wordsOf('a') + QByteArray(60, 'n'));
    EndRequest aborted;
    aborted.connection = stage.connection();
    aborted.lease = begun.grant.lease;
    aborted.outcome = EndOutcome::Aborted;
    aborted.timings.firstChunkMs = 5; // the client had seen a part of the answer
    QVERIFY(stage.endLater(aborted)->waited());
    stage.turn(u"B"_qs, wordsOf('b'));
    const QByteArray saved = savedTokens(stage, u"A"_qs);
    QVERIFY2(saved.startsWith(wordsOf('a')), saved.constData());
    QVERIFY2(saved.contains('n'), saved.constData());
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + QByteArray(60, 'n')), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::Verified);
}

void TstTrapQueue::trap25_aLateSaveRunsAfterTheNextSessionsRequest()
{
    Stage stage;
    prepare(stage);
    FakeLlamaServer &server = stage.server();
    // Somebody's own slot action stands before ours: when the stranger's request ends it runs, and wakes
    // nobody. The server is idle then, and our save is still to come.
    onceCalled(server, u"save"_qs, [&] {
        strangerBegins(server, wordsOf('s'));
        server.engine().action(SlotAction::Save, 0, u"somebody.bin"_qs, [](const FakeActionReply &) {});
    });
    const AskedPtr<BeginAnswer> next = stage.beginLater(u"B"_qs);
    QTest::qWait(3000);
    QCOMPARE(server.engine().deferred(), std::size_t { 2 });
    server.engine().endInference(0);
    server.engine().setManualInference(false);
    QVERIFY(next->waited());
    QVERIFY(next->answer && next->answer->managed);
    QCOMPARE(server.engine().deferred(), std::size_t { 1 });
    // The end of B's request wakes the save of A, with B's state in the slot.
    FakeCompletionReply reply;
    FakeCompletion request;
    request.prompt = wordsOf('b');
    server.engine().complete(request, [&](const FakeCompletionReply &done) { reply = done; });
    QTRY_COMPARE(reply.status, 200);
    QTRY_COMPARE(reply.predicted, 4);
    stage.end(*next->answer, reply);
    QTRY_COMPARE(server.engine().deferred(), std::size_t { 0 });
    QTest::qWait(100);
    const QByteArray b = savedTokens(stage, u"B"_qs);
    QVERIFY2(b.isEmpty() || b.startsWith(wordsOf('b')), b.constData());
    stage.turn(u"C"_qs, wordsOf('c'));
    verifyUnharmed(stage);
}

void TstTrapQueue::trap26_aRequestThatIsWipedIsNobodysState()
{
    // An erase that waited is carried out over the next request: 400 tokens become none.
    Stage stage;
    prepare(stage);
    FakeLlamaServer &server = stage.server();
    onceCalled(server, u"erase"_qs, [&] {
        strangerBegins(server, wordsOf('s'));
        server.engine().action(SlotAction::Save, 0, u"somebody.bin"_qs, [](const FakeActionReply &) {});
    });
    const AskedPtr<BeginAnswer> next = stage.beginLater(u"B"_qs); // saves A, then erases
    QTest::qWait(6000);
    server.engine().endInference(0);
    server.engine().setManualInference(false);
    QVERIFY(next->waited());
    QVERIFY(next->answer && next->answer->managed);
    stage.end(*next->answer, stage.infer(wordsOf('b')));
    QTest::qWait(300);
    stage.turn(u"C"_qs, wordsOf('c'));
    const QByteArray b = savedTokens(stage, u"B"_qs);
    QVERIFY2(b.isEmpty() || b.startsWith(wordsOf('b')), b.constData());
    QVERIFY(savedTokens(stage, u"A"_qs).startsWith(wordsOf('a') + "more"));
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "more" + "z"), u"restored"_qs);
}

void TstTrapQueue::trap26_nobodyHangsBehindALateAction()
{
    Stage stage;
    prepare(stage);
    FakeLlamaServer &server = stage.server();
    server.hangNext(u"save"_qs); // done, and never answered
    QElapsedTimer time;
    time.start();
    for (int i = 0; i < 6; ++i) {
        const AskedPtr<BeginAnswer> asked = stage.beginLater(u"S%1"_qs.arg(i));
        QVERIFY(asked->waited());
        QVERIFY(asked->answer && asked->answer->managed);
        stage.end(*asked->answer, stage.infer(wordsOf(static_cast<char>('f' + i))));
    }
    QVERIFY(time.elapsed() < 60'000);
    QVERIFY(server.restart()); // and with the process all that was unanswered is over
    QTest::qWait(100);
    m_clock.skipSignOfLife();
    verifyUnharmed(stage);
}

void TstTrapQueue::trap27_aDaemonThatDiedLeavesASaveBehind()
{
    Stage stage;
    prepare(stage);
    stage.server().delayNext(u"save"_qs, 1200); // runs that much later, whoever has gone
    const AskedPtr<ManualAnswer> save = stage.save(u"A"_qs);
    QTRY_VERIFY(!stage.server().slotCalls().empty());
    const QString left = stage.server().slotCalls().back().json().value(u"filename").toString();
    stage.crash();
    QVERIFY(stage.open());
    stage.turn(u"B"_qs, wordsOf('b'));
    QVERIFY(stage.saved(u"B"_qs));
    QVERIFY(manifestOf(stage, u"B"_qs).value(u"snapshotFilename").toString() != left);
    QTRY_VERIFY_WITH_TIMEOUT(stage.server().files().read(left).has_value(), 5000); // now it was written
    QVERIFY(savedTokens(stage, u"B"_qs).startsWith(wordsOf('b')));
    verifyUnharmed(stage);
    QCOMPARE(save->replies, 0);
}

void TstTrapQueue::trap28_aServerThatTakesAnOverlongPromptIsSentOneAtMost()
{
    // It cuts the prompt instead of refusing it: that is found out once, where it harms nobody.
    FakeOptions options;
    options.truncatesOverlong = true;
    Stage stage(1, options);
    prepare(stage);
    FakeLlamaServer &server = stage.server();
    for (int i = 0; i < 3; ++i) {
        server.hangNext(u"save"_qs); // its reply never comes: something may be stranded behind it
        stage.turn(u"B%1"_qs.arg(i), wordsOf('b'));
        QTest::qWait(300);
        stage.turn(u"C%1"_qs.arg(i), wordsOf('c'));
        QTest::qWait(300);
        QVERIFY(server.restart());
        m_clock.skipSignOfLife();
    }
    QVERIFY2(completionsSent(server) <= 1, qPrintable(QString::number(completionsSent(server))));
    verifyUnharmed(stage);
}

void TstTrapQueue::trap28_theNudgeWakesWhoIsStranded()
{
    Stage stage;
    prepare(stage);
    FakeLlamaServer &server = stage.server();
    // Our save waits behind a stranger's request, and another stranger's unpinned request behind that: when
    // the first one ends the save runs, and wakes nobody.
    bool stranded = false;
    onceCalled(server, u"save"_qs, [&] {
        strangerBegins(server, wordsOf('s'));
        QTimer::singleShot(100, &server, [&] {
            FakeCompletion second;
            second.prompt = wordsOf('t');
            stranded = true;
            server.engine().complete(second, [&](const FakeCompletionReply &) { stranded = false; });
        });
    });
    const AskedPtr<ManualAnswer> save = stage.save(u"A"_qs);
    QTest::qWait(4000); // far longer than the save itself
    QVERIFY(stranded);
    QCOMPARE(server.engine().deferred(), std::size_t { 2 });
    server.engine().setManualInference(false);
    server.engine().endInference(0);
    QVERIFY(save->waited());
    QTRY_VERIFY_WITH_TIMEOUT(!stranded, 10'000);
    QVERIFY(completionsSent(server) <= 2); // one to learn the build, one to wake
    stage.turn(u"B"_qs, wordsOf('b'));
    verifyUnharmed(stage);
}

QTEST_GUILESS_MAIN(TstTrapQueue)
#include "tst_trapqueue.moc"
