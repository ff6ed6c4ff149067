// SPDX-License-Identifier: MIT
#pragma once

#include "paths.h"
#include "result.h"

#include <QString>

namespace kv {

/// Makes sure that the folder of the socket is there and that nobody else can put a socket into it. Our own
/// folder is made with its parents and kept at 0700; one named by the user is neither made nor chmod'ed, and
/// refused if others may write to it.
Result<Done> prepareSocketFolder(const SocketPath &socket);

/// Why there can be no socket here.
Error socketError(const QString &message);

} // namespace kv
