// SPDX-License-Identifier: MIT
#include "settingsproviders.h"

#include "settingshint.h"
#include "settingspresenter.h"
#include "ui_settingsproviders.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>

namespace kv {

namespace {

enum Column { NameColumn, ArrowColumn, ServerColumn, RemoveColumn, ColumnCount };

} // namespace

SettingsProviders::SettingsProviders(SettingsPresenter &settings, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_ui(std::make_unique<Ui::SettingsProviders>())
{
    m_ui->setupUi(this);
    connect(m_ui->add, &QPushButton::clicked, this, &SettingsProviders::add);
    connect(&m_settings, &SettingsPresenter::listsChanged, this, &SettingsProviders::rebuild);
    connect(&m_settings, &SettingsPresenter::problemsChanged, this, &SettingsProviders::showProblems);
    refresh();
}

SettingsProviders::~SettingsProviders() = default;

void SettingsProviders::refresh() { rebuild(); }

void SettingsProviders::rebuild()
{
    const std::size_t count = m_settings.draft().providers.size();
    m_rows.clear();
    auto *rows = new QWidget(this); // the former one goes with its layout
    delete layout()->replaceWidget(m_ui->rows, rows);
    m_ui->rows->deleteLater();
    m_ui->rows = rows;
    auto *grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(NameColumn, 2);
    grid->setColumnStretch(ServerColumn, 3);
    for (std::size_t i = 0; i < count; ++i) {
        addRow(grid, static_cast<int>(i));
    }
    m_ui->add->setEnabled(m_settings.canChangeProviders() && !m_settings.serverNames().isEmpty());
    QString hint;
    if (!m_settings.canChangeProviders()) {
        hint = tr("The file lists the names only. Write “name: server” there to change them here.");
    } else if (m_settings.serverNames().isEmpty()) {
        hint = tr("Add a server first: until then the one that is found serves every provider.");
    } else if (count == 0) {
        hint = tr("No provider goes to a server yet, so nothing is kept warm.");
    }
    m_ui->hint->say(hint);
    showProblems();
}

void SettingsProviders::addRow(QGridLayout *grid, int index)
{
    const SettingsProvider &provider = m_settings.draft().providers.at(static_cast<std::size_t>(index));
    QWidget *parent = m_ui->rows;
    Row row;
    row.name = new QLineEdit(provider.name, parent);
    row.name->setAccessibleName(tr("Name of provider %1").arg(index + 1));
    row.name->setToolTip(tr("As your harness calls it; “*” is every provider without a row of its own."));
    row.name->setEnabled(m_settings.canChangeProviders());
    row.hint = new SettingsHint(parent);
    auto *remove = new QPushButton(tr("Remove"), parent);
    remove->setAutoDefault(false);
    remove->setAccessibleName(tr("Remove provider %1").arg(provider.name));
    remove->setEnabled(m_settings.canChangeProviders());
    const int line = index * 2;
    grid->addWidget(row.name, line, NameColumn);
    grid->addWidget(
        new QLabel(isRightToLeft() ? QStringLiteral("←") : QStringLiteral("→"), parent), line, ArrowColumn);
    if (provider.routes.isEmpty()) {
        row.server = new QComboBox(parent);
        row.server->setAccessibleName(tr("Server of provider %1").arg(provider.name));
        row.server->addItems(m_settings.serverNames());
        if (row.server->findText(provider.server) < 0) {
            row.server->addItem(provider.server); // named, but not there: the daemon says so
        }
        row.server->setCurrentText(provider.server);
        grid->addWidget(row.server, line, ServerColumn);
        connect(row.server, &QComboBox::activated, this, [this, index] { store(index); });
    } else {
        auto *routes = new QLineEdit(provider.routes, parent);
        routes->setReadOnly(true);
        routes->setFrame(false);
        routes->setAccessibleName(tr("Servers of provider %1, by model").arg(provider.name));
        routes->setToolTip(tr("By the model's name, the first that fits. Edit this in the file."));
        grid->addWidget(routes, line, ServerColumn);
    }
    grid->addWidget(remove, line, RemoveColumn);
    grid->addWidget(row.hint, line + 1, NameColumn, 1, ColumnCount);
    connect(row.name, &QLineEdit::textEdited, this, [this, index] { store(index); });
    connect(remove, &QPushButton::clicked, this, [this, index] { m_settings.removeProvider(index); });
    m_rows.append(row);
}

void SettingsProviders::store(int index)
{
    const Row &row = m_rows.at(index);
    const QString name = row.name->text().trimmed();
    const bool done
        = m_settings.setProvider(index, name, row.server == nullptr ? QString() : row.server->currentText());
    row.hint->say({},
        done                 ? QString()
            : name.isEmpty() ? tr("A provider needs a name.")
                             : tr("Another row has this name."));
}

void SettingsProviders::showProblems()
{
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const SettingsProvider &provider = m_settings.draft().providers.at(static_cast<std::size_t>(i));
        const QString problem = m_settings.problemOf(QStringLiteral("providers.") + provider.name);
        m_rows.at(i).hint->say(provider.routes.isEmpty() || !m_settings.canChangeProviders()
                ? QString()
                : tr("Goes to a server by model: edited in the file."),
            problem);
        m_rows.at(i).name->setAccessibleDescription(problem);
    }
}

void SettingsProviders::add()
{
    const int added = m_settings.addProvider();
    m_rows.at(added).name->setFocus();
    m_rows.at(added).name->selectAll();
}

qsizetype SettingsProviders::rowOf(const QString &key) const
{
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const QString own = QStringLiteral("providers.")
            + m_settings.draft().providers.at(static_cast<std::size_t>(i)).name;
        if (key == own || key.startsWith(own + QLatin1Char('['))) {
            return i;
        }
    }
    return -1;
}

bool SettingsProviders::owns(const QString &key) const { return rowOf(key) >= 0; }

void SettingsProviders::focusOn(const QString &key)
{
    if (const qsizetype row = rowOf(key); row >= 0) {
        m_rows.at(row).name->setFocus();
    }
}

} // namespace kv
