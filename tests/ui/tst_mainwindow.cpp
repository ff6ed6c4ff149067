// SPDX-License-Identifier: MIT
#include "daemonstarter.h"
#include "fakeui.h"
#include "mainwindow.h"
#include "mainwindowstrip.h"

#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace kv;

namespace {

class TestPage final : public Page {
public:
    explicit TestPage(const QString &key)
        : m_key(key)
    {
    }
    [[nodiscard]] QString title() const override { return u'&' + m_key; }
    [[nodiscard]] QString key() const override { return m_key; }
    void setShown(bool shown) override { m_shown += shown ? 1 : -1; }
    [[nodiscard]] int shown() const { return m_shown; }

private:
    QString m_key;
    int m_shown = 0;
};

} // namespace

class TestMainWindow final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void keysChooseThePage();
    void onlyThePageInViewIsShown();
    void pageAndSizeAreRemembered();
    void awayIsSaidWithAButton();
    void startingAndItsTroubleAreSaid();
    void aNoticeCanBeDismissed();

private:
    void makeWindow();
    MainWindowStrip *strip(int index) const { return m_window->findChildren<MainWindowStrip *>().at(index); }

    QTemporaryDir m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<DaemonStarter> m_starter;
    QList<TestPage *> m_pages;
    std::unique_ptr<MainWindow> m_window;
};

void TestMainWindow::init()
{
    m_settings
        = std::make_unique<QSettings>(m_folder.filePath(QStringLiteral("tray.ini")), QSettings::IniFormat);
    m_settings->clear();
    m_daemon = std::make_unique<FakeUiDaemon>();
    DaemonStarter::Options options;
    options.serviceManager.clear();
    options.program = QStringLiteral("no-such-daemon-here");
    m_starter = std::make_unique<DaemonStarter>(*m_daemon, options);
    makeWindow();
}

void TestMainWindow::makeWindow()
{
    m_window.reset();
    m_pages = { new TestPage(QStringLiteral("overview")), new TestPage(QStringLiteral("sessions")),
        new TestPage(QStringLiteral("doctor")) };
    m_window = std::make_unique<MainWindow>(
        *m_daemon, *m_starter, *m_settings, QList<Page *> { m_pages[0], m_pages[1], m_pages[2] });
}

void TestMainWindow::cleanup()
{
    m_window.reset();
    m_starter.reset();
    m_daemon.reset();
}

void TestMainWindow::keysChooseThePage()
{
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QCOMPARE(m_window->currentPage(), QStringLiteral("overview"));
    QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(m_window->currentPage(), QStringLiteral("doctor"));
    QTest::keyClick(m_window.get(), Qt::Key_S, Qt::AltModifier);
    QTRY_COMPARE(m_window->currentPage(), QStringLiteral("sessions"));
    const QList<QToolButton *> buttons = m_window->findChildren<QToolButton *>();
    QVERIFY(buttons.at(1)->isChecked());
    buttons.at(1)->setFocus();
    QTest::keyClick(buttons.at(1), Qt::Key_Down);
    QCOMPARE(m_window->currentPage(), QStringLiteral("doctor"));
    m_window->showPage(QStringLiteral("nonsense"));
    QCOMPARE(m_window->currentPage(), QStringLiteral("doctor"));
}

void TestMainWindow::onlyThePageInViewIsShown()
{
    QCOMPARE(m_pages[0]->shown(), 0);
    m_window->show();
    QCOMPARE(m_pages[0]->shown(), 1);
    m_window->showPage(QStringLiteral("sessions"));
    QCOMPARE(m_pages[0]->shown(), 0);
    QCOMPARE(m_pages[1]->shown(), 1);
    m_window->hide();
    QCOMPARE(m_pages[1]->shown(), 0);
    m_window->present();
    QCOMPARE(m_pages[1]->shown(), 1);
    m_window->showMinimized();
    QTRY_COMPARE(m_pages[1]->shown(), 0);
    m_window->present();
    QTRY_COMPARE(m_pages[1]->shown(), 1);
}

void TestMainWindow::pageAndSizeAreRemembered()
{
    m_window->resize(733, 511);
    m_window->show();
    m_window->showPage(QStringLiteral("doctor"));
    m_window->close();
    makeWindow();
    m_window->show();
    QCOMPARE(m_window->currentPage(), QStringLiteral("doctor"));
    QCOMPARE(m_window->size(), QSize(733, 511));
}

void TestMainWindow::awayIsSaidWithAButton()
{
    m_window->show();
    QVERIFY(!strip(0)->isVisible());
    m_daemon->setLink(Daemon::Link::Away, QStringLiteral("Nobody listens there."));
    QVERIFY(strip(0)->isVisible());
    QVERIFY(strip(0)->text().contains(QStringLiteral("Nobody listens there.")));
    m_daemon->setLink(Daemon::Link::Connected);
    QVERIFY(!strip(0)->isVisible());
}

void TestMainWindow::startingAndItsTroubleAreSaid()
{
    m_window->show();
    m_daemon->setLink(Daemon::Link::Away);
    strip(0)->findChild<QPushButton *>()->click();
    QTRY_VERIFY(strip(0)->text().contains(QStringLiteral("no-such-daemon-here")));
    QVERIFY(strip(0)->findChild<QPushButton *>()->isEnabled());
    m_daemon->setLink(Daemon::Link::Connected);
    QVERIFY(m_starter->trouble().isEmpty());
}

void TestMainWindow::aNoticeCanBeDismissed()
{
    m_window->show();
    m_window->setNotice(QStringLiteral("There is no tray here."));
    QVERIFY(strip(1)->isVisible());
    strip(1)->findChild<QPushButton *>()->click();
    QVERIFY(!strip(1)->isVisible());
}

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
