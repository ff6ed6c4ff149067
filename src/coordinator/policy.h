// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kv {

enum class SlotMode { SingleSlot, ManagedSlots };
enum class RestoreVerify { Off, Basic, Strict };
enum class AuxiliaryMode { Isolate, Ignore };
/// What becomes of a slot for a session without a snapshot of its own. Base: as Keep, but a known beginning
/// is restored into it first, of the session that it was branched from or of one that shares its base.
enum class ColdStart { Erase, Keep, Base };
enum class SubagentCheckpoint { Never, WhileAlive, Always };

/// What the coordinator needs to know of the configuration, one per server. Times in milliseconds.
struct Policy {
    QString server; ///< its name in the configuration
    QString endpointHash;
    bool enabled = true;
    SlotMode mode = SlotMode::SingleSlot;
    int slotId = 0; ///< SingleSlot: the one slot used
    bool auxiliarySlot = false;
    bool sharedFiles = false;
    qint64 minFreeBytes = 0; ///< no save that would leave less on the disk; 0: no floor
    qint64 requestTimeoutMs = 15000;

    AuxiliaryMode auxiliary = AuxiliaryMode::Isolate;
    ColdStart coldStart = ColdStart::Erase;
    qint64 leaseIdleMs = 60000;
    qint64 leaseHoldMs = 30000;

    bool onSwitch = true;
    bool onShutdown = true;
    bool onSessionFlush = true;
    bool onDispose = true;
    bool onTurnEnd = false;
    bool onStepEnd = false;
    qint64 idleMs = 30000; ///< 0: no idle checkpoint
    qint64 minTokens = -1; ///< -1: auto
    qint64 maxBytesPerDay = 50'000'000'000; ///< 0: no bound
    qint64 maxDirtyMs = 300000;
    SubagentCheckpoint subagents = SubagentCheckpoint::WhileAlive;

    bool restoreEnabled = true;
    RestoreVerify verify = RestoreVerify::Basic;

    bool strict = false;
    int maxConsecutiveFailures = 3;
    qint64 cooldownMs = 60000;
};

} // namespace kv
