// SPDX-License-Identifier: MIT
// Operations past their time: they may still run, so their slots and names stay taken.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>

namespace kv {

void Coordinator::opOverdue(Slot &slot, bool lost)
{
    Job &job = *slot.job;
    const Op op = job.op;
    const QString why = (lost ? QStringLiteral("the connection broke before the server answered a %1")
                              : QStringLiteral("the server has not answered a %1 in time"))
                            .arg(toString(op.kind));
    if (!changesSlot(op.kind)) {
        // It changes nothing, so nothing has to be awaited: its answer will match no operation.
        OpReply reply;
        reply.id = op.id;
        reply.kind = op.kind;
        reply.failure = OpFailure::ServerError;
        reply.message = why;
        jobReply(slot, reply);
        return;
    }
    const bool over = markLate(slot, lost);
    oweNudge();
    if (op.kind != OpKind::Erase && job.kind != Job::Kind::Empty) {
        const bool restore = op.kind == OpKind::Restore;
        Notice &failed
            = restore ? restoreNotice(eventname::restoreFailed, slot) : notice(eventname::saveFailed, &slot);
        failed.session = restore ? failed.session : job.saving.session;
        failed.label = restore ? failed.label : job.saving.label;
        failed.reason = why;
        failed.code = errorCodeName(ErrorCode::OperationTimeout);
        failed.outcome = toString(job.reason);
    }
    const bool own = job.source == JobSource::Own && !(slot.owner && slot.owner->doneWhenSaved);
    const std::optional<Waiter> waiter = job.cancelled ? std::nullopt : job.waiter;
    answerOpenSaves(
        slot.key, Error { ErrorCode::OperationTimeout, QStringLiteral("Not saved: %1.").arg(why), {} });
    dropOwner(slot, why);
    slot.known = false;
    finishJob(slot);
    if (!over) {
        countFailure(why);
    }
    if (waiter) {
        goOnWithout(*waiter, op.kind, own, why);
    }
}

bool Coordinator::markLate(Slot &slot, bool lost)
{
    const Job &job = *slot.job;
    const Op op = job.op;
    // Past its time, but it may still run in the server: its slot and its file name stay taken (invariant
    // 11).
    // Only a broken connection shows that it went with the process it was meant for: whoever stands before
    // the server (a proxy that loads models on demand) may hand it to the next one.
    const bool outlived = m_identity.boot != job.identity.boot;
    const bool over = lost && outlived;
    if (!over) {
        slot.late.insert(op.id);
        if (lost) {
            m_lostOps.insert(op.id);
        } else if (outlived) {
            m_outlivedOps.insert(op.id);
        }
        if (op.name >= 0) {
            m_lateNames.emplace(op.id, op.name);
        }
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
    return over;
}

void Coordinator::goOnWithout(const Waiter &waiter, OpKind failed, bool own, const QString &why)
{
    if (waiter.kind != Waiter::Kind::Begin) {
        answerManual(waiter.request,
            Error { ErrorCode::OperationTimeout, QStringLiteral("Given up: %1.").arg(why), {} });
    } else if (m_policy.strict && own) {
        refuse(
            waiter, failed == OpKind::Restore ? ErrorCode::RestoreFailed : ErrorCode::SaveFailed, why, true);
    } else {
        m_waiters.push_back(waiter);
    }
}

bool Coordinator::awaitsWrites() const
{
    return !m_lateNames.empty() || std::any_of(m_slots.begin(), m_slots.end(), [](const auto &entry) {
        return entry.second.job && entry.second.job->op.kind == OpKind::Save;
    });
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
            const bool outlived = m_outlivedOps.erase(reply.id) > 0;
            if (reply.failure == OpFailure::ConnectionLost && !outlived) {
                slot.late.insert(reply.id); // lost is not answered: it ends with the process
                m_lostOps.insert(reply.id);
                return;
            }
            oweNudge(); // it had waited
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

} // namespace kv
