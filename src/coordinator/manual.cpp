// SPDX-License-Identifier: MIT
// What people ask for by hand, and rows that change or go.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>

namespace kv {

void Coordinator::on(const ManualRequest &event)
{
    switch (event.kind) {
    case ManualRequest::Kind::Save:
        manualSave(event);
        return;
    case ManualRequest::Kind::Flush:
        manualFlush(event);
        return;
    case ManualRequest::Kind::Invalidate:
        manualInvalidate(event);
        return;
    case ManualRequest::Kind::Purge:
        manualPurge(event);
        return;
    case ManualRequest::Kind::Pin:
        manualPin(event);
        return;
    case ManualRequest::Kind::Restore:
    case ManualRequest::Kind::Erase:
        break;
    }
    Waiter waiter;
    waiter.kind = event.kind == ManualRequest::Kind::Restore ? Waiter::Kind::Restore : Waiter::Kind::Erase;
    waiter.order = m_nextOrder++;
    waiter.sinceMs = m_now.monoMs;
    waiter.request = event.request;
    waiter.connection = event.connection;
    waiter.slot = event.slot;
    waiter.begin.session = event.session;
    waiter.begin.provider = event.provider;
    waiter.begin.model = event.model;
    if (m_shutdown) {
        refuse(waiter, ErrorCode::Cancelled, QStringLiteral("kv-persist is stopping."), false);
        return;
    }
    m_waiters.push_back(std::move(waiter));
}

void Coordinator::answerManual(RequestId request, Result<ManualAnswer> result)
{
    if (request == 0) {
        return;
    }
    if (result.ok()) {
        emitEffect(Answer { request, std::variant<EndAnswer, ManualAnswer> { result.value() } });
    } else {
        emitEffect(Answer { request, result.error() });
    }
}

void Coordinator::manualSave(const ManualRequest &event)
{
    Slot *slot = ownedSlot(event.session);
    if (slot == nullptr) {
        const bool known = m_index.find(event.session) != nullptr;
        if (known) {
            const Snapshot &row = m_index.find(event.session)->front();
            ManualAnswer answer;
            answer.tokens = row.tokens;
            answer.bytes = row.bytes;
            answer.skipped = QStringLiteral("not-resident");
            answerManual(event.request, answer);
            return;
        }
        answerManual(event.request,
            Error { ErrorCode::SessionUnknown,
                QStringLiteral("The session holds no slot, so there is nothing to save."), {} });
        return;
    }
    Ownership &owner = *slot->owner;
    if (!owner.isDirty() && slot->lease == 0) {
        ManualAnswer answer;
        answer.revision = owner.savedRevision;
        answer.slot = slot->key.id;
        answer.skipped = QStringLiteral("clean");
        const Snapshot *row = owner.content.fingerprint
            ? m_index.row(owner.session, owner.content.fingerprint->hash())
            : nullptr;
        if (row != nullptr) {
            answer.tokens = row->tokens;
            answer.bytes = row->bytes;
        }
        answerManual(event.request, answer);
        return;
    }
    if (owner.compacting && slot->lease == 0) {
        ManualAnswer answer;
        answer.slot = slot->key.id;
        answer.skipped = QStringLiteral("compacting");
        answerManual(event.request, answer);
        return;
    }
    SaveCall call;
    call.request = event.request;
    call.connection = event.connection;
    call.session = event.session;
    call.slot = slot->key;
    call.revision = std::max<quint64>(owner.dirtyRevision, 1);
    m_saveCalls.push_back(call);
}

void Coordinator::manualFlush(const ManualRequest &event)
{
    FlushCall call;
    call.request = event.request;
    call.connection = event.connection;
    for (auto &[key, slot] : m_slots) {
        if (slot.owner && slot.owner->isDirty() && slot.lease == 0) {
            if (slot.owner->needsSave()) {
                requestSave(slot, SaveReason::Manual, m_now.monoMs);
            }
            call.open.insert(key);
        }
    }
    m_flushCalls.push_back(std::move(call));
}

void Coordinator::manualInvalidate(const ManualRequest &event)
{
    ManualAnswer answer;
    if (const SnapshotIndex::Rows *rows = m_index.find(event.session)) {
        const QString reason = event.reason.isEmpty() ? QStringLiteral("MANUAL") : event.reason;
        const SnapshotIndex::Rows copy = *rows;
        for (const Snapshot &row : copy) {
            if ((!event.provider.isEmpty() && row.provider != event.provider)
                || (!event.model.isEmpty() && row.model != event.model)) {
                continue;
            }
            if (row.base) {
                removeRow(row, reason); // the session that it came from may still use its file
            } else {
                invalidate(row, reason);
            }
            ++answer.count;
        }
    }
    answerManual(event.request, answer);
}

void Coordinator::invalidate(const Snapshot &row, const QString &reason)
{
    // What is wrong with a file is wrong with every row that names it.
    for (Snapshot &one : m_index.ofFile(row)) {
        Notice &invalid = notice(eventname::snapshotInvalidated);
        invalid.session = one.session;
        invalid.label = one.label;
        invalid.reason = reason;
        if (one.base) {
            removeRow(one, reason); // the next session makes another one
            continue;
        }
        Snapshot *kept = m_index.row(one.session, one.fingerprint->hash());
        kept->state = SnapshotState::Invalid;
        kept->reason = reason;
        putChanged(*kept);
    }
    for (auto &[seq, commit] : m_commits) { // a base that is on its way
        if (commit.row.name == row.name && !commit.dropped) {
            commit.dropped = true;
            storeRemoval(commit.row);
        }
    }
}

void Coordinator::manualPurge(const ManualRequest &event)
{
    // The epoch makes every save that is still under way come to nothing.
    const bool all = event.provider.isEmpty() && event.model.isEmpty();
    if (all) {
        raiseEpoch(event.session);
    }
    const StoreSeq first = m_nextSeq;
    dropCommits(event.session, event.provider, event.model, true);
    ManualAnswer answer;
    for (const Snapshot &row : m_index.basesOf(event.session)) {
        if ((event.provider.isEmpty() || row.provider == event.provider)
            && (event.model.isEmpty() || row.model == event.model)) {
            removeRow(row, QStringLiteral("the session that it came from was purged"));
        }
    }
    if (const SnapshotIndex::Rows *rows = m_index.find(event.session)) {
        const SnapshotIndex::Rows copy = *rows;
        for (const Snapshot &row : copy) {
            if ((event.provider.isEmpty() || row.provider == event.provider)
                && (event.model.isEmpty() || row.model == event.model)) {
                removeRow(row, QStringLiteral("purged by hand"));
                ++answer.count;
            }
        }
    }
    if (Slot *slot = ownedSlot(event.session); slot != nullptr && all) {
        if (slot->lease == 0) {
            slot->owner.reset();
            slot->worthless = true;
            answerOrphanedSaves(slot->key, QStringLiteral("the session was purged"));
        } else {
            slot->owner->contaminated = true; // what its running request makes is not kept
        }
    }
    // Purged is what no restart brings back: the answer waits for the database.
    PurgeCall call { event.request, event.connection, {}, event.session, answer };
    for (auto removal = m_removals.lower_bound(first); removal != m_removals.end(); ++removal) {
        toBeEmptied(removal->second);
        call.open.insert(removal->first);
    }
    m_purgeCalls.push_back(std::move(call));
    settlePurges(0, nullptr);
}

void Coordinator::settlePurges(StoreSeq seq, const Error *failed)
{
    std::vector<PurgeCall> rest;
    std::vector<PurgeCall> calls;
    calls.swap(m_purgeCalls);
    for (PurgeCall &call : calls) {
        if (call.open.erase(seq) > 0 && failed != nullptr) {
            answerManual(call.request,
                Error { failed->code,
                    QStringLiteral("What was purged is not used any more, but it is still on record, as the "
                                   "database could not be written (%1). That is tried again; purge once "
                                   "more to be sure.")
                        .arg(failed->message),
                    {} });
        } else if (call.open.empty()) {
            call.answer.fileRemains = fileRemains(call.session);
            answerManual(call.request, call.answer);
        } else {
            rest.push_back(std::move(call));
        }
    }
    m_purgeCalls = std::move(rest);
}

void Coordinator::manualPin(const ManualRequest &event)
{
    ManualAnswer answer;
    if (const SnapshotIndex::Rows *rows = m_index.find(event.session)) {
        for (const Snapshot &row : *rows) {
            Snapshot *kept = m_index.row(row.session, row.fingerprint->hash());
            kept->pinned = event.pinned;
            putChanged(*kept);
            ++answer.count;
        }
    }
    if (answer.count == 0) {
        answerManual(event.request,
            Error {
                ErrorCode::SnapshotNotFound, QStringLiteral("The session has no snapshot to pin yet."), {} });
        return;
    }
    answerManual(event.request, answer);
}

void Coordinator::on(const RemoveRows &event)
{
    for (const RemoveRows::Row &wanted : event.rows) {
        const Snapshot *row = m_index.row(wanted.session, wanted.fingerprintHash);
        if (row != nullptr && !row->pinned && ownedSlot(wanted.session) == nullptr) {
            removeRow(Snapshot(*row), wanted.reason);
        }
    }
}

void Coordinator::removeRow(const Snapshot &row, const QString &reason)
{
    const std::optional<Snapshot> removed = m_index.remove(row.session, row.fingerprint->hash());
    if (!removed) {
        return;
    }
    storeRemoval(*removed);
    Notice &gone = notice(eventname::snapshotRemoved);
    gone.session = row.session;
    gone.label = row.label;
    gone.bytes = row.bytes;
    gone.reason = reason;
}

void Coordinator::storeRemoval(const Snapshot &row)
{
    StoreCommand command;
    command.kind = StoreCommand::Kind::RemoveSnapshot;
    command.snapshot = row;
    m_removals.emplace(store(command), row);
}

void Coordinator::dropCommits(
    const QString &session, const QString &provider, const QString &model, bool basesToo)
{
    for (auto &[seq, commit] : m_commits) {
        if ((commit.row.session != session && !(basesToo && commit.row.source == session))
            || (!provider.isEmpty() && commit.row.provider != provider)
            || (!model.isEmpty() && commit.row.model != model)) {
            continue;
        }
        if (basesToo) {
            commit.base.clear();
        }
        if (!commit.dropped) {
            commit.dropped = true;
            storeRemoval(commit.row); // applied after the row itself, as writes are applied in order
        }
    }
}

void Coordinator::raiseEpoch(const QString &session) { m_epochs[session] = ++m_epoch; }

void Coordinator::releaseName(NameNumber number) { m_unfreed.insert(number); }

void Coordinator::releaseFile(const Snapshot &row)
{
    // A base and a snapshot may name one file: it is free when no row can name it any more, in memory or in
    // the database.
    const auto names = [&](const Snapshot &other) { return other.name == row.name; };
    const bool shared = m_index.sharesFile(row)
        || std::any_of(
            m_commits.begin(), m_commits.end(), [&](const auto &entry) { return names(entry.second.row); })
        || std::any_of(
            m_removals.begin(), m_removals.end(), [&](const auto &entry) { return names(entry.second); })
        || std::any_of(m_failedRemovals.begin(), m_failedRemovals.end(), names);
    if (!shared) {
        releaseName(row.name);
    }
}

void Coordinator::sweepNames()
{
    std::erase_if(m_unfreed, [&](NameNumber number) {
        if (nameInUse(number)) {
            return false;
        }
        if (!m_policy.sharedFiles) {
            if (m_purged.contains(number)) {
                m_toEmpty.insert(number);
            } else {
                m_names.release(number);
            }
            return true;
        }
        Op op;
        op.id = m_nextOp++;
        op.kind = OpKind::DeleteFile;
        op.name = number;
        op.deadlineMonoMs = m_now.monoMs + m_policy.requestTimeoutMs;
        m_deletions.emplace(op.id, number); // the number stays taken until its file is gone
        emitEffect(StartOp { op });
        return true;
    });
}

bool Coordinator::nameInUse(NameNumber number) const
{
    const bool late = std::any_of(
        m_lateNames.begin(), m_lateNames.end(), [&](const auto &entry) { return entry.second == number; });
    return late || std::any_of(m_slots.begin(), m_slots.end(), [&](const auto &entry) {
        return entry.second.job && entry.second.job->op.name == number;
    });
}

void Coordinator::putChanged(const Snapshot &row)
{
    StoreCommand command;
    command.kind = StoreCommand::Kind::Touch;
    command.snapshot = row;
    store(command);
    Notice &changed = notice(eventname::snapshotChanged);
    changed.session = row.session;
    changed.label = row.label;
    changed.debug = true;
}

} // namespace kv
