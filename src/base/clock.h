// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

namespace kv {

/// One point in time on both clocks. Deadlines, timers and order use `monoMs` only; `wallMs` (milliseconds
/// since the Unix epoch, UTC) is for people and may jump.
struct Instant {
    qint64 monoMs = 0;
    qint64 wallMs = 0;
};

inline constexpr qint64 c_msPerDay = 24LL * 3600 * 1000;
/// Days since the Unix epoch, UTC.
constexpr qint64 dayOf(qint64 wallMs) { return wallMs / c_msPerDay; }

/// The clock port. Implementations may be called from any thread.
class Clock {
public:
    Clock() = default;
    virtual ~Clock() = default;
    Q_DISABLE_COPY_MOVE(Clock)
    [[nodiscard]] virtual Instant now() const = 0;
};

class SystemClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override;
};

} // namespace kv
