// SPDX-License-Identifier: MIT
#include "counters.h"

#include "clock.h"
#include "eventname.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr std::array<const char16_t *, 21> c_statNames { total::requests, total::residents, total::restores,
    total::restoreHits, total::restoreMisses, total::restoreFailures, total::based, total::coldStarts,
    total::coldFallbacks, total::saves, total::saveFailures, total::switches, total::auxiliary,
    total::bypasses, total::reuseVerified, total::reusePartial, total::reuseNone, total::timeSavedMs,
    total::bytesSaved, total::bytesRestored, total::bytesWrittenToday };

constexpr std::array<std::pair<const char *, const char16_t *>, 14> c_countedMetrics { {
    { "restore_total", total::restores },
    { "restore_hit_total", total::restoreHits },
    { "restore_miss_total", total::restoreMisses },
    { "restore_failure_total", total::restoreFailures },
    { "save_total", total::saves },
    { "save_failure_total", total::saveFailures },
    { "restore_bytes_total", total::bytesRestored },
    { "save_bytes_total", total::bytesSaved },
    { "cold_prefill_total", total::coldStarts },
    { "cold_fallback_total", total::coldFallbacks },
    { "slot_switch_total", total::switches },
    { "reuse_verified_total", total::reuseVerified },
    { "reuse_none_total", total::reuseNone },
    { "time_saved_ms_total", total::timeSavedMs },
} };

QString name(const char16_t *text) { return QStringView(text).toString(); }

QString label(const QString &server)
{
    QString escaped = server;
    escaped.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
    escaped.replace(QLatin1Char('"'), QStringLiteral("\\\""));
    escaped.replace(QLatin1Char('\n'), QStringLiteral("\\n"));
    return QStringLiteral("server=\"%1\"").arg(escaped);
}

} // namespace

QStringList statNames()
{
    QStringList names;
    for (const char16_t *one : c_statNames) {
        names.append(name(one));
    }
    return names;
}

void DurationHistogram::add(double ms)
{
    if (ms < 0) {
        return;
    }
    const auto at = std::lower_bound(c_boundsMs.begin(), c_boundsMs.end(), ms);
    ++m_counts[static_cast<std::size_t>(at - c_boundsMs.begin())];
    m_sum += ms;
    ++m_count;
}

QString DurationHistogram::text(const QString &metric, const QString &server) const
{
    QString out;
    quint64 below = 0;
    for (std::size_t i = 0; i < c_boundsMs.size(); ++i) {
        below += m_counts[i];
        out += QStringLiteral("%1_bucket{%2,le=\"%3\"} %4\n")
                   .arg(metric, label(server), QString::number(c_boundsMs[i]), QString::number(below));
    }
    out += QStringLiteral("%1_bucket{%2,le=\"+Inf\"} %3\n")
               .arg(metric, label(server), QString::number(m_count));
    out += QStringLiteral("%1_sum{%2} %3\n").arg(metric, label(server), QString::number(m_sum, 'f', 3));
    out += QStringLiteral("%1_count{%2} %3\n").arg(metric, label(server), QString::number(m_count));
    return out;
}

Counters::Counters(const QMap<QString, qint64> &totals, qint64 todayWallMs)
    : m_totals(totals)
{
    rollDay(todayWallMs);
    m_dirty = false;
}

void Counters::add(const char16_t *which, qint64 by)
{
    m_totals[name(which)] += by;
    m_dirty = true;
}

void Counters::rollDay(qint64 wallMs)
{
    const qint64 today = dayOf(wallMs);
    if (m_totals.value(name(total::day)) != today) {
        m_totals[name(total::day)] = today;
        m_totals[name(total::bytesWrittenToday)] = 0;
        m_dirty = true;
    }
}

void Counters::take(const Notice &notice, qint64 wallMs)
{
    const QStringView event(notice.name);
    const bool own = notice.what.isEmpty(); // hits and reuse are of sessions' own snapshots
    if (event == eventname::sessionBased) {
        if (notice.miss) {
            add(total::restoreMisses);
        }
    } else if (event == eventname::sessionCold) {
        add(notice.outcome == toString(Outcome::ColdFallback) ? total::coldFallbacks : total::coldStarts);
        if (notice.miss) {
            add(total::restoreMisses);
        }
    } else if (event == eventname::restoreStart) {
        add(total::restores, own ? 1 : 0);
    } else if (event == eventname::restoreSuccess) {
        add(total::restoreHits, own ? 1 : 0);
        add(total::bytesRestored, std::max<qint64>(0, notice.bytes));
        m_restoreMs.add(notice.ms);
    } else if (event == eventname::restoreFailed) {
        add(total::restoreFailures, own ? 1 : 0);
    } else if (event == eventname::saveSuccess) {
        add(total::saves);
        add(total::bytesSaved, std::max<qint64>(0, notice.bytes));
        rollDay(wallMs);
        add(total::bytesWrittenToday, std::max<qint64>(0, notice.bytes));
        m_saveMs.add(notice.ms);
    } else if (event == eventname::saveFailed) {
        add(total::saveFailures);
    } else if (event == eventname::sessionSwitch) {
        add(total::switches);
    } else if (event == eventname::reuseVerified) {
        add(total::reuseVerified, own ? 1 : 0);
    } else if (event == eventname::reusePartial) {
        add(total::reusePartial, own ? 1 : 0);
    } else if (event == eventname::reuseNone) {
        add(total::reuseNone, own ? 1 : 0);
    }
}

void Counters::takeGrant(const Grant &grant)
{
    add(total::requests);
    m_waitMs.add(grant.waitMs);
    if (grant.outcome == Outcome::Resident) {
        add(total::residents);
    } else if (grant.outcome == Outcome::Based) {
        add(total::based);
    } else if (grant.outcome == Outcome::Auxiliary) {
        add(total::auxiliary);
    } else if (grant.outcome == Outcome::Bypass) {
        add(total::bypasses);
    }
}

qint64 Counters::takeEnd(const EndRequest &end, double prefillPerSecond, bool wasRestored, double restoreMs)
{
    if (!wasRestored || end.outcome != EndOutcome::Ok || end.usage.cachedTokens <= 0
        || prefillPerSecond <= 0) {
        return 0;
    }
    const double saved
        = static_cast<double>(end.usage.cachedTokens) * 1000 / prefillPerSecond - std::max(0.0, restoreMs);
    const qint64 ms = std::max<qint64>(0, std::llround(saved));
    if (ms > 0) {
        add(total::timeSavedMs, ms);
    }
    return ms;
}

QString prometheusText(const std::vector<MeteredServer> &servers)
{
    QString out;
    const auto family = [&](const char *metric, const char *type, const auto &line) {
        const QString called = QStringLiteral("dsh_kv_%1").arg(QString::fromLatin1(metric));
        out += QStringLiteral("# TYPE %1 %2\n").arg(called, QString::fromLatin1(type));
        for (const MeteredServer &server : servers) {
            out += line(called, server);
        }
    };
    const auto number = [&](const char *metric, const char *type, const auto &valueOf) {
        family(metric, type, [&](const QString &called, const MeteredServer &server) {
            return QStringLiteral("%1{%2} %3\n")
                .arg(called, label(server.name), QString::number(valueOf(server)));
        });
    };
    for (const auto &[metric, which] : c_countedMetrics) {
        number(metric, "counter",
            [which = which](const MeteredServer &server) { return server.counters->value(name(which)); });
    }
    number("snapshot_count", "gauge", [](const MeteredServer &server) { return server.snapshots; });
    number("snapshot_bytes", "gauge", [](const MeteredServer &server) { return server.snapshotBytes; });
    const auto histogram = [&](const char *metric, const auto &durations) {
        family(metric, "histogram", [&](const QString &called, const MeteredServer &server) {
            return (server.counters->*durations)().text(called, server.name);
        });
    };
    histogram("restore_duration_ms", &Counters::restoreMs);
    histogram("save_duration_ms", &Counters::saveMs);
    histogram("lease_wait_ms", &Counters::waitMs);
    return out;
}

} // namespace kv
