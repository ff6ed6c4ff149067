// SPDX-License-Identifier: MIT
// Erases: of an empty slot, of content that is saved or worthless, and after a restore that went wrong.
#include "coordinator.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_mostEraseMs = 10000;
constexpr qint64 c_eraseRetryMs = 1000;
}

bool Coordinator::mustEraseFirst(const Slot &slot) const
{
    // What an unproved restore left may be another model's state: the next request would reuse it, and the
    // server's host cache would keep it. Only another restore takes its place as well.
    const Job &job = *slot.job;
    if (!slot.unproven || !job.waiter || job.cancelled || job.disturbed || slot.foreign > 0
        || !slot.late.empty() || !restReason().isEmpty()) {
        return false;
    }
    return job.waiter->kind == Waiter::Kind::Erase || job.waiter->isAuxiliary()
        || matchFor(*job.waiter).usable == nullptr;
}

void Coordinator::startErase(Slot &slot, Job::Phase phase)
{
    Op op;
    op.kind = OpKind::Erase;
    op.deadlineMonoMs = m_now.monoMs + std::min(c_mostEraseMs, m_policy.requestTimeoutMs);
    startStep(slot, phase, op);
}

void Coordinator::afterErase(Slot &slot, const OpReply &reply)
{
    Job &job = *slot.job;
    const bool afterFailure = job.phase != Job::Phase::Erase;
    const bool retries = job.phase == Job::Phase::EraseBeforeRetry && reply.failure == OpFailure::None;
    QString reason = job.failure;
    if (reply.failure == OpFailure::None) {
        answerOrphanedSaves(slot.key, QStringLiteral("the slot was erased"));
        slot.owner.reset();
        slot.knownEmpty = true;
        slot.unproven = false;
        slot.worthless = false;
        slot.tokens = 0;
    } else {
        if (reply.failure == OpFailure::Unsupported) {
            m_unsupported = reply.message;
        } else {
            countFailure(reply.message);
        }
        m_trouble = reply.message;
        reason = reason.isEmpty() ? reply.message : reason;
    }
    if (job.kind == Job::Kind::Empty) {
        if (reply.failure != OpFailure::None) {
            m_emptyRetryMs = m_now.monoMs + c_emptyRetryMs;
            finishJob(slot);
        } else if (!yieldToOther(slot)) {
            startEmptying(slot);
        }
        return;
    }
    if (!job.waiter || job.cancelled) {
        if (reply.failure != OpFailure::None) {
            slot.recheckMs = m_now.monoMs + c_eraseRetryMs;
        }
        finishJob(slot);
        return;
    }
    if (retries) {
        if (!yieldToOther(slot)) {
            startLook(slot); // the snapshot is found again, and its file is known to be good
        }
        return;
    }
    if (job.waiter->kind == Waiter::Kind::Begin && slot.unproven) {
        grantForeign(*job.waiter, &slot, QStringLiteral("the slot could not be emptied: %1").arg(reason));
        finishJob(slot);
        return;
    }
    if (job.waiter->kind == Waiter::Kind::Begin) {
        grantFromJob(slot, afterFailure ? Outcome::ColdFallback : Outcome::Cold, reason);
        return;
    }
    if (afterFailure) {
        answerManual(job.waiter->request, Error { ErrorCode::RestoreFailed, job.failure, {} });
    } else if (reply.failure != OpFailure::None) {
        answerManual(job.waiter->request, Error { ErrorCode::EraseFailed, reply.message, {} });
    } else {
        ManualAnswer answer;
        answer.slot = slot.key.id;
        answer.tokens = reply.tokens;
        answer.ms = reply.wallMs;
        answerManual(job.waiter->request, answer);
    }
    finishJob(slot);
}

} // namespace kv
