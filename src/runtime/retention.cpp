// SPDX-License-Identifier: MIT
#include "retention.h"

#include "clock.h"

#include <algorithm>
#include <map>
#include <set>

namespace kv {

namespace {

Removal removal(const RetentionRow &from, const QString &reason)
{
    return Removal { from.server, from.row->session, from.row->label, from.row->fingerprint->hash(), reason,
        from.bytes() };
}

bool keep(const RetentionRow &one) { return one.row->pinned || one.active; }

qint64 lastUse(const RetentionRow &one)
{
    return std::max(one.row->updatedWallMs, one.row->lastRestoreWallMs);
}

/// Whole sessions, those unused longest first: one may have several rows. `rows` is in the order of use.
void letSessionsGo(std::vector<RetentionRow> &rows, std::size_t most, std::vector<Removal> &out,
    std::map<QString, qint64> &freed)
{
    std::map<QString, bool> kept; // by session: one of its rows has to stay
    std::vector<QString> newestFirst;
    for (auto one = rows.rbegin(); one != rows.rend(); ++one) {
        if (one->row->base) {
            continue; // no session
        }
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
        freed[one.device] += one.bytes();
        return true;
    });
}

/// What is left of the rows, in the order in which they are to go, and what went.
struct Pass {
    std::vector<RetentionRow> rows;
    std::vector<Removal> out;
    std::map<QString, qint64> freed; ///< bytes by device

    template <typename Predicate> void take(const QString &reason, const Predicate &goes)
    {
        std::erase_if(rows, [&](const RetentionRow &one) {
            if (keep(one) || !goes(one)) {
                return false;
            }
            out.push_back(removal(one, reason));
            freed[one.device] += one.bytes();
            return true;
        });
    }
};

qint64 ageInDays(const RetentionRow &one, const RetentionFacts &facts)
{
    const qint64 days = (facts.wallMs - lastUse(one)) / c_msPerDay;
    return facts.daysRun ? std::min(days, facts.daysRun(lastUse(one))) : days;
}

} // namespace

std::vector<Removal> chooseRemovals(
    std::vector<RetentionRow> rows, const RetentionConfig &rules, const RetentionFacts &facts)
{
    const std::size_t all = rows.size();
    const auto done = [&](const RetentionRow &one) {
        return one.row->subagent && facts.wallMs - lastUse(one) >= c_subagentForgottenMs;
    };
    // The wall clock only breaks ties between servers, whose sequence numbers do not compare.
    std::stable_sort(rows.begin(), rows.end(), [&](const RetentionRow &a, const RetentionRow &b) {
        if (a.invalid != b.invalid) {
            return a.invalid;
        }
        return done(a) != done(b) ? done(a) : lastUse(a) < lastUse(b);
    });
    Pass pass { std::move(rows), {}, {} };
    pass.take(
        QStringLiteral("invalid"), [&](const RetentionRow &one) { return one.invalid && facts.invalidGo; });
    pass.take(QStringLiteral("unused"),
        [&](const RetentionRow &one) { return one.row->base && ageInDays(one, facts) >= c_baseUnusedDays; });
    if (rules.maxAgeDays) {
        std::size_t byAge = 0;
        pass.take(QStringLiteral("age"), [&](const RetentionRow &one) {
            const bool goes = byAge * 10 < all && ageInDays(one, facts) >= *rules.maxAgeDays;
            byAge += goes ? 1 : 0;
            return goes;
        });
    }
    if (rules.maxSessions) {
        letSessionsGo(pass.rows, static_cast<std::size_t>(*rules.maxSessions), pass.out, pass.freed);
    }
    qint64 bytes = 0;
    for (const RetentionRow &one : pass.rows) {
        bytes += one.bytes();
    }
    pass.take(QStringLiteral("size"), [&](const RetentionRow &one) {
        const bool goes = rules.maxTotalBytes && bytes > *rules.maxTotalBytes && one.bytes() > 0;
        bytes -= goes ? one.bytes() : 0;
        return goes;
    });
    for (const DiskShortage &shortage : facts.shortages) {
        pass.take(QStringLiteral("free-space"), [&](const RetentionRow &one) {
            return one.device == shortage.device && pass.freed[shortage.device] < shortage.bytes;
        });
    }
    return pass.out;
}

} // namespace kv
