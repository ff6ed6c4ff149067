// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace kv {

// The document of kv.status as plain values. Times are milliseconds since the epoch, sizes bytes, counts
// tokens, rates per second. A text that is absent is empty, a number that is not known is nullopt; names that
// this program does not know become Other.

struct RunningView {
    enum class Kind { Inference, Save, Restore, Erase, Inspect, Other };
    Kind kind = Kind::Other;
    std::optional<qint64> sinceMs;

    bool operator==(const RunningView &) const = default;
};

struct SlotView {
    enum class State { Unknown, Idle, Restoring, Ready, Inference, Dirty, Saving, Broken, Late, Other };
    int id = 0;
    QString model; ///< router mode only
    QString owner; ///< 6 digits; empty: nobody
    QString label;
    State state = State::Other;
    std::optional<qint64> tokens;
    std::optional<qint64> context;
    QString prefix; ///< where its last prompt stopped beginning with the one before; empty: it did not
    std::optional<qint64> lastUsedMs;
    std::optional<RunningView> running;

    [[nodiscard]] bool isOwned() const { return !owner.isEmpty(); }
    [[nodiscard]] bool isDirty() const { return state == State::Dirty; }
    /// What people call the owner: its label, else its 6 digits.
    [[nodiscard]] QString ownerName() const { return label.isEmpty() ? owner : label; }
    bool operator==(const SlotView &) const = default;
};

struct RatesView {
    std::optional<double> prefill; ///< tokens
    std::optional<double> generate; ///< tokens
    std::optional<double> save; ///< bytes
    std::optional<double> restore; ///< bytes
    std::optional<double> bytesPerToken;
    std::optional<double> switchMs;

    bool operator==(const RatesView &) const = default;
};

struct BackendView {
    enum class State { Healthy, Degraded, Open, HalfOpen, Unreachable, Unsupported, Sleeping, Other };
    QString kind;
    State state = State::Other;
    QString endpoint;
    QString build;
    QString model;
    QString message; ///< why the state is not Healthy
    std::optional<qint64> sinceMs;

    bool operator==(const BackendView &) const = default;
};

struct ServerView {
    enum class Compatibility { Unknown, Experimental, Supported, Broken };
    QString name;
    BackendView backend;
    bool managedSlots = false;
    bool sharedFiles = false;
    std::optional<qint64> freeBytes;
    std::optional<qint64> writtenToday;
    std::optional<qint64> maxBytesPerDay; ///< nullopt: no bound
    bool paused = false;
    std::optional<qint64> pausedUntilMs;
    qint64 waiting = 0;
    QList<SlotView> slotList;
    RatesView rates;
    Compatibility compatibility = Compatibility::Unknown;
    QStringList advice;

    bool operator==(const ServerView &) const = default;
};

struct SnapshotsView {
    qint64 known = 0;
    qint64 valid = 0;
    qint64 suspect = 0;
    qint64 hidden = 0;
    qint64 invalid = 0;
    qint64 bytes = 0;

    bool operator==(const SnapshotsView &) const = default;
};

struct StatsView {
    qint64 requests = 0;
    qint64 residents = 0;
    qint64 restores = 0;
    qint64 restoreHits = 0;
    qint64 restoreMisses = 0;
    qint64 restoreFailures = 0;
    qint64 coldStarts = 0;
    qint64 coldFallbacks = 0;
    qint64 saves = 0;
    qint64 saveFailures = 0;
    qint64 switches = 0;
    qint64 auxiliary = 0;
    qint64 bypasses = 0;
    qint64 reuseVerified = 0;
    qint64 reusePartial = 0;
    qint64 reuseNone = 0;
    qint64 timeSavedMs = 0;
    qint64 bytesSaved = 0;
    qint64 bytesRestored = 0;
    qint64 writtenToday = 0;

    /// restoreHits ÷ (restores + restoreMisses); nullopt before the first.
    [[nodiscard]] std::optional<double> hitRate() const;
    /// Verified ÷ all judged restores; nullopt before the first.
    [[nodiscard]] std::optional<double> reuseRate() const;
    bool operator==(const StatsView &) const = default;
};

struct StatusView {
    bool enabled = true;
    QString version;
    qint64 pid = 0;
    std::optional<qint64> startedMs;
    QString configPath; ///< empty: no file, defaults
    QString metadataPath;
    bool paused = false; ///< every server is
    std::optional<qint64> pausedUntilMs;
    QList<ServerView> servers;
    SnapshotsView snapshots;
    StatsView stats;
    QStringList advice;

    /// nullptr: there is none of that name.
    [[nodiscard]] const ServerView *server(const QString &name) const;
    /// Whether there is a slot, of any server, for which `is(slot)`.
    template <typename Predicate> [[nodiscard]] bool anySlot(const Predicate &is) const
    {
        return std::any_of(servers.begin(), servers.end(), [&is](const ServerView &server) {
            return std::any_of(server.slotList.begin(), server.slotList.end(), is);
        });
    }
    bool operator==(const StatusView &) const = default;
};

StatusView parseStatus(const QJsonObject &document);
/// Of the same document, for who wants no more.
QStringList serverNames(const QJsonObject &document);

} // namespace kv
