// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

namespace kv {

struct JournalAccess;

/// Circuit breaker of one server (design §9): after `maxFailures` failures in a row persistence rests for
/// `cooldownMs`, then one probe decides; each failed probe doubles the pause up to 15 minutes.
/// Pure: every call is given the monotonic time.
class Breaker final {
public:
    Breaker(int maxFailures, qint64 cooldownMs);
    void configure(int maxFailures, qint64 cooldownMs);

    [[nodiscard]] BreakerState state() const { return m_state; }
    /// No slot operation may be started (a probe excepted).
    [[nodiscard]] bool isOpen() const
    {
        return m_state == BreakerState::Open || m_state == BreakerState::HalfOpen;
    }
    [[nodiscard]] int failures() const { return m_failures; }
    [[nodiscard]] qint64 pauseMs() const { return m_pauseMs; }

    /// A save, restore, erase or inspect ended in 5xx, time-out or lost connection. True: it opened just now.
    bool failed(qint64 monoMs);
    /// A save or restore succeeded. True: it had not been healthy.
    bool succeeded();

    /// When the pause is over; −1: not open.
    [[nodiscard]] qint64 probeDueMs() const { return m_state == BreakerState::Open ? m_probeDueMs : -1; }
    void probeStarted();
    /// True: recovered. A recovered breaker re-opens with a doubled pause on the very next failure.
    bool probeFinished(bool ok, qint64 monoMs);
    void reset(); ///< a new server process, or by hand

private:
    friend struct JournalAccess;
    void open(qint64 monoMs);

    BreakerState m_state = BreakerState::Healthy;
    int m_maxFailures;
    int m_failures = 0;
    qint64 m_cooldownMs;
    qint64 m_pauseMs = 0;
    qint64 m_probeDueMs = -1;
    bool m_onProbation = false; // recovered by a probe, not yet by a save or restore
};

} // namespace kv
