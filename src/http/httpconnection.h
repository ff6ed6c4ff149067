// SPDX-License-Identifier: MIT
#pragma once

#include "httphead.h"
#include "httprequestreader.h"

#include <QObject>
#include <QTcpSocket>
#include <QTimer>

namespace kv {

struct HttpConnectionLimits {
    HttpRequestLimits request;
    int headMs = 15'000; ///< from a request's first byte to the end of its head
    int bodyMs = 60'000; ///< without one more byte of a body
    int idleMs = 75'000; ///< between requests
    int stallMs = 300'000; ///< an answer of which the client takes nothing
    qint64 highWater = 262'144; ///< of answered bytes that the client has not taken: see isFull()
};

/// One client's connection, server side: gives out one request after the other, pipelined ones in their
/// order, and takes the answers. Lives in its thread; owns its socket. Refuses bad requests by itself and
/// closes then.
class HttpConnection final : public QObject {
    Q_OBJECT

public:
    /// Takes `socket` over. Nothing is emitted before start().
    HttpConnection(QTcpSocket *socket, const HttpConnectionLimits &limits, QObject *parent);
    ~HttpConnection() override;
    Q_DISABLE_COPY_MOVE(HttpConnection)

    void start();

    [[nodiscard]] const HttpRequestHead &request() const { return m_reader.head(); }
    [[nodiscard]] QByteArray takeBody() { return m_reader.takeBody(); }

    // The answer to the last requested(). Without effect once closed.
    void answer(int status, const QByteArray &contentType, const QByteArray &body);
    /// `head` says how the body is framed: by its Content-Length or by `chunked`, which is announced here; an
    /// `untilClose` body ends with the connection. Other connection headers are made here.
    void beginAnswer(HttpResponseHead head);
    void send(QByteArrayView framedBody); ///< goes out at once, as far as the client takes it
    void endAnswer();
    /// The answer cannot be completed: the client sees the connection break.
    void breakOff();

    [[nodiscard]] bool isOpen() const { return !m_closed; }
    /// The client is slow: send() would only fill memory until drained().
    [[nodiscard]] bool isFull() const { return m_socket->bytesToWrite() > m_limits.highWater; }

Q_SIGNALS:
    void requested(); ///< request() is complete; answered by exactly one answer
    void drained(); ///< after isFull() it is no more
    void closed(); ///< once; nothing comes after it

private:
    void read();
    void go(HttpRequestReader::State state);
    void refuse();
    void wrote();
    void timedOut();
    void close();
    void watch(int ms);

    QTcpSocket *m_socket;
    HttpConnectionLimits m_limits;
    HttpRequestReader m_reader;
    QTimer m_timer;
    bool m_answering = false;
    bool m_closesAfter = false;
    bool m_discards = false; ///< no more requests; what still comes is thrown away
    bool m_wasFull = false;
    bool m_closed = false;
};

} // namespace kv
