// SPDX-License-Identifier: MIT
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>

#include <functional>
#include <map>
#include <memory>

namespace kv {

/// A folder as it is seen from here.
struct FolderFacts {
    bool readable = false; ///< it is there, and its files can be listed
    bool writable = false; ///< it is there, and files can be made and removed in it
    QString canonical; ///< without links; empty: not there
    qint64 freeBytes = -1; ///< for this user, on its file system; −1: not known
    QString device; ///< of that file system: two folders of one share their free bytes
    bool exists = false; ///< whatever it is
    bool folder = false;
    int mode = -1; ///< the permission bits (07777); −1: not known
    qint64 userId = -1; ///< its owner
    qint64 groupId = -1;
    bool readOnly = false; ///< its file system is mounted read-only
    QString fileSystem; ///< "ext4", "nfs4", …
};

/// Looks once, blocking; how it is done is for tests to replace.
using FolderLook = std::function<FolderFacts(const QString &folder)>;
FolderFacts lookAtFolder(const QString &folder);

/// Looks at folders in a thread pool: one may be on a slow or dead disk. Deleting the probe drops what runs.
class FolderProbe final : public QObject {
    Q_OBJECT

public:
    /// `pool` must outlive the probe.
    FolderProbe(QThreadPool *pool, FolderLook look, QObject *parent = nullptr);
    ~FolderProbe() override;
    Q_DISABLE_COPY_MOVE(FolderProbe)

    /// Looks at these folders, of which empty ones are left out. Asked again while it looks, it looks once
    /// more afterwards: what looked() tells is never older than the last call.
    void look(const QStringList &folders);

Q_SIGNALS:
    /// From the event loop.
    void looked(const std::map<QString, kv::FolderFacts> &facts);

private:
    using Facts = std::map<QString, FolderFacts>;

    QThreadPool *m_pool;
    FolderLook m_look;
    std::unique_ptr<QFutureWatcher<Facts>> m_running;
    QStringList m_folders;
    bool m_again = false;
};

} // namespace kv
