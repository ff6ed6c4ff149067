// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QLockFile>
#include <QString>

#include <memory>

namespace kv {

/// One daemon a metadata folder. Held from acquire() until destruction; a lock whose holder is dead is taken
/// over.
class FolderLock final {
public:
    /// Makes the folder (0700) where it is missing. Errors, all MetadataIo: the sentence names host and pid
    /// of the holder, or the network file system (a lock there holds nobody off), or why the folder cannot be
    /// used.
    static Result<std::unique_ptr<FolderLock>> acquire(const QString &folder);
    ~FolderLock();
    Q_DISABLE_COPY_MOVE(FolderLock)

    /// To be called when the folder was made anew: takes the lock again where its file vanished. An error
    /// means that another daemon was faster: this one has to stop.
    Result<Done> renew();

    [[nodiscard]] static QString fileName(); ///< flat, inside the folder

private:
    explicit FolderLock(const QString &path);

    QString m_path;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace kv
