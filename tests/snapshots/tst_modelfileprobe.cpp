// SPDX-License-Identifier: MIT
#include "fingerprint.h"
#include "modelfileprobe.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;

namespace {

constexpr qint64 c_mib = qint64 { 1 } << 20;

QByteArray noise(qsizetype size, quint32 seed = 1)
{
    QByteArray bytes(size, Qt::Uninitialized);
    quint32 x = seed;
    for (char &byte : bytes) {
        x = x * 1664525U + 1013904223U;
        byte = static_cast<char>(x >> 24);
    }
    return bytes;
}

void write(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

void flip(const QString &path, qint64 at)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.seek(at));
    char byte = 0;
    QVERIFY(file.getChar(&byte));
    QVERIFY(file.seek(at));
    QVERIFY(file.putChar(static_cast<char>(byte ^ 1)));
}

ModelFileFacts read(const QString &path)
{
    SampleCache cache;
    return readModelFile(path, cache);
}

} // namespace

class TestModelFileProbe final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void factsOfASmallFileCoverAllOfIt()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("m.gguf"));
        write(path, noise(3 * c_mib));
        const ModelFileFacts facts = read(path);
        QVERIFY2(facts.readable, qPrintable(facts.why));
        QCOMPARE(facts.size, 3 * c_mib);
        QCOMPARE(facts.sample.size(), 64);
        QCOMPARE(facts.mtimeMs, QFileInfo(path).lastModified().toMSecsSinceEpoch());
        for (const qint64 at : { qint64 { 0 }, c_mib + 100'000, 2 * c_mib - 1, 3 * c_mib - 1 }) {
            flip(path, at);
            QVERIFY(read(path).sample != facts.sample);
            flip(path, at);
        }
        QCOMPARE(read(path).sample, facts.sample);
    }

    void samplesOfALargeFileAreItsEndsAndBlocksBetween()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("m.gguf"));
        const qint64 size = 18 * c_mib;
        write(path, noise(size));
        const QString sample = read(path).sample;
        // Ends, and the middle of each of the 16 MiB between.
        for (const qint64 at : { qint64 { 0 }, c_mib - 1, size - c_mib, size - 1, c_mib + c_mib / 2,
                 9 * c_mib + c_mib / 2, 16 * c_mib + c_mib / 2 }) {
            flip(path, at);
            QVERIFY2(read(path).sample != sample, qPrintable(QString::number(at)));
            flip(path, at);
        }
        flip(path, 2 * c_mib); // between two blocks: not looked at
        QCOMPARE(read(path).sample, sample);
    }

    void fieldsAreNamedAndAbsentWhenNotReadable()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("m.gguf"));
        write(path, "abc");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(
            file.setFileTime(QDateTime::fromMSecsSinceEpoch(1'700'000'000'123), QFile::FileModificationTime));
        file.close();
        const FieldList fields = read(path).fields();
        const FieldList expected { { field::fileSize.toString(), QStringLiteral("3") },
            { field::fileMtime.toString(), QStringLiteral("2023-11-14T22:13:20.123Z") },
            { field::fileSample.toString(),
                QStringLiteral("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") } };
        QCOMPARE(fields, expected);
        QVERIFY(read(dir.filePath(QStringLiteral("none"))).fields().empty());
    }

    void whatCannotBeReadSaysWhy()
    {
        const QTemporaryDir dir;
        for (const QString &path : { dir.filePath(QStringLiteral("none")), dir.path(),
                 QStringLiteral("models/m.gguf"), QString() }) {
            const ModelFileFacts facts = read(path);
            QVERIFY(!facts.readable);
            QVERIFY(!facts.why.isEmpty());
        }
    }

    void linksLeadToTheModel()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("blob"));
        const QString link = dir.filePath(QStringLiteral("m.gguf"));
        write(path, "content");
        QVERIFY(QFile::link(path, link));
        QCOMPARE(read(link), read(path));
    }

    void partsOfASplitFileAreFound()
    {
        QCOMPARE(modelFileParts(QStringLiteral("/m.gguf")), QStringList { QStringLiteral("/m.gguf") });
        QCOMPARE(modelFileParts(QStringLiteral("/a%1-00002-of-00003.gguf")),
            (QStringList { QStringLiteral("/a%1-00001-of-00003.gguf"),
                QStringLiteral("/a%1-00002-of-00003.gguf"), QStringLiteral("/a%1-00003-of-00003.gguf") }));
        for (const QString &odd :
            { QStringLiteral("/a-00001-of-00000.gguf"), QStringLiteral("/a-1-of-3.gguf"),
                QStringLiteral("/a-00001-of-99999.gguf"), QStringLiteral("/a-00001-of-00003.bin") }) {
            QCOMPARE(modelFileParts(odd), QStringList { odd });
        }
    }

    void everyPartOfASplitFileCounts()
    {
        const QTemporaryDir dir;
        QStringList parts;
        for (int i = 1; i <= 3; ++i) {
            parts.append(dir.filePath(QStringLiteral("m-0000%1-of-00003.gguf").arg(i)));
            write(parts.last(), noise(1000 * i, static_cast<quint32>(i)));
        }
        const ModelFileFacts facts = read(parts.first());
        QVERIFY(facts.readable);
        QCOMPARE(facts.size, 6000);
        flip(parts.at(2), 2999);
        QVERIFY(read(parts.first()).sample != facts.sample);
        QVERIFY(QFile::remove(parts.at(1)));
        QVERIFY(!read(parts.first()).readable);
    }

    void theProbeAnswersLaterAndOnce()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("m.gguf"));
        const QString none = dir.filePath(QStringLiteral("none"));
        write(path, noise(100'000));
        QThreadPool pool;
        ModelFileProbe probe(&pool);
        QHash<QString, QList<ModelFileFacts>> answers;
        connect(&probe, &ModelFileProbe::probed, this,
            [&](const QString &of, const ModelFileFacts &facts) { answers[of].append(facts); });
        probe.probe(path);
        probe.probe(path); // its answer is awaited already
        probe.probe(none);
        pool.waitForDone();
        QVERIFY(answers.isEmpty());
        QVERIFY(QTest::qWaitFor([&] { return answers.size() == 2; }));
        QCoreApplication::processEvents();
        QCOMPARE(answers[path].size(), 1);
        QCOMPARE(answers[path].first(), read(path));
        QVERIFY(!answers[none].first().readable);
        probe.probe(path); // and asked again it answers again
        QVERIFY(QTest::qWaitFor([&] { return answers[path].size() == 2; }));
        probe.probe(path);
        // Destroyed with one under way: no answer, no crash.
    }

    void aFileThatDidNotChangeIsNotReadAgainAndOneThatDidIs()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("m.gguf"));
        write(path, "first");
        SampleCache cache;
        int reads = 0;
        const auto counted = [&] {
            return readModelFile(path, cache, [&] {
                ++reads;
                return false;
            });
        };
        const ModelFileFacts first = counted();
        QCOMPARE(counted(), first);
        QCOMPARE(reads, 1);
        write(path, "other");
        QVERIFY(counted().sample != first.sample);
        QCOMPARE(reads, 2);
    }

    void aCancelledReadIsNoAnswerThatIsKept()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("m.gguf"));
        write(path, "content");
        SampleCache cache;
        QVERIFY(!readModelFile(path, cache, [] { return true; }).readable);
        QVERIFY(readModelFile(path, cache).readable);
    }

    void aFileOverwrittenInPlaceWithItsOldTimesIsReadAnew()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("m.gguf"));
        const auto overwrite = [&](quint32 seed) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly)); // the same inode
            QVERIFY(file.write(noise(1000, seed)) == 1000 && file.flush());
            QVERIFY(file.setFileTime(
                QDateTime::fromMSecsSinceEpoch(1'600'000'000'000), QFileDevice::FileModificationTime));
        };
        SampleCache cache;
        overwrite(1);
        const ModelFileFacts first = readModelFile(path, cache);
        QTest::qWait(20); // a tick of the file system's clock
        overwrite(2);
        const ModelFileFacts second = readModelFile(path, cache);
        QCOMPARE(second.mtimeMs, first.mtimeMs);
        QVERIFY(second.sample != first.sample);
    }
};

QTEST_GUILESS_MAIN(TestModelFileProbe)
#include "tst_modelfileprobe.moc"
