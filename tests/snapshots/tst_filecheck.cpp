// SPDX-License-Identifier: MIT
#include "filecheck.h"
#include "filejob.h"
#include "snapshotname.h"

#include <QDir>
#include <QFile>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <sys/stat.h>

using namespace kv;

namespace {

const QString c_prefix = QStringLiteral("0123456789abcdef");

QByteArray stateFile(qsizetype size)
{
    QByteArray content("qsgg\x04\0\0\0", 8);
    for (qsizetype i = content.size(); i < size; ++i) {
        content.append(static_cast<char>(i * 31 + i / 256));
    }
    return content.first(size);
}

void write(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

/// A folder with one good snapshot file, number 7.
class Folder {
public:
    explicit Folder(qsizetype size = 5000)
        : content(stateFile(size))
    {
        write(path, content);
    }
    QTemporaryDir dir;
    SnapshotFile file { dir.path(), c_prefix, 7 };
    QString path = dir.filePath(snapshotFileName(c_prefix, 7));
    QByteArray content;
};

FileExpectation expecting(qint64 bytes)
{
    FileExpectation expected;
    expected.bytes = bytes;
    return expected;
}

} // namespace

class TestFileCheck final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSidecarBelongsToTheSnapshot()
    {
        for (const QString &suffix : { QStringLiteral(".ckpt"), QStringLiteral(".checkpoints") }) {
            const Folder folder;
            FileExpectation expected = expecting(folder.content.size());
            expected.checksum = true;
            const QString alone = checkFile(folder.file, expected).checksum;
            write(folder.path + suffix, "a checkpoint");
            const FileReport whole = sealFile(folder.file, expected);
            QVERIFY2(whole.ok(), qPrintable(whole.message));
            QVERIFY(whole.checksum != alone);
            QVERIFY(!QFile::permissions(folder.path + suffix).testFlag(QFile::ReadOther));
            expected.checksumValue = whole.checksum;
            QVERIFY(checkFile(folder.file, expected).ok());
            write(folder.path + suffix, "a Checkpoint");
            QCOMPARE(checkFile(folder.file, expected).reason(), QStringLiteral("FILE_CHECKSUM"));
            QVERIFY(QFile::remove(folder.path + suffix));
            QCOMPARE(checkFile(folder.file, expected).reason(), QStringLiteral("FILE_CHECKSUM"));
            QVERIFY(QFile::link(folder.path, folder.path + suffix)); // a link is no sidecar of ours
            QCOMPARE(checkFile(folder.file, expected).reason(), QStringLiteral("FILE_CHECKSUM"));
        }
    }

    void aGoodFilePassesWithItsFacts()
    {
        const Folder folder;
        FileExpectation expected = expecting(folder.content.size());
        expected.checksum = true;
        const FileReport report = checkFile(folder.file, expected);
        QVERIFY2(report.ok(), qPrintable(report.message));
        QCOMPARE(report.bytes, folder.content.size());
        QCOMPARE(report.headerVersion, 4U);
        QCOMPARE(report.checksum.size(), 16);
        QVERIFY(report.reason().isEmpty());
        expected.checksumValue = report.checksum;
        QVERIFY(checkFile(folder.file, expected).ok());
        expected.headerVersion = 4;
        QVERIFY(checkFile(folder.file, expected).ok());
    }

    void theChecksumIsXxh3()
    {
        const Folder folder;
        write(folder.path, "abc");
        FileExpectation expected;
        expected.header = false;
        expected.checksum = true;
        QCOMPARE(checkFile(folder.file, expected).checksum, QStringLiteral("78af5f94892f3950")); // xxhsum -H3
    }

    void eachFaultHasItsReason_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        const QByteArray good = stateFile(5000);
        QByteArray flipped = good;
        flipped[4321] = static_cast<char>(flipped[4321] ^ 1);
        QByteArray magic = good;
        magic[0] = 'Q';
        QTest::addRow("good") << good << QString();
        QTest::addRow("one byte short") << good.chopped(1) << QStringLiteral("FILE_SIZE");
        QTest::addRow("one byte long") << good + 'x' << QStringLiteral("FILE_SIZE");
        QTest::addRow("empty") << QByteArray() << QStringLiteral("FILE_SIZE");
        QTest::addRow("wrong magic") << magic << QStringLiteral("FILE_HEADER");
        QTest::addRow("zeros") << QByteArray(5000, '\0') << QStringLiteral("FILE_HEADER");
        QTest::addRow("a flipped bit") << flipped << QStringLiteral("FILE_CHECKSUM");
    }

    void eachFaultHasItsReason()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, reason);
        const Folder folder;
        FileExpectation expected = expecting(5000);
        expected.checksum = true;
        expected.checksumValue = checkFile(folder.file, expected).checksum;
        write(folder.path, content);
        const FileReport report = checkFile(folder.file, expected);
        QCOMPARE(report.reason(), reason);
        QCOMPARE(report.ok(), reason.isEmpty());
        QVERIFY(reason.isEmpty() || report.message.contains(folder.path));
    }

    void aHeaderShorterThanItsWordsIsNone()
    {
        const Folder folder(6);
        QCOMPARE(checkFile(folder.file, expecting(6)).reason(), QStringLiteral("FILE_HEADER"));
        FileExpectation noHeader = expecting(6);
        noHeader.header = false;
        QVERIFY(checkFile(folder.file, noHeader).ok());
    }

    void anotherVersionIsAHeaderFaultWhereOneIsExpected()
    {
        const Folder folder;
        FileExpectation expected = expecting(5000);
        expected.headerVersion = 3;
        QCOMPARE(checkFile(folder.file, expected).reason(), QStringLiteral("FILE_HEADER"));
    }

    void aMissingFileIsEvidenceAndAMissingFolderIsNone()
    {
        const Folder folder;
        QVERIFY(QFile::remove(folder.path));
        QCOMPARE(checkFile(folder.file, expecting(1)).reason(), QStringLiteral("FILE_MISSING"));
        SnapshotFile elsewhere = folder.file;
        elsewhere.folder += QStringLiteral("/not mounted");
        const FileReport report = checkFile(elsewhere, expecting(1));
        QCOMPARE(report.problem, FileProblem::Unavailable);
        QVERIFY(report.reason().isEmpty());
        QVERIFY(report.message.contains(elsewhere.folder));
    }

    void linksFoldersAndPipesAreRefused()
    {
        const Folder folder;
        const QString target = folder.dir.filePath(QStringLiteral("target"));
        QVERIFY(QFile::rename(folder.path, target));
        QVERIFY(QFile::link(target, folder.path));
        QCOMPARE(checkFile(folder.file, expecting(5000)).problem, FileProblem::Missing);
        QVERIFY(QFile::setPermissions(target, QFile::Permissions(0x6644)));
        QVERIFY(!sealFile(folder.file, expecting(5000)).ok());
        QVERIFY(QFile::permissions(target).testFlag(QFile::ReadOther)); // not touched through the link
        QVERIFY(QFile::remove(folder.path));
        QVERIFY(QDir().mkdir(folder.path));
        QCOMPARE(checkFile(folder.file, expecting(-1)).problem, FileProblem::Missing);
        QVERIFY(QDir().rmdir(folder.path));
        QCOMPARE(::mkfifo(QFile::encodeName(folder.path).constData(), 0600), 0);
        QCOMPARE(checkFile(folder.file, expecting(-1)).problem, FileProblem::Missing); // and does not hang
    }

    void badNamesTouchNothing()
    {
        const Folder folder;
        for (const SnapshotFile &file : { SnapshotFile { folder.dir.path(), c_prefix, -1 },
                 SnapshotFile { folder.dir.path(), QStringLiteral("../../../x"), 7 },
                 SnapshotFile { folder.dir.path(), QString(), 7 } }) {
            QVERIFY(!checkFile(file, {}).ok());
            QVERIFY(!sealFile(file, {}).ok());
            QVERIFY(!removeFile(file).ok());
        }
        QVERIFY(QFile::exists(folder.path));
    }

    void sealingMakesTheFilePrivateAndChecksIt()
    {
        const Folder folder;
        QVERIFY(QFile::setPermissions(folder.path, QFile::Permissions(0x6644)));
        FileExpectation expected = expecting(5000);
        expected.checksum = true;
        const FileReport report = sealFile(folder.file, expected);
        QVERIFY2(report.ok(), qPrintable(report.message));
        QVERIFY(!report.checksum.isEmpty());
        QCOMPARE(QFile::permissions(folder.path) & QFile::Permissions(0x077), QFile::Permissions());
        QCOMPARE(sealFile(folder.file, expecting(4999)).reason(), QStringLiteral("FILE_SIZE"));
    }

    void removingTakesTheSidecarsAndNothingElse()
    {
        const Folder folder;
        write(folder.path + QStringLiteral(".ckpt"), "12345");
        write(folder.path + QStringLiteral(".checkpoints"), "1234567");
        const QStringList others { folder.dir.filePath(snapshotFileName(c_prefix, 70)),
            folder.dir.filePath(QStringLiteral("notes.bin")), folder.path + QStringLiteral(".old") };
        for (const QString &other : others) {
            write(other, "x");
        }
        const FileReport report = removeFile(folder.file);
        QVERIFY2(report.ok(), qPrintable(report.message));
        QCOMPARE(report.bytes, 5000 + 5 + 7);
        QCOMPARE(QDir(folder.dir.path()).entryList(QDir::Files).size(), others.size());
        QVERIFY(removeFile(folder.file).ok()); // it is gone: that was wanted
        QCOMPARE(removeFile(folder.file).bytes, 0);
    }

    void removingALinkLeavesItsTarget()
    {
        const Folder folder;
        const QString target = folder.dir.filePath(QStringLiteral("target"));
        QVERIFY(QFile::rename(folder.path, target));
        QVERIFY(QFile::link(target, folder.path));
        QVERIFY(removeFile(folder.file).ok());
        QVERIFY(QFile::exists(target));
        QVERIFY(QDir().mkdir(folder.path));
        QVERIFY(!removeFile(folder.file).ok());
    }

    void onlyRegularFilesOfOurPrefixAreFound()
    {
        const Folder folder;
        write(folder.dir.filePath(snapshotFileName(c_prefix, 12)), "abc");
        write(folder.dir.filePath(snapshotFileName(QStringLiteral("fedcba9876543210"), 1)), "abc");
        write(folder.dir.filePath(c_prefix + QStringLiteral("-013.bin")), "abc");
        QVERIFY(QFile::link(folder.path, folder.dir.filePath(snapshotFileName(c_prefix, 99))));
        QVERIFY(QDir(folder.dir.path()).mkdir(snapshotFileName(c_prefix, 98)));
        const std::vector<FoundFile> found = findFiles(folder.dir.path(), c_prefix);
        QCOMPARE(found.size(), 2U);
        QCOMPARE(found[0].number, 7);
        QCOMPARE(found[0].bytes, 5000);
        QCOMPARE(found[1].number, 12);
    }

    void progressIsToldAndCanStopTheWork()
    {
        const Folder folder(5 << 20);
        FileExpectation expected = expecting(folder.content.size());
        expected.checksum = true;
        std::vector<qint64> steps;
        const FileReport stopped = checkFile(folder.file, expected, [&](qint64 done, qint64 total) {
            steps.push_back(done);
            return total == folder.content.size() && steps.size() < 3;
        });
        QCOMPARE(stopped.problem, FileProblem::Cancelled);
        QVERIFY(stopped.reason().isEmpty());
        QCOMPARE(steps, (std::vector<qint64> { 1 << 20, 2 << 20, 3 << 20 }));
    }

    void aJobAnswersOnceFromTheEventLoop_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addRow("check") << static_cast<int>(FileTask::Kind::Check);
        QTest::addRow("seal") << static_cast<int>(FileTask::Kind::Seal);
        QTest::addRow("remove") << static_cast<int>(FileTask::Kind::Remove);
    }

    void aJobAnswersOnceFromTheEventLoop()
    {
        QFETCH(int, kind);
        const Folder folder;
        QThreadPool pool;
        FileTask task { static_cast<FileTask::Kind>(kind), folder.file, expecting(5000) };
        task.expected.checksum = true;
        FileJob job(&pool, task);
        int answers = 0;
        FileReport report;
        connect(&job, &FileJob::finished, this, [&](const FileReport &each) {
            ++answers;
            report = each;
            QCOMPARE(QThread::currentThread(), thread());
        });
        job.start();
        pool.waitForDone();
        QCOMPARE(answers, 0);
        QVERIFY(QTest::qWaitFor([&] { return answers > 0; }));
        QCoreApplication::processEvents();
        QCOMPARE(answers, 1);
        QVERIFY2(report.ok(), qPrintable(report.message));
        QCOMPARE(report.bytes, 5000);
        QCOMPARE(QFile::exists(folder.path), task.kind != FileTask::Kind::Remove);
        QCOMPARE(report.checksum.isEmpty(), task.kind == FileTask::Kind::Remove);
    }

    void aCancelledJobStillAnswersAndADeletedOneNever()
    {
        const Folder folder;
        QThreadPool pool;
        pool.setMaxThreadCount(1);
        QSemaphore gate;
        pool.start([&gate] { gate.acquire(); }); // the jobs wait behind it
        FileJob cancelled(&pool, { FileTask::Kind::Remove, folder.file, {} });
        auto deleted = std::make_unique<FileJob>(&pool, FileTask { FileTask::Kind::Remove, folder.file, {} });
        int fromDeleted = 0;
        connect(deleted.get(), &FileJob::finished, this, [&] { ++fromDeleted; });
        std::vector<FileReport> answers;
        connect(&cancelled, &FileJob::finished, this,
            [&](const FileReport &report) { answers.push_back(report); });
        cancelled.start();
        deleted->start();
        cancelled.cancel();
        deleted.reset();
        gate.release();
        pool.waitForDone();
        QVERIFY(QTest::qWaitFor([&] { return !answers.empty(); }));
        QCoreApplication::processEvents();
        QCOMPARE(answers.size(), 1U);
        QCOMPARE(answers[0].problem, FileProblem::Cancelled);
        QCOMPARE(fromDeleted, 0);
        QVERIFY(QFile::exists(folder.path));
    }
};

QTEST_GUILESS_MAIN(TestFileCheck)
#include "tst_filecheck.moc"
