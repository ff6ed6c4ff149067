// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QHash>
#include <QString>
#include <QStringList>

namespace kv {

/// What a llama-server was started with, as far as it decides whether a KV state fits. A known command line
/// says something about every field: what it does not name is "default" (or the default itself where all
/// builds agree).
struct ServerCommandLine {
    QString typeK = QStringLiteral("f16");
    QString typeV = QStringLiteral("f16");
    QString flashAttention = QStringLiteral("auto");
    QString rope
        = QStringLiteral("default"); ///< all rope and yarn options and model overrides, "name=value, …"
    QString draftModel = QStringLiteral("none");
    QString swaFull = QStringLiteral("off");
    QString kvUnified = QStringLiteral("auto");
    QString streams = QStringLiteral("auto"); ///< -np
    QString slotSavePath; ///< empty: not given, so nothing can be saved
    int port = 0; ///< 0: not given
    QString host = QStringLiteral("127.0.0.1"); ///< --host: the addresses that it listens on
    bool apiKey = false; ///< one was given; never which
    QString cacheIdleSlots = QStringLiteral("auto"); ///< --cache-idle-slots
    qint64 cacheRamMiB = 8192; ///< --cache-ram; 0: no prompt cache in memory; −1: without a limit
    bool multimodal = false; ///< --mmproj
    bool slotsDebug = false; ///< LLAMA_SERVER_SLOTS_DEBUG: GET /slots shows everybody's prompts
    qint64 sleepIdleMs = 0; ///< --sleep-idle-seconds; 0: it never sleeps

    /// All slots share one pool: asked for, or by the default of a server without --parallel.
    [[nodiscard]] bool unified() const
    {
        return kvUnified == QStringView(u"on")
            || (kvUnified == QStringView(u"auto") && streams == QStringView(u"auto"));
    }
    /// An idle slot is moved to memory and emptied as soon as another one gets a task.
    [[nodiscard]] bool clearsIdleSlots() const
    {
        return unified() && cacheRamMiB != 0 && cacheIdleSlots != QStringView(u"off");
    }
    /// The fields of fingerprint.h that decide.
    [[nodiscard]] FieldList compared() const;
};

/// `argv`: with or without the program's name in front. `environment`: LLAMA_… variables, which the options
/// override.
ServerCommandLine parseServerCommandLine(
    const QStringList &argv, const QHash<QString, QString> &environment = {});

/// Whether an argv is that of a llama-server.
bool isLlamaServer(const QStringList &argv);

} // namespace kv
