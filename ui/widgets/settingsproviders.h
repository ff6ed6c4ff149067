// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QWidget>

#include <memory>

class QComboBox;
class QGridLayout;
class QLineEdit;

namespace kv {

class SettingsHint;
class SettingsPresenter;

// NOLINTNEXTLINE(readability-identifier-naming): the name that uic gives
namespace Ui {
class SettingsProviders;
}

/// Which provider goes to which server, a row each.
class SettingsProviders final : public QWidget {
    Q_OBJECT

public:
    /// The presenter outlives this.
    explicit SettingsProviders(SettingsPresenter &settings, QWidget *parent = nullptr);
    ~SettingsProviders() override;
    Q_DISABLE_COPY_MOVE(SettingsProviders)

    void refresh(); ///< shows the draft and its problems
    [[nodiscard]] bool owns(const QString &key) const; ///< a problem's key is one of these
    void focusOn(const QString &key);

private:
    struct Row {
        QLineEdit *name = nullptr;
        QComboBox *server = nullptr; ///< nullptr: more than a name, edited in the file
        SettingsHint *hint = nullptr;
    };

    [[nodiscard]] qsizetype rowOf(const QString &key) const; ///< -1: none
    void rebuild();
    void addRow(QGridLayout *grid, int index);
    void showProblems();
    void store(int index);
    void add();

    SettingsPresenter &m_settings;
    std::unique_ptr<Ui::SettingsProviders> m_ui;
    QList<Row> m_rows;
};

} // namespace kv
