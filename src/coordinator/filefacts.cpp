// SPDX-License-Identifier: MIT
// What the shell finds out about snapshot files outside of any operation on a slot: checksums, free space.
#include "coordinator.h"
#include "eventname.h"

#include <algorithm>
#include <cmath>

namespace kv {

void Coordinator::on(const ChecksumKnown &event)
{
    Snapshot file;
    file.session = event.session;
    file.name = event.name;
    file.checksum = event.checksum;
    shareChecksum(file);
}

void Coordinator::shareChecksum(const Snapshot &file)
{
    // Of a base that became durable after its session's file had been read, or outlived that session's row.
    const SnapshotIndex::Rows rows = m_index.ofFile(file);
    QString checksum = file.checksum;
    for (const Snapshot &one : rows) {
        checksum = checksum.isEmpty() ? one.checksum : checksum;
    }
    for (const Snapshot &one : rows) {
        Snapshot *row = m_index.row(one.session, one.fingerprint->hash());
        if (row->checksum != checksum) {
            row->checksum = checksum;
            putChanged(*row);
        }
    }
}

void Coordinator::on(const DiskFree &event)
{
    m_room.measured(event.bytes);
    bool noRoom = m_policy.minFreeBytes > 0 && event.bytes >= 0 && event.bytes < m_policy.minFreeBytes;
    for (auto &[key, slot] : m_slots) {
        if (!slot.owner || !slot.owner->needsSave()) {
            continue;
        }
        const bool refused = !roomRefusal(slot, -1).isEmpty();
        noRoom = noRoom || refused;
        if (m_room.isShort() && !refused && slot.lease == 0) {
            requestSave(slot, SaveReason::Idle, m_now.monoMs); // what was refused is tried again
        }
    }
    if (!noRoom) {
        m_room.relieved();
    }
}

qint64 Coordinator::forecastBytes(const Slot &slot) const
{
    const bool looked = slot.job && slot.job->seen.promptTokens.has_value();
    const qint64 tokens = looked ? *slot.job->seen.promptTokens : slot.tokens.value_or(0);
    double perToken = m_rates.bytesPerToken;
    if (perToken <= 0 && slot.owner && slot.owner->content.fingerprint != nullptr) {
        const Snapshot *last = m_index.compatible(slot.owner->session, *slot.owner->content.fingerprint);
        perToken = last != nullptr && last->tokens > 0
            ? static_cast<double>(last->bytes) / static_cast<double>(last->tokens)
            : 0;
    }
    return std::llround(perToken * static_cast<double>(tokens));
}

qint64 Coordinator::roomWanted() const
{
    qint64 most = 0;
    for (const auto &[key, slot] : m_slots) {
        if (slot.owner && slot.owner->isDirty()) {
            most = std::max(most, forecastBytes(slot));
        }
    }
    return most;
}

qint64 Coordinator::bytesWrittenToday(qint64 wallMs) const
{
    return dayOf(wallMs) == m_day ? m_bytesToday : 0;
}

bool Coordinator::isMakingRoom() const
{
    return !m_deletions.empty() || !m_unfreed.empty() || !m_removals.empty();
}

QString Coordinator::roomRefusal(const Slot &slot, NameNumber name) const
{
    return m_room.refusal(m_policy.minFreeBytes, forecastBytes(slot), name);
}

bool Coordinator::refuseForRoom(Slot &slot, NameNumber name)
{
    const QString why = roomRefusal(slot, name);
    if (why.isEmpty()) {
        return false;
    }
    // Before the server writes: a full disk would cost the file, and others theirs (invariant 11).
    m_names.release(name);
    if (giveUpDone(slot)) {
        return true;
    }
    slot.job->noRoom = true;
    slot.owner->saveAtOnce = false;
    slot.owner->idleDeadlineMs = -1;
    if (m_room.setShort()) { // one warning, not one a request
        Notice &failed = notice(eventname::saveFailed, &slot);
        failed.reason = why;
        failed.code = errorCodeName(ErrorCode::SaveFailed);
        failed.outcome = toString(slot.job->reason);
    }
    refuseUnsaved(slot, why);
    answerOpenSaves(slot.key,
        Error { ErrorCode::SaveFailed,
            QStringLiteral("Not saved, %1. Free some space there, lower retention.minFreeBytes, or let "
                           "snapshots go (kv-persist gc); it is tried again then.")
                .arg(why),
            {} });
    return true;
}

bool Coordinator::keepForRoom(Slot &slot)
{
    const Job &job = *slot.job;
    if (!job.noRoom || !job.waiter || job.waiter->kind == Waiter::Kind::Begin) {
        return false;
    }
    // Nobody is in a hurry here: what could not be saved is not thrown away for a manual command.
    answerManual(job.waiter->request,
        Error { ErrorCode::SaveFailed,
            QStringLiteral("Nothing was done: there is no room to save the slot's present session first. "
                           "Free some space where the slot files are."),
            {} });
    finishJob(slot);
    return true;
}

} // namespace kv
