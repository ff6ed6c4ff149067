// SPDX-License-Identifier: MIT
// Writes to the database: memory and free names change only when they are durable.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>

namespace kv {

namespace {
constexpr NameNumber c_firstHighWater = 64;
constexpr NameNumber c_raiseBy = 64;
constexpr qint64 c_storeRetryMs = 5000;
}

void Coordinator::on(const StoreDone &event)
{
    if (const auto raise = m_raises.find(event.seq); raise != m_raises.end()) {
        m_names.setHighWater(raise->second);
        m_raises.erase(raise);
        return;
    }
    if (const auto removal = m_removals.find(event.seq); removal != m_removals.end()) {
        const Snapshot removed = std::move(removal->second);
        m_removals.erase(removal);
        releaseFile(removed);
        settlePurges(event.seq, nullptr);
        return;
    }
    const auto found = m_commits.find(event.seq);
    if (found == m_commits.end()) {
        return;
    }
    const Commit commit = found->second;
    m_commits.erase(found);
    if (commit.dropped) {
        // Purged while the row was on its way: it must not come back. Its removal follows it.
        keepAsBase(commit); // of a sub-agent that is done
        answerSaves(commit, Error { ErrorCode::SlotStateInvalid, QStringLiteral("Not saved: purged."), {} });
        return;
    }
    for (const Snapshot &old : m_index.put(commit.row)) {
        if (old.fingerprint->hash() != commit.row.fingerprint->hash()) {
            storeRemoval(old);
        } else {
            releaseFile(old);
        }
    }
    m_suspectBoots.erase(commit.row.session); // that was another file
    if (commit.row.base) {
        shareChecksum(commit.row); // its session's file may have been read meanwhile
    }
    keepAsBase(commit);
    if (Slot *slot = slotOf(commit.slot); slot != nullptr && slot->ownedBy(commit.row.session)) {
        slot->owner->savedRevision = std::max(slot->owner->savedRevision, commit.revision);
    }
    Notice &saved = notice(eventname::snapshotSaved);
    saved.slot = commit.slot;
    saved.session = commit.row.session;
    saved.label = commit.row.label;
    saved.provider = commit.row.provider;
    saved.model = commit.row.model;
    saved.tokens = commit.row.tokens;
    saved.bytes = commit.row.bytes;
    saved.what = commit.row.base ? QStringLiteral("base") : QString();
    saved.debug = true;
    ManualAnswer answer;
    answer.revision = commit.revision;
    answer.slot = commit.slot.id;
    answer.tokens = commit.row.tokens;
    answer.bytes = commit.row.bytes;
    answer.ms = commit.ms;
    answerSaves(commit, answer);
}

void Coordinator::on(const StoreFailed &event)
{
    m_trouble = event.error.message;
    m_storeRetryMs = m_now.monoMs + c_storeRetryMs;
    m_raises.erase(event.seq);
    if (const auto removal = m_removals.find(event.seq); removal != m_removals.end()) {
        m_failedRemovals.push_back(removal->second); // the row may still name the file: it stays taken
        m_removals.erase(removal);
        settlePurges(event.seq, &event.error);
        return;
    }
    const auto found = m_commits.find(event.seq);
    if (found == m_commits.end()) {
        return;
    }
    const Commit commit = found->second;
    m_commits.erase(found);
    // Invariant 11: the row still names the previous file, which this save did not touch.
    if (!commit.dropped) {
        releaseFile(commit.row);
    }
    if (Slot *slot = slotOf(commit.slot); slot != nullptr && slot->ownedBy(commit.row.session)) {
        slot->owner->committingRevision = slot->owner->savedRevision;
        slot->owner->idleDeadlineMs = m_now.monoMs + std::max<qint64>(m_policy.idleMs, 1000);
        slot->owner->saveAtOnce = false;
        slot->owner->fresh
            = slot->owner->fresh || (!commit.base.isEmpty() && slot->owner->dirtyRevision == commit.revision);
    }
    if (commit.row.base) {
        return; // nothing was written for it, and the next new session offers another one
    }
    Notice &failed = notice(eventname::saveFailed);
    failed.slot = commit.slot;
    failed.session = commit.row.session;
    failed.label = commit.row.label;
    failed.reason = event.error.message;
    failed.code = errorCodeName(event.error.code);
    answerSaves(commit, event.error);
}

void Coordinator::retryRemovals()
{
    if (m_failedRemovals.empty() || m_now.monoMs < m_storeRetryMs) {
        return;
    }
    const auto sameRow = [](const Snapshot &a, const Snapshot &b) {
        return a.session == b.session && a.fingerprint->hash() == b.fingerprint->hash();
    };
    std::vector<Snapshot> rows;
    rows.swap(m_failedRemovals);
    std::vector<Snapshot> replaced;
    for (const Snapshot &row : rows) {
        const bool onItsWay = std::any_of(m_commits.begin(), m_commits.end(),
            [&](const auto &entry) { return !entry.second.dropped && sameRow(entry.second.row, row); });
        const Snapshot *newer = m_index.row(row.session, row.fingerprint->hash());
        if (onItsWay) {
            m_failedRemovals.push_back(row); // whether it takes the row's place is not known yet
            m_storeRetryMs = m_now.monoMs + c_storeRetryMs;
        } else if (newer == nullptr) {
            storeRemoval(row);
        } else if (newer->name != row.name) {
            replaced.push_back(row);
        }
    }
    for (const Snapshot &row : replaced) { // only now: another one may name the same file
        releaseFile(row);
    }
}

StoreSeq Coordinator::store(StoreCommand command)
{
    // Invariant 1: nothing waits for a write but what says so (a save's answer, a number's release).
    command.seq = m_nextSeq++;
    command.server = m_policy.server;
    const StoreSeq seq = command.seq;
    emitEffect(Store { std::move(command) });
    return seq;
}

void Coordinator::keepNumbersAhead()
{
    if (!m_names.isLow() || !m_raises.empty() || m_now.monoMs < m_storeRetryMs) {
        return;
    }
    StoreCommand command;
    command.kind = StoreCommand::Kind::RaiseHighWater;
    command.number = std::max(m_names.highWater() + c_raiseBy, c_firstHighWater);
    const NameNumber mark = command.number;
    m_raises.emplace(store(std::move(command)), mark);
}

} // namespace kv
