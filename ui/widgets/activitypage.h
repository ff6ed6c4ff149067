// SPDX-License-Identifier: MIT
#pragma once

#include "eventfilter.h"
#include "eventsmodel.h"
#include "page.h"
#include "timelinemodel.h"

#include <memory>

namespace kv {

class ChartView;

// NOLINTNEXTLINE(readability-identifier-naming): the name that uic gives
namespace Ui {
class ActivityPage;
}

/// Who had which slot when, how well that went, and what the daemon does as it happens.
class ActivityPage final : public Page {
    Q_OBJECT

public:
    /// `daemon` and `clock` outlive the page.
    ActivityPage(Daemon &daemon, const Clock &clock, QWidget *parent = nullptr);
    ~ActivityPage() override;
    Q_DISABLE_COPY_MOVE(ActivityPage)

    [[nodiscard]] QString title() const override { return tr("&Activity"); }
    [[nodiscard]] QString key() const override { return QStringLiteral("activity"); }
    void setShown(bool shown) override { m_timeline.setShown(shown); }

private:
    void setUpEvents();
    void showTimeline();

    TimelineModel m_timeline;
    EventsModel m_events;
    EventFilter m_filtered;
    std::unique_ptr<Ui::ActivityPage> m_ui;
    ChartView *m_latency;
    ChartView *m_hitRate;
    bool m_atEnd = true; ///< the newest event is in view
};

} // namespace kv
