// SPDX-License-Identifier: MIT
#pragma once

#include "policy.h"
#include "simserver.h"

#include <QString>

#include <array>
#include <vector>

namespace kv::sim {

/// What can happen. A step brings its own random numbers, so that a trace from which steps were removed still
/// means the same in the steps that are left.
enum class Act : quint8 {
    Turn, ///< a session's next request begins
    Title,
    Compaction,
    Stranger, ///< a request of a client that kv-persist knows nothing of
    Arrive, ///< one message reaches the server
    Finish, ///< one request in the server ends
    Deliver, ///< one reply reaches the daemon or a client
    Breathe, ///< everything under way arrives
    Drain, ///< everything under way arrives, ends and is answered
    Advance, ///< time passes
    Observe, ///< the watcher looks
    Store, ///< the database answers one write
    StoreFails,
    Abort, ///< a client gives up its request
    Cancel, ///< a client gives up waiting
    ClientDies,
    Hint,
    Manual,
    Retention,
    LoseReply, ///< done, but the answer is lost
    BreakConnection, ///< the answer is lost, and what the server still holds is done some time
    FailOp,
    Restart,
    Kill,
    ReplaceModelFile,
    Sleep,
    DiskFull,
    DamageFile,
    RemoveFile,
    WallJump,
    Pause,
    Resume,
    Config,
    Crash, ///< the daemon dies between two effects of what comes next
    StopDaemon, ///< it is stopped in peace, and started again
};
inline constexpr int c_acts = static_cast<int>(Act::StopDaemon) + 1;

struct Step {
    Act act = Act::Drain;
    std::array<quint32, 4> dice {};
    /// 0 … sides − 1.
    [[nodiscard]] int roll(std::size_t which, int sides) const
    {
        return static_cast<int>(dice.at(which) % static_cast<quint32>(sides));
    }
};
using Trace = std::vector<Step>;

/// What goes wrong in a trace.
enum class Weather { Calm, Clients, Faults, Storm };

struct Setup {
    quint32 seed = 1;
    Weather weather = Weather::Calm;
    ServerManners manners;
    Policy policy;
    int sessions = 6;
    bool strangers = false;
    bool staleWatcher = false; ///< what the watcher saw may come late
    bool pinless = false; ///< several slots, and every other session's client names none
    bool reusesNothing = false; ///< after a restore no request reuses anything
};

[[nodiscard]] Setup setupOf(quint32 seed);
[[nodiscard]] Trace traceOf(const Setup &setup, int steps);
[[nodiscard]] QString describe(const Step &step);
[[nodiscard]] QString describe(const Setup &setup);

} // namespace kv::sim
