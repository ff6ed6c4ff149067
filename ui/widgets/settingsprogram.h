// SPDX-License-Identifier: MIT
#pragma once

#include "autostart.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QSettings;

namespace kv {

// NOLINTNEXTLINE(readability-identifier-naming): the name that uic gives
namespace Ui {
class SettingsProgram;
}

/// The settings of this program itself; they act at once. Keys in QSettings: `notifications/paused`,
/// `noReuse`, `disk`, `recovered` (on by default), `language` (absent: the system's), `monitor/onTop`.
class SettingsProgram final : public QWidget {
    Q_OBJECT

public:
    /// `store` outlives this.
    SettingsProgram(QSettings &store, Autostart autostart, QWidget *parent = nullptr);
    ~SettingsProgram() override;
    Q_DISABLE_COPY_MOVE(SettingsProgram)

    void refresh(); ///< reads all anew

Q_SIGNALS:
    void firstStartWanted();
    /// A key of QSettings has a new value.
    void changed(const QString &key);

private:
    void bind(QCheckBox *box, const QString &key);
    void fillLanguages();
    void showAutostart(const QString &problem = {});
    void setAutostart(bool on);

    QSettings &m_store;
    Autostart m_autostart;
    std::unique_ptr<Ui::SettingsProgram> m_ui;
};

} // namespace kv
