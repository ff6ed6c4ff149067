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
