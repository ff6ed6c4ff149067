// SPDX-License-Identifier: MIT
#include "overviewservercard.h"

#include "overviewbar.h"
#include "overviewlabel.h"
#include "overviewpanel.h"
#include "overviewprogressbar.h"
#include "statebadge.h"

#include <QBoxLayout>
#include <QGridLayout>

namespace kv {

namespace {

constexpr int c_stateColumn = 3;

} // namespace

OverviewServerCard::OverviewServerCard(const OverviewPresenter &presenter, QWidget *parent)
    : QWidget(parent)
    , m_presenter(presenter)
    , m_panel(new OverviewPanel(this))
    , m_sign(new StateBadge(this))
    , m_name(new OverviewLabel(OverviewLabel::Tone::Strong, this))
    , m_state(new OverviewLabel(this))
    , m_waiting(new OverviewLabel(OverviewLabel::Tone::Quiet, this))
    , m_about(new OverviewLabel(OverviewLabel::Tone::Quiet, this))
    , m_rates(new OverviewLabel(OverviewLabel::Tone::Quiet, this))
    , m_message(new QLabel(this))
    , m_grid(new QGridLayout)
{
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_panel);
    makeHead();
}

void OverviewServerCard::makeHead()
{
    const int gap = fontMetrics().height() / 2;
    auto *column = new QVBoxLayout(m_panel);
    column->setContentsMargins(gap * 2, gap * 3 / 2, gap * 2, gap * 3 / 2);
    column->setSpacing(gap);
    auto *head = new QHBoxLayout;
    head->setSpacing(gap);
    head->addWidget(m_sign, 0, Qt::AlignVCenter);
    auto *lines = new QVBoxLayout;
    lines->setSpacing(2);
    auto *first = new QHBoxLayout;
    first->setSpacing(gap * 2);
    first->addWidget(m_name);
    first->addWidget(m_state);
    first->addStretch();
    first->addWidget(m_waiting);
    auto *second = new QHBoxLayout;
    second->addWidget(m_about);
    second->addStretch();
    second->addWidget(m_rates);
    lines->addLayout(first);
    lines->addLayout(second);
    head->addLayout(lines, 1);
    column->addLayout(head);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_message);
    m_grid->setHorizontalSpacing(gap * 2);
    m_grid->setVerticalSpacing(gap * 3 / 4);
    constexpr std::array<int, 5> stretches { 4, 3, 4, 4, 5 };
    for (int i = 0; i < static_cast<int>(stretches.size()); ++i) {
        m_grid->setColumnStretch(i, stretches.at(static_cast<std::size_t>(i)));
    }
    column->addLayout(m_grid);
}

void OverviewServerCard::setCard(const OverviewPresenter::Card &card)
{
    m_card = card;
    m_sign->setState(card.sign);
    m_name->setText(card.name);
    m_state->setText(card.state);
    m_waiting->setText(card.waiting);
    QStringList about { card.model, card.build, card.endpoint };
    about.removeAll({});
    m_about->setText(about.join(QStringLiteral("  ·  ")));
    m_about->setToolTip(about.join(u'\n'));
    m_rates->setText(card.rates);
    m_message->setText(card.message);
    m_message->setVisible(!card.message.isEmpty());
    setAccessibleName(tr("Server %1: %2").arg(card.name, card.state));
    while (m_rows.size() < card.rows.size()) {
        addRow();
    }
    while (m_rows.size() > card.rows.size()) {
        qDeleteAll(m_rows.takeLast().all());
    }
    for (int i = 0; i < m_rows.size(); ++i) {
        setRow(m_rows.at(i), card.rows.at(i));
    }
    setBeside(card.beside);
}

void OverviewServerCard::addRow()
{
    const int line = static_cast<int>(m_rows.size());
    Row row { new OverviewLabel(OverviewLabel::Tone::Strong, this), new OverviewBar(this),
        new OverviewLabel(this), new OverviewLabel(this), new OverviewProgressBar(this),
        new OverviewLabel(OverviewLabel::Tone::Quiet, this) };
    row.now->setAlignment(Qt::AlignTrailing | Qt::AlignVCenter);
    const QList<QWidget *> columns { row.owner, row.bar, row.context, row.state, row.now };
    for (int column = 0; column < columns.size(); ++column) {
        m_grid->addWidget(columns.at(column), line, column);
        columns.at(column)->show();
    }
    m_grid->addWidget(row.progress, line, c_stateColumn);
    m_rows.append(row);
}

QList<QWidget *> OverviewServerCard::Row::all() const
{
    return { owner, bar, context, state, progress, now };
}

void OverviewServerCard::setRow(const Row &row, const OverviewPresenter::SlotRow &values)
{
    row.owner->setText(values.model.isEmpty()
            ? values.owner
            : tr("%1 (%2)", "owner (model)").arg(values.owner, values.model));
    row.owner->setEnabled(values.owned);
    row.bar->setShare(values.share, values.context);
    row.context->setText(values.context);
    row.context->setToolTip(values.left);
    row.state->setText(values.state);
    row.state->setToolTip(values.stateNote);
    row.state->setAccessibleDescription(values.stateNote);
    row.state->setVisible(!values.progress);
    row.progress->setProgress(values.owner, values.progress);
    const QString running = m_presenter.runningNow(values);
    row.now->setText(running.isEmpty() ? values.lastUsed : running);
}

/// Made anew only when there are more or fewer, or other rows above them.
void OverviewServerCard::setBeside(const QList<OverviewPresenter::Progress> &works)
{
    const int first = static_cast<int>(m_rows.size());
    if (m_beside.size() != works.size() || first != m_besideAt) {
        for (const Beside &line : qAsConst(m_beside)) {
            delete line.text;
            delete line.progress;
        }
        m_beside.clear();
        m_besideAt = first;
        for (int i = 0; i < works.size(); ++i) {
            const Beside line { new OverviewLabel(OverviewLabel::Tone::Quiet, this),
                new OverviewProgressBar(this) };
            m_grid->addWidget(line.text, first + i, 0, 1, c_stateColumn);
            m_grid->addWidget(line.progress, first + i, c_stateColumn);
            line.text->show();
            m_beside.append(line);
        }
    }
    for (int i = 0; i < works.size(); ++i) {
        m_beside.at(i).text->setText(works.at(i).text);
        m_beside.at(i).progress->setProgress({}, works.at(i));
    }
}

void OverviewServerCard::tick()
{
    for (int i = 0; i < m_rows.size(); ++i) {
        const QString running = m_presenter.runningNow(m_card.rows.at(i));
        if (!running.isEmpty()) {
            m_rows.at(i).now->setText(running);
        }
    }
}

} // namespace kv
