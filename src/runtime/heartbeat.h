// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"

namespace kv {

/// When to record that the machine still runs. What is on record matters only for snapshots that are younger
/// than a minute when the power goes, so it is due a minute after a save, at most once a minute, and never
/// while nothing is saved. Pure.
class Heartbeat final {
public:
    static constexpr qint64 c_everyMs = 60'000;

    Heartbeat() = default;
    explicit Heartbeat(qint64 recordedWallMs)
        : m_recordedWallMs(recordedWallMs)
    {
    }
    void saved(Instant now);
    [[nodiscard]] bool isDue(Instant now) const { return m_dueMonoMs >= 0 && now.monoMs >= m_dueMonoMs; }
    void recorded(Instant now);

private:
    qint64 m_recordedWallMs = 0;
    qint64 m_lastSaveMonoMs = -1;
    qint64 m_dueMonoMs = -1; // −1: nothing has to be recorded
};

} // namespace kv
