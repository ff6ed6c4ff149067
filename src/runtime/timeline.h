// SPDX-License-Identifier: MIT
#pragma once

#include "effect.h"
#include "event.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <deque>
#include <map>

namespace kv {

/// What happened on one server lately, in memory: who had each slot, and counts in steps of ten seconds for a
/// day. Bounded; nothing of it is needed for anything but to be looked at.
class Timeline final {
public:
    void take(const Notice &notice, qint64 wallMs);
    void takeEnd(const QString &session, const EndRequest &end, qint64 wallMs);

    /// `buckets` and, for a server (empty session), `slots`, as kv.history answers them.
    [[nodiscard]] QJsonArray buckets(
        const QString &session, qint64 fromMs, qint64 toMs, qint64 bucketMs) const;
    [[nodiscard]] QJsonArray slotIntervals(qint64 fromMs, qint64 toMs) const;

private:
    struct Interval {
        QString kind;
        QString session;
        QString label;
        qint64 fromMs = 0;
        qint64 toMs = -1; ///< −1: goes on
        qint64 tokens = -1;
        qint64 bytes = -1;
        QString code;
    };
    struct Mark {
        qint64 atMs = 0;
        QString session;
        QString key; ///< the bucket's field
        qint64 value = 1;
    };
    void mark(qint64 wallMs, const QString &session, const QString &key, qint64 value = 1);
    void open(const SlotKey &slot, const QString &kind, const Notice &notice, qint64 wallMs);
    void close(const SlotKey &slot, const QString &kind, const Notice &notice, qint64 wallMs);
    void instant(const Notice &notice, qint64 wallMs);

    std::map<SlotKey, std::deque<Interval>> m_intervals;
    std::deque<Mark> m_marks;
};

} // namespace kv
