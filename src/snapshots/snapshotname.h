// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QString>

#include <optional>

namespace kv {

/// Hex digits of a file name's prefix (64 bits).
inline constexpr int c_prefixDigits = 16;

struct SnapshotName {
    QString prefix; ///< 16 lower-case hex digits
    NameNumber number = -1;
    bool operator==(const SnapshotName &) const = default;
};

/// "<prefix>-<number>.bin". Empty when `prefix` is none or `number` is negative: nothing else is ever a name.
QString snapshotFileName(const QString &prefix, NameNumber number);
/// The exact inverse: nullopt for every text that snapshotFileName() does not make.
std::optional<SnapshotName> parseSnapshotFileName(QStringView name);

/// 16 lower-case hex digits and nothing else.
bool isNamePrefix(QStringView prefix);
/// 64 random bits.
QString randomNamePrefix();
/// The prefix of one server's files: the first 16 hex digits of sha256(prefix + server name), so that the
/// files of two servers that save into one folder never meet.
QString serverNamePrefix(const QString &prefix, const QString &server);

} // namespace kv
