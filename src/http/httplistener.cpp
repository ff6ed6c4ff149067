// SPDX-License-Identifier: MIT
#include "httplistener.h"

#include <QTcpSocket>

namespace kv {

HttpListener::HttpListener(const HttpListenerLimits &limits, QObject *parent)
    : QObject(parent)
    , m_limits(limits)
{
    connect(&m_server, &QTcpServer::newConnection, this, &HttpListener::accept);
}

HttpListener::~HttpListener() = default;

Result<Done> HttpListener::listen(const QString &host, quint16 port)
{
    QHostAddress address(host);
    if (host.compare(u"localhost", Qt::CaseInsensitive) == 0) {
        address = QHostAddress(QHostAddress::LocalHost);
    }
    if (address.isNull()) {
        return Error { ErrorCode::ConfigInvalid,
            QStringLiteral("'%1' is no address to listen on; write one such as 127.0.0.1.").arg(host), {} };
    }
    if (!m_server.listen(address, port)) {
        return Error { ErrorCode::ConfigInvalid,
            QStringLiteral("Nothing can listen on %1 port %2: %3.")
                .arg(host)
                .arg(port)
                .arg(m_server.errorString()),
            {} };
    }
    return Done {};
}

void HttpListener::close() { m_server.close(); }

void HttpListener::accept()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        if (m_connections >= m_limits.connections) {
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            socket->write(
                "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            socket->disconnectFromHost();
            continue;
        }
        ++m_connections;
        auto *connection = new HttpConnection(socket, m_limits.connection, this);
        connect(connection, &QObject::destroyed, this, [this] { --m_connections; });
        Q_EMIT connected(connection);
    }
}

} // namespace kv
