// SPDX-License-Identifier: MIT
#include "sessiondetailsdialog.h"

#include "chartview.h"
#include "clock.h"
#include "localetext.h"
#include "ui_sessiondetails.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace kv {

SessionDetailsDialog::SessionDetailsDialog(
    Daemon &daemon, const Clock &clock, const SessionRow &row, QWidget *parent)
    : QDialog(parent)
    , m_clock(clock)
    , m_details(daemon, row)
    , m_ui(std::make_unique<Ui::SessionDetailsDialog>())
    , m_chart(new ChartView(
          tr("Requests"), [](double count) { return localeCount(static_cast<qint64>(count)); }, this))
    , m_span(c_msPerDay)
{
    m_ui->setupUi(this);
    setWindowTitle(row.name());
    m_ui->chartPlace->addWidget(m_chart);
    setTabOrder(m_ui->span, m_chart);
    setTabOrder(m_chart, m_ui->copy);
    m_ui->span->addItem(tr("Last day"), c_msPerDay);
    m_ui->span->addItem(tr("Last week"), 7 * c_msPerDay);
    auto *copy = new QAction(tr("Copy"), m_ui->tree);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    m_ui->tree->addAction(copy);
    m_ui->tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &SessionDetailsDialog::copySelected);
    connect(m_ui->copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_details.asText()); });
    connect(m_ui->buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&m_details, &SessionDetails::changed, this, &SessionDetailsDialog::refresh);
    connect(m_ui->span, &QComboBox::currentIndexChanged, this, [this] {
        m_span = m_ui->span->currentData().toLongLong();
        fetch();
    });
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 36);
    fetch();
    refresh();
    m_ui->tree->setFocus();
}

SessionDetailsDialog::~SessionDetailsDialog() = default;

void SessionDetailsDialog::fetch()
{
    m_now = m_clock.now().wallMs;
    m_details.fetch(m_now, m_span);
}

void SessionDetailsDialog::refresh()
{
    m_ui->problem->setText(m_details.problem());
    m_ui->problem->setVisible(!m_details.problem().isEmpty());
    m_ui->copy->setEnabled(!m_details.groups().isEmpty());
    if (m_details.groups() != m_shown) { // else what is selected stays so
        m_shown = m_details.groups();
        showGroups();
    }
    const auto now = static_cast<double>(m_now);
    m_chart->setPoints(m_details.requests(), now - static_cast<double>(m_span), now, m_details.bucketMs());
}

void SessionDetailsDialog::showGroups()
{
    m_ui->tree->clear();
    QFont bold = font();
    bold.setBold(true);
    for (const SessionDetails::Group &group : qAsConst(m_shown)) {
        auto *top = new QTreeWidgetItem(m_ui->tree, { group.title });
        top->setFirstColumnSpanned(true);
        top->setFont(0, bold);
        for (const SessionDetails::Line &line : group.lines) {
            auto *item = new QTreeWidgetItem(top, { line.name, line.value });
            item->setToolTip(1, line.value);
        }
        top->setExpanded(true);
    }
    m_ui->tree->resizeColumnToContents(0);
}

void SessionDetailsDialog::copySelected() const
{
    QStringList lines;
    for (QTreeWidgetItemIterator item(m_ui->tree, QTreeWidgetItemIterator::Selected); *item != nullptr;
         ++item) {
        const QString value = (*item)->text(1);
        lines.append(value.isEmpty() ? (*item)->text(0) : (*item)->text(0) + u'\t' + value);
    }
    if (!lines.isEmpty()) {
        QGuiApplication::clipboard()->setText(lines.join(u'\n'));
    }
}

} // namespace kv
