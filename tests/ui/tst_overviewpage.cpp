// SPDX-License-Identifier: MIT
#include "fakeui.h"
#include "minimonitor.h"
#include "overviewbar.h"
#include "overviewlabel.h"
#include "overviewpage.h"
#include "samplestatus.h"
#include "trayicon.h"
#include "trayiconart.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::test;

class TestOverviewPage final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aFlagIsCopiedByKey();
    void cardsComeAndGo();
    void progressIsABarWhileItRuns();
    void aTextRunsAsItIsInAnyLayout();
    void timeTicksOnlyWhileSomethingRunsInView();
    void theMonitorRemembersItself();
    void theMonitorTicksOnlyInView();
    void theMenuFollowsTheState();
    void everyStateHasAShapeOfItsOwn();

private:
    bool shows(const QWidget &in, const QString &text) const;

    QTemporaryDir m_folder;
    std::unique_ptr<QSettings> m_settings;
    SystemClock m_clock;
    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<StatusFeed> m_feed;
    std::unique_ptr<OverviewLimits> m_limits;
    std::unique_ptr<OverviewToday> m_today;
    std::unique_ptr<OverviewProgress> m_progress;
    std::unique_ptr<OverviewPresenter> m_presenter;
};

namespace {

QString word(const char *text) { return QString::fromLatin1(text); }

QJsonObject healthy(const QJsonObject &slot = slotDocument(), const QJsonObject &more = {})
{
    return serverDocument(word("local"), word("healthy"), { slot }, more);
}

} // namespace

void TestOverviewPage::init()
{
    m_settings = std::make_unique<QSettings>(m_folder.filePath(word("s.ini")), QSettings::IniFormat);
    m_settings->clear();
    m_daemon = std::make_unique<FakeUiDaemon>();
    m_feed = std::make_unique<StatusFeed>(*m_daemon);
    m_limits = std::make_unique<OverviewLimits>(*m_daemon);
    m_today = std::make_unique<OverviewToday>(*m_daemon, *m_feed, m_clock, *m_settings);
    m_progress = std::make_unique<OverviewProgress>(*m_daemon, *m_feed);
    const OverviewPresenter::Sources sources { *m_feed, *m_limits, *m_today, *m_progress };
    m_presenter = std::make_unique<OverviewPresenter>(sources, m_clock);
}

void TestOverviewPage::cleanup()
{
    m_presenter.reset();
    m_progress.reset();
    m_today.reset();
    m_limits.reset();
    m_feed.reset();
    m_daemon.reset();
}

bool TestOverviewPage::shows(const QWidget &in, const QString &text) const
{
    const QList<QLabel *> labels = in.findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(),
        [&text](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
}

void TestOverviewPage::aFlagIsCopiedByKey()
{
    OverviewPage page(*m_presenter);
    page.show();
    page.setShown(true);
    m_daemon->sendStatus(statusDocument({ healthy(slotDocument(),
        { { word("advice"),
            QJsonArray { word("Start it with --slot-save-path FOLDER."), word("Rest.") } } }) }));
    QVERIFY(shows(page, word("local needs your attention")));
    QList<QPushButton *> copies;
    const QList<QPushButton *> buttons = page.findChildren<QPushButton *>();
    for (QPushButton *button : buttons) {
        if (button->text() == word("Copy")) {
            copies.append(button);
        }
    }
    QCOMPARE(copies.size(), 1);
    copies.first()->setFocus();
    QTest::keyClick(copies.first(), Qt::Key_Space);
    QCOMPARE(QGuiApplication::clipboard()->text(), word("--slot-save-path FOLDER"));
    m_daemon->sendStatus(statusDocument({ healthy() }));
    QVERIFY(!shows(page, word("needs your attention")));
}

void TestOverviewPage::cardsComeAndGo()
{
    OverviewPage page(*m_presenter);
    page.show();
    page.setShown(true);
    QVERIFY(shows(page, word("Looking for")) || shows(page, word("daemon")));
    const QJsonObject nobody { { word("id"), 1 }, { word("state"), word("idle") } };
    m_daemon->sendStatus(statusDocument(
        { serverDocument(word("local"), word("healthy"), { slotDocument(), nobody }), healthy() }));
    QVERIFY(shows(page, word("my-project")) && shows(page, word("48.7K of 131.1K tokens")));
    QVERIFY(shows(page, word("Nobody")));
    m_daemon->sendStatus(statusDocument({ healthy() }));
    QVERIFY(!shows(page, word("Nobody")));
    m_daemon->setLink(Daemon::Link::Away);
    QVERIFY(!shows(page, word("my-project")) && shows(page, word("The daemon is away")));
}

void TestOverviewPage::progressIsABarWhileItRuns()
{
    OverviewPage page(*m_presenter);
    page.show();
    page.setShown(true);
    MiniMonitor monitor(*m_presenter, *m_settings);
    monitor.show();
    const QJsonObject restoring = slotDocument(runningDocument(word("restore")));
    for (QWidget *window : std::initializer_list<QWidget *> { &page, &monitor }) {
        const auto bars = [window] {
            QList<QProgressBar *> all = window->findChildren<QProgressBar *>();
            all.removeIf([](const QProgressBar *bar) { return !bar->isVisible(); });
            return all;
        };
        m_daemon->sendStatus(statusDocument({ healthy(restoring) }));
        QCOMPARE(bars().size(), 1);
        QCOMPARE(bars().first()->maximum(), 0); // busy
        QCOMPARE(bars().first()->accessibleName(), word("Progress of my-project"));
        m_daemon->sendEvent(progressEvent(word("check"), 412, { { word("slot"), 0 } }));
        m_daemon->sendEvent(progressEvent(word("checksum"), 700));
        QCOMPARE(bars().size(), 2);
        QAccessibleInterface *heard = QAccessible::queryAccessibleInterface(bars().first());
        QCOMPARE(heard->valueInterface()->currentValue().toInt(), 412);
        QCOMPARE(heard->valueInterface()->maximumValue().toInt(), 1000);
        QVERIFY(heard->text(QAccessible::Description).startsWith(word("Checking its file")));
        QVERIFY(bars().first()->text().startsWith(word("41.2")));
        QVERIFY(shows(*window, word("Checksum of my-project")));
        QVERIFY(bars().last()->accessibleName().startsWith(word("Checksum of my-project")));
        QCOMPARE(bars().last()->value(), 700);
        m_daemon->sendEvent(progressEvent(word("checksum"), 1000));
        m_daemon->sendStatus(statusDocument({ healthy() }));
        QVERIFY(bars().isEmpty());
    }
}

/// Mirrored, it stands on the other side, but "1.2 GiB" does not become "GiB 1.2".
void TestOverviewPage::aTextRunsAsItIsInAnyLayout()
{
    const auto restore = qScopeGuard([] { QGuiApplication::setLayoutDirection(Qt::LeftToRight); });
    OverviewLabel label;
    label.setText(word("1 MMMM"));
    const int wide = label.fontMetrics().horizontalAdvance(label.text());
    label.resize(wide * 3, label.sizeHint().height());
    for (const bool mirrored : { false, true }) {
        QGuiApplication::setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        label.setLayoutDirection(QGuiApplication::layoutDirection());
        const QImage image = label.grab().toImage().convertToFormat(QImage::Format_Grayscale8);
        const auto ink = [&image](int from, int to) {
            int all = 0;
            for (int x = from; x < to; ++x) {
                for (int y = 0; y < image.height(); ++y) {
                    all += std::abs(qGray(image.pixel(x, y)) - qGray(image.pixel(image.width() / 2, 0)));
                }
            }
            return all;
        };
        const int begin = mirrored ? wide * 2 : 0; // of the text
        const int end = begin + wide;
        QVERIFY(ink(begin, end) > 0);
        QCOMPARE(ink(0, image.width()), ink(begin, end));
        QVERIFY(ink(begin, begin + wide / 4) < ink(end - wide / 4, end)); // "1" has less than "M"
    }
}

void TestOverviewPage::timeTicksOnlyWhileSomethingRunsInView()
{
    m_daemon->sendStatus(statusDocument({ healthy(slotDocument(runningDocument(word("inference")))) }));
    OverviewPage page(*m_presenter);
    page.show();
    QVERIFY(!page.ticks()); // not in view
    page.setShown(true);
    QVERIFY(page.ticks());
    m_daemon->sendStatus(statusDocument({ healthy() }));
    QVERIFY(!page.ticks());
    m_daemon->sendStatus(statusDocument({ healthy(slotDocument(runningDocument(word("save")))) }));
    QVERIFY(page.ticks());
    page.setShown(false);
    QVERIFY(!page.ticks());
}

void TestOverviewPage::theMonitorRemembersItself()
{
    {
        MiniMonitor monitor(*m_presenter, *m_settings);
        QVERIFY(!monitor.isWanted()); // off by default
        QSignalSpy changed(&monitor, &MiniMonitor::wantedChanged);
        monitor.setWanted(true);
        QVERIFY(monitor.isVisible() && monitor.isWanted());
        QVERIFY(monitor.windowFlags() & Qt::WindowStaysOnTopHint);
        monitor.resize(444, 333);
        monitor.move(100, 120);
        monitor.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&monitor));
        QTest::keyClick(&monitor, Qt::Key_T, Qt::AltModifier);
        QTRY_VERIFY(!(monitor.windowFlags() & Qt::WindowStaysOnTopHint));
        QVERIFY(monitor.isVisible());
        QTest::keyClick(&monitor, Qt::Key_Escape);
        QVERIFY(!monitor.isVisible() && !monitor.isWanted());
        QCOMPARE(changed.count(), 2);
    }
    MiniMonitor again(*m_presenter, *m_settings);
    QVERIFY(!(again.windowFlags() & Qt::WindowStaysOnTopHint));
    again.setWanted(true);
    QCOMPARE(again.size(), QSize(444, 333));
    QCOMPARE(again.pos(), QPoint(100, 120));
}

void TestOverviewPage::theMonitorTicksOnlyInView()
{
    MiniMonitor monitor(*m_presenter, *m_settings);
    m_daemon->sendStatus(statusDocument({ healthy(slotDocument(runningDocument(word("inference")))) }));
    QVERIFY(!monitor.ticks());
    monitor.setWanted(true);
    QVERIFY(shows(monitor, word("Answering")) && shows(monitor, word("82.4K left")));
    QVERIFY(monitor.ticks());
    m_daemon->sendStatus(statusDocument({ healthy() }));
    QVERIFY(shows(monitor, word("warm")));
    QVERIFY(!monitor.ticks());
}

void TestOverviewPage::theMenuFollowsTheState()
{
    TrayIconPresenter presenter(*m_daemon, *m_feed);
    TrayIcon tray(presenter);
    const auto action = [&tray](const QString &text) {
        const QList<QAction *> actions = tray.menu().actions();
        const auto found = std::find_if(actions.begin(), actions.end(),
            [&text](const QAction *entry) { return entry->text().remove(u'&').startsWith(text); });
        return found == actions.end() ? nullptr : *found;
    };
    QVERIFY(!action(word("Save now"))->isEnabled() && !action(word("Pause"))->isEnabled());
    QVERIFY(!action(word("Resume"))->isVisible());
    m_daemon->sendStatus(statusDocument(
        { healthy(slotDocument({ { word("state"), word("dirty") }, { word("label"), word("R&D") } })) }));
    QVERIFY(action(word("Save now"))->isEnabled() && action(word("Pause"))->isEnabled());
    QVERIFY(tray.menu().actions().at(1)->text().startsWith(word("R&&D, ")));
    action(word("Save now"))->trigger();
    QCOMPARE(m_daemon->callsOf(word("kv.flush")).size(), 1);
    action(word("Pause"))->menu()->actions().first()->trigger();
    QCOMPARE(m_daemon->callsOf(word("kv.pause")).first().params.value(word("forMs")), 600'000);
    m_daemon->sendStatus(statusDocument({ healthy(slotDocument(), { { word("paused"), true } }) }));
    QVERIFY(action(word("Resume"))->isVisible() && !action(word("Pause"))->isVisible());
    QSignalSpy open(&tray, &TrayIcon::openWanted);
    action(word("Doctor"))->trigger();
    QCOMPARE(open.first().first().toString(), word("doctor"));
    QCOMPARE(tray.icon().toolTip(), presenter.toolTip());
}

/// Without colour: what is opaque differs between any two states, at the smallest size and the largest.
void TestOverviewPage::everyStateHasAShapeOfItsOwn()
{
    for (const int side : { 16, 22, 64 }) {
        for (const TrayGround ground : { TrayGround::Light, TrayGround::Dark }) {
            QList<QImage> shapes;
            for (const TrayState state : c_trayStates) {
                QImage shape = trayStateIcon(state, ground).pixmap(side).toImage();
                QCOMPARE(shape.size(), QSize(side, side));
                shape.convertTo(QImage::Format_Alpha8);
                for (const QImage &other : qAsConst(shapes)) {
                    int different = 0;
                    for (int y = 0; y < side; ++y) {
                        for (int x = 0; x < side; ++x) {
                            different
                                += std::abs(qAlpha(shape.pixel(x, y)) - qAlpha(other.pixel(x, y))) > 100;
                        }
                    }
                    QVERIFY2(different > side * side / 20, qPrintable(QString::number(different)));
                }
                shapes.append(shape);
            }
        }
    }
}

QTEST_MAIN(TestOverviewPage)
#include "tst_overviewpage.moc"
