// SPDX-License-Identifier: MIT
#include "activitypage.h"

#include "chartview.h"
#include "localetext.h"
#include "ui_activitypage.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>
#include <array>

namespace kv {

ActivityPage::ActivityPage(Daemon &daemon, const Clock &clock, QWidget *parent)
    : Page(parent)
    , m_timeline(daemon, clock)
    , m_events(daemon)
    , m_ui(std::make_unique<Ui::ActivityPage>())
    , m_latency(new ChartView(tr("Save and restore time"), localeDuration, this))
    , m_hitRate(new ChartView(tr("Hit rate"), localePercent, this))
{
    m_ui->setupUi(this);
    m_ui->charts->addWidget(m_latency);
    m_ui->charts->addWidget(m_hitRate);
    m_ui->timeline->setModel(m_timeline);
    for (const qint64 range : TimelineModel::ranges()) {
        m_ui->range->addItem(TimelineModel::rangeText(range), range);
    }
    m_ui->range->setCurrentIndex(m_ui->range->findData(m_timeline.rangeMs()));
    connect(m_ui->range, &QComboBox::currentIndexChanged, this,
        [this] { m_timeline.setRange(m_ui->range->currentData().toLongLong()); });
    connect(&m_timeline, &TimelineModel::changed, this, &ActivityPage::showTimeline);
    showTimeline();
    setUpEvents();
}

ActivityPage::~ActivityPage() = default;

void ActivityPage::setUpEvents()
{
    m_filtered.setSourceModel(&m_events);
    m_ui->events->setModel(&m_filtered);
    m_ui->events->verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3 / 2);
    m_ui->events->horizontalHeader()->setDefaultAlignment(Qt::AlignLeading | Qt::AlignVCenter);
    constexpr std::array widths { 20, 32, 16, 26 };
    for (int column = 0; column < EventsModel::Detail; ++column) {
        m_ui->events->setColumnWidth(
            column, fontMetrics().averageCharWidth() * widths.at(static_cast<std::size_t>(column)));
    }
    m_ui->kind->addItems(EventFilter::kindNames());
    connect(m_ui->filter, &QLineEdit::textChanged, &m_filtered, &EventFilter::setText);
    connect(m_ui->kind, &QComboBox::currentIndexChanged, &m_filtered, &EventFilter::setKind);
    connect(m_ui->pause, &QCheckBox::toggled, this, [this](bool on) { m_events.setPaused(on); });
    connect(m_ui->copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_filtered.asText()); });
    // New events scroll only for somebody who looks at the newest.
    connect(&m_filtered, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
        const QScrollBar *bar = m_ui->events->verticalScrollBar();
        m_atEnd = bar->value() == bar->maximum();
    });
    connect(
        &m_filtered, &QAbstractItemModel::rowsInserted, this,
        [this] {
            if (m_atEnd) {
                m_ui->events->scrollToBottom();
            }
        },
        Qt::QueuedConnection);
}

void ActivityPage::showTimeline()
{
    m_ui->notice->setText(m_timeline.noticeText());
    // As high as its lanes; more of them than fit in a part of the window are scrolled.
    const int line = m_ui->timeline->fontMetrics().height();
    const int high = m_ui->timeline->sizeHint().height() + 2;
    m_ui->area->setMinimumHeight(std::min(high, line * 15));
    m_ui->area->setMaximumHeight(std::max(high, line * 9));
    const auto to = static_cast<double>(m_timeline.toMs());
    const double from = to - static_cast<double>(m_timeline.rangeMs());
    const auto step = static_cast<double>(m_timeline.stepMs());
    m_latency->setPoints(m_timeline.latency(), from, to, step);
    m_hitRate->setPoints(m_timeline.hitRate(), from, to, step);
}

} // namespace kv
