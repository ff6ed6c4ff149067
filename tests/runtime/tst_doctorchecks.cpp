// SPDX-License-Identifier: MIT
// What the doctor says of facts, without any server, folder or daemon; and what a proof's numbers come to.
#include "doctorchecks.h"
#include "proofjudge.h"

#include <QTest>

Q_DECLARE_METATYPE(kv::ProofNumbers)

using namespace kv;

using Level = DoctorFinding::Result;

namespace {

ServerFindings found(int slots = 1, const QStringList &argv = {})
{
    ServerFindings out;
    out.alive = true;
    out.llamaServer = true;
    out.slotsListing = true;
    out.totalSlots = slots;
    out.slotContext = 4096;
    out.key = ServerFindings::Key::NotAsked;
    if (!argv.isEmpty()) {
        out.commandLine = parseServerCommandLine(argv);
        out.slotSavePath = !out.commandLine->slotSavePath.isEmpty();
    }
    return out;
}

DoctorSubject subject(const char *url = "http://127.0.0.1:8080")
{
    DoctorSubject out;
    out.endpoint.base = QUrl(QString::fromLatin1(url));
    out.managed = true;
    return out;
}

DoctorFinding pick(const DoctorFindings &all, const char *name)
{
    for (const DoctorFinding &one : all) {
        if (one.name == QLatin1String(name)) {
            return one;
        }
    }
    return { QStringLiteral("none"), Level::Failed, {}, {} };
}

QStringList words(const char *line) { return QString::fromLatin1(line).split(u' '); }

FolderFacts folder(int mode, qint64 owner = 1000)
{
    FolderFacts out;
    out.exists = true;
    out.folder = true;
    out.readable = true;
    out.writable = true;
    out.mode = mode;
    out.userId = owner;
    out.groupId = owner;
    out.freeBytes = 1LL << 40;
    out.fileSystem = QStringLiteral("ext4");
    return out;
}

DaemonFacts daemon()
{
    DaemonFacts out;
    out.version = QStringLiteral("1.2.0");
    out.protocol = 1;
    out.socketPath = QStringLiteral("/run/user/1000/kv-persist/api.sock");
    out.socket = folder(0600);
    out.socket.folder = false;
    out.socketFolder = folder(0700);
    out.metadataPath = QStringLiteral("/home/u/meta");
    out.metadata = folder(0700);
    out.ownUserId = 1000;
    return out;
}

/// All as a good server gives them.
ProofNumbers good()
{
    ProofNumbers out;
    out.saved = 400;
    out.cold = { 400, 1, 1 };
    out.residentSame = { 400, 1, 399 };
    out.residentContinued = { 430, 1, 400 };
    out.control = { 400, 1, 0 };
    out.same = { 400, 1, 399 };
    out.continued = { 430, 1, 400 };
    return out;
}

}

class TstDoctorChecks final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void settingsByTheCommandLine_data();
    void settingsByTheCommandLine();
    void whatIsSeenOutweighsTheCommandLine();
    void withoutACommandLineItIsSaidSo();
    void exposure_data();
    void exposure();
    void sleepBeforeAnIdleSave();
    void unknownFieldsOfTheFingerprint();
    void slotFolder_data();
    void slotFolder();
    void sharedFolder_data();
    void sharedFolder();
    void rightsOfTheServersUser();
    void theDaemonsOwn();
    void clientsOlderThanTheDaemon();
    void whatRestedBeforeIsNotForgottenByARestart();
    void everyLineThatIsNotPassedHasARemedy();
    void theProof_data();
    void theProof();
};

void TstDoctorChecks::settingsByTheCommandLine_data()
{
    QTest::addColumn<int>("slots");
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("clearing");
    QTest::addColumn<QString>("unified");
    const QString bad = QStringLiteral("warning");
    const QString ok = QStringLiteral("passed");
    QTest::newRow("the default") << 4 << QStringLiteral("llama-server") << bad << bad;
    QTest::newRow("one slot") << 1 << QStringLiteral("llama-server -np 1") << ok << ok;
    QTest::newRow("a number") << 4 << QStringLiteral("llama-server --parallel 4") << ok << ok;
    QTest::newRow("a number, unified")
        << 4 << QStringLiteral("llama-server -np 4 --kv-unified") << bad << bad;
    QTest::newRow("no number, unified") << 4 << QStringLiteral("llama-server --kv-unified") << bad << bad;
    QTest::newRow("kept") << 4 << QStringLiteral("llama-server --no-cache-idle-slots") << ok << bad;
    QTest::newRow("no cache") << 4 << QStringLiteral("llama-server --cache-ram 0") << ok << bad;
}

void TstDoctorChecks::settingsByTheCommandLine()
{
    QFETCH(const int, slots);
    QFETCH(const QString, line);
    QFETCH(const QString, clearing);
    QFETCH(const QString, unified);
    const DoctorFindings all = checkSettings(subject(), found(slots, line.split(u' ')));
    QCOMPARE(pick(all, "idle clearing").toJson({}).value(u"result").toString(), clearing);
    QCOMPARE(pick(all, "unified kv").toJson({}).value(u"result").toString(), unified);
    if (clearing == QStringView(u"warning")) {
        const DoctorFinding one = pick(all, "idle clearing");
        const bool asked = line.contains(QStringLiteral("--kv-unified"));
        QCOMPARE(one.remedy.contains(QStringLiteral("without --kv-unified")), asked);
        QCOMPARE(one.remedy.contains(QStringLiteral("--parallel")), !line.contains(QStringLiteral("-np")));
        QVERIFY(one.remedy.contains(QStringLiteral("--no-cache-idle-slots")));
        QCOMPARE(one.message.contains(QStringLiteral("without --parallel")), !asked);
    }
}

void TstDoctorChecks::whatIsSeenOutweighsTheCommandLine()
{
    DoctorSubject seen = subject();
    seen.clearsIdleSlots = true;
    const DoctorFindings all = checkSettings(seen, found(4, words("llama-server --parallel 4")));
    QVERIFY(pick(all, "idle clearing").result == Level::Warning);
}

void TstDoctorChecks::withoutACommandLineItIsSaidSo()
{
    const DoctorFindings all = checkSettings(subject(), found(4));
    QVERIFY(pick(all, "idle clearing").result == Level::Warning);
    for (const char *name : { "idle clearing", "unified kv", "prompt cache", "sleep" }) {
        QVERIFY2(pick(all, name).message.contains(QStringLiteral("not known from here"), Qt::CaseInsensitive),
            name);
    }
    // With one slot nothing of it matters: a good server is ready.
    for (const DoctorFinding &one : checkSettings(subject(), found())) {
        QVERIFY2(one.result == Level::Passed, qPrintable(one.name));
    }
}

void TstDoctorChecks::exposure_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("passes");
    const QString local = QStringLiteral("http://127.0.0.1:8080");
    QTest::newRow("local") << local << QString() << true;
    QTest::newRow("local process") << local << QStringLiteral("llama-server") << true;
    QTest::newRow("all addresses") << local << QStringLiteral("llama-server --host 0.0.0.0") << false;
    QTest::newRow("all addresses, IPv6") << local << QStringLiteral("llama-server --host ::") << false;
    QTest::newRow("with a key") << local << QStringLiteral("llama-server --host 0.0.0.0 --api-key-file k")
                                << true;
    QTest::newRow("a later option") << local << QStringLiteral("llama-server --host 0.0.0.0 --host localhost")
                                    << true;
    QTest::newRow("elsewhere") << QStringLiteral("http://10.0.0.7:8080") << QString() << false;
    QTest::newRow("a socket") << local << QStringLiteral("llama-server --host /run/l.sock") << true;
}

void TstDoctorChecks::exposure()
{
    QFETCH(const QString, url);
    QFETCH(const QString, line);
    QFETCH(const bool, passes);
    const ServerFindings seen = found(1, line.isEmpty() ? QStringList() : line.split(u' '));
    const DoctorFinding one = pick(checkSettings(subject(url.toLatin1().constData()), seen), "exposure");
    QCOMPARE(one.result == Level::Passed, passes);
    if (!passes) {
        QVERIFY(one.remedy.contains(QStringLiteral("--host 127.0.0.1"))
            && one.remedy.contains(QStringLiteral("--api-key-file")));
    }
    ServerFindings shows = seen;
    shows.showsPrompts = true;
    QVERIFY(
        pick(checkSettings(subject(url.toLatin1().constData()), shows), "exposure").result == Level::Warning);
    ServerFindings keyed = found();
    keyed.key = ServerFindings::Key::Accepted;
    QVERIFY(pick(checkSettings(subject("http://10.0.0.7:8080"), keyed), "exposure").result == Level::Passed);
}

void TstDoctorChecks::sleepBeforeAnIdleSave()
{
    const ServerFindings sleeps = found(1, words("llama-server --sleep-idle-seconds 60"));
    QVERIFY(pick(checkSettings(subject(), sleeps), "sleep").result == Level::Passed);
    DoctorSubject never = subject();
    never.idleCheckpointMs = 0;
    QVERIFY(pick(checkSettings(never, sleeps), "sleep").result == Level::Warning);
    ServerFindings asleep = sleeps;
    asleep.sleeping = true;
    QVERIFY(pick(checkSettings(subject(), asleep), "sleep").result == Level::Warning);
}

void TstDoctorChecks::unknownFieldsOfTheFingerprint()
{
    DoctorSubject one = subject();
    one.server = QStringLiteral("a");
    QVERIFY(pick(checkServer(one, found()), "fingerprint").result == Level::Passed); // nobody has looked yet
    one.identityTrouble = QStringLiteral("The model file changed.");
    QVERIFY(pick(checkServer(one, found()), "fingerprint").result == Level::Warning);
    one.fingerprint = std::make_shared<Fingerprint>(
        FieldList { { field::build.toString(), QStringLiteral("b1") } }, FieldList {}, 0);
    const DoctorFinding some = pick(checkServer(one, found()), "fingerprint");
    QVERIFY(some.result == Level::Warning);
    QVERIFY(some.message.contains(QStringLiteral("Known: build"))
        && some.message.contains(QStringLiteral("typeK")));
    QVERIFY(some.remedy.contains(QStringLiteral("runtimeKey")));
    one.runtimeKey = true;
    QVERIFY(pick(checkServer(one, found()), "fingerprint").result == Level::Passed);
}

void TstDoctorChecks::slotFolder_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<bool>("readOnly");
    QTest::addColumn<qint64>("free");
    QTest::addColumn<QString>("result");
    QTest::addColumn<QString>("remedy");
    const qint64 much = 1LL << 40;
    QTest::newRow("good") << 0700 << false << much << QStringLiteral("passed") << QString();
    QTest::newRow("readable for all")
        << 0755 << false << much << QStringLiteral("warning") << QStringLiteral("chmod 700 /data/kv");
    QTest::newRow("mounted read-only")
        << 0700 << true << much << QStringLiteral("failed") << QStringLiteral("--slot-save-path");
    QTest::newRow("no right to write")
        << 0500 << false << much << QStringLiteral("failed") << QStringLiteral("chmod 700 /data/kv");
    QTest::newRow("no room") << 0700 << false << (6LL << 30) << QStringLiteral("failed")
                             << QStringLiteral("kv-persist gc");
}

void TstDoctorChecks::slotFolder()
{
    QFETCH(const int, mode);
    QFETCH(const bool, readOnly);
    QFETCH(const qint64, free);
    QFETCH(const QString, result);
    QFETCH(const QString, remedy);
    DoctorSubject one = subject();
    one.server = QStringLiteral("a");
    one.minFreeBytes = 5LL << 30;
    one.expectedBytes = 2LL << 30;
    ServerFindings seen = found();
    seen.local = true;
    seen.userId = 1000;
    FolderFacts facts = folder(mode);
    facts.readOnly = readOnly;
    facts.freeBytes = free;
    const DoctorFindings all = checkSlotFolder(one, seen, QStringLiteral("/data/kv"), facts);
    QCOMPARE(all.size(), std::size_t { 1 });
    QCOMPARE(all.front().toJson({}).value(u"result").toString(), result);
    QVERIFY2(all.front().remedy.contains(remedy), qPrintable(all.front().remedy));
    QVERIFY(all.front().message.contains(QStringLiteral("/data/kv")));
    QVERIFY(checkSlotFolder(one, seen, {}, facts).empty()); // nobody knows where it is
    QVERIFY(checkSlotFolder(one, seen, QStringLiteral("/data/kv"), {}).front().result == Level::Failed);
}

void TstDoctorChecks::sharedFolder_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("server"); // user; the folder is user 1000's, the daemon user 1001
    QTest::addColumn<bool>("reached"); // by the daemon
    QTest::addColumn<QString>("result");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("remedy");
    const QString ok = QStringLiteral("passed");
    const QString can = QStringLiteral("can be written to by the server");
    QTest::newRow("the group's") << 0770 << 1000 << true << ok << can << QString();
    QTest::newRow("the group's, server not known")
        << 0770 << -1 << true << ok << QStringLiteral("not known from here") << QString();
    QTest::newRow("everybody's") << 0775 << 1000 << true << QStringLiteral("warning")
                                 << QStringLiteral("Others may look into")
                                 << QStringLiteral("chmod o-rwx /data/kv");
    QTest::newRow("everybody's, server not known")
        << 0777 << -1 << true << QStringLiteral("warning") << QStringLiteral("Others may look into")
        << QStringLiteral("chgrp GROUP");
    QTest::newRow("everybody's, server a stranger")
        << 0777 << 1002 << true << QStringLiteral("warning") << QStringLiteral("Others may look into")
        << QStringLiteral("chgrp GROUP");
    QTest::newRow("the daemon is shut out")
        << 0700 << 1000 << false << QStringLiteral("failed") << QStringLiteral("daemon may not")
        << QStringLiteral("snapshotBinaryManagement: server-owned");
    QTest::newRow("both shut out") << 0700 << 1002 << false << QStringLiteral("failed")
                                   << QStringLiteral("server's user may not")
                                   << QStringLiteral("chgrp GROUP");
}

void TstDoctorChecks::sharedFolder()
{
    QFETCH(const int, mode);
    QFETCH(const int, server);
    QFETCH(const bool, reached);
    QFETCH(const QString, result);
    QFETCH(const QString, message);
    QFETCH(const QString, remedy);
    DoctorSubject one = subject();
    one.server = QStringLiteral("a");
    one.shared = true;
    one.ownUserId = 1001;
    ServerFindings seen = found();
    seen.userId = server;
    seen.local = server >= 0;
    FolderFacts facts = folder(mode, 1000);
    facts.readable = facts.writable = reached;
    const DoctorFindings all = checkSlotFolder(one, seen, QStringLiteral("/data/kv"), facts);
    QCOMPARE(all.front().toJson({}).value(u"result").toString(), result);
    QVERIFY2(all.front().message.contains(message), qPrintable(all.front().message));
    QVERIFY2(all.front().remedy.contains(remedy), qPrintable(all.front().remedy));
    for (const DoctorFinding &finding : all) { // it would lock the other one out
        QVERIFY2(!finding.remedy.contains(QStringLiteral("chmod 700")), qPrintable(finding.remedy));
    }
}

void TstDoctorChecks::rightsOfTheServersUser()
{
    QCOMPARE(mayWrite(folder(0700, 1000), 1000, {}), std::optional(true));
    QCOMPARE(mayWrite(folder(0700, 1000), 1001, {}), std::optional(false));
    QCOMPARE(mayWrite(folder(0770, 1000), 1001, { 7, 1000 }), std::optional(true));
    QCOMPARE(mayWrite(folder(0750, 1000), 1001, { 1000 }), std::optional(false));
    QCOMPARE(mayWrite(folder(0707, 1000), 1001, { 1000 }), std::optional(false)); // the group's right decides
    QCOMPARE(mayWrite(folder(0777, 1000), 1001, {}), std::optional(true));
    QCOMPARE(mayWrite(folder(0000, 1000), 0, {}), std::optional(true));
    QCOMPARE(mayWrite(folder(0700, 1000), -1, {}), std::optional<bool>());
    FolderFacts readOnly = folder(0777);
    readOnly.readOnly = true;
    QCOMPARE(mayWrite(readOnly, 0, {}), std::optional(false));
}

void TstDoctorChecks::theDaemonsOwn()
{
    for (const DoctorFinding &one : checkDaemon(daemon())) {
        QVERIFY2(one.result == Level::Passed, qPrintable(one.name + one.message));
    }
    const auto with = [](const char *name, const auto &change) {
        DaemonFacts facts = daemon();
        change(facts);
        return pick(checkDaemon(facts), name);
    };
    QVERIFY(with("socket", [](DaemonFacts &f) {
        f.socket.mode = 0666;
    }).remedy.startsWith(QStringLiteral("chmod 600 ")));
    QVERIFY(with("socket", [](DaemonFacts &f) { f.socket.exists = false; }).result == Level::Failed);
    QVERIFY(with("socket", [](DaemonFacts &f) { f.socketFolder.mode = 0777; }).result == Level::Warning);
    QVERIFY(with("socket", [](DaemonFacts &f) { f.socketFolder.mode = 01777; }).result == Level::Passed);
    QVERIFY(with("metadata folder", [](DaemonFacts &f) { f.metadata.mode = 0755; }).remedy
        == QStringLiteral("chmod 700 /home/u/meta"));
    QVERIFY(with("metadata folder", [](DaemonFacts &f) { f.metadata.mode = 0500; }).result == Level::Failed);
    QVERIFY(
        with("metadata folder", [](DaemonFacts &f) { f.metadata.fileSystem = QStringLiteral("nfs4"); }).result
        == Level::Failed);
    QVERIFY(with("metadata folder", [](DaemonFacts &f) { f.metadata.freeBytes = 1000; }).result
        == Level::Warning);
    QVERIFY(with("metadata folder", [](DaemonFacts &f) { f.metadata = {}; }).result == Level::Failed);
    const ListenAddress ours { QStringLiteral("127.0.0.1"), 9932 };
    const ListenAddress all { QStringLiteral("::"), 9464 };
    QVERIFY(with("exposure", [&](DaemonFacts &f) { f.proxy = ours; }).result == Level::Passed);
    const DoctorFinding open = with("exposure", [&](DaemonFacts &f) { f.metrics = all; });
    QVERIFY(open.result == Level::Warning && open.message.contains(QStringLiteral("[::]:9464")));
    QVERIFY(open.remedy.contains(QStringLiteral("listen: 127.0.0.1:9464 under metrics:")));
    QVERIFY(with("configuration", [](DaemonFacts &f) { f.anyServer = false; }).result == Level::Failed);
}

void TstDoctorChecks::clientsOlderThanTheDaemon()
{
    DaemonFacts facts = daemon();
    facts.clients = { { QStringLiteral("dsh"), QStringLiteral("1.1.9"), true, true },
        { QStringLiteral("mine"), QStringLiteral("0.1"), false, false } };
    const DoctorFinding older = pick(checkDaemon(facts), "clients");
    QVERIFY(older.result == Level::Warning);
    QVERIFY(older.message.contains(QStringLiteral("dsh 1.1.9"))
        && !older.message.contains(QStringLiteral("mine")));
    facts.clients.front().version = QStringLiteral("1.2.0");
    const DoctorFinding same = pick(checkDaemon(facts), "clients");
    QVERIFY(same.result == Level::Passed);
    QVERIFY(same.message.contains(QStringLiteral("dsh 1.2.0 (names its slot)"))
        && same.message.contains(QStringLiteral("mine 0.1 (gone)")));
    QVERIFY(compareVersions(QStringLiteral("0.9"), QStringLiteral("0.10")) < 0);
    QCOMPARE(compareVersions(QString(), QStringLiteral("1.0")), 0);
}

void TstDoctorChecks::whatRestedBeforeIsNotForgottenByARestart()
{
    DoctorSubject one = subject();
    one.fingerprint = nullptr;
    one.server = QStringLiteral("a");
    one.rested = true;
    const DoctorFinding line = pick(checkServer(one, found()), "compatibility");
    QVERIFY(line.result == Level::Warning);
    QVERIFY(line.message.contains(QStringLiteral("ran here before")));
    one.rested = false;
    QVERIFY(pick(checkServer(one, found()), "compatibility").result == Level::Passed);
}

void TstDoctorChecks::everyLineThatIsNotPassedHasARemedy()
{
    DoctorSubject bad = subject("http://10.0.0.7:8080");
    bad.server = QStringLiteral("a");
    bad.managed = false;
    bad.slotId = 9;
    bad.paused = true;
    bad.compatibility = Compatibility::Broken;
    ServerFindings seen = found(4);
    seen.multimodal = true;
    seen.sleeping = true;
    seen.slotsListing = false;
    seen.missing = { { QStringLiteral("slots"), QStringLiteral("--slots"), QStringLiteral("hidden") } };
    DaemonFacts facts = daemon();
    facts.metadata = {};
    facts.socket = {};
    DoctorFindings all = checkServer(bad, seen);
    const DoctorFindings more = checkDaemon(facts);
    all.insert(all.end(), more.begin(), more.end());
    int notPassed = 0;
    for (const DoctorFinding &one : all) {
        QCOMPARE(one.remedy.isEmpty(), one.result == Level::Passed);
        QVERIFY(!one.message.isEmpty());
        notPassed += one.result == Level::Passed ? 0 : 1;
    }
    QVERIFY(notPassed >= 9);
}

void TstDoctorChecks::theProof_data()
{
    QTest::addColumn<ProofNumbers>("numbers");
    QTest::addColumn<int>("verdict");
    const int supported = static_cast<int>(ProofVerdict::Supported);
    const int broken = static_cast<int>(ProofVerdict::Broken);
    const int open = static_cast<int>(ProofVerdict::NotProved);
    const auto row = [](const char *name, int verdict, const auto &change) {
        ProofNumbers numbers = good();
        change(numbers);
        QTest::newRow(name) << numbers << verdict;
    };
    row("good", supported, [](ProofNumbers &) {});
    row("nothing reused", broken,
        [](ProofNumbers &n) { n.same.cachedTokens = n.continued.cachedTokens = 0; });
    row("nothing reused, disturbed", open, [](ProofNumbers &n) {
        n.same.cachedTokens = n.continued.cachedTokens = 0;
        n.undisturbed = false;
    });
    row("good though disturbed", supported, [](ProofNumbers &n) { n.undisturbed = false; });
    row("the server reuses nothing at all", open, [](ProofNumbers &n) {
        n.same.cachedTokens = n.continued.cachedTokens = n.residentSame.cachedTokens = 0;
        n.residentContinued.cachedTokens = 0;
    });
    row("cannot go back by a token, restored or not", supported,
        [](ProofNumbers &n) { n.same.cachedTokens = n.residentSame.cachedTokens = 0; });
    row("goes back only when it was not restored", open, [](ProofNumbers &n) { n.same.cachedTokens = 0; });
    row("part of it", open, [](ProofNumbers &n) { n.continued.cachedTokens = 200; });
    row("reused without a restore", open, [](ProofNumbers &n) { n.control.cachedTokens = 399; });
    row("a cold prompt was not", open, [](ProofNumbers &n) { n.cold.cachedTokens = 300; });
    row("not all of it came back", open, [](ProofNumbers &n) { n.whole = false; });
    row("nothing is told", open, [](ProofNumbers &n) { n.control = {}; });
}

void TstDoctorChecks::theProof()
{
    QFETCH(const ProofNumbers, numbers);
    QFETCH(const int, verdict);
    const ProofJudgement judgement = judgeProof(numbers);
    QCOMPARE(static_cast<int>(judgement.verdict), verdict);
    QVERIFY(!judgement.why.isEmpty());
    QCOMPARE(judgement.remedy.isEmpty(), judgement.verdict == ProofVerdict::Supported);
}

QTEST_GUILESS_MAIN(TstDoctorChecks)
#include "tst_doctorchecks.moc"
