// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QByteArray>
#include <QString>

namespace kv {

/// Replaces the file as a whole: temporary file beside it, fsync, rename, fsync of the folder. After a
/// failure or a power cut the old file is there, whole. A new file gets mode 0600, an existing one keeps its
/// own; a symbolic link stays one and its target is replaced. Error KV_METADATA_IO.
Result<Done> writeFileAtomically(const QString &path, const QByteArray &bytes);

} // namespace kv
