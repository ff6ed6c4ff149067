// SPDX-License-Identifier: MIT
#pragma once

#include "autostart.h"
#include "clock.h"
#include "daemonstarter.h"
#include "notificationpresenter.h"
#include "overviewpresenter.h"
#include "trayiconpresenter.h"

#include <QPointer>
#include <QTimer>

#include <memory>

class QSettings;

namespace kv {

class FirstStartDialog;
class MainWindow;
class MiniMonitor;
class OverviewPage;
class Page;
class SettingsPage;
class TrayIcon;

/// Presenters and windows over one daemon, wired to each other.
class App final : public QObject {
    Q_OBJECT

public:
    /// All outlive it.
    App(Daemon &daemon, const DaemonStarter::Options &starter, Autostart autostart, const Clock &clock,
        QSettings &settings, QObject *parent = nullptr);
    ~App() override;
    Q_DISABLE_COPY_MOVE(App)

    /// The icon where there is a tray; else the window, which says so. `hidden`: the tray is waited for a
    /// while before a window opens, as at the start of a session it may come later than this program.
    void start(bool hidden);
    /// An empty key: the page of the last time.
    void openPage(const QString &key);

    [[nodiscard]] MainWindow &window() { return *m_window; }
    [[nodiscard]] MiniMonitor &monitor() { return *m_monitor; }
    [[nodiscard]] TrayIcon &trayIcon() { return *m_trayIcon; }

private:
    void connectAll();
    void connectSettings(SettingsPage &page);
    void onStatus(const QJsonObject &document);
    void showFirstStart();
    void quit();
    void lookForTray();
    void showMonitor(bool shown);
    void onWindowClosed();

    Daemon &m_daemon;
    QSettings &m_settings;
    Autostart m_autostart;
    StatusFeed m_feed;
    OverviewLimits m_limits;
    OverviewToday m_today;
    OverviewProgress m_progress;
    OverviewPresenter m_overview;
    TrayIconPresenter m_trayPresenter;
    NotificationPresenter m_notifications;
    DaemonStarter m_starter;
    std::unique_ptr<MainWindow> m_window;
    SettingsPage *m_settingsPage = nullptr; ///< the window's
    QPointer<FirstStartDialog> m_firstStart; ///< while it is open
    std::unique_ptr<MiniMonitor> m_monitor;
    std::unique_ptr<TrayIcon> m_trayIcon;
    QTimer m_trayTimer; ///< runs for the first minute, while there is no tray
    int m_looks = 0;
    bool m_hidden = false;
};

} // namespace kv
