// SPDX-License-Identifier: MIT
// The server seen from outside: another process, sleep, silence; operations past their time; the clock's next
// call.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>
#include <limits>

namespace kv {

void Coordinator::on(const ServerObserved &event)
{
    m_sleepIdleMs = event.sleepIdleMs;
    observe(event.identity, restOf(event), event.totalSlots);
}

void Coordinator::observe(const Identity &identity, Rest rest, int totalSlots)
{
    m_lastAliveMs = m_now.monoMs;
    const bool first = m_identity.boot.isEmpty();
    const bool otherBoot = !identity.boot.isEmpty() && identity.boot != m_identity.boot;
    if (m_unreachable || first || otherBoot) {
        Notice &ready = notice(eventname::backendReady);
        ready.reason = otherBoot && !first ? QStringLiteral("another server process") : QString();
    }
    m_unreachable = false;
    if (otherBoot) {
        bootSeen(first);
    }
    m_restoreLost.reset(); // whoever answers as before has not died of it
    if (!identity.boot.isEmpty()) {
        m_identity = identity;
        useRatesOf(m_identity);
    }
    for (auto &[key, slot] : m_slots) {
        if (slot.owner && slot.owner->content.known() && m_identity.known()
            && !slot.owner->content.sameAs(m_identity)) {
            dropOwner(slot, QStringLiteral("the model or its adapters changed"));
        }
    }
    const bool sleeping = rest != Rest::Awake;
    if (sleeping && !m_sleeping) {
        if (m_lastActivityMs >= 0 && rest == Rest::Asleep) {
            const auto idle = static_cast<double>(m_now.monoMs - m_lastActivityMs);
            m_rates.sleepAfterMs = m_rates.sleepAfterMs > 0 ? std::min(m_rates.sleepAfterMs, idle) : idle;
        }
        forgetContents(rest == Rest::Asleep ? QStringLiteral("the server went to sleep")
                                            : QStringLiteral("the router unloaded the model"));
    }
    m_sleeping = sleeping;
    if (totalSlots > 0 && m_totalSlots > 0 && totalSlots != m_totalSlots) {
        forgetContents(QStringLiteral("the server has %1 slots now").arg(totalSlots));
    }
    m_totalSlots = totalSlots > 0 ? totalSlots : m_totalSlots;
}

void Coordinator::bootSeen(bool first)
{
    if (!first) {
        serverDied();
        forgetContents(QStringLiteral("the server was restarted"));
        // Only now: the process that was there when this run began may be the one that a former daemon wrote
        // to, whatever that daemon had put on record before it was killed.
        m_names.endRest();
        m_unfreed.merge(m_restingPurged);
    }
    newBoot();
}

void Coordinator::newBoot()
{
    // Operations whose connection broke are void, and with them what kept names and slots taken.
    m_unsupported.clear();
    m_breaker.reset();
    m_neighbours = Neighbours::Unknown;
    nudgeDone();
    std::erase_if(m_lateNames, [&](const auto &entry) { return m_lostOps.contains(entry.first); });
    for (auto &[key, slot] : m_slots) {
        std::erase_if(slot.late, [&](OpId late) { return m_lostOps.contains(late); });
        m_outlivedOps.insert(slot.late.begin(), slot.late.end());
        slot.broken = false;
    }
    m_lostOps.clear();
}

void Coordinator::serverDied()
{
    if (!m_restoreLost) {
        return;
    }
    // The process went down while it read that file. Once is enough: a damaged file can kill the server.
    const QString fingerprint = m_restoreLost->fingerprint->hash();
    if (const Snapshot *row = m_index.row(m_restoreLost->session, fingerprint);
        row != nullptr && row->name == m_restoreLost->name && row->state != SnapshotState::Invalid) {
        invalidate(Snapshot(*row), QStringLiteral("SERVER_DIED"));
        if (m_proofs[fingerprint].noteDeath()) {
            m_trouble = QStringLiteral(
                "The server has ended twice while it read a snapshot, so nothing is restored any more with "
                "this model and build. Look at the server's log; kv-persist resume tries again.");
            notice(eventname::persistencePaused).reason = m_trouble;
        }
    }
    m_restoreLost.reset();
}

void Coordinator::forgetContents(const QString &reason)
{
    for (auto &[key, slot] : m_slots) {
        dropOwner(slot, reason);
        slot.known = false;
        slot.knownEmpty = false;
        slot.worthless = false;
        // A restore that has not been answered may be running in the new process.
        slot.unproven
            = slot.unproven && (!slot.late.empty() || (slot.job && slot.job->phase != Job::Phase::Look));
        slot.draining = false;
        slot.tokens.reset();
        slot.idTask.reset();
        if (slot.job && slot.job->phase != Job::Phase::Look) {
            slot.job->disturbed = true;
        }
    }
}

void Coordinator::on(const ServerLost &event)
{
    m_trouble = event.message;
    if (event.refused) {
        serverDied();
        // Nobody listens: the process is gone, and what its slots held with it.
        forgetContents(QStringLiteral("the server is gone"));
    }
    if (!m_unreachable) {
        m_unreachable = true;
        Notice &away = notice(eventname::backendUnavailable);
        away.reason = event.message;
        away.code = errorCodeName(ErrorCode::BackendUnavailable);
    }
}

void Coordinator::syncSlots(const std::vector<SlotObservation> &listed)
{
    m_totalSlots = static_cast<int>(listed.size());
    m_othersProcessing = std::any_of(
        listed.begin(), listed.end(), [](const SlotObservation &shown) { return shown.processing; });
    learnNeighbours(listed);
    for (const SlotObservation &shown : listed) {
        Slot *slot = slotOf({ {}, shown.id });
        if (slot != nullptr && slot->job && slot->job->phase != Job::Phase::Look && shown.processing) {
            slot->job->disturbed = true; // a look for another slot shows a stranger in this one
        }
    }
    if (m_policy.mode != SlotMode::ManagedSlots) {
        return;
    }
    for (const SlotObservation &shown : listed) {
        const SlotKey key { {}, shown.id };
        if (!m_slots.contains(key)) {
            Slot slot;
            slot.key = key;
            slot.contextTokens = shown.contextTokens;
            m_slots.emplace(key, slot);
        }
    }
    const auto isShown = [&](const SlotKey &key) { return findSlot(listed, key.id) != nullptr; };
    for (auto &[key, slot] : m_slots) {
        slot.retired = false;
        if (!isShown(key)) {
            dropOwner(slot, QStringLiteral("the server does not list the slot any more"));
        }
    }
    std::erase_if(m_slots, [&](const auto &entry) {
        const Slot &slot = entry.second;
        return !isShown(entry.first) && slot.lease == 0 && slot.foreign == 0 && !slot.job
            && slot.late.empty();
    });
}

void Coordinator::countFailure(const QString &why)
{
    m_trouble = why;
    if (m_breaker.failed(m_now.monoMs)) {
        Notice &open = notice(eventname::circuitOpen);
        open.reason = why;
        open.ms = static_cast<double>(m_breaker.pauseMs());
        giveUpAll(why);
    }
}

bool Coordinator::countSuccess() { return m_breaker.succeeded(); }

void Coordinator::giveUpAll(const QString &reason)
{
    // Ownership is given up; who waits goes on at once. Jobs under way end with the answer they await.
    for (auto &[key, slot] : m_slots) {
        if (slot.lease == 0 && !slot.job) {
            dropOwner(slot, reason);
        }
    }
    std::deque<Waiter> waiting;
    waiting.swap(m_waiters);
    for (const Waiter &waiter : waiting) {
        if (m_policy.strict) {
            refuse(waiter, ErrorCode::BackendUnavailable, reason, true);
        } else {
            grantForeign(waiter, m_slots.size() == 1 ? &m_slots.begin()->second : nullptr, reason);
        }
    }
}

void Coordinator::probeReply(const OpReply &reply)
{
    m_probeOp = 0;
    m_probeDeadlineMs = -1;
    const bool ok = reply.failure == OpFailure::None;
    if (!ok) {
        m_trouble = reply.message;
    }
    if (m_breaker.probeFinished(ok, m_now.monoMs)) {
        m_lastAliveMs = m_now.monoMs;
        notice(eventname::circuitRecovered);
    }
}

qint64 Coordinator::nextWakeMs() const
{
    Soonest soonest(m_now.monoMs);
    for (const auto &[key, slot] : m_slots) {
        wakeOf(slot, soonest);
    }
    for (const Waiter &waiter : m_waiters) {
        if (waiter.begin.timeoutMs >= 0) {
            soonest.at(waiter.sinceMs + waiter.begin.timeoutMs);
        }
    }
    for (const auto &[id, lease] : m_leases) {
        if (!m_waiters.empty()) {
            soonest.later(lease.nextCheckMs);
        }
    }
    soonest.later(m_toEmpty.empty() ? -1 : m_emptyRetryMs);
    if (!m_failedRemovals.empty() || (m_names.isLow() && m_raises.empty())) {
        soonest.later(m_storeRetryMs);
    }
    soonest.at(m_serverLook != 0 ? m_serverLookDeadlineMs : -1);
    soonest.at(m_probeOp != 0 ? m_probeDeadlineMs : -1);
    soonest.at(m_shutdown ? -1 : m_breaker.probeDueMs());
    soonest.at(m_paused ? m_pausedUntilMs : -1);
    soonest.at(m_shutdown && !m_shutdownDone ? m_shutdownDeadlineMs : -1);
    return soonest.value();
}

void Coordinator::wakeOf(const Slot &slot, Soonest &soonest) const
{
    if (slot.job) {
        soonest.at(slot.job->op.deadlineMonoMs);
        const std::optional<Waiter> &waiter = slot.job->waiter;
        if (waiter && !slot.job->cancelled && waiter->begin.timeoutMs >= 0) {
            soonest.at(waiter->sinceMs + waiter->begin.timeoutMs);
        }
        return;
    }
    soonest.later(slot.recheckMs);
    if (slot.owner && slot.lease == 0 && slot.owner->needsSave()) {
        soonest.later(slot.owner->idleDeadlineMs);
        if (slot.owner->dirtySinceMs >= 0) {
            soonest.later(slot.owner->dirtySinceMs + m_policy.maxDirtyMs);
        }
    }
    if (slot.draining && slot.owner) {
        soonest.later(slot.settleMs);
    }
    for (const Waiter &waiter : m_waiters) {
        if (slot.heldUntilMs > m_now.monoMs) {
            soonest.later(slot.heldUntilMs);
            soonest.later(std::max(slot.heldSinceMs, waiter.sinceMs) + m_policy.leaseHoldMs - waiter.heldMs);
        }
        if (waiter.isAuxiliary()) {
            soonest.later(slot.quietSinceMs + c_auxiliaryQuietMs);
            soonest.later(waiter.sinceMs + c_auxiliaryPatienceMs);
        }
    }
}

SessionState Coordinator::sessionState(const QString &session) const
{
    if (const Slot *slot = ownedSlot(session)) {
        switch (stateOf(*slot)) {
        case SlotState::Saving:
            return SessionState::Saving;
        case SlotState::Restoring:
            return SessionState::Restoring;
        default:
            return slot->owner->isDirty() || slot->lease != 0 ? SessionState::ActiveDirty
                                                              : SessionState::ActiveClean;
        }
    }
    for (const auto &[key, slot] : m_slots) {
        if (slot.job && slot.job->phase != Job::Phase::Look && slot.job->waiter
            && slot.job->waiter->begin.session == session && stateOf(slot) == SlotState::Restoring) {
            return SessionState::Restoring;
        }
    }
    const SnapshotIndex::Rows *rows = m_index.find(session);
    if (rows == nullptr) {
        return SessionState::None;
    }
    if (m_identity.known()) {
        return m_index.match(session, *m_identity.fingerprint).usable != nullptr ? SessionState::Saved
                                                                                 : SessionState::Invalid;
    }
    return rows->front().state == SnapshotState::Invalid ? SessionState::Invalid : SessionState::Saved;
}

} // namespace kv
