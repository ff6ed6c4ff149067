// SPDX-License-Identifier: MIT
#include "fakeui.h"
#include "notificationpresenter.h"
#include "samplestatus.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::test;

class TestNotificationPresenter final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aTroubleIsToldOnceAndItsEnd();
    void aRestartRepeatsNothing();
    void anAbsentServerIsNoRecovery();
    void reuseIsAKindOfItsOwn();
    void diskIsToldOnceWhileItWavers();
    void switchedOffIsSilent_data();
    void switchedOffIsSilent();

private:
    void send(const QJsonObject &server, qint64 bytes = 0);
    void make();

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<StatusFeed> m_feed;
    std::unique_ptr<OverviewLimits> m_limits;
    std::unique_ptr<NotificationPresenter> m_presenter;
    QList<NotificationKind> m_told;
    QStringList m_texts;
};

namespace {

QString word(const char *text) { return QString::fromLatin1(text); }

QJsonObject server(const char *state, const QJsonObject &more = {})
{
    return serverDocument(word("local"), word(state), { slotDocument() }, more);
}

} // namespace

void TestNotificationPresenter::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<QSettings>(m_folder->filePath(word("s.ini")), QSettings::IniFormat);
    make();
}

void TestNotificationPresenter::make()
{
    m_presenter.reset();
    m_limits.reset();
    m_feed.reset();
    m_told.clear();
    m_texts.clear();
    m_daemon = std::make_unique<FakeUiDaemon>();
    m_feed = std::make_unique<StatusFeed>(*m_daemon);
    m_limits = std::make_unique<OverviewLimits>(*m_daemon);
    m_presenter = std::make_unique<NotificationPresenter>(*m_feed, *m_limits, *m_settings);
    connect(m_presenter.get(), &NotificationPresenter::notify, this,
        [this](NotificationKind kind, const QString &title, const QString &text) {
            QVERIFY(!title.isEmpty());
            m_told.append(kind);
            m_texts.append(text);
        });
    m_daemon->answerOldest(FakeUiDaemon::ok(
        { { word("yaml"), word("retention: { maxTotalBytes: 1000, minFreeBytes: 100 }") } }));
}

void TestNotificationPresenter::cleanup()
{
    m_presenter.reset();
    m_limits.reset();
    m_feed.reset();
}

void TestNotificationPresenter::send(const QJsonObject &server, qint64 bytes)
{
    m_daemon->sendStatus(
        statusDocument({ server }, { { word("snapshots"), QJsonObject { { word("bytes"), bytes } } } }));
}

void TestNotificationPresenter::aTroubleIsToldOnceAndItsEnd()
{
    send(server("healthy"));
    QVERIFY(m_told.isEmpty());
    send(server("open"));
    QCOMPARE(m_told, QList { NotificationKind::Paused });
    QCOMPARE(m_texts.first(), word("The message of the backend."));
    send(server("half-open"));
    send(server("open"));
    QCOMPARE(m_told.size(), 1);
    send(server("healthy"));
    QCOMPARE(m_told, (QList { NotificationKind::Paused, NotificationKind::Recovered }));
    send(server("unsupported"));
    QCOMPARE(m_told.size(), 3);
}

void TestNotificationPresenter::aRestartRepeatsNothing()
{
    send(server("open"));
    make();
    send(server("open"));
    QVERIFY(m_told.isEmpty());
    send(server("healthy"));
    QCOMPARE(m_told, QList { NotificationKind::Recovered });
}

void TestNotificationPresenter::anAbsentServerIsNoRecovery()
{
    send(server("open"));
    send(server("unreachable"));
    m_daemon->setLink(Daemon::Link::Away);
    m_daemon->setLink(Daemon::Link::Connected);
    send(server("open"));
    QCOMPARE(m_told.size(), 1);
    m_daemon->sendStatus(statusDocument({})); // it left the configuration
    QCOMPARE(m_told.size(), 1);
    send(server("open"));
    QCOMPARE(m_told.size(), 2);
}

void TestNotificationPresenter::reuseIsAKindOfItsOwn()
{
    send(server("healthy", { { word("compatibility"), word("broken") } }));
    QCOMPARE(m_told, QList { NotificationKind::NoReuse });
    QVERIFY(m_texts.first().contains(word("qwen3-8b")));
    send(server("healthy", { { word("compatibility"), word("unknown") } }));
    QCOMPARE(m_told.size(), 1);
    send(server("healthy"));
    QCOMPARE(m_told.last(), NotificationKind::Recovered);
}

void TestNotificationPresenter::diskIsToldOnceWhileItWavers()
{
    send(server("healthy"), 899);
    QVERIFY(m_told.isEmpty());
    send(server("healthy"), 900);
    send(server("healthy"), 860);
    send(server("healthy"), 910);
    QCOMPARE(m_told, QList { NotificationKind::Disk });
    send(server("healthy"), 100); // nothing to celebrate
    QCOMPARE(m_told.size(), 1);
    send(server("healthy", { { word("freeBytes"), 109 } }), 100);
    send(server("healthy", { { word("freeBytes"), 115 } }), 100);
    send(server("healthy", { { word("freeBytes"), 109 } }), 100);
    QCOMPARE(m_told.size(), 2);
    send(server("healthy", { { word("freeBytes"), 200 } }), 100);
    QCOMPARE(m_told.last(), NotificationKind::Recovered);
}

void TestNotificationPresenter::switchedOffIsSilent_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QJsonObject>("document");
    QTest::addColumn<int>("bytes");
    QTest::newRow("paused") << word("notifications/paused") << server("open") << 0;
    QTest::newRow("reuse") << word("notifications/noReuse")
                           << server("healthy", { { word("compatibility"), word("broken") } }) << 0;
    QTest::newRow("disk") << word("notifications/disk") << server("healthy") << 950;
}

void TestNotificationPresenter::switchedOffIsSilent()
{
    QFETCH(QString, key);
    QFETCH(QJsonObject, document);
    QFETCH(int, bytes);
    m_settings->setValue(key, false);
    send(document, bytes);
    send(server("healthy"));
    QVERIFY(m_told.isEmpty());
    m_settings->setValue(key, true);
    m_settings->setValue(word("notifications/recovered"), false);
    send(document, bytes);
    send(server("healthy"));
    QCOMPARE(m_told.size(), 1);
}

QTEST_GUILESS_MAIN(TestNotificationPresenter)
#include "tst_notificationpresenter.moc"
