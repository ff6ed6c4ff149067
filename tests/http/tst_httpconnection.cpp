// SPDX-License-Identifier: MIT
#include "httplistener.h"

#include <QTcpSocket>
#include <QtTest>

using namespace kv;

namespace {

const QByteArray c_get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

/// A server that answers each request with its target.
class Echo final : public QObject {
public:
    explicit Echo(const HttpListenerLimits &limits = {})
        : m_listener(limits)
    {
        connect(&m_listener, &HttpListener::connected, this, [this](HttpConnection *connection) {
            last = connection;
            connect(connection, &HttpConnection::requested, this, [this, connection] {
                ++requests;
                if (answers) {
                    connection->answer(
                        200, "text/plain", connection->request().target + connection->takeBody());
                }
            });
            connect(connection, &HttpConnection::closed, this, [this, connection] {
                ++closed;
                connection->deleteLater();
            });
            connection->start();
        });
        listening = m_listener.listen(QStringLiteral("127.0.0.1"), 0).ok();
    }
    HttpListener &listener() { return m_listener; }

    HttpConnection *last = nullptr;
    int requests = 0;
    int closed = 0;
    bool answers = true;
    bool listening = false;

private:
    HttpListener m_listener;
};

class Client final {
public:
    explicit Client(Echo &echo)
    {
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), echo.listener().port());
    }
    /// Everything until the server closes, or until the bytes end with `end`.
    QByteArray readUntil(const QByteArray &end)
    {
        QByteArray got;
        const bool done = QTest::qWaitFor([&] {
            got += socket.readAll();
            return got.endsWith(end);
        });
        return done ? got : "TIMEOUT:" + got;
    }
    QByteArray readAll()
    {
        QByteArray got;
        const bool done = QTest::qWaitFor([&] {
            got += socket.readAll();
            return socket.state() == QAbstractSocket::UnconnectedState;
        });
        return done ? got + socket.readAll() : "TIMEOUT:" + got;
    }
    QTcpSocket socket;
};

} // namespace

class TestHttpConnection final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersAndKeepsTheConnection()
    {
        Echo echo;
        QVERIFY(echo.listening);
        Client client(echo);
        for (int i = 0; i < 3; ++i) {
            client.socket.write(c_get);
            QCOMPARE(client.readUntil("/a"),
                QByteArray("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n/a"));
        }
        QCOMPARE(echo.listener().connections(), 1);
        client.socket.disconnectFromHost();
        QTRY_COMPARE(echo.closed, 1);
        QTRY_COMPARE(echo.listener().connections(), 0);
    }

    void pipelinedRequestsAreAnsweredInOrder()
    {
        Echo echo;
        Client client(echo);
        QByteArray requests;
        for (int i = 0; i < 200; ++i) {
            requests
                += "POST /" + QByteArray::number(i) + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n.";
        }
        client.socket.write(requests + "GET /end HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        const QByteArray all = client.readAll();
        QCOMPARE(echo.requests, 201);
        qsizetype at = 0;
        for (int i = 0; i < 200; ++i) {
            at = all.indexOf("\r\n\r\n/" + QByteArray::number(i) + ".HTTP", at);
            QVERIFY2(at > 0, qPrintable(QString::number(i)));
        }
        QVERIFY(all.endsWith("Connection: close\r\n\r\n/end"));
    }

    void continuesWhenAsked()
    {
        Echo echo;
        Client client(echo);
        client.socket.write(
            "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
        QCOMPARE(client.readUntil("\r\n\r\n"), QByteArray("HTTP/1.1 100 Continue\r\n\r\n"));
        QCOMPARE(echo.requests, 0);
        client.socket.write("abc");
        QVERIFY(client.readUntil("/babc").startsWith("HTTP/1.1 200"));
    }

    void badRequestsAreToldWhyAndClosed()
    {
        Echo echo;
        Client client(echo);
        client.socket.write(
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + c_get);
        const QByteArray all = client.readAll();
        QVERIFY(all.startsWith("HTTP/1.1 400 Bad Request\r\n"));
        QVERIFY(all.contains("Connection: close"));
        QCOMPARE(all.count("HTTP/1.1 "), 1); // what came behind it is nobody's request
        QCOMPARE(echo.requests, 0);
    }

    void slowHeadsAreNotWaitedFor()
    {
        HttpListenerLimits limits;
        limits.connection.headMs = 200;
        Echo echo(limits);
        Client client(echo);
        client.socket.write(c_get); // the second request's head, too, on a connection that is kept
        QVERIFY(client.readUntil("/a").startsWith("HTTP/1.1 200"));
        QByteArray got;
        // One byte now and then does not keep it open.
        const QByteArray slow = "GET / HTTP/1.1\r\nHost: x\r\nX: " + QByteArray(1000, 'y');
        for (const char byte : slow) {
            if (client.socket.state() == QAbstractSocket::UnconnectedState) {
                break;
            }
            client.socket.write(&byte, 1);
            QTest::qWait(20);
            got += client.socket.readAll();
        }
        QVERIFY2(got.startsWith("HTTP/1.1 408"), got.constData());
    }

    void idleConnectionsAreClosed()
    {
        HttpListenerLimits limits;
        limits.connection.idleMs = 100;
        limits.connection.headMs = 100;
        Echo echo(limits);
        Client silent(echo);
        Client used(echo);
        used.socket.write(c_get);
        QVERIFY(used.readUntil("/a").startsWith("HTTP/1.1 200"));
        QCOMPARE(used.readAll(), QByteArray());
        QCOMPARE(silent.readAll(), QByteArray());
        QTRY_COMPARE(echo.closed, 2);
    }

    void tooManyAreSentAway()
    {
        HttpListenerLimits limits;
        limits.connections = 2;
        Echo echo(limits);
        Client one(echo);
        Client two(echo);
        QTRY_COMPARE(echo.listener().connections(), 2);
        Client three(echo);
        QVERIFY(three.readAll().startsWith("HTTP/1.1 503"));
        one.socket.abort();
        QTRY_COMPARE(echo.listener().connections(), 1);
        Client four(echo);
        four.socket.write(c_get);
        QVERIFY(four.readUntil("/a").startsWith("HTTP/1.1 200"));
    }

    void anAbortIsSeenWhileAnAnswerIsAwaited()
    {
        Echo echo;
        echo.answers = false;
        Client client(echo);
        client.socket.write(c_get);
        QTRY_COMPARE(echo.requests, 1);
        client.socket.abort();
        QTRY_COMPARE(echo.closed, 1);
    }

    void aSlowReaderIsFullAndThenDrained()
    {
        Echo echo;
        echo.answers = false;
        Client client(echo);
        client.socket.setReadBufferSize(1024);
        client.socket.write(c_get);
        QTRY_COMPARE(echo.requests, 1);
        HttpConnection *connection = echo.last;
        QSignalSpy drained(connection, &HttpConnection::drained);
        HttpResponseHead head;
        head.chunked = true;
        connection->beginAnswer(head);
        qint64 sent = 0;
        while (!connection->isFull() && sent < 100'000'000) {
            connection->send("10000\r\n" + QByteArray(0x10000, 'x') + "\r\n");
            sent += 0x10000;
        }
        QVERIFY(connection->isFull());
        QCOMPARE(drained.count(), 0);
        client.socket.setReadBufferSize(0);
        QByteArray got;
        QTRY_VERIFY((got += client.socket.readAll(), drained.count() == 1));
        connection->send("0\r\n\r\n");
        connection->endAnswer();
        QTRY_VERIFY((got += client.socket.readAll(), got.endsWith("0\r\n\r\n")));
        QCOMPARE(got.count('x'), sent);
    }

    void aReaderThatStopsIsGivenUp()
    {
        HttpListenerLimits limits;
        limits.connection.stallMs = 200;
        Echo echo(limits);
        echo.answers = false;
        Client client(echo);
        client.socket.setReadBufferSize(1024);
        client.socket.write(c_get);
        QTRY_COMPARE(echo.requests, 1);
        HttpResponseHead head;
        head.untilClose = true;
        echo.last->beginAnswer(head);
        while (!echo.last->isFull()) {
            echo.last->send(QByteArray(0x10000, 'x'));
        }
        QTRY_COMPARE(echo.closed, 1);
    }

    void hostsAreAddresses()
    {
        HttpListener listener;
        QVERIFY(!listener.listen(QStringLiteral("no.such.name"), 0).ok());
        QVERIFY(listener.listen(QStringLiteral("localhost"), 0).ok());
        HttpListener second;
        QVERIFY(!second.listen(QStringLiteral("127.0.0.1"), listener.port()).ok());
    }
};

QTEST_GUILESS_MAIN(TestHttpConnection)
#include "tst_httpconnection.moc"
