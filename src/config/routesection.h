// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "mapreader.h"

namespace kv {

/// `providers:` as a map (name → server, one route, or a list of routes) or as a list of names that all go to
/// the one server. Routes to servers that are not configured are reported.
std::vector<ProviderConfig> readProviders(MapReader &top, const std::vector<ServerConfig> &servers);

/// `proxy:`; its server may be left out where there is only one.
std::optional<ProxyConfig> readProxy(MapReader &top, const std::vector<ServerConfig> &servers);

/// `listen:` of a section; absent or `off`: nullopt.
std::optional<ListenAddress> readListen(MapReader &section);

} // namespace kv
