// SPDX-License-Identifier: MIT
#include "metricsserver.h"

#include "logging.h"
#include "service.h"

namespace kv {

namespace {

constexpr qsizetype c_connections = 16;
constexpr quint64 c_bodyBytes = 4096; ///< of a request: nobody has a reason to send one

HttpListenerLimits limits()
{
    HttpListenerLimits limits;
    limits.connections = c_connections;
    limits.connection.request.bodyBytes = c_bodyBytes;
    return limits;
}

} // namespace

MetricsServer::MetricsServer(const Service &service, QObject *parent)
    : QObject(parent)
    , m_service(service)
{
}

MetricsServer::~MetricsServer() = default;

Result<Done> MetricsServer::configure(const Config &config)
{
    if (m_listener && m_listener->isListening() && config.metricsListen == m_address) {
        return Done {};
    }
    m_address = config.metricsListen;
    m_listener.reset();
    if (!m_address) {
        return Done {};
    }
    m_listener = std::make_unique<HttpListener>(limits());
    connect(m_listener.get(), &HttpListener::connected, this, &MetricsServer::accept);
    const Result<Done> listening = m_listener->listen(m_address->host, m_address->port);
    if (listening) {
        qCInfo(lcServer).noquote() << "Metrics are served on" << m_address->host << "port"
                                   << m_listener->port();
    }
    return listening;
}

void MetricsServer::stopTakingWork()
{
    if (m_listener) {
        m_listener->close();
    }
}

void MetricsServer::accept(HttpConnection *connection)
{
    connect(connection, &HttpConnection::requested, this, [this, connection] { answer(*connection); });
    connect(connection, &HttpConnection::closed, connection, &QObject::deleteLater);
    connection->start();
}

void MetricsServer::answer(HttpConnection &connection) const
{
    static const QByteArray text = QByteArrayLiteral("text/plain; charset=utf-8");
    const HttpRequestHead &request = connection.request();
    const QByteArray path = request.target.split('?').constFirst();
    if (request.method != "GET" && request.method != "HEAD") {
        connection.answer(405, text, QByteArrayLiteral("Only GET is served here.\n"));
    } else if (path != "/metrics") {
        connection.answer(404, text, QByteArrayLiteral("The metrics of kv-persist are at /metrics.\n"));
    } else {
        connection.answer(200, QByteArrayLiteral("text/plain; version=0.0.4; charset=utf-8"),
            m_service.metricsText().toUtf8());
    }
}

} // namespace kv
