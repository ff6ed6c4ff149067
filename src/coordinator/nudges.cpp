// SPDX-License-Identifier: MIT
// The nudge. llama-server defers an action that meets a busy slot, each release of a slot wakes one deferred
// task, and an action wakes nobody: behind an operation of ours that had to wait, somebody else's request (or
// a late operation) may be left for ever on an idle server. A prompt that is too long for its slot is refused
// without a trace, and wakes one. A build that takes such a prompt instead is found out once, on a slot that
// holds nothing, and never sent it again.
#include "coordinator.h"

#include <algorithm>

namespace kv {

namespace {
constexpr double c_waitedMs = 1000;
}

void Coordinator::noteWaited(const OpReply &reply)
{
    const bool answered
        = reply.failure != OpFailure::ConnectionRefused && reply.failure != OpFailure::ConnectionLost;
    if (answered && reply.wallMs > std::max(reply.serverMs, 0.0) + c_waitedMs) {
        oweNudge();
    }
}

void Coordinator::oweNudge() { m_nudgeOwed = true; }

void Coordinator::nudgeDone() { m_nudgeOwed = false; }

QString Coordinator::build() const
{
    return m_identity.fingerprint == nullptr ? QString() : m_identity.fingerprint->value(field::build);
}

Slot *Coordinator::slotToNudge()
{
    // On a build that was not probed yet only a slot that holds nobody's state.
    const bool probed = m_nudgeBuilds.contains(build());
    for (auto &[key, slot] : m_slots) {
        if (slot.lease == 0 && !slot.job && !slot.retired && slot.recheckMs <= m_now.monoMs
            && (!slot.owner || probed)) {
            return &slot;
        }
    }
    return nullptr;
}

void Coordinator::pumpNudge()
{
    if (!m_nudgeOwed || m_shutdown) {
        return;
    }
    const auto known = m_nudgeBuilds.find(build());
    if (build().isEmpty() || (known != m_nudgeBuilds.end() && !known->second) || m_sleeping
        || m_unreachable) {
        nudgeDone();
        return;
    }
    const bool willRelease = std::any_of(
        m_leases.begin(), m_leases.end(), [](const auto &entry) { return !entry.second.foreign; });
    const bool works = std::any_of(
        m_slots.begin(), m_slots.end(), [](const auto &entry) { return entry.second.job.has_value(); });
    if (willRelease || works || !bypassReason().isEmpty()) {
        return;
    }
    if (Slot *slot = slotToNudge()) {
        Job job;
        job.kind = Job::Kind::Nudge;
        startJob(*slot, std::move(job));
    }
}

void Coordinator::nudge(Slot &slot, bool others)
{
    if (others || slot.contextTokens <= 0) {
        nudgeDone(); // whoever is processed there wakes the next one when it ends
        finishJob(slot);
        return;
    }
    Op op;
    op.kind = OpKind::Nudge;
    op.contextTokens = slot.contextTokens;
    op.deadlineMonoMs = m_now.monoMs + m_policy.requestTimeoutMs;
    startStep(slot, Job::Phase::Nudge, op);
}

void Coordinator::afterNudge(Slot &slot, const OpReply &reply)
{
    nudgeDone();
    if (reply.failure == OpFailure::None || reply.failure == OpFailure::Unsupported) {
        m_nudgeBuilds[build()] = reply.failure == OpFailure::None;
    }
    if (reply.failure == OpFailure::Unsupported) {
        // It took the prompt: what the slot holds now is nobody's.
        dropOwner(slot, QStringLiteral("the server processed a prompt that it should have refused"));
        slot.known = false;
        slot.knownEmpty = false;
        slot.draining = true;
    }
    finishJob(slot);
}

} // namespace kv
