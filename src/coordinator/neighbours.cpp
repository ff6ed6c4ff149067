// SPDX-License-Identifier: MIT
// Servers whose slots are not each other's business, and servers where they are: started without --parallel,
// llama-server moves an idle slot's state away as soon as another slot gets a task, and in a shared pool a
// neighbour's prompt can push it out. Until a slot was seen to survive a neighbour's request, what is dirty
// is saved before another slot is given away.
#include "coordinator.h"

#include <algorithm>

namespace kv {

Coordinator::Neighbours Coordinator::neighbours() const
{
    if (m_neighbours != Neighbours::Unknown || m_identity.fingerprint == nullptr) {
        return m_neighbours;
    }
    // Where the command line can be read: with a number of slots given, each has memory of its own, unless it
    // was told otherwise.
    bool given = false;
    static_cast<void>(m_identity.fingerprint->value(field::streams).toInt(&given));
    return given && m_identity.fingerprint->value(field::kvUnified) != QStringView(u"on")
        ? Neighbours::Survive
        : Neighbours::Unknown;
}

void Coordinator::learnNeighbours(const std::vector<SlotObservation> &listed)
{
    if (listed.size() < 2) {
        return;
    }
    for (const auto &[key, slot] : m_slots) {
        const SlotObservation *shown = findSlot(listed, key.id);
        if (shown == nullptr || !slot.owner || slot.lease != 0 || slot.foreign > 0
            || (slot.job && slot.job->phase != Job::Phase::Look) || shown->processing || !shown->idTask
            || !shown->promptTokens || slot.owner->content.boot != m_identity.boot
            || slot.owner->expectedTokens <= 0) {
            continue;
        }
        const bool neighbourWorked = std::any_of(listed.begin(), listed.end(),
            [&](const auto &one) { return one.id != shown->id && one.idTask.value_or(-1) > *shown->idTask; });
        if (!neighbourWorked) {
            continue;
        }
        if (*shown->promptTokens == 0) {
            m_neighbours = Neighbours::Clear;
        } else if (m_neighbours == Neighbours::Unknown) {
            m_neighbours = Neighbours::Survive;
        }
    }
}

bool Coordinator::neighboursMayClear(const Slot &slot) const
{
    if (m_totalSlots < 2 || neighbours() == Neighbours::Survive) {
        return false;
    }
    // One slot of several is used: whether somebody used another one is not known without a look.
    return m_policy.mode != SlotMode::ManagedSlots || slot.quietTask != m_tasks;
}

bool Coordinator::saveNeighboursFirst(const Slot &chosen, const Waiter &waiter)
{
    const bool safe = neighbours() == Neighbours::Survive && !goesAnywhere(waiter);
    if (m_policy.mode != SlotMode::ManagedSlots || m_slots.size() < 2 || safe || !m_policy.onSwitch) {
        return false;
    }
    bool waits = false;
    for (auto &[key, slot] : m_slots) {
        if (key == chosen.key || !slot.owner || slot.lease != 0 || slot.foreign > 0 || !slot.late.empty()) {
            continue;
        }
        Ownership &owner = *slot.owner;
        if (slot.job) {
            waits = waits || slot.job->kind == Job::Kind::Checkpoint || slot.job->kind == Job::Kind::Booking;
        } else if (owner.needsSave() && owner.neighbourRevision != owner.dirtyRevision) {
            // Once for each revision: what cannot be saved holds nobody up.
            owner.neighbourRevision = owner.dirtyRevision;
            requestSave(slot, SaveReason::Switch, m_now.monoMs);
            waits = true;
        } else if (owner.needsSave() && owner.saveAtOnce && slot.recheckMs <= m_now.monoMs) {
            waits = true; // to be begun in this pass
        }
    }
    return waits;
}

} // namespace kv
