// SPDX-License-Identifier: MIT
#include "atomicfile.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>

#ifdef Q_OS_UNIX
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#endif

namespace kv {

namespace {

struct AtomicFileText {
    Q_DECLARE_TR_FUNCTIONS(kv::AtomicFile)
};

Error writeError(const QString &path, const QString &reason)
{
    return Error { ErrorCode::MetadataIo,
        AtomicFileText::tr(
            "The file '%1' cannot be written (%2); it is as it was. Check the rights and the free space "
            "of its "
            "folder.")
            .arg(path, reason),
        path };
}

/// QSaveFile syncs too but ignores a failure, which on a full disk is the only sign that the bytes are not
/// there.
bool syncFile(int handle)
{
#ifdef Q_OS_UNIX
    return ::fsync(handle) == 0 || errno == EINVAL || errno == ENOTSUP;
#else
    Q_UNUSED(handle)
    return true;
#endif
}

/// Makes the rename durable. A file system that cannot do it loses no more than the newest version.
void syncFolderOf(const QString &path)
{
#ifdef Q_OS_UNIX
    const int folder = ::open(
        QFile::encodeName(QFileInfo(path).absolutePath()).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
#else
    Q_UNUSED(path)
#endif
}

} // namespace

Result<Done> writeFileAtomically(const QString &path, const QByteArray &bytes)
{
    const bool isNew = !QFileInfo::exists(path);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return writeError(path, file.errorString());
    }
    if (isNew && !file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)) {
        return writeError(path, file.errorString());
    }
    if (file.write(bytes) != bytes.size() || !file.flush()) {
        return writeError(path, file.errorString());
    }
    if (!syncFile(file.handle())) {
        return writeError(path, qt_error_string(errno));
    }
    if (!file.commit()) {
        return writeError(path, file.errorString());
    }
    syncFolderOf(path);
    return Done {};
}

} // namespace kv
