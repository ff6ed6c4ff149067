// SPDX-License-Identifier: MIT
#include "metadatafolder.h"

#include "paths.h"
#include "systemtext.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStorageInfo>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kv {

namespace {

constexpr qint64 c_smallFile = 4096;
constexpr mode_t c_fileMode = 0600;

Error folderError(const QString &folder, const QString &why)
{
    return Error { ErrorCode::MetadataIo,
        QStringLiteral(
            "The metadata folder %1 cannot be used (%2), so no snapshot can be recorded. Make it a "
            "folder that this user can write to, or name another one as metadata.path.")
            .arg(folder, why),
        why };
}

Error fileError(const QString &path, const QString &why)
{
    return Error { ErrorCode::MetadataIo,
        QStringLiteral(
            "The file %1 cannot be written (%2), so no snapshot can be recorded. Check the rights of "
            "its folder and the free space there.")
            .arg(path, why),
        why };
}

} // namespace

Result<Done> makeMetadataFolder(const QString &folder)
{
    if (const Result<Done> made = makePrivateFolder(folder); !made) {
        return folderError(folder, made.error().message);
    }
    return Done {};
}

Result<Done> makePrivateFile(const QString &path)
{
    const QByteArray name = QFile::encodeName(path);
    const int fd
        = ::open(name.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, c_fileMode);
    if (fd < 0) {
        return fileError(path, systemText(errno));
    }
    struct stat facts { };
    const bool known = ::fstat(fd, &facts) == 0;
    const bool regular = known && S_ISREG(facts.st_mode);
    const bool isPrivate
        = regular && ((facts.st_mode & 07777) == c_fileMode || ::fchmod(fd, c_fileMode) == 0);
    const int problem = errno;
    ::close(fd);
    if (!regular) {
        return fileError(path, QStringLiteral("it is no regular file"));
    }
    if (!isPrivate) {
        return fileError(path, systemText(problem));
    }
    return Done {};
}

Result<Done> writePrivateFile(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)
        || !file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)
        || file.write(content) != content.size() || !file.commit()) {
        return fileError(path, file.errorString());
    }
    return Done {};
}

std::optional<QByteArray> readSmallFile(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    return file.read(c_smallFile);
}

std::optional<FileId> fileId(const QString &path)
{
    struct stat facts { };
    if (::stat(QFile::encodeName(path).constData(), &facts) != 0) {
        return std::nullopt;
    }
    return FileId { facts.st_dev, facts.st_ino };
}

QByteArray fileSystemType(const QString &path)
{
    QString existing = QDir::cleanPath(QDir(path).absolutePath());
    while (!QFileInfo::exists(existing) && QFileInfo(existing).path() != existing) {
        existing = QFileInfo(existing).path();
    }
    // A symbolic link may lead to another file system.
    return QStorageInfo(QFileInfo(existing).canonicalFilePath()).fileSystemType();
}

bool isNetworkFileSystem(const QByteArray &type)
{
    static constexpr std::array c_types { "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "ncpfs",
        "9p", "afs", "coda", "ceph", "lustre", "glusterfs", "beegfs", "gpfs", "davfs", "fuse.sshfs",
        "fuse.rclone", "fuse.s3fs", "fuse.glusterfs", "fuse.ceph", "fuse.ceph-fuse", "fuse.davfs",
        "fuse.davfs2", "fuse.gvfsd-fuse", "fuse.smbnetfs", "fuse.curlftpfs", "fuse.gcsfuse", "fuse.juicefs",
        "fuse.mfs" };
    return std::any_of(c_types.begin(), c_types.end(), [&](const char *name) { return type == name; });
}

QString machineBootId()
{
    const std::optional<QByteArray> id = readSmallFile(QStringLiteral("/proc/sys/kernel/random/boot_id"));
    return id ? QString::fromLatin1(id->trimmed()) : QString();
}

} // namespace kv
