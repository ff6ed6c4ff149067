// SPDX-License-Identifier: MIT
// The words of TimelineModel.
#include "localetext.h"
#include "timelinemodel.h"

namespace kv {

QString TimelineModel::rangeText(qint64 rangeMs)
{
    const auto minutes = static_cast<int>(rangeMs / c_minuteMs);
    return minutes < 60 ? tr("%n minute(s)", nullptr, minutes) : tr("%n hour(s)", nullptr, minutes / 60);
}

QString TimelineModel::emptyText() const
{
    if (!m_lanes.isEmpty()) {
        return {};
    }
    if (isAway()) {
        return tr("The daemon does not answer; what happened is shown as soon as it does.");
    }
    if (!m_error.isEmpty()) {
        return m_error;
    }
    if (!m_known) {
        return tr("Reading what happened…");
    }
    return m_servers.isEmpty() ? tr("No server is configured yet. Add one under Settings.")
                               : tr("No slot was used in this time. Sessions appear here as they work.");
}

QString TimelineModel::noticeText() const
{
    if (m_lanes.isEmpty()) {
        return {};
    }
    return isAway() ? tr("The daemon is away; this is what was known at %1.").arg(localeClockTime(m_toMs))
                    : m_error;
}

int TimelineModel::hueOf(const QString &session)
{
    quint32 hash = 2166136261U; // FNV-1a: qHash differs from run to run
    const QByteArray bytes = session.toUtf8();
    for (const char byte : bytes) {
        hash = (hash ^ static_cast<quint8>(byte)) * 16777619U;
    }
    return static_cast<int>((hash ^ (hash >> 16U)) % 360U);
}

QString TimelineModel::nameOf(const TimelineLane &lane)
{
    const QString name = tr("%1, slot %2").arg(lane.server).arg(lane.slot);
    return lane.model.isEmpty() ? name : tr("%1 (%2)").arg(name, lane.model);
}

QString TimelineModel::sentenceOf(const TimelineInterval &interval)
{
    const QString from = localeClockTime(interval.fromMs);
    const QString to = localeClockTime(interval.toMs);
    if (interval.count > 1) {
        return tr("%n marks too close to tell apart, %1 to %2; zoom in to see each", nullptr, interval.count)
            .arg(from, to);
    }
    const QString who = interval.name();
    const QString took = localeDuration(static_cast<double>(interval.toMs - interval.fromMs));
    const QString tokens = interval.tokens ? tr("%1 tokens").arg(localeTokens(*interval.tokens))
        : interval.bytes                   ? localeBytes(*interval.bytes)
                                           : tr("its state");
    using Kind = TimelineInterval::Kind;
    switch (interval.kind) {
    case Kind::Owner:
        return interval.open ? tr("%1: has the slot since %2, for %3").arg(who, from, took)
                             : tr("%1: had the slot for %2, %3 to %4").arg(who, took, from, to);
    case Kind::Inference:
        return interval.open ? tr("%1: answering for %2, since %3").arg(who, took, from)
                             : tr("%1: answered for %2, %3").arg(who, took, from);
    case Kind::Save:
        return interval.open ? tr("%1: saving since %2").arg(who, from)
                             : tr("%1: saved %2 in %3, %4").arg(who, tokens, took, from);
    case Kind::Restore:
        return interval.open ? tr("%1: restoring since %2").arg(who, from)
                             : tr("%1: restored %2 in %3, %4").arg(who, tokens, took, from);
    case Kind::Failure:
        break;
    }
    return tr("%1: failed with %2, %3").arg(who, interval.code, from);
}

} // namespace kv
