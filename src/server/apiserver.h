// SPDX-License-Identifier: MIT
#pragma once

#include "clientsession.h"
#include "eventhub.h"
#include "handlers.h"
#include "result.h"
#include "socketlistener.h"

#include <QObject>

namespace kv {

class Service;

struct ServerLimits {
    qsizetype connections = 64;
    SessionLimits session;
};

/// The local API: the socket, its connections, and what they share. Destroying it closes them all.
class ApiServer final : public QObject {
    Q_OBJECT

public:
    /// `service` must outlive this.
    explicit ApiServer(Service &service, const ServerLimits &limits = {}, QObject *parent = nullptr);
    ~ApiServer() override;
    Q_DISABLE_COPY_MOVE(ApiServer)

    /// The InstanceLock of the path is held and its folder prepared.
    Result<Done> listen(const QString &socketPath);
    /// No new connection, no new work; what waits may still be answered and running requests may end.
    void stopTakingWork();
    [[nodiscard]] qsizetype connectionCount() const { return m_sessions.size(); }

private:
    void accept(int descriptor);

    Service &m_service;
    ServerLimits m_limits;
    EventHub m_hub;
    Handlers m_handlers;
    SocketListener m_listener;
    QList<ClientSession *> m_sessions; ///< children; each leaves with its finished()
};

} // namespace kv
