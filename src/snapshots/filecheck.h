// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QString>

#include <functional>
#include <vector>

namespace kv {

// Work on snapshot files in a folder that is readable here (snapshotBinaryManagement: shared-filesystem). All
// of it blocks: run it in a FileJob. A file is named by folder, prefix and number only, opened without
// following a symbolic link, and must be a regular file: nothing outside the folder and nothing foreign is
// ever touched.

struct SnapshotFile {
    QString folder; ///< slotSavePath; may itself be a link
    QString prefix; ///< of the server, see serverNamePrefix()
    NameNumber number = -1;
};

enum class FileProblem {
    None,
    Missing, ///< no such regular file, though the folder is there
    Size,
    Header,
    Checksum,
    Unavailable, ///< the folder is not there, or the system failed: says nothing about the snapshot
    Cancelled,
};

struct FileReport {
    FileProblem problem = FileProblem::None;
    QString message; ///< a sentence, when there is a problem
    qint64 bytes = -1; ///< size of the file; of a removal: bytes freed, sidecars included
    quint32 headerVersion = 0; ///< the version word of the state file
    QString checksum; ///< XXH3 of the file and its sidecars, 16 lower-case hex digits; empty: not computed

    [[nodiscard]] bool ok() const { return problem == FileProblem::None; }
    /// FILE_MISSING, FILE_SIZE, FILE_HEADER or FILE_CHECKSUM; empty for all that is no evidence against the
    /// snapshot.
    [[nodiscard]] QString reason() const;
};

struct FileExpectation {
    qint64 bytes = -1; ///< −1: any
    bool header = true; ///< the magic word is looked at
    quint32 headerVersion = 0; ///< 0: any
    bool checksum = false; ///< compute it
    QString checksumValue; ///< and compare it; empty: only computed
};

/// Called with bytes done and in all; false stops the work.
using FileProgress = std::function<bool(qint64 done, qint64 total)>;

FileReport checkFile(
    const SnapshotFile &file, const FileExpectation &expected, const FileProgress &progress = {});
/// After a save: on the disk with its sidecars, for this user only (0600, where the file is ours), then
/// checked.
FileReport sealFile(
    const SnapshotFile &file, const FileExpectation &expected, const FileProgress &progress = {});
/// Removes the file and its sidecars (FILE.ckpt, FILE.checkpoints). One that is not there is no problem.
FileReport removeFile(const SnapshotFile &file);

struct FoundFile {
    NameNumber number = -1;
    qint64 bytes = 0;
};
/// The regular files with this prefix, by number.
std::vector<FoundFile> findFiles(const QString &folder, const QString &prefix);

} // namespace kv
