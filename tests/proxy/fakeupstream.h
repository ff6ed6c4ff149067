// SPDX-License-Identifier: MIT
#pragma once

#include "httprequestreader.h"

#include <QHostAddress>
#include <QObject>
#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <functional>
#include <map>

namespace kv::test {

/// A server that records requests and answers with whatever bytes a test says, in its own event loop.
class FakeUpstream final : public QObject {
    Q_OBJECT

public:
    struct Request {
        HttpRequestHead head;
        QByteArray body;
        QPointer<QTcpSocket> socket;
    };

    FakeUpstream()
    {
        connect(&m_server, &QTcpServer::newConnection, this, &FakeUpstream::accept);
        listening = m_server.listen(QHostAddress(QHostAddress::LocalHost), 0);
    }
    ~FakeUpstream() override { close(); }
    Q_DISABLE_COPY_MOVE(FakeUpstream)

    void close()
    {
        m_server.close();
        const QList<QTcpSocket *> sockets = findChildren<QTcpSocket *>();
        for (QTcpSocket *socket : sockets) {
            socket->disconnect(this);
            socket->abort();
        }
    }
    [[nodiscard]] QUrl url() const
    {
        return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_server.serverPort()));
    }

    static QByteArray chunk(const QByteArray &bytes)
    {
        return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
    }
    static QByteArray json(const QByteArray &body, const QByteArray &status = "200 OK")
    {
        return "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: "
            + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }
    static QByteArray streamHead()
    {
        return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nServer: "
               "fake\r\n\r\n";
    }

    QList<Request> requests;
    int aborted = 0; ///< connections that the other side closed before the test did
    bool listening = false;
    /// Empty: requests are only recorded.
    std::function<void(const Request &)> handler;

private:
    void accept()
    {
        while (QTcpSocket *socket = m_server.nextPendingConnection()) {
            socket->setParent(this);
            auto reader = std::make_shared<HttpRequestReader>();
            connect(socket, &QTcpSocket::readyRead, this, [this, socket, reader] {
                if (reader->state() != HttpRequestReader::State::Done
                    && reader->feed(socket->readAll()) == HttpRequestReader::State::Done) {
                    requests.append({ reader->head(), reader->takeBody(), socket });
                    if (handler) {
                        handler(requests.last());
                    }
                }
            });
            connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
                ++aborted;
                socket->deleteLater();
            });
        }
    }

    QTcpServer m_server;
};

/// A client that keeps everything it gets.
class RawClient final : public QObject {
    Q_OBJECT

public:
    explicit RawClient(quint16 port)
    {
        connect(&socket, &QTcpSocket::readyRead, this, [this] { got += socket.readAll(); });
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    }
    ~RawClient() override { socket.disconnect(this); }
    Q_DISABLE_COPY_MOVE(RawClient)

    void post(const QByteArray &target, const QByteArray &body, const QByteArray &headers = {})
    {
        socket.write("POST " + target + " HTTP/1.1\r\nHost: proxy\r\nContent-Length: "
            + QByteArray::number(body.size()) + "\r\n" + headers + "\r\n" + body);
    }
    [[nodiscard]] bool isClosed() const { return socket.state() == QAbstractSocket::UnconnectedState; }
    [[nodiscard]] QByteArray body() const { return got.mid(got.indexOf("\r\n\r\n") + 4); }

    QTcpSocket socket;
    QByteArray got;
};

} // namespace kv::test
