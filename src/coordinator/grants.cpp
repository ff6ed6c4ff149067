// SPDX-License-Identifier: MIT
// Grants: what a slot becomes when a request gets it, and what the client is told.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>

namespace kv {

namespace {

/// What the client tells of itself with each begin.
void describe(Ownership &owner, const BeginRequest &begin)
{
    owner.provider = begin.provider;
    owner.model = begin.model;
    owner.label = begin.label.isEmpty() ? owner.label : begin.label;
    owner.subagent = begin.origin == QStringLiteral("subagent");
    owner.fresh = owner.fresh && (owner.dirtyRevision == 0 || owner.base == begin.base);
    owner.base = begin.base;
    owner.seq = begin.seq >= 0 ? begin.seq : owner.seq;
}

/// Never its own state: nothing of it is proved or expected, as after a cold start.
void fillBased(Slot &slot, Grant &answer)
{
    const Job &job = *slot.job;
    slot.owner->basedBy = job.source;
    slot.owner->basedOn = job.restoring.session;
    slot.owner->basedTokens = job.restoring.prefixTokens;
    slot.owner->basedFile = job.restoring.name;
    answer.tokens = job.restoring.prefixTokens;
    if (job.source == JobSource::Left) {
        return;
    }
    answer.tokens = answer.tokens >= 0 ? answer.tokens : job.restoring.tokens;
    answer.bytes = job.restoring.bytes;
    slot.tokens = job.restoring.tokens;
}

} // namespace

Lease &Coordinator::addLease(const Waiter &waiter, Slot *slot, bool foreign)
{
    Lease lease;
    lease.id = m_nextLease++;
    lease.connection = waiter.connection;
    lease.call = waiter.begin.call;
    lease.foreign = foreign;
    lease.goesAnywhere = goesAnywhere(waiter);
    m_pinless += lease.goesAnywhere ? 1 : 0;
    lease.auxiliary = waiter.isAuxiliary();
    lease.compaction = waiter.isCompaction();
    lease.session = waiter.begin.session;
    lease.label = waiter.begin.label;
    lease.grantedMs = m_now.monoMs;
    ++m_tasks;
    if (slot != nullptr) {
        lease.slot = slot->key;
    }
    return m_leases.emplace(lease.id, lease).first->second;
}

void Coordinator::grant(Slot &slot, const Waiter &waiter, Outcome outcome, const QString &reason)
{
    const Lease &lease = addLease(waiter, &slot, false);
    slot.lease = lease.id;
    slot.usedSeq = m_useSeq++;
    slot.lastUsedWallMs = m_now.wallMs;
    slot.heldUntilMs = -1;
    slot.draining = false;
    slot.broken = false;
    if (outcome != Outcome::Resident) {
        answerOrphanedSaves(slot.key, QStringLiteral("the slot was given to another session"));
    }
    if (outcome == Outcome::Auxiliary) {
        slot.owner.reset();
    } else if (outcome == Outcome::Resident) {
        slot.owner->ownState = true;
        slot.owner->idleDeadlineMs = -1; // a begin cancels what was due
        slot.owner->saveAtOnce = false;
        slot.owner->giveUpWhenSaved = false;
        slot.owner->doneWhenSaved = false;
    } else {
        if (Slot *other = ownedSlot(waiter.begin.session); other != nullptr && other != &slot) {
            dropOwner(*other, QStringLiteral("the session was given another slot"));
        }
        Ownership owner;
        owner.session = waiter.begin.session;
        owner.content = m_identity;
        owner.epoch = m_epoch;
        owner.ownState = outcome == Outcome::Restored;
        owner.fresh = outcome != Outcome::Restored && m_index.find(owner.session) == nullptr;
        slot.owner = owner;
    }
    if (slot.owner) {
        describe(*slot.owner, waiter.begin);
    }
    slot.knownEmpty = false;
    slot.worthless = false;
    if (slot.owner) {
        slot.owner->strayed = slot.owner->strayed || strayRequests(slot);
    }
    if (lease.goesAnywhere) {
        markStrayed(&slot);
    }

    Grant answer;
    answer.request = waiter.request;
    answer.outcome = outcome;
    answer.lease = lease.id;
    answer.slot = slot.key;
    if (multiSlot()) {
        // Invariant 13: where the request goes is all that is ever added to it.
        answer.transport = Transport { slot.key.id, true };
    }
    answer.waitMs = static_cast<double>(m_now.monoMs - waiter.sinceMs);
    answer.reason = reason;
    if (slot.job) {
        answer.saveMs = slot.job->saveMs;
        answer.restoreMs = slot.job->restoreMs;
    }
    if (outcome == Outcome::Resident) {
        answer.tokens = slot.tokens.value_or(-1);
    } else if (outcome == Outcome::Restored && slot.job) {
        answer.tokens = slot.job->restoring.tokens;
        answer.bytes = slot.job->restoring.bytes;
        slot.owner->holdsRestored(slot.job->restoring);
        slot.tokens = answer.tokens;
    } else if (outcome == Outcome::Based && slot.job) {
        fillBased(slot, answer);
    }
    emitEffect(answer);
    if (slot.owner && slot.lastOwner != slot.owner->session) {
        notice(eventname::sessionSwitch, &slot);
        slot.lastOwner = slot.owner->session;
    }
    Notice &acquired = notice(eventname::slotAcquire, &slot);
    acquired.session = waiter.begin.session;
    acquired.outcome = toString(outcome);
    acquired.reason = reason;
    acquired.ms = answer.waitMs;
    acquired.debug = true;
}

void Coordinator::grantFromJob(Slot &slot, Outcome outcome, const QString &reason)
{
    const Waiter waiter = *slot.job->waiter;
    if (slot.foreign > 0 || slot.job->disturbed) {
        yieldToOther(slot);
        return;
    }
    if (waiter.begin.strict && slot.owner && (slot.owner->needsSave() || slot.owner->compacting)) {
        refuse(waiter, ErrorCode::SaveFailed,
            QStringLiteral("The session in the slot could not be saved, so it keeps its slot."), true);
        finishJob(slot);
        return;
    }
    const bool warm
        = outcome == Outcome::Resident || outcome == Outcome::Restored || outcome == Outcome::Based;
    if (const QString resting = restReason(); !resting.isEmpty() && !warm) {
        if (m_policy.strict) {
            refuse(waiter, ErrorCode::BackendUnavailable, resting, true);
        } else {
            grantForeign(waiter, &slot, resting);
        }
        finishJob(slot);
        return;
    }
    if (waitsForUnproven(waiter, &slot)) {
        if (outcome == Outcome::Restored) {
            adoptRestored(slot); // its own, and still there when its turn comes
        }
        m_waiters.push_back(waiter);
        finishJob(slot);
        return;
    }
    if (outcome == Outcome::Cold || outcome == Outcome::ColdFallback || outcome == Outcome::Based) {
        noteStart(slot, waiter, outcome, reason);
    }
    grant(slot, waiter, outcome, reason);
    finishJob(slot);
}

void Coordinator::noteStart(const Slot &slot, const Waiter &waiter, Outcome outcome, const QString &reason)
{
    const bool based = outcome == Outcome::Based;
    Notice &noted = notice(based ? eventname::sessionBased : eventname::sessionCold);
    noted.slot = slot.key;
    noted.session = waiter.begin.session;
    noted.label = waiter.begin.label;
    noted.provider = waiter.begin.provider;
    noted.model = waiter.begin.model;
    noted.outcome = toString(outcome);
    noted.reason = reason;
    noted.miss = m_index.find(waiter.begin.session) != nullptr;
    if (based) {
        const Job &job = *slot.job;
        noted.what = toString(job.source);
        noted.tokens = job.source == JobSource::Left ? -1 : job.restoring.tokens;
        noted.ms = job.restoreMs;
    }
}

bool Coordinator::strayRequests(const Slot &slot) const
{
    // A foreign request names no slot, so that on a server with several it may have gone to any.
    return multiSlot() && std::any_of(m_leases.begin(), m_leases.end(), [&](const auto &entry) {
        return entry.second.foreign || (entry.second.goesAnywhere && entry.first != slot.lease);
    });
}

void Coordinator::markStrayed(const Slot *butNot)
{
    for (auto &[key, slot] : m_slots) {
        if (slot.owner && multiSlot() && &slot != butNot) {
            slot.owner->strayed = true;
        }
    }
}

void Coordinator::grantForeign(const Waiter &waiter, Slot *slot, const QString &reason)
{
    if (waiter.kind != Waiter::Kind::Begin) {
        answerManual(waiter.request,
            Error { ErrorCode::SlotBusy, QStringLiteral("Nothing was done: %1.").arg(reason), {} });
        return;
    }
    if (waiter.begin.strict) {
        refuse(waiter, ErrorCode::BackendUnavailable, reason, true);
        return;
    }
    const Lease &lease = addLease(waiter, slot, true);
    if (slot != nullptr) {
        ++slot->foreign;
        if (slot->job) {
            slot->job->disturbed = true; // what its look showed no longer holds
        }
        slot->usedSeq = m_useSeq++;
        slot->lastUsedWallMs = m_now.wallMs;
        const bool saving = slot->job
            && (slot->job->phase == Job::Phase::Save || slot->job->phase == Job::Phase::SaveIdentity);
        if ((slot->lease != 0 || saving) && slot->owner) {
            slot->owner->contaminated = true; // given up when its own request, or the save, has ended
        } else {
            dropOwner(*slot, reason);
        }
    }
    markStrayed(nullptr);
    Grant answer;
    answer.request = waiter.request;
    answer.outcome = Outcome::Bypass;
    answer.lease = lease.id;
    answer.slot = lease.slot;
    answer.waitMs = static_cast<double>(m_now.monoMs - waiter.sinceMs);
    answer.reason = reason;
    emitEffect(answer);
    Notice &acquired = notice(eventname::slotAcquire);
    acquired.slot = lease.slot;
    acquired.session = waiter.begin.session;
    acquired.label = waiter.begin.label;
    acquired.outcome = toString(Outcome::Bypass);
    acquired.reason = reason;
    acquired.debug = true;
}

void Coordinator::refuse(const Waiter &waiter, ErrorCode code, const QString &message, bool strict)
{
    if (waiter.kind != Waiter::Kind::Begin) {
        answerManual(waiter.request, Error { code, message, {} });
        return;
    }
    emitEffect(Refuse { waiter.request, Error { code, message, {} }, strict });
}

} // namespace kv
