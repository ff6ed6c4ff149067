// SPDX-License-Identifier: MIT
#include "settingsdraft.h"

#include "settingsschema.h"

#include <QJsonObject>

#include <algorithm>

namespace kv {

namespace {

using Change = YamlChange::Kind;
using Kind = YamlPlace::Kind;

QString wrapperKey() { return QStringLiteral("kv-persist"); }
QString serversKey() { return QStringLiteral("servers"); }
QString backendKey() { return QStringLiteral("backend"); }
QString providersKey() { return QStringLiteral("providers"); }
QString shortFormName() { return QStringLiteral("default"); } // as the daemon calls it

bool isSlotKey(const QString &key)
{
    static const QStringList keys { QStringLiteral("mode"), QStringLiteral("slotId"),
        QStringLiteral("auxiliarySlot"), QStringLiteral("runtimeKey"),
        QStringLiteral("snapshotBinaryManagement"), QStringLiteral("slotSavePath") };
    return keys.contains(key);
}

void take(SettingsValues &values, const QString &key, const YamlPlace *place)
{
    if (place != nullptr && place->kind == Kind::Scalar) {
        values[key] = place->text;
    }
}

/// A route as people write it: "qwen* → local".
QString routeText(const YamlPlace &place)
{
    QString model = QStringLiteral("*");
    QString server;
    for (const YamlPlace::Entry &entry : place.entries) {
        (entry.key == QStringLiteral("model") ? model : server) = entry.value.text;
    }
    return QStringLiteral("%1 → %2").arg(model, server);
}

QString routesText(const YamlPlace &place)
{
    if (place.kind == Kind::Map) {
        return routeText(place);
    }
    QStringList all;
    for (const YamlPlace &item : place.items) {
        all.append(routeText(item));
    }
    return all.isEmpty() ? QStringLiteral("?") : all.join(QStringLiteral(", "));
}

void readServers(SettingsDraft &draft, const YamlEdit &file)
{
    if (const YamlPlace *block = file.at(draft.wrapper + QStringList(backendKey()))) {
        draft.shortForm = true;
        draft.slotKeysInBlock = std::any_of(block->entries.begin(), block->entries.end(),
            [](const YamlPlace::Entry &entry) { return isSlotKey(entry.key); });
        SettingsServer server { shortFormName(), shortFormName(), {} };
        for (const SettingsField &field : serverFields()) {
            take(server.values, field.key, file.at(draft.serverPath(server.name, field.key)));
        }
        draft.servers.push_back(server);
        return;
    }
    const YamlPlace *servers = file.at(draft.wrapper + QStringList(serversKey()));
    if (servers == nullptr) {
        return;
    }
    for (const YamlPlace::Entry &entry : servers->entries) {
        SettingsServer server { entry.key, entry.key, {} };
        for (const SettingsField &field : serverFields()) {
            take(server.values, field.key, file.at(draft.serverPath(entry.key, field.key)));
        }
        draft.servers.push_back(server);
    }
}

void readProviders(SettingsDraft &draft, const YamlEdit &file)
{
    const YamlPlace *providers = file.at(draft.wrapper + QStringList(providersKey()));
    if (providers == nullptr) {
        return;
    }
    draft.providersAreNames = providers->kind == Kind::List;
    for (const YamlPlace &item : providers->items) {
        const QString server = draft.servers.empty() ? QString() : draft.servers.front().name;
        draft.providers.push_back({ item.text, item.text, {}, QStringLiteral("* → %1").arg(server) });
    }
    for (const YamlPlace::Entry &entry : providers->entries) {
        const bool simple = entry.value.kind == Kind::Scalar || entry.value.kind == Kind::Null;
        draft.providers.push_back({ entry.key, entry.key, simple ? entry.value.text : QString(),
            simple ? QString() : routesText(entry.value) });
    }
}

const QString *valueIn(const SettingsValues &values, const QString &key)
{
    const auto found = values.find(key);
    return found == values.end() ? nullptr : &found->second;
}

/// The difference of one value, if any.
void compare(
    std::vector<YamlChange> &changes, const QStringList &path, const QString *before, const QString *after)
{
    if (after == nullptr) {
        if (before != nullptr) {
            changes.push_back({ Change::Remove, path, {} });
        }
    } else if (before == nullptr || *before != *after) {
        changes.push_back({ Change::Set, path, *after });
    }
}

template <typename T> const T *originalOf(const std::vector<T> &before, const T &one)
{
    const auto found = std::find_if(before.begin(), before.end(),
        [&](const T &other) { return !one.original.isEmpty() && other.original == one.original; });
    return found == before.end() ? nullptr : &*found;
}

/// Removals first: a name may be given away and taken anew.
template <typename T>
void compareNames(std::vector<YamlChange> &changes, const QStringList &section, const std::vector<T> &before,
    const std::vector<T> &after)
{
    for (const T &one : before) {
        if (originalOf(after, one) == nullptr) {
            changes.push_back({ Change::Remove, section + QStringList(one.original), {} });
        }
    }
    for (const T &one : after) {
        if (!one.original.isEmpty() && one.original != one.name) {
            changes.push_back({ Change::Rename, section + QStringList(one.original), one.name });
        }
    }
}

} // namespace

QString proxyServerKey() { return QStringLiteral("proxy.server"); }

SettingsDraft SettingsDraft::of(const YamlEdit &file)
{
    SettingsDraft draft;
    if (file.at({ wrapperKey() }) != nullptr) {
        draft.wrapper = { wrapperKey() };
    }
    readServers(draft, file);
    readProviders(draft, file);
    for (const SettingsField &field : settingsFields()) {
        take(draft.values, field.key, file.at(draft.wrapper + field.key.split(QLatin1Char('.'))));
    }
    take(draft.values, proxyServerKey(), file.at(draft.wrapper + proxyServerKey().split(QLatin1Char('.'))));
    return draft;
}

QStringList SettingsDraft::serverPath(const QString &server, const QString &key) const
{
    if (!shortForm) {
        return wrapper + QStringList { serversKey(), server, key };
    }
    return isSlotKey(key) && !slotKeysInBlock ? wrapper + QStringList(key)
                                              : wrapper + QStringList { backendKey(), key };
}

std::vector<YamlChange> settingsChanges(const SettingsDraft &before, const SettingsDraft &after)
{
    std::vector<YamlChange> changes;
    compareNames(changes, before.wrapper + QStringList(serversKey()), before.servers, after.servers);
    const QStringList providers = before.wrapper + QStringList(providersKey());
    compareNames(changes, providers, before.providers, after.providers);
    for (const SettingsServer &server : after.servers) {
        const SettingsServer *old = originalOf(before.servers, server);
        for (const SettingsField &field : serverFields()) {
            compare(changes, before.serverPath(server.name, field.key),
                old == nullptr ? nullptr : valueIn(old->values, field.key),
                valueIn(server.values, field.key));
        }
    }
    for (const SettingsProvider &provider : after.providers) {
        const SettingsProvider *old = originalOf(before.providers, provider);
        if (provider.routes.isEmpty() && (old == nullptr || old->server != provider.server)) {
            changes.push_back({ Change::Set, providers + QStringList(provider.name), provider.server });
        }
    }
    for (const SettingsField &field : settingsFields()) {
        compare(changes, before.wrapper + field.key.split(QLatin1Char('.')),
            valueIn(before.values, field.key), valueIn(after.values, field.key));
    }
    compare(changes, before.wrapper + proxyServerKey().split(QLatin1Char('.')),
        valueIn(before.values, proxyServerKey()), valueIn(after.values, proxyServerKey()));
    return changes;
}

Result<YamlEdit> withChanges(const YamlEdit &file, const std::vector<YamlChange> &changes)
{
    Result<YamlEdit> now = file;
    for (const YamlChange &change : changes) {
        now = now.value().with(change);
        if (!now) {
            Error error = now.error();
            QStringList path = change.path;
            if (path.front() == wrapperKey()) {
                path.removeFirst();
            }
            error.data.insert(QStringLiteral("key"), path.join(QLatin1Char('.')));
            return error;
        }
    }
    return now;
}

} // namespace kv
