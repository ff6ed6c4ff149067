// SPDX-License-Identifier: MIT
// Streams: untouched, unbuffered, held back by slow readers, ended at once by either side.
#include "proxystage.h"

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray c_last = "data: "
                          "{\"choices\":[{\"finish_reason\":\"stop\"}],\"timings\":{\"cache_n\":5,\"prompt_"
                          "n\":2,\"predicted_n\":3}}\n\n";

} // namespace

class TestProxyStreams final : public QObject {
    Q_OBJECT

    std::unique_ptr<ProxyStage> m_stage;

    void verifyNothingLeft()
    {
        QVERIFY(m_stage->waitOver());
        const qsizetype begun = m_stage->service.calls.count(QStringLiteral("begin"));
        QCOMPARE(m_stage->service.calls.count(QStringLiteral("end")), begun);
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ProxyStage>();
        QVERIFY(m_stage->up);
    }
    void cleanup() { m_stage.reset(); }

    void eachChunkPassesWhenItComes()
    {
        RawClient client(m_stage->proxy.port());
        client.post("/v1/chat/completions", c_chatBody);
        QVERIFY(m_stage->waitRequests(1));
        const QPointer<QTcpSocket> server = m_stage->upstream.requests.first().socket;
        server->write(FakeUpstream::streamHead());
        QTRY_VERIFY(client.got.endsWith("\r\n\r\n"));
        QCOMPARE(client.got,
            QByteArray("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nServer: "
                       "fake\r\nTransfer-Encoding: chunked\r\n\r\n"));
        QByteArray sent;
        for (int i = 0; i < 20; ++i) {
            const QByteArray part = FakeUpstream::chunk("data: {\"n\":" + QByteArray::number(i) + "}\n\n");
            sent += part;
            server->write(part);
            QTRY_COMPARE(client.body(), sent); // none is kept for the next
        }
        sent += FakeUpstream::chunk(c_last) + "0\r\n\r\n";
        server->write(FakeUpstream::chunk(c_last) + "0\r\n\r\n");
        QTRY_COMPARE(client.body(), sent);
        verifyNothingLeft();
        QCOMPARE(m_stage->service.lastEnd->usage.cachedTokens, 5);
        client.got.clear();
        client.post("/v1/chat/completions", c_chatBody); // the connection is kept
        QVERIFY(m_stage->waitRequests(2));
    }

    void anAnswerInOnePieceIsRead()
    {
        const QByteArray whole = FakeUpstream::streamHead() + FakeUpstream::chunk(c_last) + "0\r\n\r\n";
        m_stage->upstream.handler
            = [&](const FakeUpstream::Request &request) { request.socket->write(whole); };
        RawClient client(m_stage->proxy.port());
        client.post("/v1/chat/completions", c_chatBody);
        QTRY_VERIFY(client.got.endsWith(FakeUpstream::chunk(c_last) + "0\r\n\r\n"));
        verifyNothingLeft();
        QCOMPARE(m_stage->service.lastEnd->usage.cachedTokens, 5);
        QVERIFY(m_stage->service.lastEnd->timings.firstChunkMs >= 0);
    }

    void twoHundredStreamsAtOnce()
    {
        constexpr int count = 200;
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < count; ++i) {
            clients.push_back(std::make_unique<RawClient>(m_stage->proxy.port()));
            clients.back()->post("/v1/chat/completions",
                "{\"n\":" + QByteArray::number(i) + ",\"messages\":[{\"role\":\"user\",\"content\":\""
                    + QByteArray::number(i) + "\"}]}");
        }
        QVERIFY(m_stage->waitRequests(count));
        for (const FakeUpstream::Request &request : m_stage->upstream.requests) {
            request.socket->write(FakeUpstream::streamHead());
        }
        for (int round = 0; round < 20; ++round) {
            for (const FakeUpstream::Request &request : m_stage->upstream.requests) {
                request.socket->write(FakeUpstream::chunk(request.body + '\n'));
            }
            QCoreApplication::processEvents();
        }
        for (const FakeUpstream::Request &request : m_stage->upstream.requests) {
            request.socket->write("0\r\n\r\n");
        }
        for (int i = 0; i < count; ++i) {
            RawClient &client = *clients[static_cast<std::size_t>(i)];
            QTRY_VERIFY_WITH_TIMEOUT(client.got.endsWith("0\r\n\r\n"), c_patienceMs);
            QCOMPARE(client.got.count("{\"n\":" + QByteArray::number(i) + ','), 20); // each its own
            QCOMPARE(client.got.count("{\"n\":"), 20);
        }
        verifyNothingLeft();
    }

    void aSlowReaderHoldsTheServerBack()
    {
        RawClient client(m_stage->proxy.port());
        client.socket.setReadBufferSize(1024);
        client.socket.disconnect(&client);
        client.post("/v1/chat/completions", c_chatBody);
        QVERIFY(m_stage->waitRequests(1));
        const QPointer<QTcpSocket> server = m_stage->upstream.requests.first().socket;
        server->write(FakeUpstream::streamHead());
        const QByteArray part = FakeUpstream::chunk(QByteArray(0x10000, 'x'));
        constexpr int parts = 800; // more than all buffers of the system together
        for (int i = 0; i < parts; ++i) {
            server->write(part);
        }
        qint64 left = -1;
        // Until nothing moves any more.
        QTRY_VERIFY_WITH_TIMEOUT(
            (QTest::qWait(200), std::exchange(left, server->bytesToWrite()) == server->bytesToWrite()),
            20000);
        QVERIFY2(left > 10'000'000, qPrintable(QString::number(left)));
        client.socket.setReadBufferSize(0);
        QByteArray got;
        server->write("0\r\n\r\n");
        QTRY_VERIFY_WITH_TIMEOUT((got += client.socket.readAll(), got.endsWith("0\r\n\r\n")), 30000);
        QCOMPARE(got.count('x'), qsizetype { parts } * 0x10000 + 1); // "text/event-stream" has one
        verifyNothingLeft();
    }

    void theClientAborts_data()
    {
        QTest::addColumn<int>("stage");
        QTest::newRow("in its head") << 0;
        QTest::newRow("in its body") << 1;
        QTest::newRow("before the answer") << 2;
        QTest::newRow("after the head") << 3;
        QTest::newRow("in a chunk") << 4;
        QTest::newRow("after a chunk") << 5;
        QTest::newRow("while it is too slow") << 6;
    }
    void theClientAborts()
    {
        QFETCH(int, stage);
        RawClient client(m_stage->proxy.port());
        if (stage == 0) {
            client.socket.write("POST /v1/chat/completions HTTP/1.1\r\nHo");
        } else if (stage == 1) {
            client.socket.write(
                "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{\"a\"");
        } else {
            client.post("/v1/chat/completions", c_chatBody);
            QVERIFY(m_stage->waitRequests(1));
        }
        if (stage >= 3) {
            const QPointer<QTcpSocket> server = m_stage->upstream.requests.first().socket;
            server->write(FakeUpstream::streamHead());
            const QByteArray part = FakeUpstream::chunk("data: {}\n\n");
            server->write(stage == 3 ? QByteArray() : stage == 4 ? part.first(7) : part);
            if (stage == 6) {
                client.socket.setReadBufferSize(1);
                for (int i = 0; i < 300; ++i) {
                    server->write(FakeUpstream::chunk(QByteArray(0x10000, 'x')));
                }
            }
            QTRY_VERIFY(!client.got.isEmpty());
            QTest::qWait(stage == 6 ? 300 : 20);
        } else {
            QTest::qWait(50);
        }
        client.socket.abort();
        if (stage >= 2) {
            QTRY_COMPARE(m_stage->upstream.aborted, 1); // the server learns of it at once
            QTRY_VERIFY(m_stage->service.lastEnd.has_value());
            QVERIFY(m_stage->service.lastEnd->outcome == EndOutcome::Aborted);
        } else {
            QTest::qWait(100);
            QVERIFY(m_stage->service.calls.isEmpty());
        }
        verifyNothingLeft();
    }

    void theServerBreaksOff_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("answered"); // as an error; else the connection breaks
        QTest::newRow("before its head") << QByteArray() << true;
        QTest::newRow("in its head") << QByteArray("HTTP/1.1 200 OK\r\nContent-") << true;
        QTest::newRow("no HTTP") << QByteArray("SSH-2.0\r\n\r\n") << true;
        QTest::newRow("after its head") << FakeUpstream::streamHead() << false;
        QTest::newRow("in a chunk") << FakeUpstream::streamHead() + "20\r\ndata: " << false;
        QTest::newRow("between chunks")
            << FakeUpstream::streamHead() + FakeUpstream::chunk("data: {}\n\n") << false;
        QTest::newRow("in a sized body") << FakeUpstream::json("{\"a\":1}").chopped(2) << false;
    }
    void theServerBreaksOff()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, answered);
        m_stage->upstream.handler = [&](const FakeUpstream::Request &request) {
            request.socket->write(bytes);
            request.socket->disconnectFromHost();
        };
        RawClient client(m_stage->proxy.port());
        client.post("/v1/chat/completions", c_chatBody);
        if (answered) {
            QTRY_VERIFY(client.got.startsWith("HTTP/1.1 502"));
        } else {
            QTRY_VERIFY(client.isClosed()); // not a whole answer, and not made to look like one
            QVERIFY(!client.got.endsWith("0\r\n\r\n"));
        }
        verifyNothingLeft();
        QVERIFY(m_stage->service.lastEnd->outcome == EndOutcome::Error);
        QCOMPARE(m_stage->upstream.requests.size(), 1); // never sent again
    }

    void answersOfEveryFramingPass_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<bool>("closes");
        QTest::newRow("sized")
            << FakeUpstream::json("{}")
            << QByteArray("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
            << false;
        QTest::newRow("empty") << QByteArray("HTTP/1.1 204 No Content\r\nKeep-Alive: 5\r\n\r\n")
                               << QByteArray("HTTP/1.1 204 No Content\r\n\r\n") << false;
        QTest::newRow("until close") << QByteArray("HTTP/1.0 200 Fine\r\n\r\nhello")
                                     << QByteArray("HTTP/1.1 200 Fine\r\nConnection: close\r\n\r\nhello")
                                     << true;
        QTest::newRow("extensions and trailers")
            << QByteArray(
                   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\nX: y\r\n\r\n")
            << QByteArray(
                   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\nX: y\r\n\r\n")
            << false;
    }
    void answersOfEveryFramingPass()
    {
        QFETCH(QByteArray, answer);
        QFETCH(QByteArray, expected);
        QFETCH(bool, closes);
        m_stage->upstream.handler = [&](const FakeUpstream::Request &request) {
            request.socket->write(answer);
            request.socket->disconnectFromHost();
        };
        RawClient client(m_stage->proxy.port());
        client.post("/any", "x");
        QTRY_COMPARE(client.got, expected);
        QVERIFY(m_stage->waitOver());
        QTRY_COMPARE(client.isClosed(), closes);
    }

    void oldClientsGetNoChunks()
    {
        m_stage->upstream.handler = [](const FakeUpstream::Request &request) {
            request.socket->write(FakeUpstream::streamHead() + FakeUpstream::chunk("hello ")
                + FakeUpstream::chunk("world") + "0\r\n\r\n");
        };
        RawClient client(m_stage->proxy.port());
        client.socket.write("GET /any HTTP/1.0\r\n\r\n");
        QTRY_VERIFY(client.isClosed());
        QVERIFY(client.got.endsWith("\r\n\r\nhello world"));
        QVERIFY(!client.got.contains("chunked"));
    }

    void chunkedRequestsAndHeadPass()
    {
        m_stage->upstream.handler = [](const FakeUpstream::Request &request) {
            request.socket->write(request.head.method == "HEAD"
                    ? QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n")
                    : FakeUpstream::json(request.body));
        };
        RawClient client(m_stage->proxy.port());
        client.socket.write(
            "POST /any HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n");
        QTRY_VERIFY(client.got.startsWith("HTTP/1.1 100 Continue\r\n\r\n"));
        client.socket.write("3\r\n{\"a\r\n4\r\n\":1}\r\n0\r\n\r\n");
        QTRY_VERIFY(client.got.endsWith("{\"a\":1}"));
        const HttpHeaders &headers = m_stage->upstream.requests.first().head.headers;
        QVERIFY(!headerOf(headers, "expect") && !headerOf(headers, "transfer-encoding"));
        QCOMPARE(headerOf(headers, "content-length"), std::optional(QByteArray("7")));
        client.got.clear();
        client.socket.write("HEAD /any HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n");
        QTRY_VERIFY(client.got.count("HTTP/1.1 200") == 2); // the length of a HEAD's answer frames nothing
        QVERIFY(!headerOf(m_stage->upstream.requests.last().head.headers, "content-length"));
    }

    void pipelinedRequestsAreForwardedOneByOne()
    {
        RawClient client(m_stage->proxy.port());
        client.post("/one", "1");
        client.post("/two", "2");
        QVERIFY(m_stage->waitRequests(1));
        QTest::qWait(50);
        QCOMPARE(m_stage->upstream.requests.size(), 1);
        m_stage->upstream.requests[0].socket->write(FakeUpstream::json("first"));
        QVERIFY(m_stage->waitRequests(2));
        m_stage->upstream.requests[1].socket->write(FakeUpstream::json("second"));
        QTRY_VERIFY(client.got.contains("first") && client.got.endsWith("second"));
    }

    void theProxyGoesWhileStreamsRun()
    {
        RawClient client(m_stage->proxy.port());
        client.post("/v1/chat/completions", c_chatBody);
        QVERIFY(m_stage->waitRequests(1));
        m_stage->upstream.requests[0].socket->write(FakeUpstream::streamHead());
        QTRY_VERIFY(!client.got.isEmpty());
        m_stage->proxy.stopTakingWork();
        m_stage->upstream.requests[0].socket->write(FakeUpstream::chunk(c_last) + "0\r\n\r\n");
        QTRY_VERIFY(client.got.endsWith("0\r\n\r\n")); // what runs may end
        m_stage.reset();
        QTRY_VERIFY(client.isClosed());
    }
};

QTEST_GUILESS_MAIN(TestProxyStreams)
#include "tst_proxystreams.moc"
