// SPDX-License-Identifier: MIT
#pragma once

#include "operation.h"
#include "result.h"
#include "snapshot.h"
#include "types.h"

#include <QString>

#include <optional>
#include <variant>
#include <vector>

namespace kv {

// What a coordinator wants done. The order in a list is a contract: the shell carries effects out in it.

struct StartOp {
    Op op;
};

struct Transport {
    int idSlot = 0;
    bool cachePrompt = true;
};

/// The answer to a BeginRequest.
struct Grant {
    RequestId request = 0;
    Outcome outcome = Outcome::Cold;
    LeaseId lease = 0;
    SlotKey slot; ///< id −1: none
    std::optional<Transport> transport;
    qint64 tokens = -1; ///< Restored: tokens brought back; Based: those of them that others shared, if known
    qint64 bytes = -1;
    double waitMs = 0; ///< from the begin to this grant, saves and restores included
    double saveMs = -1; ///< spent saving the slot's former owner; −1: nothing saved
    double restoreMs = -1;
    QString reason; ///< why it is not warm, in a few words for people
};

/// The answer to a BeginRequest that is not granted: cancelled, or strict mode.
struct Refuse {
    RequestId request = 0;
    Error error;
    bool strict = false;
};

/// The answer to an EndRequest.
struct EndAnswer {
    bool dirty = false;
    quint64 revision = 0;
    std::optional<Verdict> verdict;
    qint64 expected = 0;
    qint64 actual = 0;
    QString cause;
};
/// The answer to a ManualRequest.
struct ManualAnswer {
    quint64 revision = 0;
    int slot = -1;
    qint64 tokens = -1;
    qint64 bytes = -1;
    double ms = -1;
    int count = 0; ///< Flush: slots saved; Purge, Invalidate, Pin: snapshots concerned
    bool fileRemains = false; ///< Purge in server-owned mode: the file itself could not be removed
    QString skipped; ///< Save: why nothing was written ("clean", …)
};
struct Answer {
    RequestId request = 0;
    Result<std::variant<EndAnswer, ManualAnswer>> result;
};

struct Store {
    StoreCommand command;
};

struct WakeAt {
    qint64 monoMs = 0; ///< replaces the last one; −1: no timer
};

/// One thing that happened, for subscribers, the log and the counters. `name` is one of eventname.h.
struct Notice {
    QString name;
    SlotKey slot { {}, -1 };
    QString session; ///< full id: shells shorten it before anybody sees it
    QString label;
    QString provider;
    QString model;
    QString outcome; ///< of a request, or the reason word of a save
    QString reason;
    QString code; ///< an error code's name
    qint64 tokens = -1;
    qint64 bytes = -1;
    double ms = -1;
    QString what; ///< kv.operation.progress: "check" or "checksum"; where a state is not the session's own:
                  ///< "base", "fork" or "left"
    int permille = -1; ///< kv.operation.progress
    bool miss = false; ///< kv.session.cold: the session has a snapshot on record, but none could be used
    bool debug = false; ///< per-request detail: logged at debug level only
};
struct Emit {
    Notice notice;
};

struct ShutdownDone { };

using Effect = std::variant<StartOp, Grant, Refuse, Answer, Store, WakeAt, Emit, ShutdownDone>;
using Effects = std::vector<Effect>;

} // namespace kv
