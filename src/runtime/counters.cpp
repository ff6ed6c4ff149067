// SPDX-License-Identifier: MIT
#include "counters.h"

#include "clock.h"
#include "eventname.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {

namespace {

constexpr std::array<const char16_t *, 21> c_statNames { total::requests, total::residents, total::restores,
    total::restoreHits, total::restoreMisses, total::restoreFailures, total::based, total::coldStarts,
    total::coldFallbacks, total::saves, total::saveFailures, total::switches, total::auxiliary,
    total::bypasses, total::reuseVerified, total::reusePartial, total::reuseNone, total::timeSavedMs,
    total::bytesSaved, total::bytesRestored, total::bytesWrittenToday };

QString name(const char16_t *text) { return QStringView(text).toString(); }

// Under which the histograms are kept, beside the totals.
constexpr const char16_t *c_restoreMs = u"restoreMs";
constexpr const char16_t *c_saveMs = u"saveMs";
constexpr const char16_t *c_waitMs = u"waitMs";
constexpr const char16_t *c_overheadUs = u"overheadUs";

} // namespace

QStringList statNames()
{
    QStringList names;
    for (const char16_t *one : c_statNames) {
        names.append(name(one));
    }
    return names;
}

Counters::Counters(const QMap<QString, qint64> &kept, qint64 todayWallMs)
{
    for (auto it = kept.cbegin(); it != kept.cend(); ++it) {
        if (!Histogram::isPart(it.key())) {
            m_totals.insert(it.key(), it.value());
        }
    }
    m_restoreMs.restore(name(c_restoreMs), kept);
    m_saveMs.restore(name(c_saveMs), kept);
    m_waitMs.restore(name(c_waitMs), kept);
    m_overheadUs.restore(name(c_overheadUs), kept);
    rollDay(todayWallMs);
    m_dirty = false;
}

QMap<QString, qint64> Counters::totals() const
{
    QMap<QString, qint64> all = m_totals;
    m_restoreMs.keep(name(c_restoreMs), all);
    m_saveMs.keep(name(c_saveMs), all);
    m_waitMs.keep(name(c_waitMs), all);
    m_overheadUs.keep(name(c_overheadUs), all);
    return all;
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

void Counters::takeOverhead(double us)
{
    m_overheadUs.add(us);
    m_dirty = true;
}

} // namespace kv
