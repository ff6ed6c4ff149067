// SPDX-License-Identifier: MIT
#include "routesection.h"

#include "serversection.h"

#include <QCoreApplication>

namespace kv {

namespace {

struct RouteSectionText {
    Q_DECLARE_TR_FUNCTIONS(kv::RouteSection)
};

using Servers = std::vector<ServerConfig>;

QString providersText() { return QStringLiteral("providers"); }
QString serverText() { return QStringLiteral("server"); }
QString modelText() { return QStringLiteral("model"); }
QString listenText() { return QStringLiteral("listen"); }

QStringList namesOf(const Servers &servers)
{
    QStringList names;
    for (const ServerConfig &server : servers) {
        names.append(server.name);
    }
    return names;
}

/// Empty: fine.
QString unknownServer(const QString &name, const Servers &servers)
{
    const QStringList names = namesOf(servers);
    if (names.contains(name)) {
        return {};
    }
    if (names.isEmpty()) {
        return RouteSectionText::tr("there is no server %1: no server is configured; add it to 'servers'")
            .arg(shownText(name));
    }
    const std::optional<QString> nearest = nearestName(name, names);
    return RouteSectionText::tr("there is no server %1 (%2)")
        .arg(shownText(name),
            nearest ? RouteSectionText::tr("nearest: '%1'").arg(*nearest)
                    : RouteSectionText::tr("configured: %1").arg(names.join(QStringLiteral(", "))));
}

ProviderRoute readRoute(
    const YamlNode &node, const QString &path, MapReader &providers, const Servers &servers)
{
    ProviderRoute route { QStringLiteral("*"), {} };
    MapReader reader(&node, path, providers.context());
    reader.text(modelText(), route.model);
    reader.text(serverText(), route.server);
    if (!reader.has(serverText())) {
        if (node.kind == YamlNode::Kind::Map || node.kind == YamlNode::Kind::Null) {
            reader.problem(serverText(), RouteSectionText::tr("is missing; name one of 'servers'"));
        }
    } else if (const QString unknown = unknownServer(route.server, servers);
               !unknown.isEmpty() && !route.server.isEmpty()) {
        reader.problem(serverText(), unknown);
    }
    reader.finish();
    return route;
}

ProviderConfig readProvider(const YamlNode::Entry &entry, MapReader &providers, const Servers &servers)
{
    ProviderConfig provider { entry.key, {} };
    const YamlNode &value = *entry.value;
    const QString path = providers.fullName(entry.key);
    switch (value.kind) {
    case YamlNode::Kind::Scalar:
        if (const QString unknown = unknownServer(value.text, servers); !unknown.isEmpty()) {
            providers.problem(entry.key, unknown);
        }
        provider.routes.push_back({ QStringLiteral("*"), value.text });
        break;
    case YamlNode::Kind::Map:
        provider.routes.push_back(readRoute(value, path, providers, servers));
        break;
    case YamlNode::Kind::Sequence:
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            provider.routes.push_back(
                readRoute(*value.items[i], QStringLiteral("%1[%2]").arg(path).arg(i), providers, servers));
        }
        if (!value.items.empty()) {
            break;
        }
        [[fallthrough]];
    case YamlNode::Kind::Null:
        providers.wrong(
            entry.key, value, RouteSectionText::tr("the name of a server, or a list of { model, server }"));
        break;
    }
    return provider;
}

std::vector<ProviderConfig> readNames(const YamlNode &list, MapReader &top, const Servers &servers)
{
    std::vector<ProviderConfig> providers;
    if (!list.items.empty() && servers.size() != 1) {
        top.problem(providersText(),
            servers.empty()
                ? RouteSectionText::tr(
                    "no server is configured that they could go to; add 'servers' or 'backend'")
                : RouteSectionText::tr(
                    "a list of names goes to the one server, but there are %1; write 'name: server' for each")
                      .arg(servers.size()));
        return providers;
    }
    QStringList seen;
    for (const YamlNode *item : list.items) {
        if (item->kind != YamlNode::Kind::Scalar || item->text.isEmpty()) {
            top.context().problems.add(item->line,
                RouteSectionText::tr("key 'providers': found %1, expected the name of a provider")
                    .arg(foundText(*item)));
        } else if (seen.contains(item->text)) {
            top.context().problems.add(item->line,
                RouteSectionText::tr("key 'providers': %1 is given twice; keep one")
                    .arg(shownText(item->text)));
        } else {
            seen.append(item->text);
            providers.push_back({ item->text, { { QStringLiteral("*"), servers.front().name } } });
        }
    }
    return providers;
}

} // namespace

std::vector<ProviderConfig> readProviders(MapReader &top, const Servers &servers)
{
    const YamlNode *node = top.node(providersText());
    if (node != nullptr && node->kind == YamlNode::Kind::Sequence) {
        return readNames(*node, top, servers);
    }
    std::vector<ProviderConfig> providers;
    MapReader reader(node, providersText(), top.context());
    for (const YamlNode::Entry &entry : reader.entries()) {
        providers.push_back(readProvider(entry, reader, servers));
    }
    return providers;
}

std::optional<ListenAddress> readListen(MapReader &section)
{
    QString text;
    section.text(listenText(), text);
    if (text.isEmpty() || text == u"off") {
        return std::nullopt;
    }
    std::optional<ListenAddress> address = parseListenAddress(text);
    if (!address) {
        section.problem(listenText(),
            RouteSectionText::tr("found %1, expected an address with a port such as 127.0.0.1:9464, or off")
                .arg(shownText(text)));
    }
    return address;
}

std::optional<ProxyConfig> readProxy(MapReader &top, const Servers &servers)
{
    const QString name = QStringLiteral("proxy");
    MapReader reader = top.section(name);
    ProxyConfig proxy;
    const std::optional<ListenAddress> listen = readListen(reader);
    reader.text(serverText(), proxy.server);
    if (!proxy.server.isEmpty()) {
        if (const QString unknown = unknownServer(proxy.server, servers); !unknown.isEmpty()) {
            reader.problem(serverText(), unknown);
        }
    }
    if (!reader.entries().empty() && !reader.has(listenText())) {
        reader.problem(listenText(),
            RouteSectionText::tr("is missing; write an address with a port such as 127.0.0.1:9932"));
    }
    reader.finish();
    if (!listen) {
        return std::nullopt;
    }
    proxy.listen = *listen;
    if (proxy.server.isEmpty() && !reader.has(serverText())) {
        if (servers.size() == 1) {
            proxy.server = servers.front().name;
        } else {
            reader.problem(serverText(), RouteSectionText::tr("is missing; name one of 'servers'"));
        }
    }
    return proxy;
}

} // namespace kv
