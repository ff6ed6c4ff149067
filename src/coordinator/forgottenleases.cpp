// SPDX-License-Identifier: MIT
// Leases whose holders forgot them: taken back only when somebody waits and the slot has stayed idle.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_parentPatienceMs = 2000;
constexpr qint64 c_leastLeaseCheckMs = 250;
constexpr qint64 c_mostLeaseCheckMs = 10000;
}

void Coordinator::leaseSeen(Slot &slot, const SlotObservation &seen)
{
    finishJob(slot);
    std::vector<Lease> forgotten;
    for (auto &[id, lease] : m_leases) {
        if (lease.slot != slot.key) {
            continue;
        }
        const bool processing = seen.processing || (lease.goesAnywhere && m_othersProcessing);
        if (processing || lease.idleTask != seen.idTask || lease.idleSinceMs < 0) {
            lease.idleSinceMs = processing ? -1 : m_now.monoMs;
            lease.idleTask = seen.idTask;
        } else if (m_now.monoMs - lease.idleSinceMs >= leasePatienceMs(lease)) {
            forgotten.push_back(lease);
        }
    }
    for (const Lease &lease : forgotten) {
        revoke(slot, lease);
    }
}

void Coordinator::revoke(Slot &slot, Lease lease)
{
    Notice &released = notice(eventname::slotRelease, &slot);
    released.session = lease.session;
    released.label = lease.label;
    released.outcome = QStringLiteral("revoked");
    released.reason = QStringLiteral("its slot stayed idle while others waited");
    m_leases.erase(lease.id);
    if (lease.foreign) {
        slot.foreign = std::max(0, slot.foreign - 1);
    } else {
        slot.lease = 0;
        dropOwner(slot, QStringLiteral("its lease was forgotten by its holder"));
    }
    slot.tokens.reset();
    m_revoked.emplace(lease.id, std::move(lease));
}

qint64 Coordinator::leasePatienceMs(const Lease &lease) const
{
    const bool child = std::any_of(m_waiters.begin(), m_waiters.end(), [&](const Waiter &waiter) {
        return !lease.session.isEmpty() && waiter.begin.parent == lease.session;
    });
    return child ? std::min(c_parentPatienceMs, m_policy.leaseIdleMs) : m_policy.leaseIdleMs;
}

void Coordinator::checkForgottenLeases()
{
    if (m_waiters.empty() || m_shutdown || !bypassReason().isEmpty()) {
        return;
    }
    std::set<SlotKey> due;
    for (auto &[id, lease] : m_leases) {
        const Slot *slot = slotOf(lease.slot);
        if (slot == nullptr || slot->job) {
            continue;
        }
        const qint64 every = std::clamp(leasePatienceMs(lease) / 2, c_leastLeaseCheckMs, c_mostLeaseCheckMs);
        const qint64 latest = m_now.monoMs + every;
        lease.nextCheckMs = lease.nextCheckMs < 0 ? latest : std::min(lease.nextCheckMs, latest);
        if (m_now.monoMs >= lease.nextCheckMs) {
            lease.nextCheckMs = latest;
            due.insert(lease.slot);
        }
    }
    for (const SlotKey &key : due) {
        Job job;
        job.kind = Job::Kind::LeaseCheck;
        startJob(m_slots.at(key), std::move(job));
    }
}

} // namespace kv
