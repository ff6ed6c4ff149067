// SPDX-License-Identifier: MIT
// Stands in for src/config/keyfile.cpp. The linker takes these definitions and leaves the library's object
// out, so a path in fuzzed text is never opened, nor even looked at.
#include "keyfile.h"

#include <algorithm>

namespace kv {

Result<KeyFile> readKeyFile(const QString &path)
{
    if (!path.startsWith(u"/nonexistent/")) {
        return Error { ErrorCode::ConfigInvalid, QStringLiteral("No key file is read here."), path };
    }
    return KeyFile { QStringLiteral("sk-fuzz"), path.endsWith(u"open") };
}

bool isPossibleKey(const QString &key)
{
    return !key.isEmpty()
        && std::all_of(key.begin(), key.end(), [](QChar c) { return c > u' ' && c < u'\x7f'; });
}

bool othersMayReadFile(const QString &path) { return path.endsWith(u"open"); }

} // namespace kv
