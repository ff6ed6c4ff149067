// SPDX-License-Identifier: MIT
#pragma once

#include "fingerprint.h"
#include "types.h"

#include <QString>

namespace kv {

inline constexpr int c_manifestSchema = 1;

/// Reason of a row whose machine stopped without warning. Suspect: its file is compared with its checksum
/// before its first restore, whatever restore.verify says; Invalid: it may be incomplete.
inline constexpr QStringView c_uncleanStop = u"UNCLEAN_STOP";

/// One snapshot on record: what the database keeps and `kv.get` shows. Belongs to (server, session,
/// fingerprint).
///
/// A base is a second reference to the file of a session's first snapshot, for other sessions whose prompts
/// begin alike (design §15): never a session's own state, and never granted as such. Its `session` is the
/// BeginRequest::base of those requests.
struct Snapshot {
    QString session; ///< the full session id; of a base: what was given as `base`
    QString provider; ///< as asked for by the request that computed it
    QString model; ///< likewise
    QString slotModel; ///< router mode: the model whose slot it was; else empty
    QString serverInstanceKey; ///< the server's name in the configuration
    QString endpointHash; ///< sha256 of the base URL
    FingerprintPtr fingerprint; ///< never null
    QString boot; ///< the server process it was saved from
    int slotId = 0;
    NameNumber name = -1;
    qint64 sessionSeq = -1; ///< the harness's own sequence number; -1: not told
    qint64 tokens = 0;
    qint64 bytes = 0;
    qint64 createdWallMs = 0; ///< when the session's first snapshot of this identity was made
    qint64 updatedWallMs = 0; ///< when this one was made
    qint64 lastRestoreWallMs = 0; ///< 0: never
    quint64 usedSeq = 0; ///< recency: the larger, the more recently used
    SnapshotState state = SnapshotState::Valid; ///< as recorded: Valid, Suspect or Invalid. Hidden is derived
    QString reason; ///< why it is not valid
    Compatibility compatibility = Compatibility::Unknown;
    Verdict verdict = Verdict::Unknown; ///< of the last restore
    bool pinned = false;
    bool subagent = false;
    bool base = false;
    QString label;
    QString checksum; ///< xxHash of the file, hex; empty: not computed
    QString source; ///< of a base: the session that computed it
    qint64 prefixTokens
        = -1; ///< of a base: how many of its tokens others were seen to share; −1: not seen yet
    int misses = 0; ///< of a base: sessions in a row that shared nothing of it
    int falls = 0; ///< of a base: sessions in a row that shared clearly less than before
};

/// One write to the database. Applied in order, each a transaction; answered by StoreDone or StoreFailed.
struct StoreCommand {
    enum class Kind {
        PutSnapshot, ///< insert, or replace the row of (server, session, fingerprint): the pointer move
        RemoveSnapshot, ///< by (server, session, fingerprint hash)
        RaiseHighWater, ///< numbers below `number` may be used from now on
        Touch, ///< last-used times, pins, state and checksum: memory is ahead, need not be durable at once
    };
    StoreSeq seq = 0;
    Kind kind = Kind::PutSnapshot;
    QString server;
    Snapshot snapshot; ///< PutSnapshot, RemoveSnapshot, Touch
    NameNumber number = -1;
};

} // namespace kv
