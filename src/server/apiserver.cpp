// SPDX-License-Identifier: MIT
#include "apiserver.h"

#include "jsonrpc.h"
#include "logging.h"
#include "service.h"

#include <unistd.h>

namespace kv {

ApiServer::ApiServer(Service &service, const ServerLimits &limits, QObject *parent)
    : QObject(parent)
    , m_service(service)
    , m_limits(limits)
    , m_hub(service)
    , m_handlers(service, m_hub)
    , m_listener(::geteuid())
{
    connect(&m_listener, &SocketListener::accepted, this, &ApiServer::accept);
}

ApiServer::~ApiServer()
{
    // Before the members that they use.
    m_listener.close();
    qDeleteAll(m_sessions);
}

Result<Done> ApiServer::listen(const QString &socketPath) { return m_listener.listen(socketPath); }

void ApiServer::stopTakingWork()
{
    m_listener.close();
    m_handlers.stopTakingWork();
}

void ApiServer::accept(int descriptor)
{
    if (m_sessions.size() >= m_limits.connections) {
        const RpcError error { c_rpcInvalidRequest,
            Error { ErrorCode::BadRequest,
                tr("kv-persistd serves at most %1 connections, and all are taken. Close one of them and "
                   "connect again.")
                    .arg(m_limits.connections),
                {} },
            {} };
        qCWarning(lcServer) << "A connection was refused: all" << m_limits.connections << "are taken.";
        refuseConnection(descriptor, encodeError(QJsonValue::Null, error));
        return;
    }
    auto *session = new ClientSession(descriptor, m_service, m_handlers, m_hub, m_limits.session, this);
    m_sessions.append(session);
    connect(session, &ClientSession::finished, this, [this, session]() { m_sessions.removeOne(session); });
}

} // namespace kv
