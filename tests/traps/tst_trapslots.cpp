// SPDX-License-Identifier: MIT
// Traps about slots: which one, who else is in it, and what it shows. Numbers as in README.md.
#include "trapkit.h"

#include <QJsonArray>

using namespace kv;
using namespace kv::test;

namespace {

FakeOptions slotsOf(int count)
{
    FakeOptions options;
    options.slotCount = count;
    return options;
}

} // namespace

class TstTrapSlots final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trap02_aSlotThatIsNotListedIsNeverSentAnything();
    void trap08_coldMayTurnOutWarm();
    void trap10_onlyListedSlotsAreHandedOut();
    void trap14_aServerThatClearsIdleSlotsKeepsItsSessions();
    void trap15_anAbsentCountAfterARestoreIsNotEmpty();
    void trap17_aRequestThatWentElsewhereIsNotTheSessionsState();
    void trap22_noCompletionIsEverSent();
    void trap23_aRestartIsWhatDiskSnapshotsAreFor();
    void trap30_aFullNeighbourIsNoEvidenceAgainstASnapshot();
    void trap31_aStrangerThatCutTheSlotIsNotSaved();
    void trap32_whatCouldNotBeSavedIsNotErased();

private:
    TrapClock m_clock;
};

void TstTrapSlots::trap02_aSlotThatIsNotListedIsNeverSentAnything()
{
    Stage stage; // its server acts on slot 3 as if it were slot 0
    stage.config.servers.front().slotId = 3;
    QVERIFY(stage.open());
    for (int i = 0; i < 3; ++i) {
        const BeginAnswer begun = stage.begin(u"A"_qs);
        QCOMPARE(toString(begun.grant.outcome), u"bypass"_qs);
        QVERIFY(!begun.grant.reason.isEmpty());
        stage.end(begun, stage.infer(wordsOf('a')));
    }
    QCOMPARE(stage.takeActions(), QString());
    QVERIFY2(textOf(stage.status()).contains(u"slotId 3"_qs), qPrintable(textOf(stage.status())));
}

void TstTrapSlots::trap08_coldMayTurnOutWarm()
{
    FakeOptions options;
    options.hostCache = true;
    Stage stage(1, options);
    stage.config.restore.enabled = false;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    stage.turn(u"B"_qs, wordsOf('b'));
    FakeCompletion unpinned;
    unpinned.prompt = wordsOf('a') + "z";
    // Somebody takes B's place, so that A's prompt waits in the host's memory.
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"cold"_qs);
    stage.server().engine().slot(0).content = wordsOf('b');
    const FakeCompletionReply reply = stage.server().engine().completeNow(unpinned);
    QVERIFY(reply.cached > 0 || reply.processed > 0);
    const EndAnswer ended = stage.end(begun, reply);
    QVERIFY(!ended.verdict.has_value()); // nothing was restored, so nothing is judged
    QVERIFY(ended.dirty);
    QVERIFY(stage.saved(u"A"_qs));
    QVERIFY(savedTokens(stage, u"A"_qs).startsWith(wordsOf('a') + "z"));
}

void TstTrapSlots::trap10_onlyListedSlotsAreHandedOut()
{
    Stage stage(1, slotsOf(2));
    manageSlots(stage);
    stage.clock = &m_clock;
    QVERIFY(stage.open());
    for (int i = 0; i < 6; ++i) {
        const BeginAnswer begun = stage.begin(u"S%1"_qs.arg(i));
        QVERIFY(begun.grant.transport);
        QVERIFY(begun.grant.transport->idSlot == 0 || begun.grant.transport->idSlot == 1);
        const char letter = static_cast<char>('a' + i);
        stage.end(begun, stage.infer(wordsOf(letter), 0, begun.grant.transport->idSlot));
    }
    QVERIFY(stage.server().restartWith(slotsOf(1)));
    m_clock.skipSignOfLife(); // no sign of life any more: the slots are looked at again
    for (int i = 0; i < 4; ++i) {
        const BeginAnswer begun = stage.begin(u"S%1"_qs.arg(i));
        QVERIFY(begun.managed);
        QVERIFY(!begun.grant.transport || begun.grant.transport->idSlot == 0);
        stage.end(begun, stage.infer(wordsOf('q')));
    }
    for (const FakeCall &call : stage.server().slotCalls()) {
        QVERIFY2(call.path == u"/slots/0"_qs || call.path == u"/slots/1"_qs, qPrintable(call.path));
    }
}

void TstTrapSlots::trap14_aServerThatClearsIdleSlotsKeepsItsSessions()
{
    // As it comes without -np: four slots in one pool, an idle one is emptied by any other's task.
    FakeOptions options = slotsOf(4);
    options.unified = true;
    options.idleClearing = true;
    options.hostCache = true;
    Stage stage(1, options);
    manageSlots(stage);
    QVERIFY(stage.open());
    const QByteArray letters("abcdef");
    for (int round = 0; round < 3; ++round) {
        for (const char letter : letters) {
            const QByteArray prompt = wordsOf(letter) + QByteArray(round * 10, 'r');
            const QString outcome = stage.turn(QString(QChar::fromLatin1(letter)), prompt);
            QVERIFY2(round == 0 || outcome == u"restored"_qs, qPrintable(outcome));
        }
    }
    for (const char letter : letters.chopped(1)) { // the last one is in its slot
        const QByteArray saved = savedTokens(stage, QString(QChar::fromLatin1(letter)));
        QVERIFY(saved.startsWith(wordsOf(letter) + QByteArray(20, 'r')));
    }
}

void TstTrapSlots::trap15_anAbsentCountAfterARestoreIsNotEmpty()
{
    Stage stage;
    stage.clock = &m_clock;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    QVERIFY(stage.server().restart());
    m_clock.skipSignOfLife(); // long enough without a sign of life
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"restored"_qs);
    QVERIFY(!stage.server().engine().slot(0).idTask); // GET /slots shows no count
    EndRequest aborted;
    aborted.connection = stage.connection();
    aborted.lease = begun.grant.lease;
    aborted.outcome = EndOutcome::Aborted; // before it had sent anything
    QVERIFY(stage.endLater(aborted)->waited());
    QTest::qWait(300);
    stage.turn(u"B"_qs, wordsOf('b'));
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"state").toString(), u"valid"_qs);
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::Verified);
}

void TstTrapSlots::trap17_aRequestThatWentElsewhereIsNotTheSessionsState()
{
    // A client that cannot send id_slot (or sends it to /v1/messages, which ignores it).
    Stage stage(1, slotsOf(2));
    manageSlots(stage);
    QVERIFY(stage.open());
    const BeginAnswer first = stage.begin(u"A"_qs);
    const int granted = first.grant.slot.id;
    QVERIFY(granted >= 0);
    const FakeCompletionReply reply = stage.infer(wordsOf('a'), 0, 1 - granted);
    stage.end(first, reply);
    stage.turn(u"B"_qs, wordsOf('b'));
    stage.turn(u"C"_qs, wordsOf('c'));
    stage.turn(u"D"_qs, wordsOf('d'));
    const QByteArray saved = savedTokens(stage, u"A"_qs);
    QVERIFY2(saved.isEmpty() || saved.startsWith(wordsOf('a')), saved.constData());
    // And where the other slot's owner is: its tokens are not A's, and A's not its.
    for (const char letter : QByteArray("bcd")) {
        const QByteArray own = savedTokens(stage, QString(QChar::fromLatin1(letter).toUpper()));
        QVERIFY2(own.isEmpty() || own.startsWith(wordsOf(letter)), own.constData());
    }
}

void TstTrapSlots::trap22_noCompletionIsEverSent()
{
    Stage stage;
    stage.watched = true;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    stage.turn(u"B"_qs, wordsOf('b'));
    stage.turn(u"A"_qs, wordsOf('a') + "z");
    QVERIFY(stage.server().restart());
    stage.turn(u"A"_qs, wordsOf('a') + "y");
    stage.server().failNext(u"slots"_qs, 500, 5);
    for (int i = 0; i < 5; ++i) {
        stage.turn(u"S%1"_qs.arg(i), wordsOf('s'));
    }
    const auto doctor = std::make_shared<Asked<QJsonObject>>();
    stage.service().doctor(
        stage.connection(), {}, [](const QJsonObject &) {}, Stage::into(doctor));
    QVERIFY(doctor->waited());
    QVERIFY(!stage.server().calls().empty());
    for (const FakeCall &call : stage.server().calls()) {
        QVERIFY2(!call.path.contains(u"completion"_qs), qPrintable(call.path));
        QVERIFY2(call.method == "GET" || call.path.startsWith(u"/slots/"_qs), qPrintable(call.path));
    }
}

void TstTrapSlots::trap23_aRestartIsWhatDiskSnapshotsAreFor()
{
    FakeOptions options;
    options.hostCache = true; // warm inside one process without us, and gone with it
    Stage stage(1, options);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    stage.turn(u"B"_qs, wordsOf('b'));
    QVERIFY(stage.saved(u"B"_qs));
    QVERIFY(stage.server().restart());
    for (const char letter : QByteArray("AB")) {
        const char small = static_cast<char>(letter + 'a' - 'A');
        QCOMPARE(stage.turn(QString(QChar::fromLatin1(letter)), wordsOf(small) + "z"), u"restored"_qs);
        QVERIFY(stage.lastEnd.verdict == Verdict::Verified);
    }
}

void TstTrapSlots::trap30_aFullNeighbourIsNoEvidenceAgainstASnapshot()
{
    FakeOptions options = slotsOf(2);
    options.unified = true;
    options.slotContext = 1000; // for both together
    Stage stage(1, options);
    manageSlots(stage);
    stage.clock = &m_clock;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a', 600));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    stage.turn(u"B"_qs, wordsOf('b', 700)); // has no room beside A, whose slot is emptied
    QCOMPARE(stage.server().engine().slot(0).content.size() + stage.server().engine().slot(1).content.size(),
        700 + 3);
    m_clock.skipSignOfLife(); // no sign of life: the slots are looked at again
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QVERIFY(begun.managed);
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QVERIFY(manifestOf(stage, u"A"_qs).value(u"state").toString() != u"invalid"_qs);
    EndRequest aborted;
    aborted.connection = stage.connection();
    aborted.lease = begun.grant.lease;
    aborted.outcome = EndOutcome::Error;
    QVERIFY(stage.endLater(aborted)->waited());
    QVERIFY(stage.server().restartWith(options)); // the neighbour is gone
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a', 600) + "z"), u"restored"_qs);
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"state").toString(), u"valid"_qs);
}

void TstTrapSlots::trap31_aStrangerThatCutTheSlotIsNotSaved()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    stage.turn(u"A"_qs, wordsOf('a') + QByteArray(200, 'm'));
    // A prompt with the same beginning, sent by somebody else, is put into this slot and cuts it.
    stage.infer(wordsOf('a', 300) + "stranger", 0, -1);
    stage.turn(u"B"_qs, wordsOf('b'));
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::Verified);
}

void TstTrapSlots::trap32_whatCouldNotBeSavedIsNotErased()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    stage.takeActions();
    stage.server().failNext(u"save"_qs, 500);
    const BeginAnswer begun = stage.begin(u"B"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"cold"_qs);
    QCOMPARE(stage.takeActions(), u"save"_qs); // the server's own cache may still keep it warm
    QVERIFY(stage.server().engine().slot(0).content.startsWith(wordsOf('a')));
}

QTEST_GUILESS_MAIN(TstTrapSlots)
#include "tst_trapslots.moc"
