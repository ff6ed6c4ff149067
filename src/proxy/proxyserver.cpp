// SPDX-License-Identifier: MIT
#include "proxyserver.h"

#include "logging.h"
#include "service.h"

namespace kv {

ProxyServer::ProxyServer(Service &service, const HttpListenerLimits &limits, QObject *parent)
    : QObject(parent)
    , m_service(service)
    , m_limits(limits)
    , m_connection(service.openConnection())
    , m_book(SessionBook::Limits(), [this](const QString &session) {
        SessionCall call;
        call.connection = m_connection;
        call.session = session;
        return m_service.get(call).ok();
    })
{
}

ProxyServer::~ProxyServer()
{
    // Exchanges are children of their connections: they end their leases while there is a service.
    m_listener.reset();
    m_former.clear();
    m_service.closeConnection(m_connection);
}

Result<Done> ProxyServer::configure(const Config &config)
{
    m_target = ProxyTarget::of(config);
    const bool same = m_target && isListening() && m_listener != nullptr && config.proxy->listen == m_address;
    if (same) {
        return Done {};
    }
    stopTakingWork();
    if (!m_target) {
        return Done {};
    }
    if (m_listener != nullptr) {
        m_former.push_back(std::move(m_listener));
        std::erase_if(m_former, [](const auto &listener) { return listener->connections() == 0; });
    }
    m_address = config.proxy->listen;
    m_listener = std::make_unique<HttpListener>(m_limits);
    connect(m_listener.get(), &HttpListener::connected, this, &ProxyServer::accept);
    const Result<Done> listening = m_listener->listen(m_address.host, m_address.port);
    if (listening) {
        qCInfo(lcProxy).noquote() << "The proxy for" << m_target->server() << "listens on" << m_address.host
                                  << "port" << m_listener->port();
    }
    return listening;
}

void ProxyServer::stopTakingWork()
{
    if (m_listener != nullptr) {
        m_listener->close();
    }
}

void ProxyServer::accept(HttpConnection *connection)
{
    connect(connection, &HttpConnection::closed, connection, &QObject::deleteLater);
    connect(connection, &HttpConnection::requested, this, [this, connection] {
        if (!m_target) {
            connection->answer(503, "text/plain; charset=utf-8", "kv-persist's proxy was switched off.\n");
            return;
        }
        auto *exchange = new ProxyExchange(
            ProxyContext { m_service, m_connection, m_book }, *m_target, connection, connection);
        ++m_exchanges;
        connect(exchange, &QObject::destroyed, this, [this] { --m_exchanges; });
        connect(exchange, &ProxyExchange::finished, exchange, &QObject::deleteLater);
        exchange->start();
    });
    connection->start();
}

} // namespace kv
