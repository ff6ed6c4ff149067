// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"
#include "statusfeed.h"

#include <QDate>
#include <QSet>

class QSettings;

namespace kv {

/// How much prompt processing was avoided since the local midnight. The history is asked once a day and
/// connection; from then on the difference of the totals tells. The daemon's history ends with its process,
/// its totals do not: what the total was at midnight, as far back as it was ever seen today, is kept in the
/// settings
/// (`overview/day`, `overview/dayBaseMs`).
class OverviewToday final : public QObject {
    Q_OBJECT

public:
    OverviewToday(
        Daemon &daemon, StatusFeed &feed, const Clock &clock, QSettings &settings, QObject *parent = nullptr);

    /// nullopt: not known yet.
    [[nodiscard]] std::optional<qint64> savedMs() const;

Q_SIGNALS:
    void changed();

private:
    void onFeed();
    void ask();
    void onHistory(qint64 savedMs);
    [[nodiscard]] QDate today() const;

    Daemon &m_daemon;
    StatusFeed &m_feed;
    const Clock &m_clock;
    QSettings &m_settings;
    QDate m_day; ///< the history was asked for
    int m_open = 0; ///< servers whose history is awaited
    qint64 m_sumMs = 0;
    qint64 m_totalMs = 0; ///< the total when it was asked
    std::optional<qint64> m_baseMs; ///< the total at midnight
};

} // namespace kv
