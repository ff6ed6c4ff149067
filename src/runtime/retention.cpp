// SPDX-License-Identifier: MIT
#include "retention.h"

#include "clock.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace kv {

namespace {

bool keep(const RetentionRow &one) { return one.row->pinned || one.active; }

qint64 lastUse(const RetentionRow &one)
{
    return std::max(one.row->updatedWallMs, one.row->lastRestoreWallMs);
}

qint64 ageInDays(const RetentionRow &one, const RetentionFacts &facts)
{
    const qint64 days = (facts.wallMs - lastUse(one)) / c_msPerDay;
    return facts.daysRun ? std::min(days, facts.daysRun(lastUse(one))) : days;
}

/// A sub-agent's that has not been seen for long.
bool isDone(const RetentionRow &one, const RetentionFacts &facts)
{
    return one.row->subagent && facts.wallMs - lastUse(one) >= c_subagentForgottenMs;
}

/// One, and the rows that name it: a session's snapshot, the base that it may be, or both.
struct RetainedFile {
    int rows = 0; ///< those that are left
    qint64 lastUse = 0;
    bool kept = false;
    bool invalid = true;
    bool done = true;
};

/// What is left of the rows, in the order in which they are to go, and what went.
class Pass final {
public:
    Pass(std::vector<RetentionRow> rows, const RetentionFacts &facts)
        : m_rows(std::move(rows))
    {
        for (const RetentionRow &one : m_rows) {
            RetainedFile &file = fileOf(one);
            ++file.rows;
            file.lastUse = std::max(file.lastUse, lastUse(one));
            file.kept = file.kept || keep(one);
            file.invalid = file.invalid && one.invalid;
            file.done
                = file.done && one.row->subagent && facts.wallMs - lastUse(one) >= c_subagentForgottenMs;
        }
        // The wall clock only breaks ties between servers, whose sequence numbers do not compare.
        std::stable_sort(m_rows.begin(), m_rows.end(), [&](const RetentionRow &a, const RetentionRow &b) {
            const RetainedFile &one = fileOf(a);
            const RetainedFile &other = fileOf(b);
            if (one.invalid != other.invalid) {
                return one.invalid;
            }
            return one.done != other.done ? one.done : one.lastUse < other.lastUse;
        });
    }

    [[nodiscard]] const std::vector<RetentionRow> &rows() const { return m_rows; }
    [[nodiscard]] qint64 freed(const QString &device) { return m_freed[device]; }
    std::vector<Removal> takeRemovals() { return std::move(m_out); }

    [[nodiscard]] qint64 bytes()
    {
        qint64 bytes = 0;
        std::set<const RetainedFile *> counted;
        for (const RetentionRow &one : m_rows) {
            bytes += counted.insert(&fileOf(one)).second ? one.row->bytes : 0;
        }
        return bytes;
    }

    /// Rows that are to be forgotten: a file that another one names as well stays.
    template <typename Predicate> void take(const QString &reason, const Predicate &goes)
    {
        std::erase_if(m_rows, [&](const RetentionRow &one) {
            if (keep(one) || !goes(one)) {
                return false;
            }
            const bool last = --fileOf(one).rows == 0;
            remove(one, reason, last ? one.row->bytes : 0);
            return true;
        });
    }

    /// Files whose room is wanted, with all the rows that name them: one row alone would free nothing.
    template <typename Predicate> void takeFiles(const QString &reason, const Predicate &goes)
    {
        std::set<const RetainedFile *> gone;
        std::erase_if(m_rows, [&](const RetentionRow &one) {
            const RetainedFile *file = &fileOf(one);
            if (gone.contains(file)) {
                remove(one, reason, 0);
                return true;
            }
            if (file->kept || !goes(one)) {
                return false;
            }
            gone.insert(file);
            remove(one, reason, one.row->bytes);
            return true;
        });
    }

private:
    RetainedFile &fileOf(const RetentionRow &one) { return m_files[{ one.server, one.row->name }]; }

    void remove(const RetentionRow &one, const QString &reason, qint64 bytes)
    {
        m_freed[one.device] += bytes;
        m_out.push_back(
            { one.server, one.row->session, one.row->label, one.row->fingerprint->hash(), reason, bytes });
    }

    std::vector<RetentionRow> m_rows;
    std::map<std::pair<QString, NameNumber>, RetainedFile> m_files;
    std::map<QString, qint64> m_freed; // bytes by device
    std::vector<Removal> m_out;
};

/// Whole sessions, those unused longest first: one may have several rows, and what others do with the base
/// that it made is no use of its own.
std::set<QString> sessionsPast(
    std::size_t most, const std::vector<RetentionRow> &rows, const RetentionFacts &facts)
{
    struct Use {
        bool kept = false; ///< one of its rows has to stay
        bool invalid = true;
        bool done = true;
        qint64 last = 0;
    };
    std::map<QString, Use> uses;
    for (const RetentionRow &one : rows) {
        if (one.row->base) {
            continue; // no session
        }
        Use &use = uses[one.row->session];
        use.kept = use.kept || keep(one);
        use.invalid = use.invalid && one.invalid;
        use.done = use.done && isDone(one, facts);
        use.last = std::max(use.last, lastUse(one));
    }
    std::vector<std::pair<QString, Use>> order(uses.begin(), uses.end());
    std::stable_sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
        const Use &one = a.second;
        const Use &other = b.second;
        return std::tuple(!one.invalid, !one.done, one.last)
            < std::tuple(!other.invalid, !other.done, other.last);
    });
    std::set<QString> gone;
    for (const auto &[session, use] : order) {
        if (order.size() - gone.size() > most && !use.kept) {
            gone.insert(session);
        }
    }
    return gone;
}

} // namespace

std::vector<Removal> chooseRemovals(
    std::vector<RetentionRow> rows, const RetentionConfig &rules, const RetentionFacts &facts)
{
    const std::size_t all = rows.size();
    Pass pass(std::move(rows), facts);
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
        const std::set<QString> gone
            = sessionsPast(static_cast<std::size_t>(*rules.maxSessions), pass.rows(), facts);
        pass.take(QStringLiteral("count"),
            [&](const RetentionRow &one) { return !one.row->base && gone.contains(one.row->session); });
    }
    if (rules.maxTotalBytes) {
        qint64 bytes = pass.bytes();
        pass.takeFiles(QStringLiteral("size"), [&](const RetentionRow &one) {
            const bool goes = bytes > *rules.maxTotalBytes && one.row->bytes > 0;
            bytes -= goes ? one.row->bytes : 0;
            return goes;
        });
    }
    for (const DiskShortage &shortage : facts.shortages) {
        pass.takeFiles(QStringLiteral("free-space"), [&](const RetentionRow &one) {
            return one.device == shortage.device && pass.freed(shortage.device) < shortage.bytes;
        });
    }
    return pass.takeRemovals();
}

} // namespace kv
