// SPDX-License-Identifier: MIT
// The server seen from outside: another process, sleep, silence; operations past their time; the clock's next
// call.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>
#include <limits>

namespace kv {

namespace {
constexpr qint64 c_parentPatienceMs = 2000;
constexpr qint64 c_leastLeaseCheckMs = 250;
constexpr qint64 c_mostLeaseCheckMs = 10000;
}

void Coordinator::on(const ServerObserved &event)
{
    observe(event.identity, event.sleeping, event.totalSlots);
}

void Coordinator::observe(const Identity &identity, bool sleeping, int totalSlots)
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
        if (!first) {
            serverDied();
            forgetContents(QStringLiteral("the server was restarted"));
        }
        newBoot();
        if (identity.boot != m_lastBoot) {
            m_names.endRest();
            m_lastBoot = identity.boot;
            StoreCommand command;
            command.kind = StoreCommand::Kind::PutBoot;
            command.text = identity.boot;
            store(std::move(command));
        }
    }
    m_restoreLost.reset(); // whoever answers as before has not died of it
    if (!identity.boot.isEmpty()) {
        m_identity = identity;
    }
    for (auto &[key, slot] : m_slots) {
        if (slot.owner && slot.owner->content.known() && m_identity.known()
            && !slot.owner->content.sameAs(m_identity)) {
            dropOwner(slot, QStringLiteral("the model or its adapters changed"));
        }
    }
    if (sleeping && !m_sleeping) {
        forgetContents(QStringLiteral("the server went to sleep"));
    }
    m_sleeping = sleeping;
    if (totalSlots > 0 && m_totalSlots > 0 && totalSlots != m_totalSlots) {
        forgetContents(QStringLiteral("the server has %1 slots now").arg(totalSlots));
    }
    m_totalSlots = totalSlots > 0 ? totalSlots : m_totalSlots;
}

void Coordinator::newBoot()
{
    // Every unanswered operation is void, and with it what kept names and slots taken.
    m_unsupported.clear();
    m_breaker.reset();
    // (A name whose operation has not been answered at all stays taken: it costs nothing.)
    std::erase_if(m_lateNames, [&](const auto &entry) { return m_lostOps.contains(entry.first); });
    m_lostOps.clear();
    for (auto &[key, slot] : m_slots) {
        slot.late.clear();
        slot.broken = false;
    }
}

void Coordinator::serverDied()
{
    if (!m_restoreLost) {
        return;
    }
    // The process went down while it read that file. Once is enough: a damaged file can kill the server.
    if (Snapshot *row = m_index.row(m_restoreLost->session, m_restoreLost->fingerprint->hash());
        row != nullptr && row->name == m_restoreLost->name && row->state != SnapshotState::Invalid) {
        row->state = SnapshotState::Invalid;
        row->reason = QStringLiteral("SERVER_DIED");
        putChanged(*row);
        Notice &invalid = notice(eventname::snapshotInvalidated);
        invalid.session = row->session;
        invalid.label = row->label;
        invalid.reason = row->reason;
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
    const auto isShown = [&](const SlotKey &key) {
        return std::any_of(
            listed.begin(), listed.end(), [&](const SlotObservation &one) { return one.id == key.id; });
    };
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

void Coordinator::opOverdue(Slot &slot, bool lost)
{
    Job &job = *slot.job;
    const Op op = job.op;
    const QString why = (lost ? QStringLiteral("the connection broke before the server answered a %1")
                              : QStringLiteral("the server has not answered a %1 in time"))
                            .arg(toString(op.kind));
    if (op.kind != OpKind::Save && op.kind != OpKind::Restore && op.kind != OpKind::Erase) {
        // It changes nothing, so nothing has to be awaited: its answer will match no operation.
        OpReply reply;
        reply.id = op.id;
        reply.kind = op.kind;
        reply.failure = OpFailure::ServerError;
        reply.message = why;
        jobReply(slot, reply);
        return;
    }
    // Past its time, but it may still run in the server: its slot and its file name stay taken (invariant
    // 11).
    // Sent to a process that is gone, it is void; only the name of one not answered at all stays taken.
    const bool over = m_identity.boot != job.identity.boot;
    if (!over) {
        slot.late.insert(op.id);
    }
    if (lost && !over) {
        m_lostOps.insert(op.id);
    }
    if (op.name >= 0 && !(lost && over)) {
        m_lateNames.emplace(op.id, op.name);
    }
    if (op.kind == OpKind::Save) {
        releaseName(op.name); // once that is over
    }
    if (op.kind == OpKind::Restore && lost) {
        m_restoreLost = job.restoring;
        if (over) {
            serverDied();
        }
    }
    if (op.kind != OpKind::Erase) {
        Notice &failed
            = notice(op.kind == OpKind::Restore ? eventname::restoreFailed : eventname::saveFailed, &slot);
        failed.session = op.kind == OpKind::Restore ? job.restoring.session : job.saving.session;
        failed.label = op.kind == OpKind::Restore ? job.restoring.label : job.saving.label;
        failed.reason = why;
        failed.code = errorCodeName(ErrorCode::OperationTimeout);
        failed.outcome = toString(job.reason);
    }
    const std::optional<Waiter> waiter = job.cancelled ? std::nullopt : job.waiter;
    answerOpenSaves(
        slot.key, Error { ErrorCode::OperationTimeout, QStringLiteral("Not saved: %1.").arg(why), {} });
    dropOwner(slot, why);
    slot.known = false;
    finishJob(slot);
    if (!over) {
        countFailure(why);
    }
    if (!waiter) {
        return;
    }
    if (waiter->kind != Waiter::Kind::Begin) {
        answerManual(waiter->request,
            Error { ErrorCode::OperationTimeout, QStringLiteral("Given up: %1.").arg(why), {} });
    } else if (m_policy.strict) {
        refuse(*waiter, op.kind == OpKind::Restore ? ErrorCode::RestoreFailed : ErrorCode::SaveFailed, why,
            true);
    } else {
        m_waiters.push_back(*waiter);
    }
}

void Coordinator::lateReply(const OpReply &reply)
{
    if (const auto deletion = m_deletions.find(reply.id); deletion != m_deletions.end()) {
        const NameNumber number = deletion->second;
        m_deletions.erase(deletion);
        m_names.release(number);
        return;
    }
    for (auto &[key, slot] : m_slots) {
        if (slot.late.erase(reply.id) > 0) {
            if (reply.failure == OpFailure::ConnectionLost) {
                slot.late.insert(reply.id); // lost is not answered: it ends with the process
                m_lostOps.insert(reply.id);
                return;
            }
            if (slot.late.empty()) {
                slot.known = false;
                slot.draining = true;
            }
            m_lateNames.erase(reply.id);
            return;
        }
    }
    if (m_lateNames.erase(reply.id) > 0) {
        return; // of a process that is gone
    }
    ++m_strayReplies; // no operation of that id: changes nothing
}

void Coordinator::leaseSeen(Slot &slot, const SlotObservation &seen)
{
    finishJob(slot);
    std::vector<Lease> forgotten;
    for (auto &[id, lease] : m_leases) {
        if (lease.slot != slot.key) {
            continue;
        }
        if (seen.processing || lease.idleTask != seen.idTask || lease.idleSinceMs < 0) {
            lease.idleSinceMs = seen.processing ? -1 : m_now.monoMs;
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

qint64 Coordinator::nextWakeMs() const
{
    qint64 wake = std::numeric_limits<qint64>::max();
    const auto at = [&](qint64 ms) {
        if (ms >= 0) {
            wake = std::min(wake, std::max(ms, m_now.monoMs + 1));
        }
    };
    const auto later = [&](qint64 ms) {
        if (ms > m_now.monoMs) {
            at(ms);
        }
    };
    for (const auto &[key, slot] : m_slots) {
        if (slot.job) {
            at(slot.job->op.deadlineMonoMs);
            const std::optional<Waiter> &waiter = slot.job->waiter;
            if (waiter && !slot.job->cancelled && waiter->begin.timeoutMs >= 0) {
                at(waiter->sinceMs + waiter->begin.timeoutMs);
            }
            continue;
        }
        later(slot.recheckMs);
        if (slot.owner && slot.lease == 0 && slot.owner->needsSave()) {
            later(slot.owner->idleDeadlineMs);
            if (slot.owner->dirtySinceMs >= 0) {
                later(slot.owner->dirtySinceMs + m_policy.maxDirtyMs);
            }
        }
        if (slot.draining && slot.owner) {
            later(slot.settleMs);
        }
        for (const Waiter &waiter : m_waiters) {
            later(slot.heldUntilMs);
            if (slot.heldUntilMs > m_now.monoMs) {
                later(std::max(slot.heldSinceMs, waiter.sinceMs) + m_policy.leaseHoldMs - waiter.heldMs);
            }
            if (waiter.isAuxiliary()) {
                later(slot.quietSinceMs + 2000);
                later(waiter.sinceMs + 10000);
            }
        }
    }
    for (const Waiter &waiter : m_waiters) {
        if (waiter.begin.timeoutMs >= 0) {
            at(waiter.sinceMs + waiter.begin.timeoutMs);
        }
    }
    for (const auto &[id, lease] : m_leases) {
        if (!m_waiters.empty()) {
            later(lease.nextCheckMs);
        }
    }
    if (!m_failedRemovals.empty() || (m_names.isLow() && m_raises.empty())) {
        later(m_storeRetryMs);
    }
    at(m_serverLook != 0 ? m_serverLookDeadlineMs : -1);
    at(m_probeOp != 0 ? m_probeDeadlineMs : -1);
    at(m_shutdown ? -1 : m_breaker.probeDueMs());
    at(m_paused ? m_pausedUntilMs : -1);
    at(m_shutdown && !m_shutdownDone ? m_shutdownDeadlineMs : -1);
    return wake == std::numeric_limits<qint64>::max() ? -1 : wake;
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
