// SPDX-License-Identifier: MIT
#pragma once

#include "autostart.h"
#include "page.h"
#include "settingspresenter.h"

#include <QList>

#include <functional>
#include <memory>

class QSettings;

namespace kv {

class SettingsForm;
class SettingsProgram;
class SettingsProviders;
class SettingsServers;

// NOLINTNEXTLINE(readability-identifier-naming): the name that uic gives
namespace Ui {
class SettingsPage;
}

/// The daemon's configuration and this program's own settings. What was changed and not applied stays while
/// other pages are looked at; before the program ends, ask with askBeforeLeaving().
class SettingsPage final : public Page {
    Q_OBJECT

public:
    /// Daemon and store outlive the page.
    SettingsPage(Daemon &daemon, QSettings &store, const Autostart &autostart, QWidget *parent = nullptr);
    ~SettingsPage() override;
    Q_DISABLE_COPY_MOVE(SettingsPage)

    [[nodiscard]] QString title() const override { return tr("Se&ttings"); }
    [[nodiscard]] QString key() const override { return QStringLiteral("settings"); }
    void setShown(bool shown) override;

    [[nodiscard]] bool hasUnsavedChanges() const { return m_settings.isDirty(); }
    /// Calls `leave` when nothing is unsaved, or after the user said what is to become of it; not when the
    /// user stays.
    void askBeforeLeaving(const std::function<void()> &leave);

Q_SIGNALS:
    void firstStartWanted();
    void programSettingChanged(const QString &key); ///< a key of QSettings

protected:
    void changeEvent(QEvent *event) override;

private:
    void addTabs(Daemon &daemon, QSettings &store, const Autostart &autostart);
    void addForm(QWidget *form, const QString &title);
    void addTab(QWidget *content, const QString &title);
    void showValues();
    void showState();
    void showProblems();
    void askAboutConflict();
    void goToProblem(int row);

    SettingsPresenter m_settings;
    std::unique_ptr<Ui::SettingsPage> m_ui;
    QList<SettingsForm *> m_forms;
    SettingsServers *m_servers = nullptr;
    SettingsProviders *m_providers = nullptr;
    SettingsProgram *m_program = nullptr;
    std::function<void()> m_leave; ///< after the changes are applied
};

} // namespace kv
