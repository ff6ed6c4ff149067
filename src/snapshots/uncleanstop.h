// SPDX-License-Identifier: MIT
#pragma once

#include "loadedstore.h"

#include <vector>

namespace kv {

/// Nobody syncs a file that a server writes of its own: what is this young when the power goes may be
/// incomplete on the disk although its row is not.
inline constexpr qint64 c_unsyncedMs = 60'000;

/// What is known of a machine that stopped without warning.
struct UncleanStop {
    /// The last time at which the machine is known to have run: as recorded, or the newest use of any
    /// snapshot. It stopped then or later, so a file that was written c_unsyncedMs before it is on the disk.
    qint64 lastLifeWallMs = 0;
};

UncleanStop lastLifeOf(const LoadedStore &loaded, qint64 recordedWallMs);

/// How the files of a server come to the disk.
enum class FilesAt {
    Elsewhere, ///< on another machine, which did not stop
    LocalServer, ///< written by a server on this machine, which syncs nothing
    SharedFolder, ///< read here: synced after each save, and compared with their checksums
};

/// Marks what cannot be trusted after such a stop, with the reason c_uncleanStop: Invalid what may be
/// incomplete and cannot be compared with anything; Suspect, so that it is compared with its checksum before
/// its first restore, what has one (SharedFolder). Returns copies of the rows that were changed. Pure.
std::vector<Snapshot> markAfterUncleanStop(
    std::vector<Snapshot> &rows, FilesAt files, const UncleanStop &stop);

} // namespace kv
