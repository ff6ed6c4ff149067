// SPDX-License-Identifier: MIT
#include "doctorlist.h"

#include "doctorcard.h"
#include "doctormodel.h"

#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

namespace kv {

DoctorList::DoctorList(QWidget *parent)
    : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Checks"));
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this,
        [this](int, int maximum) { verticalScrollBar()->setValue(maximum); });
    rebuild();
}

void DoctorList::setModel(DoctorModel *model)
{
    m_model = model;
    connect(model, &DoctorModel::modelReset, this, &DoctorList::rebuild);
    connect(model, &DoctorModel::rowsInserted, this, [this](const QModelIndex &, int first, int last) {
        for (int row = first; row <= last; ++row) {
            add(row);
        }
    });
    rebuild();
}

void DoctorList::rebuild()
{
    auto *content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->addStretch();
    m_server.clear();
    setWidget(content); // deletes the former one
    for (int row = 0; m_model != nullptr && row < m_model->rowCount(); ++row) {
        add(row);
    }
}

void DoctorList::add(int row)
{
    const DoctorCheck &check = m_model->at(row);
    if (check.server != m_server) {
        m_server = check.server;
        auto *heading
            = new QLabel(m_server.isEmpty() ? tr("In general") : tr("Server %1").arg(m_server), widget());
        QFont font = heading->font();
        font.setBold(true);
        heading->setFont(font);
        heading->setContentsMargins(0, row > 0 ? fontMetrics().height() / 2 : 0, 0, 0);
        m_column->insertWidget(m_column->count() - 1, heading);
    }
    m_column->insertWidget(m_column->count() - 1, new DoctorCard(check, widget()));
}

} // namespace kv
