// SPDX-License-Identifier: MIT
#include "activitypage.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

namespace kv {

ActivityPage::ActivityPage(Daemon &daemon, QWidget *parent)
    : Page(parent)
    , m_events(daemon)
{
    m_filtered.setSourceModel(&m_events);
    m_filtered.setFilterKeyColumn(-1);
    m_filtered.setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto *filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter by event, server, session or text"));
    filter->setAccessibleName(tr("Filter"));
    filter->setClearButtonEnabled(true);
    auto *pause = new QCheckBox(tr("&Pause"), this);
    pause->setToolTip(tr("While paused, new events are left out"));
    auto *table = new QTableView(this);
    table->setModel(&m_filtered);
    table->setAccessibleName(tr("Events"));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setAlternatingRowColors(true);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3 / 2);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const int widths[] = { 20, 32, 16, 26 };
    for (int column = 0; column < EventsModel::Detail; ++column) {
        table->setColumnWidth(column, fontMetrics().averageCharWidth() * widths[column]);
    }
    auto *row = new QHBoxLayout;
    row->addWidget(filter, 1);
    row->addWidget(pause);
    auto *column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(table, 1);
    connect(filter, &QLineEdit::textChanged, &m_filtered, &QSortFilterProxyModel::setFilterFixedString);
    connect(pause, &QCheckBox::toggled, this, [this](bool on) { m_events.setPaused(on); });
    // New events scroll only for somebody who looks at the newest.
    connect(&m_filtered, &QAbstractItemModel::rowsAboutToBeInserted, table, [table] {
        const QScrollBar *bar = table->verticalScrollBar();
        table->setProperty("atEnd", bar->value() == bar->maximum());
    });
    connect(
        &m_filtered, &QAbstractItemModel::rowsInserted, table,
        [table] {
            if (table->property("atEnd").toBool()) {
                table->scrollToBottom();
            }
        },
        Qt::QueuedConnection);
}

} // namespace kv
