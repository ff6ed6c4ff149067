// SPDX-License-Identifier: MIT
#pragma once

#include "yamledit.h"

#include <map>
#include <optional>
#include <vector>

namespace kv {

using SettingsValues
    = std::map<QString, QString>; ///< key to text as written; what is absent is not in the file

struct SettingsServer {
    QString original; ///< its name in the file; empty: it is new
    QString name;
    SettingsValues values;

    bool operator==(const SettingsServer &) const = default;
};

struct SettingsProvider {
    QString original; ///< its name in the file; empty: it is new
    QString name;
    QString server; ///< empty when `routes` is not
    QString routes; ///< what is said of it in more than a name, for reading: it is edited in the file

    bool operator==(const SettingsProvider &) const = default;
};

/// What a configuration says, as far as the settings page shows it.
struct SettingsDraft {
    std::vector<SettingsServer> servers;
    std::vector<SettingsProvider> providers;
    SettingsValues values; ///< of settingsFields(), and proxy.server
    QStringList wrapper; ///< the file's `kv-persist:` around everything
    bool shortForm = false; ///< one `backend:` block instead of `servers:`
    bool slotKeysInBlock = false; ///< shortForm: mode and its like stand in that block
    bool providersAreNames = false; ///< `providers:` is a list of names

    [[nodiscard]] static SettingsDraft of(const YamlEdit &file);
    /// Where a key of a server stands in the file.
    [[nodiscard]] QStringList serverPath(const QString &server, const QString &key) const;

    bool operator==(const SettingsDraft &) const = default;
};

/// The one key outside of `servers` and `providers` that names a server, too.
QString proxyServerKey();

/// What leads from one draft of a file to the other.
std::vector<YamlChange> settingsChanges(const SettingsDraft &before, const SettingsDraft &after);

/// One after the other. Error KV_CONFIG_INVALID with the path as `data.key` when one of them is for the
/// editor.
Result<YamlEdit> withChanges(const YamlEdit &file, const std::vector<YamlChange> &changes);

} // namespace kv
