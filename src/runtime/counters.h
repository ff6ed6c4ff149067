// SPDX-License-Identifier: MIT
#pragma once

#include "effect.h"
#include "event.h"
#include "histogram.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace kv {

/// Lifetime counters of one server, fed by what its coordinator tells. Totals and histograms survive
/// restarts: they are written to the database from time to time (`dirty`), never on the request path.
class Counters final {
public:
    /// `kept`: what totals() gave in the last run.
    explicit Counters(const QMap<QString, qint64> &kept, qint64 todayWallMs);

    void take(const Notice &notice, qint64 wallMs);
    void takeGrant(const Grant &grant);
    /// The usage of a finished request, with what was restored for it (−1: nothing).
    /// Returns the time saved by it, ms.
    qint64 takeEnd(const EndRequest &end, double prefillPerSecond, bool wasRestored, double restoreMs);
    /// The daemon's own time for one request, its begin and its end together.
    void takeOverhead(double us);
    /// Starts what counts a day's when another day (UTC) has come.
    void rollDay(qint64 wallMs);

    [[nodiscard]] qint64 value(const QString &name) const { return m_totals.value(name); }
    /// All that is to be kept, the histograms' buckets too.
    [[nodiscard]] QMap<QString, qint64> totals() const;
    [[nodiscard]] bool isDirty() const { return m_dirty; }
    void markWritten() { m_dirty = false; }
    [[nodiscard]] const Histogram &restoreMs() const { return m_restoreMs; }
    [[nodiscard]] const Histogram &saveMs() const { return m_saveMs; }
    [[nodiscard]] const Histogram &waitMs() const { return m_waitMs; }
    [[nodiscard]] const Histogram &overheadUs() const { return m_overheadUs; }

private:
    void add(const char16_t *name, qint64 by = 1);

    QMap<QString, qint64> m_totals;
    Histogram m_restoreMs { Histogram::millisecondBounds() };
    Histogram m_saveMs { Histogram::millisecondBounds() };
    Histogram m_waitMs { Histogram::millisecondBounds() };
    Histogram m_overheadUs { Histogram::microsecondBounds() };
    bool m_dirty = false;
};

/// The names under which totals are kept and shown in `kv.status`.
namespace total {
inline constexpr const char16_t *requests = u"requests";
inline constexpr const char16_t *residents = u"residents";
inline constexpr const char16_t *restores = u"restores";
inline constexpr const char16_t *restoreHits = u"restoreHits";
inline constexpr const char16_t *restoreMisses = u"restoreMisses";
inline constexpr const char16_t *restoreFailures = u"restoreFailures";
inline constexpr const char16_t *based = u"based"; ///< sessions that started from a shared beginning
inline constexpr const char16_t *coldStarts = u"coldStarts";
inline constexpr const char16_t *coldFallbacks = u"coldFallbacks";
inline constexpr const char16_t *saves = u"saves";
inline constexpr const char16_t *saveFailures = u"saveFailures";
inline constexpr const char16_t *switches = u"switches";
inline constexpr const char16_t *auxiliary = u"auxiliary";
inline constexpr const char16_t *bypasses = u"bypasses";
inline constexpr const char16_t *reuseVerified = u"reuseVerified";
inline constexpr const char16_t *reusePartial = u"reusePartial";
inline constexpr const char16_t *reuseNone = u"reuseNone";
inline constexpr const char16_t *timeSavedMs = u"timeSavedMs";
inline constexpr const char16_t *bytesSaved = u"bytesSaved";
inline constexpr const char16_t *bytesRestored = u"bytesRestored";
inline constexpr const char16_t *bytesWrittenToday = u"bytesWrittenToday";
inline constexpr const char16_t *day = u"day"; ///< of bytesWrittenToday: days since the epoch, UTC
} // namespace total
/// All of the above that `stats` shows, in its order.
QStringList statNames();

} // namespace kv
