// SPDX-License-Identifier: MIT
// Checksums of files on record, one after the other; what is not to be told any more is not told.
#include "checksumqueue.h"
#include "snapshotname.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;

namespace {

const QString c_prefix = QStringLiteral("0123456789abcdef");
constexpr qsizetype c_size = 3'000'000; // several steps of the reader

class Files final {
public:
    [[nodiscard]] ChecksumQueue::Item make(NameNumber number, char fill) const
    {
        ChecksumQueue::Item item;
        item.session = QStringLiteral("session %1").arg(number);
        item.file = { m_dir.path(), c_prefix, number };
        item.expected.bytes = c_size;
        QFile out(m_dir.filePath(snapshotFileName(c_prefix, number)));
        if (!out.open(QIODevice::WriteOnly)) {
            qFatal("a file could not be written");
        }
        out.write(QByteArray("qsgg\x04\0\0\0", 8) + QByteArray(c_size - 8, fill));
        return item;
    }

private:
    QTemporaryDir m_dir;
};

}

class TstChecksumQueue final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_queue = std::make_unique<ChecksumQueue>();
        m_known.clear();
        connect(m_queue.get(), &ChecksumQueue::computed, this,
            [this](const ChecksumKnown &known) { m_known.append(known); });
    }

    void filesAreDoneInTheirOrderAndOnce()
    {
        const Files files;
        const ChecksumQueue::Item first = files.make(1, 'a');
        m_queue->add(first);
        m_queue->add(files.make(2, 'b'));
        m_queue->add(first);
        QTRY_COMPARE(m_known.size(), 2);
        QVERIFY(m_queue->isEmpty());
        QCOMPARE(m_known.at(0).name, 1);
        QCOMPARE(m_known.at(0).session, QStringLiteral("session 1"));
        QCOMPARE(m_known.at(1).name, 2);
        QCOMPARE(m_known.at(0).checksum.size(), 16);
        QVERIFY(m_known.at(0).checksum != m_known.at(1).checksum);
    }

    void aDroppedFileIsNeverTold()
    {
        const Files files;
        m_queue->add(files.make(1, 'a')); // under way
        m_queue->add(files.make(2, 'b'));
        m_queue->add(files.make(3, 'c'));
        m_queue->drop(1);
        m_queue->drop(2);
        m_queue->drop(7); // of nobody
        QTRY_COMPARE(m_known.size(), 1);
        QCOMPARE(m_known.front().name, 3);
        m_queue->add(files.make(1, 'a'));
        QTRY_COMPARE(m_known.size(), 2);
        QCOMPARE(m_known.back().name, 1);
    }

    void aFileThatIsNotAsRecordedIsNotToldAndHoldsNobodyUp()
    {
        const Files files;
        ChecksumQueue::Item cut = files.make(1, 'a');
        cut.expected.bytes = c_size + 1;
        m_queue->add(cut);
        m_queue->add(files.make(2, 'b'));
        QTRY_COMPARE(m_known.size(), 1);
        QCOMPARE(m_known.front().name, 2);
    }

    void clearedAndGoneWithWorkUnderWay()
    {
        const Files files;
        m_queue->add(files.make(1, 'a'));
        m_queue->clear();
        m_queue->add(files.make(2, 'b'));
        m_queue.reset();
        QTest::qWait(50);
        QVERIFY(m_known.isEmpty());
    }

private:
    std::unique_ptr<ChecksumQueue> m_queue;
    QList<ChecksumKnown> m_known;
};

QTEST_GUILESS_MAIN(TstChecksumQueue)
#include "tst_checksumqueue.moc"
