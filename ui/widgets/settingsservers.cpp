// SPDX-License-Identifier: MIT
#include "settingsservers.h"

#include "doctordialog.h"
#include "doctorglyph.h"
#include "settingsform.h"
#include "settingspresenter.h"
#include "ui_settingsservers.h"

#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QSignalBlocker>

#include <algorithm>

namespace kv {

SettingsServers::SettingsServers(SettingsPresenter &settings, Daemon &daemon, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_doctor(daemon)
    , m_ui(std::make_unique<Ui::SettingsServers>())
{
    m_ui->setupUi(this);
    m_form = new SettingsForm(this,
        { &serverFields(),
            [this](
                const QString &key) { return row() < 0 ? QString() : m_settings.serverWritten(row(), key); },
            [this](
                const QString &key, const QString &value) { m_settings.setServerValue(row(), key, value); },
            [this](const QString &key) {
                return row() < 0 ? QString() : m_settings.problemOf(m_settings.serverKey(row(), key));
            } });
    m_ui->servers->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    connect(m_ui->servers, &QListWidget::currentRowChanged, this, &SettingsServers::showServer);
    connect(m_ui->add, &QPushButton::clicked, this, &SettingsServers::add);
    connect(m_ui->remove, &QPushButton::clicked, this, &SettingsServers::askRemove);
    connect(m_ui->test, &QPushButton::clicked, this, &SettingsServers::test);
    connect(m_ui->name, &QLineEdit::textEdited, this, &SettingsServers::rename);
    connect(m_ui->chooseKeyFile, &QPushButton::clicked, this,
        [this] { choose(QStringLiteral("apiKeyFile"), false); });
    connect(m_ui->chooseFolder, &QPushButton::clicked, this,
        [this] { choose(QStringLiteral("slotSavePath"), true); });
    connect(&m_settings, &SettingsPresenter::edited, this, &SettingsServers::showServer);
    connect(&m_settings, &SettingsPresenter::problemsChanged, this, &SettingsServers::refresh);
    refresh();
}

SettingsServers::~SettingsServers() = default;

int SettingsServers::row() const
{
    const int row = m_ui->servers->currentRow();
    return row < static_cast<int>(m_settings.draft().servers.size()) ? row : -1;
}

void SettingsServers::refresh()
{
    showList();
    showServer();
}

void SettingsServers::showList()
{
    const QSignalBlocker blocker(m_ui->servers);
    const QStringList names = m_settings.serverNames();
    const int chosen = m_ui->servers->currentRow();
    m_ui->servers->clear();
    for (const QString &name : names) {
        auto *item = new QListWidgetItem(name, m_ui->servers);
        const bool wrong = std::any_of(m_settings.problems().begin(), m_settings.problems().end(),
            [&](const SettingsPresenter::Problem &problem) {
                return (problem.key + QLatin1Char('.')).startsWith(QStringLiteral("servers.%1.").arg(name));
            });
        if (wrong) {
            item->setIcon(doctorGlyph(
                DoctorCheck::Verdict::Failed, palette(), fontMetrics().height(), devicePixelRatioF()));
            item->setData(Qt::AccessibleDescriptionRole, tr("has an error"));
        }
    }
    m_ui->servers->setCurrentRow(std::clamp(chosen, 0, std::max(0, static_cast<int>(names.size()) - 1)));
    m_ui->add->setEnabled(m_settings.canAddServers());
    m_ui->listHint->say(m_settings.canAddServers()
            ? QString()
            : tr("The file has the short form with one “backend:”. For several servers, write “servers:” in "
                 "the file."));
}

void SettingsServers::showServer()
{
    const bool there = row() >= 0;
    m_ui->stack->setCurrentWidget(there ? m_ui->one : m_ui->nothing);
    m_ui->remove->setEnabled(there && m_settings.canAddServers());
    if (!there) {
        return;
    }
    const QString name = m_settings.draft().servers.at(static_cast<std::size_t>(row())).name;
    if (!m_ui->name->hasFocus() || m_ui->name->text() == name) {
        m_ui->name->setText(name);
        m_ui->nameHint->say({}, m_settings.problemOf(QStringLiteral("servers.") + name));
    }
    m_ui->name->setEnabled(m_settings.canAddServers());
    const bool all = m_settings.serverValue(row(), QStringLiteral("mode")) == QStringLiteral("managed-slots");
    m_ui->slotId->setEnabled(!all);
    m_ui->auxiliarySlot->setEnabled(all);
    const bool shared = m_settings.serverValue(row(), QStringLiteral("snapshotBinaryManagement"))
        == QStringLiteral("shared-filesystem");
    m_ui->slotSavePath->setEnabled(shared);
    m_ui->chooseFolder->setEnabled(shared);
    m_form->refresh();
}

void SettingsServers::add()
{
    const int added = m_settings.addServer();
    showList();
    m_ui->servers->setCurrentRow(added);
    m_ui->name->setFocus();
    m_ui->name->selectAll();
}

void SettingsServers::askRemove()
{
    const int asked = row();
    const QString name = m_settings.serverNames().at(asked);
    auto *box = new QMessageBox(QMessageBox::Question, tr("Remove a server"),
        tr("Remove the server “%1”?").arg(name), QMessageBox::Cancel, this);
    box->setInformativeText(m_settings.removalLoss(asked));
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton *remove = box->addButton(tr("&Remove"), QMessageBox::DestructiveRole);
    connect(remove, &QPushButton::clicked, this, [this, name] {
        const qsizetype at = m_settings.serverNames().indexOf(name);
        if (at >= 0) {
            m_settings.removeServer(static_cast<int>(at));
            refresh();
        }
    });
    box->open();
}

void SettingsServers::rename(const QString &name)
{
    const bool done = m_settings.renameServer(row(), name.trimmed());
    if (done) {
        m_ui->servers->currentItem()->setText(name.trimmed());
    }
    m_ui->nameHint->say({},
        done                           ? QString()
            : name.trimmed().isEmpty() ? tr("A server needs a name.")
                                       : tr("Another server has this name."));
}

/// A server as the daemon knows it is asked about by its name, as only the daemon may read its key file.
void SettingsServers::test()
{
    const SettingsServer &server = m_settings.draft().servers.at(static_cast<std::size_t>(row()));
    auto *dialog = new DoctorDialog(m_doctor, tr("Test of %1").arg(server.name), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!m_settings.isDirty() && m_settings.fileExists()) {
        m_doctor.runConfigured(server.name);
    } else {
        m_doctor.runAddress(m_settings.serverValue(row(), QStringLiteral("baseURL")),
            m_settings.serverValue(row(), QStringLiteral("apiKey")));
    }
    dialog->open();
}

void SettingsServers::choose(const QString &key, bool folder)
{
    auto *dialog = new QFileDialog(
        this, folder ? tr("Folder of the slot files") : tr("File with the API key"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this, key](const QString &path) {
        m_settings.setServerValue(row(), key, path);
        m_form->refresh();
    });
    dialog->open();
}

SettingsServers::Spot SettingsServers::spotOf(const QString &key) const
{
    for (int i = 0; i < static_cast<int>(m_settings.draft().servers.size()); ++i) {
        for (const SettingsField &field : serverFields()) {
            if (m_settings.serverKey(i, field.key) == key) {
                return { i, field.key };
            }
        }
        if (key == QStringLiteral("servers.") + m_settings.serverNames().at(i)) {
            return { i, {} };
        }
    }
    return {};
}

bool SettingsServers::owns(const QString &key) const { return spotOf(key).row >= 0; }

void SettingsServers::focusOn(const QString &key)
{
    const Spot spot = spotOf(key);
    if (spot.row < 0) {
        return;
    }
    m_ui->servers->setCurrentRow(spot.row);
    if (spot.field.isEmpty()) {
        m_ui->name->setFocus();
    } else {
        m_form->focusOn(spot.field);
    }
}

} // namespace kv
