// SPDX-License-Identifier: MIT
#include "folderprobe.h"

#include <QFile>
#include <QFileInfo>
#include <QPromise>
#include <QStorageInfo>

#include <utility>

#ifdef Q_OS_UNIX
#include <sys/stat.h>
#endif

namespace kv {

FolderFacts lookAtFolder(const QString &folder)
{
    FolderFacts facts;
    const QFileInfo info(folder);
    facts.readable = info.isDir() && info.isReadable() && info.isExecutable();
    facts.writable = facts.readable && info.isWritable();
    facts.exists = info.exists();
    facts.folder = info.isDir();
#ifdef Q_OS_UNIX
    struct stat seen = {};
    if (::stat(QFile::encodeName(folder).constData(), &seen) == 0) {
        facts.mode = static_cast<int>(seen.st_mode & 07777U);
        facts.userId = seen.st_uid;
        facts.groupId = seen.st_gid;
    }
#endif
    if (!info.isDir()) {
        return facts;
    }
    facts.canonical = info.canonicalFilePath();
    const QStorageInfo storage(folder);
    if (storage.isValid() && storage.isReady()) {
        facts.freeBytes = storage.bytesAvailable();
        facts.readOnly = storage.isReadOnly();
        facts.fileSystem = QString::fromLocal8Bit(storage.fileSystemType());
        facts.device = QString::fromLocal8Bit(storage.device()) + QLatin1Char(' ') + storage.rootPath();
    }
    return facts;
}

FolderProbe::FolderProbe(QThreadPool *pool, FolderLook look, QObject *parent)
    : QObject(parent)
    , m_pool(pool)
    , m_look(look ? std::move(look) : lookAtFolder)
{
}

FolderProbe::~FolderProbe()
{
    if (m_running) {
        m_running->cancel();
    }
}

void FolderProbe::look(const QStringList &folders)
{
    m_folders = folders;
    m_folders.removeAll(QString());
    if (m_running) {
        m_again = true;
        return;
    }
    if (m_folders.isEmpty()) {
        return;
    }
    m_running = std::make_unique<QFutureWatcher<Facts>>();
    connect(m_running.get(), &QFutureWatcher<Facts>::finished, this, [this] {
        const QFuture<Facts> future = m_running->future();
        m_running.release()->deleteLater(); // the sender of this very signal
        if (std::exchange(m_again, false)) {
            look(m_folders);
        } else if (future.resultCount() > 0) {
            Q_EMIT looked(future.result());
        }
    });
    const auto promise = std::make_shared<QPromise<Facts>>();
    m_running->setFuture(promise->future());
    promise->start();
    m_pool->start([promise, wanted = m_folders, how = m_look] {
        Facts facts;
        for (const QString &folder : wanted) {
            if (!promise->isCanceled()) {
                facts.emplace(folder, how(folder));
            }
        }
        promise->addResult(std::move(facts));
        promise->finish();
    });
}

} // namespace kv
