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

/// What happened on one server lately, in memory: who had each slot, and counts, for a day. Bounded; nothing
/// of it is needed for anything but to be looked at.
class Timeline final {
public:
    void take(const Notice &notice, qint64 wallMs);
    /// `savedMs`: prompt processing avoided by a restore.
    void takeEnd(const QString &session, const EndRequest &end, qint64 savedMs, qint64 wallMs);

    /// Sums by bucket (0: the one that begins at `fromMs`) and field.
    using Buckets = std::map<qint64, std::map<QString, qint64>>;
    /// Empty session: all. `bucketMs` above 0.
    void addTo(Buckets &sums, const QString &session, qint64 fromMs, qint64 toMs, qint64 bucketMs) const;
    /// `buckets` of kv.history.
    [[nodiscard]] static QJsonArray document(const Buckets &sums, qint64 fromMs, qint64 bucketMs);
    /// `slots` of kv.history.
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
