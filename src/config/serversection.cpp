// SPDX-License-Identifier: MIT
#include "serversection.h"

#include "keyfile.h"

#include <QCoreApplication>

#include <algorithm>

namespace kv {

namespace {

struct ServerSectionText {
    Q_DECLARE_TR_FUNCTIONS(kv::ServerSection)
};

using Mode = ServerConfig::Mode;
using Files = ServerConfig::Files;

constexpr qsizetype c_maxName = 64;
QString baseUrlText() { return QStringLiteral("baseURL"); }
QString apiKeyText() { return QStringLiteral("apiKey"); }
QString apiKeyFileText() { return QStringLiteral("apiKeyFile"); }
QString slotSavePathText() { return QStringLiteral("slotSavePath"); }
QString binaryManagementText() { return QStringLiteral("snapshotBinaryManagement"); }
QString auxiliarySlotText() { return QStringLiteral("auxiliarySlot"); }
QString backendText() { return QStringLiteral("backend"); }
QString serversKey() { return QStringLiteral("servers"); }

/// Keys that the short form has at the top of the file.
QStringList slotKeys()
{
    return { QStringLiteral("mode"), QStringLiteral("slotId"), auxiliarySlotText(),
        QStringLiteral("runtimeKey"), binaryManagementText(), slotSavePathText() };
}

void readBaseUrl(MapReader &reader, ServerConfig &server)
{
    QString text;
    reader.text(baseUrlText(), text);
    if (!reader.has(baseUrlText())) {
        reader.problem(baseUrlText(),
            ServerSectionText::tr("is missing; write the server's address, such as http://127.0.0.1:8080"));
        return;
    }
    if (text.isEmpty()) {
        return; // reported
    }
    const auto expected = [&](const QString &what) {
        reader.problem(
            baseUrlText(), ServerSectionText::tr("found %1, expected %2").arg(shownText(text), what));
    };
    QUrl url(text, QUrl::StrictMode);
    const QString scheme = url.scheme();
    if (!url.isValid() || (scheme != u"http" && scheme != u"https") || url.host().isEmpty()
        || url.port() == 0) {
        expected(ServerSectionText::tr("an address such as http://127.0.0.1:8080"));
    } else if (!url.userInfo().isEmpty()) {
        // The text holds a password: it is not shown.
        reader.problem(
            baseUrlText(), ServerSectionText::tr("names and passwords are not taken here; use apiKeyFile"));
    } else if (url.hasQuery() || url.hasFragment()) {
        expected(ServerSectionText::tr("an address without '?' and '#'"));
    } else {
        QString path = url.path();
        while (path.endsWith(u'/')) {
            path.chop(1);
        }
        if (path == u"/v1") {
            reader.warn(baseUrlText(),
                ServerSectionText::tr(
                    "'/v1' at its end was left out: the slots are at the server's own address"));
            path.clear();
        }
        url.setPath(path);
        server.baseUrl = url;
    }
}

void readKey(MapReader &reader, ServerConfig &server)
{
    const YamlNode *key = reader.node(apiKeyText());
    reader.path(apiKeyFileText(), server.apiKeyFile);
    if (key != nullptr && reader.has(apiKeyFileText())) {
        reader.problem(apiKeyFileText(), ServerSectionText::tr("apiKey is given too; keep one of them"));
        return;
    }
    if (key != nullptr) {
        if (key->kind != YamlNode::Kind::Scalar
            || !isPossibleKey(key->text)) { // not shown: it may be most of a key
            reader.problem(
                apiKeyText(), ServerSectionText::tr("expected a text of visible ASCII characters"));
            return;
        }
        server.apiKey = key->text;
    } else if (!server.apiKeyFile.isEmpty()) {
        const Result<KeyFile> file = readKeyFile(server.apiKeyFile);
        if (!file) {
            reader.problem(apiKeyFileText(), file.error().message);
            return;
        }
        server.apiKey = file.value().key;
        if (file.value().othersMayRead) {
            reader.warn(apiKeyFileText(),
                ServerSectionText::tr(
                    "other users of this machine can read '%1'; chmod 600 keeps the key to you")
                    .arg(server.apiKeyFile));
        }
    }
}

void readEndpoint(MapReader &reader, ServerConfig &server)
{
    reader.choice<QString>(QStringLiteral("type"), server.type,
        { { QStringLiteral("llama.cpp"), QStringLiteral("llama.cpp") } });
    readBaseUrl(reader, server);
    readKey(reader, server);
    reader.milliseconds(QStringLiteral("requestTimeoutMs"), server.requestTimeoutMs, 1);
}

void readSlots(MapReader &reader, ServerConfig &server)
{
    reader.choice<Mode>(QStringLiteral("mode"), server.mode,
        { { QStringLiteral("single-slot"), Mode::SingleSlot },
            { QStringLiteral("managed-slots"), Mode::ManagedSlots } });
    reader.number(QStringLiteral("slotId"), server.slotId, ServerSectionText::tr("the number of a slot"));
    reader.boolean(auxiliarySlotText(), server.auxiliarySlot);
    reader.text(QStringLiteral("runtimeKey"), server.runtimeKey);
    reader.choice<Files>(binaryManagementText(), server.snapshotBinaryManagement,
        { { QStringLiteral("server-owned"), Files::ServerOwned },
            { QStringLiteral("shared-filesystem"), Files::SharedFilesystem } });
    reader.path(slotSavePathText(), server.slotSavePath);
    if (server.snapshotBinaryManagement == Files::SharedFilesystem && !reader.has(slotSavePathText())) {
        reader.problem(binaryManagementText(),
            ServerSectionText::tr("shared-filesystem needs slotSavePath, the folder that llama-server got as "
                                  "--slot-save-path"));
    }
    if (server.snapshotBinaryManagement == Files::ServerOwned && reader.has(slotSavePathText())) {
        reader.warn(slotSavePathText(),
            ServerSectionText::tr("has no effect without snapshotBinaryManagement: shared-filesystem"));
    }
    if (server.auxiliarySlot && server.mode == Mode::SingleSlot) {
        reader.warn(auxiliarySlotText(), ServerSectionText::tr("has no effect without mode: managed-slots"));
    }
}

/// The name becomes a label of metrics and an argument of commands.
bool isPossibleName(const QString &name)
{
    return !name.isEmpty() && name.size() <= c_maxName && std::all_of(name.begin(), name.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') || c == u'-'
            || c == u'_' || c == u'.';
    });
}

/// Same process behind two spellings, as far as text can tell.
QString endpointOf(const QUrl &url)
{
    const QString host
        = url.host() == u"localhost" || url.host() == u"::1" ? QStringLiteral("127.0.0.1") : url.host();
    const int port = url.port(url.scheme() == u"https" ? 443 : 80);
    return QStringLiteral("%1:%2%3").arg(host, QString::number(port), url.path());
}

void refuseSharedEndpoints(MapReader &reader, const std::vector<ServerConfig> &servers)
{
    for (std::size_t i = 0; i < servers.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!servers[i].baseUrl.isEmpty()
                && endpointOf(servers[i].baseUrl) == endpointOf(servers[j].baseUrl)) {
                reader.problem(servers[i].name,
                    ServerSectionText::tr(
                        "has the same baseURL as '%1'; two managers of one server would spoil each "
                        "other's slots")
                        .arg(servers[j].name));
                break;
            }
        }
    }
}

std::vector<ServerConfig> readShortForm(MapReader &top)
{
    ServerConfig server;
    server.name = c_shortFormServer.toString();
    MapReader backend = top.section(backendText());
    readEndpoint(backend, server);
    // Each of the slot keys may stand in the block or beside it.
    const QStringList keys = slotKeys();
    const bool inside
        = std::any_of(keys.begin(), keys.end(), [&](const QString &key) { return backend.has(key); });
    readSlots(inside ? backend : top, server);
    for (const QString &key : keys) {
        top.node(key);
        backend.node(key);
        if (inside && top.has(key)) {
            top.problem(key,
                ServerSectionText::tr("keep it and its like together, either in 'backend' or beside it"));
        }
    }
    backend.finish();
    return { server };
}

} // namespace

std::vector<ServerConfig> readServers(MapReader &top)
{
    if (top.has(backendText())) {
        if (top.has(serversKey())) {
            top.problem(backendText(), ServerSectionText::tr("'servers' is given too; keep one of them"));
        }
        top.node(serversKey());
        return readShortForm(top);
    }
    MapReader reader = top.section(serversKey());
    std::vector<ServerConfig> servers;
    for (const YamlNode::Entry &entry : reader.entries()) {
        ServerConfig server;
        server.name = entry.key;
        if (!isPossibleName(entry.key)) {
            reader.problem(entry.key,
                ServerSectionText::tr("the name of a server is 1 to %1 letters, digits, '-', '_' and '.'")
                    .arg(c_maxName));
        }
        MapReader one(entry.value, reader.fullName(entry.key), top.context());
        readEndpoint(one, server);
        readSlots(one, server);
        one.finish();
        servers.push_back(server);
    }
    refuseSharedEndpoints(reader, servers);
    const QStringList keys = slotKeys();
    for (const QString &key : keys) {
        if (top.node(key) != nullptr) {
            top.problem(key,
                ServerSectionText::tr(
                    "belongs to a server; write it below 'servers', in that server's section"));
        }
    }
    top.node(backendText());
    return servers;
}

std::optional<ListenAddress> parseListenAddress(const QString &text)
{
    const qsizetype colon = text.lastIndexOf(u':');
    if (colon <= 0) {
        return std::nullopt;
    }
    QString host = text.left(colon);
    const bool bracketed = host.startsWith(u'[') && host.endsWith(u']');
    if (bracketed) {
        host = host.mid(1, host.size() - 2);
    }
    const QString portText = text.mid(colon + 1);
    bool ok = false;
    const ushort port = portText.toUShort(&ok);
    const QUrl check(
        QStringLiteral("http://%1:1").arg(bracketed ? u'[' + host + u']' : host), QUrl::StrictMode);
    if (!ok || portText.startsWith(u'+') || !check.isValid() || check.host().isEmpty()
        || !check.path().isEmpty() || !check.userInfo().isEmpty() || (host.contains(u':') && !bracketed)) {
        return std::nullopt;
    }
    return ListenAddress { host, port };
}

} // namespace kv
