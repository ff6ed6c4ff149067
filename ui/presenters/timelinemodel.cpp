// SPDX-License-Identifier: MIT
#include "timelinemodel.h"

#include "clock.h"
#include "humantime.h"
#include "status.h"

#include <QJsonArray>

#include <algorithm>
#include <array>

namespace kv {

namespace {

using IntervalKind = TimelineInterval::Kind;

std::optional<IntervalKind> timelineKind(const QString &name)
{
    static constexpr auto c_kinds = std::to_array<std::pair<QLatin1String, IntervalKind>>(
        { { QLatin1String("owner"), IntervalKind::Owner },
            { QLatin1String("inference"), IntervalKind::Inference },
            { QLatin1String("save"), IntervalKind::Save },
            { QLatin1String("restore"), IntervalKind::Restore },
            { QLatin1String("failure"), IntervalKind::Failure } });
    for (const auto &[text, kind] : c_kinds) {
        if (name == text) {
            return kind;
        }
    }
    return std::nullopt;
}

qint64 timeOf(const QJsonValue &value) { return wallMsFromIso(value.toString()).value_or(0); }

std::optional<qint64> numberOf(const QJsonValue &value)
{
    return value.isDouble() ? std::optional(value.toInteger()) : std::nullopt;
}

TimelineLane laneOf(const QString &server, const QJsonObject &slot, qint64 nowMs)
{
    TimelineLane lane { server, slot.value(u"id").toInt(), slot.value(u"model").toString(), {} };
    const QJsonArray list = slot.value(u"intervals").toArray();
    lane.intervals.reserve(list.size());
    for (const QJsonValue &value : list) {
        const QJsonObject entry = value.toObject();
        const std::optional<IntervalKind> kind = timelineKind(entry.value(u"kind").toString());
        if (!kind) {
            continue; // of a newer daemon
        }
        const qint64 from = timeOf(entry.value(u"from"));
        const bool open = !entry.contains(u"to");
        lane.intervals.append({ *kind, from, std::max(from, open ? nowMs : timeOf(entry.value(u"to"))), open,
            entry.value(u"session").toString(), entry.value(u"label").toString(),
            numberOf(entry.value(u"tokens")), numberOf(entry.value(u"bytes")),
            entry.value(u"code").toString(), 1 });
    }
    std::stable_sort(lane.intervals.begin(), lane.intervals.end(),
        [](const TimelineInterval &left, const TimelineInterval &right) {
            return std::pair(left.fromMs, left.kind) < std::pair(right.fromMs, right.kind);
        });
    return lane;
}

} // namespace

TimelineModel::TimelineModel(Daemon &daemon, const Clock &clock, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_clock(clock)
    , m_toMs(clock.now().wallMs)
{
    m_refetch.setSingleShot(true);
    m_refetch.setInterval(c_refetchMs);
    connect(&m_refetch, &QTimer::timeout, this, &TimelineModel::fetch);
    connect(&daemon, &Daemon::statusReceived, this, &TimelineModel::onStatus);
    connect(&daemon, &Daemon::eventReceived, this, &TimelineModel::onEvent);
    connect(&daemon, &Daemon::linkChanged, this, [this] {
        if (m_daemon.link() != Daemon::Link::Connected) {
            m_refetch.stop();
            abandon();
        }
        Q_EMIT changed();
    });
}

qint64 TimelineModel::nowMs() const { return m_clock.now().wallMs; }

QList<qint64> TimelineModel::ranges()
{
    return { 10 * c_minuteMs, 60 * c_minuteMs, 360 * c_minuteMs, 1440 * c_minuteMs };
}

void TimelineModel::setRange(qint64 rangeMs)
{
    if (rangeMs != m_rangeMs) {
        m_rangeMs = rangeMs;
        fetch();
    }
}

void TimelineModel::setShown(bool shown)
{
    if (shown == m_shown) {
        return;
    }
    m_shown = shown;
    if (shown) {
        fetch();
    } else {
        m_refetch.stop();
    }
}

void TimelineModel::onStatus(const QJsonObject &status)
{
    const QStringList names = serverNames(status);
    if (m_stale || names != m_servers) {
        m_servers = names;
        m_stale = false;
        fetch();
    }
}

void TimelineModel::onEvent(const QJsonObject &event)
{
    const QString name = event.value(u"name").toString();
    const bool concerns = event.contains(u"lost") || name == QLatin1String("kv.slot.acquire")
        || name == QLatin1String("kv.slot.release") || name == QLatin1String("kv.session.switch")
        || name.startsWith(QLatin1String("kv.session.save."))
        || name.startsWith(QLatin1String("kv.session.restore."));
    if (!m_shown || !concerns) {
        return;
    }
    if (m_expected > 0) {
        m_again = true;
    } else if (!m_refetch.isActive()) {
        m_refetch.start();
    }
}

void TimelineModel::fetch()
{
    m_refetch.stop();
    if (!m_shown || m_daemon.link() != Daemon::Link::Connected) {
        return;
    }
    m_again = false;
    m_answers.clear();
    m_expected = m_servers.size();
    m_asked = nowMs();
    const quint64 round = ++m_round;
    for (qsizetype index = 0; index < m_servers.size(); ++index) {
        m_daemon.call(QStringLiteral("kv.history"),
            { { QStringLiteral("server"), m_servers[index] },
                { QStringLiteral("from"), isoUtc(m_asked - m_rangeMs) },
                { QStringLiteral("to"), isoUtc(m_asked) }, { QStringLiteral("bucketMs"), stepMs() } },
            this, [this, round, index](const CallResult &result) {
                if (round == m_round) {
                    answered(index, result);
                }
            });
    }
    if (m_expected == 0) {
        publish();
    }
}

void TimelineModel::answered(qsizetype server, const CallResult &result)
{
    if (!result.ok() && result.status != CallResult::Status::Refused) {
        m_error = result.error.error.message;
        abandon();
        Q_EMIT changed();
        return;
    }
    m_answers.insert_or_assign(server, result);
    if (static_cast<qsizetype>(m_answers.size()) == m_expected) {
        publish();
        if (m_again && m_shown) {
            m_refetch.start();
        }
    }
}

/// No answer to all that was asked: what was known stays, and the next status asks anew.
void TimelineModel::abandon()
{
    ++m_round;
    m_expected = 0;
    m_answers.clear();
    m_stale = true;
}

void TimelineModel::publish()
{
    m_expected = 0;
    m_toMs = m_asked;
    m_known = true;
    m_error.clear();
    m_lanes.clear();
    m_hits.clear();
    for (const auto &[index, answer] : m_answers) {
        if (!answer.ok()) {
            m_error = answer.error.error.message;
            continue;
        }
        const QJsonArray slotList = answer.result.value(u"slots").toArray();
        for (const QJsonValue &slot : slotList) {
            m_lanes.append(laneOf(m_servers.value(index), slot.toObject(), m_asked));
        }
        addBuckets(answer.result);
    }
    m_answers.clear();
    Q_EMIT changed();
}

void TimelineModel::addBuckets(const QJsonObject &history)
{
    const qint64 begin = m_toMs - m_rangeMs;
    const QJsonArray buckets = history.value(u"buckets").toArray();
    for (const QJsonValue &value : buckets) {
        const QJsonObject bucket = value.toObject();
        const qint64 step = std::max<qint64>(0, timeOf(bucket.value(u"at")) - begin) / stepMs();
        Hits &hits = m_hits[begin + step * stepMs()];
        hits.restores += bucket.value(u"restores").toInteger();
        hits.coldStarts += bucket.value(u"coldStarts").toInteger();
    }
}

bool TimelineModel::hasOpen() const
{
    return !isAway() && std::any_of(m_lanes.begin(), m_lanes.end(), [](const TimelineLane &lane) {
        return std::any_of(lane.intervals.begin(), lane.intervals.end(),
            [](const TimelineInterval &interval) { return interval.open; });
    });
}

QList<QPointF> TimelineModel::hitRate() const
{
    QList<QPointF> points;
    for (const auto &[at, hits] : m_hits) {
        if (const qint64 all = hits.restores + hits.coldStarts; all > 0) {
            points.append(
                { static_cast<double>(at), static_cast<double>(hits.restores) / static_cast<double>(all) });
        }
    }
    return points;
}

QList<QPointF> TimelineModel::latency() const
{
    struct Sum {
        qint64 ms = 0;
        qint64 count = 0;
    };
    std::map<qint64, Sum> sums;
    const qint64 begin = m_toMs - m_rangeMs;
    for (const TimelineLane &lane : m_lanes) {
        for (const TimelineInterval &interval : lane.intervals) {
            const bool moves = interval.kind == IntervalKind::Save || interval.kind == IntervalKind::Restore;
            if (moves && !interval.open && interval.fromMs >= begin) {
                Sum &sum = sums[begin + (interval.fromMs - begin) / stepMs() * stepMs()];
                sum.ms += interval.toMs - interval.fromMs;
                ++sum.count;
            }
        }
    }
    QList<QPointF> points;
    for (const auto &[at, sum] : sums) {
        points.append(
            { static_cast<double>(at), static_cast<double>(sum.ms) / static_cast<double>(sum.count) });
    }
    return points;
}

QList<TimelineInterval> TimelineModel::intervalsIn(
    const TimelineLane &lane, qint64 fromMs, qint64 toMs, qint64 minMs)
{
    QList<TimelineInterval> list;
    std::map<IntervalKind, qsizetype> last; // the newest of a kind, when it may still grow
    for (const TimelineInterval &interval : lane.intervals) {
        if (interval.fromMs > toMs) {
            break;
        }
        if (interval.toMs < fromMs) {
            continue;
        }
        const auto before = last.find(interval.kind);
        const bool isShort = interval.toMs - interval.fromMs < minMs;
        if (isShort && before != last.end() && interval.fromMs - list[before->second].toMs < minMs) {
            TimelineInterval &grown = list[before->second];
            grown.toMs = std::max(grown.toMs, interval.toMs);
            grown.open = grown.open || interval.open;
            ++grown.count;
            if (grown.session != interval.session) {
                grown.session.clear();
                grown.label.clear();
            }
            continue;
        }
        list.append(interval);
        if (isShort) {
            last[interval.kind] = list.size() - 1;
        } else {
            last.erase(interval.kind);
        }
    }
    return list;
}

QList<TimelineSpan> TimelineModel::thrashing(const TimelineLane &lane)
{
    static constexpr int c_least = 4;
    QList<TimelineSpan> spans;
    TimelineSpan span;
    int count = 0;
    const auto finish = [&spans, &span, &count] {
        if (count >= c_least) {
            spans.append(span);
        }
        count = 0;
    };
    for (const TimelineInterval &interval : lane.intervals) {
        if (interval.kind != IntervalKind::Owner) {
            continue;
        }
        const bool isShort = !interval.open && interval.toMs - interval.fromMs < c_minuteMs;
        if (!isShort || (count > 0 && interval.fromMs - span.toMs > c_minuteMs)) {
            finish();
        }
        if (isShort) {
            span.fromMs = count == 0 ? interval.fromMs : span.fromMs;
            span.toMs = interval.toMs;
            ++count;
        }
    }
    finish();
    return spans;
}

int TimelineModel::ownerChanges(const TimelineLane &lane)
{
    int changes = 0;
    const TimelineInterval *before = nullptr;
    for (const TimelineInterval &interval : lane.intervals) {
        if (interval.kind == IntervalKind::Owner) {
            changes += before != nullptr && before->session != interval.session ? 1 : 0;
            before = &interval;
        }
    }
    return changes;
}

} // namespace kv
