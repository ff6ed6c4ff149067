// SPDX-License-Identifier: MIT
#include "minimonitor.h"

#include "overviewbar.h"
#include "overviewlabel.h"
#include "overviewprogressbar.h"
#include "statebadge.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QCloseEvent>
#include <QKeyEvent>
#include <QSettings>

namespace kv {

namespace {

QString monitorGeometryKey() { return QStringLiteral("monitor/geometry"); }
QString onTopKey() { return QStringLiteral("monitor/onTop"); }
QString shownKey() { return QStringLiteral("monitor/shown"); }

} // namespace

MiniMonitor::MiniMonitor(OverviewPresenter &presenter, QSettings &settings, QWidget *parent)
    : QWidget(parent, Qt::Tool | Qt::CustomizeWindowHint | Qt::WindowTitleHint | Qt::WindowCloseButtonHint)
    , m_presenter(presenter)
    , m_settings(settings)
    , m_column(new QVBoxLayout(this))
    , m_saved(new QLabel(this))
    , m_onTop(new QCheckBox(tr("Keep on &top"), this))
{
    setWindowTitle(tr("kv-persist monitor"));
    const int gap = fontMetrics().height() / 2;
    m_column->setContentsMargins(gap * 3 / 2, gap, gap * 3 / 2, gap);
    m_column->setSpacing(gap);
    m_saved->setWordWrap(true);
    m_column->addStretch();
    m_column->addWidget(m_saved);
    m_column->addWidget(m_onTop);
    setMinimumWidth(fontMetrics().averageCharWidth() * 56);
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &MiniMonitor::tick);
    connect(&presenter, &OverviewPresenter::changed, this, [this] {
        if (isVisible()) {
            refresh();
        }
    });
    connect(m_onTop, &QCheckBox::toggled, this, &MiniMonitor::setOnTop);
    m_onTop->setChecked(settings.value(onTopKey(), true).toBool());
    refresh();
    restoreGeometry(settings.value(monitorGeometryKey()).toByteArray());
}

MiniMonitor::~MiniMonitor()
{
    if (isVisible()) {
        remember();
    }
}

bool MiniMonitor::isWanted() const { return m_settings.value(shownKey(), false).toBool(); }

void MiniMonitor::setWanted(bool shown)
{
    m_settings.setValue(shownKey(), shown);
    setVisible(shown);
    Q_EMIT wantedChanged(shown);
}

void MiniMonitor::followSettings() { m_onTop->setChecked(m_settings.value(onTopKey(), true).toBool()); }

void MiniMonitor::setOnTop(bool onTop)
{
    m_settings.setValue(onTopKey(), onTop);
    const bool visible = isVisible();
    setWindowFlag(Qt::WindowStaysOnTopHint, onTop); // hides it
    if (visible) {
        show();
    }
}

void MiniMonitor::refresh()
{
    m_running.clear();
    delete m_content;
    m_content = new QWidget(this);
    auto *column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    m_column->insertWidget(0, m_content);
    const QString empty = m_presenter.emptyText();
    if (!empty.isEmpty()) {
        auto *label = new QLabel(empty, m_content);
        label->setWordWrap(true);
        column->addWidget(label);
    }
    const QList<OverviewPresenter::Card> cards = m_presenter.cards();
    for (const OverviewPresenter::Card &card : cards) {
        addCard(card);
    }
    m_content->show(); // at once: a frame without it would flicker
    m_saved->setText(m_presenter.savedLine());
    m_saved->setVisible(!m_saved->text().isEmpty());
    if (isVisible() && m_presenter.isRunning()) {
        m_second.start();
    } else {
        m_second.stop();
    }
}

void MiniMonitor::addCard(const OverviewPresenter::Card &card)
{
    auto *head = new QHBoxLayout;
    auto *sign = new StateBadge(m_content);
    sign->setState(card.sign);
    auto *name = new OverviewLabel(OverviewLabel::Tone::Strong, m_content);
    name->setText(card.name);
    auto *state = new OverviewLabel(m_content);
    state->setText(card.state);
    state->setAlignment(Qt::AlignTrailing | Qt::AlignVCenter);
    head->addWidget(sign);
    head->addWidget(name);
    head->addWidget(state, 1);
    auto *column = qobject_cast<QVBoxLayout *>(m_content->layout());
    column->addLayout(head);
    for (const OverviewPresenter::SlotRow &row : card.rows) {
        addSlot(row);
    }
    for (const OverviewPresenter::Progress &work : card.beside) {
        auto *text = new OverviewLabel(OverviewLabel::Tone::Quiet, m_content);
        text->setText(work.text);
        auto *bar = new OverviewProgressBar(m_content);
        bar->setProgress({}, work);
        column->addWidget(text);
        column->addWidget(bar);
    }
    if (!card.rates.isEmpty()) {
        auto *rates = new OverviewLabel(OverviewLabel::Tone::Quiet, m_content);
        rates->setText(card.rates);
        column->addWidget(rates);
    }
    column->addSpacing(fontMetrics().height() / 2);
}

void MiniMonitor::addSlot(const OverviewPresenter::SlotRow &row)
{
    auto *column = qobject_cast<QVBoxLayout *>(m_content->layout());
    auto *first = new QHBoxLayout;
    auto *owner = new OverviewLabel(m_content);
    owner->setText(row.owner);
    auto *now = new OverviewLabel(m_content);
    now->setAlignment(Qt::AlignTrailing | Qt::AlignVCenter);
    const QString running = m_presenter.runningNow(row);
    const QString warmth = row.warm ? tr("warm") : tr("cold");
    now->setText(running.isEmpty() ? warmth : running);
    if (!running.isEmpty()) {
        m_running.append({ now, row });
    }
    first->addWidget(owner, 1);
    first->addWidget(now);
    column->addLayout(first);
    auto *progress = new OverviewProgressBar(m_content);
    progress->setProgress(row.owner, row.progress);
    column->addWidget(progress);
    auto *second = new QHBoxLayout;
    auto *bar = new OverviewBar(m_content);
    bar->setShare(row.share, row.context);
    auto *left = new OverviewLabel(OverviewLabel::Tone::Quiet, m_content);
    left->setText(row.left);
    left->setToolTip(row.context);
    second->addWidget(bar, 1);
    second->addWidget(left);
    column->addLayout(second);
}

void MiniMonitor::tick()
{
    for (const Running &running : qAsConst(m_running)) {
        running.label->setText(m_presenter.runningNow(running.row));
    }
}

void MiniMonitor::remember() { m_settings.setValue(monitorGeometryKey(), saveGeometry()); }

void MiniMonitor::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

void MiniMonitor::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_second.stop();
    remember();
}

void MiniMonitor::closeEvent(QCloseEvent *event)
{
    QWidget::closeEvent(event);
    setWanted(false);
}

void MiniMonitor::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace kv
