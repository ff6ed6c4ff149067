// SPDX-License-Identifier: MIT
// The YAML of a configuration file, with a fixed environment. No file is opened: see fuzzkeyfile.cpp.
#include "configdiff.h"
#include "configreader.h"
#include "fuzztarget.h"

#include <QDir>

#include <algorithm>

using namespace kv;

namespace {

QProcessEnvironment environment()
{
    QProcessEnvironment out;
    out.insert(QStringLiteral("HOME"), QStringLiteral("/nonexistent"));
    out.insert(QStringLiteral("DATA"), QStringLiteral("/nonexistent/data"));
    return out;
}

void checkServer(const ServerConfig &server)
{
    require(!server.name.isEmpty() && !server.baseUrl.host().isEmpty(), "a server has a name and a host");
    require(server.baseUrl.scheme() == u"http" || server.baseUrl.scheme() == u"https", "http or https");
    require(!server.baseUrl.path().endsWith(u'/'), "no slash at the end of an address");
    require(server.requestTimeoutMs > 0 && server.slotId >= 0, "times and slots are in their range");
    require(server.snapshotBinaryManagement == ServerConfig::Files::ServerOwned
            || QDir::isAbsolutePath(server.slotSavePath),
        "shared files have a folder");
}

void checkConfig(const Config &config)
{
    const auto exists = [&config](const QString &name) {
        return std::any_of(config.servers.begin(), config.servers.end(),
            [&name](const ServerConfig &server) { return server.name == name; });
    };
    for (const ServerConfig &server : config.servers) {
        checkServer(server);
    }
    for (const ProviderConfig &provider : config.providers) {
        for (const ProviderRoute &route : provider.routes) {
            require(exists(route.server), "every route goes to a server that is there");
            const auto chosen = config.serverFor(provider.name, route.model + QStringLiteral("aaaaaaaaaaaa"));
            require(!chosen || exists(*chosen), "a request goes to a server that is there");
        }
    }
    require(!config.proxy || exists(config.proxy->server), "the proxy has a server that is there");
    require(QDir::isAbsolutePath(config.metadataPath), "the metadata folder is an absolute path");
    require(whatChanged(config, config).isEmpty(), "nothing changed against itself");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const QProcessEnvironment c_environment = environment();
    const QString file = QStringLiteral("c.yaml");
    const Result<LoadedConfig> loaded = readConfig(fuzzBytes(data, size), file, c_environment);
    if (loaded) {
        checkConfig(loaded.value().config);
        return 0;
    }
    require(loaded.error().code == ErrorCode::ConfigInvalid, "a bad file is KV_CONFIG_INVALID");
    require(loaded.error().message.startsWith(file), "a problem says where it is");
    return 0;
}
