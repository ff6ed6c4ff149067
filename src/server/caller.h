// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QStringList>
#include <QStringView>

#include <functional>

namespace kv {

/// The connection that makes a call, as far as a handler may know and use it. Outlives every call of its own:
/// a handler's late reply or notification to a connection that is gone is dropped by the caller, not the
/// handler.
class Caller {
public:
    Caller() = default;
    virtual ~Caller() = default;
    Q_DISABLE_COPY_MOVE(Caller)

    [[nodiscard]] virtual ConnectionId connection() const = 0;
    /// `hello` said that the client sends `id_slot` with its requests.
    [[nodiscard]] virtual bool pins() const = 0;
    virtual void setPins(bool pins) = 0;
    /// Cancels the waiting call that the client sent under this id. False: none waits, or it cannot be
    /// cancelled.
    virtual bool cancelCall(const QJsonValue &id) = 0;
    /// Replaces the topics; an empty list ends the subscription.
    virtual void subscribe(const QStringList &topics) = 0;
    /// A sender of notifications that belong to the call being made now: each carries its id. May be kept
    /// longer than the connection lives.
    [[nodiscard]] virtual std::function<void(QStringView method, const QJsonObject &params)> notifier() = 0;
};

} // namespace kv
