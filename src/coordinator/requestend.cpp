// SPDX-License-Identifier: MIT
// The end of a request: what the slot holds now, and what that proves.
#include "coordinator.h"
#include "eventname.h"
#include "reuse.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_silentHoldMs = 1000; ///< where a client never says whether more follows
constexpr double c_switchGuessMs = 250; ///< until one was measured
constexpr qint64 c_baseDelayMs
    = 500; ///< a base is best made early: a request that follows at once goes first
}

void Coordinator::on(const EndRequest &event)
{
    auto found = m_leases.find(event.lease);
    if (found != m_leases.end() && found->second.connection != event.connection) {
        found = m_leases.end(); // a lease belongs to the connection that asked for it
    }
    if (event.lease == 0 && !event.call.isEmpty()) {
        found = std::find_if(m_leases.begin(), m_leases.end(), [&](const auto &entry) {
            return entry.second.connection == event.connection && entry.second.call == event.call;
        });
    }
    const auto answer = [&](Result<std::variant<EndAnswer, ManualAnswer>> result) {
        if (event.request != 0) {
            emitEffect(Answer { event.request, std::move(result) });
        }
    };
    if (found != m_leases.end()) {
        const Lease lease = found->second;
        m_leases.erase(found);
        EndAnswer ended;
        Slot *slot = slotOf(lease.slot);
        if (slot != nullptr && !lease.foreign && !lease.auxiliary) {
            ended = endOwned(*slot, lease, event);
        } else {
            endLease(lease, event);
        }
        answer(std::variant<EndAnswer, ManualAnswer> { ended });
        return;
    }
    if (event.lease == 0 && !event.call.isEmpty()) {
        // The end of a begin that still waits cancels it: no request was sent.
        const RequestId waiting = waitingBegin(event.connection, event.call);
        if (waiting != 0) {
            cancelWaiter(waiting, true);
            answer(std::variant<EndAnswer, ManualAnswer> { EndAnswer {} });
            return;
        }
    }
    endRevoked(event);
    answer(Error { ErrorCode::LeaseUnknown,
        QStringLiteral("No such lease is held; it may have ended with its connection or been revoked. "
                       "Nothing needs to be done."),
        {} });
}

void Coordinator::endRevoked(const EndRequest &event)
{
    const auto revoked = std::find_if(m_revoked.begin(), m_revoked.end(), [&](const auto &entry) {
        const Lease &lease = entry.second;
        const bool named
            = event.lease != 0 ? lease.id == event.lease : !event.call.isEmpty() && lease.call == event.call;
        return named && lease.connection == event.connection;
    });
    if (revoked == m_revoked.end()) {
        return;
    }
    if (Slot *slot = slotOf(revoked->second.slot)) {
        // Its request may have run in what meanwhile is somebody else's slot.
        dropOwner(*slot, QStringLiteral("a request whose lease was revoked has ended"));
        slot->draining = true;
        if (slot->job) {
            slot->job->disturbed = true;
        }
    }
    m_revoked.erase(revoked);
}

RequestId Coordinator::waitingBegin(ConnectionId connection, const QString &call) const
{
    const auto isIt = [&](const Waiter &waiter) {
        return waiter.kind == Waiter::Kind::Begin && waiter.connection == connection
            && waiter.begin.call == call;
    };
    RequestId waiting = 0;
    if (const auto at = std::find_if(m_waiters.begin(), m_waiters.end(), isIt); at != m_waiters.end()) {
        waiting = at->request;
    }
    for (const auto &[key, slot] : m_slots) {
        if (slot.job && slot.job->waiter && !slot.job->cancelled && isIt(*slot.job->waiter)) {
            waiting = slot.job->waiter->request;
        }
    }
    return waiting;
}

void Coordinator::endLease(const Lease &lease, const EndRequest &end)
{
    Slot *slot = slotOf(lease.slot);
    if (slot == nullptr) {
        return;
    }
    if (lease.foreign) {
        slot->foreign = std::max(0, slot->foreign - 1);
    } else {
        slot->lease = 0;
        slot->toBook = lease.goesAnywhere;
        slot->worthless
            = end.outcome == EndOutcome::Ok; // invariant 7: an auxiliary request's state is nobody's
    }
    slot->quietSinceMs = m_now.monoMs;
    m_lastActivityMs = m_now.monoMs;
    if (end.outcome == EndOutcome::Ok) {
        nudgeDone(); // each request that ends wakes the next one
    }
    slot->tokens.reset();
    slot->known = slot->known && !lease.foreign;
    slot->draining = slot->draining || end.outcome != EndOutcome::Ok;
    Notice &released = notice(eventname::slotRelease, slot);
    released.session = lease.session;
    released.label = lease.label;
    released.outcome = toString(end.outcome);
    released.debug = true;
}

EndAnswer Coordinator::endOwned(Slot &slot, const Lease &lease, const EndRequest &end)
{
    EndAnswer answer;
    slot.lease = 0;
    slot.toBook = lease.goesAnywhere;
    slot.quietSinceMs = m_now.monoMs;
    slot.quietTask = m_tasks;
    m_lastActivityMs = m_now.monoMs;
    if (end.outcome == EndOutcome::Ok) {
        nudgeDone(); // each request that ends wakes the next one
    }
    learnRates(end);
    Notice &released = notice(eventname::slotRelease, &slot);
    released.outcome = toString(end.outcome);
    released.tokens = end.usage.promptTokens;
    released.ms = static_cast<double>(m_now.monoMs - lease.grantedMs);
    released.debug = true;
    if (!slot.owner) {
        slot.draining = slot.draining || end.outcome != EndOutcome::Ok;
        return answer; // given up while the request ran (a new server process, a purge)
    }
    noteOutcome(slot, end, answer);
    Ownership &owner = *slot.owner;
    if (owner.contaminated || (owner.touched && !owner.ownState)) {
        dropOwner(slot,
            owner.contaminated ? QStringLiteral("another request used the slot meanwhile")
                               : QStringLiteral("the session's first request did not finish"));
        return answer;
    }
    if (lease.compaction) {
        endCompaction(slot);
    } else {
        advanceRevision(slot, end);
    }
    holdForOwner(slot, end);
    answer.dirty = owner.isDirty();
    answer.revision = owner.dirtyRevision;
    return answer;
}

void Coordinator::noteOutcome(Slot &slot, const EndRequest &end, EndAnswer &answer)
{
    Ownership &owner = *slot.owner;
    const qint64 shown = expectedSlotTokens(end.usage);
    if (end.outcome == EndOutcome::Ok) {
        m_lastAliveMs = m_now.monoMs;
        judge(slot, end, answer);
        judgeBased(slot, end, answer);
        owner.expectedTokens = shown;
        owner.provenTokens = shown >= 0 ? shown : owner.provenTokens;
        owner.touched = false;
        slot.tokens = shown >= 0 ? std::optional<qint64>(shown) : std::nullopt;
    } else {
        slot.draining = true;
        owner.touched = true;
        owner.touchedMs = m_now.monoMs;
        owner.touchedTask.reset();
        owner.touchedBegan = end.timings.firstChunkMs >= 0;
        owner.awaitedReuse = -1;
        owner.basedOn.clear();
        owner.expectedTokens = -1;
        slot.tokens.reset();
    }
}

void Coordinator::endCompaction(Slot &slot)
{
    Ownership &owner = *slot.owner;
    owner.compacting = true; // the revision does not move; nothing is saved until the next conversation turn
    owner.compactedHint = true;
    owner.expectedTokens = -1;
    ManualAnswer skipped;
    skipped.slot = slot.key.id;
    skipped.skipped = QStringLiteral("compacting");
    answerOpenSaves(slot.key, skipped);
}

void Coordinator::advanceRevision(Slot &slot, const EndRequest &end)
{
    Ownership &owner = *slot.owner;
    // What a compaction left stays unsaved until a conversation turn has really replaced it.
    owner.compacting = owner.compacting && end.outcome != EndOutcome::Ok;
    if (!owner.isDirty()) {
        owner.dirtySinceMs = m_now.monoMs;
    }
    owner.dirtyRevision = ++m_revision;
    const qint64 delay = idleDelayMs();
    owner.idleDeadlineMs = delay > 0 ? m_now.monoMs + delay : -1;
    owner.dueReason = owner.saveAtOnce ? owner.dueReason : SaveReason::Idle;
    if (end.outcome == EndOutcome::Ok) {
        owner.fresh = isBaseWanted(owner); // what comes after what was not wanted is longer still
        if (owner.fresh) {
            requestSave(slot, SaveReason::Base, m_now.monoMs + c_baseDelayMs);
        }
    }
    if (owner.giveUpWhenSaved && m_policy.onDispose) {
        requestSave(slot, SaveReason::Dispose, m_now.monoMs);
    } else if (m_shutdown && m_policy.onShutdown) {
        requestSave(slot, SaveReason::Shutdown, m_now.monoMs);
    }
}

void Coordinator::holdForOwner(Slot &slot, const EndRequest &end)
{
    const double switchMs = m_rates.switchMs > 0 ? m_rates.switchMs : c_switchGuessMs;
    const qint64 mostMs = std::min(m_policy.leaseHoldMs, static_cast<qint64>(4 * switchMs));
    if (end.outcome == EndOutcome::Ok && end.more.value_or(true)) {
        slot.heldSinceMs = m_now.monoMs;
        slot.heldUntilMs = m_now.monoMs + (end.more.has_value() ? mostMs : std::min(mostMs, c_silentHoldMs));
    }
}

void Coordinator::on(const ClientGone &event)
{
    std::erase_if(m_saveCalls, [&](const SaveCall &call) { return call.connection == event.connection; });
    std::erase_if(m_flushCalls, [&](const FlushCall &call) { return call.connection == event.connection; });
    std::erase_if(m_purgeCalls, [&](const PurgeCall &call) { return call.connection == event.connection; });
    std::vector<RequestId> waiting;
    for (const Waiter &waiter : m_waiters) {
        if (waiter.connection == event.connection) {
            waiting.push_back(waiter.request);
        }
    }
    for (const auto &[key, slot] : m_slots) {
        if (slot.job && slot.job->waiter && !slot.job->cancelled
            && slot.job->waiter->connection == event.connection) {
            waiting.push_back(slot.job->waiter->request);
        }
    }
    for (const RequestId request : waiting) {
        cancelWaiter(request, false);
    }
    // A killed harness sends nothing else: the end of its connection is the end of all its calls.
    std::vector<Lease> held;
    for (const auto &[id, lease] : m_leases) {
        if (lease.connection == event.connection) {
            held.push_back(lease);
        }
    }
    for (const Lease &lease : held) {
        EndRequest end;
        end.connection = event.connection;
        end.lease = lease.id;
        end.outcome = EndOutcome::Aborted;
        on(end);
    }
    std::erase_if(m_revoked, [&](const auto &entry) { return entry.second.connection == event.connection; });
}

void Coordinator::on(const CancelRequest &event)
{
    cancelWaiter(event.request, true);
    const Error cancelled { ErrorCode::Cancelled,
        QStringLiteral("Cancelled. What was begun is finished all the same."), {} };
    const auto drop = [&](auto &calls) {
        if (std::erase_if(calls, [&](const auto &call) { return call.request == event.request; }) > 0) {
            answerManual(event.request, cancelled);
        }
    };
    drop(m_saveCalls);
    drop(m_flushCalls);
    drop(m_purgeCalls);
}

void Coordinator::cancelWaiter(RequestId request, bool answer)
{
    const auto refused = [&](const Waiter &waiter) {
        if (answer) {
            refuse(waiter, ErrorCode::Cancelled, QStringLiteral("Cancelled: no request was sent for it."),
                false);
        }
    };
    const auto at = std::find_if(
        m_waiters.begin(), m_waiters.end(), [&](const Waiter &waiter) { return waiter.request == request; });
    if (at != m_waiters.end()) {
        const Waiter waiter = *at;
        m_waiters.erase(at);
        refused(waiter);
        return;
    }
    for (auto &[key, slot] : m_slots) {
        if (slot.job && slot.job->waiter && !slot.job->cancelled && slot.job->waiter->request == request) {
            // A cancel never waits for a save: it is answered now, and the step under way is finished in
            // peace.
            const Waiter waiter = *slot.job->waiter;
            detachWaiter(slot);
            refused(waiter);
            return;
        }
    }
}

void Coordinator::detachWaiter(Slot &slot)
{
    if (slot.job->phase != Job::Phase::Restore && slot.job->phase != Job::Phase::RestoreIdentity) {
        slot.job->waiter.reset();
    } else {
        slot.job->cancelled = true; // what is being restored is still that session's
    }
}

void Coordinator::dropOwner(Slot &slot, const QString &reason)
{
    if (!slot.owner) {
        return;
    }
    const Ownership lost = *slot.owner;
    slot.owner.reset();
    slot.heldUntilMs = -1;
    if (lost.needsSave()) {
        Notice &dropped = notice(eventname::slotState);
        dropped.slot = slot.key;
        dropped.session = lost.session;
        dropped.label = lost.label;
        dropped.outcome = toString(SlotState::Unknown);
        dropped.reason = QStringLiteral("unsaved state given up: %1").arg(reason);
    }
    answerOrphanedSaves(slot.key, reason);
}

} // namespace kv
