// SPDX-License-Identifier: MIT
#include "folderlock.h"

#include "abandonedlock.h"
#include "metadatafolder.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSysInfo>

#include <vector>

namespace kv {

namespace {

Error lockError(const QLockFile &lock, const QString &path)
{
    const QString folder = QFileInfo(path).path();
    qint64 pid = 0;
    QString host;
    QString program;
    if (lock.error() == QLockFile::LockFailedError && lock.getLockInfo(&pid, &host, &program)) {
        return Error { ErrorCode::MetadataIo,
            QStringLiteral(
                "Another kv-persist daemon (pid %1 on host %2) uses the metadata folder %3. Two on one "
                "folder would overwrite each other's snapshots. Stop that one, or give this one another "
                "metadata.path.")
                .arg(QString::number(pid), host, folder),
            QStringLiteral("locked by %1").arg(program) };
    }
    return Error { ErrorCode::MetadataIo,
        QStringLiteral(
            "The lock file %1 cannot be made. Make the folder one that this user can write to, or name "
            "another one as metadata.path.")
            .arg(path),
        QStringLiteral("QLockFile error %1").arg(static_cast<int>(lock.error())) };
}

} // namespace

QString FolderLock::fileName() { return QStringLiteral("kv-persist.lock"); }

FolderLock::FolderLock(const QString &path)
    : m_path(path)
    , m_lock(std::make_unique<QLockFile>(path))
{
    // Never stale by age; a dead holder is still found out by its pid.
    m_lock->setStaleLockTime(0);
}

FolderLock::~FolderLock() = default;

Result<std::unique_ptr<FolderLock>> FolderLock::acquire(const QString &folder)
{
    const QByteArray type = fileSystemType(folder);
    if (isNetworkFileSystem(type)) {
        return Error { ErrorCode::MetadataIo,
            QStringLiteral(
                "The metadata folder %1 is on a network file system (%2), where neither the lock against a "
                "second daemon nor the database is safe. Name a local folder as metadata.path.")
                .arg(folder, QString::fromLocal8Bit(type)),
            {} };
    }
    if (const Result<Done> made = makeMetadataFolder(folder); !made) {
        return made.error();
    }
    std::unique_ptr<FolderLock> lock(new FolderLock(QDir(folder).absoluteFilePath(fileName())));
    while (!lock->m_lock->tryLock(0)) {
        // On a full disk QLockFile cannot take over the lock of a dead daemon.
        if (lock->m_lock->error() != QLockFile::LockFailedError || !removeAbandonedLock(lock->m_path)) {
            return lockError(*lock->m_lock, lock->m_path);
        }
    }
    return lock;
}

Result<Done> FolderLock::renew()
{
    if (!QFileInfo::exists(m_path)) {
        m_lock->unlock();
    } else {
        qint64 pid = 0;
        QString host;
        QString program;
        const bool ours = m_lock->isLocked() && m_lock->getLockInfo(&pid, &host, &program)
            && pid == QCoreApplication::applicationPid() && host == QSysInfo::machineHostName();
        if (ours) {
            return Done {};
        }
        // Its destruction would remove the file, which is another daemon's by now: kept for good.
        static auto *const c_lost = new std::vector<std::unique_ptr<QLockFile>>;
        c_lost->push_back(std::move(m_lock));
        m_lock = std::make_unique<QLockFile>(m_path);
        m_lock->setStaleLockTime(0);
    }
    if (const Result<Done> made = makeMetadataFolder(QFileInfo(m_path).path()); !made) {
        return made.error();
    }
    if (!m_lock->tryLock(0)) {
        return lockError(*m_lock, m_path);
    }
    return Done {};
}

} // namespace kv
