// SPDX-License-Identifier: MIT
#include "simdatabase.h"

#include <algorithm>

namespace kv::sim {

std::optional<Database::Answer> Database::writeOne(bool ok)
{
    if (m_queue.empty()) {
        return std::nullopt;
    }
    const StoreCommand command = m_queue.front();
    m_queue.pop_front();
    if (ok) {
        write(command);
    } else if (losesWhatFails && command.kind == StoreCommand::Kind::PutSnapshot) {
        std::erase_if(m_rows, [&](const Snapshot &row) { return row.session == command.snapshot.session; });
    }
    return Answer { command.seq, ok };
}

void Database::crash(std::size_t written)
{
    for (std::size_t i = 0; i < written && !m_queue.empty(); ++i) {
        write(m_queue.front());
        m_queue.pop_front();
    }
    m_queue.clear();
}

void Database::write(const StoreCommand &command)
{
    const auto same = [&](const Snapshot &row) {
        return row.session == command.snapshot.session
            && row.fingerprint->hash() == command.snapshot.fingerprint->hash();
    };
    switch (command.kind) {
    case StoreCommand::Kind::PutSnapshot:
        if (saysDoneTooSoon && command.seq % 3 == 0) {
            return;
        }
        std::erase_if(m_rows, same);
        m_rows.push_back(command.snapshot);
        return;
    case StoreCommand::Kind::RemoveSnapshot:
        if (!forgetsRemovals) {
            std::erase_if(m_rows, same);
        }
        return;
    case StoreCommand::Kind::RaiseHighWater:
        m_highWater = std::max(m_highWater, command.number);
        return;
    case StoreCommand::Kind::Touch:
        for (Snapshot &row : m_rows) {
            if (same(row) && row.name == command.snapshot.name) {
                row = command.snapshot;
            }
        }
        return;
    }
}

InitialState Database::state(bool cleanStop) const
{
    InitialState state;
    state.snapshots = m_rows;
    state.highWater = m_highWater;
    state.cleanStop = cleanStop;
    return state;
}

} // namespace kv::sim
