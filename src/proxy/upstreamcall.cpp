// SPDX-License-Identifier: MIT
#include "upstreamcall.h"

#include <QSslSocket>

namespace kv {

namespace {

constexpr qint64 c_readBuffer = 262'144;
constexpr qint64 c_piece = 65'536;
constexpr int c_connectMs = 10'000;

QByteArray hostOf(const QUrl &url)
{
    const bool usual = url.port() < 0;
    QByteArray host = url.host(QUrl::FullyEncoded).toLatin1();
    if (host.contains(':')) {
        host = '[' + host + ']';
    }
    return usual ? host : host + ':' + QByteArray::number(url.port());
}

} // namespace

UpstreamCall::UpstreamCall(const QUrl &server, Taker taker, QObject *parent)
    : QObject(parent)
    , m_server(server)
    , m_taker(std::move(taker))
    , m_tls(server.scheme() == u"https")
{
    m_socket = m_tls ? new QSslSocket(this) : new QTcpSocket(this);
    m_socket->setReadBufferSize(c_readBuffer);
    connect(m_socket, &QTcpSocket::readyRead, this, &UpstreamCall::read);
    connect(m_socket, &QTcpSocket::disconnected, this, &UpstreamCall::ended);
    // Queued: a refused connection may be told of from within start().
    connect(m_socket, &QTcpSocket::errorOccurred, this, &UpstreamCall::ended, Qt::QueuedConnection);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this,
        [this] { fail(QStringLiteral("the server does not take the connection")); });
}

UpstreamCall::~UpstreamCall()
{
    m_socket->disconnect(this);
    m_socket->abort();
}

void UpstreamCall::start(HttpRequestHead head, const QByteArray &body)
{
    head.version = 11;
    head.target.prepend(m_server.path(QUrl::FullyEncoded).toLatin1());
    setHeader(head.headers, "Host", hostOf(m_server));
    setHeader(head.headers, "Connection", "close");
    m_reader = std::make_unique<HttpResponseReader>(head.method == "HEAD", [this](QByteArrayView part) {
        tellHead();
        m_taker.body(part);
    });
    m_request = encodeHead(head) + body;
    const auto connected = [this] {
        m_patience.stop();
        m_connected = true;
        m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    };
    if (auto *tls = qobject_cast<QSslSocket *>(m_socket)) {
        connect(tls, &QSslSocket::encrypted, this, connected);
    } else {
        connect(m_socket, &QTcpSocket::connected, this, connected);
    }
    m_patience.start(c_connectMs);
    const int port = m_server.port(m_tls ? 443 : 80);
    if (m_tls) {
        static_cast<QSslSocket *>(m_socket)->connectToHostEncrypted(
            m_server.host(), static_cast<quint16>(port));
    } else {
        m_socket->connectToHost(m_server.host(), static_cast<quint16>(port));
    }
    m_socket->write(m_request); // goes out once it is connected
    m_request.clear();
}

void UpstreamCall::resume() { QMetaObject::invokeMethod(this, &UpstreamCall::read, Qt::QueuedConnection); }

void UpstreamCall::abort()
{
    m_over = true;
    m_patience.stop();
    m_socket->abort();
}

void UpstreamCall::read()
{
    while (!m_over && m_taker.mayRead()) {
        const QByteArray bytes = m_socket->read(c_piece);
        if (bytes.isEmpty()) {
            break;
        }
        take(bytes);
    }
    if (!m_over && m_ended && m_socket->bytesAvailable() == 0) {
        const bool failed = m_reader->end() == HttpResponseReader::State::Failed;
        failed ? fail(QStringLiteral("the server's answer broke off")) : finish();
    }
}

void UpstreamCall::take(const QByteArray &bytes)
{
    const HttpResponseReader::Fed fed = m_reader->feed(bytes);
    const HttpResponseReader::State state = m_reader->state();
    if (state == HttpResponseReader::State::Body || state == HttpResponseReader::State::Done) {
        tellHead();
    }
    if (!m_over && m_headTold && fed.count > 0) {
        m_taker.framed(QByteArrayView(bytes).sliced(fed.from, fed.count));
    }
    if (state == HttpResponseReader::State::Done) {
        finish();
    } else if (state == HttpResponseReader::State::Failed) {
        fail(QStringLiteral("the server's answer is no HTTP"));
    }
}

void UpstreamCall::tellHead()
{
    if (!m_headTold) {
        m_headTold = true;
        m_taker.head(m_reader->head());
    }
}

void UpstreamCall::ended()
{
    if (m_over || m_ended) {
        return;
    }
    m_patience.stop();
    if (!m_connected) {
        fail(m_socket->errorString());
        return;
    }
    m_ended = true;
    read();
}

void UpstreamCall::fail(const QString &sentence)
{
    if (!m_over) {
        m_over = true;
        m_patience.stop();
        m_taker.failed(sentence);
    }
}

void UpstreamCall::finish()
{
    if (!m_over) {
        m_over = true;
        m_socket->abort(); // it is asked nothing more
        m_taker.done();
    }
}

} // namespace kv
