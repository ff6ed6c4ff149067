// SPDX-License-Identifier: MIT
// Requests as bytes: what is taken, and all that is refused because two parsers could see two requests in it.
#include "httprequestreader.h"

#include <QtTest>

using namespace kv;
using State = HttpRequestReader::State;

namespace {

const QByteArray c_get = "GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-One: 1\r\nx-one: 2\r\n\r\n";
const QByteArray c_chunked = "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                             "5;ext=\"a b\"\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: t\r\n\r\n";
const QByteArray c_sized = "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nhello world";

} // namespace

class TestHttpRequests final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAHead()
    {
        HttpRequestReader reader;
        QVERIFY(reader.feed(c_get) == State::Done);
        QCOMPARE(reader.head().method, QByteArray("GET"));
        QCOMPARE(reader.head().target, QByteArray("/a?b=c"));
        QCOMPARE(reader.head().version, 11);
        QVERIFY(reader.head().keepAlive);
        QCOMPARE(reader.head().headers.size(), std::size_t { 3 });
        QCOMPARE(reader.head().headers[2].first, QByteArray("x-one")); // spelling and order as sent
        QVERIFY(reader.takeBody().isEmpty());
    }

    void readsBodiesCutAtEveryPoint_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("chunked") << c_chunked;
        QTest::newRow("sized") << c_sized;
    }
    void readsBodiesCutAtEveryPoint()
    {
        QFETCH(QByteArray, bytes);
        for (qsizetype cut = 1; cut < bytes.size(); ++cut) {
            HttpRequestReader reader;
            reader.feed(QByteArrayView(bytes).first(cut));
            QVERIFY(reader.state() != State::Done);
            QVERIFY(reader.feed(QByteArrayView(bytes).sliced(cut)) == State::Done);
            QCOMPARE(reader.takeBody(), QByteArray("hello world"));
            QCOMPARE(reader.buffered(), 0);
        }
        HttpRequestReader reader;
        for (const char byte : bytes) {
            reader.feed(QByteArrayView(&byte, 1));
        }
        QVERIFY(reader.state() == State::Done);
        QCOMPARE(reader.takeBody(), QByteArray("hello world"));
    }

    void pipelinedRequestsComeInOrder()
    {
        HttpRequestReader reader;
        QVERIFY(reader.feed(c_sized + c_chunked + c_get + c_get.first(20)) == State::Done);
        QCOMPARE(reader.takeBody(), QByteArray("hello world"));
        QVERIFY(reader.next() == State::Done);
        QCOMPARE(reader.takeBody(), QByteArray("hello world"));
        QVERIFY(reader.next() == State::Done);
        QCOMPARE(reader.head().method, QByteArray("GET"));
        QVERIFY(reader.next() == State::Head);
        QVERIFY(reader.hasBegun());
        QVERIFY(reader.feed(QByteArrayView(c_get).sliced(20)) == State::Done);
    }

    void aBlankLineBeforeARequestIsPassedOver()
    {
        HttpRequestReader reader;
        QVERIFY(reader.feed("\r\n" + c_get) == State::Done);
    }

    void largeBodiesAndLimits()
    {
        HttpRequestLimits limits;
        limits.bodyBytes = 1'000'000;
        const auto sized = [](qsizetype size) {
            return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + QByteArray::number(size) + "\r\n\r\n";
        };
        HttpRequestReader fits(limits);
        QVERIFY(fits.feed(sized(1'000'000) + QByteArray(1'000'000, 'x')) == State::Done);
        QCOMPARE(fits.takeBody().size(), 1'000'000);
        HttpRequestReader tooLong(limits);
        QVERIFY(tooLong.feed(sized(1'000'001)) == State::Failed); // before any of it is sent
        QCOMPARE(tooLong.refusal().status, 413);
        HttpRequestReader chunks(limits);
        chunks.feed("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < 16 && chunks.state() != State::Failed; ++i) {
            chunks.feed("10000\r\n" + QByteArray(0x10000, 'x') + "\r\n");
        }
        QCOMPARE(chunks.refusal().status, 413);
        HttpRequestReader head;
        head.feed("GET / HTTP/1.1\r\nHost: x\r\n");
        for (int i = 0; i < 100 && head.state() != State::Failed; ++i) {
            head.feed("X: " + QByteArray(1000, 'y') + "\r\n");
        }
        QCOMPARE(head.refusal().status, 431);
        HttpRequestReader extension;
        extension.feed("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;");
        for (int i = 0; i < 100 && extension.state() != State::Failed; ++i) {
            extension.feed(QByteArray(1000, 'y'));
        }
        QVERIFY(extension.state() == State::Failed);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        const auto head = [](const char *name, const QByteArray &headers, int status = 400) {
            QTest::newRow(name) << "POST / HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n0\r\n\r\n" << status;
        };
        head("length and coding", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n");
        head("coding and length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n");
        head("two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n");
        head("the same length twice", "Content-Length: 5\r\nContent-Length: 5\r\n");
        head("a list of lengths", "Content-Length: 5, 5\r\n");
        head("a signed length", "Content-Length: +5\r\n");
        head("a negative length", "Content-Length: -5\r\n");
        head("a hexadecimal length", "Content-Length: 0x5\r\n");
        head("no length", "Content-Length:\r\n");
        head("a huge length", "Content-Length: 99999999999999999999999\r\n");
        head("two codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n");
        head("a list of codings", "Transfer-Encoding: gzip, chunked\r\n");
        head("chunked not last", "Transfer-Encoding: chunked, identity\r\n");
        head("identity", "Transfer-Encoding: identity\r\n");
        head("an unknown coding", "Transfer-Encoding: xchunked\r\n");
        head("a quoted coding", "Transfer-Encoding: \"chunked\"\r\n");
        head("a folded header", "X: a\r\n b\r\n");
        head("a folded coding", "Transfer-Encoding:\r\n chunked\r\n");
        head("a folded first header", " X: a\r\n");
        head("blank before the colon", "Content-Length : 5\r\n");
        head("tab before the colon", "Transfer-Encoding\t: chunked\r\n");
        head("no colon", "Content-Length\r\n");
        head("no name", ": x\r\n");
        head("a bare line feed", "X: a\nContent-Length: 5\r\n");
        head("a bare carriage return", "X: a\rContent-Length: 5\r\n");
        head("a nul", QByteArray("X: a\0b\r\n", 8));
        head("a second host", "Host: y\r\n");
        head("another expectation", "Expect: tea\r\n", 417);
        const auto line = [](const char *name, const QByteArray &first, int status = 400) {
            QTest::newRow(name) << first + "\r\nHost: x\r\n\r\n" << status;
        };
        line("no version", "GET /");
        line("HTTP/2", "GET / HTTP/2.0", 505);
        line("HTTP/0.9", "GET / HTTP/0.9", 505);
        line("a blank in the target", "GET /a b HTTP/1.1", 505); // "b HTTP/1.1" is the version
        line("no target", "GET  HTTP/1.1");
        line("a control character", "GET /\x01 HTTP/1.1");
        line("another protocol", "\x16\x03\x01\x02\x00\x01");
        QTest::newRow("no host") << QByteArray("GET / HTTP/1.1\r\n\r\n") << 400;
        QTest::newRow("chunked in HTTP/1.0")
            << QByteArray("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") << 400;
        const auto chunk = [](const char *name, const QByteArray &body) {
            QTest::newRow(name) << "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body
                                << 400;
        };
        chunk("a chunk without size", "\r\nhello\r\n");
        chunk("a chunk of no number", "xyz\r\nhello\r\n");
        chunk("a negative chunk", "-5\r\nhello\r\n");
        chunk("a chunk longer than it says", "3\r\nhello\r\n0\r\n\r\n");
        chunk("a chunk of too many digits", "11111111111111111\r\nhello\r\n");
        chunk("a chunk ended by a line feed", "5\nhello\n0\n\n\r\n\r\n");
        chunk("a bad trailer", "0\r\nX : y\r\n\r\n");
    }
    void refuses()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, status);
        HttpRequestReader whole;
        QVERIFY(whole.feed(bytes) == State::Failed);
        QCOMPARE(whole.refusal().status, status);
        QVERIFY(!whole.refusal().sentence.isEmpty());
        HttpRequestReader slow;
        for (const char byte : bytes) {
            slow.feed(QByteArrayView(&byte, 1));
        }
        QCOMPARE(slow.refusal().status, status);
        QVERIFY(slow.next() == State::Failed); // for good
    }

    void oldClientsAreServed()
    {
        HttpRequestReader reader;
        QVERIFY(reader.feed("GET / HTTP/1.0\r\n\r\n") == State::Done);
        QVERIFY(!reader.head().keepAlive);
        HttpRequestReader closing;
        closing.feed("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        QVERIFY(!closing.head().keepAlive);
    }

    void awaitsContinueOnlyWhileNothingCame()
    {
        const QByteArray head
            = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
        HttpRequestReader waits;
        QVERIFY(waits.feed(head) == State::Body);
        QVERIFY(waits.awaitsContinue());
        waits.feed("a");
        QVERIFY(!waits.awaitsContinue());
        QVERIFY(waits.feed("b") == State::Done);
        HttpRequestReader hasIt;
        QVERIFY(hasIt.feed(head + "ab") == State::Done);
        QVERIFY(!hasIt.awaitsContinue());
    }

    void hopByHopHeadersStayHere()
    {
        const HttpHeaders kept = withoutHopByHop({ { "Connection", "close, X-Hop, Content-Length" },
            { "Keep-Alive", "5" }, { "x-hop", "1" }, { "TE", "trailers" }, { "Upgrade", "h2c" },
            { "Transfer-Encoding", "chunked" }, { "Trailer", "t" }, { "Content-Length", "3" },
            { "Authorization", "Bearer k" }, { "X-Other", "2" } });
        QCOMPARE(kept,
            (HttpHeaders { { "Content-Length", "3" }, { "Authorization", "Bearer k" }, { "X-Other", "2" } }));
    }
};

QTEST_GUILESS_MAIN(TestHttpRequests)
#include "tst_httprequests.moc"
