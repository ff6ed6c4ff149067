// SPDX-License-Identifier: MIT
#include "uncleanstop.h"

#include <algorithm>

namespace kv {

UncleanStop lastLifeOf(const LoadedStore &loaded, qint64 recordedWallMs)
{
    UncleanStop stop { recordedWallMs };
    for (const auto &[name, server] : loaded.servers) {
        for (const Snapshot &row : server.snapshots) {
            stop.lastLifeWallMs = std::max({ stop.lastLifeWallMs, row.updatedWallMs, row.lastRestoreWallMs });
        }
    }
    return stop;
}

std::vector<Snapshot> markAfterUncleanStop(
    std::vector<Snapshot> &rows, FilesAt files, const UncleanStop &stop)
{
    std::vector<Snapshot> changed;
    if (files == FilesAt::Elsewhere) {
        return changed;
    }
    for (Snapshot &row : rows) {
        if (row.state == SnapshotState::Invalid) {
            continue;
        }
        const bool comparable = files == FilesAt::SharedFolder && !row.checksum.isEmpty();
        const bool settled = row.updatedWallMs <= stop.lastLifeWallMs - c_unsyncedMs;
        if (!comparable && settled) {
            continue;
        }
        row.state = comparable ? SnapshotState::Suspect : SnapshotState::Invalid;
        row.reason = c_uncleanStop.toString();
        changed.push_back(row);
    }
    return changed;
}

} // namespace kv
