// SPDX-License-Identifier: MIT
#pragma once

#include "page.h"

#include <QButtonGroup>
#include <QList>
#include <QStackedWidget>
#include <QWidget>

class QBoxLayout;
class QSettings;

namespace kv {

class Daemon;
class DaemonStarter;
class MainWindowStrip;

/// The window: a list of pages, the page, and strips that say what concerns all of them. Remembers its size,
/// its place and its page in the settings (`window/geometry`, `window/page`).
class MainWindow final : public QWidget {
    Q_OBJECT

public:
    /// Takes the pages over. All others outlive the window.
    MainWindow(Daemon &daemon, DaemonStarter &starter, QSettings &settings, const QList<Page *> &pages,
        QWidget *parent = nullptr);
    ~MainWindow() override;
    Q_DISABLE_COPY_MOVE(MainWindow)

    /// An unknown key changes nothing.
    void showPage(const QString &key);
    [[nodiscard]] QString currentPage() const; ///< its key
    [[nodiscard]] const QList<Page *> &pages() const { return m_pages; }
    /// Something to know, which the user can dismiss. Empty: nothing.
    void setNotice(const QString &text);
    /// Shown, in front, not minimised.
    void present();

Q_SIGNALS:
    /// The user closed it (it is only hidden).
    void closed();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeList();
    void addPage(Page *page, QBoxLayout *list);
    void select(int index);
    void tellPages();
    void showLink();
    void remember();

    Daemon &m_daemon;
    DaemonStarter &m_starter;
    QSettings &m_settings;
    QList<Page *> m_pages;
    QButtonGroup m_buttons;
    QStackedWidget *m_stack = nullptr;
    MainWindowStrip *m_away = nullptr;
    MainWindowStrip *m_notice = nullptr;
    Page *m_told = nullptr; ///< the page that was told it is shown
};

} // namespace kv
