// SPDX-License-Identifier: MIT
#pragma once

#include "jsonrpc.h"

#include <QJsonObject>

namespace kv {

/// What became of one call.
struct CallResult {
    enum class Status {
        Ok,
        Refused, ///< the daemon answered an error, which `error` holds
        Closed, ///< the connection ended first; whether the daemon did it is not known
        Deadline, ///< no answer in time; whether the daemon did it, or still will, is not known
        NotSent, ///< no connection, a daemon that does not read, or too large: nothing was sent
    };
    Status status = Status::NotSent;
    QJsonObject result; ///< Ok
    RpcError error; ///< else; always with a sentence for the user

    [[nodiscard]] bool ok() const { return status == Status::Ok; }
};

} // namespace kv
