// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QStringView>

namespace kv {

/// "100GB" (decimal), "5GiB" (binary), "1.5 TB", "4096" or "4096B" (bytes); letters in any case, never
/// negative. Error KV_BAD_REQUEST; its message says what was found and what is allowed.
Result<qint64> parseByteSize(QStringView text);

/// For people, binary units: "812 B", "1.5 GiB", "512 MiB".
QString formatBytes(qint64 bytes);

/// Without loss, in the form parseByteSize() reads: "100GB", "5GiB", "4097".
QString exactByteSize(qint64 bytes);

} // namespace kv
