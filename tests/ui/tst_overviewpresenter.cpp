// SPDX-License-Identifier: MIT
#include "fakeui.h"
#include "humantime.h"
#include "overviewpresenter.h"
#include "overviewtext.h"
#include "samplestatus.h"

#include <QDateTime>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <functional>

using namespace kv;
using namespace kv::test;

class TestOverviewPresenter final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void flagsAreFoundInAdvice_data();
    void flagsAreFoundInAdvice();
    void adviceOfAllIsGathered();
    void limitsAreReadFromTheConfiguration();
    void aReloadReadsTheLimitsAgain();
    void cardsSayWhatRuns();
    void aPromptThatChangedIsTold();
    void progressGoesWithWhatRuns();
    void workBesideTheSlotsIsShown();
    void silenceEndsProgress();
    void emptyIsExplained();
    void factsHaveRatesAndStorage();
    void theForecastIsALowerBound();
    void todayIsAskedOnceAndThenCounted();
    void todayOutlivesARestartOfTheDaemon();
    void aNewDayIsAskedAnew();
};

namespace {

QString word(const char *text) { return QString::fromLatin1(text); }

class FixedClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return { m_wallMs, m_wallMs }; }
    void set(const QString &iso) { m_wallMs = wallMsFromIso(iso).value_or(0); }

private:
    qint64 m_wallMs = 0;
};

CallResult history(qint64 first, qint64 second)
{
    const auto bucket = [](qint64 ms) { return QJsonObject { { word("timeSavedMs"), ms } }; };
    return FakeUiDaemon::ok(
        { { word("buckets"), QJsonArray { bucket(first), QJsonObject {}, bucket(second) } } });
}

CallResult configuration(const char *yaml) { return FakeUiDaemon::ok({ { word("yaml"), word(yaml) } }); }

struct Stage {
    explicit Stage(QSettings &settings)
        : today(daemon, feed, clock, settings)
    {
        clock.set(word("2026-01-31T12:00:00Z"));
    }

    void send(const QJsonArray &servers, qint64 timeSavedMs, const QJsonObject &more = {})
    {
        QJsonObject all { { word("stats"), QJsonObject { { word("timeSavedMs"), timeSavedMs } } } };
        for (auto entry = more.begin(); entry != more.end(); ++entry) {
            all.insert(entry.key(), entry.value());
        }
        daemon.sendStatus(statusDocument(servers, all));
    }

    FakeUiDaemon daemon;
    FixedClock clock;
    StatusFeed feed { daemon };
    OverviewLimits limits { daemon };
    OverviewToday today;
    OverviewProgress progress { daemon, feed };
    OverviewPresenter presenter { { feed, limits, today, progress }, clock };
};

QJsonObject healthy(const QJsonObject &slot = slotDocument(), const QJsonObject &more = {})
{
    return serverDocument(word("local"), word("healthy"), { slot }, more);
}

} // namespace

void TestOverviewPresenter::init() { qputenv("TZ", "UTC"); }

void TestOverviewPresenter::flagsAreFoundInAdvice_data()
{
    QTest::addColumn<QString>("advice");
    QTest::addColumn<QString>("copy");
    QTest::newRow("with a name") << word("Start llama-server with --slot-save-path FOLDER.")
                                 << word("--slot-save-path FOLDER");
    QTest::newRow("with a number") << word("Start it with --parallel 1 (or --parallel N, or so).")
                                   << word("--parallel 1");
    QTest::newRow("alone") << word("Use --no-cache-idle-slots and they stay warm.")
                           << word("--no-cache-idle-slots");
    QTest::newRow("a command") << QStringLiteral("“kv-persist resume” tries again.")
                               << word("kv-persist resume");
    QTest::newRow("nothing") << word("The disk is full - free some.") << QString();
}

void TestOverviewPresenter::flagsAreFoundInAdvice()
{
    QFETCH(QString, advice);
    QFETCH(QString, copy);
    QCOMPARE(copyableIn(advice), copy);
}

void TestOverviewPresenter::adviceOfAllIsGathered()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    const QJsonObject advice { { word("advice"), QJsonArray { word("Use --jinja.") } } };
    stage.send(
        { healthy(slotDocument(), advice) }, 0, { { word("advice"), QJsonArray { word("Of all.") } } });
    const QList<OverviewPresenter::Advice> all = stage.presenter.advice();
    QCOMPARE(all.size(), 2);
    QCOMPARE(all.first().text, word("Of all."));
    QVERIFY(all.first().server.isEmpty() && all.first().copy.isEmpty());
    QCOMPARE(all.last().server, word("local"));
    QCOMPARE(all.last().copy, word("--jinja"));
}

void TestOverviewPresenter::limitsAreReadFromTheConfiguration()
{
    using Limits = OverviewLimits::Limits;
    QCOMPARE(OverviewLimits::limitsIn({}), (Limits { true, 100'000'000'000, 5'000'000'000 }));
    QCOMPARE(
        OverviewLimits::limitsIn(word("retention:\n  # maxTotalBytes: 1GB\n  maxTotalBytes: 2 GiB # no\n")),
        (Limits { true, qint64 { 2 } << 30, 5'000'000'000 }));
    QCOMPARE(OverviewLimits::limitsIn(word("retention: { maxTotalBytes: off, minFreeBytes: \"7GB\" }")),
        (Limits { true, std::nullopt, 7'000'000'000 }));
}

void TestOverviewPresenter::aReloadReadsTheLimitsAgain()
{
    FakeUiDaemon daemon;
    OverviewLimits limits(daemon);
    QVERIFY(!limits.limits().known);
    daemon.answerOldest(configuration("retention: { maxTotalBytes: 1GB }"));
    QCOMPARE(limits.limits().maxTotalBytes, 1'000'000'000);
    daemon.sendEvent({ { word("name"), word("kv.config.reloaded") } });
    daemon.answerOldest(configuration("retention: { maxTotalBytes: 3GB }"));
    QCOMPARE(limits.limits().maxTotalBytes, 3'000'000'000);
}

void TestOverviewPresenter::cardsSayWhatRuns()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    QVERIFY(!stage.presenter.isRunning());
    stage.send(
        { healthy(slotDocument(runningDocument(word("inference"), word("2026-01-31T11:59:18Z")))) }, 0);
    const QList<OverviewPresenter::Card> cards = stage.presenter.cards();
    QCOMPARE(cards.size(), 1);
    const OverviewPresenter::SlotRow &row = cards.first().rows.first();
    QCOMPARE(row.owner, word("my-project"));
    QCOMPARE(row.context, word("48.7K of 131.1K tokens"));
    QCOMPARE(row.left, word("82.4K left"));
    QVERIFY(row.share && *row.share > 0.37 && *row.share < 0.38);
    QVERIFY(row.warm && stage.presenter.isRunning());
    QCOMPARE(stage.presenter.runningNow(row), word("Answering, 42 s"));
    stage.clock.set(word("2026-01-31T12:01:00Z"));
    QCOMPARE(stage.presenter.runningNow(row), word("Answering, 1 min 42 s"));
    QCOMPARE(cards.first().rates, word("prefill 310 tok/s, generating 42 tok/s"));
    QCOMPARE(cards.first().state, word("Ready"));
}

void TestOverviewPresenter::aPromptThatChangedIsTold()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    QJsonObject slot = slotDocument(runningDocument(word("inference"), word("2026-01-31T11:59:18Z")));
    stage.send({ healthy(slot) }, 0);
    const QString before = stage.presenter.cards().first().rows.first().state;
    QVERIFY(stage.presenter.cards().first().rows.first().stateNote.isEmpty());
    slot.insert(word("prefix"), word("turn 14: message 3 of 20 changed"));
    stage.send({ healthy(slot) }, 0);
    const OverviewPresenter::SlotRow row = stage.presenter.cards().first().rows.first();
    QCOMPARE(row.state, before + word(", prompt changed"));
    QVERIFY(row.stateNote.contains(word("turn 14: message 3 of 20 changed")));
}

void TestOverviewPresenter::progressGoesWithWhatRuns()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    const QJsonObject inSlot { { word("slot"), 0 } };
    const QJsonObject restoring = slotDocument(runningDocument(word("restore")));
    const auto progress = [&stage] { return stage.presenter.cards().first().rows.first().progress; };
    stage.send({ healthy() }, 0);
    QVERIFY(!progress());
    stage.send({ healthy(slotDocument(runningDocument(word("inference")))) }, 0);
    QVERIFY(!progress()); // nobody knows how long an answer gets
    stage.send({ healthy(restoring) }, 0);
    QVERIFY(progress() && !progress()->share);
    stage.daemon.sendEvent(progressEvent(word("check"), 412, inSlot));
    QVERIFY(progress() && progress()->share);
    QCOMPARE(*progress()->share, 0.412);
    QCOMPARE(progress()->text, QStringLiteral("Checking its file: 41.2\u00a0% of 2.0 GiB"));
    QVERIFY(stage.presenter.cards().first().beside.isEmpty());
    stage.daemon.sendEvent(progressEvent(word("check"), 1000, inSlot));
    QVERIFY(progress() && !progress()->share); // the file is checked, the restore goes on
    for (const char *end : { "kv.session.restore.failed", "" }) {
        stage.daemon.sendEvent(progressEvent(word("check"), 500, inSlot));
        QVERIFY(progress()->share);
        if (*end != 0) {
            stage.daemon.sendEvent(
                { { word("name"), word(end) }, { word("server"), word("local") }, { word("slot"), 0 } });
        } else {
            stage.send({ healthy() }, 0);
            QVERIFY(!progress());
        }
        stage.send({ healthy(restoring) }, 0);
        QVERIFY(!progress()->share);
    }
}

void TestOverviewPresenter::workBesideTheSlotsIsShown()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    const auto beside = [&stage] { return stage.presenter.cards().first().beside; };
    stage.send({ healthy(), serverDocument(word("other"), word("healthy"), {}) }, 0);
    const QJsonObject gone { { word("name"), word("kv.snapshot.removed") }, { word("server"), word("local") },
        { word("session"), word("3fa41c") } };
    const std::array<std::function<void()>, 3> ends {
        [&stage] { stage.daemon.sendEvent(progressEvent(word("checksum"), 1000)); },
        [&stage, &gone] { stage.daemon.sendEvent(gone); },
        [&stage] {
            stage.daemon.setLink(Daemon::Link::Away);
            stage.daemon.setLink(Daemon::Link::Connected);
            stage.send({ healthy() }, 0);
        }
    };
    for (const std::function<void()> &end : ends) {
        stage.daemon.sendEvent(progressEvent(word("checksum"), 10));
        stage.daemon.sendEvent(progressEvent(word("checksum"), 20));
        QCOMPARE(beside().size(), 1);
        QCOMPARE(beside().first().text, QStringLiteral("Checksum of my-project: 2.0\u00a0% of 2.0 GiB"));
        QCOMPARE(beside().first().share, 0.02);
        QVERIFY(stage.presenter.cards().size() == 1 || stage.presenter.cards().last().beside.isEmpty());
        end();
        QVERIFY(beside().isEmpty());
    }
}

void TestOverviewPresenter::silenceEndsProgress()
{
    FakeUiDaemon daemon;
    StatusFeed feed(daemon);
    OverviewProgress progress(daemon, feed, 10);
    daemon.sendStatus(statusDocument({ healthy() }));
    daemon.sendEvent(progressEvent(word("checksum"), 20));
    QCOMPARE(progress.besideSlots(word("local")).size(), 1);
    QTRY_VERIFY(progress.besideSlots(word("local")).isEmpty());
}

void TestOverviewPresenter::emptyIsExplained()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    stage.send({}, 0);
    QVERIFY(stage.presenter.emptyText().contains(word("--slot-save-path")));
    stage.daemon.setLink(Daemon::Link::Away);
    QVERIFY(stage.presenter.emptyText().contains(word("daemon is away")));
    QVERIFY(stage.presenter.facts().isEmpty() && stage.presenter.savedLine().isEmpty());
    stage.daemon.setLink(Daemon::Link::Connected);
    stage.send({ healthy() }, 0);
    QVERIFY(stage.presenter.emptyText().isEmpty());
}

void TestOverviewPresenter::factsHaveRatesAndStorage()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    stage.daemon.answerOldest(configuration("retention: { maxTotalBytes: 4GiB }"));
    const QJsonObject stats { { word("restores"), 40 }, { word("restoreHits"), 39 },
        { word("restoreMisses"), 1 }, { word("coldStarts"), 19 }, { word("coldFallbacks"), 1 },
        { word("timeSavedMs"), 1'830'000 } };
    stage.send({ healthy() }, 0,
        { { word("stats"), stats },
            { word("snapshots"), QJsonObject { { word("bytes"), qint64 { 1 } << 30 } } } });
    const QList<OverviewPresenter::Fact> facts = stage.presenter.facts();
    QCOMPARE(facts.size(), 5);
    QCOMPARE(facts.at(0).detail, word("30 min 30 s in all"));
    QVERIFY(facts.at(1).value.startsWith(word("95.1")));
    QCOMPARE(facts.at(1).detail, word("39 of 41"));
    QCOMPARE(facts.at(2).value, QStringLiteral("–")); // nothing judged yet
    QCOMPARE(facts.at(3).value, word("20"));
    QCOMPARE(facts.at(4).share, 0.25);
    QCOMPARE(facts.at(4).detail, word("of 4.0 GiB"));
}

void TestOverviewPresenter::theForecastIsALowerBound()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    stage.daemon.answerOldest(configuration("retention: { maxTotalBytes: 100GB, minFreeBytes: 10GB }"));
    const auto storage = [&stage](qint64 free, qint64 written) {
        stage.send({ healthy(slotDocument(),
                       { { word("freeBytes"), free }, { word("bytesWrittenToday"), written } }) },
            0, { { word("snapshots"), QJsonObject { { word("bytes"), qint64 { 40'000'000'000 } } } } });
        return stage.presenter.facts().last().detail;
    };
    // 1 GB by noon is 2 GB a day; the quota leaves 60 GB, the disk 40 GB.
    QVERIFY(storage(500'000'000'000, 1'000'000'000).contains(word("room for 30 day")));
    QVERIFY(storage(50'000'000'000, 1'000'000'000).contains(word("room for 20 day")));
    QVERIFY(storage(10'000'000'000, 1'000'000'000).contains(word("full")));
    QVERIFY(!storage(500'000'000'000, 0).contains(word("room")));
}

void TestOverviewPresenter::todayIsAskedOnceAndThenCounted()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    stage.daemon.answerOldest(configuration(""));
    stage.send({ healthy() }, 10'000);
    QVERIFY(!stage.today.savedMs());
    const QList<FakeUiDaemon::Call> calls = stage.daemon.callsOf(word("kv.history"));
    QCOMPARE(calls.size(), 1);
    QCOMPARE(calls.first().params.value(word("server")), word("local"));
    QCOMPARE(wallMsFromIso(calls.first().params.value(word("from")).toString()),
        QDateTime::fromMSecsSinceEpoch(stage.clock.now().wallMs).date().startOfDay().toMSecsSinceEpoch());
    stage.daemon.answerOldest(history(1500, 500));
    QCOMPARE(stage.today.savedMs(), 2000);
    stage.send({ healthy() }, 13'000);
    QCOMPARE(stage.today.savedMs(), 5000);
    QCOMPARE(stage.daemon.callsOf(word("kv.history")).size(), 1);
}

void TestOverviewPresenter::todayOutlivesARestartOfTheDaemon()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    stage.daemon.answerOldest(configuration(""));
    stage.send({ healthy() }, 10'000);
    stage.daemon.answerOldest(history(4000, 0));
    stage.daemon.setLink(Daemon::Link::Away);
    QVERIFY(!stage.today.savedMs());
    stage.daemon.setLink(Daemon::Link::Connected);
    stage.daemon.answerOldest(configuration(""));
    stage.send({ healthy() }, 11'000);
    stage.daemon.answerOldest(history(0, 0)); // the new daemon remembers nothing
    QCOMPARE(stage.today.savedMs(), 5000);
}

void TestOverviewPresenter::aNewDayIsAskedAnew()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(word("s.ini")), QSettings::IniFormat);
    Stage stage(settings);
    stage.daemon.answerOldest(configuration(""));
    stage.send({ healthy() }, 10'000);
    stage.daemon.answerOldest(history(4000, 0));
    stage.clock.set(word("2026-02-01T12:00:00Z"));
    stage.send({ healthy() }, 11'000);
    QCOMPARE(stage.daemon.callsOf(word("kv.history")).size(), 2);
    stage.daemon.answerOldest(history(700, 0));
    QCOMPARE(stage.today.savedMs(), 700);
}

QTEST_GUILESS_MAIN(TestOverviewPresenter)
#include "tst_overviewpresenter.moc"
