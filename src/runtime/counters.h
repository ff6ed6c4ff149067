// SPDX-License-Identifier: MIT
#pragma once

#include "effect.h"
#include "event.h"

#include <QMap>
#include <QString>

#include <array>
#include <vector>

namespace kv {

/// A histogram of durations, with buckets that fit milliseconds to minutes.
class DurationHistogram final {
public:
    static constexpr std::array<double, 14> c_boundsMs { 1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000,
        15000, 60000, 300000 };
    void add(double ms);
    /// Prometheus text without its TYPE line, cumulative, with `_sum` and `_count`.
    [[nodiscard]] QString text(const QString &name, const QString &server) const;

private:
    std::array<quint64, c_boundsMs.size() + 1> m_counts {};
    double m_sum = 0;
    quint64 m_count = 0;
};

/// Lifetime counters of one server, fed by what its coordinator tells. Totals survive restarts: they are
/// written to the database from time to time (`dirty`), never on the request path.
class Counters final {
public:
    explicit Counters(const QMap<QString, qint64> &totals, qint64 todayWallMs);

    void take(const Notice &notice, qint64 wallMs);
    void takeGrant(const Grant &grant);
    /// The usage of a finished request, with what was restored for it (−1: nothing).
    /// Returns the time saved by it, ms.
    qint64 takeEnd(const EndRequest &end, double prefillPerSecond, bool wasRestored, double restoreMs);
    /// Starts what counts a day's when another day (UTC) has come.
    void rollDay(qint64 wallMs);

    [[nodiscard]] qint64 value(const QString &name) const { return m_totals.value(name); }
    [[nodiscard]] const QMap<QString, qint64> &totals() const { return m_totals; }
    [[nodiscard]] bool isDirty() const { return m_dirty; }
    void markWritten() { m_dirty = false; }
    [[nodiscard]] const DurationHistogram &restoreMs() const { return m_restoreMs; }
    [[nodiscard]] const DurationHistogram &saveMs() const { return m_saveMs; }
    [[nodiscard]] const DurationHistogram &waitMs() const { return m_waitMs; }

private:
    void add(const char16_t *name, qint64 by = 1);

    QMap<QString, qint64> m_totals;
    DurationHistogram m_restoreMs;
    DurationHistogram m_saveMs;
    DurationHistogram m_waitMs;
    bool m_dirty = false;
};

/// One server's part of the metrics.
struct MeteredServer {
    QString name;
    const Counters *counters = nullptr;
    qint64 snapshots = 0;
    qint64 snapshotBytes = 0;
};
/// The text format of Prometheus: each metric once, with a line for each server.
QString prometheusText(const std::vector<MeteredServer> &servers);

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
