// SPDX-License-Identifier: MIT
#pragma once

#include "notificationkeys.h"
#include "trayiconpresenter.h"

#include <QMenu>
#include <QSystemTrayIcon>

namespace kv {

/// The icon in the tray, its menu and its messages.
class TrayIcon final : public QObject {
    Q_OBJECT

public:
    explicit TrayIcon(TrayIconPresenter &presenter, QObject *parent = nullptr);
    ~TrayIcon() override;
    Q_DISABLE_COPY_MOVE(TrayIcon)

    /// Whether there is a tray to be seen in. One that comes later is used too.
    [[nodiscard]] static bool isAvailable() { return QSystemTrayIcon::isSystemTrayAvailable(); }
    void show();
    [[nodiscard]] QSystemTrayIcon &icon() { return m_icon; }
    [[nodiscard]] QMenu &menu() { return m_menu; }
    void setMonitorShown(bool shown);
    void notify(NotificationKind kind, const QString &title, const QString &text);

Q_SIGNALS:
    void openWanted(const QString &page); ///< empty: the last one
    void monitorWanted(bool shown);
    void quitWanted();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; ///< a theme that turns dark

private:
    void makeMenu();
    void refresh();
    void showOwners();

    TrayIconPresenter &m_presenter;
    QMenu m_menu; ///< before the icon, which uses it
    QSystemTrayIcon m_icon;
    QAction *m_headline = nullptr;
    QAction *m_ownersEnd = nullptr;
    QList<QAction *> m_owners;
    QAction *m_save = nullptr;
    QMenu *m_pause = nullptr;
    QAction *m_resume = nullptr;
    QAction *m_monitor = nullptr;
    std::optional<TrayState> m_shown;
};

} // namespace kv
