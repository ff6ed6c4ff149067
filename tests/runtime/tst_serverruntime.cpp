// SPDX-License-Identifier: MIT
// One server over real HTTP with a real database: what is sent and written for a request, and what faults do.
#include "stage.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonArray>

using namespace kv;
using namespace kv::test;

namespace {
const QByteArray c_long(400, 'x');
const QByteArray c_other(300, 'y');

/// As a harness whose connection is cut while it waits.
void closeConnection(Stage &stage, ConnectionId connection) { stage.service().closeConnection(connection); }
}

class TstServerRuntime final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstRequestCostsOneErase();
    void aResidentRequestCostsNoCallAndNoWrite();
    void aSwitchSavesThenErases();
    void comingBackRestores();
    void quietSavesOnce();
    void aNewProcessMakesTheNextBeginRestore();
    void aRestartOfTheDaemonRestores();
    void aFaultOfTheSlotsApiStillGrants_data();
    void aFaultOfTheSlotsApiStillGrants();
    void threeFailuresStopAllSlotCalls();
    void aServerThatCannotSaveIsUnsupported();
    void aStrangerInTheSlotIsWaitedFor();
    void anEmptySaveKeepsTheOldSnapshot();
    void aRefusedRestoreFallsBackCold();
    void aWrongKeyGrantsAndSaysSo();
    void aClientGoneDuringARestoreLetsTheNextIn();
    void aCancelledBeginSendsNothing();
    void aSharedFolderIsSealedCheckedAndCleaned();
    void aShortenedFileIsNotRestored();
    void aModelFileSwappedWhileTheDaemonWasDownIsNoticed();
    void anUnreadableModelFileHoldsNobodyUp();
    void shutdownSavesWhatIsDirty();
    void shutdownOfAHungServerKeepsItsBound();
};

void TstServerRuntime::theFirstRequestCostsOneErase()
{
    Stage stage;
    QVERIFY(stage.open());
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QVERIFY(begun.managed);
    QCOMPARE(begun.server, u"a"_qs);
    QCOMPARE(toString(begun.grant.outcome), toString(Outcome::Cold));
    QVERIFY(begun.grant.lease != 0);
    QCOMPARE(stage.takeActions(), u"erase"_qs);
}

void TstServerRuntime::aResidentRequestCostsNoCallAndNoWrite()
{
    // Invariant 6.
    Stage stage;
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"A"_qs, c_long), u"cold"_qs);
    QStringList before; // once whatever the first one wrote is written
    QTRY_VERIFY_WITH_TIMEOUT((before = databaseState(stage.metadata()), QTest::qWait(100),
                                 !before.isEmpty() && before == databaseState(stage.metadata())),
        20'000);
    stage.server().clearCalls();
    for (int i = 0; i < 50; ++i) {
        const AskedPtr<BeginAnswer> asked = stage.beginLater(u"A"_qs);
        QVERIFY(asked->done()); // in the same pass of the event loop
        QCOMPARE(toString(asked->answer->grant.outcome), toString(Outcome::Resident));
        stage.end(*asked->answer, stage.infer(c_long));
    }
    QTest::qWait(100);
    QCOMPARE(stage.server().calls().size(), std::size_t { 0 });
    QCOMPARE(databaseState(stage.metadata()), before);
}

void TstServerRuntime::aSwitchSavesThenErases()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.takeActions();
    const BeginAnswer begun = stage.begin(u"B"_qs);
    QCOMPARE(toString(begun.grant.outcome), toString(Outcome::Cold));
    QVERIFY(begun.grant.saveMs >= 0);
    QCOMPARE(stage.takeActions(), u"save erase"_qs);
}

void TstServerRuntime::comingBackRestores()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.turn(u"B"_qs, c_other);
    stage.takeActions();
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), toString(Outcome::Restored));
    QVERIFY(begun.grant.tokens >= c_long.size());
    QCOMPARE(stage.takeActions(), u"save restore"_qs);
    const FakeCompletionReply reply = stage.infer(c_long + "more");
    QVERIFY(reply.cached >= c_long.size() - 1);
    const EndAnswer ended = stage.end(begun, reply);
    QVERIFY(ended.verdict == Verdict::Verified);
    QCOMPARE(stage.stat(u"restoreHits"_qs), 1);
    QCOMPARE(stage.serverStatus().value(u"compatibility").toString(), u"experimental"_qs);
}

void TstServerRuntime::quietSavesOnce()
{
    Stage stage;
    stage.config.checkpoint.idleMs = 150;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.takeActions();
    QTRY_COMPARE(stage.rows(), 1);
    QTest::qWait(500);
    QCOMPARE(stage.takeActions(), u"save"_qs);
    QVERIFY(stage.begin(u"A"_qs).grant.outcome == Outcome::Resident);
}

void TstServerRuntime::aNewProcessMakesTheNextBeginRestore()
{
    Stage stage;
    stage.watched = true;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    QVERIFY(stage.server().restart());
    stage.clearEvents();
    QTRY_VERIFY_WITH_TIMEOUT(stage.events().contains(u"kv.backend.ready"_qs), 10'000); // the watcher saw it
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"restored"_qs);
}

void TstServerRuntime::aRestartOfTheDaemonRestores()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    stage.crash();
    QVERIFY(stage.server().restart());
    QVERIFY(stage.open());
    QCOMPARE(stage.rows(), 1);
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"restored"_qs);
    QVERIFY(stage.lastEnd.verdict == Verdict::Verified);
}

void TstServerRuntime::aFaultOfTheSlotsApiStillGrants_data()
{
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("fault");
    for (const char *action : { "erase", "slots", "save", "restore" }) {
        for (const char *fault :
            { "500", "501", "503", "drop", "dropBefore", "garbage", "truncate", "hang" }) {
            QTest::addRow("%s %s", action, fault)
                << QString::fromLatin1(action) << QString::fromLatin1(fault);
        }
    }
}

void TstServerRuntime::aFaultOfTheSlotsApiStillGrants()
{
    QFETCH(QString, action);
    QFETCH(QString, fault);
    Stage stage;
    stage.config.servers.front().requestTimeoutMs = 1000; // a busy machine is not a fault
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    stage.turn(u"A"_qs, c_long + "dirty");
    FakeLlamaServer &server = stage.server();
    if (action == u"restore") {
        stage.turn(u"B"_qs, c_other);
    }
    if (fault == u"drop") {
        server.dropNext(action);
    } else if (fault == u"dropBefore") {
        server.dropBeforeNext(action);
    } else if (fault == u"garbage") {
        server.garbageNext(action);
    } else if (fault == u"truncate") {
        server.truncateNext(action);
    } else if (fault == u"hang") {
        server.hangNext(action);
    } else {
        server.failNext(action, fault.toInt());
    }
    // Invariant 5: cold, or without us, but granted. (10 s is what an operation may take at least.)
    const QString session = action == u"restore" ? u"A"_qs : u"C"_qs;
    const AskedPtr<BeginAnswer> asked = stage.beginLater(session);
    QTRY_VERIFY_WITH_TIMEOUT(asked->done(), 25'000);
    QVERIFY(asked->answer);
    QCOMPARE(asked->replies, 1);
    QVERIFY(asked->answer->managed);
    // And the next turns go on.
    stage.end(*asked->answer, stage.infer(c_other));
    QVERIFY(stage.turn(session, c_other + "n") != u"unmanaged"_qs);
    // Invariant 11: what was saved of A is still there.
    QVERIFY(stage.rows() >= 1);
}

void TstServerRuntime::threeFailuresStopAllSlotCalls()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.server().failNext(u"erase"_qs, 500, 3);
    stage.server().failNext(u"save"_qs, 500, 3);
    for (int i = 0; i < 4 && !stage.events().contains(u"kv.persistence.circuit_open"_qs); ++i) {
        stage.turn(u"S%1"_qs.arg(i), c_other + QByteArray::number(i));
    }
    QVERIFY(stage.events().contains(u"kv.persistence.circuit_open"_qs));
    QCOMPARE(stage.serverStatus().value(u"backend").toObject().value(u"state").toString(), u"open"_qs);
    QVERIFY(!stage.serverStatus().value(u"backend").toObject().value(u"message").toString().isEmpty());
    stage.server().clearCalls();
    const AskedPtr<BeginAnswer> asked = stage.beginLater(u"X"_qs);
    QVERIFY(asked->done());
    QCOMPARE(toString(asked->answer->grant.outcome), toString(Outcome::Bypass));
    QVERIFY(!asked->answer->grant.reason.isEmpty());
    stage.end(*asked->answer, stage.infer(c_long));
    QTest::qWait(100);
    QCOMPARE(stage.server().calls().size(), std::size_t { 0 });
}

void TstServerRuntime::aServerThatCannotSaveIsUnsupported()
{
    FakeOptions options;
    options.savePath = false;
    Stage stage(1, options);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.turn(u"B"_qs, c_other);
    QCOMPARE(stage.serverStatus().value(u"backend").toObject().value(u"state").toString(), u"unsupported"_qs);
    QVERIFY(textOf(stage.serverStatus()).contains(u"--slot-save-path"_qs));
    QCOMPARE(toString(stage.begin(u"C"_qs).grant.outcome), toString(Outcome::Bypass));
}

void TstServerRuntime::aStrangerInTheSlotIsWaitedFor()
{
    Stage stage;
    QVERIFY(stage.open());
    FakeEngine &engine = stage.server().engine();
    engine.setManualInference(true);
    FakeCompletion stranger;
    stranger.prompt = c_other;
    engine.complete(stranger, [](const FakeCompletionReply &) {});
    QVERIFY(engine.anyProcessing());
    const AskedPtr<BeginAnswer> asked = stage.beginLater(u"A"_qs);
    QTest::qWait(600);
    QVERIFY(!asked->done());
    QCOMPARE(stage.takeActions(), QString()); // looked at, never queued behind
    engine.endInference(0);
    QVERIFY(asked->waited());
    QVERIFY(asked->answer);
    QCOMPARE(toString(asked->answer->grant.outcome), toString(Outcome::Cold));
}

void TstServerRuntime::anEmptySaveKeepsTheOldSnapshot()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    stage.turn(u"A"_qs, c_long + "more");
    stage.server().answerNext(u"save"_qs, 200,
        R"({"id_slot":0,"filename":"x","n_saved":0,"n_written":36,"timings":{"save_ms":0.1}})");
    const AskedPtr<ManualAnswer> save = stage.save(u"A"_qs);
    QVERIFY(save->waited());
    QVERIFY(save->error);
    stage.turn(u"B"_qs, c_other);
    QCOMPARE(stage.turn(u"A"_qs, c_long + "even"), u"restored"_qs); // from the first save
}

void TstServerRuntime::aRefusedRestoreFallsBackCold()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.turn(u"B"_qs, c_other);
    stage.takeActions();
    stage.server().failNext(u"restore"_qs, 400);
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QCOMPARE(toString(begun.grant.outcome), toString(Outcome::ColdFallback));
    QVERIFY(!begun.grant.reason.isEmpty());
    QCOMPARE(stage.takeActions(), u"save restore erase"_qs);
    QCOMPARE(stage.stat(u"restoreFailures"_qs), 1);
    QCOMPARE(stage.stat(u"coldFallbacks"_qs), 1);
}

void TstServerRuntime::aWrongKeyGrantsAndSaysSo()
{
    FakeOptions options;
    options.apiKey = "right";
    Stage stage(1, options);
    stage.config.servers.front().apiKey = u"wrong-secret"_qs;
    QVERIFY(stage.open());
    const BeginAnswer begun = stage.begin(u"A"_qs);
    QVERIFY(begun.managed);
    QVERIFY(begun.grant.lease != 0);
    const QString status = textOf(stage.status());
    QVERIFY2(status.contains(u"key"_qs, Qt::CaseInsensitive), qPrintable(status));
    QVERIFY(!status.contains(u"wrong-secret"_qs));
}

void TstServerRuntime::aClientGoneDuringARestoreLetsTheNextIn()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.turn(u"B"_qs, c_other);
    stage.takeActions();
    stage.server().holdNext(u"restore"_qs, 1500);
    BeginRequest request = stage.request(u"A"_qs);
    request.connection = stage.service().openConnection();
    const AskedPtr<BeginAnswer> gone = stage.beginLater(request);
    QTRY_VERIFY(stage.server().slotCalls().size() == 2); // the save, and the restore under way
    closeConnection(stage, request.connection);
    const AskedPtr<BeginAnswer> next = stage.beginLater(u"B"_qs);
    QVERIFY(next->waited());
    QVERIFY(next->answer);
    QCOMPARE(toString(next->answer->grant.outcome), toString(Outcome::Restored));
    QCOMPARE(gone->replies, 0);
}

void TstServerRuntime::aCancelledBeginSendsNothing()
{
    Stage stage;
    QVERIFY(stage.open());
    const BeginAnswer holder = stage.begin(u"A"_qs);
    stage.server().clearCalls();
    const AskedPtr<BeginAnswer> waiting = stage.beginLater(u"B"_qs);
    QVERIFY(!waiting->done());
    QVERIFY(!stage.service().cancel(stage.service().openConnection(), waiting->id)); // somebody else's
    QVERIFY(stage.service().cancel(stage.connection(), waiting->id));
    QCOMPARE(waiting->replies, 1);
    QVERIFY(waiting->error);
    QCOMPARE(waiting->error->code, ErrorCode::Cancelled);
    QVERIFY(!waiting->strict);
    QVERIFY(!stage.service().cancel(stage.connection(), waiting->id));
    stage.end(holder, stage.infer(c_long));
    QTest::qWait(100);
    QCOMPARE(stage.takeActions(), QString());
}

void TstServerRuntime::aSharedFolderIsSealedCheckedAndCleaned()
{
    QTemporaryDir files;
    Stage stage(1, savingTo(files));
    shareFolder(stage, files);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    QStringList names = QDir(files.path()).entryList(QDir::Files);
    QCOMPARE(names.size(), 1);
    QCOMPARE(QFileInfo(files.filePath(names.front())).permissions() & QFileDevice::ReadOther,
        QFileDevice::Permissions());
    stage.turn(u"B"_qs, c_other);
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"restored"_qs);
    const auto purged = std::make_shared<Asked<ManualAnswer>>();
    stage.service().purge(stage.call(u"A"_qs), Stage::into(purged));
    QVERIFY(purged->waited());
    QCOMPARE(purged->answer->count, 1);
    QVERIFY(!purged->answer->fileRemains);
    QTRY_COMPARE(QDir(files.path()).entryList(QDir::Files).size(), 1); // B's
}

void TstServerRuntime::aShortenedFileIsNotRestored()
{
    QTemporaryDir files;
    Stage stage(1, savingTo(files));
    shareFolder(stage, files);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    const QString name = QDir(files.path()).entryList(QDir::Files).value(0);
    QFile file(files.filePath(name));
    QVERIFY(file.resize(file.size() - 5));
    stage.turn(u"B"_qs, c_other);
    stage.takeActions();
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"cold-fallback"_qs);
    QVERIFY(!stage.takeActions().contains(u"restore"_qs)); // a cut file would abort the server
}

namespace {
/// As if the fake were a llama-server of this machine, started some time ago.
ProcessFinder localServer(qint64 startedWallMs)
{
    return [startedWallMs](quint16) {
        LocalProcess process;
        process.pid = QCoreApplication::applicationPid();
        process.startTicks = 1;
        process.startWallMs = startedWallMs;
        process.argv
            = { QStringLiteral("llama-server"), QStringLiteral("--slot-save-path"), QStringLiteral("/tmp") };
        process.workingDirectory = QStringLiteral("/");
        return std::optional<LocalProcess>(process);
    };
}
}

void TstServerRuntime::aModelFileSwappedWhileTheDaemonWasDownIsNoticed()
{
    QTemporaryDir models;
    const QString model = models.filePath(u"tiny.gguf"_qs);
    const auto write = [&](const QByteArray &content) {
        QFile file(model);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
        // The same age, as a copy that keeps times: only the content tells.
        QVERIFY(file.setFileTime(
            QDateTime::fromMSecsSinceEpoch(1'600'000'000'000), QFileDevice::FileModificationTime));
    };
    write("GGUF one");
    FakeOptions options;
    options.modelPath = model;
    Stage stage(1, options);
    stage.finder = localServer(QDateTime::currentMSecsSinceEpoch());
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    QVERIFY(stage.stop());
    write("GGUF two");
    QVERIFY(stage.open()); // the same server process: it still holds the former model
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z") == u"restored"_qs, false);
    QVERIFY2(textOf(stage.status()).contains(u"changed after the server had loaded it"_qs),
        qPrintable(textOf(stage.status())));
}

void TstServerRuntime::anUnreadableModelFileHoldsNobodyUp()
{
    QTemporaryDir models;
    FakeOptions options;
    options.modelPath = models.filePath(u"gone.gguf"_qs);
    Stage stage(1, options);
    stage.finder = localServer(QDateTime::currentMSecsSinceEpoch());
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"A"_qs, c_long), u"cold"_qs);
    stage.turn(u"B"_qs, c_other);
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"restored"_qs); // what is not known does not count
}

void TstServerRuntime::shutdownSavesWhatIsDirty()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.takeActions();
    QVERIFY(stage.stop());
    QCOMPARE(stage.takeActions(), u"save"_qs);
    QVERIFY(stage.open());
    QCOMPARE(stage.rows(), 1);
}

void TstServerRuntime::shutdownOfAHungServerKeepsItsBound()
{
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.server().hangNext(u"save"_qs);
    QElapsedTimer time;
    time.start();
    QVERIFY(stage.stop(500));
    QVERIFY(time.elapsed() < 10'000); // far below what the save itself might take
    QVERIFY(stage.open());
    QCOMPARE(stage.rows(), 0);
    // The server may still write to that save's file: its number rests until another process is seen.
    stage.turn(u"B"_qs, c_long);
    QVERIFY(stage.saved(u"B"_qs));
    SessionCall call;
    call.session = u"B"_qs;
    const QJsonObject found = stage.service().get(call).value();
    const QString file = found[u"manifests"_qs][0][u"snapshotFilename"_qs].toString();
    QVERIFY2(file.endsWith(u".bin"_qs) && !file.endsWith(u"-0.bin"_qs), qPrintable(file));
}

QTEST_GUILESS_MAIN(TstServerRuntime)
#include "tst_serverruntime.moc"
