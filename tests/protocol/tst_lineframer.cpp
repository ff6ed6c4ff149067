// SPDX-License-Identifier: MIT
#include "lineframer.h"

#include <QRandomGenerator>
#include <QTest>

using namespace kv;

class TestLineFramer : public QObject {
    Q_OBJECT

    static QByteArrayList drain(LineFramer &framer)
    {
        QByteArrayList lines;
        while (const auto line = framer.next()) {
            lines.append(*line);
        }
        return lines;
    }

private Q_SLOTS:
    void deliversLinesThatArriveOneByteAtATime()
    {
        const QByteArray stream("{\"a\":1}\n\r\n{\"b\":\"\xC3\xA4\"}\r\n");
        LineFramer framer;
        QByteArrayList lines;
        for (const char byte : stream) {
            framer.feed(QByteArrayView(&byte, 1));
            lines += drain(framer);
        }
        QCOMPARE(lines, QByteArrayList({ "{\"a\":1}", "{\"b\":\"\xC3\xA4\"}" }));
        QCOMPARE(framer.pending(), 0);
    }

    void deliversManyLinesOfOneWriteInOrder()
    {
        QByteArray stream;
        QByteArrayList expected;
        for (int i = 0; i < 20'000; ++i) {
            expected.append(QByteArray::number(i));
            stream += expected.last() + '\n';
        }
        LineFramer framer;
        framer.feed(stream + "rest");
        QCOMPARE(drain(framer), expected);
        QCOMPARE(framer.pending(), 4);
        framer.feed("\n");
        QCOMPARE(drain(framer), QByteArrayList({ "rest" }));
    }

    void splitsAtAnyPointGiveTheSameLines()
    {
        QByteArray stream;
        for (int i = 0; i < 300; ++i) {
            stream += QByteArray(i % 37, 'x') + (i % 3 == 0 ? "\r\n" : "\n");
        }
        LineFramer whole;
        whole.feed(stream);
        const QByteArrayList expected = drain(whole);
        QVERIFY(expected.size() > 250);
        QRandomGenerator random(7);
        for (int round = 0; round < 50; ++round) {
            LineFramer framer;
            QByteArrayList lines;
            for (qsizetype at = 0; at < stream.size();) {
                const qsizetype step = random.bounded(1, 90);
                framer.feed(stream.mid(at, step));
                lines += drain(framer);
                at += step;
            }
            QCOMPARE(lines, expected);
        }
    }

    void ignoresBlankLinesAndKeepsInnerCarriageReturns()
    {
        LineFramer framer;
        framer.feed("\n \t\n\r\na\rb\r\nc\r\r\n");
        QCOMPARE(drain(framer), QByteArrayList({ "a\rb", "c\r" }));
    }

    void takesALineOfExactlyTheLimitWithEitherLineEnd()
    {
        for (const QByteArray &end : { QByteArray("\n"), QByteArray("\r\n") }) {
            LineFramer framer(10);
            QByteArrayList lines;
            for (const char byte : QByteArray(10, 'x') + end) {
                framer.feed(QByteArrayView(&byte, 1));
                lines += drain(framer);
                QVERIFY(!framer.failed());
            }
            QCOMPARE(lines, QByteArrayList({ QByteArray(10, 'x') }));
        }
    }

    void failsOnALineThatIsTooLongAfterDeliveringThoseBefore()
    {
        LineFramer framer(10);
        framer.feed("first\nsecond\n" + QByteArray(11, 'x') + "\nthird\n");
        QCOMPARE(drain(framer), QByteArrayList({ "first", "second" }));
        QVERIFY(framer.failed());
        framer.feed("fourth\n");
        QVERIFY(!framer.next());
        QCOMPARE(framer.pending(), 0);
    }

    void failsOnALineWithoutEndOnceItIsPastTheLimit()
    {
        LineFramer framer(100);
        int fed = 0;
        while (!framer.failed() && fed < 1000) {
            framer.feed("x");
            ++fed;
            QVERIFY(!framer.next());
        }
        QCOMPARE(fed, 101);
    }

    void passesNoiseNulAndInvalidUtf8ThroughUnchanged()
    {
        QByteArray noise;
        for (int i = 0; i < 256; ++i) {
            if (i != '\n' && i != '\r') {
                noise.append(static_cast<char>(i));
            }
        }
        LineFramer framer;
        framer.feed(noise + '\n');
        QCOMPARE(drain(framer), QByteArrayList({ noise }));
    }

    void looksAtEachByteOnlyOnce()
    {
        // A megabyte without an end, in small pieces: rescanning from the start at each would be 10^10 steps
        // and run into the test's time-out.
        LineFramer framer;
        const QByteArray piece(64, 'x');
        for (qsizetype sent = 0; sent + piece.size() <= c_maxRequestLine; sent += piece.size()) {
            framer.feed(piece);
            QVERIFY(!framer.next());
        }
        framer.feed("\n");
        QCOMPARE(framer.next()->size(), c_maxRequestLine);
    }
};

QTEST_GUILESS_MAIN(TestLineFramer)
#include "tst_lineframer.moc"
