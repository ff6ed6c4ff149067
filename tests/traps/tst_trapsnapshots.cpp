// SPDX-License-Identifier: MIT
// Traps about what is in a snapshot, and what becomes of it. Numbers as in README.md.
#include "trapkit.h"

#include <QJsonArray>

using namespace kv;
using namespace kv::test;

class TstTrapSnapshots final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trap01_savingAnEmptySlotNeverReplacesAGoodSnapshot();
    void trap04_aSaveOnAFullDiskLeavesThePreviousSnapshot();
    void trap06_aRestoreThatIsWorthNothingIsNoticedAndRests();
    void trap12_aCutFileIsNeverSent_data();
    void trap12_aCutFileIsNeverSent();
    void trap12_aFileThatKilledTheServerIsNotTriedAgain();
    void trap13_aFlippedBitIsFoundByTheChecksum_data();
    void trap13_aFlippedBitIsFoundByTheChecksum();
    void trap18_anotherVersionOfTheStateFileCondemnsNothingAtOnce();
    void trap18_anUpgradeHidesAndTheOldBuildBringsBack();
    void trap21_theSamePromptAgainIsAVerifiedRestore();
    void trap24_aCutAppendixIsNoRestore();
    void trap29_aSaveOfAnotherCountIsNoSave();
    void trap37_aSnapshotWaitsForAContextThatHoldsIt();

private:
    TrapClock m_clock;
};

void TstTrapSnapshots::trap01_savingAnEmptySlotNeverReplacesAGoodSnapshot()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    QVERIFY(good.startsWith(wordsOf('a')));

    // Emptied between two turns: it is seen, and not saved.
    stage.turn(u"A"_qs, wordsOf('a') + "more");
    stage.server().engine().slot(0).content.clear();
    stage.takeActions();
    stage.turn(u"B"_qs, wordsOf('b'));
    QVERIFY(!stage.takeActions().contains(u"save"_qs));
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::Verified);

    // Emptied between the look and the save: the server says 200, with nothing in it.
    onceCalled(stage.server(), u"save"_qs, [&] { stage.server().engine().slot(0).content.clear(); });
    stage.turn(u"B"_qs, wordsOf('b'));
    QCOMPARE(stage.stat(u"saveFailures"_qs), 1);
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "y"), u"restored"_qs);
}

void TstTrapSnapshots::trap04_aSaveOnAFullDiskLeavesThePreviousSnapshot()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    stage.turn(u"A"_qs, wordsOf('a') + "more");
    stage.server().setDiskFull(true); // a save answers 500 and leaves half a file
    stage.turn(u"B"_qs, wordsOf('b'));
    QCOMPARE(stage.stat(u"saveFailures"_qs), 1);
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::Verified);
    QVERIFY(textOf(stage.serverStatus()).contains(u"trouble"_qs));
}

void TstTrapSnapshots::trap06_aRestoreThatIsWorthNothingIsNoticedAndRests()
{
    FakeOptions options;
    options.reuseAfterRestore = false; // n_restored is right, cache_n is 0
    Stage stage(1, options);
    QVERIFY(stage.open());
    QString outcome;
    for (const char letter : { 'a', 'b' }) {
        const QString session(QChar::fromLatin1(letter));
        stage.turn(session, wordsOf(letter));
        stage.turn(session, wordsOf(letter) + "resident"); // its own prompt is stable
        QVERIFY(stage.lastEnd.dirty);
    }
    QCOMPARE(stage.turn(u"a"_qs, wordsOf('a') + QByteArray(40, 'g')), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::None);
    QVERIFY(!stage.lastEnd.cause.isEmpty());
    QCOMPARE(stage.turn(u"b"_qs, wordsOf('b') + QByteArray(40, 'g')), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::None);
    QCOMPARE(stage.serverStatus().value(u"compatibility").toString(), u"broken"_qs);
    QVERIFY(!stage.serverStatus().value(u"advice").toArray().isEmpty());
    stage.takeActions();
    QCOMPARE(stage.turn(u"a"_qs, wordsOf('a') + "once more"), u"cold"_qs);
    const QString actions = stage.takeActions();
    QVERIFY2(!actions.contains(u"save"_qs) && !actions.contains(u"restore"_qs), qPrintable(actions));
}

void TstTrapSnapshots::trap12_aCutFileIsNeverSent_data()
{
    QTest::addColumn<int>("cut");
    for (const int cut : { 1, 2, 4, 8, 16 }) {
        QTest::addRow("%d bytes", cut) << cut;
    }
    QTest::addRow("half") << -1;
    QTest::addRow("all of it") << -2;
}

void TstTrapSnapshots::trap12_aCutFileIsNeverSent()
{
    QFETCH(int, cut);
    QTemporaryDir folder;
    Stage stage(1, savingTo(folder));
    shareFolder(stage, folder);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QString name = manifestOf(stage, u"A"_qs).value(u"snapshotFilename").toString();
    QFile file(folder.filePath(name));
    const qint64 whole = file.size();
    QVERIFY(whole > 100);
    QVERIFY(file.resize(cut == -1 ? whole / 2 : cut == -2 ? 0 : whole - cut));
    int deaths = 0;
    connect(&stage.server(), &FakeLlamaServer::died, this, [&] { ++deaths; });
    stage.turn(u"B"_qs, wordsOf('b'));
    stage.takeActions();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"cold-fallback"_qs);
    QVERIFY(!stage.takeActions().contains(u"restore"_qs));
    QCOMPARE(deaths, 0);
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"state").toString(), u"invalid"_qs);
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"reason").toString(), u"FILE_SIZE"_qs);
    QVERIFY2(textOf(stage.status()).contains(name), qPrintable(textOf(stage.status())));
    // And the next good save makes it whole again.
    QVERIFY(stage.saved(u"A"_qs));
    stage.turn(u"B"_qs, wordsOf('b') + "z");
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "y"), u"restored"_qs);
}

void TstTrapSnapshots::trap12_aFileThatKilledTheServerIsNotTriedAgain()
{
    Stage stage; // server-owned: nobody but the server can see that the file is short
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    QVERIFY(stage.server().files().truncateBy(
        manifestOf(stage, u"A"_qs).value(u"snapshotFilename").toString(), 5));
    stage.turn(u"B"_qs, wordsOf('b'));
    int deaths = 0;
    connect(&stage.server(), &FakeLlamaServer::died, this, [&] { ++deaths; });
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(deaths, 1);
    QVERIFY(begun.managed); // answered, whatever became of the server
    QVERIFY(stage.server().start());
    stage.end(begun, stage.infer(wordsOf('a')));
    stage.turn(u"B"_qs, wordsOf('b') + "z");
    QVERIFY(stage.turn(u"A"_qs, wordsOf('a') + "z") != u"restored"_qs);
    QCOMPARE(deaths, 1);
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"reason").toString(), u"SERVER_DIED"_qs);
    QCOMPARE(manifestOf(stage, u"B"_qs).value(u"state").toString(), u"valid"_qs);
}

void TstTrapSnapshots::trap13_aFlippedBitIsFoundByTheChecksum_data()
{
    QTest::addColumn<int>("length");
    QTest::addRow("one bit") << 0;
    QTest::addRow("a page of zeros (trap 36)") << 4096;
}

void TstTrapSnapshots::trap13_aFlippedBitIsFoundByTheChecksum()
{
    QFETCH(int, length);
    QTemporaryDir folder;
    Stage stage(1, savingTo(folder));
    shareFolder(stage, folder);
    stage.config.restore.verify = RestoreConfig::Verify::Strict;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a', 3000));
    stage.clearEvents();
    QVERIFY(stage.saved(u"A"_qs));
    QTRY_VERIFY(stage.events().contains(u"kv.snapshot.changed"_qs)); // its checksum is known
    const QString name = manifestOf(stage, u"A"_qs).value(u"snapshotFilename").toString();
    if (length == 0) {
        QVERIFY(stage.server().files().corrupt(name));
    } else {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(4096));
        QCOMPARE(file.write(QByteArray(length, '\0')), length);
    }
    stage.turn(u"B"_qs, wordsOf('b'));
    stage.takeActions();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a', 3000) + "z"), u"cold-fallback"_qs);
    QVERIFY(!stage.takeActions().contains(u"restore"_qs));
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"state").toString(), u"invalid"_qs);
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"reason").toString(), u"FILE_CHECKSUM"_qs);
    QVERIFY2(textOf(stage.status()).contains(name), qPrintable(textOf(stage.status())));
}

void TstTrapSnapshots::trap18_anotherVersionOfTheStateFileCondemnsNothingAtOnce()
{
    FakeOptions options;
    Stage stage(1, options);
    stage.clock = &m_clock;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    FakeOptions newer = options;
    newer.stateVersion = 5; // the same build text, as distributors have it
    QVERIFY(stage.server().restartWith(newer));
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"cold-fallback"_qs);
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"state").toString(), u"suspect"_qs); // one vague 400
    QVERIFY(stage.server().restartWith(options));
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "y"), u"restored"_qs);
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"state").toString(), u"valid"_qs);
}

void TstTrapSnapshots::trap18_anUpgradeHidesAndTheOldBuildBringsBack()
{
    FakeOptions options;
    Stage stage(1, options);
    stage.clock = &m_clock;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    FakeOptions newer = options;
    newer.stateVersion = 5;
    newer.build = u"b12000-Debian"_qs;
    QVERIFY(stage.server().restartWith(newer));
    m_clock.skipSignOfLife();
    stage.takeActions();
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"cold"_qs);
    QVERIFY2(begun.grant.reason.contains(u"BUILD_CHANGED"_qs), qPrintable(begun.grant.reason));
    QVERIFY(!stage.takeActions().contains(u"restore"_qs));
    stage.end(begun, stage.infer(wordsOf('b')));
    QVERIFY(stage.server().restartWith(options));
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
}

void TstTrapSnapshots::trap21_theSamePromptAgainIsAVerifiedRestore()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    stage.turn(u"B"_qs, wordsOf('b'));
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"restored"_qs);
    const FakeCompletionReply reply = stage.infer(wordsOf('a'));
    QCOMPARE(reply.cached, wordsOf('a').size() - 1);
    QVERIFY(stage.end(begun, reply).verdict == Verdict::Verified);
}

void TstTrapSnapshots::trap24_aCutAppendixIsNoRestore()
{
    FakeOptions options;
    options.appendixBytes = 200;
    Stage stage(1, options);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    QVERIFY(stage.server().files().truncateBy(
        manifestOf(stage, u"A"_qs).value(u"snapshotFilename").toString(), 100));
    stage.turn(u"B"_qs, wordsOf('b'));
    stage.takeActions();
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"cold-fallback"_qs); // the server said 200
    QCOMPARE(stage.takeActions(), u"save restore erase"_qs);
    QVERIFY(manifestOf(stage, u"A"_qs).value(u"state").toString() != u"valid"_qs);
    QCOMPARE(stage.stat(u"restoreHits"_qs), 0);
}

void TstTrapSnapshots::trap29_aSaveOfAnotherCountIsNoSave()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    QCOMPARE(good.size(), 400 + 4 - 1); // prompt + completion − 1
    for (const int off : { -1, 1 }) {
        stage.turn(u"A"_qs, wordsOf('a') + "more");
        const QByteArray saved = QByteArray::number(stage.server().engine().slot(0).content.size() + off);
        stage.server().answerNext(u"save"_qs, 200,
            R"({"id_slot":0,"filename":"x","n_saved":)" + saved
                + R"(,"n_written":1644,"timings":{"save_ms":0.1}})");
        stage.turn(u"B"_qs, wordsOf('b'));
        QCOMPARE(savedTokens(stage, u"A"_qs), good);
        QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
    }
    QCOMPARE(stage.stat(u"saveFailures"_qs), 2);
}

void TstTrapSnapshots::trap37_aSnapshotWaitsForAContextThatHoldsIt()
{
    FakeOptions options;
    Stage stage(1, options);
    stage.clock = &m_clock;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a', 3000));
    stage.turn(u"B"_qs, wordsOf('b'));
    QVERIFY(stage.saved(u"B"_qs));
    FakeOptions other = options;
    other.slotContext = 16384;
    QVERIFY(stage.server().restartWith(other));
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a', 3000) + "z"), u"restored"_qs);
    QVERIFY(stage.saved(u"A"_qs));
    other.slotContext = 1024;
    QVERIFY(stage.server().restartWith(other));
    m_clock.skipSignOfLife();
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"cold"_qs);
    QVERIFY2(begun.grant.reason.contains(u"CONTEXT_TOO_SMALL"_qs), qPrintable(begun.grant.reason));
    stage.end(begun, stage.infer(wordsOf('c')));
    QCOMPARE(stage.turn(u"B"_qs, wordsOf('b') + "z"), u"restored"_qs); // that one fits
    QVERIFY(stage.server().restartWith(options));
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a', 3000) + "y"), u"restored"_qs);
}

QTEST_GUILESS_MAIN(TstTrapSnapshots)
#include "tst_trapsnapshots.moc"
