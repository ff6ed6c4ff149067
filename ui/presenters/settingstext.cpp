// SPDX-License-Identifier: MIT
#include "settingstext.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace kv {

namespace {

struct Text {
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
        { QStringLiteral("mode"), QStringLiteral("single-slot"), Text::tr("One slot"),
            Text::tr("All sessions take turns in one slot. For llama-server with --parallel 1.") },
        { QStringLiteral("mode"), QStringLiteral("managed-slots"), Text::tr("All slots"),
            Text::tr(
                "Sessions are spread over all slots. The client has to put id_slot into its requests.") },
        { QStringLiteral("snapshotBinaryManagement"), QStringLiteral("server-owned"),
            Text::tr("Left to the server"),
            Text::tr("Works everywhere. Files can neither be checked before a restore nor deleted.") },
        { QStringLiteral("snapshotBinaryManagement"), QStringLiteral("shared-filesystem"),
            Text::tr("Looked after by kv-persist"),
            Text::tr("Files are checked before a restore and deleted when they are let go. Needs the folder "
                     "that llama-server got as --slot-save-path.") },
    };
}

std::vector<Choice> ofThePolicy()
{
    return {
        { QStringLiteral("restore.verify"), QStringLiteral("off"), Text::tr("Off"),
            Text::tr("What the server says after a restore is not compared with what was saved.") },
        { QStringLiteral("restore.verify"), QStringLiteral("basic"), Text::tr("Basic"),
            Text::tr("What the server restored is compared with what was saved; when it differs, the session "
                     "starts cold. Costs nothing.") },
        { QStringLiteral("restore.verify"), QStringLiteral("strict"), Text::tr("Strict"),
            Text::tr("Also compares the whole file with its checksum before, where kv-persist looks after "
                     "the files, and asks the server again after. Each restore reads its file twice.") },
        { QStringLiteral("coldStart"), QStringLiteral("keep"), Text::tr("Keep what is in the slot"),
            Text::tr(
                "What the new prompt and the one in the slot have in common is reused, nothing else. Costs "
                "nothing.") },
        { QStringLiteral("coldStart"), QStringLiteral("erase"), Text::tr("Empty the slot first"),
            Text::tr("A new session begins in an empty slot, where the server allows it: its whole prompt is "
                     "processed.") },
        { QStringLiteral("coldStart"), QStringLiteral("base"), Text::tr("Restore a shared beginning"),
            Text::tr(
                "A new session starts from what earlier ones of its provider began with, system prompt and "
                "tools, or from the session it was branched from. Costs one early save for each such "
                "beginning, and its file; until there is one, the slot is kept as it is.") },
        { QStringLiteral("checkpoint.subagents"), QStringLiteral("whileAlive"), Text::tr("While they run"),
            Text::tr("The state of a session that another one started is let go when it ends.") },
        { QStringLiteral("checkpoint.subagents"), QStringLiteral("never"), Text::tr("Never"), {} },
        { QStringLiteral("checkpoint.subagents"), QStringLiteral("always"),
            Text::tr("Like any other session"), {} },
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
