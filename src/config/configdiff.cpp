// SPDX-License-Identifier: MIT
#include "configdiff.h"

namespace kv {

ConfigChange whatChanged(const Config &before, const Config &after)
{
    ConfigChange change;
    for (const ServerConfig &server : after.servers) {
        const ServerConfig *old = before.server(server.name);
        if (old == nullptr) {
            change.addedServers.append(server.name);
        } else if (*old != server) {
            change.changedServers.append(server.name);
        }
    }
    for (const ServerConfig &server : before.servers) {
        if (after.server(server.name) == nullptr) {
            change.removedServers.append(server.name);
        }
    }
    const auto section = [&](const QString &name, bool same) {
        if (!same) {
            change.sections.append(name);
        }
    };
    section(QStringLiteral("enabled"), before.enabled == after.enabled);
    section(QStringLiteral("providers"), before.providers == after.providers);
    section(QStringLiteral("auxiliaryRequests"), before.auxiliaryRequests == after.auxiliaryRequests);
    section(QStringLiteral("coldStart"), before.coldStart == after.coldStart);
    section(QStringLiteral("leases"), before.leases == after.leases);
    section(QStringLiteral("checkpoint"), before.checkpoint == after.checkpoint);
    section(QStringLiteral("restore"), before.restore == after.restore);
    section(QStringLiteral("failure"), before.failure == after.failure);
    section(QStringLiteral("retention"), before.retention == after.retention);
    section(QStringLiteral("metadata"), before.metadataPath == after.metadataPath);
    section(QStringLiteral("logging"), before.logging == after.logging);
    section(QStringLiteral("metrics"), before.metricsListen == after.metricsListen);
    section(QStringLiteral("proxy"), before.proxy == after.proxy);
    return change;
}

} // namespace kv
