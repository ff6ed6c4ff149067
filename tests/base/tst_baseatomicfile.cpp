// SPDX-License-Identifier: MIT
#include "atomicfile.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace kv;

namespace {

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

} // namespace

class TstBaseAtomicFile final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNewFileIsForItsUserAlone()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("new.yaml"));
        QVERIFY(writeFileAtomically(path, "a: 1\n").ok());
        QCOMPARE(contents(path), "a: 1\n");
        QCOMPARE(QFileInfo(path).permissions().toInt() & 0x77, 0);
    }

    void anExistingFileIsReplacedWholeAndKeepsItsRights()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("old.yaml"));
        QVERIFY(writeFileAtomically(path, QByteArray(5000, 'x')).ok());
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup));
        QVERIFY(writeFileAtomically(path, "short").ok());
        QCOMPARE(contents(path), "short");
        QCOMPARE(QFileInfo(path).permissions().toInt() & 0x77, int(QFile::ReadGroup));
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden).size(), 1); // no temporary file stays
    }

    void aSymbolicLinkStaysOne()
    {
        const QTemporaryDir dir;
        const QString target = dir.filePath(QStringLiteral("target"));
        const QString link = dir.filePath(QStringLiteral("link"));
        QVERIFY(writeFileAtomically(target, "old").ok());
        QVERIFY(QFile::link(target, link));
        QVERIFY(writeFileAtomically(link, "new").ok());
        QVERIFY(QFileInfo(link).isSymLink());
        QCOMPARE(contents(target), "new");
    }

    void aMissingFolderIsAnErrorThatNamesTheFile()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("none/file"));
        const Result<Done> written = writeFileAtomically(path, "x");
        QVERIFY(!written.ok());
        QCOMPARE(written.error().code, ErrorCode::MetadataIo);
        QVERIFY(written.error().message.contains(path));
        QVERIFY(!QFileInfo::exists(path));
    }

    void aWriteThatFailsHalfWayLeavesTheOldFile()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("file"));
        QVERIFY(writeFileAtomically(path, "old").ok());
        // A limit on file sizes fails a write just as a full disk does, for root too.
        const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
        rlimit before {};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit small { 1000, before.rlim_max };
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        const Result<Done> written = writeFileAtomically(path, QByteArray(100'000, 'x'));
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
        std::signal(SIGXFSZ, oldHandler);
        QVERIFY(!written.ok());
        QVERIFY2(written.error().message.contains(path), qPrintable(written.error().message));
        QCOMPARE(contents(path), "old");
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }
};

QTEST_GUILESS_MAIN(TstBaseAtomicFile)
#include "tst_baseatomicfile.moc"
