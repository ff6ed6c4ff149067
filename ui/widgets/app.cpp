// SPDX-License-Identifier: MIT
#include "app.h"

#include "firststartdialog.h"
#include "mainwindow.h"
#include "minimonitor.h"
#include "overviewpage.h"
#include "pages.h"
#include "settingspage.h"
#include "trayicon.h"
#include "trayiconart.h"

#include <QApplication>

namespace kv {

namespace {

constexpr int c_trayLookMs = 2000;
constexpr int c_trayLooks = 30;
constexpr int c_hiddenLooks = 5; ///< then the window opens in spite of --hidden: nothing else would be seen

} // namespace

App::App(Daemon &daemon, const DaemonStarter::Options &starter, Autostart autostart, const Clock &clock,
    QSettings &settings, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_settings(settings)
    , m_autostart(std::move(autostart))
    , m_feed(daemon)
    , m_limits(daemon)
    , m_today(daemon, m_feed, clock, settings)
    , m_progress(daemon, m_feed)
    , m_overview({ m_feed, m_limits, m_today, m_progress }, clock)
    , m_trayPresenter(daemon, m_feed)
    , m_notifications(m_feed, m_limits, settings)
    , m_starter(daemon, starter)
    , m_window(std::make_unique<MainWindow>(daemon, m_starter, settings,
          makePages({ daemon, m_feed, m_overview, clock, settings, m_autostart })))
    , m_monitor(std::make_unique<MiniMonitor>(m_overview, settings))
    , m_trayIcon(std::make_unique<TrayIcon>(m_trayPresenter))
{
    connectAll();
}

App::~App() = default;

void App::connectAll()
{
    connect(m_trayIcon.get(), &TrayIcon::openWanted, this, &App::openPage);
    connect(m_trayIcon.get(), &TrayIcon::quitWanted, this, &App::quit);
    connect(&m_daemon, &Daemon::statusReceived, this, &App::onStatus);
    connect(m_trayIcon.get(), &TrayIcon::monitorWanted, this, &App::showMonitor);
    connect(m_monitor.get(), &MiniMonitor::wantedChanged, m_trayIcon.get(), &TrayIcon::setMonitorShown);
    connect(m_window.get(), &MainWindow::closed, this, &App::onWindowClosed);
    connect(&m_notifications, &NotificationPresenter::notify, m_trayIcon.get(), &TrayIcon::notify);
    for (Page *page : m_window->pages()) {
        if (auto *overview = qobject_cast<OverviewPage *>(page); overview != nullptr) {
            connect(overview, &OverviewPage::monitorWanted, this, &App::showMonitor);
            connect(m_monitor.get(), &MiniMonitor::wantedChanged, overview, &OverviewPage::setMonitorShown);
        } else if (auto *settings = qobject_cast<SettingsPage *>(page); settings != nullptr) {
            connectSettings(*settings);
        }
    }
    const auto showState
        = [this] { m_window->setWindowIcon(trayStateIcon(m_trayPresenter.state(), TrayGround::Light)); };
    connect(&m_trayPresenter, &TrayIconPresenter::changed, m_window.get(), showState);
    showState();
    m_trayTimer.setInterval(c_trayLookMs);
    connect(&m_trayTimer, &QTimer::timeout, this, &App::lookForTray);
}

void App::connectSettings(SettingsPage &page)
{
    m_settingsPage = &page;
    connect(&page, &SettingsPage::firstStartWanted, this, &App::showFirstStart);
    connect(&page, &SettingsPage::programSettingChanged, m_monitor.get(), &MiniMonitor::followSettings);
}

/// The assistant shows itself once, and not to somebody who has just logged in.
void App::onStatus(const QJsonObject &document)
{
    if (!m_hidden && FirstStartPresenter::isWanted(m_settings, document)) {
        showFirstStart();
    }
}

void App::showFirstStart()
{
    if (m_firstStart == nullptr) {
        m_window->present();
        m_firstStart = new FirstStartDialog(m_daemon, m_settings, m_autostart, m_window.get());
        m_firstStart->setAttribute(Qt::WA_DeleteOnClose);
        m_firstStart->open();
    }
    m_firstStart->raise();
}

void App::quit()
{
    if (m_settingsPage->hasUnsavedChanges()) {
        openPage(m_settingsPage->key());
    }
    m_settingsPage->askBeforeLeaving([] { QCoreApplication::quit(); });
}

void App::start(bool hidden)
{
    m_hidden = hidden;
    m_trayIcon->show();
    if (m_monitor->isWanted()) {
        m_monitor->setWanted(true);
    }
    if (!TrayIcon::isAvailable()) {
        if (!hidden) {
            m_window->setNotice(tr("This desktop has no tray, so the window is shown instead."));
            m_window->present();
        }
        m_trayTimer.start();
    }
}

void App::lookForTray()
{
    ++m_looks;
    if (TrayIcon::isAvailable()) {
        m_trayTimer.stop();
        m_trayIcon->icon().hide(); // what was shown to no tray is shown anew
        m_trayIcon->show();
        m_window->setNotice({});
        return;
    }
    if (m_hidden && m_looks == c_hiddenLooks) {
        m_window->setNotice(tr("This desktop has no tray, so the window is shown instead."));
        m_window->present();
    }
    if (m_looks >= c_trayLooks) {
        m_trayTimer.stop();
    }
}

void App::openPage(const QString &key)
{
    m_hidden = false;
    m_window->showPage(key);
    m_window->present();
}

void App::showMonitor(bool shown) { m_monitor->setWanted(shown); }

/// Where no icon is left to come back by, closing the last window ends the program.
void App::onWindowClosed()
{
    if (!TrayIcon::isAvailable() && !m_monitor->isVisible()) {
        quit();
    }
}

} // namespace kv
