// SPDX-License-Identifier: MIT
#pragma once

#include "httpconnection.h"
#include "result.h"

#include <QHostAddress>
#include <QObject>
#include <QTcpServer>

namespace kv {

struct HttpListenerLimits {
    qsizetype connections = 512; ///< more are answered 503
    HttpConnectionLimits connection;
};

/// Listens on one address and makes a connection of each client.
class HttpListener final : public QObject {
    Q_OBJECT

public:
    explicit HttpListener(const HttpListenerLimits &limits = {}, QObject *parent = nullptr);
    ~HttpListener() override;
    Q_DISABLE_COPY_MOVE(HttpListener)

    /// `host` is an address or "localhost". Port 0: any free one. Errors: ConfigInvalid, with a sentence for
    /// the user.
    Result<Done> listen(const QString &host, quint16 port);
    void close(); ///< takes no more clients; those that are there stay
    [[nodiscard]] bool isListening() const { return m_server.isListening(); }
    [[nodiscard]] quint16 port() const { return m_server.serverPort(); }
    [[nodiscard]] bool isLoopback() const
    {
        return m_server.serverAddress().isLoopback();
    } ///< while it listens
    [[nodiscard]] qsizetype connections() const { return m_connections; }

Q_SIGNALS:
    /// Ready for start(). It is the receiver's to delete (with deleteLater() on closed()); without one it
    /// goes with this object.
    void connected(kv::HttpConnection *connection);

private:
    void accept();

    HttpListenerLimits m_limits;
    QTcpServer m_server;
    qsizetype m_connections = 0;
};

} // namespace kv
