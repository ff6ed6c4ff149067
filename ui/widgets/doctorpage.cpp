// SPDX-License-Identifier: MIT
#include "doctorpage.h"

#include "doctorglyph.h"
#include "ui_doctorpage.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>

#include <optional>

namespace kv {

namespace {

using State = DoctorPresenter::State;

enum Target { AllServers, OneServer, OtherAddress };

std::optional<DoctorCheck::Verdict> verdictOf(State state)
{
    switch (state) {
    case State::Ready:
        return DoctorCheck::Verdict::Passed;
    case State::ReadyWithWarnings:
        return DoctorCheck::Verdict::Warning;
    case State::NotReady:
    case State::Failed:
        return DoctorCheck::Verdict::Failed;
    case State::Idle:
    case State::Running:
    case State::Cancelled:
        break;
    }
    return std::nullopt;
}

} // namespace

DoctorPage::DoctorPage(Daemon &daemon, QWidget *parent)
    : Page(parent)
    , m_doctor(daemon)
    , m_ui(std::make_unique<Ui::DoctorPage>())
{
    m_ui->setupUi(this);
    m_ui->list->setModel(m_doctor.model());
    m_ui->progress->setFixedWidth(fontMetrics().averageCharWidth() * 20);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.15);
    m_ui->summary->setFont(large);
    fillTargets();
    connect(m_ui->target, &QComboBox::currentIndexChanged, this, &DoctorPage::showState);
    connect(m_ui->address, &QLineEdit::textChanged, this, &DoctorPage::showState);
    connect(m_ui->address, &QLineEdit::returnPressed, this, &DoctorPage::start);
    connect(m_ui->apiKey, &QLineEdit::returnPressed, this, &DoctorPage::start);
    connect(m_ui->run, &QPushButton::clicked, this, &DoctorPage::start);
    connect(m_ui->cancel, &QPushButton::clicked, &m_doctor, &DoctorPresenter::cancel);
    connect(m_ui->copyAll, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_doctor.asText()); });
    connect(&m_doctor, &DoctorPresenter::serversChanged, this, &DoctorPage::fillTargets);
    connect(&m_doctor, &DoctorPresenter::stateChanged, this, &DoctorPage::showState);
    connect(m_doctor.model(), &DoctorModel::rowsInserted, this, &DoctorPage::showState);
    showState();
}

DoctorPage::~DoctorPage() = default;

void DoctorPage::setShown(bool shown)
{
    if (shown) {
        m_doctor.readServers();
    }
}

void DoctorPage::run(const QString &server)
{
    const int index = m_ui->target->findText(server);
    m_ui->target->setCurrentIndex(server.isEmpty() || index < 0 ? 0 : index);
    start();
}

void DoctorPage::fillTargets()
{
    const QString chosen = m_ui->target->currentText();
    m_ui->target->clear();
    m_ui->target->addItem(tr("All configured servers"), AllServers);
    for (const QString &server : m_doctor.servers()) {
        m_ui->target->addItem(server, OneServer);
    }
    m_ui->target->insertSeparator(m_ui->target->count());
    m_ui->target->addItem(tr("Another address…"), OtherAddress);
    m_ui->target->setCurrentIndex(chosen.isEmpty() ? 0 : std::max(0, m_ui->target->findText(chosen)));
}

bool DoctorPage::otherAddress() const { return m_ui->target->currentData().toInt() == OtherAddress; }

void DoctorPage::start()
{
    if (!m_ui->run->isEnabled()) {
        return;
    }
    if (otherAddress()) {
        m_doctor.runAddress(m_ui->address->text(), m_ui->apiKey->text());
    } else {
        const bool one = m_ui->target->currentData().toInt() == OneServer;
        m_doctor.runConfigured(one ? m_ui->target->currentText() : QString());
    }
    m_ui->cancel->setFocus();
}

void DoctorPage::showState()
{
    const bool running = m_doctor.isRunning();
    const bool hadFocus = m_ui->cancel->hasFocus();
    m_ui->addressRow->setVisible(otherAddress());
    m_ui->target->setEnabled(!running);
    m_ui->addressRow->setEnabled(!running);
    m_ui->run->setEnabled(!running && !(otherAddress() && m_ui->address->text().trimmed().isEmpty()));
    m_ui->cancel->setEnabled(running);
    m_ui->progress->setVisible(running);
    m_ui->copyAll->setEnabled(m_doctor.model()->rowCount() > 0);
    m_ui->summary->setText(m_doctor.summary());
    const auto verdict = verdictOf(m_doctor.state());
    m_ui->summaryIcon->setVisible(verdict.has_value());
    if (verdict) {
        m_ui->summaryIcon->setPixmap(
            doctorGlyph(*verdict, palette(), fontMetrics().height() * 3 / 2, devicePixelRatioF()));
    }
    if (hadFocus && !running) {
        m_ui->run->setFocus();
    }
}

void DoctorPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        showState();
    }
}

} // namespace kv
