// SPDX-License-Identifier: MIT
// What the doctor finds at a server, and what it says to do.
#include "doctorrun.h"
#include "fakellamaserver.h"

#include <QDir>
#include <QFile>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

struct Findings {
    QJsonObject document;
    QList<QJsonObject> checks;

    [[nodiscard]] QString result() const { return document.value(u"result").toString(); }
    [[nodiscard]] QJsonObject check(const QString &name) const
    {
        for (const QJsonObject &one : checks) {
            if (one.value(u"name").toString() == name) {
                return one;
            }
        }
        return {};
    }
    [[nodiscard]] QString of(const QString &name) const { return check(name).value(u"result").toString(); }
};

QThreadPool &pool()
{
    static QThreadPool threads;
    return threads;
}

Findings run(std::vector<DoctorSubject> subjects, const std::optional<DaemonFacts> &daemon = {},
    const std::optional<LocalProcess> &process = {})
{
    Findings findings;
    int finished = 0;
    DoctorRun::Tools tools;
    tools.pool = &pool();
    tools.finder = [process](quint16) { return process; };
    DoctorRun doctor(std::move(subjects), daemon, tools);
    QObject::connect(
        &doctor, &DoctorRun::check, &doctor, [&](const QJsonObject &one) { findings.checks.append(one); });
    QObject::connect(&doctor, &DoctorRun::finished, &doctor, [&](const QJsonObject &document) {
        findings.document = document;
        ++finished;
    });
    doctor.start();
    if (finished != 0 || !findings.checks.isEmpty()) {
        return {}; // never before start() has returned
    }
    [[maybe_unused]] const bool done = QTest::qWaitFor([&] { return finished > 0; }, 20'000);
    QTest::qWait(20);
    return finished == 1 ? findings : Findings {};
}

DoctorSubject subject(const FakeLlamaServer &server, const QByteArray &key = {})
{
    DoctorSubject one;
    one.server = QStringLiteral("a");
    one.endpoint.base = server.url();
    one.endpoint.apiKey = key;
    one.endpoint.requestTimeoutMs = 1000;
    // All that decides is known.
    FieldList fields;
    for (const QStringView name : { field::build, field::modelPath, field::fileSample, field::typeK,
             field::typeV, field::flashAttention, field::rope, field::lora, field::draftModel, field::swaFull,
             field::kvUnified, field::streams }) {
        fields.emplace_back(name.toString(), QStringLiteral("x"));
    }
    one.fingerprint = std::make_shared<Fingerprint>(fields, FieldList {}, 0);
    return one;
}

}

class TstDoctorRun final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aGoodServerIsReadyWithOneDoubt();
    void whatSavedBeforeIsReady();
    void noServer();
    void anotherProgramOnThePort_data();
    void anotherProgramOnThePort();
    void aServerWithoutSavePath();
    void aServerThatHidesItsSlots();
    void aWrongOrMissingKey();
    void severalSlotsOfWhichOneIsManaged();
    void aSlotThatIsNotThere();
    void aSleepingServerIsNotWoken();
    void aLoadingServer();
    void oneAfterTheOther();
    void theDaemonComesFirst();
    void whatTheCommandLineTells();
    void aRouterIsNamed();
    void aRouterIsJudgedByHowItWasStarted_data();
    void aRouterIsJudgedByHowItWasStarted();
    void itSendsNothingButGets();
    void deletingItCancels();
};

void TstDoctorRun::aGoodServerIsReadyWithOneDoubt()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    const Findings found = run({ subject(server) });
    QCOMPARE(found.of(QStringLiteral("reachable")), QStringLiteral("passed"));
    QCOMPARE(found.of(QStringLiteral("model")), QStringLiteral("passed"));
    QCOMPARE(found.of(QStringLiteral("slots")), QStringLiteral("passed"));
    QCOMPARE(found.of(QStringLiteral("slot saving")), QStringLiteral("warning")); // no GET tells
    QCOMPARE(found.result(), QStringLiteral("ready-with-warnings"));
    QCOMPARE(found.document.value(u"checks").toArray().size(), found.checks.size());
    for (const QJsonObject &check : found.checks) {
        QCOMPARE(check.value(u"server").toString(), QStringLiteral("a"));
        QVERIFY(!check.value(u"message").toString().isEmpty());
        QCOMPARE(check.contains(u"remedy"), check.value(u"result").toString() != QStringLiteral("passed"));
    }
}

void TstDoctorRun::whatSavedBeforeIsReady()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    DoctorSubject one = subject(server);
    one.savedBefore = true;
    QCOMPARE(run({ one }).result(), QStringLiteral("ready"));
}

void TstDoctorRun::noServer()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    const DoctorSubject one = subject(server);
    server.stop();
    const Findings found = run({ one });
    QCOMPARE(found.of(QStringLiteral("reachable")), QStringLiteral("failed"));
    QVERIFY(!found.check(QStringLiteral("reachable")).value(u"remedy").toString().isEmpty());
    QCOMPARE(found.checks.size(), 1); // nothing else can be said
    QCOMPARE(found.result(), QStringLiteral("not-ready"));
}

void TstDoctorRun::anotherProgramOnThePort_data()
{
    QTest::addColumn<QString>("scheme");
    QTest::addColumn<QByteArray>("answer");
    const QString http = QStringLiteral("http");
    QTest::newRow("another web server")
        << http << QByteArray("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    QTest::newRow("no web server") << http << QByteArray("SSH-2.0-OpenSSH_9.2p1\r\n");
    QTest::newRow("it hangs up") << http << QByteArray();
    QTest::newRow("https, where plain http is spoken")
        << http + u's' << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
}

void TstDoctorRun::anotherProgramOnThePort()
{
    QFETCH(const QString, scheme);
    QFETCH(const QByteArray, answer);
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    connect(&other, &QTcpServer::newConnection, &other, [&] {
        QTcpSocket *socket = other.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, socket, [socket, answer] {
            socket->write(answer);
            socket->disconnectFromHost();
        });
    });
    FakeLlamaServer unused;
    DoctorSubject one = subject(unused);
    one.endpoint.base = QUrl(QStringLiteral("%1://127.0.0.1:%2").arg(scheme).arg(other.serverPort()));
    const Findings found = run({ one });
    QCOMPARE(found.of(QStringLiteral("reachable")), QStringLiteral("failed"));
    const QString remedy = found.check(QStringLiteral("reachable")).value(u"remedy").toString();
    QVERIFY2(remedy.startsWith(QStringLiteral("Set baseURL")), qPrintable(remedy));
}

void TstDoctorRun::aServerWithoutSavePath()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    DoctorSubject one = subject(server);
    one.knownTrouble = QStringLiteral("It was started without --slot-save-path.");
    const Findings found = run({ one });
    QCOMPARE(found.of(QStringLiteral("slot saving")), QStringLiteral("failed"));
    QVERIFY(found.check(QStringLiteral("slot saving"))
                .value(u"remedy")
                .toString()
                .contains(QStringLiteral("--slot-save-path")));
    QCOMPARE(found.result(), QStringLiteral("not-ready"));
}

void TstDoctorRun::aServerThatHidesItsSlots()
{
    FakeOptions options;
    options.slotsEndpoint = false;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    const Findings found = run({ subject(server) });
    QCOMPARE(found.of(QStringLiteral("slots")), QStringLiteral("failed"));
    QVERIFY(
        found.check(QStringLiteral("slots")).value(u"remedy").toString().contains(QStringLiteral("--slots")));
    QCOMPARE(found.result(), QStringLiteral("not-ready"));
}

void TstDoctorRun::aWrongOrMissingKey()
{
    FakeOptions options;
    options.apiKey = "right";
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    for (const QByteArray &key : { QByteArray(), QByteArray("wr0ng") }) {
        const Findings found = run({ subject(server, key) });
        QCOMPARE(found.of(QStringLiteral("api key")), QStringLiteral("failed"));
        QCOMPARE(found.result(), QStringLiteral("not-ready"));
        for (const QJsonObject &check : found.checks) {
            QVERIFY(!check.value(u"message").toString().contains(QStringLiteral("wr0ng")));
        }
    }
    QVERIFY(run({ subject(server, "right") }).of(QStringLiteral("api key")) != QStringLiteral("failed"));
}

void TstDoctorRun::severalSlotsOfWhichOneIsManaged()
{
    FakeOptions options;
    options.slotCount = 4;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    DoctorSubject one = subject(server);
    const Findings single = run({ one });
    QCOMPARE(single.of(QStringLiteral("slot count")), QStringLiteral("warning"));
    QVERIFY(
        single.check(QStringLiteral("slot count")).value(u"message").toString().contains(QLatin1Char('4')));
    one.managed = true;
    QCOMPARE(run({ one }).of(QStringLiteral("slot count")), QStringLiteral("passed"));
}

void TstDoctorRun::aSlotThatIsNotThere()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    DoctorSubject one = subject(server);
    one.slotId = 3;
    QCOMPARE(run({ one }).of(QStringLiteral("slot count")), QStringLiteral("failed"));
}

void TstDoctorRun::aSleepingServerIsNotWoken()
{
    // Invariant 12.
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.sleepNow();
    const Findings found = run({ subject(server) });
    QCOMPARE(found.of(QStringLiteral("sleep")), QStringLiteral("warning"));
    QVERIFY(server.engine().sleeping());
    QVERIFY(server.callsTo(QStringLiteral("/slots")).empty());
}

void TstDoctorRun::aLoadingServer()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.setLoading(true);
    const Findings found = run({ subject(server) });
    QCOMPARE(found.of(QStringLiteral("reachable")), QStringLiteral("warning"));
    QCOMPARE(found.checks.size(), 1);
    QCOMPARE(found.result(), QStringLiteral("ready-with-warnings"));
}

void TstDoctorRun::oneAfterTheOther()
{
    FakeLlamaServer good;
    FakeLlamaServer gone;
    QVERIFY(good.start() && gone.start());
    DoctorSubject second = subject(gone);
    second.server = QStringLiteral("b");
    gone.stop();
    const Findings found = run({ second, subject(good) });
    QCOMPARE(found.checks.front().value(u"server").toString(), QStringLiteral("b"));
    QCOMPARE(found.checks.back().value(u"server").toString(), QStringLiteral("a"));
    QCOMPARE(found.result(), QStringLiteral("not-ready"));
}

void TstDoctorRun::theDaemonComesFirst()
{
    QTemporaryDir folder;
    DaemonFacts daemon;
    daemon.version = QStringLiteral("1.2.3");
    daemon.protocol = 1;
    daemon.metadataPath = folder.path();
    const Findings found = run({}, daemon);
    QCOMPARE(found.result(), QStringLiteral("ready"));
    QCOMPARE(found.checks.front().value(u"name").toString(), QStringLiteral("daemon"));
    QCOMPARE(found.of(QStringLiteral("metadata folder")), QStringLiteral("passed"));
    for (const QJsonObject &check : found.checks) {
        QVERIFY(!check.contains(u"server"));
    }
    daemon.metadataPath = folder.filePath(QStringLiteral("nowhere"));
    QCOMPARE(run({}, daemon).of(QStringLiteral("metadata folder")), QStringLiteral("failed"));
}

void TstDoctorRun::whatTheCommandLineTells()
{
    QTemporaryDir folder;
    FakeOptions options;
    options.slotCount = 4;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LocalProcess process;
    process.pid = 1;
    process.argv = QStringList { QStringLiteral("llama-server"), QStringLiteral("--host"),
        QStringLiteral("0.0.0.0"), QStringLiteral("--slot-save-path"), QStringLiteral("kv"),
        QStringLiteral("--sleep-idle-seconds"), QStringLiteral("60") };
    process.workingDirectory = folder.path();
    DoctorSubject one = subject(server);
    one.managed = true;
    const Findings found = run({ one }, {}, process);
    QCOMPARE(found.of(QStringLiteral("slot saving")), QStringLiteral("passed"));
    // The folder of the command line, from where the process runs; it is not there.
    QCOMPARE(found.of(QStringLiteral("slot folder")), QStringLiteral("failed"));
    QVERIFY(found.check(QStringLiteral("slot folder"))
                .value(u"message")
                .toString()
                .contains(folder.filePath(QStringLiteral("kv"))));
    QCOMPARE(found.of(QStringLiteral("idle clearing")), QStringLiteral("warning"));
    QCOMPARE(found.of(QStringLiteral("unified kv")), QStringLiteral("warning"));
    QCOMPARE(found.of(QStringLiteral("exposure")), QStringLiteral("warning"));
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("kv")));
    QVERIFY(QFile::setPermissions(folder.filePath(QStringLiteral("kv")),
        QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup));
    const Findings open = run({ one }, {}, process);
    QCOMPARE(open.of(QStringLiteral("slot folder")), QStringLiteral("warning"));
    QVERIFY(open.check(QStringLiteral("slot folder"))
                .value(u"remedy")
                .toString()
                .startsWith(QStringLiteral("chmod 700 ")));
}

void TstDoctorRun::aRouterIsNamed()
{
    FakeOptions options;
    options.routerModels = QStringList { QStringLiteral("alpha"), QStringLiteral("beta") };
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    const Findings found = run({ subject(server) });
    QCOMPARE(found.of(QStringLiteral("models")), QStringLiteral("passed"));
    QVERIFY(found.check(QStringLiteral("models"))
                .value(u"message")
                .toString()
                .contains(QStringLiteral("alpha, beta")));
    QVERIFY(found.check(QStringLiteral("slots")).isEmpty());
    DoctorSubject unknown = subject(server);
    unknown.endpoint.routerModel = QStringLiteral("gamma");
    QCOMPARE(run({ unknown }).of(QStringLiteral("model")), QStringLiteral("failed"));
}

void TstDoctorRun::aRouterIsJudgedByHowItWasStarted_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("folder");
    QTest::addColumn<QString>("exposure");
    QTest::addColumn<QString>("saving");
    const QString ok = QStringLiteral("passed");
    const QString open = QStringLiteral("llama-server --models-dir m --host 0.0.0.0");
    QTest::newRow("for all, without a key") << open << true << QStringLiteral("warning") << ok;
    QTest::newRow("for all, with a key") << open + QStringLiteral(" --api-key-file k") << true << ok << ok;
    QTest::newRow("no folder") << QStringLiteral("llama-server --models-dir m") << false << ok
                               << QStringLiteral("failed");
    QTest::newRow("no folder, elsewhere") << QString() << false << ok << QStringLiteral("failed");
    QTest::newRow("good") << QStringLiteral("llama-server --models-dir m --slot-save-path kv") << true << ok
                          << ok;
}

void TstDoctorRun::aRouterIsJudgedByHowItWasStarted()
{
    QFETCH(const QString, line);
    QFETCH(const bool, folder);
    QFETCH(const QString, exposure);
    QFETCH(const QString, saving);
    FakeOptions options;
    options.routerModels = QStringList { QStringLiteral("alpha"), QStringLiteral("beta") };
    options.savePath = folder;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LocalProcess process;
    process.pid = 1;
    process.argv = line.split(u' ');
    process.workingDirectory = QDir::tempPath();
    const std::optional<LocalProcess> there
        = line.isEmpty() ? std::optional<LocalProcess>() : std::optional(process);
    DoctorSubject one = subject(server);
    const Findings found = run({ one }, {}, there);
    QCOMPARE(found.of(QStringLiteral("exposure")), exposure);
    QCOMPARE(found.of(QStringLiteral("slot saving")), saving);
    QCOMPARE(found.of(QStringLiteral("persistence")), folder ? QStringLiteral("passed") : saving);
    QCOMPARE(found.result() == QStringView(u"ready"),
        exposure == QStringView(u"passed") && saving == QStringView(u"passed"));
    // One of its models is reached where the router listens, not where its own process does.
    one.endpoint.routerModel = QStringLiteral("alpha");
    QCOMPARE(run({ one }, {}, there).of(QStringLiteral("exposure")), exposure);
}

void TstDoctorRun::itSendsNothingButGets()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    run({ subject(server) });
    QVERIFY(!server.calls().empty());
    for (const FakeCall &call : server.calls()) {
        QCOMPARE(call.method, QByteArray("GET"));
    }
}

void TstDoctorRun::deletingItCancels()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    int checks = 0;
    QObject context;
    DoctorRun::Tools tools;
    tools.pool = &pool();
    auto doctor
        = std::make_unique<DoctorRun>(std::vector<DoctorSubject> { subject(server) }, std::nullopt, tools);
    QObject::connect(doctor.get(), &DoctorRun::check, &context, [&] { ++checks; });
    server.hangNext(QStringLiteral("health"));
    doctor->start();
    QTRY_VERIFY(!server.calls().empty());
    doctor.reset();
    QTest::qWait(200);
    QCOMPARE(checks, 0);
}

QTEST_GUILESS_MAIN(TstDoctorRun)
#include "tst_doctorrun.moc"
