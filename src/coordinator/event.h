// SPDX-License-Identifier: MIT
#pragma once

#include "operation.h"
#include "policy.h"
#include "result.h"
#include "snapshot.h"
#include "types.h"

#include <QString>

#include <optional>
#include <variant>
#include <vector>

namespace kv {

// What can happen to a coordinator. Every event is handled with an Instant (see Coordinator::handle).

/// `request.begin` of a client whose provider is routed to this server.
struct BeginRequest {
    RequestId request = 0; ///< answered by exactly one Grant or Refuse
    ConnectionId connection = 0;
    QString call; ///< the client's own id of this call, unique per connection; may be empty
    QString session; ///< empty: none, so an auxiliary request
    QString provider;
    QString model;
    QString purpose; ///< empty or "conversation", "compaction", else auxiliary
    QString origin; ///< "subagent" or empty
    QString parent; ///< the parent's session id
    QString base; ///< opaque: what its prompt begins with and shares with other sessions; empty: not told
    QString fork; ///< the session that this one was branched from; empty: none
    qint64 forkSeq = -1; ///< where in its log, as its own `seq` counts; −1: not told
    QString label;
    qint64 seq = -1;
    qint64 timeoutMs = -1; ///< -1: waits without a limit; past it the answer is Bypass
    bool running = false; ///< repeated after a reconnect: the request is already being processed
    bool ownAdapters = false; ///< it brings LoRA adapters of its own
    bool pins = false; ///< the client sends `id_slot` with its requests
    /// Rather refused than granted at the cost of anybody's unsaved state, or without a slot of its own.
    bool strict = false;
};

/// `request.end`, by lease or by call. Also cancels a begin that still waits.
struct EndRequest {
    RequestId request = 0; ///< 0: a notification, not answered
    ConnectionId connection = 0;
    LeaseId lease = 0;
    QString call;
    EndOutcome outcome = EndOutcome::Ok;
    std::optional<bool> more;
    Usage usage;
    Timings timings;
};

struct ClientGone {
    ConnectionId connection = 0;
};

/// A begin or manual request that still waits is no longer wanted: it is answered KV_CANCELLED.
struct CancelRequest {
    RequestId request = 0;
};

/// kv.save, kv.restore, kv.erase, kv.invalidate, kv.purge, kv.pin, kv.flush.
struct ManualRequest {
    enum class Kind { Save, Restore, Erase, Invalidate, Purge, Pin, Flush };
    RequestId request = 0; ///< answered by exactly one Answer
    ConnectionId connection = 0;
    Kind kind = Kind::Save;
    QString session; ///< the full id; empty for Erase and Flush
    QString provider; ///< empty: any
    QString model; ///< empty: any
    SlotKey slot; ///< Erase
    QString reason; ///< Invalidate
    bool pinned = true; ///< Pin
};

/// `session.event`.
struct SessionHint {
    QString session;
    HintType type = HintType::Created;
    QString provider;
    QString model;
    QString label;
    qint64 seq = -1;
};

struct OpFinished {
    OpReply reply;
};

struct StoreDone {
    StoreSeq seq = 0;
};
struct StoreFailed {
    StoreSeq seq = 0;
    Error error;
};

/// Retention lets these snapshots go. Pinned ones and those of a session that owns a slot are kept all the
/// same.
struct RemoveRows {
    struct Row {
        QString session;
        QString fingerprintHash;
        QString reason; ///< "invalid", "age", "count", "size", "free-space"
    };
    std::vector<Row> rows;
};

/// Shared file system: the checksum of a file was computed after its row had become durable.
struct ChecksumKnown {
    QString session;
    NameNumber name = -1; ///< of that file: a row that names another one by now is not concerned
    QString checksum;
};

/// How much room there is on the file system of the slot files, less what other users may not take.
struct DiskFree {
    qint64 bytes = -1; ///< −1: not known
};

/// The watcher saw the server. Costs the server nothing (GET /props or /models).
struct ServerObserved {
    Identity identity;
    bool sleeping = false;
    int totalSlots = 0; ///< 0: not told
    qint64 sleepIdleMs = 0; ///< idle time after which it goes to sleep; 0: not known, or never
    bool unloaded = false; ///< one model of a router, and it is not in memory: as asleep
};
/// The watcher found nobody, or an answer that is none.
struct ServerLost {
    bool refused = false; ///< nobody listens: the process is gone, and what its slots held with it
    QString message;
};

struct ConfigChanged {
    Policy policy;
};
struct Paused {
    qint64 forMs = -1; ///< -1: until resumed
};
struct Resumed { };
/// `doctor --verify` has tried saving and restoring by itself. Counts only if the server is still what it was
/// tried on.
struct Verified {
    QString boot; ///< of the process that restored
    QString fingerprintHash;
    bool works = false; ///< what was restored was reused; false: it was not, though resident state is
    bool acrossRestart = false; ///< another process had saved it
};
/// The time asked for by WakeAt has come (or later; never earlier).
struct TimerFired { };
/// Stop taking work, checkpoint what is dirty until `deadlineMonoMs`, then emit ShutdownDone.
struct Shutdown {
    qint64 deadlineMonoMs = 0;
};

using Event = std::variant<BeginRequest, EndRequest, ClientGone, CancelRequest, ManualRequest, SessionHint,
    OpFinished, StoreDone, StoreFailed, RemoveRows, ChecksumKnown, DiskFree, ServerObserved, ServerLost,
    ConfigChanged, Paused, Resumed, TimerFired, Shutdown, Verified>;

} // namespace kv
