// SPDX-License-Identifier: MIT
#include "status.h"

#include "humantime.h"

#include <QJsonArray>

#include <array>
#include <utility>

namespace kv {

namespace {

QString text(const QJsonObject &from, const char *key) { return from.value(QLatin1String(key)).toString(); }

qint64 count(const QJsonObject &from, const char *key) { return from.value(QLatin1String(key)).toInteger(); }

bool flag(const QJsonObject &from, const char *key, bool otherwise = false)
{
    return from.value(QLatin1String(key)).toBool(otherwise);
}

std::optional<qint64> number(const QJsonObject &from, const char *key)
{
    const QJsonValue value = from.value(QLatin1String(key));
    return value.isDouble() ? std::optional(value.toInteger()) : std::nullopt;
}

std::optional<double> rate(const QJsonObject &from, const char *key)
{
    const QJsonValue value = from.value(QLatin1String(key));
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

std::optional<qint64> time(const QJsonObject &from, const char *key)
{
    const QString iso = text(from, key);
    return iso.isEmpty() ? std::nullopt : wallMsFromIso(iso);
}

QStringList texts(const QJsonObject &from, const char *key)
{
    QStringList out;
    const QJsonArray list = from.value(QLatin1String(key)).toArray();
    for (const QJsonValue &entry : list) {
        out.append(entry.toString());
    }
    return out;
}

template <typename Enum, std::size_t N>
Enum named(const std::array<std::pair<const char *, Enum>, N> &names, const QString &name, Enum otherwise)
{
    for (const auto &[known, value] : names) {
        if (name == QLatin1String(known)) {
            return value;
        }
    }
    return otherwise;
}

RunningView parseRunning(const QJsonObject &from)
{
    using Kind = RunningView::Kind;
    static constexpr std::array<std::pair<const char *, Kind>, 5> names { {
        { "inference", Kind::Inference },
        { "save", Kind::Save },
        { "restore", Kind::Restore },
        { "erase", Kind::Erase },
        { "inspect", Kind::Inspect },
    } };
    return { named(names, text(from, "kind"), Kind::Other), time(from, "since") };
}

SlotView parseSlot(const QJsonObject &from)
{
    using State = SlotView::State;
    static constexpr std::array<std::pair<const char *, State>, 9> names { {
        { "unknown", State::Unknown },
        { "idle", State::Idle },
        { "restoring", State::Restoring },
        { "ready", State::Ready },
        { "inference", State::Inference },
        { "dirty", State::Dirty },
        { "saving", State::Saving },
        { "broken", State::Broken },
        { "late", State::Late },
    } };
    SlotView slot;
    slot.id = static_cast<int>(count(from, "id"));
    slot.model = text(from, "model");
    slot.owner = text(from, "owner");
    slot.label = text(from, "label");
    slot.prefix = text(from, "prefix");
    slot.state = named(names, text(from, "state"), State::Other);
    slot.tokens = number(from, "tokens");
    slot.context = number(from, "context");
    slot.lastUsedMs = time(from, "lastUsedAt");
    const QJsonValue running = from.value(QLatin1String("running"));
    if (running.isObject()) {
        slot.running = parseRunning(running.toObject());
    }
    return slot;
}

BackendView parseBackend(const QJsonObject &from)
{
    using State = BackendView::State;
    static constexpr std::array<std::pair<const char *, State>, 7> names { {
        { "healthy", State::Healthy },
        { "degraded", State::Degraded },
        { "open", State::Open },
        { "half-open", State::HalfOpen },
        { "unreachable", State::Unreachable },
        { "unsupported", State::Unsupported },
        { "sleeping", State::Sleeping },
    } };
    return { text(from, "kind"), named(names, text(from, "state"), State::Other), text(from, "endpoint"),
        text(from, "build"), text(from, "model"), text(from, "message"), time(from, "since") };
}

ServerView parseServer(const QJsonObject &from)
{
    using Compatibility = ServerView::Compatibility;
    static constexpr std::array<std::pair<const char *, Compatibility>, 3> names { {
        { "experimental", Compatibility::Experimental },
        { "supported", Compatibility::Supported },
        { "broken", Compatibility::Broken },
    } };
    ServerView server;
    server.name = text(from, "name");
    server.backend = parseBackend(from.value(QLatin1String("backend")).toObject());
    server.managedSlots = text(from, "mode") == QLatin1String("managed-slots");
    server.sharedFiles = text(from, "files") == QLatin1String("shared-filesystem");
    server.freeBytes = number(from, "freeBytes");
    server.writtenToday = number(from, "bytesWrittenToday");
    server.maxBytesPerDay = number(from, "maxBytesPerDay");
    server.paused = flag(from, "paused");
    server.pausedUntilMs = time(from, "pausedUntil");
    server.waiting = count(from, "waiting");
    const QJsonArray slotList = from.value(QLatin1String("slots")).toArray();
    for (const QJsonValue &slot : slotList) {
        server.slotList.append(parseSlot(slot.toObject()));
    }
    const QJsonObject rates = from.value(QLatin1String("rates")).toObject();
    server.rates
        = { rate(rates, "prefillPerSecond"), rate(rates, "generatePerSecond"), rate(rates, "savePerSecond"),
              rate(rates, "restorePerSecond"), rate(rates, "bytesPerToken"), rate(rates, "switchMs") };
    server.compatibility = named(names, text(from, "compatibility"), Compatibility::Unknown);
    server.advice = texts(from, "advice");
    return server;
}

StatsView parseStats(const QJsonObject &from)
{
    StatsView stats;
    stats.requests = count(from, "requests");
    stats.residents = count(from, "residents");
    stats.restores = count(from, "restores");
    stats.restoreHits = count(from, "restoreHits");
    stats.restoreMisses = count(from, "restoreMisses");
    stats.restoreFailures = count(from, "restoreFailures");
    stats.coldStarts = count(from, "coldStarts");
    stats.coldFallbacks = count(from, "coldFallbacks");
    stats.saves = count(from, "saves");
    stats.saveFailures = count(from, "saveFailures");
    stats.switches = count(from, "switches");
    stats.auxiliary = count(from, "auxiliary");
    stats.bypasses = count(from, "bypasses");
    stats.reuseVerified = count(from, "reuseVerified");
    stats.reusePartial = count(from, "reusePartial");
    stats.reuseNone = count(from, "reuseNone");
    stats.timeSavedMs = count(from, "timeSavedMs");
    stats.bytesSaved = count(from, "bytesSaved");
    stats.bytesRestored = count(from, "bytesRestored");
    stats.writtenToday = count(from, "bytesWrittenToday");
    return stats;
}

std::optional<double> share(qint64 part, qint64 whole)
{
    return whole > 0 ? std::optional(static_cast<double>(part) / static_cast<double>(whole)) : std::nullopt;
}

} // namespace

std::optional<double> StatsView::hitRate() const { return share(restoreHits, restores + restoreMisses); }

std::optional<double> StatsView::reuseRate() const
{
    return share(reuseVerified, reuseVerified + reusePartial + reuseNone);
}

const ServerView *StatusView::server(const QString &name) const
{
    for (const ServerView &server : servers) {
        if (server.name == name) {
            return &server;
        }
    }
    return nullptr;
}

StatusView parseStatus(const QJsonObject &document)
{
    StatusView status;
    status.enabled = flag(document, "enabled", true);
    status.version = text(document, "version");
    status.pid = count(document, "pid");
    status.startedMs = time(document, "startedAt");
    status.configPath = text(document, "configPath");
    status.metadataPath = text(document, "metadataPath");
    status.paused = flag(document, "paused");
    status.pausedUntilMs = time(document, "pausedUntil");
    const QJsonArray servers = document.value(QLatin1String("servers")).toArray();
    for (const QJsonValue &server : servers) {
        status.servers.append(parseServer(server.toObject()));
    }
    const QJsonObject snapshots = document.value(QLatin1String("snapshots")).toObject();
    status.snapshots = { count(snapshots, "known"), count(snapshots, "valid"), count(snapshots, "suspect"),
        count(snapshots, "hidden"), count(snapshots, "invalid"), count(snapshots, "bytes") };
    status.stats = parseStats(document.value(QLatin1String("stats")).toObject());
    status.advice = texts(document, "advice");
    return status;
}

QStringList serverNames(const QJsonObject &document)
{
    QStringList names;
    const QJsonArray servers = document.value(QLatin1String("servers")).toArray();
    for (const QJsonValue &server : servers) {
        names.append(text(server.toObject(), "name"));
    }
    return names;
}

} // namespace kv
