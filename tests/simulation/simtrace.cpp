// SPDX-License-Identifier: MIT
#include "simtrace.h"

#include <algorithm>
#include <random>

namespace kv::sim {

namespace {

struct Weight {
    Act act;
    Weather from; ///< happens in this weather and in worse
    int weight;
    QStringView name;
};

// What keeps a trace going is far more frequent than what goes wrong.
constexpr std::array<Weight, c_acts> c_weights { {
    { Act::Turn, Weather::Calm, 120, u"turn" },
    { Act::Title, Weather::Calm, 15, u"title" },
    { Act::Compaction, Weather::Calm, 8, u"compaction" },
    { Act::Stranger, Weather::Calm, 12, u"stranger" },
    { Act::Arrive, Weather::Calm, 130, u"arrive" },
    { Act::Finish, Weather::Calm, 90, u"finish" },
    { Act::Deliver, Weather::Calm, 130, u"deliver" },
    { Act::Breathe, Weather::Calm, 60, u"breathe" },
    { Act::Drain, Weather::Calm, 60, u"drain" },
    { Act::Advance, Weather::Calm, 110, u"advance" },
    { Act::Observe, Weather::Calm, 15, u"observe" },
    { Act::Store, Weather::Calm, 70, u"store" },
    { Act::StoreFails, Weather::Faults, 6, u"store-fails" },
    { Act::Abort, Weather::Clients, 25, u"abort" },
    { Act::Cancel, Weather::Clients, 12, u"cancel" },
    { Act::ClientDies, Weather::Clients, 8, u"client-dies" },
    { Act::Hint, Weather::Calm, 25, u"hint" },
    { Act::Manual, Weather::Calm, 25, u"manual" },
    { Act::Retention, Weather::Calm, 4, u"retention" },
    { Act::LoseReply, Weather::Faults, 8, u"lose-reply" },
    { Act::BreakConnection, Weather::Faults, 6, u"break-connection" },
    { Act::FailOp, Weather::Faults, 10, u"fail-op" },
    { Act::Restart, Weather::Faults, 10, u"restart" },
    { Act::Kill, Weather::Storm, 3, u"kill" },
    { Act::ReplaceModelFile, Weather::Storm, 2, u"replace-model-file" },
    { Act::Sleep, Weather::Faults, 10, u"sleep" },
    { Act::DiskFull, Weather::Faults, 4, u"disk-full" },
    { Act::DamageFile, Weather::Storm, 4, u"damage-file" },
    { Act::RemoveFile, Weather::Storm, 2, u"remove-file" },
    { Act::WallJump, Weather::Clients, 4, u"wall-jump" },
    { Act::Pause, Weather::Clients, 2, u"pause" },
    { Act::Resume, Weather::Clients, 8, u"resume" },
    { Act::Config, Weather::Storm, 4, u"config" },
    { Act::Crash, Weather::Storm, 5, u"crash" },
    { Act::StopDaemon, Weather::Storm, 2, u"stop-daemon" },
} };

} // namespace

Setup setupOf(quint32 seed)
{
    std::mt19937 random(seed * 2654435761U + 17U);
    const auto dice = [&](unsigned sides) { return static_cast<int>(random() % sides); };
    Setup setup;
    setup.seed = seed;
    setup.weather = std::array { Weather::Calm, Weather::Clients, Weather::Faults, Weather::Faults,
        Weather::Storm, Weather::Storm }
                        .at(static_cast<std::size_t>(dice(6)));
    setup.strangers = setup.weather != Weather::Calm && dice(2) == 0;
    setup.staleWatcher = setup.weather == Weather::Storm && dice(3) == 0;
    if (dice(16) == 0) {
        setup.sessions = 1;
        setup.reusesNothing = true;
    }
    ServerManners &manners = setup.manners;
    manners.slots = std::array { 1, 1, 2, 4 }.at(static_cast<std::size_t>(dice(4)));
    manners.clearsIdleSlots = manners.slots == 4 && dice(2) == 0;
    manners.poolTokens = manners.slots == 2 && dice(3) == 0 ? 30000 : 0;
    manners.hostCacheTokens = dice(3) == 0 ? 0 : 30000;
    manners.sleepIdleMs = setup.weather >= Weather::Faults && dice(2) == 0 ? 6000 : -1;
    Policy &policy = setup.policy;
    policy.server = QStringLiteral("sim");
    policy.mode = manners.slots == 1 && dice(2) == 0 ? SlotMode::SingleSlot : SlotMode::ManagedSlots;
    policy.auxiliarySlot = dice(7) == 0;
    policy.sharedFiles = dice(3) == 0;
    policy.strict = dice(11) == 0;
    policy.onTurnEnd = dice(5) == 0;
    policy.verify = dice(6) == 0 ? RestoreVerify::Strict : RestoreVerify::Basic;
    policy.subagents = dice(9) == 0 ? SubagentCheckpoint::Always : SubagentCheckpoint::WhileAlive;
    policy.coldStart = std::array { ColdStart::Keep, ColdStart::Erase, ColdStart::Base, ColdStart::Base }.at(
        static_cast<std::size_t>(dice(4)));
    policy.idleMs = 3000;
    policy.leaseIdleMs = 6000;
    policy.leaseHoldMs = 3000;
    policy.requestTimeoutMs = 4000;
    policy.cooldownMs = 5000;
    policy.maxDirtyMs = 20000;
    setup.pinless = manners.slots > 1 && dice(3) == 0;
    policy.maxBytesPerDay = 0; // else the day, and so the wall clock, would count
    return setup;
}

Trace traceOf(const Setup &setup, int steps)
{
    std::mt19937 random(setup.seed);
    std::vector<int> sums;
    int sum = 0;
    for (const Weight &weight : c_weights) {
        const bool happens = weight.from <= setup.weather && (weight.act != Act::Stranger || setup.strangers);
        sum += happens ? weight.weight : 0;
        sums.push_back(sum);
    }
    Trace trace;
    trace.reserve(static_cast<std::size_t>(steps));
    for (int i = 0; i < steps; ++i) {
        const int roll = static_cast<int>(random() % static_cast<unsigned>(sum));
        const auto at
            = static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end(), roll) - sums.begin());
        Step step;
        step.act = c_weights.at(at).act;
        for (quint32 &dice : step.dice) {
            dice = static_cast<quint32>(random());
        }
        trace.push_back(step);
    }
    return trace;
}

QString describe(const Step &step)
{
    return QStringLiteral("%1 (%2 %3 %4 %5)")
        .arg(c_weights.at(static_cast<std::size_t>(step.act)).name, -18)
        .arg(step.dice[0])
        .arg(step.dice[1])
        .arg(step.dice[2])
        .arg(step.dice[3]);
}

QString describe(const Setup &setup)
{
    return QStringLiteral("seed %1: weather %2, %3 slots (%4), strangers %5, idle-clearing %6, pool %7, host "
                          "cache %8, sleeps after %9")
               .arg(setup.seed)
               .arg(static_cast<int>(setup.weather))
               .arg(setup.manners.slots)
               .arg(setup.policy.mode == SlotMode::SingleSlot ? u"single-slot" : u"managed-slots")
               .arg(setup.strangers)
               .arg(setup.manners.clearsIdleSlots)
               .arg(setup.manners.poolTokens)
               .arg(setup.manners.hostCacheTokens)
               .arg(setup.manners.sleepIdleMs)
        + QStringLiteral(", shared files %1, strict %2, verify %3, stale watcher %4, pinless %5")
              .arg(setup.policy.sharedFiles)
              .arg(setup.policy.strict)
              .arg(static_cast<int>(setup.policy.verify))
              .arg(setup.staleWatcher)
              .arg(setup.pinless);
}

} // namespace kv::sim
