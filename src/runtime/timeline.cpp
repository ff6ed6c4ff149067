// SPDX-License-Identifier: MIT
#include "timeline.h"

#include "eventname.h"
#include "humantime.h"
#include "sessionhash.h"

#include <algorithm>

namespace kv {

namespace {
constexpr std::size_t c_intervalsKept = 4000; // a slot
constexpr std::size_t c_marksKept = 50000; // a server
constexpr qint64 c_keptMs = 24LL * 3600 * 1000;
}

void Timeline::mark(qint64 wallMs, const QString &session, const QString &key, qint64 value)
{
    if (value == 0) {
        return;
    }
    m_marks.push_back(Mark { wallMs, session, key, value });
    while (m_marks.size() > c_marksKept || (!m_marks.empty() && m_marks.front().atMs < wallMs - c_keptMs)) {
        m_marks.pop_front();
    }
}

void Timeline::open(const SlotKey &slot, const QString &kind, const Notice &notice, qint64 wallMs)
{
    auto &list = m_intervals[slot];
    list.push_back(
        Interval { kind, notice.session, notice.label, wallMs, -1, notice.tokens, notice.bytes, {} });
    while (list.size() > c_intervalsKept) {
        list.pop_front();
    }
}

void Timeline::close(const SlotKey &slot, const QString &kind, const Notice &notice, qint64 wallMs)
{
    auto &list = m_intervals[slot];
    for (auto at = list.rbegin(); at != list.rend(); ++at) {
        if (at->kind == kind && at->toMs < 0) {
            at->toMs = wallMs;
            at->tokens = notice.tokens >= 0 ? notice.tokens : at->tokens;
            at->bytes = notice.bytes >= 0 ? notice.bytes : at->bytes;
            at->code = notice.code;
            return;
        }
    }
}

void Timeline::instant(const Notice &notice, qint64 wallMs)
{
    open(notice.slot, QStringLiteral("failure"), notice, wallMs);
    close(notice.slot, QStringLiteral("failure"), notice, wallMs);
}

void Timeline::take(const Notice &notice, qint64 wallMs)
{
    const QStringView event(notice.name);
    const SlotKey &slot = notice.slot;
    if (event == eventname::slotAcquire) {
        mark(wallMs, notice.session, QStringLiteral("requests"));
        if (notice.outcome == toString(Outcome::Resident)) {
            mark(wallMs, notice.session, QStringLiteral("residents"));
        }
        if (slot.id >= 0) {
            open(slot, QStringLiteral("inference"), notice, wallMs);
        }
    } else if (event == eventname::slotRelease && slot.id >= 0) {
        close(slot, QStringLiteral("inference"), notice, wallMs);
    } else if (event == eventname::sessionSwitch && slot.id >= 0) {
        close(slot, QStringLiteral("owner"), notice, wallMs);
        open(slot, QStringLiteral("owner"), notice, wallMs);
    } else if (event == eventname::sessionCold) {
        mark(wallMs, notice.session, QStringLiteral("coldStarts"));
    } else if (event == eventname::saveStart) {
        open(slot, QStringLiteral("save"), notice, wallMs);
    } else if (event == eventname::saveSuccess) {
        close(slot, QStringLiteral("save"), notice, wallMs);
        mark(wallMs, notice.session, QStringLiteral("saves"));
        mark(wallMs, notice.session, QStringLiteral("bytesSaved"), std::max<qint64>(0, notice.bytes));
    } else if (event == eventname::restoreStart) {
        open(slot, QStringLiteral("restore"), notice, wallMs);
    } else if (event == eventname::restoreSuccess) {
        close(slot, QStringLiteral("restore"), notice, wallMs);
        mark(wallMs, notice.session, QStringLiteral("restores"));
        mark(wallMs, notice.session, QStringLiteral("bytesRestored"), std::max<qint64>(0, notice.bytes));
    } else if (event == eventname::saveFailed || event == eventname::restoreFailed) {
        close(slot, event == eventname::saveFailed ? QStringLiteral("save") : QStringLiteral("restore"),
            notice, wallMs);
        mark(wallMs, notice.session, QStringLiteral("failures"));
        instant(notice, wallMs);
    }
}

void Timeline::takeEnd(const QString &session, const EndRequest &end, qint64 savedMs, qint64 wallMs)
{
    mark(wallMs, session, QStringLiteral("timeSavedMs"), savedMs);
    mark(wallMs, session, QStringLiteral("promptTokens"), std::max<qint64>(0, end.usage.promptTokens));
    mark(wallMs, session, QStringLiteral("cachedTokens"), std::max<qint64>(0, end.usage.cachedTokens));
    mark(
        wallMs, session, QStringLiteral("completionTokens"), std::max<qint64>(0, end.usage.completionTokens));
}

void Timeline::addTo(Buckets &sums, const QString &session, qint64 fromMs, qint64 toMs, qint64 bucketMs) const
{
    for (const Mark &one : m_marks) {
        if (one.atMs >= fromMs && one.atMs < toMs && (session.isEmpty() || one.session == session)) {
            sums[(one.atMs - fromMs) / bucketMs][one.key] += one.value;
        }
    }
}

QJsonArray Timeline::document(const Buckets &sums, qint64 fromMs, qint64 bucketMs)
{
    QJsonArray out;
    for (const auto &[bucket, values] : sums) {
        QJsonObject object { { QStringLiteral("at"), isoUtc(fromMs + bucket * bucketMs) } };
        for (const auto &[key, value] : values) {
            object.insert(key, value);
        }
        out.append(object);
    }
    return out;
}

QJsonArray Timeline::slotIntervals(qint64 fromMs, qint64 toMs) const
{
    QJsonArray out;
    for (const auto &[slot, list] : m_intervals) {
        QJsonArray intervals;
        for (const Interval &one : list) {
            if (one.fromMs >= toMs || (one.toMs >= 0 && one.toMs < fromMs)) {
                continue;
            }
            QJsonObject object { { QStringLiteral("kind"), one.kind },
                { QStringLiteral("from"), isoUtc(one.fromMs) } };
            if (one.toMs >= 0) {
                object.insert(QStringLiteral("to"), isoUtc(one.toMs));
            }
            if (!one.session.isEmpty()) {
                object.insert(QStringLiteral("session"), shortSession(one.session));
            }
            if (!one.label.isEmpty()) {
                object.insert(QStringLiteral("label"), one.label);
            }
            if (one.tokens >= 0) {
                object.insert(QStringLiteral("tokens"), one.tokens);
            }
            if (one.bytes >= 0) {
                object.insert(QStringLiteral("bytes"), one.bytes);
            }
            if (!one.code.isEmpty()) {
                object.insert(QStringLiteral("code"), one.code);
            }
            intervals.append(object);
        }
        QJsonObject entry { { QStringLiteral("id"), slot.id }, { QStringLiteral("intervals"), intervals } };
        if (!slot.model.isEmpty()) {
            entry.insert(QStringLiteral("model"), slot.model);
        }
        out.append(entry);
    }
    return out;
}

} // namespace kv
