// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"

#include <QList>
#include <QPointF>
#include <QTimer>

#include <map>
#include <optional>

namespace kv {

class Clock;

/// Something that happened in a slot. Times are milliseconds since the Unix epoch.
struct TimelineInterval {
    enum class Kind { Owner, Inference, Save, Restore, Failure };
    Kind kind = Kind::Owner;
    qint64 fromMs = 0;
    qint64 toMs = 0;
    bool open = false; ///< goes on; `toMs` is when that was last known
    QString session; ///< 6 digits; empty: of several
    QString label;
    std::optional<qint64> tokens;
    std::optional<qint64> bytes;
    QString code; ///< of a failure
    int count = 1; ///< more: so many that are too close to be told apart

    /// What people call the session: its label, else its 6 digits.
    [[nodiscard]] QString name() const { return label.isEmpty() ? session : label; }
};

/// One slot; intervals are sorted by their begin, those of an owner before what happened under it.
struct TimelineLane {
    QString server;
    int slot = 0;
    QString model; ///< router mode only
    QList<TimelineInterval> intervals;
};

struct TimelineSpan {
    qint64 fromMs = 0;
    qint64 toMs = 0;
};

/// Who had which slot in the last minutes or hours, of all servers. It asks the daemon when it is shown, and
/// while it is shown only after something happened, at most once a second. What was known stays while the
/// daemon is away, also when it went amid an answer.
class TimelineModel final : public QObject {
    Q_OBJECT

public:
    static constexpr qint64 c_minuteMs = 60'000;
    static constexpr int c_refetchMs = 1000;
    static constexpr int c_steps = 60; ///< points of a series

    /// `daemon` and `clock` outlive it.
    TimelineModel(Daemon &daemon, const Clock &clock, QObject *parent = nullptr);

    static QList<qint64> ranges(); ///< milliseconds, those that are offered
    static QString rangeText(qint64 rangeMs);
    void setRange(qint64 rangeMs);
    void setShown(bool shown);

    [[nodiscard]] qint64 rangeMs() const { return m_rangeMs; }
    [[nodiscard]] qint64 nowMs() const; ///< of the clock
    [[nodiscard]] qint64 toMs() const { return m_toMs; } ///< the end of what was last fetched
    [[nodiscard]] const QList<TimelineLane> &lanes() const { return m_lanes; }
    [[nodiscard]] bool hasOpen() const; ///< whether something goes on, as far as is known now
    [[nodiscard]] bool isAway() const { return m_daemon.link() != Daemon::Link::Connected; }
    /// The end of what goes on: now, or when that was last known.
    [[nodiscard]] qint64 openEndMs() const { return isAway() ? m_toMs : nowMs(); }
    [[nodiscard]] bool isRefetchPending() const { return m_refetch.isActive(); }
    /// Why there is nothing to be seen; empty when there is.
    [[nodiscard]] QString emptyText() const;
    /// Why what is to be seen is not the newest; empty when it is, or when there is nothing.
    [[nodiscard]] QString noticeText() const;

    // Series over the range, one point a step in which there was something: (begin of the step, value).
    [[nodiscard]] qint64 stepMs() const { return m_rangeMs / c_steps; }
    [[nodiscard]] QList<QPointF> hitRate() const; ///< restores ÷ (restores + cold starts), 0 to 1
    [[nodiscard]] QList<QPointF> latency() const; ///< mean duration of a save or restore, milliseconds

    static int hueOf(const QString &session); ///< 0 to 359, always the same for a session
    static QString nameOf(const TimelineLane &lane);
    static QString sentenceOf(const TimelineInterval &interval);
    /// What touches the span. Neighbours of a kind that are shorter than `minMs` and closer than that become
    /// one, whose `count` says how many it is; it has no session unless all have the same.
    static QList<TimelineInterval> intervalsIn(
        const TimelineLane &lane, qint64 fromMs, qint64 toMs, qint64 minMs);
    /// Where sessions drive each other out: at least four owners in a row, none of which stayed a minute.
    static QList<TimelineSpan> thrashing(const TimelineLane &lane);
    static int ownerChanges(const TimelineLane &lane);

Q_SIGNALS:
    void changed();

private:
    struct Hits {
        qint64 restores = 0;
        qint64 coldStarts = 0;
    };
    void onStatus(const QJsonObject &status);
    void onEvent(const QJsonObject &event);
    void fetch();
    void answered(qsizetype server, const CallResult &result);
    void publish();
    void abandon();
    void addBuckets(const QJsonObject &history);

    Daemon &m_daemon;
    const Clock &m_clock;
    QTimer m_refetch;
    QStringList m_servers;
    std::map<qsizetype, CallResult> m_answers; ///< so far, by the index of the server
    qsizetype m_expected = 0; ///< answers of the fetch that runs; 0: none runs
    quint64 m_round = 0; ///< answers of earlier ones are left out
    qint64 m_asked = 0;
    qint64 m_rangeMs = 60 * c_minuteMs;
    qint64 m_toMs = 0;
    bool m_shown = false;
    bool m_stale = true; ///< the link was lost, or there never was one
    bool m_again = false; ///< something happened while a fetch ran
    bool m_known = false; ///< there was an answer
    QString m_error;
    QList<TimelineLane> m_lanes;
    std::map<qint64, Hits> m_hits; ///< by the begin of the step
};

} // namespace kv
