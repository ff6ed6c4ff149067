// SPDX-License-Identifier: MIT
#include "retention.h"

#include <algorithm>
#include <map>
#include <set>

namespace kv {

namespace {

constexpr qint64 c_dayMs = 24LL * 3600 * 1000;

Removal removal(const RetentionRow &from, const QString &reason)
{
    return Removal { from.server, from.row->session, from.row->label, from.row->fingerprint->hash(), reason,
        from.row->bytes };
}

bool keep(const RetentionRow &one) { return one.row->pinned || one.active; }

qint64 lastUse(const RetentionRow &one)
{
    return std::max(one.row->updatedWallMs, one.row->lastRestoreWallMs);
}

/// Whole sessions, those unused longest first: one may have several rows. `rows` is in the order of use.
void letSessionsGo(std::vector<RetentionRow> &rows, std::size_t most, std::vector<Removal> &out)
{
    std::map<QString, bool> kept; // by session: one of its rows has to stay
    std::vector<QString> newestFirst;
    for (auto one = rows.rbegin(); one != rows.rend(); ++one) {
        const auto [entry, first] = kept.try_emplace(one->row->session, false);
        entry->second = entry->second || keep(*one);
        if (first) {
            newestFirst.push_back(one->row->session);
        }
    }
    std::set<QString> gone;
    std::size_t count = kept.size();
    for (auto session = newestFirst.rbegin(); session != newestFirst.rend() && count > most; ++session) {
        if (!kept.at(*session)) {
            gone.insert(*session);
            --count;
        }
    }
    std::erase_if(rows, [&](const RetentionRow &one) {
        if (!gone.contains(one.row->session)) {
            return false;
        }
        out.push_back(removal(one, QStringLiteral("count")));
        return true;
    });
}

} // namespace

std::vector<Removal> chooseRemovals(
    std::vector<RetentionRow> rows, const RetentionConfig &rules, qint64 wallMs)
{
    std::vector<Removal> out;
    const std::size_t all = rows.size();
    // Oldest use first; the wall clock only breaks ties between servers, whose sequence numbers do not
    // compare.
    std::stable_sort(rows.begin(), rows.end(),
        [](const RetentionRow &a, const RetentionRow &b) { return lastUse(a) < lastUse(b); });
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
            if (keep(one) || wallMs - lastUse(one) < *rules.maxAgeDays * c_dayMs || byAge * 10 >= all) {
                return false;
            }
            ++byAge;
            out.push_back(removal(one, QStringLiteral("age")));
            return true;
        });
    }
    if (rules.maxSessions) {
        letSessionsGo(rows, static_cast<std::size_t>(*rules.maxSessions), out);
    }
    qint64 bytes = 0;
    for (const RetentionRow &one : rows) {
        bytes += one.row->bytes;
    }
    for (const RetentionRow &one : rows) {
        if (!rules.maxTotalBytes || bytes <= *rules.maxTotalBytes) {
            break;
        }
        if (!keep(one)) {
            out.push_back(removal(one, QStringLiteral("size")));
            bytes -= one.row->bytes;
        }
    }
    return out;
}

} // namespace kv
