// SPDX-License-Identifier: MIT
#include "fakedaemon.h"

#include <QJsonDocument>

#include <memory>

using namespace kv;

FakeDaemon::FakeDaemon()
{
    connect(&m_server, &QLocalServer::newConnection, this, &FakeDaemon::accept);
    answer(QStringLiteral("hello"),
        { { QStringLiteral("name"), QStringLiteral("fake") },
            { QStringLiteral("protocol"), c_protocolVersion } });
    start();
}

FakeDaemon::~FakeDaemon() { stop(); }

void FakeDaemon::start()
{
    if (!m_server.listen(path())) {
        qFatal("cannot listen: %s", qPrintable(m_server.errorString()));
    }
}

void FakeDaemon::stop()
{
    m_server.close();
    dropConnections();
}

void FakeDaemon::dropConnections()
{
    const QList<QLocalSocket *> sockets = std::exchange(m_sockets, {});
    for (QLocalSocket *socket : sockets) {
        socket->disconnect(this);
        socket->abort();
        socket->deleteLater();
    }
}

void FakeDaemon::answer(const QString &method, const QJsonObject &result)
{
    on(method, [result](QLocalSocket *socket, const QJsonObject &request) {
        socket->write(encodeResult(request.value(u"id"), result));
    });
}

void FakeDaemon::refuse(
    const QString &method, ErrorCode code, const QString &message, const QJsonObject &extra)
{
    on(method, [=](QLocalSocket *socket, const QJsonObject &request) {
        socket->write(encodeError(request.value(u"id"), rpcError(Error { code, message, {} }, extra)));
    });
}

void FakeDaemon::ignore(const QString &method)
{
    on(method, [](QLocalSocket *, const QJsonObject &) {});
}

void FakeDaemon::broadcast(const QByteArray &bytes)
{
    for (QLocalSocket *socket : std::as_const(m_sockets)) {
        socket->write(bytes);
    }
}

QJsonObject FakeDaemon::lastParams(const QString &method) const
{
    for (auto it = m_requests.crbegin(); it != m_requests.crend(); ++it) {
        if (it->value(u"method").toString() == method) {
            return it->value(u"params").toObject();
        }
    }
    return {};
}

qsizetype FakeDaemon::count(const QString &method) const
{
    return std::count_if(m_requests.begin(), m_requests.end(),
        [&](const QJsonObject &request) { return request.value(u"method").toString() == method; });
}

void FakeDaemon::accept()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        m_sockets.append(socket);
        auto framer = std::make_shared<LineFramer>();
        const auto readAll = [this, socket, framer] {
            framer->feed(socket->readAll());
            while (const auto line = framer->next()) {
                serve(socket, *line);
            }
        };
        connect(socket, &QLocalSocket::readyRead, this, readAll);
        connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
            m_sockets.removeOne(socket);
            socket->deleteLater();
        });
        readAll();
    }
}

void FakeDaemon::serve(QLocalSocket *socket, const QByteArray &line)
{
    const QJsonObject request = QJsonDocument::fromJson(line).object();
    const QString method = request.value(u"method").toString();
    if (method != u"hello") {
        m_requests.append(request);
    }
    const Handler handler = m_handlers.value(method);
    if (handler) {
        handler(socket, request);
    } else if (request.contains(u"id")) {
        socket->write(encodeError(request.value(u"id"),
            RpcError { c_rpcUnknownMethod,
                Error { ErrorCode::BadRequest, QStringLiteral("not scripted"), {} }, {} }));
    }
}
