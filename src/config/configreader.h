// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "result.h"

#include <QByteArray>

namespace kv {

struct LoadedConfig {
    Config config;
    QString file;
    bool fileExists = true; ///< false: the default configuration
    QString hash; ///< configHash() of the file's bytes; empty without a file
    QStringList warnings; ///< "file:line: …": what is allowed but hardly meant
};

/// Reads a configuration. `fileName` is for messages only. Key files that it names are read now. Error
/// KV_CONFIG_INVALID: every problem of the file, one a line of the message, as "file:line: key 'a.b': found
/// …, expected …".
Result<LoadedConfig> readConfig(
    const QByteArray &yaml, const QString &fileName, const QProcessEnvironment &environment);

/// Reads the file; one that does not exist is the default configuration. Error KV_CONFIG_INVALID also for one
/// that cannot be read.
Result<LoadedConfig> loadConfigFile(const QString &path, const QProcessEnvironment &environment);

/// sha256 in hex of a configuration file's bytes: "has it changed since I read it?".
QString configHash(const QByteArray &yaml);

} // namespace kv
