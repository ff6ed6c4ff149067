// SPDX-License-Identifier: MIT
#pragma once

#include "effect.h"
#include "snapshot.h"
#include "types.h"

#include <QString>

#include <set>

namespace kv {

/// A save whose row is on its way to the database.
struct Commit {
    Snapshot row;
    SlotKey slot;
    quint64 revision = 0;
    quint64 epoch = 0;
    double ms = 0;
    SaveReason reason = SaveReason::Switch;
    QString base; ///< to be kept as this base, too, once it is on record; empty: not
    bool dropped = false; ///< purged while on its way; its removal is on its way too
};
/// Who waits until a revision is durable.
struct SaveCall {
    RequestId request = 0;
    ConnectionId connection = 0;
    QString session;
    SlotKey slot;
    quint64 revision = 0; ///< answered when this revision is durable
};
/// Who waits until what was purged is on no record any more.
struct PurgeCall {
    RequestId request = 0;
    ConnectionId connection = 0;
    std::set<StoreSeq> open; ///< removals that are not durable yet
    QString session;
    ManualAnswer answer;
};
/// Who waits until these slots are saved.
struct FlushCall {
    RequestId request = 0;
    ConnectionId connection = 0;
    std::set<SlotKey> open;
    int saved = 0;
};

} // namespace kv
