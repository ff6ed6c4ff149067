// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "mapreader.h"

namespace kv {

/// The name of the server that the short form's `backend:` block becomes.
inline constexpr QStringView c_shortFormServer = u"default";

/// `servers:`, or the short form: `backend:` with mode, slotId, … beside it at the top.
std::vector<ServerConfig> readServers(MapReader &top);

/// "127.0.0.1:9464", "[::1]:9464", "localhost:0"; nullopt: not an address with a port.
std::optional<ListenAddress> parseListenAddress(const QString &text);

} // namespace kv
