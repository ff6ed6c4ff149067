// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <set>

namespace kv {

struct JournalAccess;

/// Numbers of one server's snapshot files (invariant 9: names are made here, never taken from a client).
///
/// A number is held by whatever may still read or write its file: a snapshot on record, an operation that has
/// not been answered, a commit under way, a deletion. take() gives the lowest number that nobody holds, so a
/// save never touches a good file and growth is bounded without deleting anything. Numbers at or above the
/// high-water mark may be used only once the database holds a higher mark, so that after a crash every number
/// that an unanswered operation may still write to is known to be below it.
class NamePool final {
public:
    explicit NamePool(NameNumber highWater);

    /// −1 when every number below the mark is held: raise the mark first.
    [[nodiscard]] NameNumber take();
    void hold(NameNumber number); ///< a snapshot on record at the start
    void release(NameNumber number);
    [[nodiscard]] bool isHeld(NameNumber number) const;

    /// After an unclean stop: every number below the mark that is not held rests until endRest().
    void restUnheld();
    void endRest();
    [[nodiscard]] bool hasResting() const { return !m_resting.empty(); }

    [[nodiscard]] NameNumber highWater() const { return m_highWater; }
    void setHighWater(NameNumber mark);
    /// True when fewer than a handful of free numbers are left below the mark.
    [[nodiscard]] bool isLow() const;

private:
    friend struct JournalAccess;
    NameNumber m_highWater;
    std::set<NameNumber> m_held;
    std::set<NameNumber> m_resting;
};

} // namespace kv
