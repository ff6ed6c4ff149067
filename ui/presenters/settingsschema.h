// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace kv {

/// What the settings page knows of one key of the daemon's configuration.
struct SettingsField {
    enum class Kind { Flag, Choice, Text, Number, Milliseconds, Size, Path, Secret };

    QString key; ///< dotted, from the top; of a server: from its section
    Kind kind = Kind::Text;
    QString standard; ///< what holds when the file says nothing, as the file spells it; empty: nothing does
    QStringList choices; ///< Choice
};

/// Keys outside of servers and providers. A test holds the defaults against the daemon's own.
const std::vector<SettingsField> &settingsFields();
const std::vector<SettingsField> &serverFields();
/// nullptr: there is none.
const SettingsField *settingsField(const std::vector<SettingsField> &fields, const QString &key);

/// What a value means, for people: "30 s", "46.6 GiB", "never"; empty when there is nothing to explain.
QString settingsMeaning(const SettingsField &field, const QString &value);

} // namespace kv
