// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace kv {

// Ids are opaque numbers, never reused within a process. 0 means "none" unless said otherwise.
using RequestId = quint64; ///< one client call that waits for its answer
using ConnectionId = quint64; ///< one client connection
using LeaseId = quint64; ///< the right of one request to use one slot
using OpId = quint64; ///< one operation on a server
using StoreSeq = quint64; ///< one write to the database
using NameNumber = qint64; ///< number of a snapshot file in its server's pool; -1: none

/// A slot of a server process. `model` is empty except in router mode, where each model has slots of its own.
struct SlotKey {
    QString model;
    int id = 0;
    bool operator==(const SlotKey &) const = default;
    bool operator<(const SlotKey &other) const
    {
        return model != other.model ? model < other.model
                                    : id < other.id; // QString has no operator<=> before Qt 6.8
    }
};

enum class SlotState { Unknown, Idle, Restoring, Ready, Inference, Dirty, Saving, Broken, Late };
enum class SessionState { None, Cold, Restoring, ActiveClean, ActiveDirty, Saving, Saved, Invalid };

/// What became of a request.begin.
enum class Outcome { Unmanaged, Resident, Restored, Based, Cold, ColdFallback, Auxiliary, Bypass };
/// How a client's request ended.
enum class EndOutcome { Ok, Error, Aborted };
enum class BreakerState { Healthy, Degraded, Open, HalfOpen };
enum class Verdict { Verified, Partial, None, Unknown };
enum class Compatibility { Unknown, Experimental, Supported, Broken };
enum class HintType { Created, Resumed, Flush, Disposed, TurnEnd, StepEnd, Compacted };
/// Why a checkpoint is made.
enum class SaveReason { Switch, Idle, Shutdown, Flush, TurnEnd, StepEnd, Dispose, Manual, Base };
/// A snapshot's own state. Hidden: of another identity than the running one; returns to Valid with it.
enum class SnapshotState { Valid, Suspect, Hidden, Invalid };

// Names as the protocol and the logs spell them ("active-clean", "cold-fallback", …).
QString toString(SlotState state);
QString toString(SessionState state);
QString toString(Outcome outcome);
QString toString(EndOutcome outcome);
QString toString(BreakerState state);
QString toString(Verdict verdict);
QString toString(Compatibility compatibility);
QString toString(HintType type);
QString toString(SaveReason reason);
QString toString(SnapshotState state);
std::optional<EndOutcome> endOutcomeFromName(QStringView name);
std::optional<HintType> hintTypeFromName(QStringView name);
std::optional<SnapshotState> snapshotStateFromName(QStringView name);

/// Named facts in a canonical order. Values are text as shown to people; an absent name means "not known".
using FieldList = std::vector<std::pair<QString, QString>>;

/// Token counts of one finished request, as the client saw them. -1: not told.
struct Usage {
    qint64 promptTokens = -1; ///< all prompt tokens, cached ones included
    qint64 completionTokens = -1;
    qint64 cachedTokens = -1; ///< of promptTokens, those that needed no processing
};

/// Times of one finished request. -1: not told.
struct Timings {
    double firstChunkMs = -1;
    double promptMs = -1;
    qint64 promptTokens = -1; ///< tokens really processed
    double predictedMs = -1;
    qint64 predictedTokens = -1;
};

} // namespace kv
