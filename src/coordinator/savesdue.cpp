// SPDX-License-Identifier: MIT
// When a save is due, and who waits for one.
#include "coordinator.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_flushDelayMs = 2000;
constexpr qint64 c_beforeSleepMs = 5000;
}

qint64 Coordinator::idleDelayMs() const
{
    // A server that goes to sleep forgets its slots: where it is known when, the checkpoint comes before it.
    qint64 delay = m_policy.idleMs;
    if (delay > 0 && m_sleepIdleMs > 0) {
        delay = std::min(delay, std::max(m_sleepIdleMs / 2, m_sleepIdleMs - c_beforeSleepMs));
    } else if (delay > 0 && m_rates.sleepAfterMs > 0) {
        delay = std::min(delay,
            static_cast<qint64>(m_rates.sleepAfterMs / 2)); // seen asleep after that time; it may be less
    }
    return delay;
}

void Coordinator::requestSave(Slot &slot, SaveReason reason, qint64 atMs)
{
    Ownership &owner = *slot.owner;
    if (owner.idleDeadlineMs < 0 || atMs < owner.idleDeadlineMs || !owner.saveAtOnce) {
        owner.idleDeadlineMs = owner.idleDeadlineMs < 0 ? atMs : std::min(owner.idleDeadlineMs, atMs);
        owner.dueReason = reason;
    }
    if (atMs <= m_now.monoMs) {
        owner.saveAtOnce = true;
        owner.dueReason = reason;
    }
}

void Coordinator::on(const SessionHint &event)
{
    // Lazy: a session that is created, opened or resumed moves nothing; only a request does.
    Slot *slot = ownedSlot(event.session);
    if (slot != nullptr) {
        slot->owner->label = event.label.isEmpty() ? slot->owner->label : event.label;
        slot->owner->seq = event.seq >= 0 ? event.seq : slot->owner->seq;
    }
    switch (event.type) {
    case HintType::Created:
    case HintType::Resumed:
        return;
    case HintType::Flush:
        // Sent before every model call: of no account while a request of the session lives or waits.
        if (slot != nullptr && m_policy.onSessionFlush && slot->owner->needsSave()
            && !sessionActive(event.session)) {
            requestSave(*slot, SaveReason::Flush, m_now.monoMs + c_flushDelayMs);
        }
        return;
    case HintType::TurnEnd:
    case HintType::StepEnd: {
        const bool wanted = event.type == HintType::TurnEnd ? m_policy.onTurnEnd : m_policy.onStepEnd;
        if (slot != nullptr && wanted && slot->owner->needsSave()) {
            requestSave(*slot, event.type == HintType::TurnEnd ? SaveReason::TurnEnd : SaveReason::StepEnd,
                m_now.monoMs);
        }
        return;
    }
    case HintType::Compacted:
        if (slot != nullptr) {
            slot->owner->compactedHint = true;
        }
        return;
    case HintType::Disposed:
        disposed(event.session, slot);
        return;
    }
}

void Coordinator::disposed(const QString &session, Slot *slot)
{
    const SnapshotIndex::Rows *rows = m_index.find(session);
    const bool subagent
        = (slot != nullptr && slot->owner->subagent) || (rows != nullptr && rows->front().subagent);
    if (subagent && m_policy.subagents != SubagentCheckpoint::Always) {
        subagentDone(session, slot);
        return;
    }
    if (slot == nullptr) {
        return;
    }
    if (slot->lease != 0) {
        slot->owner->giveUpWhenSaved = true; // once its running request has ended
        return;
    }
    if (m_policy.onDispose && slot->owner->needsSave()) {
        slot->owner->giveUpWhenSaved = true;
        requestSave(*slot, SaveReason::Dispose, m_now.monoMs);
    } else if (!slot->owner->isDirty()) {
        slot->owner.reset();
        slot->worthless = true;
    } else {
        dropOwner(*slot, QStringLiteral("the session was disposed of"));
    }
}

void Coordinator::subagentDone(const QString &session, Slot *slot)
{
    const bool kept = slot != nullptr && slot->lease == 0 && slot->owner->needsSave() && !slot->owner->touched
        && !slot->owner->contaminated && m_policy.subagents != SubagentCheckpoint::Never;
    if (kept && !slot->owner->doneWhenSaved && isBaseWanted(*slot->owner)) {
        // Most are done right after their only turn: what others will begin with is saved all the same.
        slot->owner->doneWhenSaved = true;
        slot->heldUntilMs = -1;
        requestSave(*slot, SaveReason::Base, m_now.monoMs);
        return;
    }
    raiseEpoch(session);
    dropCommits(session, {}, {}, false);
    if (slot != nullptr && slot->lease == 0) {
        slot->worthless = true;
        slot->owner.reset();
        answerOrphanedSaves(slot->key, QStringLiteral("the sub-agent is done"));
    } else if (slot != nullptr) {
        slot->owner->contaminated = true; // what its running request makes is not kept
    }
    if (const SnapshotIndex::Rows *rows = m_index.find(session)) {
        const SnapshotIndex::Rows copy = *rows;
        for (const Snapshot &row : copy) {
            if (!row.pinned) {
                removeRow(row, QStringLiteral("its sub-agent is done"));
            }
        }
    }
}

bool Coordinator::giveUpDone(Slot &slot)
{
    if (!slot.owner || !slot.owner->doneWhenSaved) {
        return false;
    }
    subagentDone(QString(slot.owner->session), &slot);
    return true;
}

bool Coordinator::otherSlotBusy(const Slot &slot) const
{
    return std::any_of(m_slots.begin(), m_slots.end(), [&](const auto &entry) {
        return entry.first != slot.key && (entry.second.lease != 0 || entry.second.foreign > 0);
    });
}

void Coordinator::pumpCheckpoints()
{
    for (auto &[key, slot] : m_slots) {
        if (!slot.owner || slot.job || slot.lease != 0 || slot.foreign > 0 || !slot.late.empty()
            || slot.recheckMs > m_now.monoMs) {
            continue;
        }
        if (!slot.owner->saveAtOnce && giveUpDone(slot)) {
            continue; // it will not be saved
        }
        if (slot.owner->giveUpWhenSaved && !slot.owner->isDirty()) {
            slot.owner.reset();
            slot.worthless = true;
        } else if (slot.draining && !m_shutdown) {
            pumpSettle(slot);
        } else {
            pumpCheckpoint(slot);
        }
    }
}

void Coordinator::pumpSettle(Slot &slot)
{
    if (!bypassReason().isEmpty()) {
        pumpRests(slot);
    } else if (slot.settleMs <= m_now.monoMs) {
        Job job;
        job.kind = Job::Kind::Settle;
        startJob(slot, std::move(job));
    }
}

void Coordinator::pumpCheckpoint(Slot &slot)
{
    const Ownership &owner = *slot.owner;
    const bool asked = std::any_of(m_saveCalls.begin(), m_saveCalls.end(), [&](const SaveCall &call) {
        return call.slot == slot.key && call.session == owner.session && !isOnItsWay(call);
    }) || (owner.saveAtOnce && owner.dueReason == SaveReason::Manual);
    const bool due
        = asked || owner.saveAtOnce || (owner.idleDeadlineMs >= 0 && owner.idleDeadlineMs <= m_now.monoMs);
    if (!owner.needsSave() || !due) {
        return;
    }
    if (!bypassReason().isEmpty() && !(restReason().isEmpty() && (asked || m_shutdown))) {
        pumpRests(slot);
        return;
    }
    // A save stalls every slot of its server.
    const bool mayWait = !asked && !m_shutdown && owner.dueReason != SaveReason::Switch
        && m_now.monoMs < owner.dirtySinceMs + m_policy.maxDirtyMs;
    if (mayWait && otherSlotBusy(slot)) {
        return;
    }
    Job job;
    job.kind = Job::Kind::Checkpoint;
    job.reason = asked ? SaveReason::Manual : owner.dueReason;
    startJob(slot, std::move(job));
}

void Coordinator::pumpRests(Slot &slot)
{
    // Timers stop and dirty stays dirty; who asked is told, and nobody waits for what will not be done.
    const QString reason = bypassReason();
    answerOpenSaves(
        slot.key, Error { ErrorCode::BackendUnavailable, QStringLiteral("Not saved: %1.").arg(reason), {} });
    if (m_shutdown || slot.owner->dueReason == SaveReason::Manual) {
        slot.owner->saveAtOnce = false;
    }
}

void Coordinator::answerSaves(const Commit &commit, const Result<ManualAnswer> &result)
{
    const auto covered = [&](const SaveCall &call, const Commit &by) {
        return call.slot == by.slot && call.session == by.row.session && call.revision <= by.revision;
    };
    std::vector<SaveCall> rest;
    for (const SaveCall &call : m_saveCalls) {
        const bool again = !result.ok()
            && std::any_of(m_commits.begin(), m_commits.end(),
                [&](const auto &entry) { return covered(call, entry.second); });
        if (covered(call, commit) && !again) {
            answerManual(call.request, result);
        } else {
            rest.push_back(call);
        }
    }
    m_saveCalls = std::move(rest);
}

bool Coordinator::isOnItsWay(const SaveCall &call) const
{
    return std::any_of(m_commits.begin(), m_commits.end(), [&](const auto &entry) {
        const Commit &commit = entry.second;
        return commit.slot == call.slot && commit.row.session == call.session
            && commit.revision >= call.revision;
    });
}

void Coordinator::answerOrphanedSaves(const SlotKey &slot, const QString &reason)
{
    answerOpenSaves(slot,
        Error { ErrorCode::SlotStateInvalid,
            QStringLiteral("Not saved: %1. The last snapshot, if there is one, is kept.").arg(reason), {} });
}

void Coordinator::answerOpenSaves(const SlotKey &slot, const Result<ManualAnswer> &result)
{
    std::vector<SaveCall> rest;
    for (const SaveCall &call : m_saveCalls) {
        if (call.slot == slot && !isOnItsWay(call)) {
            answerManual(call.request, result);
        } else {
            rest.push_back(call);
        }
    }
    m_saveCalls = std::move(rest);
}

void Coordinator::pumpFlush()
{
    for (FlushCall &call : m_flushCalls) {
        std::erase_if(call.open, [&](const SlotKey &key) {
            const Slot *slot = slotOf(key);
            const bool waits = slot != nullptr && slot->owner && slot->owner->isDirty()
                && !slot->owner->compacting
                && (slot->job || slot->owner->saveAtOnce || !slot->owner->needsSave());
            if (!waits && slot != nullptr && slot->owner && !slot->owner->isDirty()) {
                ++call.saved;
            }
            return !waits;
        });
    }
    std::erase_if(m_flushCalls, [&](const FlushCall &call) {
        if (!call.open.empty()) {
            return false;
        }
        ManualAnswer answer;
        answer.count = call.saved;
        answerManual(call.request, answer);
        return true;
    });
}

void Coordinator::pumpShutdown()
{
    if (m_shutdownDone) {
        return;
    }
    const bool working
        = !m_commits.empty() || std::any_of(m_slots.begin(), m_slots.end(), [](const auto &entry) {
              return entry.second.job
                  || (entry.second.owner && entry.second.owner->saveAtOnce && entry.second.lease == 0);
          });
    if (!working || m_now.monoMs >= m_shutdownDeadlineMs) {
        m_shutdownDone = true;
        emitEffect(ShutdownDone {});
    }
}

} // namespace kv
