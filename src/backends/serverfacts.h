// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QString>

namespace kv {

/// What is known of a server (router mode: of one model of it) by asking it, before anybody forms an identity
/// of it. Collected per boot: a field once known under a boot id stays known until the boot id changes.
struct ServerFacts {
    /// Id of the server process; empty: not known. Which source it comes from is told in factsbook.h.
    QString boot;
    /// Every source (/props, /v1/models, /lora-adapters) has answered at least once under this boot. Until
    /// then no identity may be formed.
    bool complete = false;
    bool sleeping = false; ///< as the last /props said: the slots' state is gone, the model is not in memory
    bool router = false;
    int modelsMax = 0; ///< router: how many models it keeps loaded at once; 0: not told, or without a limit
    bool modelLoaded = true; ///< router mode: false, when the model is not loaded (boot is empty then)
    bool local
        = false; ///< the server's own process was found on this machine, so its paths mean the same here
    int totalSlots = 0; ///< 0: not told
    qint64 sleepIdleMs = 0; ///< idle time after which it goes to sleep; 0: not known, or never
    qint64 slotContext = 0; ///< tokens one slot holds; 0: not told
    QString build; ///< "b11669-Debian", "0.7.0", …
    QString modelPath; ///< as the server tells it, perhaps relative to its working directory
    QString modelFile; ///< the same as an absolute path on this machine; empty: not known (not `local`)
    QString alias;
    QString slotSavePath; ///< absolute where `local`; empty: not known
    /// Fields of fingerprint.h that the server or its command line tells. Not in it, as the caller adds them:
    /// runtimeKey, schema, fileSize, fileMtime, fileSample. Sorted by nothing; absent: not known.
    FieldList compared;
    FieldList shown; ///< alias, chatTemplate (a hash), slotSavePath
    qint64 serverPid = 0; ///< the local process that listens there and is a llama-server; 0: not known
    qint64 serverStartWallMs = 0; ///< when that process started (Unix ms, within some 10 ms); 0: not known
};

} // namespace kv
