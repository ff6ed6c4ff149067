// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kv {

/// Number of hex digits by which a session is shown to people.
inline constexpr int c_sessionDigits = 6;

/// sha256 of the session id alone (UTF-8), 64 lower-case hex digits.
QString sessionHash(const QString &sessionId);
/// The first c_sessionDigits digits of sessionHash(): the only form of a session id that logs and answers
/// show.
QString shortSession(const QString &sessionId);

} // namespace kv
