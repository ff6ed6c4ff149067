// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QString>

namespace kv {

struct KeyFile {
    QString key;
    bool othersMayRead = false;
};

/// The first line with text of an API key file, trimmed, as llama-server's own --api-key-file has it. Error
/// KV_CONFIG_INVALID: missing, unreadable, empty, or nothing that could be a key.
Result<KeyFile> readKeyFile(const QString &path);

/// A key becomes part of an HTTP header: visible ASCII only.
bool isPossibleKey(const QString &key);

/// Group or others may read it.
bool othersMayReadFile(const QString &path);

} // namespace kv
