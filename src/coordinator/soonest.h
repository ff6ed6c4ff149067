// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace kv {

/// Collects points in time; the earliest that is not past counts.
class Soonest final {
public:
    explicit Soonest(qint64 nowMs)
        : m_nowMs(nowMs)
    {
    }
    /// −1: none. One that is past counts as at once.
    void at(qint64 ms)
    {
        if (ms >= 0) {
            const qint64 next = std::max(ms, m_nowMs + 1);
            m_ms = m_ms < 0 ? next : std::min(m_ms, next);
        }
    }
    /// One that is past has been dealt with.
    void later(qint64 ms)
    {
        if (ms > m_nowMs) {
            at(ms);
        }
    }
    [[nodiscard]] qint64 value() const { return m_ms; }

private:
    qint64 m_nowMs;
    qint64 m_ms = -1;
};

} // namespace kv
