// SPDX-License-Identifier: MIT
#include "doctordialog.h"

#include "doctorlist.h"
#include "doctorpresenter.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>

namespace kv {

DoctorDialog::DoctorDialog(DoctorPresenter &doctor, const QString &title, QWidget *parent)
    : QDialog(parent)
    , m_doctor(doctor)
    , m_summary(new QLabel(this))
    , m_progress(new QProgressBar(this))
{
    setWindowTitle(title);
    m_summary->setWordWrap(true);
    QFont bold = font();
    bold.setBold(true);
    m_summary->setFont(bold);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("The checks run"));
    auto *list = new DoctorList(this);
    list->setModel(doctor.model());
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_summary);
    column->addWidget(m_progress);
    column->addWidget(list, 1);
    column->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 26);
    connect(this, &QDialog::finished, &m_doctor, &DoctorPresenter::cancel);
    connect(&m_doctor, &DoctorPresenter::stateChanged, this, &DoctorDialog::showState);
    connect(m_doctor.model(), &DoctorModel::rowsInserted, this, &DoctorDialog::showState);
    showState();
}

void DoctorDialog::showState()
{
    m_summary->setText(m_doctor.summary());
    m_progress->setVisible(m_doctor.isRunning());
}

} // namespace kv
