// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"
#include "types.h"

#include <QString>

#include <map>
#include <vector>

namespace kv {

/// What the database held of a server when the daemon started.
struct InitialState {
    std::vector<Snapshot> snapshots;
    NameNumber highWater = 0;
    std::map<QString, QString> proofs; ///< ReuseProof::toText() by fingerprint hash
    std::map<QString, bool> nudgeBuilds; ///< builds to which a nudge was sent: whether they refused it
    std::vector<NameNumber> purgedFiles; ///< files of purged snapshots that were not emptied yet
    std::map<QString, QString> rates; ///< ratesToText() by fingerprint hash
    qint64 bytesToday = 0; ///< written on `day`
    qint64 day = 0; ///< days since the epoch, UTC
    bool cleanStop = true; ///< false: numbers that no snapshot holds may still be written to
};

} // namespace kv
