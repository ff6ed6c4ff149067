// SPDX-License-Identifier: MIT
#include "overviewpage.h"

#include "overviewbar.h"
#include "overviewlabel.h"
#include "overviewpanel.h"
#include "overviewservercard.h"
#include "statebadge.h"
#include "ui_overviewpage.h"

#include <QClipboard>
#include <QGuiApplication>

namespace kv {

OverviewPage::OverviewPage(OverviewPresenter &presenter, QWidget *parent)
    : Page(parent)
    , m_presenter(presenter)
    , m_ui(std::make_unique<Ui::OverviewPage>())
{
    m_ui->setupUi(this);
    m_emptySign = new StateBadge(this);
    m_emptySign->setLines(6);
    m_ui->column->insertWidget(0, m_emptySign, 0, Qt::AlignHCenter);
    m_ui->scroll->viewport()->setAutoFillBackground(false);
    m_ui->content->setAutoFillBackground(false);
    m_ui->column->setStretch(m_ui->column->count() - 1, 1); // what is left over is left below
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &OverviewPage::tick);
    connect(&presenter, &OverviewPresenter::changed, this, [this] {
        if (m_shown) {
            refresh();
        }
    });
    connect(m_ui->monitor, &QPushButton::toggled, this, &OverviewPage::monitorWanted);
    refresh();
}

OverviewPage::~OverviewPage() = default;

void OverviewPage::setShown(bool shown)
{
    m_shown = shown;
    if (shown) {
        refresh();
    } else {
        m_second.stop();
    }
}

void OverviewPage::setMonitorShown(bool shown)
{
    const QSignalBlocker quiet(m_ui->monitor);
    m_ui->monitor->setChecked(shown);
}

void OverviewPage::refresh()
{
    const QString empty = m_presenter.emptyText();
    m_ui->empty->setText(empty);
    m_ui->empty->setVisible(!empty.isEmpty());
    m_emptySign->setVisible(!empty.isEmpty());
    m_emptySign->setState(m_presenter.isKnown() ? TrayState::ServerAway : TrayState::DaemonAway);
    showAdvice();
    showFacts();
    showCards();
    if (!m_shown || !m_presenter.isRunning()) {
        m_second.stop();
    } else if (!m_second.isActive()) {
        m_second.start();
    }
}

/// Made anew only when it changed: a button keeps the focus.
void OverviewPage::showAdvice()
{
    const QList<OverviewPresenter::Advice> advice = m_presenter.advice();
    if (advice == m_advice) {
        return;
    }
    m_advice = advice;
    qDeleteAll(m_adviceBoxes);
    m_adviceBoxes.clear();
    for (const OverviewPresenter::Advice &entry : advice) {
        addAdvice(entry);
    }
}

void OverviewPage::addAdvice(const OverviewPresenter::Advice &advice)
{
    auto *box = new OverviewPanel(OverviewPanel::Kind::Attention, this);
    auto *row = new QHBoxLayout(box);
    const int gap = fontMetrics().height() / 2;
    row->setContentsMargins(gap * 2, gap, gap, gap);
    row->setSpacing(gap * 2);
    auto *lines = new QVBoxLayout;
    lines->setSpacing(2);
    auto *title = new OverviewLabel(OverviewLabel::Tone::Strong, box);
    title->setText(advice.server.isEmpty() ? tr("Needs your attention")
                                           : tr("%1 needs your attention").arg(advice.server));
    auto *text = new QLabel(advice.text, box);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    lines->addWidget(title);
    lines->addWidget(text);
    row->addLayout(lines, 1);
    if (!advice.copy.isEmpty()) {
        auto *copy = new QPushButton(tr("Copy"), box);
        copy->setToolTip(tr("Copies “%1”").arg(advice.copy));
        copy->setAccessibleName(copy->toolTip());
        connect(copy, &QPushButton::clicked, this, [copy, what = advice.copy] {
            QGuiApplication::clipboard()->setText(what);
            copy->setText(tr("Copied"));
        });
        row->addWidget(copy, 0, Qt::AlignVCenter);
    }
    m_ui->advice->addWidget(box);
    box->show();
    m_adviceBoxes.append(box);
}

void OverviewPage::showFacts()
{
    const QList<OverviewPresenter::Fact> facts = m_presenter.facts();
    while (m_facts.size() < facts.size()) {
        m_facts.append(addFact());
    }
    for (int i = 0; i < m_facts.size(); ++i) {
        const FactBox &box = m_facts.at(i);
        box.panel->setVisible(i < facts.size());
        if (i >= facts.size()) {
            continue;
        }
        const OverviewPresenter::Fact &fact = facts.at(i);
        box.name->setText(fact.name);
        box.value->setText(fact.value);
        box.detail->setText(fact.detail);
        box.bar->setVisible(fact.share.has_value());
        box.bar->setShare(fact.share, fact.detail);
        box.panel->setToolTip(fact.explanation);
        box.panel->setAccessibleName(
            tr("%1: %2, %3", "name, value and detail of a number").arg(fact.name, fact.value, fact.detail));
        box.panel->setAccessibleDescription(fact.explanation);
    }
}

OverviewPage::FactBox OverviewPage::addFact()
{
    auto *panel = new OverviewPanel(this);
    FactBox box { panel, new OverviewLabel(OverviewLabel::Tone::Quiet, panel),
        new OverviewLabel(OverviewLabel::Tone::Strong, panel), new QLabel(panel), new OverviewBar(panel) };
    auto *column = new QVBoxLayout(panel);
    const int gap = fontMetrics().height() / 2;
    column->setContentsMargins(gap * 3 / 2, gap, gap * 3 / 2, gap);
    column->setSpacing(gap / 2);
    QFont large = box.value->font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    box.value->setFont(large);
    box.detail->setWordWrap(true);
    box.detail->setAlignment(Qt::AlignLeading | Qt::AlignTop);
    column->addWidget(box.name);
    column->addWidget(box.value);
    column->addWidget(box.bar);
    column->addWidget(box.detail, 1);
    m_ui->facts->addWidget(panel, 1);
    return box;
}

void OverviewPage::showCards()
{
    const QList<OverviewPresenter::Card> cards = m_presenter.cards();
    while (m_cards.size() < cards.size()) {
        m_cards.append(new OverviewServerCard(m_presenter, this));
        m_ui->cards->addWidget(m_cards.last());
        m_cards.last()->show();
    }
    while (m_cards.size() > cards.size()) {
        delete m_cards.takeLast();
    }
    for (int i = 0; i < cards.size(); ++i) {
        m_cards.at(i)->setCard(cards.at(i));
    }
}

void OverviewPage::tick()
{
    for (OverviewServerCard *card : qAsConst(m_cards)) {
        card->tick();
    }
}

} // namespace kv
