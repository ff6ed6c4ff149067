// SPDX-License-Identifier: MIT
#include "slotfolder.h"

namespace kv {

SlotFolderFinding judgeSlotFolder(bool shared, const QString &own, const FolderFacts &ownFacts,
    const QString &configured, const FolderFacts &configuredFacts)
{
    SlotFolderFinding finding;
    if (own.isEmpty()) {
        return finding;
    }
    if (!shared && ownFacts.readable) {
        finding.kind = SlotFolderFinding::Kind::Offer;
        finding.message = QStringLiteral("The server's slot folder is %1, and it can be read here.").arg(own);
        finding.remedy
            = QStringLiteral("With “snapshotBinaryManagement: shared-filesystem” and “slotSavePath: "
                             "%1” files are checked before a restore and deleted when let go.")
                  .arg(own);
    }
    // Two names of one folder are no difference; nor is one that was not seen yet.
    const bool seen = !ownFacts.canonical.isEmpty() && !configuredFacts.canonical.isEmpty();
    if (shared && seen && ownFacts.canonical != configuredFacts.canonical) {
        finding.kind = SlotFolderFinding::Kind::Other;
        finding.message
            = QStringLiteral("slotSavePath is %1, but the server saves to %2: its files are not found.")
                  .arg(configured, own);
        finding.remedy = QStringLiteral("Set slotSavePath: %1.").arg(own);
    }
    return finding;
}

SlotFolderFinding findSlotFolder(const ServerRuntime &runtime)
{
    const QString own = runtime.facts().local ? runtime.facts().slotSavePath : QString();
    const QString configured = runtime.server().slotSavePath;
    return judgeSlotFolder(runtime.coordinator().policy().sharedFiles, own, runtime.folderFacts(own),
        configured, runtime.folderFacts(configured));
}

} // namespace kv
