// SPDX-License-Identifier: MIT
#pragma once

#include "settingsschema.h"

#include <QObject>

#include <functional>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QWidget;

namespace kv {

class SettingsHint;

/// Where the values of a form come from and go to. All take a key of `fields`.
struct SettingsSource {
    const std::vector<SettingsField> *fields = nullptr;
    std::function<QString(const QString &)> written; ///< empty: the default holds
    std::function<void(const QString &, const QString &)> store;
    std::function<QString(const QString &)> problem;
};

/// Ties the controls of a form to keys by their names: the check box, combo box or line edit
/// `checkpoint_idleMs` is the key "checkpoint.idleMs", and the SettingsHint `checkpoint_idleMsHint` says what
/// its value means or what is wrong with it. Owned by the form.
class SettingsForm final : public QObject {
    Q_OBJECT

public:
    SettingsForm(QWidget *form, SettingsSource source);

    void refresh(); ///< shows the values and the problems
    [[nodiscard]] bool has(const QString &key) const; ///< a control for it is here
    void focusOn(const QString &key);

private:
    void bind(const SettingsField &field);
    void show(const SettingsField &field);
    void explain(const SettingsField &field);
    void fill(QComboBox *box, const SettingsField &field, const QString &value);
    template <typename T>
    [[nodiscard]] T *control(const SettingsField &field, const QString &suffix = {}) const;

    QWidget *m_form;
    SettingsSource m_source;
};

} // namespace kv
