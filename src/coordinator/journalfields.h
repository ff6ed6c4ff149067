// SPDX-License-Identifier: MIT
#pragma once

#include "coordinator.h"
#include "fieldlist.h"

namespace kv {

/// The fields of everything that goes into a journal, and of the effects that a replay compares. A friend of
/// the classes whose members it names. A new field, member or value of an enumeration does not compile until
/// its name stands here; a new text also needs its rule in journalprivacy.h. The format of journals follows
/// by itself: another list has another journalSchema().
struct JournalAccess {
    KV_ENUM(ErrorCode, BackendUnavailable, BackendUnsupported, SlotNotFound, SlotBusy, SlotStateInvalid,
        SnapshotNotFound, SnapshotIncompatible, SnapshotCorrupt, SaveFailed, RestoreFailed, EraseFailed,
        ManifestInvalid, MetadataIo, OperationTimeout, Invariant, BadRequest, LeaseUnknown, SessionUnknown,
        ConfigInvalid, Cancelled)
    KV_ENUM(SlotState, Unknown, Idle, Restoring, Ready, Inference, Dirty, Saving, Broken, Late)
    KV_ENUM(Outcome, Unmanaged, Resident, Restored, Based, Cold, ColdFallback, Auxiliary, Bypass)
    KV_ENUM(EndOutcome, Ok, Error, Aborted)
    KV_ENUM(BreakerState, Healthy, Degraded, Open, HalfOpen)
    KV_ENUM(Verdict, Verified, Partial, None, Unknown)
    KV_ENUM(Compatibility, Unknown, Experimental, Supported, Broken)
    KV_ENUM(HintType, Created, Resumed, Flush, Disposed, TurnEnd, StepEnd, Compacted)
    KV_ENUM(SaveReason, Switch, Idle, Shutdown, Flush, TurnEnd, StepEnd, Dispose, Manual, Base)
    KV_ENUM(SnapshotState, Valid, Suspect, Hidden, Invalid)
    KV_ENUM(SlotMode, SingleSlot, ManagedSlots)
    KV_ENUM(RestoreVerify, Off, Basic, Strict)
    KV_ENUM(AuxiliaryMode, Isolate, Ignore)
    KV_ENUM(ColdStart, Erase, Keep, Base)
    KV_ENUM(SubagentCheckpoint, Never, WhileAlive, Always)
    KV_ENUM(JobSource, Own, Base, Fork, Left)
    KV_ENUM(OpKind, Identity, Look, Save, Restore, Erase, CheckFile, DeleteFile, Probe, Nudge)
    KV_ENUM(OpFailure, None, Refused, Unauthorized, Unsupported, ServerError, ConnectionRefused,
        ConnectionLost, Loading, File, FileGone)
    KV_ENUM(ManualRequest::Kind, Save, Restore, Erase, Invalidate, Purge, Pin, Flush)
    KV_ENUM(StoreCommand::Kind, PutSnapshot, RemoveSnapshot, RaiseHighWater, Touch)
    KV_ENUM(Waiter::Kind, Begin, Restore, Erase)
    KV_ENUM(Job::Kind, Serve, Checkpoint, Settle, LeaseCheck, Nudge, Empty, Booking)
    KV_ENUM(Coordinator::Neighbours, Unknown, Survive, Clear)
    KV_ENUM(Job::Phase, Look, Save, SaveIdentity, CheckFile, Restore, RestoreIdentity, EraseAfterFailure,
        EraseBeforeRetry, Erase, Nudge, Empty)

    // Values
    KV_FIELDS(Instant, monoMs, wallMs)
    KV_FIELDS(SlotKey, model, id)
    KV_FIELDS(Error, code, message, detail, data)
    KV_FIELDS(Usage, promptTokens, completionTokens, cachedTokens)
    KV_FIELDS(Timings, firstChunkMs, promptMs, promptTokens, predictedMs, predictedTokens)
    KV_FIELDS(Identity, boot, fingerprint)
    KV_FIELDS(SlotObservation, id, processing, contextTokens, promptTokens, reusedTokens, idTask)
    KV_FIELDS(Op, id, kind, slot, name, expectedTokens, expectedBytes, mayWake, expectedChecksum,
        contextTokens, deadlineMonoMs)
    KV_FIELDS(OpReply, id, kind, failure, reason, message, httpStatus, identity, sleeping, unloaded,
        slotsListed, slotList, slotsMessage, slotsFailure, tokens, bytes, serverMs, wallMs)
    KV_FIELDS(Snapshot, session, provider, model, slotModel, serverInstanceKey, endpointHash, fingerprint,
        boot, slotId, name, sessionSeq, tokens, bytes, createdWallMs, updatedWallMs, lastRestoreWallMs,
        usedSeq, state, reason, compatibility, verdict, pinned, subagent, label, checksum, base, source,
        prefixTokens, misses, falls)
    KV_FIELDS(Policy, server, endpointHash, enabled, mode, slotId, auxiliarySlot, sharedFiles,
        requestTimeoutMs, auxiliary, coldStart, leaseIdleMs, leaseHoldMs, onSwitch, onShutdown,
        onSessionFlush, onDispose, onTurnEnd, onStepEnd, idleMs, minTokens, maxBytesPerDay, maxDirtyMs,
        subagents, restoreEnabled, verify, strict, maxConsecutiveFailures, cooldownMs, minFreeBytes)

    // Events
    KV_FIELDS(BeginRequest, request, connection, call, session, provider, model, purpose, origin, parent,
        base, fork, forkSeq, label, seq, timeoutMs, running, ownAdapters, pins, strict)
    KV_FIELDS(EndRequest, request, connection, lease, call, outcome, more, usage, timings)
    KV_FIELDS(ClientGone, connection)
    KV_FIELDS(CancelRequest, request)
    KV_FIELDS(ManualRequest, request, connection, kind, session, provider, model, slot, reason, pinned)
    KV_FIELDS(SessionHint, session, type, provider, model, label, seq)
    KV_FIELDS(OpFinished, reply)
    KV_FIELDS(StoreDone, seq)
    KV_FIELDS(StoreFailed, seq, error)
    KV_FIELDS(RemoveRows::Row, session, fingerprintHash, reason)
    KV_FIELDS(RemoveRows, rows)
    KV_FIELDS(ChecksumKnown, session, name, checksum)
    KV_FIELDS(DiskFree, bytes)
    KV_FIELDS(ServerObserved, identity, sleeping, unloaded, totalSlots, sleepIdleMs)
    KV_FIELDS(ServerLost, refused, message)
    KV_FIELDS(ConfigChanged, policy)
    KV_FIELDS(Paused, forMs)
    KV_NO_FIELDS(Resumed)
    KV_NO_FIELDS(TimerFired)
    KV_FIELDS(Shutdown, deadlineMonoMs)
    KV_FIELDS(Verified, boot, fingerprintHash, works, acrossRestart)

    // Effects
    KV_FIELDS(StartOp, op)
    KV_FIELDS(Transport, idSlot, cachePrompt)
    KV_FIELDS(
        Grant, request, outcome, lease, slot, transport, tokens, bytes, waitMs, saveMs, restoreMs, reason)
    KV_FIELDS(Refuse, request, error, strict)
    KV_FIELDS(EndAnswer, dirty, revision, verdict, expected, actual, cause)
    KV_FIELDS(ManualAnswer, revision, slot, tokens, bytes, ms, count, fileRemains, skipped)
    KV_FIELDS(Answer, request, result)
    KV_FIELDS(StoreCommand, seq, kind, server, snapshot, number)
    KV_FIELDS(Store, command)
    KV_FIELDS(WakeAt, monoMs)
    KV_FIELDS(Notice, name, slot, session, label, provider, model, outcome, reason, code, tokens, bytes, ms,
        miss, debug, what, permille)
    KV_FIELDS(Emit, notice)
    KV_NO_FIELDS(ShutdownDone)

    // The coordinator's state
    KV_FIELDS(Ownership, session, provider, model, label, subagent, seq, content, epoch, dirtyRevision,
        savedRevision, committingRevision, expectedTokens, provenTokens, ownState, touched, compacting,
        touchedMs, touchedTask, touchedBegan, strayed, contaminated, compactedHint, saveAtOnce,
        giveUpWhenSaved, doneWhenSaved, dueReason, dirtySinceMs, idleDeadlineMs, restoredAcrossBoots,
        awaitedReuse, neighbourRevision, base, fresh, basedOn, basedTokens, basedFile, basedBy)
    KV_FIELDS(Waiter, kind, order, sinceMs, begin, slot, request, connection, heldMs)
    KV_FIELDS(Job, kind, phase, op, waiter, reason, saving, savingRevision, savingEpoch, restoring, seen,
        identity, disturbed, saveTried, eraseNext, checkedName, saveMs, restoreMs, failure, retried, noRoom,
        cancelled, source)
    KV_FIELDS(Slot, key, contextTokens, owner, knownEmpty, worthless, unproven, known, lease, foreign,
        draining, broken, late, job, toBook, retired, recheckMs, busyLooks, settleMs, quietSinceMs, quietTask,
        heldSinceMs, heldUntilMs, lastOwner, usedSeq, lastUsedWallMs, tokens, idTask)
    KV_FIELDS(Lease, id, connection, call, slot, foreign, goesAnywhere, auxiliary, compaction, session, label,
        grantedMs, nextCheckMs, idleSinceMs, idleTask)
    KV_FIELDS(Rates, prefillPerSecond, generatePerSecond, savePerSecond, restorePerSecond,
        slowestBytesPerSecond, bytesPerToken, switchMs, sleepAfterMs)
    KV_FIELDS(
        Breaker, m_state, m_maxFailures, m_failures, m_cooldownMs, m_pauseMs, m_probeDueMs, m_onProbation)
    KV_FIELDS(DiskRoom, m_freeBytes, m_fileBytes, m_short)
    KV_FIELDS(NamePool, m_highWater, m_held, m_resting)
    KV_FIELDS(ReuseProof, m_stable, m_reusedNothing, m_drifting, m_verified, m_verifiedAfterRestart,
        m_supported, m_broken, m_deaths)
    KV_FIELDS(SnapshotIndex, m_rows, m_bases, m_count)
    KV_FIELDS(Commit, row, slot, revision, epoch, ms, reason, dropped, base)
    KV_FIELDS(SaveCall, request, connection, session, slot, revision)
    KV_FIELDS(PurgeCall, request, connection, open, session, answer)
    KV_FIELDS(FlushCall, request, connection, open, saved)
    KV_FIELDS(Coordinator, m_policy, m_now, m_effects, m_slots, m_leases, m_waiters, m_index, m_names,
        m_breaker, m_identity, m_rates, m_proofs, m_epochs, m_commits, m_raises, m_removals, m_failedRemovals,
        m_saveCalls, m_flushCalls, m_purgeCalls, m_purged, m_toEmpty, m_restingPurged, m_nudgeBuilds,
        m_lateNames, m_deletions, m_lostOps, m_outlivedOps, m_unfreed, m_shownStates, m_revoked,
        m_restoreLost, m_suspectBoots, m_nextOp, m_nextLease, m_nextSeq, m_nextOrder, m_useSeq, m_revision,
        m_epoch, m_probeOp, m_probeDeadlineMs, m_storeRetryMs, m_serverLook, m_serverLookDeadlineMs,
        m_totalSlots, m_unsupported, m_trouble, m_lastAliveMs, m_wakeMs, m_pausedUntilMs,
        m_shutdownDeadlineMs, m_strayReplies, m_strangers, m_pinless, m_unbooked, m_day, m_bytesToday,
        m_budgetSpent, m_paused, m_sleeping, m_unreachable, m_shutdown, m_shutdownDone, m_tasks, m_neighbours,
        m_lastActivityMs, m_sleepIdleMs, m_emptyRetryMs, m_nudgeOwed, m_othersProcessing, m_ratesOf,
        m_keptRates, m_room, m_wrongBases, m_leftFails)

    /// With the hash as it was recorded: redacted fields have another one.
    static FingerprintPtr fingerprint(
        FieldList compared, FieldList shown, qint64 slotContext, const QString &hash)
    {
        auto made = std::make_shared<Fingerprint>(std::move(compared), std::move(shown), slotContext);
        made->m_hash = hash;
        return made;
    }
};

} // namespace kv
