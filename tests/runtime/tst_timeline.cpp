// SPDX-License-Identifier: MIT
#include "eventname.h"
#include "sessionhash.h"
#include "timeline.h"

#include <QJsonDocument>
#include <QTest>

using namespace kv;

namespace {

Notice notice(QStringView name, const QString &session = QStringLiteral("A"), int slot = 0)
{
    Notice made;
    made.name = name.toString();
    made.session = session;
    made.slot.id = slot;
    return made;
}

QJsonArray buckets(const Timeline &timeline, const QString &session, qint64 from, qint64 to, qint64 ms)
{
    Timeline::Buckets sums;
    timeline.addTo(sums, session, from, to, ms);
    return Timeline::document(sums, from, ms);
}

QJsonArray intervals(const Timeline &timeline, qint64 from, qint64 to, int slot = 0)
{
    for (const QJsonValue &one : timeline.slotIntervals(from, to)) {
        if (one.toObject().value(u"id").toInt() == slot) {
            return one.toObject().value(u"intervals").toArray();
        }
    }
    return {};
}

}

class TstTimeline final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bucketsBeginAtFromAndEndBeforeTo();
    void aSessionSeesOnlyItsOwn();
    void anEndCountsTokensAndTimeSaved();
    void intervalsOpenAndClose();
    void aFailureEndsItsOperationAndIsMarked();
    void onlyWhatTouchesTheSpanIsShown();
    void slotsAndModelsAreKeptApart();
    void requestsWithoutASlotCountAllTheSame();
    void whatIsKeptIsBounded();
};

void TstTimeline::bucketsBeginAtFromAndEndBeforeTo()
{
    Timeline timeline;
    for (const qint64 at : { 999, 1000, 1999, 2000, 3999, 4000 }) {
        timeline.take(notice(eventname::slotAcquire), at);
    }
    const QJsonArray got = buckets(timeline, {}, 1000, 4000, 1000);
    QCOMPARE(got.size(), 3);
    QCOMPARE(got.at(0).toObject().value(u"at").toString(), QStringLiteral("1970-01-01T00:00:01.000Z"));
    QCOMPARE(got.at(0).toObject().value(u"requests").toInt(), 2);
    QCOMPARE(got.at(1).toObject().value(u"requests").toInt(), 1);
    QCOMPARE(got.at(2).toObject().value(u"requests").toInt(), 1);
    QVERIFY(buckets(timeline, {}, 4000, 1000, 1000).isEmpty()); // the wrong way round
}

void TstTimeline::aSessionSeesOnlyItsOwn()
{
    Timeline timeline;
    timeline.take(notice(eventname::slotAcquire), 10);
    timeline.take(notice(eventname::slotAcquire, QStringLiteral("B")), 10);
    QCOMPARE(
        buckets(timeline, QStringLiteral("B"), 0, 100, 100).at(0).toObject().value(u"requests").toInt(), 1);
    QCOMPARE(buckets(timeline, {}, 0, 100, 100).at(0).toObject().value(u"requests").toInt(), 2);
    QVERIFY(buckets(timeline, QStringLiteral("C"), 0, 100, 100).isEmpty());
}

void TstTimeline::anEndCountsTokensAndTimeSaved()
{
    Timeline timeline;
    EndRequest end;
    end.usage = { 100, 20, 90 };
    timeline.takeEnd(QStringLiteral("A"), end, 1500, 10);
    timeline.takeEnd(QStringLiteral("A"), EndRequest {}, 0, 10); // told nothing: counts nothing
    const QJsonObject got = buckets(timeline, {}, 0, 100, 100).at(0).toObject();
    QCOMPARE(got.value(u"promptTokens").toInt(), 100);
    QCOMPARE(got.value(u"completionTokens").toInt(), 20);
    QCOMPARE(got.value(u"cachedTokens").toInt(), 90);
    QCOMPARE(got.value(u"timeSavedMs").toInt(), 1500);
}

void TstTimeline::intervalsOpenAndClose()
{
    Timeline timeline;
    timeline.take(notice(eventname::sessionSwitch), 10);
    timeline.take(notice(eventname::slotAcquire), 10);
    timeline.take(notice(eventname::slotRelease), 30);
    timeline.take(notice(eventname::saveStart), 40);
    Notice saved = notice(eventname::saveSuccess);
    saved.tokens = 5;
    saved.bytes = 500;
    timeline.take(saved, 50);
    timeline.take(notice(eventname::sessionSwitch, QStringLiteral("B")), 60);
    const QJsonArray got = intervals(timeline, 0, 100);
    QStringList shown;
    for (const QJsonValue &value : got) {
        const QJsonObject one = value.toObject();
        shown.append(QStringLiteral("%1 %2-%3")
                         .arg(one.value(u"kind").toString(), one.value(u"from").toString().mid(20, 3),
                             one.value(u"to").toString().mid(20, 3)));
    }
    QCOMPARE(shown.join(u','),
        QStringLiteral("owner 010-060,inference 010-030,save 040-050,owner 060-")); // the last goes on
    QCOMPARE(got.at(2).toObject().value(u"bytes").toInt(), 500);
    QCOMPARE(got.at(0).toObject().value(u"session").toString(), sessionHash(QStringLiteral("A")).left(6));
}

void TstTimeline::aFailureEndsItsOperationAndIsMarked()
{
    Timeline timeline;
    timeline.take(notice(eventname::restoreStart), 10);
    Notice failed = notice(eventname::restoreFailed);
    failed.code = QStringLiteral("KV_RESTORE_FAILED");
    timeline.take(failed, 20);
    const QJsonArray got = intervals(timeline, 0, 100);
    QCOMPARE(got.size(), 2);
    QCOMPARE(got.at(0).toObject().value(u"kind").toString(), QStringLiteral("restore"));
    QVERIFY(got.at(0).toObject().contains(u"to"));
    QCOMPARE(got.at(1).toObject().value(u"kind").toString(), QStringLiteral("failure"));
    QCOMPARE(got.at(1).toObject().value(u"code").toString(), QStringLiteral("KV_RESTORE_FAILED"));
    QCOMPARE(buckets(timeline, {}, 0, 100, 100).at(0).toObject().value(u"failures").toInt(), 1);
}

void TstTimeline::onlyWhatTouchesTheSpanIsShown()
{
    Timeline timeline;
    timeline.take(notice(eventname::slotAcquire), 10);
    timeline.take(notice(eventname::slotRelease), 20);
    timeline.take(notice(eventname::slotAcquire), 50);
    QCOMPARE(intervals(timeline, 0, 10).size(), 0);
    QCOMPARE(intervals(timeline, 0, 11).size(), 1);
    QCOMPARE(intervals(timeline, 20, 30).size(), 1);
    QCOMPARE(intervals(timeline, 21, 30).size(), 0);
    QCOMPARE(intervals(timeline, 100, 200).size(), 1); // still going on
}

void TstTimeline::slotsAndModelsAreKeptApart()
{
    Timeline timeline;
    timeline.take(notice(eventname::slotAcquire, QStringLiteral("A"), 0), 10);
    timeline.take(notice(eventname::slotAcquire, QStringLiteral("B"), 1), 10);
    timeline.take(notice(eventname::slotRelease, QStringLiteral("B"), 1), 20);
    QVERIFY(!intervals(timeline, 0, 100, 0).at(0).toObject().contains(u"to"));
    QVERIFY(intervals(timeline, 0, 100, 1).at(0).toObject().contains(u"to"));
}

void TstTimeline::requestsWithoutASlotCountAllTheSame()
{
    Timeline timeline;
    timeline.take(notice(eventname::slotAcquire, QStringLiteral("A"), -1), 10);
    timeline.take(notice(eventname::slotRelease, QStringLiteral("A"), -1), 20);
    QCOMPARE(buckets(timeline, {}, 0, 100, 100).at(0).toObject().value(u"requests").toInt(), 1);
    QVERIFY(timeline.slotIntervals(0, 100).isEmpty());
}

void TstTimeline::whatIsKeptIsBounded()
{
    Timeline timeline;
    for (int i = 0; i < 60'000; ++i) {
        timeline.take(notice(eventname::slotAcquire), i);
        timeline.take(notice(eventname::slotRelease), i);
    }
    QVERIFY(intervals(timeline, 0, 100'000).size() <= 4000);
    QVERIFY(buckets(timeline, {}, 0, 100'000, 100'000).at(0).toObject().value(u"requests").toInt() <= 50'000);
    constexpr qint64 c_dayMs = 24LL * 3600 * 1000;
    timeline.take(notice(eventname::slotAcquire), 3 * c_dayMs);
    QVERIFY(buckets(timeline, {}, 0, c_dayMs, c_dayMs).isEmpty()); // a day is kept
}

QTEST_APPLESS_MAIN(TstTimeline)
#include "tst_timeline.moc"
