// SPDX-License-Identifier: MIT
// What the doctor finds at a server, and what it says to do.
#include "doctorrun.h"
#include "fakellamaserver.h"

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

Findings run(std::vector<DoctorRun::Subject> subjects, const std::vector<QJsonObject> &local = {})
{
    Findings findings;
    int finished = 0;
    DoctorRun doctor(std::move(subjects), local);
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

DoctorRun::Subject subject(const FakeLlamaServer &server, const QByteArray &key = {})
{
    DoctorRun::Subject one;
    one.server = QStringLiteral("a");
    one.endpoint.base = server.url();
    one.endpoint.apiKey = key;
    one.endpoint.requestTimeoutMs = 1000;
    return one;
}

}

class TstDoctorRun final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aGoodServerIsReadyWithOneDoubt();
    void whatSavedBeforeIsReady();
    void noServer();
    void aServerWithoutSavePath();
    void aServerThatHidesItsSlots();
    void aWrongOrMissingKey();
    void severalSlotsOfWhichOneIsManaged();
    void aSlotThatIsNotThere();
    void aSleepingServerIsNotWoken();
    void aLoadingServer();
    void oneAfterTheOther();
    void localChecksComeFirst();
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
    DoctorRun::Subject one = subject(server);
    one.savedBefore = true;
    QCOMPARE(run({ one }).result(), QStringLiteral("ready"));
}

void TstDoctorRun::noServer()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    const DoctorRun::Subject one = subject(server);
    server.stop();
    const Findings found = run({ one });
    QCOMPARE(found.of(QStringLiteral("reachable")), QStringLiteral("failed"));
    QVERIFY(!found.check(QStringLiteral("reachable")).value(u"remedy").toString().isEmpty());
    QCOMPARE(found.checks.size(), 1); // nothing else can be said
    QCOMPARE(found.result(), QStringLiteral("not-ready"));
}

void TstDoctorRun::aServerWithoutSavePath()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    DoctorRun::Subject one = subject(server);
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
    DoctorRun::Subject one = subject(server);
    const Findings single = run({ one });
    QCOMPARE(single.of(QStringLiteral("slots")), QStringLiteral("warning"));
    QVERIFY(single.check(QStringLiteral("slots")).value(u"message").toString().contains(QLatin1Char('4')));
    one.managed = true;
    QCOMPARE(run({ one }).of(QStringLiteral("slots")), QStringLiteral("passed"));
}

void TstDoctorRun::aSlotThatIsNotThere()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    DoctorRun::Subject one = subject(server);
    one.slotId = 3;
    QCOMPARE(run({ one }).of(QStringLiteral("slots")), QStringLiteral("failed"));
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
    DoctorRun::Subject second = subject(gone);
    second.server = QStringLiteral("b");
    gone.stop();
    const Findings found = run({ second, subject(good) });
    QCOMPARE(found.checks.front().value(u"server").toString(), QStringLiteral("b"));
    QCOMPARE(found.checks.back().value(u"server").toString(), QStringLiteral("a"));
    QCOMPARE(found.result(), QStringLiteral("not-ready"));
}

void TstDoctorRun::localChecksComeFirst()
{
    const Findings found = run({},
        { DoctorRun::makeCheck(QStringLiteral("metadata folder"), QStringLiteral("passed"),
            QStringLiteral("It can be written to.")) });
    QCOMPARE(found.checks.size(), 1);
    QCOMPARE(found.result(), QStringLiteral("ready"));
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
    auto doctor = std::make_unique<DoctorRun>(
        std::vector<DoctorRun::Subject> { subject(server) }, std::vector<QJsonObject> {});
    QObject::connect(doctor.get(), &DoctorRun::check, &context, [&] { ++checks; });
    server.holdNext(QStringLiteral("health"), 100);
    doctor->start();
    QTRY_VERIFY(!server.calls().empty());
    doctor.reset();
    QTest::qWait(200);
    QCOMPARE(checks, 0);
}

QTEST_GUILESS_MAIN(TstDoctorRun)
#include "tst_doctorrun.moc"
