// SPDX-License-Identifier: MIT
#include "proxytarget.h"

namespace kv {

std::optional<ProxyTarget> ProxyTarget::of(const Config &config)
{
    if (!config.proxy) {
        return std::nullopt;
    }
    const ServerConfig *server = config.server(config.proxy->server);
    if (server == nullptr) {
        return std::nullopt;
    }
    ProxyTarget target;
    target.m_server = server->name;
    target.m_url = server->baseUrl;
    target.m_config = config;
    return target;
}

QString ProxyTarget::providerFor(const QString &model) const
{
    for (const ProviderConfig &provider : m_config.providers) {
        if (m_config.serverFor(provider.name, model) == m_server) {
            return provider.name;
        }
    }
    return {};
}

} // namespace kv
