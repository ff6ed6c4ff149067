// SPDX-License-Identifier: MIT
#pragma once

#include "doctorpresenter.h"

#include <QWidget>

#include <memory>

namespace kv {

class SettingsForm;
class SettingsPresenter;

// NOLINTNEXTLINE(readability-identifier-naming): the name that uic gives
namespace Ui {
class SettingsServers;
}

/// The servers of the configuration: a list, and the settings of the chosen one.
class SettingsServers final : public QWidget {
    Q_OBJECT

public:
    /// Both outlive this.
    SettingsServers(SettingsPresenter &settings, Daemon &daemon, QWidget *parent = nullptr);
    ~SettingsServers() override;
    Q_DISABLE_COPY_MOVE(SettingsServers)

    void refresh(); ///< shows the draft and its problems
    [[nodiscard]] bool owns(const QString &key) const; ///< a problem's key is one of these
    void focusOn(const QString &key);

private:
    struct Spot {
        int row = -1;
        QString field; ///< empty: its name
    };

    [[nodiscard]] Spot spotOf(const QString &key) const;
    [[nodiscard]] int row() const; ///< -1: none
    void showList();
    void showServer();
    void add();
    void askRemove();
    void rename(const QString &name);
    void test();
    void choose(const QString &key, bool folder);

    SettingsPresenter &m_settings;
    DoctorPresenter m_doctor;
    std::unique_ptr<Ui::SettingsServers> m_ui;
    SettingsForm *m_form = nullptr;
};

} // namespace kv
