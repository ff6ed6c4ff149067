// SPDX-License-Identifier: MIT
#pragma once

#include "caller.h"
#include "jsonrpc.h"
#include "methods.h"

#include <QJsonObject>

#include <functional>
#include <variant>

namespace kv {

class EventHub;
class Service;

using HandlerResult = std::variant<QJsonObject, RpcError>;
/// Called exactly once, unless the connection is closed before.
using HandlerReply = std::function<void(const HandlerResult &)>;

struct HandlerContext {
    Service &service;
    EventHub &hub;
};

/// The methods of the local API: values in, values out. Knows no sockets, no ids and no framing. Every method
/// of ApiMethod has an entry.
class Handlers final {
public:
    /// Both must outlive every connection.
    Handlers(Service &service, EventHub &hub)
        : m_context { service, hub }
    {
    }

    /// Returns the service's id of the call, for cancelling; 0: it cannot be cancelled. `reply` may be called
    /// before this returns.
    RequestId call(
        Caller &caller, ApiMethod method, const QJsonObject &params, const HandlerReply &reply) const;

    /// From now on calls that would begin work are refused; looking, ending and cancelling still go on.
    void stopTakingWork() { m_stopping = true; }

private:
    HandlerContext m_context;
    bool m_stopping = false;
};

} // namespace kv
