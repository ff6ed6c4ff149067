// SPDX-License-Identifier: MIT
#include "overviewtoday.h"

#include "humantime.h"

#include <QDateTime>
#include <QJsonArray>
#include <QSettings>

#include <algorithm>

namespace kv {

namespace {

QString dayKey() { return QStringLiteral("overview/day"); }
QString baseKey() { return QStringLiteral("overview/dayBaseMs"); }

} // namespace

OverviewToday::OverviewToday(
    Daemon &daemon, StatusFeed &feed, const Clock &clock, QSettings &settings, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_feed(feed)
    , m_clock(clock)
    , m_settings(settings)
{
    connect(&feed, &StatusFeed::changed, this, &OverviewToday::onFeed);
    onFeed();
}

QDate OverviewToday::today() const { return QDateTime::fromMSecsSinceEpoch(m_clock.now().wallMs).date(); }

std::optional<qint64> OverviewToday::savedMs() const
{
    if (!m_baseMs || !m_feed.status()) {
        return std::nullopt;
    }
    return std::max<qint64>(0, m_feed.status()->stats.timeSavedMs - *m_baseMs);
}

void OverviewToday::onFeed()
{
    if (!m_feed.status()) {
        m_day = {};
        m_open = 0;
        m_baseMs.reset();
    } else if (m_day != today() && m_open == 0) {
        ask();
    }
    Q_EMIT changed();
}

void OverviewToday::ask()
{
    m_day = today();
    m_sumMs = 0;
    m_totalMs = m_feed.status()->stats.timeSavedMs;
    const QList<ServerView> servers = m_feed.status()->servers;
    m_open = static_cast<int>(servers.size());
    if (m_open == 0) {
        m_day = {}; // asked anew when one is found
    }
    const qint64 midnight = m_day.startOfDay().toMSecsSinceEpoch();
    for (const ServerView &server : servers) {
        const QJsonObject params { { QStringLiteral("server"), server.name },
            { QStringLiteral("from"), isoUtc(midnight) },
            { QStringLiteral("to"), isoUtc(m_clock.now().wallMs) } };
        m_daemon.call(
            QStringLiteral("kv.history"), params, this,
            [this, day = m_day](const CallResult &answer) {
                qint64 saved = 0;
                const QJsonArray buckets = answer.result.value(QStringLiteral("buckets")).toArray();
                for (const QJsonValue &bucket : buckets) {
                    saved += bucket.toObject().value(QStringLiteral("timeSavedMs")).toInteger();
                }
                if (day == m_day) { // else of a connection that is gone
                    onHistory(saved);
                }
            },
            Daemon::c_deadlineMs);
    }
}

void OverviewToday::onHistory(qint64 savedMs)
{
    m_sumMs += savedMs;
    if (m_open == 0 || --m_open > 0) {
        return;
    }
    qint64 base = m_totalMs - m_sumMs;
    const QString day = m_day.toString(Qt::ISODate);
    if (m_settings.value(dayKey()).toString() == day) {
        const qint64 earlier = m_settings.value(baseKey()).toLongLong();
        base = std::min(base, earlier);
    }
    m_settings.setValue(dayKey(), day);
    m_settings.setValue(baseKey(), base);
    m_baseMs = base;
    Q_EMIT changed();
}

} // namespace kv
