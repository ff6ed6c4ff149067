// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

namespace kv {

/// Tells systemd (Type=notify) how we are, by its documented datagram; without $NOTIFY_SOCKET it does
/// nothing. `state`: "READY=1", "STOPPING=1", … False: there is a manager but it could not be told.
bool notifyServiceManager(const QByteArray &notifySocket, const QByteArray &state);

} // namespace kv
