// SPDX-License-Identifier: MIT
#include "retention.h"

#include <algorithm>

namespace kv {

namespace {

constexpr qint64 c_dayMs = 24LL * 3600 * 1000;

Removal removal(const RetentionRow &from, const QString &reason)
{
    return Removal { from.server, from.row->session, from.row->label, from.row->fingerprint->hash(), reason,
        from.row->bytes };
}

} // namespace

std::vector<Removal> chooseRemovals(
    std::vector<RetentionRow> rows, const RetentionConfig &rules, qint64 wallMs)
{
    std::vector<Removal> out;
    const std::size_t all = rows.size();
    const auto keep = [](const RetentionRow &one) { return one.row->pinned || one.active; };
    // Oldest use first; the wall clock only breaks ties between servers, whose sequence numbers do not
    // compare.
    std::stable_sort(rows.begin(), rows.end(), [](const RetentionRow &a, const RetentionRow &b) {
        const qint64 usedA = std::max(a.row->updatedWallMs, a.row->lastRestoreWallMs);
        const qint64 usedB = std::max(b.row->updatedWallMs, b.row->lastRestoreWallMs);
        return usedA < usedB;
    });
    std::erase_if(rows, [&](const RetentionRow &one) {
        if (!one.invalid || keep(one)) {
            return false;
        }
        out.push_back(removal(one, QStringLiteral("invalid")));
        return true;
    });
    if (rules.maxAgeDays) {
        std::size_t byAge = 0;
        std::erase_if(rows, [&](const RetentionRow &one) {
            const qint64 used = std::max(one.row->updatedWallMs, one.row->lastRestoreWallMs);
            if (keep(one) || wallMs - used < *rules.maxAgeDays * c_dayMs || byAge * 10 >= all) {
                return false;
            }
            ++byAge;
            out.push_back(removal(one, QStringLiteral("age")));
            return true;
        });
    }
    qint64 bytes = 0;
    std::size_t count = rows.size();
    for (const RetentionRow &one : rows) {
        bytes += one.row->bytes;
    }
    for (const RetentionRow &one : rows) {
        const bool tooMany = rules.maxSessions && count > static_cast<std::size_t>(*rules.maxSessions);
        const bool tooLarge = rules.maxTotalBytes && bytes > *rules.maxTotalBytes;
        if (!tooMany && !tooLarge) {
            break;
        }
        if (keep(one)) {
            continue;
        }
        out.push_back(removal(one, tooMany ? QStringLiteral("count") : QStringLiteral("size")));
        bytes -= one.row->bytes;
        --count;
    }
    return out;
}

} // namespace kv
