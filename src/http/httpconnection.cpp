// SPDX-License-Identifier: MIT
#include "httpconnection.h"

namespace kv {

namespace {

constexpr qint64 c_readAhead = 65'536; // of pipelined requests
constexpr int c_lingerMs = 1000; // a client that still sends should see why it was refused

} // namespace

HttpConnection::HttpConnection(QTcpSocket *socket, const HttpConnectionLimits &limits, QObject *parent)
    : QObject(parent)
    , m_socket(socket)
    , m_limits(limits)
    , m_reader(limits.request)
{
    m_socket->setParent(this);
    m_socket->setReadBufferSize(c_readAhead);
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &HttpConnection::timedOut);
}

HttpConnection::~HttpConnection()
{
    m_socket->disconnect(this);
    m_socket->abort();
}

void HttpConnection::start()
{
    connect(m_socket, &QTcpSocket::readyRead, this, &HttpConnection::read);
    connect(m_socket, &QTcpSocket::bytesWritten, this, &HttpConnection::wrote);
    connect(m_socket, &QTcpSocket::disconnected, this, &HttpConnection::close);
    if (m_socket->state() != QAbstractSocket::ConnectedState) {
        QMetaObject::invokeMethod(this, &HttpConnection::close, Qt::QueuedConnection);
        return;
    }
    watch(m_limits.headMs);
    // What came before is told from the event loop, as all else is.
    QMetaObject::invokeMethod(this, &HttpConnection::read, Qt::QueuedConnection);
}

void HttpConnection::watch(int ms) { m_timer.start(ms); }

void HttpConnection::read()
{
    if (m_closed) {
        return;
    }
    if (m_discards) {
        m_socket->readAll();
        return;
    }
    if (m_answering && m_reader.buffered() >= c_readAhead) {
        return; // goes on when the present request is answered
    }
    const bool begun = m_reader.hasBegun();
    const QByteArray bytes = m_socket->readAll();
    if (bytes.isEmpty()) {
        return;
    }
    const HttpRequestReader::State before = m_reader.state();
    const HttpRequestReader::State state = m_reader.feed(bytes);
    if (m_answering) {
        return;
    }
    if (state == HttpRequestReader::State::Head && !begun) {
        watch(m_limits.headMs); // from the first byte on, however slowly the others come
    } else if (state == HttpRequestReader::State::Body) {
        watch(m_limits.bodyMs);
        if (before != state && m_reader.awaitsContinue()) {
            m_socket->write("HTTP/1.1 100 Continue\r\n\r\n");
        }
    }
    go(state);
}

void HttpConnection::go(HttpRequestReader::State state)
{
    if (state == HttpRequestReader::State::Failed) {
        refuse();
    } else if (state == HttpRequestReader::State::Done && !m_answering) {
        m_timer.stop();
        m_answering = true;
        m_closesAfter = !request().keepAlive || request().version < 11;
        Q_EMIT requested();
    }
}

void HttpConnection::refuse()
{
    const HttpRefusal refusal = m_reader.refusal();
    m_answering = true;
    m_closesAfter = true;
    const QByteArray text = refusal.sentence.toUtf8() + '\n';
    answer(refusal.status, "text/plain; charset=utf-8", text);
}

void HttpConnection::answer(int status, const QByteArray &contentType, const QByteArray &body)
{
    HttpResponseHead head;
    head.status = status;
    head.headers = { { "Content-Type", contentType }, { "Content-Length", QByteArray::number(body.size()) } };
    const bool toHead = m_reader.state() == HttpRequestReader::State::Done && request().method == "HEAD";
    beginAnswer(head);
    if (!toHead) {
        send(body);
    }
    endAnswer();
}

void HttpConnection::beginAnswer(HttpResponseHead head)
{
    if (m_closed || !m_answering) {
        return;
    }
    head.version = 11;
    if (head.untilClose) {
        m_closesAfter = true;
    }
    if (head.chunked) {
        head.headers.emplace_back("Transfer-Encoding", "chunked");
    }
    if (m_closesAfter) {
        head.headers.emplace_back("Connection", "close");
    }
    send(encodeHead(head));
}

void HttpConnection::send(QByteArrayView framedBody)
{
    if (m_closed || framedBody.isEmpty()) {
        return;
    }
    m_socket->write(framedBody.data(), framedBody.size());
    m_socket->flush(); // now, not when the event loop comes round
    m_wasFull = m_wasFull || isFull();
    if (m_socket->bytesToWrite() > 0) {
        watch(m_limits.stallMs);
    }
}

void HttpConnection::endAnswer()
{
    if (m_closed || !m_answering) {
        return;
    }
    m_answering = false;
    if (m_closesAfter) {
        const bool clientIsDone = m_reader.state() == HttpRequestReader::State::Done;
        m_discards = true;
        if (clientIsDone) {
            m_socket->disconnectFromHost(); // when all is written
        } else {
            read();
            watch(c_lingerMs);
        }
        return;
    }
    watch(m_socket->bytesToWrite() > 0 ? m_limits.stallMs : m_limits.idleMs);
    // From the event loop: whoever answers is not called back while it does.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!m_closed && !m_answering && m_reader.state() == HttpRequestReader::State::Done) {
                const HttpRequestReader::State state = m_reader.next();
                go(state);
                read();
            }
        },
        Qt::QueuedConnection);
}

void HttpConnection::wrote()
{
    if (m_closed) {
        return;
    }
    if (m_timer.isActive() && m_timer.interval() == m_limits.stallMs) {
        if (m_socket->bytesToWrite() > 0) {
            watch(m_limits.stallMs);
        } else if (m_answering) {
            m_timer.stop();
        } else {
            watch(m_limits.idleMs);
        }
    }
    if (m_wasFull && !isFull()) {
        m_wasFull = false;
        Q_EMIT drained();
    }
}

void HttpConnection::timedOut()
{
    if (m_closed) {
        return;
    }
    const bool inRequest = !m_answering && !m_discards && m_reader.hasBegun()
        && m_reader.state() != HttpRequestReader::State::Done;
    if (inRequest && m_socket->bytesToWrite() == 0) {
        m_answering = true;
        m_closesAfter = true;
        answer(408, "text/plain; charset=utf-8", "The request did not come in time.\n");
        return;
    }
    breakOff();
}

void HttpConnection::breakOff()
{
    if (!m_closed) {
        m_socket->abort(); // emits disconnected()
        close();
    }
}

void HttpConnection::close()
{
    if (!m_closed) {
        m_closed = true;
        m_timer.stop();
        Q_EMIT closed();
    }
}

} // namespace kv
