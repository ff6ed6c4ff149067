// SPDX-License-Identifier: MIT
#include "httpresponsereader.h"

#include <QtTest>

using namespace kv;
using State = HttpResponseReader::State;

namespace {

struct Read {
    QByteArray framed; ///< as it would be passed on
    QByteArray body;
    State state = State::Head;
};

/// Feeds it in two pieces, then everything a byte at a time.
Read readCut(const QByteArray &bytes, qsizetype cut, bool toHead = false)
{
    Read out;
    HttpResponseReader reader(toHead, [&](QByteArrayView body) { out.body.append(body); });
    const auto feed = [&](QByteArrayView part) {
        const HttpResponseReader::Fed fed = reader.feed(part);
        out.framed.append(part.sliced(fed.from, fed.count));
    };
    feed(QByteArrayView(bytes).first(cut));
    feed(QByteArrayView(bytes).sliced(cut));
    out.state = reader.state();
    return out;
}

} // namespace

class TestHttpResponses final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void framesPassUntouchedHoweverTheyCome_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QByteArray>("framed");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("behind");
        QTest::newRow("chunked") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                                 << QByteArray("5\r\nhello\r\n1;a=b\r\n \r\n5\r\nworld\r\n0\r\n\r\n")
                                 << QByteArray("hello world") << QByteArray("HTTP/1.1 200");
        QTest::newRow("chunked, and empty")
            << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") << QByteArray("0\r\n\r\n")
            << QByteArray() << QByteArray("HTTP/1.1 200");
        QTest::newRow("sized") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n")
                               << QByteArray("hello world") << QByteArray("hello world")
                               << QByteArray("garbage");
        QTest::newRow("empty") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") << QByteArray()
                               << QByteArray() << QByteArray("x");
        QTest::newRow("no content") << QByteArray("HTTP/1.1 204 No Content\r\n\r\n") << QByteArray()
                                    << QByteArray() << QByteArray("x");
        QTest::newRow("after interim ones") << QByteArray(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\n"
            "Content-Length: 2\r\n\r\n") << QByteArray("ab")
                                            << QByteArray("ab") << QByteArray();
    }
    void framesPassUntouchedHoweverTheyCome()
    {
        QFETCH(QByteArray, head);
        QFETCH(QByteArray, framed);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, behind);
        const QByteArray all = head + framed + behind;
        for (qsizetype cut = 0; cut <= all.size(); ++cut) {
            const Read read = readCut(all, cut);
            QVERIFY2(read.state == State::Done, qPrintable(QString::number(cut)));
            QCOMPARE(read.framed, framed);
            QCOMPARE(read.body, body);
        }
        Read slow;
        HttpResponseReader reader(false, [&](QByteArrayView part) { slow.body.append(part); });
        for (const char byte : head + framed) {
            const QByteArrayView one(&byte, 1);
            const HttpResponseReader::Fed fed = reader.feed(one);
            slow.framed.append(one.sliced(fed.from, fed.count));
        }
        QVERIFY(reader.state() == State::Done);
        QCOMPARE(slow.framed, framed);
        QCOMPARE(slow.body, body);
    }

    void theHeadIsKept()
    {
        HttpResponseReader reader(false, [](QByteArrayView) {});
        reader.feed("HTTP/1.1 404 Nothing Here\r\nServer: a\r\nTransfer-Encoding: chunked\r\n\r\n");
        QVERIFY(reader.state() == State::Body);
        QCOMPARE(reader.head().status, 404);
        QCOMPARE(reader.head().reason, QByteArray("Nothing Here"));
        QVERIFY(reader.head().chunked && !reader.head().untilClose);
    }

    void anAnswerToHeadHasNoBody()
    {
        const Read read = readCut("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", 5, true);
        QVERIFY(read.state == State::Done);
    }

    void aBodyMayEndWithTheConnection()
    {
        QByteArray body;
        HttpResponseReader reader(false, [&](QByteArrayView part) { body.append(part); });
        reader.feed("HTTP/1.0 200 OK\r\n\r\nhel");
        QVERIFY(reader.head().untilClose);
        reader.feed("lo");
        QVERIFY(reader.state() == State::Body);
        QVERIFY(reader.end() == State::Done);
        QCOMPARE(body, QByteArray("hello"));
    }

    void whatIsCutShortHasFailed()
    {
        for (const char *bytes :
            { "", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" }) {
            HttpResponseReader reader(false, [](QByteArrayView) {});
            reader.feed(bytes);
            QVERIFY2(reader.end() == State::Failed, bytes);
        }
        HttpResponseReader garbage(false, [](QByteArrayView) {});
        garbage.feed("SSH-2.0-x\r\n\r\n");
        QVERIFY(garbage.state() == State::Failed);
    }

    void largeBodiesNeedNoMemory()
    {
        qsizetype seen = 0;
        qsizetype passed = 0;
        HttpResponseReader reader(false, [&](QByteArrayView part) { seen += part.size(); });
        reader.feed("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n");
        const QByteArray piece(1'000'000, 'x');
        for (int i = 0; i < 100; ++i) {
            passed += reader.feed(piece).count;
        }
        QVERIFY(reader.state() == State::Done);
        QCOMPARE(seen, 100'000'000);
        QCOMPARE(passed, 100'000'000);
    }
};

QTEST_GUILESS_MAIN(TestHttpResponses)
#include "tst_httpresponses.moc"
