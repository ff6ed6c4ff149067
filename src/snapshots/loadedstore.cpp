// SPDX-License-Identifier: MIT
#include "loadedstore.h"

#include "snapshotname.h"

#include <algorithm>

namespace kv {

LoadedServer LoadedStore::server(const QString &name) const
{
    const auto found = servers.find(name);
    LoadedServer server = found == servers.end() ? LoadedServer {} : found->second;
    server.highWater = std::max(server.highWater, firstHighWater);
    return server;
}

QString LoadedStore::serverPrefix(const QString &name) const { return serverNamePrefix(namePrefix, name); }

bool LoadedStore::machineStoppedUncleanly() const
{
    return !cleanStop && !previousMachineBoot.isEmpty() && previousMachineBoot != machineBoot;
}

} // namespace kv
