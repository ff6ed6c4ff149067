// SPDX-License-Identifier: MIT
// One request, from its begin to the grant of a slot.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>
#include <tuple>

namespace kv {

namespace {
constexpr qint64 c_signOfLifeMs = 5000;
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
    op.deadlineMonoMs = m_serverLookDeadlineMs = lookDeadline(true);
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
        return !waitsForUnproven(waiter) && serveAuxiliary(waiter);
    }
    // A request never waits for a lease of its own session: its client may be waiting for this one first.
    const auto own = std::find_if(m_leases.begin(), m_leases.end(),
        [&](const auto &entry) { return entry.second.session == session && !entry.second.auxiliary; });
    if (own != m_leases.end()) {
        grantForeign(
            waiter, slotOf(own->second.slot), QStringLiteral("the session has a request running already"));
        return true;
    }
    if (!waiter.begin.running && waitsForUnproven(waiter)) {
        return false;
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
    if (Slot *slot = chooseSlot(waiter); slot != nullptr && !saveNeighboursFirst(*slot, waiter)) {
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
    if (saveNeighboursFirst(slot, waiter)) {
        return false;
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
        && m_now.monoMs - m_lastAliveMs <= c_signOfLifeMs && !m_unreachable && !m_sleeping
        && !neighboursMayClear(slot);
}

bool Coordinator::serveAuxiliary(const Waiter &waiter)
{
    if (m_policy.auxiliary == AuxiliaryMode::Ignore && !waiter.begin.strict) {
        Slot *only = m_slots.size() == 1 ? &m_slots.begin()->second : nullptr;
        grantForeign(
            waiter, only, QStringLiteral("auxiliary requests are not managed (auxiliaryRequests: ignore)"));
        return true;
    }
    Slot *slot = chooseSlot(waiter);
    if (slot == nullptr || saveNeighboursFirst(*slot, waiter)) {
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
        return !slot.owner || slot.owner->doneWhenSaved ? 0 : !slot.owner->isDirty() ? 1 : 2;
    };
    // A sub-agent does not push its parent out while another slot can be had.
    const auto isParents = [&](const Slot &slot) {
        return slot.owner && !waiter.begin.parent.isEmpty() && slot.owner->session == waiter.begin.parent;
    };
    const auto order = [&](const Slot &slot) {
        const int ranked = rank(slot);
        return std::tuple(ranked > 2, isParents(slot), ranked, slot.usedSeq);
    };
    Slot *best = nullptr;
    for (auto &[key, slot] : m_slots) {
        if (!eligible(slot, waiter)) {
            continue;
        }
        if (best == nullptr || order(slot) < order(*best)) {
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
        if (m_sleeping) {
            // Asleep, a slot holds nothing; to ask it would load the model.
            ManualAnswer answer;
            answer.slot = slot->key.id;
            answer.tokens = 0;
            answer.skipped = QStringLiteral("asleep");
            answerManual(waiter.request, answer);
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

} // namespace kv
