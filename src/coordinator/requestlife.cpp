// SPDX-License-Identifier: MIT
// One request, from its begin to the grant of a slot.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_signOfLifeMs = 5000;
constexpr qint64 c_auxiliaryQuietMs = 2000;
constexpr qint64 c_auxiliaryPatienceMs = 10000;
}

void Coordinator::on(const BeginRequest &event)
{
    Waiter waiter;
    waiter.begin = event;
    waiter.request = event.request;
    waiter.connection = event.connection;
    waiter.sinceMs = m_now.monoMs;
    waiter.order = m_nextOrder++;
    if (m_shutdown) {
        refuse(
            waiter, ErrorCode::Cancelled, QStringLiteral("kv-persist is stopping; go on without it."), false);
        return;
    }
    if (Slot *slot = ownedSlot(event.session)) {
        if (slot->heldUntilMs > m_now.monoMs) {
            // The owner came back in time: what the others waited for its sake counts against their patience.
            for (Waiter &other : m_waiters) {
                other.heldMs += m_now.monoMs - std::max(slot->heldSinceMs, other.sinceMs);
            }
            slot->heldSinceMs = m_now.monoMs;
        }
    }
    m_waiters.push_back(std::move(waiter));
}

QString Coordinator::restReason() const
{
    if (!m_policy.enabled) {
        return QStringLiteral("persistence is switched off");
    }
    if (m_breaker.isOpen()) {
        return QStringLiteral("persistence rests after repeated failures: %1").arg(m_trouble);
    }
    if (!m_unsupported.isEmpty()) {
        return m_unsupported;
    }
    return {};
}

QString Coordinator::bypassReason() const
{
    const QString reason = restReason();
    return reason.isEmpty() && m_paused ? QStringLiteral("persistence is paused") : reason;
}

bool Coordinator::isBeingServed(const QString &session) const
{
    return std::any_of(m_slots.begin(), m_slots.end(), [&](const auto &entry) {
        const Slot &slot = entry.second;
        return slot.job && slot.job->waiter && slot.job->waiter->kind != Waiter::Kind::Erase
            && !slot.job->waiter->isAuxiliary() && slot.job->waiter->begin.session == session;
    });
}

void Coordinator::grantOverdueWaiters()
{
    for (auto &[key, slot] : m_slots) {
        if (!slot.job || !slot.job->waiter || slot.job->cancelled) {
            continue;
        }
        const Waiter waiter = *slot.job->waiter;
        if (waiter.kind == Waiter::Kind::Begin && waiter.begin.timeoutMs >= 0
            && m_now.monoMs - waiter.sinceMs >= waiter.begin.timeoutMs) {
            detachWaiter(slot);
            grantForeign(waiter, &slot, QStringLiteral("its slot was not ready in the time given"));
        }
    }
}

void Coordinator::lookAtServer()
{
    if (m_serverLook != 0) {
        return;
    }
    Op op;
    op.id = m_serverLook = m_nextOp++;
    op.kind = OpKind::Look;
    op.slot.id = -1;
    op.mayWake = true;
    op.deadlineMonoMs = m_serverLookDeadlineMs = m_now.monoMs + m_policy.requestTimeoutMs;
    emitEffect(StartOp { op });
}

bool Coordinator::serve(const Waiter &waiter)
{
    if (waiter.kind != Waiter::Kind::Begin) {
        return serveManual(waiter);
    }
    if (serveBegin(waiter)) {
        return true;
    }
    if (waiter.begin.timeoutMs >= 0 && m_now.monoMs - waiter.sinceMs >= waiter.begin.timeoutMs) {
        grantForeign(waiter, m_slots.size() == 1 ? &m_slots.begin()->second : nullptr,
            QStringLiteral("no slot came free in the time given"));
        return true;
    }
    return false;
}

bool Coordinator::serveBegin(const Waiter &waiter)
{
    const QString &session = waiter.begin.session;
    Slot *only = m_slots.size() == 1 ? &m_slots.begin()->second : nullptr;
    if (const QString reason = bypassReason(); !reason.isEmpty()) {
        if (m_policy.strict && !m_paused && m_policy.enabled) {
            refuse(waiter, ErrorCode::BackendUnavailable, reason, true);
        } else {
            grantForeign(waiter, only, reason);
        }
        return true;
    }
    if (m_slots.empty()) {
        lookAtServer();
        return false;
    }
    if (waiter.isAuxiliary()) {
        return serveAuxiliary(waiter);
    }
    // A request never waits for a lease of its own session: its client may be waiting for this one first.
    const auto own = std::find_if(m_leases.begin(), m_leases.end(),
        [&](const auto &entry) { return entry.second.session == session && !entry.second.auxiliary; });
    if (own != m_leases.end()) {
        grantForeign(
            waiter, slotOf(own->second.slot), QStringLiteral("the session has a request running already"));
        return true;
    }
    if (Slot *slot = ownedSlot(session)) {
        return serveOwn(waiter, *slot);
    }
    if (waiter.begin.running) {
        grantForeign(waiter, only, QStringLiteral("the request was already running"));
        return true;
    }
    if (isBeingServed(session)) {
        return false; // invariant 2 the other way round: a session owns one slot
    }
    if (Slot *slot = chooseSlot(waiter)) {
        Job job;
        job.waiter = waiter;
        startJob(*slot, std::move(job));
        return true;
    }
    return false;
}

bool Coordinator::serveOwn(const Waiter &waiter, Slot &slot)
{
    if (slot.lease != 0 || slot.foreign > 0 || slot.job) {
        return false;
    }
    if (waiter.begin.running) {
        grant(slot, waiter, Outcome::Resident);
        return true;
    }
    // Invariant 6: nothing happened since, so no call and no disk.
    if (isResident(slot)) {
        grant(slot, waiter, Outcome::Resident);
        return true;
    }
    if (slot.recheckMs > m_now.monoMs) {
        return false;
    }
    Job job;
    job.waiter = waiter;
    startJob(slot, std::move(job));
    return true;
}

bool Coordinator::isResident(const Slot &slot) const
{
    return slot.owner && slot.late.empty() && !slot.broken && !slot.draining && !slot.owner->contaminated
        && slot.owner->content.boot == m_identity.boot && !m_identity.boot.isEmpty() && m_lastAliveMs >= 0
        && m_now.monoMs - m_lastAliveMs <= c_signOfLifeMs && !m_unreachable && !m_sleeping;
}

bool Coordinator::serveAuxiliary(const Waiter &waiter)
{
    if (m_policy.auxiliary == AuxiliaryMode::Ignore) {
        Slot *only = m_slots.size() == 1 ? &m_slots.begin()->second : nullptr;
        grantForeign(
            waiter, only, QStringLiteral("auxiliary requests are not managed (auxiliaryRequests: ignore)"));
        return true;
    }
    Slot *slot = chooseSlot(waiter);
    if (slot == nullptr) {
        return false;
    }
    Job job;
    job.waiter = waiter;
    startJob(*slot, std::move(job));
    return true;
}

bool Coordinator::eligible(const Slot &slot, const Waiter &waiter) const
{
    // Invariant 2: one owner, and one holder who may still send to it, foreign ones counted.
    if (slot.lease != 0 || slot.foreign > 0 || slot.job || slot.retired || slot.recheckMs > m_now.monoMs) {
        return false;
    }
    const bool reserved = m_policy.auxiliarySlot && m_slots.size() > 1 && slot.key == m_slots.rbegin()->first;
    if (reserved != waiter.isAuxiliary() && m_policy.auxiliarySlot && m_slots.size() > 1
        && waiter.kind == Waiter::Kind::Begin) {
        return false;
    }
    if (!slot.owner) {
        return true;
    }
    if (waiter.isAuxiliary()) {
        return m_now.monoMs - slot.quietSinceMs >= c_auxiliaryQuietMs
            || m_now.monoMs - waiter.sinceMs >= c_auxiliaryPatienceMs;
    }
    const bool held = slot.heldUntilMs > m_now.monoMs && waiter.begin.session != slot.owner->session
        && waiter.begin.parent != slot.owner->session;
    if (held) {
        const qint64 heldNow = m_now.monoMs - std::max(slot.heldSinceMs, waiter.sinceMs);
        return waiter.heldMs + heldNow >= m_policy.leaseHoldMs;
    }
    return true;
}

Slot *Coordinator::chooseSlot(const Waiter &waiter)
{
    // Empty, else clean and least recently used, else dirty and least recently used. Late and broken ones
    // last: they are tried, as the look before any action shows whether they have come to rest.
    const auto rank = [](const Slot &slot) {
        if (!slot.late.empty()) {
            return 4;
        }
        if (slot.broken) {
            return 3;
        }
        return !slot.owner ? 0 : !slot.owner->isDirty() ? 1 : 2;
    };
    Slot *best = nullptr;
    for (auto &[key, slot] : m_slots) {
        if (!eligible(slot, waiter)) {
            continue;
        }
        if (best == nullptr || rank(slot) < rank(*best)
            || (rank(slot) == rank(*best) && slot.usedSeq < best->usedSeq)) {
            best = &slot;
        }
    }
    return best;
}

bool Coordinator::serveManual(const Waiter &waiter)
{
    if (const QString reason = restReason(); !reason.isEmpty()) {
        answerManual(waiter.request,
            Error { ErrorCode::BackendUnavailable, QStringLiteral("Nothing was done: %1.").arg(reason), {} });
        return true;
    }
    if (m_slots.empty()) {
        lookAtServer();
        return false;
    }
    Slot *slot = nullptr;
    if (waiter.kind == Waiter::Kind::Erase) {
        slot = slotOf(waiter.slot);
        if (slot == nullptr) {
            answerManual(waiter.request,
                Error { ErrorCode::SlotNotFound,
                    QStringLiteral("Server %1 has no slot %2.").arg(m_policy.server).arg(waiter.slot.id),
                    {} });
            return true;
        }
        slot = eligible(*slot, waiter) ? slot : nullptr;
    } else {
        Slot *own = ownedSlot(waiter.begin.session);
        if (own != nullptr && isResident(*own)) {
            ManualAnswer answer;
            answer.slot = own->key.id;
            answer.skipped = QStringLiteral("resident");
            answer.tokens = own->tokens.value_or(-1);
            answerManual(waiter.request, answer);
            return true;
        }
        const bool ownFree = own != nullptr && !own->job && own->lease == 0 && own->foreign == 0
            && own->recheckMs <= m_now.monoMs;
        slot = own != nullptr                     ? (ownFree ? own : nullptr)
            : isBeingServed(waiter.begin.session) ? nullptr
                                                  : chooseSlot(waiter);
    }
    if (slot == nullptr) {
        return false;
    }
    Job job;
    job.waiter = waiter;
    job.reason = SaveReason::Manual;
    startJob(*slot, std::move(job));
    return true;
}

Lease &Coordinator::addLease(const Waiter &waiter, Slot *slot, bool foreign)
{
    Lease lease;
    lease.id = m_nextLease++;
    lease.connection = waiter.connection;
    lease.call = waiter.begin.call;
    lease.foreign = foreign;
    lease.auxiliary = waiter.isAuxiliary();
    lease.compaction = waiter.isCompaction();
    lease.session = waiter.begin.session;
    lease.label = waiter.begin.label;
    lease.grantedMs = m_now.monoMs;
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
    } else {
        if (Slot *other = ownedSlot(waiter.begin.session); other != nullptr && other != &slot) {
            dropOwner(*other, QStringLiteral("the session was given another slot"));
        }
        Ownership owner;
        owner.session = waiter.begin.session;
        owner.content = m_identity;
        owner.epoch = m_epoch;
        owner.ownState = outcome == Outcome::Restored;
        slot.owner = owner;
    }
    if (slot.owner) {
        Ownership &owner = *slot.owner;
        owner.provider = waiter.begin.provider;
        owner.model = waiter.begin.model;
        owner.label = waiter.begin.label.isEmpty() ? owner.label : waiter.begin.label;
        owner.subagent = waiter.begin.origin == QStringLiteral("subagent");
        owner.seq = waiter.begin.seq >= 0 ? waiter.begin.seq : owner.seq;
    }
    slot.knownEmpty = false;
    slot.worthless = false;

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
    if (outcome == Outcome::Restored && slot.job) {
        answer.tokens = slot.job->restoring.tokens;
        answer.bytes = slot.job->restoring.bytes;
        slot.owner->provenTokens = answer.tokens;
        slot.owner->expectedTokens = answer.tokens;
        slot.owner->awaitedReuse = answer.tokens;
        slot.tokens = answer.tokens;
    } else if (outcome == Outcome::Resident) {
        answer.tokens = slot.tokens.value_or(-1);
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
    const bool warm = outcome == Outcome::Resident || outcome == Outcome::Restored;
    if (const QString resting = restReason(); !resting.isEmpty() && !warm) {
        if (m_policy.strict) {
            refuse(waiter, ErrorCode::BackendUnavailable, resting, true);
        } else {
            grantForeign(waiter, &slot, resting);
        }
        finishJob(slot);
        return;
    }
    const bool cold = outcome == Outcome::Cold || outcome == Outcome::ColdFallback;
    if (cold) {
        Notice &noted = notice(eventname::sessionCold);
        noted.slot = slot.key;
        noted.session = waiter.begin.session;
        noted.label = waiter.begin.label;
        noted.provider = waiter.begin.provider;
        noted.model = waiter.begin.model;
        noted.outcome = toString(outcome);
        noted.reason = reason;
        noted.miss = m_index.find(waiter.begin.session) != nullptr;
    }
    grant(slot, waiter, outcome, reason);
    finishJob(slot);
}

void Coordinator::grantForeign(const Waiter &waiter, Slot *slot, const QString &reason)
{
    if (waiter.kind != Waiter::Kind::Begin) {
        answerManual(waiter.request,
            Error { ErrorCode::SlotBusy, QStringLiteral("Nothing was done: %1.").arg(reason), {} });
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
