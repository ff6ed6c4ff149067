// SPDX-License-Identifier: MIT
#include "settingsform.h"

#include "settingshint.h"
#include "settingstext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>

namespace kv {

namespace {

QString nameOf(const QString &key) { return QString(key).replace(QLatin1Char('.'), QLatin1Char('_')); }

QString yes() { return QStringLiteral("true"); }

bool isYes(const QString &value)
{
    static const QStringList words { yes(), QStringLiteral("yes"), QStringLiteral("on") };
    return words.contains(value.toLower());
}

} // namespace

SettingsForm::SettingsForm(QWidget *form, SettingsSource source)
    : QObject(form)
    , m_form(form)
    , m_source(std::move(source))
{
    for (const SettingsField &field : *m_source.fields) {
        bind(field);
    }
}

template <typename T> T *SettingsForm::control(const SettingsField &field, const QString &suffix) const
{
    return m_form->findChild<T *>(nameOf(field.key) + suffix);
}

void SettingsForm::bind(const SettingsField &field)
{
    const QString key = field.key;
    if (auto *check = control<QCheckBox>(field)) {
        connect(check, &QCheckBox::clicked, this,
            [this, key](bool on) { m_source.store(key, on ? yes() : QStringLiteral("false")); });
    } else if (auto *box = control<QComboBox>(field)) {
        connect(box, &QComboBox::activated, this, [this, box, &field](int index) {
            m_source.store(field.key, box->itemData(index).toString());
            explain(field);
        });
    } else if (auto *line = control<QLineEdit>(field)) {
        if (!field.standard.isEmpty()) {
            line->setPlaceholderText(field.standard);
        }
        connect(line, &QLineEdit::textEdited, this, [this, &field](const QString &text) {
            m_source.store(field.key, text);
            explain(field);
        });
    }
}

void SettingsForm::refresh()
{
    for (const SettingsField &field : *m_source.fields) {
        show(field);
    }
}

void SettingsForm::show(const SettingsField &field)
{
    const QString written = m_source.written(field.key);
    const QString value = written.isEmpty() ? field.standard : written;
    if (auto *check = control<QCheckBox>(field)) {
        check->setChecked(isYes(value));
    } else if (auto *box = control<QComboBox>(field)) {
        fill(box, field, value);
    } else if (auto *line = control<QLineEdit>(field); line != nullptr && line->text().trimmed() != written) {
        line->setText(written);
    }
    explain(field);
}

void SettingsForm::fill(QComboBox *box, const SettingsField &field, const QString &value)
{
    QStringList choices = field.choices;
    if (!choices.contains(value)) {
        choices.append(value); // the daemon may take it, or say what is wrong with it
    }
    box->clear();
    for (const QString &choice : qAsConst(choices)) {
        box->addItem(settingsChoice(field.key, choice), choice);
    }
    box->setCurrentIndex(static_cast<int>(choices.indexOf(value)));
}

void SettingsForm::explain(const SettingsField &field)
{
    auto *hint = control<SettingsHint>(field, QStringLiteral("Hint"));
    if (hint == nullptr) {
        return;
    }
    const QString written = m_source.written(field.key);
    const QString value = written.isEmpty() ? field.standard : written;
    QString meaning = field.kind == SettingsField::Kind::Choice ? settingsChoiceHint(field.key, value)
                                                                : settingsMeaning(field, value);
    const QString problem = m_source.problem(field.key);
    hint->say(meaning, problem);
    if (auto *shown = control<QWidget>(field)) {
        shown->setAccessibleDescription(problem.isEmpty() ? meaning : problem);
    }
}

bool SettingsForm::has(const QString &key) const
{
    const SettingsField *field = settingsField(*m_source.fields, key);
    return field != nullptr && control<QWidget>(*field) != nullptr;
}

void SettingsForm::focusOn(const QString &key)
{
    if (has(key)) {
        control<QWidget>(*settingsField(*m_source.fields, key))->setFocus();
    }
}

} // namespace kv
