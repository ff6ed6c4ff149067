// SPDX-License-Identifier: MIT
// What a look at a slot proves about its content.
#include "coordinator.h"
#include "reuse.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_recheckMs = 250;
constexpr int c_mostDoublings = 3; ///< looking often delays the server's notice of clients that left

constexpr qint64 c_firstLookMs = 5000;

/// An aborted request tells no usage, and any count may be a stranger's who came after it (invariant 11). The
/// first look after it tells the task that is the slot's last: from then on another one is somebody else's.
/// While the slot still works, the server also tells what that task took over from the slot. A request that
/// nobody saw at work may never have reached the server, and what came before it stays unseen.
void watchTouched(Ownership &owner, const SlotObservation &seen, qint64 nowMs)
{
    if (!owner.touched || !seen.idTask) {
        return;
    }
    const bool first = !owner.touchedTask;
    const qint64 reused = seen.reusedTokens.value_or(0);
    const bool fits = reused <= owner.provenTokens && !looksForeign(reused, owner.provenTokens);
    const bool notBegun = !seen.processing && seen.promptTokens == owner.provenTokens;
    if (first) {
        owner.touchedTask = seen.idTask;
    }
    owner.touchedBegan = owner.touchedBegan || (seen.processing && reused > 0 && fits);
    if (owner.touchedTask != seen.idTask || (reused > 0 && !fits && !notBegun)
        || (first && !seen.processing && nowMs - owner.touchedMs > c_firstLookMs)) {
        owner.strayed = true;
    }
}

bool grewFromItsOwn(const Ownership &owner, const SlotObservation &seen, qint64 onRecord)
{
    return owner.provenTokens > 0 && *seen.promptTokens >= std::max(owner.provenTokens, onRecord)
        && (owner.touchedBegan || *seen.promptTokens == owner.provenTokens) && owner.touchedTask
        && owner.touchedTask == seen.idTask && !owner.strayed;
}
}

qint64 Coordinator::tokensOnRecord(const Ownership &owner) const
{
    // An aborted request never replaces a snapshot with fewer tokens, be that one still on its way.
    const Snapshot *row = m_index.compatible(owner.session, *owner.content.fingerprint);
    qint64 tokens = row != nullptr ? row->tokens : 0;
    for (const auto &[seq, commit] : m_commits) {
        const bool same = commit.row.session == owner.session && !commit.dropped
            && commit.row.fingerprint->hash() == owner.content.fingerprint->hash();
        tokens = same ? std::max(tokens, commit.row.tokens) : tokens;
    }
    return tokens;
}

const SlotObservation *findSlot(const std::vector<SlotObservation> &listed, int id)
{
    const auto at = std::find_if(
        listed.begin(), listed.end(), [id](const SlotObservation &shown) { return shown.id == id; });
    return at == listed.end() ? nullptr : &*at;
}

void Coordinator::takeObservation(Slot &slot, const SlotObservation &seen)
{
    slot.job->seen = seen;
    slot.known = true;
    slot.contextTokens = seen.contextTokens > 0 ? seen.contextTokens : slot.contextTokens;
    slot.idTask = seen.idTask;
    if (slot.owner) {
        watchTouched(*slot.owner, seen, m_now.monoMs);
    }
}

void Coordinator::busySlot(Slot &slot)
{
    // Never queue behind somebody: an action sent now would be deferred and run after somebody else's
    // request.
    slot.recheckMs = m_now.monoMs + (c_recheckMs << std::min(slot.busyLooks, c_mostDoublings));
    ++slot.busyLooks;
    slot.draining = true; // somebody's request runs in it: not even its owner may have it before it rests
    if (slot.job->waiter) {
        m_waiters.push_back(*slot.job->waiter);
    }
    finishJob(slot);
}

bool Coordinator::yieldToOther(Slot &slot)
{
    Job &job = *slot.job;
    const bool resting = !restReason().isEmpty();
    if (slot.foreign == 0 && !job.disturbed && !resting) {
        return false;
    }
    // Invariant 2: a foreign holder may send to it at any time, and what the look showed no longer holds.
    if (job.waiter && !job.cancelled) {
        m_waiters.push_back(*job.waiter);
    } else if (job.kind == Job::Kind::Checkpoint && resting) {
        answerOrphanedSaves(slot.key, restReason());
    }
    if (job.phase != Job::Phase::Look) {
        slot.known = false;
    }
    finishJob(slot);
    return true;
}

void Coordinator::reconcile(Slot &slot, const SlotObservation &seen)
{
    slot.tokens = seen.promptTokens;
    slot.unproven = slot.unproven && seen.promptTokens != std::optional<qint64>(0);
    slot.knownEmpty = seen.promptTokens.has_value() ? *seen.promptTokens == 0
                                                    : !seen.idTask.has_value() && !slot.unproven;
    if (!slot.owner) {
        return;
    }
    Ownership &owner = *slot.owner;
    if (!owner.content.sameAs(m_identity)) {
        const bool otherRuntime = owner.content.known() && m_identity.known();
        if (otherRuntime || owner.content.boot != m_identity.boot) {
            dropOwner(slot, QStringLiteral("the server process or its model changed"));
        }
        return;
    }
    if (!seen.promptTokens.has_value()) {
        // No task ran there in this process: it holds what we restored, else nothing.
        if (owner.isDirty() || owner.provenTokens == 0) {
            dropOwner(slot, QStringLiteral("the server shows the slot as unused"));
        } else {
            slot.knownEmpty = false;
            slot.tokens = owner.provenTokens;
        }
        return;
    }
    if (*seen.promptTokens == 0) {
        dropOwner(slot, QStringLiteral("the slot was cleared by the server"));
        return;
    }
    if (owner.touched) {
        if (!grewFromItsOwn(owner, seen, tokensOnRecord(owner))) {
            dropOwner(slot, QStringLiteral("what the aborted request left cannot be told from another's"));
            return;
        }
        owner.touched = false;
        owner.expectedTokens = *seen.promptTokens;
    }
    if (looksForeign(*seen.promptTokens, owner.expectedTokens)) {
        ++m_strangers;
        dropOwner(slot,
            QStringLiteral("another client used the slot (%1 tokens instead of %2)")
                .arg(*seen.promptTokens)
                .arg(owner.expectedTokens));
        return;
    }
    if (owner.strayed && owner.expectedTokens < 0) {
        dropOwner(slot, QStringLiteral("a request that named no slot may have used this one"));
        return;
    }
    if (owner.expectedTokens >= 0) {
        owner.provenTokens = *seen.promptTokens;
        owner.strayed = strayRequests(slot);
    }
}

} // namespace kv
