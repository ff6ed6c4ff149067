// SPDX-License-Identifier: MIT
// Restores: sent only under the identity they were saved under, believed only when every count agrees.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>

namespace kv {

namespace {

/// An absent count is not known, which is no contradiction.
bool showsTokens(const OpReply &look, int slot, qint64 tokens)
{
    const SlotObservation *seen = findSlot(look.slotList, slot);
    return seen != nullptr && seen->promptTokens.value_or(tokens) == tokens;
}

} // namespace

QString Coordinator::whyNoRestore(const Waiter &waiter) const
{
    if (!m_policy.restoreEnabled && waiter.kind == Waiter::Kind::Begin) {
        return QStringLiteral("restoring is switched off");
    }
    if (!m_identity.known()) {
        return QStringLiteral("it is not known yet which model the server runs");
    }
    if (waiter.kind == Waiter::Kind::Begin && compatibility() == Compatibility::Broken) {
        return QStringLiteral("NO_REUSE: this model and build do not reuse restored states");
    }
    if (restoresStopped()) {
        return QStringLiteral("SERVER_DIED: the server ended twice while it read a snapshot");
    }
    return {};
}

SnapshotIndex::Match Coordinator::matchFor(const Waiter &waiter) const
{
    SnapshotIndex::Match none;
    none.reason = whyNoRestore(waiter);
    const bool isBase = m_index.bases().contains(waiter.begin.session); // no session's own state
    return none.reason.isEmpty() && !isBase ? m_index.match(waiter.begin.session, *m_identity.fingerprint)
                                            : none;
}

void Coordinator::startRestore(Slot &slot)
{
    Job &job = *slot.job;
    if (!job.waiter) {
        finishJob(slot);
        return;
    }
    if (yieldToOther(slot)) {
        return;
    }
    Op op;
    op.kind = OpKind::Restore;
    op.name = job.restoring.name;
    op.expectedTokens = job.restoring.tokens;
    op.expectedBytes = job.restoring.bytes;
    op.deadlineMonoMs = opDeadline(job.restoring.bytes);
    answerOrphanedSaves(slot.key, QStringLiteral("the slot was given to another session"));
    slot.owner.reset(); // from here on the slot holds nobody's known state
    slot.knownEmpty = false;
    slot.worthless = false;
    slot.unproven = true;
    Notice &started = restoreNotice(eventname::restoreStart, slot);
    started.tokens = job.restoring.tokens;
    started.bytes = job.restoring.bytes;
    started.debug = true;
    startStep(slot, Job::Phase::Restore, op);
}

void Coordinator::afterRestore(Slot &slot, const OpReply &reply)
{
    Job &job = *slot.job;
    if (reply.failure != OpFailure::None) {
        if (reply.failure == OpFailure::Unsupported) {
            m_unsupported = reply.message;
        } else if (reply.failure != OpFailure::Refused) {
            countFailure(reply.message);
        }
        if (reply.failure == OpFailure::Refused && retryRestore(slot)) {
            return;
        }
        restoreFailed(slot, reply.message, reply.failure);
        return;
    }
    const Snapshot &row = job.restoring;
    if (m_policy.verify != RestoreVerify::Off && (reply.tokens != row.tokens || reply.bytes != row.bytes)) {
        // A smaller n_read is the only sign of a cut appendix; a count of 0 that of a lost file.
        restoreFailed(slot,
            QStringLiteral("the server read %1 tokens and %2 bytes where %3 and %4 are on record")
                .arg(reply.tokens)
                .arg(reply.bytes)
                .arg(row.tokens)
                .arg(row.bytes),
            OpFailure::Refused);
        return;
    }
    job.restoreMs = reply.wallMs;
    if (reply.wallMs > 0) {
        m_rates.restorePerSecond = static_cast<double>(row.bytes) * 1000 / reply.wallMs;
        m_rates.slowestBytesPerSecond = m_rates.slowestBytesPerSecond > 0
            ? std::min(m_rates.slowestBytesPerSecond, m_rates.restorePerSecond)
            : m_rates.restorePerSecond;
    }
    Op op;
    const bool look = m_policy.verify == RestoreVerify::Strict && !m_breaker.isOpen();
    op.kind = look ? OpKind::Look : OpKind::Identity;
    op.mayWake = true;
    op.deadlineMonoMs = m_now.monoMs + m_policy.requestTimeoutMs;
    startStep(slot, Job::Phase::RestoreIdentity, op);
}

bool Coordinator::retryRestore(Slot &slot)
{
    Job &job = *slot.job;
    // A fragmented cache refuses a restore with the same words as a bad file does. Only where the file's own
    // checks passed is it known not to be the file.
    if (!m_policy.sharedFiles || job.retried || !job.waiter || job.cancelled || slot.foreign > 0
        || job.disturbed || !restReason().isEmpty()) {
        return false;
    }
    job.retried = true;
    startErase(slot, Job::Phase::EraseBeforeRetry);
    return true;
}

void Coordinator::afterRestoreIdentity(Slot &slot, const OpReply &reply)
{
    Job &job = *slot.job;
    if (reply.failure != OpFailure::None || (reply.kind == OpKind::Look && !reply.slotsListed)) {
        restoreUnseen(slot, reply);
        return;
    }
    observe(reply.identity, restOf(reply), 0);
    job.disturbed = job.disturbed || m_identity.boot != job.identity.boot;
    if (job.disturbed || slot.foreign > 0) {
        yieldToOther(slot); // looked at again: what was restored is gone, or somebody else's to change
        return;
    }
    const Snapshot row = job.restoring;
    // Invariant 4: granted only if the identity on both sides of the restore is the snapshot's.
    const bool same = m_identity.known()
        && !compareFingerprints(*row.fingerprint, *m_identity.fingerprint, row.tokens).has_value();
    if (!same) {
        restoreFailed(
            slot, QStringLiteral("the server changed while the snapshot was restored"), OpFailure::None);
        return;
    }
    if (reply.kind == OpKind::Look && !showsTokens(reply, slot.key.id, row.tokens)) {
        // No evidence against the file (invariant 11): somebody else may have used the slot meanwhile.
        restoreFailed(
            slot, QStringLiteral("the slot does not show what was restored"), OpFailure::ServerError);
        return;
    }
    noteRestored(slot);
    if (job.source != JobSource::Own) {
        if (job.cancelled) {
            slot.tokens = row.tokens; // who it was for has gone, and it is on record all the same
            slot.worthless = true;
            finishJob(slot);
        } else {
            grantFromJob(slot, Outcome::Based);
        }
        return;
    }
    const bool manual = job.waiter && job.waiter->kind == Waiter::Kind::Restore;
    if (!job.cancelled && !manual) {
        grantFromJob(slot, Outcome::Restored);
        return;
    }
    adoptRestored(slot);
    if (manual && !job.cancelled) {
        ManualAnswer answer;
        answer.slot = slot.key.id;
        answer.tokens = row.tokens;
        answer.bytes = row.bytes;
        answer.ms = job.restoreMs;
        answerManual(job.waiter->request, answer);
    }
    finishJob(slot);
}

void Coordinator::restoreUnseen(Slot &slot, const OpReply &reply)
{
    const bool answered = reply.failure == OpFailure::None;
    OpFailure failure = answered ? reply.slotsFailure : reply.failure;
    if (failure == OpFailure::None) {
        failure = OpFailure::ServerError;
    }
    const QString &why = answered ? reply.slotsMessage : reply.message;
    if (failure != OpFailure::ConnectionRefused) {
        countFailure(why);
    }
    if (failure == OpFailure::ConnectionRefused || failure == OpFailure::ConnectionLost) {
        m_restoreLost
            = slot.job->restoring; // whether it died of it is known when somebody answers, or nobody
        if (failure == OpFailure::ConnectionRefused) {
            serverDied();
        }
    }
    // It says nothing about the file, whatever it is.
    restoreFailed(slot, why, failure == OpFailure::Refused ? OpFailure::ServerError : failure);
}

void Coordinator::noteRestored(Slot &slot)
{
    const Job &job = *slot.job;
    const Snapshot &row = job.restoring;
    m_restoreLost.reset();
    slot.unproven = false;
    if (countSuccess()) {
        notice(eventname::circuitRecovered);
    }
    if (Snapshot *kept = m_index.row(row.session, row.fingerprint->hash());
        kept != nullptr && kept->name == row.name) {
        m_suspectBoots.erase(row.session);
        kept->lastRestoreWallMs = m_now.wallMs;
        kept->usedSeq = m_useSeq++;
        if (kept->state == SnapshotState::Suspect) {
            kept->state = SnapshotState::Valid;
            kept->reason.clear();
        }
        putChanged(*kept);
    }
    Notice &restored = restoreNotice(eventname::restoreSuccess, slot);
    restored.tokens = row.tokens;
    restored.bytes = row.bytes;
    restored.ms = job.restoreMs;
    if (job.saveMs >= 0) {
        m_rates.switchMs = job.saveMs + job.restoreMs;
    }
}

void Coordinator::adoptRestored(Slot &slot)
{
    const Snapshot &row = slot.job->restoring;
    if (Slot *other = ownedSlot(row.session); other != nullptr && other != &slot) {
        dropOwner(*other, QStringLiteral("the session was restored in another slot"));
    }
    Ownership owner;
    owner.session = row.session;
    owner.provider = row.provider;
    owner.model = row.model;
    owner.label = row.label;
    owner.subagent = row.subagent;
    owner.seq = row.sessionSeq;
    owner.content = m_identity;
    owner.epoch = m_epoch;
    owner.holdsRestored(row);
    slot.owner = owner;
    slot.tokens = row.tokens;
    slot.usedSeq = m_useSeq++;
    slot.lastUsedWallMs = m_now.wallMs;
    slot.quietSinceMs = m_now.monoMs;
}

void Coordinator::restoreFailed(Slot &slot, const QString &why, OpFailure failure)
{
    Job &job = *slot.job;
    Notice &failed = restoreNotice(eventname::restoreFailed, slot);
    failed.reason = why;
    failed.code = errorCodeName(ErrorCode::RestoreFailed);
    m_trouble = why;
    weighEvidence(slot, why, failure);
    if (!job.waiter) {
        finishJob(slot);
        return;
    }
    const bool own = job.source == JobSource::Own;
    if (m_policy.strict && own && job.waiter->kind == Waiter::Kind::Begin && !job.cancelled) {
        refuse(*job.waiter, ErrorCode::RestoreFailed,
            QStringLiteral("The session's snapshot could not be restored: %1.").arg(why), true);
        job.waiter.reset();
        job.cancelled = true;
    }
    // Invariant 5: it goes on cold.
    job.failure = (own ? QStringLiteral("its snapshot could not be restored: %1")
                       : QStringLiteral("a beginning that it shares could not be restored: %1"))
                      .arg(why);
    const bool away = failure == OpFailure::ConnectionRefused || !restReason().isEmpty();
    const bool untouched = job.phase == Job::Phase::CheckFile; // nothing was sent to the slot
    if (away || untouched) {
        slot.known = untouched;
        goOnCold(slot);
        return;
    }
    if (yieldToOther(slot)) {
        return;
    }
    if (job.phase == Job::Phase::RestoreIdentity && failure != OpFailure::None) {
        job.eraseNext = true; // the server did not say who it is: it may be another process by now
        if (job.cancelled) {
            job.waiter.reset(); // answered already
        }
        startLook(slot);
    } else {
        startErase(slot, Job::Phase::EraseAfterFailure);
    }
}

void Coordinator::weighEvidence(const Slot &slot, const QString &why, OpFailure failure)
{
    const Snapshot &row = slot.job->restoring;
    Snapshot *kept = m_index.row(row.session, row.fingerprint->hash());
    if (kept == nullptr || kept->name != row.name) {
        return; // what is on record by now is another file
    }
    // Invariant 11: evidence against a snapshot is a failed file check, or refusals in two different
    // processes while no other slot held tokens. Anything else leaves it valid.
    if (failure == OpFailure::File || failure == OpFailure::FileGone) {
        invalidate(Snapshot(*kept), why);
        return;
    }
    if (failure == OpFailure::Refused) {
        const QString refused = QStringLiteral("RESTORE_FAILED");
        const auto before = m_suspectBoots.find(row.session);
        const bool alone = std::none_of(m_slots.begin(), m_slots.end(), [&](const auto &entry) {
            return entry.first != slot.key && entry.second.tokens.value_or(0) > 0;
        });
        if (before != m_suspectBoots.end() && before->second != m_identity.boot && alone) {
            invalidate(Snapshot(*kept), refused);
            return;
        }
        kept->state = SnapshotState::Suspect;
        kept->reason = refused;
        if (alone && before == m_suspectBoots.end()) {
            m_suspectBoots[row.session] = m_identity.boot;
        }
    }
    putChanged(*kept);
}

void Coordinator::goOnCold(Slot &slot)
{
    const Job &job = *slot.job;
    if (job.waiter && !job.cancelled && job.waiter->kind == Waiter::Kind::Begin) {
        grantFromJob(slot, Outcome::ColdFallback, job.failure);
        return;
    }
    if (job.waiter && !job.cancelled) {
        answerManual(job.waiter->request, Error { ErrorCode::RestoreFailed, job.failure, {} });
    }
    finishJob(slot);
}

} // namespace kv
