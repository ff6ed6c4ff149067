// SPDX-License-Identifier: MIT
#include "config.h"

#include "paths.h"

#include <algorithm>

namespace kv {

namespace {

QString anyProviderText() { return QStringLiteral("*"); }
QString discoveredNameText() { return QStringLiteral("local"); }

template <typename T> const T *byName(const std::vector<T> &items, const QString &name)
{
    const auto it
        = std::find_if(items.begin(), items.end(), [&](const T &item) { return item.name == name; });
    return it == items.end() ? nullptr : &*it;
}

} // namespace

std::optional<QString> Config::serverFor(const QString &provider, const QString &model) const
{
    const ProviderConfig *entry = byName(providers, provider);
    if (entry == nullptr) {
        entry = byName(providers, anyProviderText());
    }
    if (entry == nullptr) {
        return std::nullopt;
    }
    for (const ProviderRoute &route : entry->routes) {
        if (matchesPattern(model, route.model)) {
            return route.server;
        }
    }
    return std::nullopt;
}

const ServerConfig *Config::server(const QString &name) const { return byName(servers, name); }

QStringList Config::secrets() const
{
    QStringList out;
    for (const ServerConfig &server : servers) {
        if (!server.apiKey.isEmpty()) {
            out.append(server.apiKey);
        }
    }
    return out;
}

Config defaultConfig(const QProcessEnvironment &environment)
{
    Config config;
    config.metadataPath = defaultMetadataFolder(environment);
    return config;
}

Config defaultForDiscovered(const QString &baseUrl, Config settings)
{
    ServerConfig server;
    server.name = discoveredNameText();
    server.baseUrl = QUrl(baseUrl);
    settings.servers = { server };
    settings.providers
        = { ProviderConfig { anyProviderText(), { { QStringLiteral("*"), discoveredNameText() } } } };
    return settings;
}

bool matchesPattern(QStringView text, QStringView pattern)
{
    qsizetype t = 0;
    qsizetype p = 0;
    qsizetype star = -1; // the last one seen, and how far it reaches now
    qsizetype reach = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern.at(p) == u'*') {
            star = p++;
            reach = t;
        } else if (p < pattern.size() && (pattern.at(p) == u'?' || pattern.at(p) == text.at(t))) {
            ++p;
            ++t;
        } else if (star >= 0) {
            p = star + 1;
            t = ++reach;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern.at(p) == u'*') {
        ++p;
    }
    return p == pattern.size();
}

} // namespace kv
