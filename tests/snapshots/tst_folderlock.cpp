// SPDX-License-Identifier: MIT
#include "folderlock.h"
#include "metadatafolder.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QProcess>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace kv;

namespace {
const QString c_holderFlag = QStringLiteral("--holder");
}

class TestFolderLock final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSecondIsToldWhoHoldsIt()
    {
        const QTemporaryDir dir;
        const QString folder = dir.filePath(QStringLiteral("new/metadata"));
        const auto first = FolderLock::acquire(folder);
        QVERIFY(first.ok());
        const auto second = FolderLock::acquire(folder);
        QVERIFY(!second.ok());
        QCOMPARE(second.error().code, ErrorCode::MetadataIo);
        const QString message = second.error().message;
        QVERIFY2(message.contains(QString::number(QCoreApplication::applicationPid())), qPrintable(message));
        QVERIFY2(message.contains(QSysInfo::machineHostName()), qPrintable(message));
        QVERIFY2(message.contains(folder), qPrintable(message));
    }

    void itIsFreeAfterTheHolderHasGone()
    {
        const QTemporaryDir dir;
        QVERIFY(FolderLock::acquire(dir.path()).ok());
        QVERIFY(FolderLock::acquire(dir.path()).ok());
    }

    void anotherProcessHoldsItUntilItIsKilled()
    {
        const QTemporaryDir dir;
        QProcess holder;
        holder.start(QCoreApplication::applicationFilePath(), { c_holderFlag, dir.path() });
        QVERIFY(holder.waitForReadyRead(10000));
        QCOMPARE(holder.readLine().trimmed(), QByteArray("held"));
        const auto refused = FolderLock::acquire(dir.path());
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.contains(QString::number(holder.processId())));
        holder.kill();
        QVERIFY(holder.waitForFinished());
        QVERIFY(QFile::exists(QDir(dir.path()).filePath(FolderLock::fileName()))); // left behind
        QVERIFY(FolderLock::acquire(dir.path()).ok());
    }

    void aDeadHoldersLockIsTakenOverWhereNoOtherFileCanBeMade()
    {
        const QTemporaryDir dir;
        QProcess holder;
        holder.start(QCoreApplication::applicationFilePath(), { c_holderFlag, dir.path() });
        QVERIFY(holder.waitForReadyRead(10000));
        holder.kill();
        QVERIFY(holder.waitForFinished());
        // As on a full disk: the file that QLockFile needs for taking over a stale lock cannot be made.
        const QString path = QDir(dir.path()).filePath(FolderLock::fileName());
        QVERIFY(QDir(dir.path()).mkdir(FolderLock::fileName() + QStringLiteral(".rmlock")));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(
            file.setFileTime(QDateTime::currentDateTime().addSecs(-10), QFileDevice::FileModificationTime));
        file.close();
        QVERIFY(FolderLock::acquire(dir.path()).ok());
    }

    void renewTakesItAgainInAFolderMadeAnew()
    {
        const QTemporaryDir dir;
        const QString folder = dir.filePath(QStringLiteral("metadata"));
        const auto lock = FolderLock::acquire(folder);
        QVERIFY(lock.ok());
        QVERIFY(lock.value()->renew().ok()); // nothing happened
        QVERIFY(!FolderLock::acquire(folder).ok());
        QVERIFY(QDir(folder).removeRecursively());
        QVERIFY(lock.value()->renew().ok());
        QVERIFY(!FolderLock::acquire(folder).ok());
    }

    void renewTellsWhenAnotherWasFaster()
    {
        const QTemporaryDir dir;
        const QString folder = dir.filePath(QStringLiteral("metadata"));
        QProcess holder;
        {
            const auto lock = FolderLock::acquire(folder);
            QVERIFY(lock.ok());
            QVERIFY(QDir(folder).removeRecursively());
            holder.start(QCoreApplication::applicationFilePath(), { c_holderFlag, folder });
            QVERIFY(holder.waitForReadyRead(10000));
            const Result<Done> renewed = lock.value()->renew();
            QVERIFY(!renewed.ok());
            QVERIFY(renewed.error().message.contains(QString::number(holder.processId())));
        }
        // And leaves the other's lock alone.
        QVERIFY(!FolderLock::acquire(folder).ok());
        holder.kill();
        QVERIFY(holder.waitForFinished());
    }

    void networkFileSystemsAreKnownByName()
    {
        for (const char *type :
            { "nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "ceph", "fuse.rclone" }) {
            QVERIFY2(isNetworkFileSystem(type), type);
        }
        for (const char *type :
            { "ext4", "btrfs", "xfs", "zfs", "tmpfs", "overlay", "fuseblk", "vfat", "" }) {
            QVERIFY2(!isNetworkFileSystem(type), type);
        }
    }

    void theFileSystemOfAFolderIsFoundBeforeItExists()
    {
        const QTemporaryDir dir;
        const QByteArray type = fileSystemType(dir.path());
        QVERIFY(!type.isEmpty());
        QCOMPARE(fileSystemType(dir.filePath(QStringLiteral("not/there/yet"))), type);
        QCOMPARE(fileSystemType(QStringLiteral("/proc/sys/kernel")), QByteArray("proc"));
        const QString link = dir.filePath(QStringLiteral("link"));
        QVERIFY(QFile::link(QStringLiteral("/proc/sys"), link));
        QCOMPARE(fileSystemType(link + QStringLiteral("/x")), QByteArray("proc"));
    }

    void privateFilesLoseTheRightsOfOthersAndKeepTheirContent()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("f"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("content");
        file.close();
        QVERIFY(file.setPermissions(QFile::Permissions(0x6644)));
        QVERIFY(makePrivateFile(path).ok());
        QCOMPARE(QFile::permissions(path) & QFile::Permissions(0x077), QFile::Permissions());
        QCOMPARE(readSmallFile(path).value_or(QByteArray()), QByteArray("content"));
        QVERIFY(!makePrivateFile(dir.path()).ok());
        const QString link = dir.filePath(QStringLiteral("link"));
        QVERIFY(QFile::link(path, link));
        QVERIFY(!makePrivateFile(link).ok());
    }
};

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 3 && arguments.at(1) == c_holderFlag) {
        const auto lock = FolderLock::acquire(arguments.at(2));
        std::printf("%s\n", lock ? "held" : "refused");
        std::fflush(stdout);
        return QCoreApplication::exec();
    }
    TestFolderLock test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_folderlock.moc"
