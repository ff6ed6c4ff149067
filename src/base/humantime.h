// SPDX-License-Identifier: MIT
#pragma once

#include <QLocale>
#include <QString>

#include <optional>

namespace kv {

/// For people: "0.4 ms", "188 ms", "3.2 s", "2 min 5 s", "3 h 12 min", "4 d 2 h".
QString formatDuration(double ms, const QLocale &locale = QLocale::c());
/// How long ago, from a difference in milliseconds: "just now", "40 s ago", "3 min ago", "2 h ago", "5 d
/// ago".
QString formatAge(qint64 ms);

/// Wall time in ms since the epoch → "2026-07-31T10:20:30.123Z". Empty for times before the year 1 or after
/// 9999.
QString isoUtc(qint64 wallMs);
/// Any ISO 8601 time with a zone; one without is taken as UTC. nullopt: not a time.
std::optional<qint64> wallMsFromIso(const QString &text);

} // namespace kv
