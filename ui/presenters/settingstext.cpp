// SPDX-License-Identifier: MIT
#include "settingstext.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace kv {

namespace {

struct SettingsText {
    Q_DECLARE_TR_FUNCTIONS(kv::SettingsText)
};

struct Choice {
    QString key;
    QString choice;
    QString shown;
    QString hint;
};

std::vector<Choice> ofServers()
{
    return {
        { QStringLiteral("mode"), QStringLiteral("single-slot"), SettingsText::tr("One slot"),
            SettingsText::tr("All sessions take turns in one slot. For llama-server with --parallel 1.") },
        { QStringLiteral("mode"), QStringLiteral("managed-slots"), SettingsText::tr("All slots"),
            SettingsText::tr(
                "Sessions are spread over all slots. The client has to put id_slot into its requests.") },
        { QStringLiteral("snapshotBinaryManagement"), QStringLiteral("server-owned"),
            SettingsText::tr("Left to the server"),
            SettingsText::tr(
                "Works everywhere. Files can neither be checked before a restore nor deleted.") },
        { QStringLiteral("snapshotBinaryManagement"), QStringLiteral("shared-filesystem"),
            SettingsText::tr("Looked after by kv-persist"),
            SettingsText::tr(
                "Files are checked before a restore and deleted when they are let go. Needs the folder "
                "that llama-server got as --slot-save-path.") },
    };
}

std::vector<Choice> ofThePolicy()
{
    return {
        { QStringLiteral("restore.verify"), QStringLiteral("off"), SettingsText::tr("Off"),
            SettingsText::tr("What the server says after a restore is not compared with what was saved.") },
        { QStringLiteral("restore.verify"), QStringLiteral("basic"), SettingsText::tr("Basic"),
            SettingsText::tr(
                "What the server restored is compared with what was saved; when it differs, the session "
                "starts cold. Costs nothing.") },
        { QStringLiteral("restore.verify"), QStringLiteral("strict"), SettingsText::tr("Strict"),
            SettingsText::tr(
                "Also compares the whole file with its checksum before, where kv-persist looks after "
                "the files, and asks the server again after. Each restore reads its file twice.") },
        { QStringLiteral("coldStart"), QStringLiteral("keep"), SettingsText::tr("Keep what is in the slot"),
            SettingsText::tr(
                "What the new prompt and the one in the slot have in common is reused, nothing else. Costs "
                "nothing.") },
        { QStringLiteral("coldStart"), QStringLiteral("erase"), SettingsText::tr("Empty the slot first"),
            SettingsText::tr(
                "A new session begins in an empty slot, where the server allows it: its whole prompt is "
                "processed.") },
        { QStringLiteral("coldStart"), QStringLiteral("base"), SettingsText::tr("Restore a shared beginning"),
            SettingsText::tr(
                "A new session starts from what earlier ones of its provider began with, system prompt and "
                "tools, or from the session it was branched from. Costs one early save for each such "
                "beginning, and its file; until there is one, the slot is kept as it is.") },
        { QStringLiteral("checkpoint.subagents"), QStringLiteral("whileAlive"),
            SettingsText::tr("While they run"),
            SettingsText::tr("The state of a session that another one started is let go when it ends.") },
        { QStringLiteral("checkpoint.subagents"), QStringLiteral("never"), SettingsText::tr("Never"), {} },
        { QStringLiteral("checkpoint.subagents"), QStringLiteral("always"),
            SettingsText::tr("Like any other session"), {} },
    };
}

/// Made anew each time: the language may have been set after the first.
Choice find(const QString &key, const QString &choice)
{
    for (const std::vector<Choice> &list : { ofServers(), ofThePolicy() }) {
        const auto found = std::find_if(list.begin(), list.end(),
            [&](const Choice &one) { return one.key == key && one.choice == choice; });
        if (found != list.end()) {
            return *found;
        }
    }
    return { key, choice, choice, {} };
}

} // namespace

QString settingsChoice(const QString &key, const QString &choice) { return find(key, choice).shown; }

QString settingsChoiceHint(const QString &key, const QString &choice) { return find(key, choice).hint; }

} // namespace kv
