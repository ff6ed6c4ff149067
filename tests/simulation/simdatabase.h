// SPDX-License-Identifier: MIT
#pragma once

#include "coordinator.h"

#include <deque>
#include <optional>

namespace kv::sim {

/// A database that writes one command at a time, in order, when it is told to. What has not been written is
/// lost when the daemon dies.
class Database final {
public:
    struct Answer {
        StoreSeq seq = 0;
        bool ok = true;
    };
    void enqueue(const StoreCommand &command) { m_queue.push_back(command); }
    [[nodiscard]] bool idle() const { return m_queue.empty(); }
    [[nodiscard]] std::optional<Answer> writeOne(bool ok);
    /// The daemon dies: so many of those that wait are still written, their answers are not.
    void crash(std::size_t written);
    [[nodiscard]] InitialState state(bool cleanStop) const;

    [[nodiscard]] const std::vector<Snapshot> &rows() const { return m_rows; }
    [[nodiscard]] const std::deque<StoreCommand> &queue() const { return m_queue; }

    // Sabotage.
    bool forgetsRemovals = false; ///< says that a row is removed, and keeps it
    bool losesWhatFails = false; ///< a write that fails takes the old row with it
    bool saysDoneTooSoon = false; ///< answers a row that was not written

private:
    void write(const StoreCommand &command);

    std::deque<StoreCommand> m_queue;
    std::vector<Snapshot> m_rows;
    NameNumber m_highWater = 0;
};

} // namespace kv::sim
