// SPDX-License-Identifier: MIT
#include "slot.h"

namespace kv {

void Ownership::holdsRestored(const Snapshot &row)
{
    expectedTokens = row.tokens;
    provenTokens = row.tokens;
    awaitedReuse = row.tokens;
    restoredAcrossBoots = row.boot != content.boot;
}

bool Waiter::isAuxiliary() const
{
    if (kind != Kind::Begin) {
        return false;
    }
    const bool ownPurpose = !begin.purpose.isEmpty() && begin.purpose != QStringLiteral("conversation")
        && begin.purpose != QStringLiteral("compaction");
    return ownPurpose || begin.session.isEmpty() || begin.ownAdapters;
}

QString toString(JobSource source)
{
    switch (source) {
    case JobSource::Own:
        break;
    case JobSource::Base:
        return QStringLiteral("base");
    case JobSource::Fork:
        return QStringLiteral("fork");
    case JobSource::Left:
        return QStringLiteral("left");
    }
    return {};
}

SlotState stateOf(const Slot &slot)
{
    if (!slot.late.empty()) {
        return SlotState::Late;
    }
    if (slot.broken) {
        return SlotState::Broken;
    }
    if (slot.job) {
        switch (slot.job->phase) {
        case Job::Phase::Save:
        case Job::Phase::SaveIdentity:
            return SlotState::Saving;
        case Job::Phase::CheckFile:
        case Job::Phase::Restore:
        case Job::Phase::RestoreIdentity:
        case Job::Phase::EraseBeforeRetry:
        case Job::Phase::EraseAfterFailure:
            return SlotState::Restoring;
        case Job::Phase::Look:
        case Job::Phase::Erase:
        case Job::Phase::Nudge:
        case Job::Phase::Empty:
            break;
        }
    }
    if (slot.lease != 0 || slot.foreign > 0) {
        return SlotState::Inference;
    }
    if (slot.owner) {
        return slot.owner->isDirty() ? SlotState::Dirty : SlotState::Ready;
    }
    return slot.known && !slot.draining ? SlotState::Idle : SlotState::Unknown;
}

} // namespace kv
