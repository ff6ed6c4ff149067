// SPDX-License-Identifier: MIT
// Requests that name no slot, on a server with several: the server chooses, and a look after the request's
// end finds which slot took it. This is the one exception to invariant 6; it runs off the request's path.
// Until it is booked, the request's session owns nothing that would be saved, and nothing that was idle is
// trusted.
#include "coordinator.h"
#include "eventname.h"
#include "reuse.h"

#include <algorithm>

namespace kv {

bool Coordinator::goesAnywhere(const Waiter &waiter) const
{
    return waiter.kind == Waiter::Kind::Begin && !waiter.begin.pins && multiSlot();
}

bool Coordinator::waitsForUnproven(const Waiter &waiter, const Slot *except)
{
    if (!goesAnywhere(waiter)) {
        return false;
    }
    // The server may choose any slot for it, so none may hold what an unproved restore left: that may be
    // another model's state. It would wait behind the restore in the server's queue anyway.
    bool waits = false;
    for (auto &[key, slot] : m_slots) {
        if (!slot.unproven || &slot == except || slot.retired || slot.lease != 0 || slot.foreign > 0
            || !slot.late.empty()) {
            continue;
        }
        waits = true;
        if (!slot.job && slot.recheckMs <= m_now.monoMs && slot.settleMs <= m_now.monoMs) {
            Job job;
            job.kind = Job::Kind::Settle;
            job.eraseNext = true;
            startJob(slot, std::move(job));
        }
    }
    return waits;
}

void Coordinator::pumpBookings()
{
    for (auto &[key, slot] : m_slots) {
        if (!slot.toBook || slot.job || slot.lease != 0) {
            continue;
        }
        slot.toBook = false;
        if (!restReason().isEmpty()) {
            dropOwner(slot, QStringLiteral("which slot took its request was not asked"));
            continue;
        }
        Job job;
        job.kind = Job::Kind::Booking;
        startJob(slot, std::move(job));
    }
}

bool Coordinator::mayHaveTaken(const Slot &slot, const SlotObservation &shown) const
{
    if (shown.processing || !shown.idTask || !shown.promptTokens
        || looksForeign(*shown.promptTokens, slot.owner->expectedTokens)) {
        return false;
    }
    const auto found = m_slots.find({ slot.key.model, shown.id });
    if (found == m_slots.end() || &found->second == &slot) {
        return true;
    }
    const Slot &other = found->second;
    if (other.lease != 0) {
        return m_leases.at(other.lease).goesAnywhere; // else that slot's own request ran there
    }
    // What its owner left there explains the count.
    return !other.owner || other.owner->expectedTokens < 0
        || looksForeign(*shown.promptTokens, other.owner->expectedTokens);
}

// Null: it cannot be told.
const SlotObservation *Coordinator::whereItRan(
    const Slot &slot, const std::vector<SlotObservation> &listed) const
{
    if (slot.owner->expectedTokens <= 0) {
        return nullptr; // a client that tells no usage, or a request that did not finish: nothing tells
    }
    std::vector<const SlotObservation *> exact;
    std::vector<const SlotObservation *> near;
    for (const SlotObservation &shown : listed) {
        if (mayHaveTaken(slot, shown)) {
            near.push_back(&shown);
            if (*shown.promptTokens == slot.owner->expectedTokens) {
                exact.push_back(&shown);
            }
        }
    }
    const std::vector<const SlotObservation *> &fitting = exact.empty() ? near : exact;
    const auto prepared = std::find_if(fitting.begin(), fitting.end(),
        [&](const SlotObservation *shown) { return shown->id == slot.key.id; });
    if (prepared != fitting.end()) {
        return *prepared; // the one that was made ready for it
    }
    return fitting.size() == 1 ? fitting.front() : nullptr; // two of one size cannot be told apart
}

void Coordinator::book(Slot &slot, const std::vector<SlotObservation> &listed)
{
    Slot *took = nullptr;
    if (slot.owner) {
        const SlotObservation *shown = whereItRan(slot, listed);
        took = shown != nullptr ? slotOf({ slot.key.model, shown->id }) : nullptr;
        if (took == nullptr) {
            ++m_unbooked;
            dropOwner(slot,
                shown != nullptr ? QStringLiteral("the server used slot %1 for its request").arg(shown->id)
                                 : QStringLiteral("which slot took its request cannot be told"));
        } else if (took != &slot) {
            moveOwner(slot, *took);
        }
    }
    finishJob(slot);
    for (auto &[key, other] : m_slots) {
        const SlotObservation *shown = findSlot(listed, key.id);
        if (shown == nullptr || shown->processing || other.lease != 0 || other.foreign > 0) {
            continue;
        }
        const bool prepared = &other == took || &other == &slot;
        if (other.job) {
            continue; // it looks for itself
        }
        other.idTask = shown->idTask;
        if (prepared
            || (other.owner && other.owner->expectedTokens > 0 && shown->promptTokens
                && looksForeign(*shown->promptTokens, other.owner->expectedTokens))) {
            other.draining = false;
            reconcile(other, *shown);
        }
    }
}

void Coordinator::moveOwner(Slot &from, Slot &to)
{
    answerOrphanedSaves(from.key, QStringLiteral("the server used another slot for the session's request"));
    if (to.job) {
        // It may be given to somebody else in this very moment.
        to.job->disturbed = true;
        dropOwner(from, QStringLiteral("the server used a slot for its request that is being changed"));
        return;
    }
    if (to.lease != 0) {
        // Two requests changed places: who was thought to be there runs elsewhere.
        std::swap(from.owner, to.owner);
        std::swap(from.lease, to.lease);
        m_leases.at(from.lease).slot = from.key;
    } else {
        dropOwner(to, QStringLiteral("another session's request ran in its slot"));
        to.owner = std::exchange(from.owner, std::nullopt);
    }
    to.heldSinceMs = from.heldSinceMs;
    to.heldUntilMs = std::exchange(from.heldUntilMs, -1);
    to.quietSinceMs = from.quietSinceMs;
    to.quietTask = from.quietTask;
    to.usedSeq = m_useSeq++;
    to.lastUsedWallMs = from.lastUsedWallMs;
    to.lastOwner = to.owner->session;
    to.worthless = false;
    from.known = false;
    from.worthless = false;
    from.tokens.reset();
    Notice &moved = notice(eventname::slotState, &to);
    moved.reason
        = QStringLiteral("the server used slot %1 instead of slot %2").arg(to.key.id).arg(from.key.id);
    moved.debug = true;
}

} // namespace kv
