// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "httplistener.h"
#include "proxyexchange.h"
#include "proxytarget.h"
#include "result.h"
#include "sessionbook.h"
#include "types.h"

#include <QObject>

#include <memory>
#include <optional>

namespace kv {

class Service;

/// The proxy for clients that know nothing of kv-persist: an HTTP/1.1 reverse proxy before one llama-server,
/// which passes everything through byte for byte and does for the inference paths what a plugin would do over
/// the socket. It keeps no prompt, only hashes, and never answers for the slots API. Lives in the logic
/// thread.
class ProxyServer final : public QObject {
    Q_OBJECT

public:
    /// `service` must outlive this.
    explicit ProxyServer(Service &service, const HttpListenerLimits &limits = {}, QObject *parent = nullptr);
    ~ProxyServer() override;
    Q_DISABLE_COPY_MOVE(ProxyServer)

    /// Listens where the configuration says, or not at all; again after each reload. Requests that run go on
    /// as they began. An error leaves the proxy off; it has a sentence for the user.
    Result<Done> configure(const Config &config);
    void stopTakingWork(); ///< no new connections; what runs may end

    [[nodiscard]] bool isListening() const { return m_listener != nullptr && m_listener->isListening(); }
    [[nodiscard]] quint16 port() const { return m_listener != nullptr ? m_listener->port() : quint16 { 0 }; }
    [[nodiscard]] int exchanges() const { return m_exchanges; } ///< that run

private:
    void accept(HttpConnection *connection);

    Service &m_service;
    HttpListenerLimits m_limits;
    ConnectionId m_connection;
    SessionBook m_book;
    std::optional<ProxyTarget> m_target;
    ListenAddress m_address;
    std::unique_ptr<HttpListener> m_listener;
    std::vector<std::unique_ptr<HttpListener>> m_former; ///< of other addresses; their clients may stay
    int m_exchanges = 0;
};

} // namespace kv
