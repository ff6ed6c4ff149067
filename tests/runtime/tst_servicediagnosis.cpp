// SPDX-License-Identifier: MIT
// The doctor through the real service: what the daemon itself knows, or is set to, reaches what is said.
#include "stage.h"

#include <QJsonArray>

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray c_asked(600, 'p');

/// Later than it is, by as much as a test wants.
class LateClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override
    {
        Instant instant = m_system.now();
        instant.monoMs += lateMs;
        instant.wallMs += lateMs;
        return instant;
    }
    qint64 lateMs = 0;

private:
    SystemClock m_system;
};

struct Diagnosis {
    QJsonObject document;

    [[nodiscard]] QJsonObject check(const char *name, const QString &server = u"a"_qs) const
    {
        const QJsonArray checks = document.value(u"checks").toArray();
        for (const QJsonValue &one : checks) {
            if (one[u"name"].toString() == QLatin1String(name) && one[u"server"].toString() == server) {
                return one.toObject();
            }
        }
        return {};
    }
    [[nodiscard]] QString of(const char *name) const { return check(name).value(u"result").toString(); }
    [[nodiscard]] QString message(const char *name) const { return check(name).value(u"message").toString(); }
    [[nodiscard]] QString remedy(const char *name) const { return check(name).value(u"remedy").toString(); }
    [[nodiscard]] QString result() const { return document.value(u"result").toString(); }
};

Diagnosis diagnose(Stage &stage, const QJsonObject &params = {})
{
    const auto asked = std::make_shared<Asked<QJsonObject>>();
    stage.service().doctor(
        stage.connection(), params, [](const QJsonObject &) {}, Stage::into(asked));
    return asked->waited() && asked->answer ? Diagnosis { *asked->answer } : Diagnosis {};
}

} // namespace

class TstServiceDiagnosis final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whereNothingIsManagedItIsNotReady_data();
    void whereNothingIsManagedItIsNotReady();
    void whatCannotBeSavedIsNotOn_data();
    void whatCannotBeSavedIsNotOn();
    void beforeTheFirstRequestNothingIsWrong();
    void aRouterHasNoModelThatCouldBeUnknown();
    void nothingIsSaidOfTheProcessThatWasThereBefore();
    void theLastTroubleIsShown();
    void ownAddressesThatOthersReach();
};

void TstServiceDiagnosis::whereNothingIsManagedItIsNotReady_data()
{
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("result");
    QTest::newRow("switched off") << u"enabled: true"_qs << u"failed"_qs;
    QTest::newRow("no provider") << u"providers:"_qs << u"failed"_qs;
    QTest::newRow("no restores") << u"restore: { enabled: true }"_qs << u"warning"_qs;
}

void TstServiceDiagnosis::whereNothingIsManagedItIsNotReady()
{
    QFETCH(const QString, setting);
    QFETCH(const QString, result);
    Stage stage;
    stage.config.enabled = setting != u"enabled: true";
    stage.config.restore.enabled = setting != u"restore: { enabled: true }";
    if (setting == u"providers:") {
        stage.config.providers.clear();
    }
    QVERIFY(stage.open());
    const Diagnosis said = diagnose(stage);
    QCOMPARE(said.of("persistence"), result);
    QVERIFY2(said.remedy("persistence").contains(setting), qPrintable(said.remedy("persistence")));
    QVERIFY(said.result() != u"ready");
}

void TstServiceDiagnosis::whatCannotBeSavedIsNotOn_data()
{
    QTest::addColumn<bool>("folder");
    QTest::addColumn<QString>("flag");
    QTest::newRow("no --slot-save-path") << false << u"--slot-save-path"_qs;
    QTest::newRow("--no-slots") << true << u"--no-slots"_qs;
}

void TstServiceDiagnosis::whatCannotBeSavedIsNotOn()
{
    QFETCH(const bool, folder);
    QFETCH(const QString, flag);
    FakeOptions options;
    options.savePath = folder;
    options.slotsEndpoint = !folder;
    Stage stage(1, options);
    QVERIFY(stage.open());
    if (!folder) {
        QCOMPARE(stage.turn(u"S"_qs, c_asked), u"bypass"_qs); // that is how it shows
    }
    const Diagnosis said = diagnose(stage);
    QCOMPARE(said.of("persistence"), u"failed"_qs);
    QVERIFY2(said.remedy("persistence").contains(flag), qPrintable(said.remedy("persistence")));
}

void TstServiceDiagnosis::beforeTheFirstRequestNothingIsWrong()
{
    LateClock clock;
    Stage stage;
    stage.watched = true;
    stage.clock = &clock;
    QVERIFY(stage.open());
    const auto backend = [&] { return stage.serverStatus().value(u"backend")[u"state"].toString(); };
    QTRY_COMPARE(backend(), u"healthy"_qs);
    clock.lateMs = 60'000; // long after the first looks
    const Diagnosis said = diagnose(stage);
    QCOMPARE(said.of("fingerprint"), u"passed"_qs);
    QVERIFY2(
        said.message("fingerprint").contains(u"first request"_qs), qPrintable(said.message("fingerprint")));
    const QString advice = textOf(stage.serverStatus());
    QVERIFY2(!advice.contains(u"not yet told"_qs), qPrintable(advice));
}

void TstServiceDiagnosis::aRouterHasNoModelThatCouldBeUnknown()
{
    LateClock clock;
    FakeOptions options;
    options.routerModels = QStringList { u"alpha"_qs };
    Stage stage(1, options);
    stage.watched = true;
    stage.clock = &clock;
    QVERIFY(stage.open());
    QTRY_VERIFY(stage.serverStatus().value(u"router").toBool());
    clock.lateMs = 60'000;
    QCOMPARE(diagnose(stage).of("persistence"), u"passed"_qs);
    BeginRequest request = stage.request(u"S"_qs);
    request.model = u"alpha"_qs;
    const AskedPtr<BeginAnswer> begun = stage.beginLater(request);
    QVERIFY(begun->waited() && begun->answer);
    stage.end(*begun->answer, {});
    stage.server().unloadModel(u"alpha"_qs);
    QVERIFY(stage.stop() && stage.open()); // it is known from the last time
    const auto model = [&] { return stage.serverStatus(1).value(u"backend")[u"state"].toString(); };
    QTRY_COMPARE(model(), u"sleeping"_qs);
    clock.lateMs += 60'000;
    const QJsonObject known = diagnose(stage).check("fingerprint", u"a/alpha"_qs);
    QVERIFY2(known.value(u"message").toString().contains(u"first request"_qs),
        qPrintable(known.value(u"message").toString()));
}

void TstServiceDiagnosis::nothingIsSaidOfTheProcessThatWasThereBefore()
{
    FakeOptions options;
    options.savePath = false;
    Stage stage(1, options); // unwatched: the daemon has not seen yet that it was started anew
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"S"_qs, c_asked), u"bypass"_qs);
    const Diagnosis before = diagnose(stage);
    QCOMPARE(before.of("slot saving"), u"failed"_qs);
    options.savePath = true;
    QVERIFY(stage.server().restartWith(options));
    const Diagnosis after = diagnose(stage);
    QVERIFY2(after.of("slot saving") != u"failed", qPrintable(after.message("slot saving")));
    QCOMPARE(after.of("fingerprint"), u"passed"_qs);
    QVERIFY2(
        after.message("fingerprint").contains(u"started anew"_qs), qPrintable(after.message("fingerprint")));
    QVERIFY(after.of("persistence") != u"failed");
}

void TstServiceDiagnosis::theLastTroubleIsShown()
{
    Stage stage;
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"S"_qs, c_asked), u"cold"_qs);
    QCOMPARE(diagnose(stage).of("persistence"), u"passed"_qs);
    stage.server().setDiskFull(true);
    QVERIFY(stage.save(u"S"_qs)->waited());
    const Diagnosis said = diagnose(stage);
    QCOMPARE(said.of("persistence"), u"warning"_qs);
    QVERIFY2(said.message("persistence").contains(u"save"_qs), qPrintable(said.message("persistence")));
    stage.server().setDiskFull(false);
    QVERIFY(stage.saved(u"S"_qs));
    QCOMPARE(diagnose(stage).of("persistence"), u"passed"_qs);
}

void TstServiceDiagnosis::ownAddressesThatOthersReach()
{
    Stage stage;
    stage.config.proxy = ProxyConfig { { u"0.0.0.0"_qs, 9932 }, u"a"_qs };
    stage.config.metricsListen = ListenAddress { u"127.0.0.1"_qs, 9464 };
    QVERIFY(stage.open());
    const QJsonObject open = diagnose(stage).check("exposure", {});
    QCOMPARE(open.value(u"result").toString(), u"warning"_qs);
    QVERIFY(open.value(u"message").toString().contains(u"0.0.0.0:9932"_qs));
    QVERIFY(open.value(u"remedy").toString().contains(u"listen: 127.0.0.1:9932 under proxy:"_qs));
}

QTEST_GUILESS_MAIN(TstServiceDiagnosis)
#include "tst_servicediagnosis.moc"
