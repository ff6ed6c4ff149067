// SPDX-License-Identifier: MIT
#pragma once

#include "configreader.h"

#include <QByteArray>

namespace kv {

/// The default configuration as a commented file to start from: it reads as defaultConfig().
QByteArray defaultConfigText();

/// Replaces the configuration file, whole or not at all; a missing folder is made. `ifHash` not empty: only
/// when configHash() of the present file is that. Answers what the new text means. Errors: KV_CONFIG_INVALID
/// (the text, or the file is another one by now), KV_METADATA_IO.
Result<LoadedConfig> replaceConfigFile(const QString &path, const QByteArray &yaml, const QString &ifHash,
    const QProcessEnvironment &environment);

} // namespace kv
