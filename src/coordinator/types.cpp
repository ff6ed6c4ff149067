// SPDX-License-Identifier: MIT
#include "types.h"

#include "operation.h"

#include <array>

namespace kv {

namespace {

template <typename E> struct Named {
    E value;
    const char16_t *name;
};

template <typename E, std::size_t N> QString nameIn(const std::array<Named<E>, N> &table, E value)
{
    for (const auto &entry : table) {
        if (entry.value == value) {
            return QStringView(entry.name).toString();
        }
    }
    return {};
}

template <typename E, std::size_t N>
std::optional<E> valueIn(const std::array<Named<E>, N> &table, QStringView name)
{
    for (const auto &entry : table) {
        if (name == QStringView(entry.name)) {
            return entry.value;
        }
    }
    return std::nullopt;
}

constexpr std::array<Named<SlotState>, 9> c_slotStates { { { SlotState::Unknown, u"unknown" },
    { SlotState::Idle, u"idle" }, { SlotState::Restoring, u"restoring" }, { SlotState::Ready, u"ready" },
    { SlotState::Inference, u"inference" }, { SlotState::Dirty, u"dirty" }, { SlotState::Saving, u"saving" },
    { SlotState::Broken, u"broken" }, { SlotState::Late, u"late" } } };
constexpr std::array<Named<SessionState>, 8> c_sessionStates { { { SessionState::None, u"none" },
    { SessionState::Cold, u"cold" }, { SessionState::Restoring, u"restoring" },
    { SessionState::ActiveClean, u"active-clean" }, { SessionState::ActiveDirty, u"active-dirty" },
    { SessionState::Saving, u"saving" }, { SessionState::Saved, u"saved" },
    { SessionState::Invalid, u"invalid" } } };
constexpr std::array<Named<Outcome>, 8> c_outcomes { { { Outcome::Unmanaged, u"unmanaged" },
    { Outcome::Resident, u"resident" }, { Outcome::Restored, u"restored" }, { Outcome::Based, u"based" },
    { Outcome::Cold, u"cold" }, { Outcome::ColdFallback, u"cold-fallback" },
    { Outcome::Auxiliary, u"auxiliary" }, { Outcome::Bypass, u"bypass" } } };
constexpr std::array<Named<EndOutcome>, 3> c_endOutcomes { { { EndOutcome::Ok, u"ok" },
    { EndOutcome::Error, u"error" }, { EndOutcome::Aborted, u"aborted" } } };
constexpr std::array<Named<BreakerState>, 4> c_breakerStates { { { BreakerState::Healthy, u"healthy" },
    { BreakerState::Degraded, u"degraded" }, { BreakerState::Open, u"open" },
    { BreakerState::HalfOpen, u"half-open" } } };
constexpr std::array<Named<Verdict>, 4> c_verdicts { { { Verdict::Verified, u"verified" },
    { Verdict::Partial, u"partial" }, { Verdict::None, u"none" }, { Verdict::Unknown, u"unknown" } } };
constexpr std::array<Named<Compatibility>, 4> c_compatibilities { { { Compatibility::Unknown, u"unknown" },
    { Compatibility::Experimental, u"experimental" }, { Compatibility::Supported, u"supported" },
    { Compatibility::Broken, u"broken" } } };
constexpr std::array<Named<HintType>, 7> c_hints { { { HintType::Created, u"created" },
    { HintType::Resumed, u"resumed" }, { HintType::Flush, u"flush" }, { HintType::Disposed, u"disposed" },
    { HintType::TurnEnd, u"turn-end" }, { HintType::StepEnd, u"step-end" },
    { HintType::Compacted, u"compacted" } } };
constexpr std::array<Named<SaveReason>, 9> c_saveReasons { { { SaveReason::Switch, u"switch" },
    { SaveReason::Idle, u"idle" }, { SaveReason::Shutdown, u"shutdown" }, { SaveReason::Flush, u"flush" },
    { SaveReason::TurnEnd, u"turn-end" }, { SaveReason::StepEnd, u"step-end" },
    { SaveReason::Dispose, u"dispose" }, { SaveReason::Manual, u"manual" }, { SaveReason::Base, u"base" } } };
constexpr std::array<Named<SnapshotState>, 4> c_snapshotStates { { { SnapshotState::Valid, u"valid" },
    { SnapshotState::Suspect, u"suspect" }, { SnapshotState::Hidden, u"hidden" },
    { SnapshotState::Invalid, u"invalid" } } };
constexpr std::array<Named<OpKind>, 9> c_opKinds { { { OpKind::Identity, u"identity" },
    { OpKind::Look, u"look" }, { OpKind::Save, u"save" }, { OpKind::Restore, u"restore" },
    { OpKind::Erase, u"erase" }, { OpKind::CheckFile, u"check" }, { OpKind::DeleteFile, u"delete" },
    { OpKind::Nudge, u"nudge" }, { OpKind::Probe, u"probe" } } };
constexpr std::array<Named<OpFailure>, 10> c_failures { { { OpFailure::None, u"none" },
    { OpFailure::Refused, u"refused" }, { OpFailure::Unauthorized, u"unauthorized" },
    { OpFailure::Unsupported, u"unsupported" }, { OpFailure::ServerError, u"server-error" },
    { OpFailure::ConnectionRefused, u"connection-refused" },
    { OpFailure::ConnectionLost, u"connection-lost" }, { OpFailure::Loading, u"loading" },
    { OpFailure::File, u"file" }, { OpFailure::FileGone, u"file-gone" } } };

} // namespace

QString toString(SlotState state) { return nameIn(c_slotStates, state); }
QString toString(SessionState state) { return nameIn(c_sessionStates, state); }
QString toString(Outcome outcome) { return nameIn(c_outcomes, outcome); }
QString toString(EndOutcome outcome) { return nameIn(c_endOutcomes, outcome); }
QString toString(BreakerState state) { return nameIn(c_breakerStates, state); }
QString toString(Verdict verdict) { return nameIn(c_verdicts, verdict); }
QString toString(Compatibility compatibility) { return nameIn(c_compatibilities, compatibility); }
QString toString(HintType type) { return nameIn(c_hints, type); }
QString toString(SaveReason reason) { return nameIn(c_saveReasons, reason); }
QString toString(SnapshotState state) { return nameIn(c_snapshotStates, state); }
QString toString(OpKind kind) { return nameIn(c_opKinds, kind); }

bool changesSlot(OpKind kind)
{
    return kind == OpKind::Save || kind == OpKind::Restore || kind == OpKind::Erase;
}
QString toString(OpFailure failure) { return nameIn(c_failures, failure); }
std::optional<EndOutcome> endOutcomeFromName(QStringView name) { return valueIn(c_endOutcomes, name); }
std::optional<HintType> hintTypeFromName(QStringView name) { return valueIn(c_hints, name); }
std::optional<SnapshotState> snapshotStateFromName(QStringView name)
{
    return valueIn(c_snapshotStates, name);
}

} // namespace kv
