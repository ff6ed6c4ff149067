// SPDX-License-Identifier: MIT
#include "clock.h"
#include "fakeui.h"
#include "humantime.h"
#include "samplestatus.h"
#include "timelinemodel.h"

#include <QJsonArray>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>

using namespace kv;
using Kind = TimelineInterval::Kind;

namespace {

constexpr qint64 c_now = 1'769'860'800'000;
constexpr qint64 c_minute = TimelineModel::c_minuteMs;

class FixedClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return { 0, m_wall }; }
    qint64 m_wall = c_now;
};

QJsonObject entry(const QString &kind, qint64 from, qint64 to, const QString &session = {})
{
    QJsonObject object { { QStringLiteral("kind"), kind }, { QStringLiteral("from"), isoUtc(from) },
        { QStringLiteral("session"), session } };
    if (to > 0) {
        object.insert(QStringLiteral("to"), isoUtc(to));
    }
    return object;
}

QJsonObject history()
{
    const QString one = QStringLiteral("3fa41c");
    return { { QStringLiteral("slots"),
                 QJsonArray { QJsonObject { { QStringLiteral("id"), 2 },
                     { QStringLiteral("intervals"),
                         QJsonArray { entry(QStringLiteral("restore"), c_now - 50'000, c_now - 48'000, one),
                             entry(QStringLiteral("owner"), c_now - 50'000, 0, one),
                             entry(QStringLiteral("of-the-future"), c_now - 9000, c_now, one) } } } } },
        { QStringLiteral("buckets"),
            QJsonArray { QJsonObject { { QStringLiteral("at"), isoUtc(c_now - c_minute) },
                { QStringLiteral("restores"), 3 }, { QStringLiteral("coldStarts"), 1 } } } } };
}

QJsonObject statusOf(const QStringList &names)
{
    QJsonArray servers;
    for (const QString &name : names) {
        servers.append(test::serverDocument(name, QStringLiteral("healthy"), {}));
    }
    return { { QStringLiteral("servers"), servers } };
}

TimelineInterval owner(qint64 from, qint64 to, const QString &session)
{
    return { Kind::Owner, from, to, false, session, {}, {}, {}, {}, 1 };
}

} // namespace

class TestTimelineModel final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void makesLanesOfEveryServer();
    void asksOnlyWhileShown();
    void readsAnewAfterEvents();
    void leavesOutLateAnswers();
    void keepsWhatWasKnownWhileTheDaemonIsAway_data();
    void keepsWhatWasKnownWhileTheDaemonIsAway();
    void saysWhyNothingIsThere();
    void mergesWhatIsCloserThanAPixel();
    void seesThrashing();
    void givesSessionsTheirColour();
    void tellsWhatHappened_data();
    void tellsWhatHappened();

private:
    FixedClock m_clock;
};

void TestTimelineModel::makesLanesOfEveryServer()
{
    FakeUiDaemon daemon;
    TimelineModel model(daemon, m_clock);
    daemon.sendStatus(statusOf({ QStringLiteral("b"), QStringLiteral("a") }));
    model.setShown(true);
    QCOMPARE(daemon.waiting(), 2);
    QCOMPARE(daemon.calls()[0].params.value(u"from").toString(), isoUtc(c_now - 60 * c_minute));
    QCOMPARE(daemon.calls()[0].params.value(u"to").toString(), isoUtc(c_now));
    daemon.answerOldest(FakeUiDaemon::ok(history()));
    QVERIFY(model.lanes().isEmpty());
    daemon.answerOldest(FakeUiDaemon::ok(history()));
    QCOMPARE(model.lanes().size(), 2);
    const TimelineLane &lane = model.lanes()[0];
    QCOMPARE(lane.server, QStringLiteral("b"));
    QCOMPARE(lane.slot, 2);
    QCOMPARE(lane.intervals.size(), 2);
    QCOMPARE(lane.intervals[0].kind, Kind::Owner);
    QVERIFY(lane.intervals[0].open);
    QCOMPARE(lane.intervals[0].toMs, c_now);
    QVERIFY(!lane.intervals[1].open);
    QVERIFY(model.hasOpen());
    const QList<QPointF> rate { QPointF(static_cast<double>(c_now - c_minute), 0.75) };
    QCOMPARE(model.hitRate(), rate);
    const QList<QPointF> latency { QPointF(static_cast<double>(c_now - c_minute), 2000) };
    QCOMPARE(model.latency(), latency);
}

void TestTimelineModel::asksOnlyWhileShown()
{
    FakeUiDaemon daemon;
    daemon.answer(QStringLiteral("kv.history"), history());
    TimelineModel model(daemon, m_clock);
    daemon.sendStatus(statusOf({ QStringLiteral("a") }));
    model.setRange(10 * c_minute);
    daemon.sendEvent({ { QStringLiteral("name"), QStringLiteral("kv.session.switch") } });
    QVERIFY(!model.isRefetchPending());
    QVERIFY(daemon.calls().isEmpty());
    model.setShown(true);
    QCOMPARE(daemon.calls().size(), 1);
    daemon.sendStatus(statusOf({ QStringLiteral("a") })); // nothing new in it
    QCOMPARE(daemon.calls().size(), 1);
    daemon.setLink(Daemon::Link::Away);
    daemon.setLink(Daemon::Link::Connected);
    daemon.sendStatus(statusOf({ QStringLiteral("a") }));
    QCOMPARE(daemon.calls().size(), 2);
    model.setShown(false);
    model.setRange(60 * c_minute);
    QCOMPARE(daemon.calls().size(), 2);
}

void TestTimelineModel::readsAnewAfterEvents()
{
    FakeUiDaemon daemon;
    daemon.answer(QStringLiteral("kv.history"), history());
    TimelineModel model(daemon, m_clock);
    const QSignalSpy changed(&model, &TimelineModel::changed);
    daemon.sendStatus(statusOf({ QStringLiteral("a") }));
    model.setShown(true);
    QTRY_COMPARE(changed.size(), 1);
    daemon.sendEvent({ { QStringLiteral("name"), QStringLiteral("kv.stats") } });
    QVERIFY(!model.isRefetchPending());
    for (const char *name : { "kv.slot.acquire", "kv.session.save.start", "kv.session.save.success" }) {
        daemon.sendEvent({ { QStringLiteral("name"), QLatin1String(name) } });
    }
    QVERIFY(model.isRefetchPending());
    QCOMPARE(daemon.calls().size(), 1);
    QTRY_COMPARE(changed.size(), 2);
    QCOMPARE(daemon.calls().size(), 2);
    QVERIFY(!model.isRefetchPending());
    daemon.sendEvent(
        { { QStringLiteral("name"), QStringLiteral("kv.stats") }, { QStringLiteral("lost"), 4 } });
    QVERIFY(model.isRefetchPending());
    model.setShown(false);
    QVERIFY(!model.isRefetchPending());
}

void TestTimelineModel::leavesOutLateAnswers()
{
    FakeUiDaemon daemon;
    TimelineModel model(daemon, m_clock);
    daemon.sendStatus(statusOf({ QStringLiteral("a") }));
    model.setShown(true);
    model.setRange(10 * c_minute);
    daemon.answerOldest(FakeUiDaemon::ok(history()));
    QVERIFY(model.lanes().isEmpty());
    daemon.sendEvent({ { QStringLiteral("name"), QStringLiteral("kv.slot.release") } });
    QVERIFY(!model.isRefetchPending()); // one runs
    daemon.answerOldest(FakeUiDaemon::ok(history()));
    QCOMPARE(model.lanes().size(), 1);
    QVERIFY(model.isRefetchPending());
}

void TestTimelineModel::keepsWhatWasKnownWhileTheDaemonIsAway_data()
{
    QTest::addColumn<bool>("answerFirst");
    QTest::newRow("the link, then the answers") << false;
    QTest::newRow("the answers, then the link") << true;
}

/// Amid a fetch: one server answered, the other did not.
void TestTimelineModel::keepsWhatWasKnownWhileTheDaemonIsAway()
{
    QFETCH(const bool, answerFirst);
    FakeUiDaemon daemon;
    TimelineModel model(daemon, m_clock);
    daemon.sendStatus(statusOf({ QStringLiteral("a"), QStringLiteral("b") }));
    model.setShown(true);
    daemon.answerOldest(FakeUiDaemon::ok(history()));
    daemon.answerOldest(FakeUiDaemon::ok(history()));
    QCOMPARE(model.lanes().size(), 2);
    QVERIFY(model.hasOpen() && model.noticeText().isEmpty());
    model.setRange(60 * c_minute + 1); // asks anew
    daemon.answerOldest(FakeUiDaemon::ok({}));
    CallResult closed;
    closed.status = CallResult::Status::Closed;
    closed.error.error.message = QStringLiteral("The connection ended.");
    if (answerFirst) {
        daemon.answerOldest(closed);
        QCOMPARE(model.noticeText(), QStringLiteral("The connection ended."));
        daemon.setLink(Daemon::Link::Away);
    } else {
        daemon.setLink(Daemon::Link::Away);
        daemon.answerOldest(closed);
    }
    QCOMPARE(model.lanes().size(), 2);
    QVERIFY(!model.hitRate().isEmpty());
    QVERIFY(model.noticeText().contains(QStringLiteral("away")));
    QVERIFY(model.emptyText().isEmpty());
    QVERIFY(!model.hasOpen()); // nothing is known to go on
    QCOMPARE(model.openEndMs(), model.toMs());
    const qsizetype before = daemon.calls().size();
    daemon.setLink(Daemon::Link::Connected);
    daemon.sendStatus(statusOf({ QStringLiteral("a"), QStringLiteral("b") }));
    QCOMPARE(daemon.calls().size(), before + 2);
    daemon.answerOldest(FakeUiDaemon::ok({}));
    daemon.answerOldest(FakeUiDaemon::ok(history()));
    QCOMPARE(model.lanes().size(), 1);
    QVERIFY(model.noticeText().isEmpty());
}

void TestTimelineModel::saysWhyNothingIsThere()
{
    FakeUiDaemon daemon;
    TimelineModel model(daemon, m_clock);
    daemon.setLink(Daemon::Link::Away);
    QVERIFY(model.emptyText().contains(QStringLiteral("does not answer")));
    daemon.setLink(Daemon::Link::Connected);
    daemon.sendStatus(statusOf({ QStringLiteral("a") }));
    model.setShown(true);
    daemon.answerOldest(FakeUiDaemon::refused(QStringLiteral("KV_INTERNAL"), QStringLiteral("It broke.")));
    QCOMPARE(model.emptyText(), QStringLiteral("It broke."));
    model.setRange(10 * c_minute);
    daemon.answerOldest(FakeUiDaemon::ok({}));
    QVERIFY(model.emptyText().contains(QStringLiteral("No slot was used")));
}

void TestTimelineModel::mergesWhatIsCloserThanAPixel()
{
    TimelineLane lane;
    constexpr int c_many = 50'000;
    for (int i = 0; i < c_many; ++i) {
        lane.intervals.append(
            owner(i * 100, i * 100 + 90, i % 2 == 0 ? QStringLiteral("a") : QStringLiteral("b")));
    }
    lane.intervals.append(owner(c_many * 100, c_many * 100 + 5000, QStringLiteral("c")));
    const qint64 end = c_many * 100 + 5000;
    const QList<TimelineInterval> merged = TimelineModel::intervalsIn(lane, 0, end, 1000);
    QCOMPARE(merged.size(), 2);
    QCOMPARE(merged[0].count, c_many);
    QVERIFY(merged[0].session.isEmpty());
    QCOMPARE(merged[1].session, QStringLiteral("c"));
    QCOMPARE(TimelineModel::intervalsIn(lane, 0, end, 1).size(), c_many + 1);
    QCOMPARE(TimelineModel::intervalsIn(lane, 1095, 1350, 1).size(), 3);
}

void TestTimelineModel::seesThrashing()
{
    TimelineLane lane;
    const auto stay = [&lane](qint64 length, const char *session) {
        const qint64 from = lane.intervals.isEmpty() ? 0 : lane.intervals.last().toMs;
        lane.intervals.append(owner(from, from + length, QLatin1String(session)));
    };
    stay(5 * c_minute, "a");
    stay(20'000, "b");
    stay(20'000, "a");
    stay(20'000, "b");
    QVERIFY(TimelineModel::thrashing(lane).isEmpty());
    stay(20'000, "a");
    stay(5 * c_minute, "b");
    const QList<TimelineSpan> spans = TimelineModel::thrashing(lane);
    QCOMPARE(spans.size(), 1);
    QCOMPARE(spans[0].fromMs, 5 * c_minute);
    QCOMPARE(spans[0].toMs, 5 * c_minute + 80'000);
    QCOMPARE(TimelineModel::ownerChanges(lane), 5);
}

void TestTimelineModel::givesSessionsTheirColour()
{
    // Written down, as a hash that differs from run to run would change the colours with it.
    QCOMPARE(TimelineModel::hueOf(QStringLiteral("3fa41c")), 49);
    QVERIFY(TimelineModel::hueOf(QStringLiteral("3fa41c")) != TimelineModel::hueOf(QStringLiteral("3fa41d")));
    for (int i = 0; i < 1000; ++i) {
        const int hue = TimelineModel::hueOf(QString::number(i, 16));
        QVERIFY(hue >= 0 && hue < 360);
    }
}

void TestTimelineModel::tellsWhatHappened_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("open");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, Kind kind, bool open, const char *sentence) {
        QTest::newRow(name) << static_cast<int>(kind) << open << QString::fromLatin1(sentence);
    };
    row("restore", Kind::Restore, false, "Fix the build: restored 6.3K tokens in 71 ms, 12:01:10");
    row("save", Kind::Save, false, "Fix the build: saved 6.3K tokens in 71 ms, 12:01:10");
    row("saving", Kind::Save, true, "Fix the build: saving since 12:01:10");
    row("owner", Kind::Owner, false, "Fix the build: had the slot for 71 ms, 12:01:10 to 12:01:10");
    row("failure", Kind::Failure, false, "Fix the build: failed with KV_SAVE_FAILED, 12:01:10");
}

void TestTimelineModel::tellsWhatHappened()
{
    QFETCH(const int, kind);
    QFETCH(const bool, open);
    const qint64 at = QDateTime(QDate(2026, 1, 31), QTime(12, 1, 10)).toMSecsSinceEpoch();
    const TimelineInterval interval { static_cast<Kind>(kind), at, at + 71, open, QStringLiteral("3fa41c"),
        QStringLiteral("Fix the build"), 6292, {}, QStringLiteral("KV_SAVE_FAILED"), 1 };
    QTEST(TimelineModel::sentenceOf(interval), "sentence");
}

QTEST_GUILESS_MAIN(TestTimelineModel)
#include "tst_timelinemodel.moc"
