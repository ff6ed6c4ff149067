// SPDX-License-Identifier: MIT
#include "sessiondetailsdialog.h"

#include "chartview.h"
#include "clock.h"
#include "localetext.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace kv {

SessionDetailsDialog::SessionDetailsDialog(
    Daemon &daemon, const Clock &clock, const SessionRow &row, QWidget *parent)
    : QDialog(parent)
    , m_clock(clock)
    , m_details(daemon, row)
    , m_tree(new QTreeWidget(this))
    , m_problem(new QLabel(this))
    , m_chart(new ChartView(
          tr("Requests"), [](double count) { return localeCount(static_cast<qint64>(count)); }, this))
    , m_span(c_msPerDay)
{
    setWindowTitle(row.name());
    m_tree->setHeaderLabels({ tr("Field"), tr("Value") });
    m_tree->setAccessibleName(tr("Details"));
    m_problem->setWordWrap(true);
    auto *span = new QComboBox(this);
    span->addItem(tr("Last day"), c_msPerDay);
    span->addItem(tr("Last week"), 7 * c_msPerDay);
    span->setAccessibleName(tr("Span of the chart"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_problem);
    column->addWidget(m_tree, 1);
    column->addWidget(span, 0, Qt::AlignLeading);
    column->addWidget(m_chart);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&m_details, &SessionDetails::changed, this, &SessionDetailsDialog::refresh);
    connect(span, &QComboBox::currentIndexChanged, this, [this, span] {
        m_span = span->currentData().toLongLong();
        fetch();
    });
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 36);
    fetch();
    refresh();
}

void SessionDetailsDialog::fetch()
{
    m_now = m_clock.now().wallMs;
    m_details.fetch(m_now, m_span);
}

void SessionDetailsDialog::refresh()
{
    m_problem->setText(m_details.problem());
    m_problem->setVisible(!m_details.problem().isEmpty());
    m_tree->clear();
    QFont bold = font();
    bold.setBold(true);
    for (const SessionDetails::Group &group : m_details.groups()) {
        auto *top = new QTreeWidgetItem(m_tree, { group.title });
        top->setFirstColumnSpanned(true);
        top->setFont(0, bold);
        for (const SessionDetails::Line &line : group.lines) {
            auto *item = new QTreeWidgetItem(top, { line.name, line.value });
            item->setToolTip(1, line.value);
        }
        top->setExpanded(true);
    }
    m_tree->resizeColumnToContents(0);
    const auto now = static_cast<double>(m_now);
    m_chart->setPoints(m_details.requests(), now - static_cast<double>(m_span), now, m_details.bucketMs());
}

} // namespace kv
