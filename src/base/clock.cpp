// SPDX-License-Identifier: MIT
#include "clock.h"

#include <chrono>

namespace kv {

Instant SystemClock::now() const
{
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    return Instant {
        duration_cast<milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count(),
        duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count(),
    };
}

} // namespace kv
