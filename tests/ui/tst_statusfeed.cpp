// SPDX-License-Identifier: MIT
#include "fakeui.h"
#include "statusfeed.h"

#include <QSignalSpy>
#include <QTest>

using namespace kv;

class TestStatusFeed final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void slotEventsAreFollowedByOneQuestion();
    void anEventDuringTheAnswerAsksAgain();
    void otherEventsAskNothing();
    void sameStatusIsNoChange();
    void awayForgets();
};

namespace {

QJsonObject eventNamed(const QString &name) { return { { QStringLiteral("name"), name } }; }
QJsonObject document(int pid) { return { { QStringLiteral("pid"), pid } }; }
QString statusMethod() { return QStringLiteral("kv.status"); }

} // namespace

void TestStatusFeed::slotEventsAreFollowedByOneQuestion()
{
    FakeUiDaemon daemon;
    daemon.answer(statusMethod(), document(7));
    StatusFeed feed(daemon);
    QSignalSpy changed(&feed, &StatusFeed::changed);
    daemon.sendEvent(eventNamed(QStringLiteral("kv.slot.acquire")));
    daemon.sendEvent(eventNamed(QStringLiteral("kv.slot.state")));
    daemon.sendEvent(eventNamed(QStringLiteral("kv.session.save.start")));
    QVERIFY(changed.wait());
    QCOMPARE(daemon.callsOf(statusMethod()).size(), 1);
    QVERIFY(feed.status());
    QCOMPARE(feed.status()->pid, 7);
}

void TestStatusFeed::anEventDuringTheAnswerAsksAgain()
{
    FakeUiDaemon daemon;
    StatusFeed feed(daemon);
    daemon.sendEvent(eventNamed(QStringLiteral("kv.slot.acquire")));
    QTRY_COMPARE(daemon.waiting(), 1);
    daemon.sendEvent(eventNamed(QStringLiteral("kv.slot.release")));
    daemon.answerOldest(FakeUiDaemon::ok(document(1)));
    QTRY_COMPARE(daemon.callsOf(statusMethod()).size(), 2);
    daemon.answerOldest(FakeUiDaemon::ok(document(2)));
    QCOMPARE(feed.status()->pid, 2);
    QCOMPARE(daemon.waiting(), 0);
}

void TestStatusFeed::otherEventsAskNothing()
{
    FakeUiDaemon daemon;
    StatusFeed feed(daemon);
    daemon.sendEvent(eventNamed(QStringLiteral("kv.stats")));
    daemon.sendEvent(eventNamed(QStringLiteral("kv.operation.progress")));
    daemon.sendEvent(eventNamed(QStringLiteral("kv.slot.state")));
    QTRY_COMPARE(daemon.calls().size(), 1);
}

void TestStatusFeed::sameStatusIsNoChange()
{
    FakeUiDaemon daemon;
    StatusFeed feed(daemon);
    QSignalSpy changed(&feed, &StatusFeed::changed);
    daemon.sendStatus(document(1));
    daemon.sendStatus(document(1));
    QCOMPARE(changed.count(), 1);
}

void TestStatusFeed::awayForgets()
{
    FakeUiDaemon daemon;
    StatusFeed feed(daemon);
    daemon.sendStatus(document(1));
    daemon.setLink(Daemon::Link::Away, QStringLiteral("Nobody answers."));
    QVERIFY(!feed.status());
    QCOMPARE(feed.link(), Daemon::Link::Away);
}

QTEST_GUILESS_MAIN(TestStatusFeed)
#include "tst_statusfeed.moc"
