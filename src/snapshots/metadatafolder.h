// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QString>

#include <optional>

namespace kv {

/// makePrivateFolder() of paths.h, with a sentence that says what the folder is for and what to do.
Result<Done> makeMetadataFolder(const QString &folder);
/// Makes sure that the file exists, is a regular file and is for this user only (0600). Its content stays.
Result<Done> makePrivateFile(const QString &path);
/// Replaces a small file by way of a temporary one; 0600.
Result<Done> writePrivateFile(const QString &path, const QByteArray &content);
/// Up to 4 KiB; nullopt when it cannot be read.
std::optional<QByteArray> readSmallFile(const QString &path);

/// Which file a path names at the moment.
struct FileId {
    quint64 device = 0;
    quint64 inode = 0;
    bool operator==(const FileId &) const = default;
};
std::optional<FileId> fileId(const QString &path);

/// The name of the file system that holds `path` (or its nearest existing parent): "ext4", "nfs4",
/// "fuse.sshfs".
QByteArray fileSystemType(const QString &path);
/// Locks and WAL do not work reliably there.
bool isNetworkFileSystem(const QByteArray &type);

/// Id of this machine's boot; empty where the system does not tell.
QString machineBootId();

} // namespace kv
