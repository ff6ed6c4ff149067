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
    std::vector<NameNumber> numbers;
    for (const auto &[op, number] : m_lateNames) {
        numbers.push_back(number);
    }
    m_lateNames.clear();
    for (const NameNumber number : m_unfreed) {
        numbers.push_back(number);
    }
    m_unfreed.clear();
    for (const NameNumber number : numbers) {
        if (!nameOnRecord(number)) {
            freeName(number);
        }
    }
    for (auto &[key, slot] : m_slots) {
        slot.late.clear();
        slot.broken = false;
    }
}

bool Coordinator::nameOnRecord(NameNumber number) const
{
    const bool committing = std::any_of(m_commits.begin(), m_commits.end(),
        [&](const auto &entry) { return entry.second.row.name == number; });
    return committing || std::any_of(m_index.all().begin(), m_index.all().end(), [&](const auto &entry) {
        return std::any_of(entry.second.begin(), entry.second.end(),
            [&](const Snapshot &row) { return row.name == number; });
    });
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
    }
}

void Coordinator::on(const ServerLost &event)
{
    m_trouble = event.message;
    if (event.refused) {
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
    std::erase_if(m_slots, [&](const auto &entry) {
        const Slot &slot = entry.second;
        const bool shown = std::any_of(listed.begin(), listed.end(),
            [&](const SlotObservation &one) { return one.id == entry.first.id; });
        return !shown && slot.lease == 0 && slot.foreign == 0 && !slot.job && slot.late.empty();
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
    const bool ok = reply.failure == OpFailure::None;
    if (!ok) {
        m_trouble = reply.message;
    }
    if (m_breaker.probeFinished(ok, m_now.monoMs)) {
        m_lastAliveMs = m_now.monoMs;
        notice(eventname::circuitRecovered);
    }
}

void Coordinator::opOverdue(Slot &slot)
{
    Job &job = *slot.job;
    const Op op = job.op;
    const QString why = QStringLiteral("the server has not answered a %1 in time").arg(toString(op.kind));
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
    slot.late.insert(op.id);
    if (op.name >= 0) {
        m_lateNames.emplace(op.id, op.name);
    }
    Notice &failed
        = notice(op.kind == OpKind::Restore ? eventname::restoreFailed : eventname::saveFailed, &slot);
    failed.reason = why;
    failed.code = errorCodeName(ErrorCode::OperationTimeout);
    failed.outcome = toString(job.reason);
    const std::optional<Waiter> waiter = job.cancelled ? std::nullopt : job.waiter;
    answerSaves(slot.key, m_revision,
        Error { ErrorCode::OperationTimeout, QStringLiteral("Not saved: %1.").arg(why), {} });
    dropOwner(slot, why);
    finishJob(slot);
    countFailure(why);
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
        freeName(number);
        return;
    }
    for (auto &[key, slot] : m_slots) {
        if (slot.late.erase(reply.id) > 0) {
            if (reply.failure == OpFailure::ConnectionLost) {
                slot.late.insert(reply.id); // lost is not answered: it ends with the process
                return;
            }
            if (slot.late.empty()) {
                slot.known = false;
                slot.draining = true;
            }
            const auto name = m_lateNames.find(reply.id);
            if (name != m_lateNames.end()) {
                const NameNumber number = name->second;
                m_lateNames.erase(name);
                m_unfreed.erase(number);
                if (!nameOnRecord(number)) {
                    freeName(number);
                }
            }
            return;
        }
    }
    ++m_strayReplies; // no operation of that id: changes nothing
}

void Coordinator::leaseSeen(Slot &slot, const SlotObservation &seen)
{
    const auto found = m_leases.find(slot.lease);
    finishJob(slot);
    if (found == m_leases.end()) {
        return;
    }
    Lease &lease = found->second;
    if (seen.processing || lease.idleTask != seen.idTask) {
        lease.idleSinceMs = seen.processing ? -1 : m_now.monoMs;
        lease.idleTask = seen.idTask;
        return;
    }
    if (lease.idleSinceMs < 0) {
        lease.idleSinceMs = m_now.monoMs;
        return;
    }
    if (m_now.monoMs - lease.idleSinceMs < leasePatienceMs(lease)) {
        return;
    }
    Notice &released = notice(eventname::slotRelease, &slot);
    released.outcome = QStringLiteral("revoked");
    released.reason = QStringLiteral("its slot stayed idle while others waited");
    m_revoked.emplace(lease.id, slot.key);
    m_leases.erase(found);
    slot.lease = 0;
    dropOwner(slot, QStringLiteral("its lease was forgotten by its holder"));
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
    for (auto &[key, slot] : m_slots) {
        const auto found = m_leases.find(slot.lease);
        if (slot.job || found == m_leases.end()) {
            continue;
        }
        Lease &lease = found->second;
        const qint64 patience = leasePatienceMs(lease);
        const qint64 every = std::clamp(patience / 2, c_leastLeaseCheckMs, c_mostLeaseCheckMs);
        if (lease.nextCheckMs < 0) {
            lease.nextCheckMs = std::max(m_now.monoMs, lease.grantedMs) + every;
        }
        if (m_now.monoMs >= lease.nextCheckMs) {
            lease.nextCheckMs = m_now.monoMs + every;
            Job job;
            job.kind = Job::Kind::LeaseCheck;
            startJob(slot, std::move(job));
        }
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
                later(std::max(slot.quietSinceMs, waiter.sinceMs) + m_policy.leaseHoldMs - waiter.heldMs);
            }
            if (waiter.isAuxiliary()) {
                later(slot.quietSinceMs + 2000);
                later(waiter.sinceMs + 10000);
            }
        }
        if (const auto lease = m_leases.find(slot.lease); lease != m_leases.end() && !m_waiters.empty()) {
            later(lease->second.nextCheckMs);
        }
    }
    for (const Waiter &waiter : m_waiters) {
        if (waiter.begin.timeoutMs >= 0) {
            at(waiter.sinceMs + waiter.begin.timeoutMs);
        }
    }
    at(m_serverLook != 0 ? m_serverLookDeadlineMs : -1);
    at(m_breaker.probeDueMs());
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
