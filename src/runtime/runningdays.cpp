// SPDX-License-Identifier: MIT
#include "runningdays.h"

#include "clock.h"

#include <QStringList>

#include <algorithm>

namespace kv {

namespace {
constexpr std::size_t c_spansKept = 400;
}

RunningDays RunningDays::fromText(const QString &text)
{
    RunningDays days;
    for (const QString &span : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        bool firstOk = false;
        bool lastOk = false;
        const qint64 first = span.section(QLatin1Char('-'), 0, 0).toLongLong(&firstOk);
        const qint64 last = span.section(QLatin1Char('-'), -1).toLongLong(&lastOk);
        const bool follows = days.m_spans.empty() || first > days.m_spans.back().second;
        if (firstOk && lastOk && first <= last && follows) {
            days.m_spans.emplace_back(first, last);
        }
    }
    return days;
}

QString RunningDays::toText() const
{
    QStringList spans;
    for (const auto &[first, last] : m_spans) {
        spans.append(first == last ? QString::number(first) : QStringLiteral("%1-%2").arg(first).arg(last));
    }
    return spans.join(QLatin1Char(','));
}

bool RunningDays::note(qint64 wallMs)
{
    const qint64 day = dayOf(wallMs);
    auto at = std::find_if(
        m_spans.begin(), m_spans.end(), [day](const auto &span) { return span.second >= day; });
    if (at != m_spans.end() && at->first <= day) {
        return false;
    }
    at = m_spans.emplace(at, day, day);
    if (const auto next = at + 1; next != m_spans.end() && next->first == day + 1) {
        at->second = next->second;
        m_spans.erase(next);
    }
    if (at != m_spans.begin() && (at - 1)->second == day - 1) {
        (at - 1)->second = at->second;
        m_spans.erase(at);
    }
    if (m_spans.size() > c_spansKept) {
        m_spans.erase(m_spans.begin());
    }
    return true;
}

qint64 RunningDays::between(qint64 sinceWallMs, qint64 nowWallMs) const
{
    const qint64 after = dayOf(sinceWallMs);
    const qint64 today = dayOf(nowWallMs);
    qint64 days = 0;
    for (const auto &[first, last] : m_spans) {
        days += std::max<qint64>(0, std::min(last, today) - std::max(first, after + 1) + 1);
    }
    return days;
}

} // namespace kv
