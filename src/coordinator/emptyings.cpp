// SPDX-License-Identifier: MIT
// Files of purged snapshots where only the server can touch them: an empty slot saved over such a file leaves
// 36 bytes in it. Until that was done the number is kept apart; the next save of anybody takes it first,
// which buries the old content as well.
#include "coordinator.h"

#include <algorithm>

namespace kv {

void Coordinator::toBeEmptied(const Snapshot &row)
{
    if (!m_policy.sharedFiles) {
        m_purged[row.name] = row.session;
    }
}

std::vector<NameNumber> Coordinator::purgedFiles() const
{
    std::vector<NameNumber> numbers;
    for (const auto &[number, session] : m_purged) {
        numbers.push_back(number);
    }
    return numbers;
}

bool Coordinator::fileRemains(const QString &session) const
{
    return std::any_of(
        m_purged.begin(), m_purged.end(), [&](const auto &entry) { return entry.second == session; });
}

NameNumber Coordinator::takeName()
{
    if (!m_toEmpty.empty()) {
        const NameNumber number = *m_toEmpty.begin();
        m_toEmpty.erase(m_toEmpty.begin());
        return number; // held all the time; in m_purged until something else was written there
    }
    return m_names.take();
}

void Coordinator::pumpEmptyings()
{
    if (m_toEmpty.empty() || m_shutdown || m_sleeping || m_unreachable || m_now.monoMs < m_emptyRetryMs
        || !bypassReason().isEmpty()) {
        return;
    }
    const auto rests = [&](const auto &entry) {
        const Slot &slot = entry.second;
        return !slot.owner && slot.lease == 0 && slot.foreign == 0 && !slot.job && slot.late.empty()
            && !slot.retired && !slot.draining && (slot.knownEmpty || slot.worthless)
            && slot.recheckMs <= m_now.monoMs;
    };
    const auto at = std::find_if(m_slots.begin(), m_slots.end(), rests);
    if (at != m_slots.end()) {
        Job job;
        job.kind = Job::Kind::Empty;
        startJob(at->second, std::move(job));
    }
}

void Coordinator::startEmptying(Slot &slot)
{
    if (m_toEmpty.empty() || !restReason().isEmpty()) {
        finishJob(slot);
        return;
    }
    Op op;
    op.kind = OpKind::Save;
    op.name = takeName();
    op.expectedTokens = 0;
    op.deadlineMonoMs = m_now.monoMs + m_policy.requestTimeoutMs;
    startStep(slot, Job::Phase::Empty, op);
}

void Coordinator::afterEmptying(Slot &slot, const OpReply &reply)
{
    const NameNumber number = slot.job->op.name;
    const bool disturbed = slot.job->disturbed || slot.foreign > 0;
    // Counted only if the server says that nothing was in it.
    const bool emptied = reply.failure == OpFailure::None && reply.tokens == 0;
    if (emptied) {
        m_purged.erase(number);
        m_room.remember(number, std::max<qint64>(reply.bytes, 0)); // what it held before is free again
        m_names.release(number);
    } else {
        releaseName(number); // kept apart again as soon as this operation is over
        m_emptyRetryMs = m_now.monoMs + c_emptyRetryMs;
        slot.known = false;
        slot.knownEmpty = false;
        if (reply.failure == OpFailure::Unsupported) {
            m_unsupported = reply.message;
        } else if (reply.failure != OpFailure::None && reply.failure != OpFailure::ConnectionRefused) {
            countFailure(reply.message);
        }
    }
    if (!emptied || disturbed || m_toEmpty.empty() || !m_waiters.empty()) {
        finishJob(slot); // whoever waits comes first
        return;
    }
    startEmptying(slot);
}

} // namespace kv
