// SPDX-License-Identifier: MIT
// Saves: what may be saved, and how a save becomes a snapshot on record.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>

namespace kv {

namespace {

/// Far longer under way than the server was busy with it. Wrongly "yes" costs one look.
bool waited(const OpReply &reply)
{
    constexpr double c_slackMs = 20;
    return reply.serverMs >= 0 && reply.wallMs > 2 * reply.serverMs + c_slackMs;
}

/// Whether the slot's last task is still the one of `before`.
bool showsTask(const OpReply &look, const SlotObservation &before)
{
    const SlotObservation *seen = findSlot(look.slotList, before.id);
    return seen != nullptr && seen->idTask == before.idTask;
}

} // namespace

SaveCheck Coordinator::checkSavable(const Slot &slot)
{
    const Ownership &owner = *slot.owner;
    const SlotObservation &seen = slot.job->seen;
    if (!owner.content.sameAs(m_identity)) {
        return { Savable::No, QStringLiteral("it is not known which model the state belongs to") };
    }
    if (owner.touched || owner.contaminated) {
        return { Savable::No, QStringLiteral("the last request did not finish") };
    }
    if (seen.promptTokens.value_or(0) <= 0) {
        // Invariant 11: saving an empty slot succeeds, and destroys.
        return { Savable::No, QStringLiteral("the slot is empty") };
    }
    if (owner.subagent && m_policy.subagents == SubagentCheckpoint::Never) {
        return { Savable::Unwanted, QStringLiteral("subagent") };
    }
    if (slot.job->reason != SaveReason::Manual) {
        const ReuseProof *proof = proofOf(owner.content);
        if (proof != nullptr && proof->isBroken()) {
            return { Savable::Unwanted, QStringLiteral("broken") };
        }
        if (proof != nullptr && proof->drifts(owner.session)) {
            return { Savable::Unwanted, QStringLiteral("drifts") };
        }
    }
    if (const Worth worth = worthOf(slot); worth != Worth::Yes) {
        m_budgetSpent = m_budgetSpent || worth == Worth::BudgetSpent;
        return { Savable::Unwanted, toString(worth) };
    }
    return {};
}

Worth Coordinator::worthOf(const Slot &slot)
{
    countWritten(0); // the day may have changed
    const Ownership &owner = *slot.owner;
    WorthInput input;
    input.reason = slot.job->reason;
    input.tokens = slot.job->seen.promptTokens.value_or(0);
    if (const Snapshot *row = m_index.compatible(owner.session, *owner.content.fingerprint)) {
        input.snapshotTokens
            = owner.ownState && !owner.compactedHint ? std::min(row->tokens, input.tokens) : 0;
    }
    input.bytesPerToken = m_rates.bytesPerToken;
    input.prefillPerSecond = m_rates.prefillPerSecond;
    input.savePerSecond = m_rates.savePerSecond;
    input.restorePerSecond = m_rates.restorePerSecond;
    input.minTokens = m_policy.minTokens;
    input.bytesWrittenToday = m_bytesToday;
    input.maxBytesPerDay = m_policy.maxBytesPerDay;
    return judgeWorth(input);
}

void Coordinator::countWritten(qint64 bytes)
{
    const qint64 today = dayOf(m_now.wallMs);
    if (today != m_day) {
        m_day = today;
        m_bytesToday = 0;
        m_budgetSpent = false;
    }
    m_bytesToday += bytes;
}

bool Coordinator::startSave(Slot &slot)
{
    Job &job = *slot.job;
    if (!slot.owner->needsSave()) {
        return false;
    }
    const SaveCheck check = checkSavable(slot);
    if (check.savable == Savable::Unwanted) {
        slot.owner->saveAtOnce = false;
        slot.owner->idleDeadlineMs = -1;
        ManualAnswer answer;
        answer.slot = slot.key.id;
        answer.skipped = check.why;
        answerOpenSaves(slot.key, answer);
        giveUpDone(slot);
        return false;
    }
    if (check.savable == Savable::No) {
        saveFailed(slot, check.why, ErrorCode::SlotStateInvalid);
        return false;
    }
    const NameNumber name = takeName();
    if (name < 0) {
        keepNumbersAhead();
        saveFailed(
            slot, QStringLiteral("no free file name until the database answers"), ErrorCode::MetadataIo);
        if (slot.owner) {
            slot.owner->idleDeadlineMs = m_now.monoMs + std::max<qint64>(m_policy.idleMs, 1000);
        }
        return false;
    }
    if (refuseForRoom(slot, name)) {
        return false;
    }
    Ownership &owner = *slot.owner;
    Snapshot row;
    row.session = owner.session;
    row.provider = owner.provider;
    row.model = owner.model;
    row.slotModel = slot.key.model;
    row.serverInstanceKey = m_policy.server;
    row.endpointHash = m_policy.endpointHash;
    row.fingerprint = owner.content.fingerprint;
    row.boot = owner.content.boot;
    row.slotId = slot.key.id;
    row.name = name;
    row.sessionSeq = owner.seq;
    row.tokens = *job.seen.promptTokens;
    row.label = owner.label;
    row.subagent = owner.subagent;
    row.createdWallMs = m_now.wallMs;
    row.updatedWallMs = m_now.wallMs;
    qint64 bytes = -1;
    if (const Snapshot *old = m_index.compatible(owner.session, *row.fingerprint)) {
        row.createdWallMs = old->createdWallMs;
        row.lastRestoreWallMs = old->lastRestoreWallMs;
        row.pinned = old->pinned;
        row.verdict = old->verdict;
        bytes = old->tokens > 0 ? old->bytes / old->tokens * row.tokens : -1;
    }
    job.saving = row;
    job.savingRevision = owner.dirtyRevision;
    job.savingEpoch = owner.epoch;
    Op op;
    op.kind = OpKind::Save;
    op.name = name;
    op.expectedTokens = row.tokens;
    op.deadlineMonoMs = opDeadline(bytes);
    Notice &started = notice(eventname::saveStart, &slot);
    started.tokens = row.tokens;
    started.outcome = toString(job.reason);
    started.debug = true;
    startStep(slot, Job::Phase::Save, op);
    return true;
}

void Coordinator::afterSave(Slot &slot, const OpReply &reply)
{
    Job &job = *slot.job;
    if (reply.failure != OpFailure::None) {
        releaseName(job.saving.name);
        if (reply.failure == OpFailure::Unsupported) {
            m_unsupported = reply.message;
        } else {
            countFailure(reply.message);
        }
        saveFailed(slot, reply.message, ErrorCode::SaveFailed);
        afterSaveStep(slot);
        return;
    }
    // A save counts only with what the inspect had shown: an empty slot answers 200 too (invariant 11).
    if (reply.tokens <= 0 || reply.bytes <= 0 || reply.tokens != job.saving.tokens) {
        releaseName(job.saving.name);
        saveFailed(slot,
            QStringLiteral("the server wrote %1 tokens and %2 bytes where %3 tokens were in the slot")
                .arg(reply.tokens)
                .arg(reply.bytes)
                .arg(job.saving.tokens),
            ErrorCode::SaveFailed);
        dropOwner(slot, QStringLiteral("its state could not be saved as it was"));
        afterSaveStep(slot);
        return;
    }
    m_purged.erase(job.saving.name); // what was purged is overwritten
    job.saving.bytes = reply.bytes;
    m_room.wrote(job.saving.name, reply.bytes, !m_policy.sharedFiles);
    job.saveMs = reply.wallMs;
    Op op;
    // One that waited may have waited behind a request, and holds what that left, be it as many tokens: the
    // number of the slot's last task tells.
    op.kind = waited(reply) ? OpKind::Look : OpKind::Identity;
    op.deadlineMonoMs = m_now.monoMs + m_policy.requestTimeoutMs;
    startStep(slot, Job::Phase::SaveIdentity, op);
}

void Coordinator::afterSaveIdentity(Slot &slot, const OpReply &reply)
{
    Job &job = *slot.job;
    if (reply.failure == OpFailure::None) {
        observe(reply.identity, restOf(reply), 0);
    } else if (reply.failure != OpFailure::ConnectionRefused) {
        countFailure(reply.message);
    }
    job.disturbed = job.disturbed || m_identity.boot != job.identity.boot;
    const bool purged = epochOf(job.saving.session) > job.savingEpoch;
    if (!slot.owner || purged) {
        // Purged, or gone with its process: nothing to be said about it.
        if (purged) {
            toBeEmptied(job.saving);
        }
        releaseName(job.saving.name);
        afterSaveStep(slot);
        return;
    }
    // Invariant 4: filed only under the identity its content was computed under, the same before and after.
    const bool same = reply.failure == OpFailure::None && slot.owner->content.sameAs(m_identity);
    if (!same) {
        releaseName(job.saving.name);
        saveFailed(slot,
            reply.failure == OpFailure::None ? QStringLiteral("the server changed while the state was saved")
                                             : reply.message,
            ErrorCode::SaveFailed);
        afterSaveStep(slot);
        return;
    }
    if (reply.kind == OpKind::Look && restOf(reply) == Rest::Awake && !showsTask(reply, job.seen)) {
        releaseName(job.saving.name);
        saveFailed(slot, QStringLiteral("another client used the slot while it was to be saved"),
            ErrorCode::SaveFailed);
        dropOwner(slot, QStringLiteral("its state could not be saved as it was"));
        afterSaveStep(slot);
        return;
    }
    if (countSuccess()) {
        notice(eventname::circuitRecovered);
    }
    if (job.saveMs > 0) {
        m_rates.savePerSecond = static_cast<double>(job.saving.bytes) * 1000 / job.saveMs;
        m_rates.slowestBytesPerSecond = m_rates.slowestBytesPerSecond > 0
            ? std::min(m_rates.slowestBytesPerSecond, m_rates.savePerSecond)
            : m_rates.savePerSecond;
    }
    Ownership &owner = *slot.owner;
    owner.committingRevision = job.savingRevision;
    owner.saveAtOnce = false;
    owner.idleDeadlineMs = -1;
    job.saving.usedSeq = slot.usedSeq;
    countWritten(job.saving.bytes);
    m_rates.bytesPerToken = static_cast<double>(job.saving.bytes) / static_cast<double>(job.saving.tokens);
    job.saving.compatibility = compatibility();
    Notice &saved = notice(eventname::saveSuccess, &slot);
    saved.tokens = job.saving.tokens;
    saved.bytes = job.saving.bytes;
    saved.ms = job.saveMs;
    saved.outcome = toString(job.reason);
    Commit commit;
    commit.row = job.saving;
    commit.slot = slot.key;
    commit.revision = job.savingRevision;
    commit.epoch = owner.epoch;
    commit.ms = job.saveMs;
    commit.reason = job.reason;
    commit.base = isBaseWanted(owner) ? owner.base : QString();
    owner.fresh = false;
    commitSave(slot, std::move(commit));
    afterSaveStep(slot);
}

void Coordinator::commitSave(Slot &slot, Commit commit)
{
    if (!slot.owner->doneWhenSaved) {
        StoreCommand command;
        command.kind = StoreCommand::Kind::PutSnapshot;
        command.snapshot = commit.row;
        m_commits.emplace(store(std::move(command)), std::move(commit));
        return;
    }
    // Of a sub-agent that is done nothing is kept but what others begin with.
    if (commit.base.isEmpty()) {
        releaseName(commit.row.name);
    }
    keepAsBase(commit);
    subagentDone(commit.row.session, &slot);
}

void Coordinator::saveFailed(Slot &slot, const QString &why, ErrorCode code)
{
    m_trouble = QStringLiteral("a save failed: %1").arg(why);
    Notice &failed = notice(eventname::saveFailed, &slot);
    failed.reason = why;
    failed.code = errorCodeName(code);
    failed.outcome = toString(slot.job->reason);
    if (giveUpDone(slot)) {
        return;
    }
    if (slot.owner) {
        slot.owner->saveAtOnce = false;
        slot.owner->idleDeadlineMs = -1; // tried again at the next request, switch or shutdown
    }
    if (code == ErrorCode::SaveFailed) {
        refuseUnsaved(slot, why);
    }
    answerOpenSaves(slot.key, Error { code, QStringLiteral("Not saved: %1.").arg(why), {} });
}

void Coordinator::refuseUnsaved(Slot &slot, const QString &why)
{
    Job &job = *slot.job;
    const bool strict = m_policy.strict || (job.waiter && job.waiter->begin.strict);
    if (strict && job.waiter && job.waiter->kind == Waiter::Kind::Begin) {
        refuse(*job.waiter, ErrorCode::SaveFailed,
            QStringLiteral("The slot's former session could not be saved: %1.").arg(why), true);
        job.waiter.reset();
    }
}

void Coordinator::afterSaveStep(Slot &slot)
{
    Job &job = *slot.job;
    if (job.kind != Job::Kind::Serve || !job.waiter) {
        finishJob(slot);
        return;
    }
    if (yieldToOther(slot)) {
        return; // the waiter is served as whoever comes now
    }
    if (job.waiter->kind != Waiter::Kind::Begin && slot.owner && slot.owner->needsSave()) {
        // Nobody is in a hurry here: what could not be saved is not thrown away for a manual command.
        answerManual(job.waiter->request,
            Error { ErrorCode::SaveFailed,
                QStringLiteral("Nothing was done: the slot's present session could not be saved (%1).")
                    .arg(m_trouble),
                {} });
        finishJob(slot);
        return;
    }
    m_rates.switchMs = job.saveMs >= 0 ? std::max(m_rates.switchMs, job.saveMs) : m_rates.switchMs;
    prepareContent(slot);
}

} // namespace kv
