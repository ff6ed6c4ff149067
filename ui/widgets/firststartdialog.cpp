// SPDX-License-Identifier: MIT
#include "firststartdialog.h"

#include "ui_firststart.h"

#include <QClipboard>
#include <QGuiApplication>

namespace kv {

namespace {

using Writing = FirstStartPresenter::Writing;

enum StepPage { FindPage, CheckPage, NamePage, EndPage };

} // namespace

FirstStartDialog::FirstStartDialog(
    Daemon &daemon, QSettings &store, const Autostart &autostart, QWidget *parent)
    : QWizard(parent)
    , m_presenter(daemon, store, autostart)
    , m_ui(std::make_unique<Ui::FirstStartDialog>())
{
    m_ui->setupUi(this);
    setWizardStyle(QWizard::ModernStyle);
    setOption(QWizard::NoBackButtonOnStartPage);
    resize(fontMetrics().averageCharWidth() * 95, fontMetrics().height() * 32);
    m_ui->checks->setModel(m_presenter.doctor().model());
    m_ui->plugin->setText(FirstStartPresenter::pluginCommand());
    m_ui->plugin->setCursorPosition(0);
    m_ui->namePage->setValidator([this] { return writeFirst(); });
    m_ui->endPage->setValidator([this] { return finishAutostart(); });
    m_ui->namePage->setCommitPage(true);
    setButtonText(QWizard::CommitButton, tr("&Write the configuration"));

    connect(this, &QWizard::currentIdChanged, this, &FirstStartDialog::onPage);
    connect(this, &QDialog::finished, this, [this] {
        m_presenter.doctor().cancel();
        m_presenter.setSeen();
    });
    connect(&m_presenter, &FirstStartPresenter::foundChanged, this, &FirstStartDialog::showFound);
    connect(&m_presenter, &FirstStartPresenter::writingChanged, this, &FirstStartDialog::showWriting);
    connect(&m_presenter.doctor(), &DoctorPresenter::stateChanged, this, &FirstStartDialog::showCheck);
    connect(m_ui->again, &QPushButton::clicked, &m_presenter, &FirstStartPresenter::find);
    connect(m_ui->servers, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0) {
            m_ui->address->setText(m_presenter.found().at(row).address);
        }
    });
    connect(m_ui->address, &QLineEdit::textChanged, this, &FirstStartDialog::showComplete);
    connect(m_ui->server, &QLineEdit::textChanged, this, &FirstStartDialog::showComplete);
    connect(m_ui->provider, &QLineEdit::textChanged, this, &FirstStartDialog::showComplete);
    connect(m_ui->checkAgain, &QPushButton::clicked, this,
        [this] { m_presenter.doctor().runAddress(address(), m_ui->apiKey->text()); });
    connect(m_ui->copyPlugin, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_ui->plugin->text()); });
    showFound();
    showCheck();
    showComplete();
}

FirstStartDialog::~FirstStartDialog() = default;

QString FirstStartDialog::address() const { return m_ui->address->text().trimmed(); }

void FirstStartDialog::onPage(int id)
{
    if (id == FindPage) {
        m_presenter.doctor().reset();
        if (m_presenter.found().isEmpty()) {
            m_presenter.find();
        }
    } else if (id == CheckPage && m_presenter.doctor().state() == DoctorPresenter::State::Idle) {
        m_presenter.doctor().runAddress(address(), m_ui->apiKey->text());
    }
}

void FirstStartDialog::showFound()
{
    m_ui->findText->setText(m_presenter.findText());
    m_ui->finding->setVisible(m_presenter.isFinding());
    m_ui->again->setEnabled(!m_presenter.isFinding());
    m_ui->servers->clear();
    for (const FirstStartPresenter::Found &found : m_presenter.found()) {
        m_ui->servers->addItem(found.text);
    }
    if (!m_presenter.found().isEmpty() && address().isEmpty()) {
        m_ui->servers->setCurrentRow(0);
    }
}

void FirstStartDialog::showCheck()
{
    const DoctorPresenter &doctor = m_presenter.doctor();
    const bool failed = doctor.state() == DoctorPresenter::State::NotReady
        || doctor.state() == DoctorPresenter::State::Failed;
    m_ui->checkText->setText(
        failed ? tr("%1 You can go on and put it right later.").arg(doctor.summary()) : doctor.summary());
    m_ui->checking->setVisible(doctor.isRunning());
    m_ui->checkAgain->setEnabled(!doctor.isRunning());
}

void FirstStartDialog::showComplete()
{
    m_ui->findPage->setComplete(!address().isEmpty());
    m_ui->namePage->setComplete(m_presenter.writing() != Writing::Busy
        && !m_ui->server->text().trimmed().isEmpty() && !m_ui->provider->text().trimmed().isEmpty());
}

/// The page is left when the daemon has written the file.
bool FirstStartDialog::writeFirst()
{
    if (m_presenter.writing() == Writing::Done) {
        return true;
    }
    m_presenter.write(
        address(), m_ui->apiKey->text(), m_ui->server->text().trimmed(), m_ui->provider->text().trimmed());
    return false;
}

void FirstStartDialog::showWriting()
{
    const bool failed = m_presenter.writing() == Writing::Failed;
    m_ui->writeHint->say(
        failed ? QString() : m_presenter.writeText(), failed ? m_presenter.writeText() : QString());
    m_ui->writtenText->setText(m_presenter.writeText());
    showComplete();
    if (m_presenter.writing() == Writing::Done && currentId() == NamePage) {
        next();
    }
}

bool FirstStartDialog::finishAutostart()
{
    if (m_ui->autostart->isChecked() == m_presenter.startsWithSession()) {
        return true;
    }
    const Result<Done> done = m_presenter.setStartWithSession(m_ui->autostart->isChecked());
    m_ui->autostartHint->say({}, done ? QString() : done.error().message);
    if (!done) {
        m_ui->autostart->setChecked(m_presenter.startsWithSession()); // the next click leaves
    }
    return done.ok();
}

} // namespace kv
