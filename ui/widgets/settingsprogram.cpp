// SPDX-License-Identifier: MIT
#include "settingsprogram.h"

#include "ui_settingsprogram.h"

#include <QSettings>

namespace kv {

namespace {

QString languageKey() { return QStringLiteral("language"); }

} // namespace

SettingsProgram::SettingsProgram(QSettings &store, Autostart autostart, QWidget *parent)
    : QWidget(parent)
    , m_store(store)
    , m_autostart(std::move(autostart))
    , m_ui(std::make_unique<Ui::SettingsProgram>())
{
    m_ui->setupUi(this);
    fillLanguages();
    bind(m_ui->notifyPaused, QStringLiteral("notifications/paused"));
    bind(m_ui->notifyNoReuse, QStringLiteral("notifications/noReuse"));
    bind(m_ui->notifyDisk, QStringLiteral("notifications/disk"));
    bind(m_ui->notifyRecovered, QStringLiteral("notifications/recovered"));
    bind(m_ui->monitorOnTop, QStringLiteral("monitor/onTop"));
    connect(m_ui->autostart, &QCheckBox::clicked, this, &SettingsProgram::setAutostart);
    connect(m_ui->firstStart, &QPushButton::clicked, this, &SettingsProgram::firstStartWanted);
    connect(m_ui->language, &QComboBox::activated, this, [this](int index) {
        const QString language = m_ui->language->itemData(index).toString();
        if (language.isEmpty()) {
            m_store.remove(languageKey());
        } else {
            m_store.setValue(languageKey(), language);
        }
        m_ui->languageHint->say(tr("Takes effect when this program is started anew."));
        Q_EMIT changed(languageKey());
    });
    refresh();
}

SettingsProgram::~SettingsProgram() = default;

void SettingsProgram::bind(QCheckBox *box, const QString &key)
{
    box->setObjectName(key); // refresh() finds its key there
    connect(box, &QCheckBox::clicked, this, [this, key](bool on) {
        m_store.setValue(key, on);
        Q_EMIT changed(key);
    });
}

/// Each in its own language, so that it is found by those who cannot read the present one.
void SettingsProgram::fillLanguages()
{
    m_ui->language->addItem(tr("Of the system"), QString());
    m_ui->language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    m_ui->language->addItem(QStringLiteral("Deutsch"), QStringLiteral("de"));
    m_ui->language->addItem(QString::fromUtf8("简体中文"), QStringLiteral("zh_CN"));
}

void SettingsProgram::refresh()
{
    for (QCheckBox *box : { m_ui->notifyPaused, m_ui->notifyNoReuse, m_ui->notifyDisk, m_ui->notifyRecovered,
             m_ui->monitorOnTop }) {
        box->setChecked(m_store.value(box->objectName(), true).toBool());
    }
    const int language = m_ui->language->findData(m_store.value(languageKey()).toString());
    m_ui->language->setCurrentIndex(std::max(0, language));
    showAutostart();
}

void SettingsProgram::showAutostart(const QString &problem)
{
    const Autostart::State state = m_autostart.state();
    m_ui->autostart->setChecked(state != Autostart::State::Off);
    m_ui->autostart->setEnabled(state != Autostart::State::Foreign);
    m_ui->autostartHint->say(state == Autostart::State::Foreign
            ? tr("%1 was not written by this program and is left alone.").arg(m_autostart.path())
            : QString(),
        problem);
}

void SettingsProgram::setAutostart(bool on)
{
    const Result<Done> done = m_autostart.set(on);
    showAutostart(done ? QString() : done.error().message);
}

} // namespace kv
