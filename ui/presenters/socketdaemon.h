// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"
#include "socketclient.h"

namespace kv {

/// The real daemon, over its socket: reconnects by itself and subscribes after each connection.
class SocketDaemon final : public Daemon {
    Q_OBJECT

public:
    explicit SocketDaemon(const QString &socketPath, QObject *parent = nullptr);

    void open() { m_client.open(); }

    [[nodiscard]] Link link() const override { return m_link; }
    [[nodiscard]] QString linkReason() const override { return m_reason; }
    [[nodiscard]] QJsonObject hello() const override { return m_client.hello(); }
    [[nodiscard]] QString socketPath() const override { return m_path; }
    CallId call(const QString &method, const QJsonObject &params, QObject *context, const Callback &callback,
        int deadlineMs) override;
    void cancel(CallId id) override { m_client.cancel(id); }

private:
    void onConnected();
    void onAway(const QString &reason);
    void onNotification(const QString &method, const QJsonObject &params);

    QString m_path;
    SocketClient m_client;
    Link m_link = Link::Connecting;
    QString m_reason;
};

} // namespace kv
