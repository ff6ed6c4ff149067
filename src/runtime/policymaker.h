// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "policy.h"
#include "serverendpoint.h"

namespace kv {

/// What the configuration means for one server's coordinator.
Policy makePolicy(const Config &config, const ServerConfig &server);
/// Where the server is and how it is asked.
ServerEndpoint endpointOf(const ServerConfig &server);
/// sha256 of the base URL without credentials, hex.
QString endpointHash(const QUrl &baseUrl);
/// For people and logs: without credentials.
QString shownEndpoint(const QUrl &baseUrl);

} // namespace kv
