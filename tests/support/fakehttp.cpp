// SPDX-License-Identifier: MIT
#include "fakehttp.h"

#include <QJsonDocument>
#include <QUrl>

namespace kv::test {

QByteArray compactJson(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

FakeExchange::FakeExchange(FakeHttpRequest requested, QTcpSocket *socket, quint64 connectionNumber)
    : request(std::move(requested))
    , connection(connectionNumber)
    , m_socket(socket)
{
}

void FakeExchange::respond(int status, const QByteArray &body, const QList<QByteArray> &headers)
{
    if (!m_socket) {
        return;
    }
    const bool closes = request.headers.value("connection").toLower() == "close";
    QByteArray out = "HTTP/1.1 " + QByteArray::number(status) + " Status\r\n";
    out += "Content-Type: application/json; charset=utf-8\r\n";
    for (const QByteArray &header : headers) {
        out += header + "\r\n";
    }
    out += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    out += closes ? "Connection: close\r\n\r\n" : "Keep-Alive: timeout=5, max=100\r\n\r\n";
    m_socket->write(out + body);
    if (closes) {
        m_socket->disconnectFromHost();
    }
}

void FakeExchange::respondRaw(const QByteArray &bytes)
{
    if (m_socket) {
        m_socket->write(bytes);
        m_socket->disconnectFromHost();
    }
}

void FakeExchange::drop()
{
    if (m_socket) {
        m_socket->abort();
    }
}

FakeHttp::FakeHttp(QObject *parent)
    : QObject(parent)
{
    connect(&m_server, &QTcpServer::newConnection, this, &FakeHttp::accept);
}

FakeHttp::~FakeHttp() { close(); }

bool FakeHttp::listen()
{
    if (!m_server.listen(QHostAddress::LocalHost, m_port)) {
        return false;
    }
    m_port = m_server.serverPort();
    return true;
}

void FakeHttp::close()
{
    m_server.close();
    const auto sockets = m_buffers.keys();
    m_buffers.clear();
    for (QTcpSocket *socket : sockets) {
        socket->disconnect(this);
        socket->abort();
        socket->deleteLater();
    }
}

void FakeHttp::accept()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        const quint64 number = ++m_connections;
        m_buffers.insert(socket, {});
        connect(socket, &QTcpSocket::readyRead, this, [this, socket, number] { read(socket, number); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket, number] {
            m_buffers.remove(socket);
            socket->deleteLater();
            if (closedByClient) {
                closedByClient(number);
            }
        });
        read(socket, number);
    }
}

void FakeHttp::read(QTcpSocket *socket, quint64 connection)
{
    m_buffers[socket] += socket->readAll();
    while (m_buffers.contains(socket)) {
        QByteArray &buffer = m_buffers[socket];
        const qsizetype end = buffer.indexOf("\r\n\r\n");
        if (end < 0) {
            return;
        }
        FakeHttpRequest request;
        const QList<QByteArray> lines = buffer.left(end).split('\n');
        const QList<QByteArray> words = lines.first().trimmed().split(' ');
        request.method = words.value(0);
        const QUrl target = QUrl::fromEncoded(words.value(1));
        request.path = target.path();
        request.query = QUrlQuery(target);
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const QByteArray &line = lines.at(i);
            const qsizetype colon = line.indexOf(':');
            request.headers.insert(line.left(colon).trimmed().toLower(), line.mid(colon + 1).trimmed());
        }
        const qsizetype length = request.headers.value("content-length").toLongLong();
        if (buffer.size() < end + 4 + length) {
            return;
        }
        request.body = buffer.mid(end + 4, length);
        buffer.remove(0, end + 4 + length);
        handler(std::make_shared<FakeExchange>(std::move(request), socket, connection));
    }
}

} // namespace kv::test
