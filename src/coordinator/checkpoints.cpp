// SPDX-License-Identifier: MIT
// Saves: when one is due, what may be saved, and how a save becomes a snapshot on record.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_flushDelayMs = 2000;
}

Coordinator::SaveCheck Coordinator::checkSavable(const Slot &slot) const
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
    if (*seen.promptTokens < m_policy.minTokens && slot.job->reason != SaveReason::Manual) {
        return { Savable::Unwanted, QStringLiteral("small") };
    }
    return {};
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
        return false;
    }
    if (check.savable == Savable::No) {
        saveFailed(slot, check.why, ErrorCode::SlotStateInvalid);
        return false;
    }
    const NameNumber name = m_names.take();
    if (name < 0) {
        keepNumbersAhead();
        saveFailed(
            slot, QStringLiteral("no free file name until the database answers"), ErrorCode::MetadataIo);
        slot.owner->idleDeadlineMs = m_now.monoMs + std::max<qint64>(m_policy.idleMs, 1000);
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
        row.compatibility = old->compatibility;
        bytes = old->tokens > 0 ? old->bytes / old->tokens * row.tokens : -1;
    }
    job.saving = row;
    job.savingRevision = owner.dirtyRevision;
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
    job.saving.bytes = reply.bytes;
    job.saveMs = reply.wallMs;
    Op op;
    op.kind = OpKind::Identity;
    op.deadlineMonoMs = m_now.monoMs + m_policy.requestTimeoutMs;
    startStep(slot, Job::Phase::SaveIdentity, op);
}

void Coordinator::afterSaveIdentity(Slot &slot, const OpReply &reply)
{
    Job &job = *slot.job;
    if (reply.failure == OpFailure::None) {
        observe(reply.identity, reply.sleeping, 0);
    } else if (reply.failure != OpFailure::ConnectionRefused) {
        countFailure(reply.message);
    }
    job.disturbed = job.disturbed || m_identity.boot != job.identity.boot;
    if (!slot.owner || epochOf(slot.owner->session) > slot.owner->epoch) {
        releaseName(job.saving.name); // purged, or gone with its process: nothing to be said about it
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
    Notice &saved = notice(eventname::saveSuccess, &slot);
    saved.tokens = job.saving.tokens;
    saved.bytes = job.saving.bytes;
    saved.ms = job.saveMs;
    saved.outcome = toString(job.reason);
    StoreCommand command;
    command.kind = StoreCommand::Kind::PutSnapshot;
    command.snapshot = job.saving;
    Commit commit;
    commit.row = job.saving;
    commit.slot = slot.key;
    commit.revision = job.savingRevision;
    commit.epoch = owner.epoch;
    commit.ms = job.saveMs;
    commit.reason = job.reason;
    m_commits.emplace(store(std::move(command)), std::move(commit));
    afterSaveStep(slot);
}

void Coordinator::saveFailed(Slot &slot, const QString &why, ErrorCode code)
{
    m_trouble = QStringLiteral("a save failed: %1").arg(why);
    Notice &failed = notice(eventname::saveFailed, &slot);
    failed.reason = why;
    failed.code = errorCodeName(code);
    failed.outcome = toString(slot.job->reason);
    if (slot.owner) {
        slot.owner->saveAtOnce = false;
        slot.owner->idleDeadlineMs = -1; // tried again at the next request, switch or shutdown
    }
    if (slot.job->waiter && m_policy.strict && slot.job->waiter->kind == Waiter::Kind::Begin
        && code == ErrorCode::SaveFailed) {
        refuse(*slot.job->waiter, ErrorCode::SaveFailed,
            QStringLiteral("The slot's former session could not be saved: %1.").arg(why), true);
        slot.job->waiter.reset();
    }
    answerOpenSaves(slot.key, Error { code, QStringLiteral("Not saved: %1.").arg(why), {} });
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

void Coordinator::requestSave(Slot &slot, SaveReason reason, qint64 atMs)
{
    Ownership &owner = *slot.owner;
    if (owner.idleDeadlineMs < 0 || atMs < owner.idleDeadlineMs || !owner.saveAtOnce) {
        owner.idleDeadlineMs = owner.idleDeadlineMs < 0 ? atMs : std::min(owner.idleDeadlineMs, atMs);
        owner.dueReason = reason;
    }
    if (atMs <= m_now.monoMs) {
        owner.saveAtOnce = true;
        owner.dueReason = reason;
    }
}

void Coordinator::on(const SessionHint &event)
{
    // Lazy: a session that is created, opened or resumed moves nothing; only a request does.
    Slot *slot = ownedSlot(event.session);
    if (slot != nullptr) {
        slot->owner->label = event.label.isEmpty() ? slot->owner->label : event.label;
        slot->owner->seq = event.seq >= 0 ? event.seq : slot->owner->seq;
    }
    switch (event.type) {
    case HintType::Created:
    case HintType::Resumed:
        return;
    case HintType::Flush:
        // Sent before every model call: of no account while a request of the session lives or waits.
        if (slot != nullptr && m_policy.onSessionFlush && slot->owner->needsSave()
            && !sessionActive(event.session)) {
            requestSave(*slot, SaveReason::Flush, m_now.monoMs + c_flushDelayMs);
        }
        return;
    case HintType::TurnEnd:
    case HintType::StepEnd: {
        const bool wanted = event.type == HintType::TurnEnd ? m_policy.onTurnEnd : m_policy.onStepEnd;
        if (slot != nullptr && wanted && slot->owner->needsSave()) {
            requestSave(*slot, event.type == HintType::TurnEnd ? SaveReason::TurnEnd : SaveReason::StepEnd,
                m_now.monoMs);
        }
        return;
    }
    case HintType::Compacted:
        if (slot != nullptr) {
            slot->owner->compactedHint = true;
        }
        return;
    case HintType::Disposed:
        disposed(event.session, slot);
        return;
    }
}

void Coordinator::disposed(const QString &session, Slot *slot)
{
    const SnapshotIndex::Rows *rows = m_index.find(session);
    const bool subagent
        = (slot != nullptr && slot->owner->subagent) || (rows != nullptr && rows->front().subagent);
    if (subagent && m_policy.subagents != SubagentCheckpoint::Always) {
        raiseEpoch(session);
        dropCommits(session, {}, {});
        if (slot != nullptr && slot->lease == 0) {
            slot->worthless = true;
            slot->owner.reset();
            answerOrphanedSaves(slot->key, QStringLiteral("the sub-agent is done"));
        } else if (slot != nullptr) {
            slot->owner->contaminated = true; // what its running request makes is not kept
        }
        if (rows != nullptr) {
            const SnapshotIndex::Rows copy = *rows;
            for (const Snapshot &row : copy) {
                if (!row.pinned) {
                    removeRow(row, QStringLiteral("its sub-agent is done"));
                }
            }
        }
        return;
    }
    if (slot == nullptr) {
        return;
    }
    if (slot->lease != 0) {
        slot->owner->giveUpWhenSaved = true; // once its running request has ended
        return;
    }
    if (m_policy.onDispose && slot->owner->needsSave()) {
        slot->owner->giveUpWhenSaved = true;
        requestSave(*slot, SaveReason::Dispose, m_now.monoMs);
    } else if (!slot->owner->isDirty()) {
        slot->owner.reset();
        slot->worthless = true;
    } else {
        dropOwner(*slot, QStringLiteral("the session was disposed of"));
    }
}

bool Coordinator::otherSlotBusy(const Slot &slot) const
{
    return std::any_of(m_slots.begin(), m_slots.end(), [&](const auto &entry) {
        return entry.first != slot.key && (entry.second.lease != 0 || entry.second.foreign > 0);
    });
}

void Coordinator::pumpCheckpoints()
{
    for (auto &[key, slot] : m_slots) {
        if (!slot.owner || slot.job || slot.lease != 0 || slot.foreign > 0 || !slot.late.empty()
            || slot.recheckMs > m_now.monoMs) {
            continue;
        }
        Ownership &owner = *slot.owner;
        if (owner.giveUpWhenSaved && !owner.isDirty()) {
            slot.owner.reset();
            slot.worthless = true;
            continue;
        }
        if (slot.draining && !m_shutdown) {
            if (!bypassReason().isEmpty()) {
                pumpRests(slot);
                continue;
            }
            if (slot.settleMs > m_now.monoMs) {
                continue;
            }
            Job job;
            job.kind = Job::Kind::Settle;
            startJob(slot, std::move(job));
            continue;
        }
        const bool asked = std::any_of(m_saveCalls.begin(), m_saveCalls.end(), [&](const SaveCall &call) {
            return call.slot == slot.key && call.session == owner.session && !isOnItsWay(call);
        }) || (owner.saveAtOnce && owner.dueReason == SaveReason::Manual);
        const bool due
            = owner.saveAtOnce || (owner.idleDeadlineMs >= 0 && owner.idleDeadlineMs <= m_now.monoMs);
        if (!owner.needsSave() || !(asked || due)) {
            continue;
        }
        if (!bypassReason().isEmpty() && !(restReason().isEmpty() && (asked || m_shutdown))) {
            pumpRests(slot);
            continue;
        }
        // A save stalls every slot of its server.
        const bool mayWait = !asked && !m_shutdown && m_now.monoMs < owner.dirtySinceMs + m_policy.maxDirtyMs;
        if (mayWait && otherSlotBusy(slot)) {
            continue;
        }
        Job job;
        job.kind = Job::Kind::Checkpoint;
        job.reason = asked ? SaveReason::Manual : owner.dueReason;
        startJob(slot, std::move(job));
    }
}

void Coordinator::pumpRests(Slot &slot)
{
    // Timers stop and dirty stays dirty; who asked is told, and nobody waits for what will not be done.
    const QString reason = bypassReason();
    answerOpenSaves(
        slot.key, Error { ErrorCode::BackendUnavailable, QStringLiteral("Not saved: %1.").arg(reason), {} });
    if (m_shutdown || slot.owner->dueReason == SaveReason::Manual) {
        slot.owner->saveAtOnce = false;
    }
}

void Coordinator::answerSaves(const Commit &commit, const Result<ManualAnswer> &result)
{
    const auto covered = [&](const SaveCall &call, const Commit &by) {
        return call.slot == by.slot && call.session == by.row.session && call.revision <= by.revision;
    };
    std::vector<SaveCall> rest;
    for (const SaveCall &call : m_saveCalls) {
        const bool again = !result.ok()
            && std::any_of(m_commits.begin(), m_commits.end(),
                [&](const auto &entry) { return covered(call, entry.second); });
        if (covered(call, commit) && !again) {
            answerManual(call.request, result);
        } else {
            rest.push_back(call);
        }
    }
    m_saveCalls = std::move(rest);
}

bool Coordinator::isOnItsWay(const SaveCall &call) const
{
    return std::any_of(m_commits.begin(), m_commits.end(), [&](const auto &entry) {
        const Commit &commit = entry.second;
        return commit.slot == call.slot && commit.row.session == call.session
            && commit.revision >= call.revision;
    });
}

void Coordinator::answerOrphanedSaves(const SlotKey &slot, const QString &reason)
{
    answerOpenSaves(slot,
        Error { ErrorCode::SlotStateInvalid,
            QStringLiteral("Not saved: %1. The last snapshot, if there is one, is kept.").arg(reason), {} });
}

void Coordinator::answerOpenSaves(const SlotKey &slot, const Result<ManualAnswer> &result)
{
    std::vector<SaveCall> rest;
    for (const SaveCall &call : m_saveCalls) {
        if (call.slot == slot && !isOnItsWay(call)) {
            answerManual(call.request, result);
        } else {
            rest.push_back(call);
        }
    }
    m_saveCalls = std::move(rest);
}

void Coordinator::pumpFlush()
{
    for (FlushCall &call : m_flushCalls) {
        std::erase_if(call.open, [&](const SlotKey &key) {
            const Slot *slot = slotOf(key);
            const bool waits = slot != nullptr && slot->owner && slot->owner->isDirty()
                && !slot->owner->compacting
                && (slot->job || slot->owner->saveAtOnce || !slot->owner->needsSave());
            if (!waits && slot != nullptr && slot->owner && !slot->owner->isDirty()) {
                ++call.saved;
            }
            return !waits;
        });
    }
    std::erase_if(m_flushCalls, [&](const FlushCall &call) {
        if (!call.open.empty()) {
            return false;
        }
        ManualAnswer answer;
        answer.count = call.saved;
        answerManual(call.request, answer);
        return true;
    });
}

void Coordinator::pumpShutdown()
{
    if (m_shutdownDone) {
        return;
    }
    const bool working
        = !m_commits.empty() || std::any_of(m_slots.begin(), m_slots.end(), [](const auto &entry) {
              return entry.second.job
                  || (entry.second.owner && entry.second.owner->saveAtOnce && entry.second.lease == 0);
          });
    if (!working || m_now.monoMs >= m_shutdownDeadlineMs) {
        m_shutdownDone = true;
        emitEffect(ShutdownDone {});
    }
}

} // namespace kv
