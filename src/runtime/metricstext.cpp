// SPDX-License-Identifier: MIT
#include "metricstext.h"

#include <array>

namespace kv {

namespace {

struct Counted {
    const char *metric;
    const char16_t *total;
    const char *help;
};

constexpr std::array<Counted, 20> c_counted { {
    { "request_total", total::requests, "Requests that were granted a lease." },
    { "request_resident_total", total::residents, "Requests whose session was in its slot already." },
    { "request_based_total", total::based,
        "Requests of a session without a snapshot that started from a beginning which it shares." },
    { "request_auxiliary_total", total::auxiliary, "Requests outside of conversations, such as titles." },
    { "request_bypass_total", total::bypasses, "Requests that went on without their slots being managed." },
    { "restore_total", total::restores,
        "Restores sent to the server. Hit rate: restore_hit / (restore + restore_miss)." },
    { "restore_hit_total", total::restoreHits,
        "Restores that were answered well and passed the checks. What they brought: reuse_verified." },
    { "restore_miss_total", total::restoreMisses,
        "Requests of a session with snapshots on record, none of them usable." },
    { "restore_failure_total", total::restoreFailures, "Restores that failed." },
    { "restore_bytes_total", total::bytesRestored, "Bytes of snapshots that were restored." },
    { "save_total", total::saves, "Saves that are durable." },
    { "save_failure_total", total::saveFailures, "Saves that failed." },
    { "save_bytes_total", total::bytesSaved, "Bytes of snapshots that were written." },
    { "cold_prefill_total", total::coldStarts, "Requests that began without anything restored." },
    { "cold_fallback_total", total::coldFallbacks, "Requests that began cold because a restore failed." },
    { "slot_switch_total", total::switches, "Changes of a slot's owner." },
    { "reuse_verified_total", total::reuseVerified,
        "Restores of which the next answer reused nine tenths or more." },
    { "reuse_partial_total", total::reusePartial, "Restores of which the next answer reused a part." },
    { "reuse_none_total", total::reuseNone, "Restores of which the next answer reused nothing." },
    { "time_saved_ms_total", total::timeSavedMs,
        "Milliseconds of prompt processing avoided by restores, less the time they took." },
} };

/// Of PROTOCOL.md.
constexpr std::array<const char *, 7> c_states { "healthy", "degraded", "open", "half-open", "unreachable",
    "unsupported", "sleeping" };

QString escaped(QString text)
{
    text.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
    text.replace(QLatin1Char('"'), QStringLiteral("\\\""));
    text.replace(QLatin1Char('\n'), QStringLiteral("\\n"));
    return text;
}

QString label(const char *key, const QString &value)
{
    return QLatin1String(key) + QStringLiteral("=\"") + escaped(value) + u'"';
}

/// Writes family by family.
class Text final {
public:
    explicit Text(const std::vector<MeteredServer> &servers)
        : m_servers(servers)
    {
    }
    void begin(const char *metric, const char *type, const char *help)
    {
        m_metric = QStringLiteral("dsh_kv_") + QLatin1String(metric);
        m_out += QStringLiteral("# HELP %1 %2\n# TYPE %1 %3\n")
                     .arg(m_metric, QLatin1String(help), QLatin1String(type));
    }
    void sample(const QString &labels, qint64 value)
    {
        // No arg(): a server's name may hold a %1.
        const QString braced = labels.isEmpty() ? QString() : u'{' + labels + u'}';
        m_out += m_metric + braced + u' ' + QString::number(value) + u'\n';
    }
    /// `valueOf` gives −1 for what is not known.
    template <typename ValueOf>
    void each(const char *metric, const char *type, const char *help, const ValueOf &valueOf)
    {
        begin(metric, type, help);
        for (const MeteredServer &server : m_servers) {
            if (const qint64 value = valueOf(server); value >= 0) {
                sample(label("server", server.name), value);
            }
        }
    }
    template <typename HistogramOf>
    void histogram(const char *metric, const char *help, const HistogramOf &histogramOf)
    {
        begin(metric, "histogram", help);
        for (const MeteredServer &server : m_servers) {
            m_out += (server.counters->*histogramOf)().text(m_metric, label("server", server.name));
        }
    }
    [[nodiscard]] QString text() const { return m_out; }

private:
    const std::vector<MeteredServer> &m_servers;
    QString m_metric;
    QString m_out;
};

void addGauges(Text &text)
{
    const auto gauge = [&](const char *metric, const char *help, const auto &member) {
        text.each(metric, "gauge", help,
            [&](const MeteredServer &server) { return static_cast<qint64>(server.*member); });
    };
    gauge("snapshot_count", "Snapshots on record.", &MeteredServer::snapshots);
    gauge("snapshot_bytes", "Size of the snapshots on record.", &MeteredServer::snapshotBytes);
    gauge("breaker_open", "1: too many calls failed, so none is made for a while.",
        &MeteredServer::breakerOpen);
    gauge("paused", "1: paused by the user.", &MeteredServer::paused);
    gauge("slots", "Slots that are managed.", &MeteredServer::slots);
    gauge("dirty_slots", "Slots that hold more than their snapshot.", &MeteredServer::dirtySlots);
    gauge("waiting_requests", "Requests that wait for a slot.", &MeteredServer::waiting);
    gauge("bytes_written_today", "Bytes written by saves since midnight UTC.",
        &MeteredServer::bytesWrittenToday);
    gauge("write_budget_spent",
        "1: checkpoint.maxBytesPerDay is near, only switches, flushes and shutdowns save.",
        &MeteredServer::budgetSpent);
    gauge("disk_short", "1: a save was refused for want of free disk space.", &MeteredServer::diskShort);
    gauge("disk_free_bytes", "Free on the file system of the slot files, where it is known.",
        &MeteredServer::diskFreeBytes);
}

} // namespace

QString prometheusText(const MeteredDaemon &daemon)
{
    Text text(daemon.servers);
    text.begin("build_info", "gauge", "The daemon's version.");
    text.sample(label("version", daemon.version), 1);
    text.begin("start_time_seconds", "gauge", "Since when the daemon runs, seconds of the epoch.");
    text.sample({}, daemon.startedWallMs / 1000);
    text.begin("server_state", "gauge", "1 for the state that the server is in.");
    for (const MeteredServer &server : daemon.servers) {
        for (const char *state : c_states) {
            text.sample(label("server", server.name) + u',' + label("state", QLatin1String(state)),
                server.state == QLatin1String(state) ? 1 : 0);
        }
    }
    for (const Counted &counted : c_counted) {
        text.each(counted.metric, "counter", counted.help, [&](const MeteredServer &server) {
            return server.counters->value(QStringView(counted.total).toString());
        });
    }
    text.histogram("restore_duration_ms", "Time of restores that succeeded.", &Counters::restoreMs);
    text.histogram("save_duration_ms", "Time of saves that succeeded.", &Counters::saveMs);
    text.histogram("lease_wait_ms", "Time that requests waited for their lease, saves and restores included.",
        &Counters::waitMs);
    text.histogram("request_overhead_us",
        "The daemon's own time for a request, begin and end together, without what it waited for.",
        &Counters::overheadUs);
    addGauges(text);
    return text.text();
}

} // namespace kv
