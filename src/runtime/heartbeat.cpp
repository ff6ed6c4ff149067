// SPDX-License-Identifier: MIT
#include "heartbeat.h"

namespace kv {

void Heartbeat::saved(Instant now)
{
    m_lastSaveMonoMs = now.monoMs;
    if (m_recordedWallMs > now.wallMs) {
        m_dueMonoMs = now.monoMs; // the clock was set back: what is on record would vouch for this save
    } else if (m_dueMonoMs < 0) {
        m_dueMonoMs = now.monoMs + c_everyMs;
    }
}

void Heartbeat::recorded(Instant now)
{
    m_recordedWallMs = now.wallMs;
    const bool younger = m_lastSaveMonoMs >= 0 && now.monoMs - m_lastSaveMonoMs < c_everyMs;
    m_dueMonoMs = younger ? now.monoMs + c_everyMs : -1;
}

} // namespace kv
