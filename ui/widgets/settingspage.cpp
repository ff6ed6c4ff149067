// SPDX-License-Identifier: MIT
#include "settingspage.h"

#include "doctorglyph.h"
#include "settingsform.h"
#include "settingsprogram.h"
#include "settingsproviders.h"
#include "settingsservers.h"
#include "ui_settingspage.h"
#include "ui_settingsrestoring.h"
#include "ui_settingssaving.h"
#include "ui_settingsspace.h"

#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QMessageBox>
#include <QScrollArea>
#include <QUrl>

namespace kv {

namespace {

using PageState = SettingsPresenter::State;

/// The tab that holds a widget.
int tabOf(const QTabWidget *tabs, const QWidget *widget)
{
    for (int i = 0; i < tabs->count(); ++i) {
        if (tabs->widget(i)->isAncestorOf(widget)) {
            return i;
        }
    }
    return tabs->currentIndex();
}

template <typename Form> QWidget *made()
{
    auto *widget = new QWidget;
    Form().setupUi(widget);
    return widget;
}

} // namespace

SettingsPage::SettingsPage(Daemon &daemon, QSettings &store, const Autostart &autostart, QWidget *parent)
    : Page(parent)
    , m_settings(daemon)
    , m_ui(std::make_unique<Ui::SettingsPage>())
{
    m_ui->setupUi(this);
    m_ui->problems->setMaximumHeight(fontMetrics().height() * 6);
    m_ui->problems->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_ui->problems->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    addTabs(daemon, store, autostart);
    connect(m_ui->apply, &QPushButton::clicked, this, [this] {
        m_leave = {}; // of a question whose changes were refused
        m_settings.apply();
    });
    connect(m_ui->revert, &QPushButton::clicked, &m_settings, &SettingsPresenter::revert);
    connect(m_ui->openFile, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_settings.path())); });
    connect(m_ui->problems, &QListWidget::itemActivated, this,
        [this] { goToProblem(m_ui->problems->currentRow()); });
    connect(m_ui->problems, &QListWidget::itemClicked, this,
        [this] { goToProblem(m_ui->problems->currentRow()); });
    connect(&m_settings, &SettingsPresenter::loaded, this, &SettingsPage::showValues);
    connect(&m_settings, &SettingsPresenter::edited, this, &SettingsPage::showState);
    connect(&m_settings, &SettingsPresenter::stateChanged, this, &SettingsPage::showState);
    connect(&m_settings, &SettingsPresenter::problemsChanged, this, &SettingsPage::showProblems);
    connect(&m_settings, &SettingsPresenter::conflictFound, this, &SettingsPage::askAboutConflict);
    connect(&m_settings, &SettingsPresenter::applied, this, [this] {
        if (const auto leave = std::exchange(m_leave, {}); leave) {
            leave();
        }
    });
    showValues();
    showProblems();
    showState();
}

SettingsPage::~SettingsPage() = default;

void SettingsPage::addTabs(Daemon &daemon, QSettings &store, const Autostart &autostart)
{
    m_servers = new SettingsServers(m_settings, daemon);
    addTab(m_servers, tr("Ser&vers"));
    m_providers = new SettingsProviders(m_settings);
    addTab(m_providers, tr("Pr&oviders"));
    addForm(made<Ui::SettingsSaving>(), tr("Savin&g"));
    addForm(made<Ui::SettingsRestoring>(), tr("Restorin&g"));
    addForm(made<Ui::SettingsSpace>(), tr("Sp&ace"));
    m_program = new SettingsProgram(store, autostart);
    addTab(m_program, tr("This pro&gram"));
    connect(m_program, &SettingsProgram::firstStartWanted, this, &SettingsPage::firstStartWanted);
    connect(m_program, &SettingsProgram::changed, this, &SettingsPage::programSettingChanged);
}

void SettingsPage::addForm(QWidget *form, const QString &title)
{
    m_forms.append(new SettingsForm(form,
        { &settingsFields(), [this](const QString &key) { return m_settings.written(key); },
            [this](const QString &key, const QString &value) { m_settings.setValue(key, value); },
            [this](const QString &key) { return m_settings.problemOf(key); } }));
    addTab(form, title);
}

void SettingsPage::addTab(QWidget *content, const QString &title)
{
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(content);
    content->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    m_ui->tabs->addTab(scroll, title);
}

void SettingsPage::setShown(bool shown)
{
    if (!shown) {
        return;
    }
    m_program->refresh();
    if (!m_settings.isDirty() && m_settings.state() != PageState::Busy) {
        m_settings.load();
    }
}

void SettingsPage::showValues()
{
    for (SettingsForm *form : qAsConst(m_forms)) {
        form->refresh();
    }
    m_servers->refresh();
    m_providers->refresh();
    showState();
}

void SettingsPage::showState()
{
    const PageState state = m_settings.state();
    const bool dirty = m_settings.isDirty();
    const bool there
        = state == PageState::Ready || (state == PageState::Busy && !m_settings.path().isEmpty());
    const QString path = QDir::toNativeSeparators(m_settings.path());
    m_ui->file->setText(path.isEmpty() ? tr("not known yet")
            : m_settings.fileExists()  ? path
                                       : tr("%1 (will be made)").arg(path));
    m_ui->openFile->setEnabled(m_settings.fileExists());
    for (int i = 0; i + 1 < m_ui->tabs->count(); ++i) {
        m_ui->tabs->widget(i)->setEnabled(there);
    }
    m_ui->apply->setEnabled(state == PageState::Ready && dirty);
    m_ui->revert->setEnabled(state == PageState::Ready && dirty);
    const bool plain = m_settings.message().isEmpty();
    m_ui->message->setText(
        plain && dirty ? tr("There are changes that are not applied yet.") : m_settings.message());
    const bool bad = state == PageState::Unreadable || !m_settings.problems().isEmpty();
    m_ui->messageIcon->setVisible(bad || (plain && dirty));
    m_ui->messageIcon->setPixmap(
        doctorGlyph(bad ? DoctorCheck::Verdict::Failed : DoctorCheck::Verdict::Warning, palette(),
            fontMetrics().height() * 5 / 4, devicePixelRatioF()));
}

void SettingsPage::showProblems()
{
    m_ui->problems->clear();
    for (const SettingsPresenter::Problem &problem : m_settings.problems()) {
        QString text = problem.key.isEmpty() ? problem.sentence
                                             : QStringLiteral("%1: %2").arg(problem.key, problem.sentence);
        if (problem.line > 0) {
            text = tr("Line %1, %2").arg(problem.line).arg(text);
        }
        new QListWidgetItem(QIcon(doctorGlyph(DoctorCheck::Verdict::Failed, palette(), fontMetrics().height(),
                                devicePixelRatioF())),
            text, m_ui->problems);
    }
    m_ui->problems->setVisible(!m_settings.problems().isEmpty());
    for (SettingsForm *form : qAsConst(m_forms)) {
        form->refresh();
    }
    showState();
}

void SettingsPage::goToProblem(int row)
{
    if (row < 0 || row >= m_settings.problems().size()) {
        return;
    }
    const QString key = m_settings.problems().at(row).key;
    if (m_servers->owns(key) || m_providers->owns(key)) {
        // The tab first: a field on a hidden one takes no focus.
        QWidget *tab = m_servers->owns(key) ? static_cast<QWidget *>(m_servers) : m_providers;
        m_ui->tabs->setCurrentIndex(tabOf(m_ui->tabs, tab));
        m_servers->focusOn(key);
        m_providers->focusOn(key);
        return;
    }
    for (SettingsForm *form : qAsConst(m_forms)) {
        if (form->has(key)) {
            m_ui->tabs->setCurrentIndex(tabOf(m_ui->tabs, qobject_cast<QWidget *>(form->parent())));
            form->focusOn(key);
            return;
        }
    }
}

void SettingsPage::askAboutConflict()
{
    auto *box = new QMessageBox(QMessageBox::Warning, tr("The file was changed"),
        tr("Somebody else changed the configuration since it was read here."), QMessageBox::Cancel, this);
    box->setInformativeText(tr("Your changes can be made in the file as it is now, where they overwrite the "
                               "same settings and nothing else. Or the file is read anew, and your changes "
                               "are lost."));
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto *overwrite = box->addButton(tr("Make &my changes there"), QMessageBox::AcceptRole);
    const auto *reload = box->addButton(tr("&Read the file anew"), QMessageBox::DestructiveRole);
    box->setDefaultButton(overwrite);
    connect(overwrite, &QPushButton::clicked, &m_settings, &SettingsPresenter::applyToTheirs);
    connect(reload, &QPushButton::clicked, &m_settings, &SettingsPresenter::load);
    box->open();
}

void SettingsPage::askBeforeLeaving(const std::function<void()> &leave)
{
    if (!hasUnsavedChanges()) {
        leave();
        return;
    }
    auto *box = new QMessageBox(QMessageBox::Question, tr("Unsaved settings"),
        tr("Some settings were changed but not applied."), QMessageBox::Cancel, this);
    box->setInformativeText(tr("Without applying them the changes are lost."));
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto *apply = box->addButton(tr("&Apply"), QMessageBox::AcceptRole);
    const auto *drop = box->addButton(tr("&Drop the changes"), QMessageBox::DestructiveRole);
    box->setDefaultButton(apply);
    connect(apply, &QPushButton::clicked, this, [this, leave] {
        m_leave = leave;
        m_settings.apply();
    });
    connect(drop, &QPushButton::clicked, this, [this, leave] {
        m_settings.revert();
        leave();
    });
    box->open();
}

void SettingsPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        showState();
    }
}

} // namespace kv
