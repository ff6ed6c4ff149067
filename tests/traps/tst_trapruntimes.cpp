// SPDX-License-Identifier: MIT
// Traps about which process and which model it is, and about watching. Numbers as in README.md.
#include "llamacppbackend.h"
#include "trapkit.h"

#include <QDateTime>
#include <QFile>
#include <QJsonArray>

using namespace kv;
using namespace kv::test;

namespace {

/// A model file of this machine; both kinds have one shape and size, and an age that tells nothing.
void writeModel(const QString &path, const QByteArray &weights)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    const QByteArray content = "GGUF" + weights.repeated(100);
    QCOMPARE(file.write(content), content.size());
    QVERIFY(file.flush()); // or the time would be set anew
    QVERIFY(file.setFileTime(
        QDateTime::fromMSecsSinceEpoch(1'600'000'000'000), QFileDevice::FileModificationTime));
}

} // namespace

class TstTrapRuntimes final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trap05_anotherModelOfTheSameShape_data();
    void trap05_anotherModelOfTheSameShape();
    void trap07_anHourOfWatchingWakesNoSleeper();
    void trap07_theIdleSaveOfASleeperIsNotMade();
    void trap16_aServerThatStopsWhileItGeneratesLosesOnlyWhatWasNew();
    void trap20_anotherRopeBaseIsAnotherRuntime();
    void trap33_aModelFileReplacedUnderARunningServer();
    void trap34_aRestartBetweenALookAndASave_data();
    void trap34_aRestartBetweenALookAndASave();
    void trap34_aRestartBetweenALookAndARestore();

private:
    TrapClock m_clock;
};

void TstTrapRuntimes::trap05_anotherModelOfTheSameShape_data()
{
    QTest::addColumn<bool>("samePath");
    QTest::addRow("at another path") << false;
    QTest::addRow("at the same path") << true;
}

void TstTrapRuntimes::trap05_anotherModelOfTheSameShape()
{
    QFETCH(bool, samePath);
    QTemporaryDir models;
    FakeOptions first;
    first.modelPath = models.filePath(u"first.gguf"_qs);
    FakeOptions second = first;
    second.weights = u"weights-b"_qs; // restores with 200, into wrong output
    second.modelPath = samePath ? first.modelPath : models.filePath(u"second.gguf"_qs);
    writeModel(first.modelPath, "one");
    if (!samePath) {
        writeModel(second.modelPath, "two");
    }
    Stage stage(1, first);
    stage.clock = &m_clock;
    stage.finder = localServer();
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    if (samePath) {
        writeModel(second.modelPath, "two");
    }
    QVERIFY(stage.server().restartWith(second));
    m_clock.skipSignOfLife();
    stage.takeActions();
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"cold"_qs);
    QVERIFY2(begun.grant.reason.contains(u"MODEL_CHANGED"_qs), qPrintable(begun.grant.reason));
    QVERIFY(!stage.takeActions().contains(u"restore"_qs));
    QCOMPARE(manifestOf(stage, u"A"_qs).value(u"state").toString(), u"hidden"_qs);
    stage.end(begun, stage.infer(wordsOf('b')));
    QVERIFY(stage.saved(u"A"_qs)); // of the second model, beside the first one's
    if (samePath) {
        writeModel(first.modelPath, "one");
    }
    QVERIFY(stage.server().restartWith(first));
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::Verified);
}

void TstTrapRuntimes::trap07_anHourOfWatchingWakesNoSleeper()
{
    constexpr int c_polls = 1800; // every two seconds
    FakeOptions options;
    Stage stage(1, options);
    stage.clock = &m_clock;
    stage.watched = true;
    stage.config.checkpoint.idleMs = 30'000;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    stage.turn(u"A"_qs, wordsOf('a') + "more"); // dirty, and its idle save would be due in the hour
    stage.server().sleepNow();
    stage.server().clearCalls();
    Watcher *watcher = stage.watcher();
    QVERIFY(watcher != nullptr);
    int polls = 0;
    connect(
        watcher, &Watcher::observed, this,
        [&] {
            m_clock.skip(2000);
            if (++polls < c_polls) {
                watcher->pollNow();
            }
        },
        Qt::QueuedConnection);
    watcher->pollNow();
    QTRY_COMPARE_WITH_TIMEOUT(polls, c_polls, 120'000);
    QTest::qWait(50);
    QVERIFY(stage.server().engine().sleeping());
    QVERIFY(stage.server().callsTo(u"/props"_qs).size() >= std::size_t { c_polls });
    QCOMPARE(stage.server().callsTo(u"/slots"_qs).size(), std::size_t { 0 });
    QCOMPARE(stage.takeActions(), QString());
    // A user who comes wakes it, and what was saved is there.
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
}

void TstTrapRuntimes::trap07_theIdleSaveOfASleeperIsNotMade()
{
    Stage stage; // nobody watches: the sleep is first seen when the idle save is due
    stage.config.checkpoint.idleMs = 300;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    stage.server().sleepNow();
    stage.server().clearCalls();
    QTest::qWait(1500);
    QVERIFY(stage.server().engine().sleeping());
    QCOMPARE(stage.server().callsTo(u"/slots"_qs).size(), std::size_t { 0 });
    QCOMPARE(stage.takeActions(), QString());
}

void TstTrapRuntimes::trap16_aServerThatStopsWhileItGeneratesLosesOnlyWhatWasNew()
{
    Stage stage;
    stage.clock = &m_clock;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"resident"_qs);
    stage.server().stop(); // its port closes at once
    EndRequest failed;
    failed.connection = stage.connection();
    failed.lease = begun.grant.lease;
    failed.outcome = EndOutcome::Error;
    QVERIFY(stage.endLater(failed)->waited());
    const BeginAnswer meanwhile = stage.begin(u"B"_qs);
    QCOMPARE(toString(meanwhile.grant.outcome), u"bypass"_qs);
    failed.lease = meanwhile.grant.lease;
    QVERIFY(stage.endLater(failed)->waited());
    QVERIFY(stage.server().start());
    m_clock.skipSignOfLife();
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
}

void TstTrapRuntimes::trap20_anotherRopeBaseIsAnotherRuntime()
{
    QTemporaryDir models;
    FakeOptions options;
    options.modelPath = models.filePath(u"tiny.gguf"_qs);
    writeModel(options.modelPath, "one");
    const QStringList plain { u"--slot-save-path"_qs, u"/tmp"_qs };
    Stage stage(1, options);
    stage.clock = &m_clock;
    QStringList arguments = plain;
    stage.finder = [&](quint16 port) { return localServer(arguments)(port); };
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    arguments = plain + QStringList { u"--rope-freq-base"_qs, u"500000"_qs };
    QVERIFY(stage.server().restart());
    m_clock.skipSignOfLife();
    stage.takeActions();
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"cold"_qs);
    QVERIFY2(begun.grant.reason.contains(u"rope"_qs), qPrintable(begun.grant.reason));
    QVERIFY(!stage.takeActions().contains(u"restore"_qs));
    stage.end(begun, stage.infer(wordsOf('b')));
    arguments = plain;
    QVERIFY(stage.server().restart());
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
}

void TstTrapRuntimes::trap33_aModelFileReplacedUnderARunningServer()
{
    QTemporaryDir models;
    FakeOptions options;
    options.modelPath = models.filePath(u"tiny.gguf"_qs);
    writeModel(options.modelPath, "one");
    Stage stage(1, options);
    stage.clock = &m_clock;
    stage.finder = localServer();
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    stage.turn(u"A"_qs, wordsOf('a') + "more");
    writeModel(options.modelPath, "two"); // what runs is still the first one
    m_clock.skipSignOfLife();
    stage.takeActions();
    stage.turn(u"B"_qs, wordsOf('b'));
    stage.turn(u"A"_qs, wordsOf('a') + "z");
    stage.turn(u"B"_qs, wordsOf('b') + "z");
    const QString actions = stage.takeActions();
    QVERIFY2(!actions.contains(u"save"_qs) && !actions.contains(u"restore"_qs), qPrintable(actions));
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QVERIFY2(textOf(stage.status()).contains(u"changed after the server had loaded it"_qs),
        qPrintable(textOf(stage.status())));
    // Restarted it is the second one, and the first one's snapshot waits for it.
    FakeOptions second = options;
    second.weights = u"weights-b"_qs;
    QVERIFY(stage.server().restartWith(second));
    m_clock.skipSignOfLife();
    stage.takeActions();
    stage.turn(u"A"_qs, wordsOf('a') + "y");
    QVERIFY(!stage.takeActions().contains(u"restore"_qs));
    writeModel(options.modelPath, "one");
    QVERIFY(stage.server().restartWith(options));
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "x"), u"restored"_qs);
}

void TstTrapRuntimes::trap34_aRestartBetweenALookAndASave_data()
{
    QTest::addColumn<bool>("sameContent");
    QTest::addRow("an empty slot") << false;
    QTest::addRow("as many tokens in the slot") << true;
}

void TstTrapRuntimes::trap34_aRestartBetweenALookAndASave()
{
    QFETCH(bool, sameContent);
    FakeOptions first;
    FakeOptions second = first;
    second.weights = u"weights-b"_qs;
    second.modelPath = u"/models/other.gguf"_qs;
    Stage stage(1, first);
    stage.clock = &m_clock;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    QVERIFY(stage.saved(u"A"_qs));
    const QByteArray good = savedTokens(stage, u"A"_qs);
    stage.turn(u"A"_qs, wordsOf('a') + "more");
    const auto tokens = static_cast<int>(stage.server().engine().slot(0).content.size());
    onceCalled(stage.server(), u"save"_qs, [&] {
        stage.server().becomes(second); // another process took the port, in an instant
        if (sameContent) {
            stage.infer(wordsOf('s', tokens - 3));
        }
    });
    const BeginAnswer begun = stage.begin(u"B"_qs);
    QVERIFY(begun.managed);
    stage.end(begun, stage.infer(wordsOf('b')));
    QVERIFY(stage.server().restartWith(first));
    m_clock.skipSignOfLife();
    QCOMPARE(savedTokens(stage, u"A"_qs), good);
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::Verified);
}

void TstTrapRuntimes::trap34_aRestartBetweenALookAndARestore()
{
    FakeOptions first;
    FakeOptions second = first;
    second.weights = u"weights-b"_qs;
    second.modelPath = u"/models/other.gguf"_qs;
    Stage stage(1, first);
    stage.clock = &m_clock;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, wordsOf('a'));
    stage.turn(u"B"_qs, wordsOf('b'));
    QVERIFY(stage.saved(u"B"_qs));
    onceCalled(stage.server(), u"restore"_qs, [&] { stage.server().becomes(second); });
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QVERIFY(begun.managed);
    QVERIFY2(begun.grant.outcome != Outcome::Restored, qPrintable(toString(begun.grant.outcome)));
    // What was restored into the wrong model is gone before anybody computes on it.
    QVERIFY(!stage.server().engine().slot(0).content.startsWith(wordsOf('a')));
    stage.end(begun, stage.infer(wordsOf('c')));
    QVERIFY(stage.server().restartWith(first));
    m_clock.skipSignOfLife();
    QCOMPARE(stage.turn(u"A"_qs, wordsOf('a') + "z"), u"restored"_qs);
}

QTEST_GUILESS_MAIN(TstTrapRuntimes)
#include "tst_trapruntimes.moc"
