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
    qint64 sleepIdleMs = 0; ///< --sleep-idle-seconds; 0: it never sleeps

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
