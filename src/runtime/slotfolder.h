// SPDX-License-Identifier: MIT
#pragma once

#include "serverruntime.h"

namespace kv {

/// What is to be said about the folder of a server's slot files, which its command line tells where that can
/// be read. Offered, never used by itself.
struct SlotFolderFinding {
    enum class Kind {
        Nothing,
        Offer, ///< it is readable here, though the server owns its files: shared-filesystem would do
        Other, ///< slotSavePath is configured, and is another folder than the server's own
    };
    Kind kind = Kind::Nothing;
    QString message; ///< what was found; empty: nothing
    QString remedy;
};

/// Pure. `own`: the folder on the server's command line, `configured`: slotSavePath; each as last seen.
SlotFolderFinding judgeSlotFolder(bool shared, const QString &own, const FolderFacts &ownFacts,
    const QString &configured, const FolderFacts &configuredFacts);
SlotFolderFinding findSlotFolder(const ServerRuntime &runtime);

} // namespace kv
