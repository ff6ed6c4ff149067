// SPDX-License-Identifier: MIT
// The script on one slot: look, save the old owner, then restore, erase or leave, then grant. One operation
// at a time (invariant 8); every step looks at what really happened before the next is begun.
#include "coordinator.h"
#include "eventname.h"
#include "reuse.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_settleRetryMs = 2000;
constexpr qint64 c_leastOpMs = 10000;
constexpr qint64 c_firstOpMs = 60000; ///< until a rate was measured
constexpr qint64 c_modelLoadMs
    = 300000; ///< a sleeping server loads its model first: that is no operation time

bool mayErase(const Slot &slot)
{
    // Content that was not saved is left: the server compares prefixes itself, and its host cache would lose
    // it.
    if (slot.knownEmpty || slot.worthless) {
        return true;
    }
    const bool onItsWay = slot.owner && !slot.owner->needsSave() && !slot.owner->compacting;
    return slot.owner && (!slot.owner->isDirty() || onItsWay);
}
}

void Coordinator::startJob(Slot &slot, Job job)
{
    slot.job = std::move(job);
    slot.recheckMs = -1;
    startLook(slot);
}

void Coordinator::startLook(Slot &slot)
{
    Op op;
    op.kind = OpKind::Look;
    op.mayWake = slot.job->kind == Job::Kind::Serve;
    op.deadlineMonoMs = lookDeadline(op.mayWake);
    startStep(slot, Job::Phase::Look, op);
}

void Coordinator::startStep(Slot &slot, Job::Phase phase, Op op)
{
    op.id = m_nextOp++;
    op.slot = slot.key;
    slot.job->phase = phase;
    slot.job->op = op;
    emitEffect(StartOp { op });
}

qint64 Coordinator::lookDeadline(bool mayWake) const
{
    return m_now.monoMs + m_policy.requestTimeoutMs + (mayWake && m_sleeping ? c_modelLoadMs : 0);
}

qint64 Coordinator::opDeadline(qint64 bytes) const
{
    // Invariant 14: every step has its time, and each is made at most once for a request.
    const qint64 base = std::min(c_leastOpMs, m_policy.requestTimeoutMs);
    if (m_rates.slowestBytesPerSecond <= 0 || bytes < 0) {
        return m_now.monoMs + std::min(c_firstOpMs, 4 * m_policy.requestTimeoutMs);
    }
    return m_now.monoMs + base
        + static_cast<qint64>(4000 * static_cast<double>(bytes) / m_rates.slowestBytesPerSecond);
}

void Coordinator::jobReply(Slot &slot, const OpReply &reply)
{
    if (reply.failure == OpFailure::None) {
        m_lastAliveMs = m_now.monoMs;
        m_lastActivityMs = m_now.monoMs;
    }
    const bool changes = changesSlot(reply.kind);
    if (changes && reply.failure == OpFailure::ConnectionLost) {
        // No answer, yet it may have been done or may still be: as good as late, until another process
        // answers.
        opOverdue(slot, true);
        return;
    }
    if (changes) {
        noteWaited(reply);
    }
    switch (slot.job->phase) {
    case Job::Phase::Look:
        afterLook(slot, reply);
        return;
    case Job::Phase::Save:
        afterSave(slot, reply);
        return;
    case Job::Phase::SaveIdentity:
        afterSaveIdentity(slot, reply);
        return;
    case Job::Phase::CheckFile:
        if (reply.failure == OpFailure::None) {
            // Reading a big file takes its time: whether the slot is idle is asked again before the restore.
            slot.job->checkedName = slot.job->restoring.name;
            if (!yieldToOther(slot)) {
                startLook(slot);
            }
        } else {
            restoreFailed(slot, reply.reason.isEmpty() ? reply.message : reply.reason, reply.failure);
            m_trouble = reply.message.isEmpty() ? m_trouble : reply.message; // names the file
        }
        return;
    case Job::Phase::Restore:
        afterRestore(slot, reply);
        return;
    case Job::Phase::RestoreIdentity:
        afterRestoreIdentity(slot, reply);
        return;
    case Job::Phase::EraseBeforeRetry:
    case Job::Phase::EraseAfterFailure:
    case Job::Phase::Erase:
        afterErase(slot, reply);
        return;
    case Job::Phase::Nudge:
        afterNudge(slot, reply);
        return;
    case Job::Phase::Empty:
        afterEmptying(slot, reply);
        return;
    }
}

void Coordinator::afterLook(Slot &slot, const OpReply &reply)
{
    if (reply.failure != OpFailure::None) {
        lookFailed(slot, reply);
        return;
    }
    observe(reply.identity, restOf(reply), 0);
    slot.job->identity = m_identity;
    if (!reply.slotsListed) {
        if (reply.slotsFailure == OpFailure::None && slot.job->kind == Job::Kind::LeaseCheck) {
            leaseSeen(slot, {}); // asleep: no request is being processed
        } else if (reply.slotsFailure == OpFailure::None && !slot.job->waiter) {
            finishJob(slot); // asleep, and nobody waits: what it held is gone
        } else {
            OpReply failed = reply;
            failed.failure
                = reply.slotsFailure == OpFailure::None ? OpFailure::ServerError : reply.slotsFailure;
            failed.message = reply.slotsMessage;
            lookFailed(slot, failed);
        }
        return;
    }
    m_sleeping = false; // if it slept, it was woken by this look
    syncSlots(reply.slotList);
    const SlotObservation *seen = findSlot(reply.slotList, slot.key.id);
    if (seen == nullptr) {
        // Ids that do not exist are accepted by the server: never send one that is not listed.
        if (m_policy.mode == SlotMode::ManagedSlots) {
            slot.retired = true;
            if (slot.job->waiter) {
                m_waiters.push_back(*slot.job->waiter); // another slot will do
            }
            finishJob(slot);
            return;
        }
        slot.broken = true;
        dropOwner(slot, QStringLiteral("the server does not list slot %1").arg(slot.key.id));
        m_trouble = QStringLiteral("slotId %1 is configured, but the server lists %2 slots")
                        .arg(slot.key.id)
                        .arg(reply.slotList.size());
        if (slot.job->waiter) {
            grantForeign(*slot.job->waiter, &slot, m_trouble);
        }
        finishJob(slot);
        return;
    }
    takeObservation(slot, *seen);
    if (slot.job->kind == Job::Kind::LeaseCheck) {
        leaseSeen(slot, *seen);
        return;
    }
    if (slot.job->kind == Job::Kind::Booking) {
        book(slot, reply.slotList);
        return;
    }
    if (seen->processing) {
        busySlot(slot);
        return;
    }
    slot.draining = false;
    slot.broken = false;
    reconcile(slot, *seen);
    afterLookIdle(slot);
}

void Coordinator::lookFailed(Slot &slot, const OpReply &reply)
{
    Job &job = *slot.job;
    m_trouble = reply.message;
    if (job.kind == Job::Kind::LeaseCheck && reply.failure == OpFailure::ConnectionRefused) {
        leaseSeen(slot, {}); // nobody listens: no request is being processed
        return;
    }
    if (reply.failure == OpFailure::Unsupported) {
        m_unsupported = reply.message;
    } else if (reply.failure == OpFailure::ConnectionRefused) {
        ServerLost lost;
        lost.refused = true;
        lost.message = reply.message;
        on(lost);
    } else {
        countFailure(reply.message);
    }
    if (job.kind == Job::Kind::Booking) {
        dropOwner(slot, QStringLiteral("which slot took its request could not be asked"));
    }
    if (job.waiter) {
        if (m_policy.strict && job.waiter->kind == Waiter::Kind::Begin) {
            refuse(*job.waiter, ErrorCode::BackendUnavailable, reply.message, true);
        } else {
            grantForeign(*job.waiter, &slot, reply.message);
        }
    } else {
        answerOrphanedSaves(slot.key, reply.message);
        slot.settleMs = m_now.monoMs + c_settleRetryMs;
        if (slot.owner && job.kind == Job::Kind::Checkpoint) {
            slot.owner->saveAtOnce = false;
            slot.owner->idleDeadlineMs = m_now.monoMs + std::max<qint64>(m_policy.idleMs, 1000);
        }
    }
    finishJob(slot);
}

void Coordinator::afterLookIdle(Slot &slot)
{
    Job &job = *slot.job;
    slot.busyLooks = 0;
    if (job.eraseNext && slot.foreign == 0 && restReason().isEmpty()) {
        startErase(slot, Job::Phase::EraseAfterFailure);
        return;
    }
    if (job.kind == Job::Kind::Nudge) {
        nudge(slot, m_othersProcessing);
        return;
    }
    if (mustEraseFirst(slot)) {
        startErase(slot, Job::Phase::EraseBeforeRetry);
        return;
    }
    if (job.kind == Job::Kind::Settle || (job.kind == Job::Kind::Serve && !job.waiter)) {
        finishJob(slot);
        return;
    }
    if (yieldToOther(slot)) {
        return;
    }
    if (job.kind == Job::Kind::Empty) {
        if (!slot.owner && (slot.knownEmpty || slot.worthless)) {
            startErase(slot, Job::Phase::Erase);
        } else {
            finishJob(slot);
        }
        return;
    }
    if (job.kind == Job::Kind::Checkpoint) {
        if (!slot.owner || !startSave(slot)) {
            finishJob(slot);
        }
        return;
    }
    if (!slot.late.empty()) {
        grantForeign(
            *job.waiter, &slot, QStringLiteral("an earlier operation on the slot has not been answered yet"));
        finishJob(slot);
        return;
    }
    const Waiter &waiter = *job.waiter;
    if (waiter.kind != Waiter::Kind::Erase && !waiter.isAuxiliary() && slot.ownedBy(waiter.begin.session)) {
        if (waiter.kind == Waiter::Kind::Begin) {
            grantFromJob(slot, Outcome::Resident);
            return;
        }
        ManualAnswer answer;
        answer.slot = slot.key.id;
        answer.skipped = QStringLiteral("resident");
        answer.tokens = slot.tokens.value_or(-1);
        answerManual(waiter.request, answer);
        finishJob(slot);
        return;
    }
    // Invariant 3: a dirty slot is saved before it is given to another session.
    const bool mustSave = m_policy.onSwitch || waiter.kind != Waiter::Kind::Begin;
    if (slot.owner && slot.owner->needsSave() && mustSave && !job.saveTried
        && (waiter.isAuxiliary() || !slot.ownedBy(waiter.begin.session))) {
        job.saveTried = true;
        if (startSave(slot) || keepForRoom(slot)) {
            return;
        }
    }
    prepareContent(slot);
}

void Coordinator::prepareContent(Slot &slot)
{
    Job &job = *slot.job;
    if (yieldToOther(slot)) {
        return;
    }
    if (!job.waiter) {
        finishJob(slot);
        return;
    }
    const Waiter &waiter = *job.waiter;
    if (waiter.kind == Waiter::Kind::Erase) {
        startErase(slot, Job::Phase::Erase);
        return;
    }
    if (waiter.isAuxiliary()) {
        grantFromJob(slot, Outcome::Auxiliary);
        return;
    }
    const SnapshotIndex::Match match = matchFor(waiter);
    if (match.usable != nullptr) {
        job.restoring = *match.usable;
        job.source = JobSource::Own;
        startCheckedRestore(slot);
        return;
    }
    if (waiter.kind == Waiter::Kind::Begin && startBased(slot)) {
        return;
    }
    const QString reason
        = match.detail.isEmpty() ? match.reason : QStringLiteral("%1: %2").arg(match.reason, match.detail);
    if (waiter.kind == Waiter::Kind::Restore) {
        const bool some = match.nearest != nullptr;
        answerManual(waiter.request,
            Error { some ? ErrorCode::SnapshotIncompatible : ErrorCode::SnapshotNotFound,
                some ? QStringLiteral("The session's snapshot cannot be restored here: %1.").arg(reason)
                     : QStringLiteral("The session has no snapshot on server %1.").arg(m_policy.server),
                {} });
        finishJob(slot);
        return;
    }
    job.failure = reason;
    // The server may choose another slot for a request that names none.
    if (m_policy.coldStart == ColdStart::Erase && mayErase(slot) && !goesAnywhere(waiter)) {
        startErase(slot, Job::Phase::Erase);
    } else {
        grantFromJob(slot, Outcome::Cold, reason);
    }
}

void Coordinator::startCheckedRestore(Slot &slot)
{
    const Job &job = *slot.job;
    if (!m_policy.sharedFiles || job.checkedName == job.restoring.name) {
        startRestore(slot);
        return;
    }
    Op op;
    op.kind = OpKind::CheckFile;
    op.name = job.restoring.name;
    op.expectedBytes = job.restoring.bytes;
    const bool doubtful
        = job.restoring.state == SnapshotState::Suspect && job.restoring.reason == c_uncleanStop;
    if (m_policy.verify == RestoreVerify::Strict || doubtful) {
        op.expectedChecksum = job.restoring.checksum; // not computed yet: as good as not known
    }
    op.deadlineMonoMs = opDeadline(job.restoring.bytes);
    startStep(slot, Job::Phase::CheckFile, op);
}

void Coordinator::finishJob(Slot &slot)
{
    slot.job.reset();
    if (!slot.owner || slot.lease != 0) {
        return;
    }
    if (slot.owner->contaminated) {
        dropOwner(slot, QStringLiteral("another request used the slot meanwhile"));
    } else if (m_breaker.isOpen()) {
        dropOwner(slot, m_trouble); // as giveUpAll() did with those that had no job
    }
}

} // namespace kv
