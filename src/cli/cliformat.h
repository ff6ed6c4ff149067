// SPDX-License-Identifier: MIT
#pragma once

#include "terminal.h"

#include <QJsonValue>
#include <QString>

#include <optional>

namespace kv {

// Fields of the daemon's documents as people read them. An absent field gives an empty text.

QString countText(const QJsonValue &value);
QString bytesText(const QJsonValue &value);
QString durationText(const QJsonValue &value); ///< milliseconds
QString ageText(const QJsonValue &time, qint64 nowWallMs); ///< "3 min ago"
QString localTimeText(const QJsonValue &time); ///< in the user's time zone, to the second
QString rateText(const QJsonValue &tokensPerSecond);
QString byteRateText(const QJsonValue &bytesPerSecond);
QString yesText(const QJsonValue &flag); ///< "yes" or nothing

/// How good the news in a state word is (states of servers, slots, snapshots, sessions, verdicts, checks).
Style styleOf(const QString &state);

/// "90s", "10min", "2h", "1d", "500ms", several of them in a row ("1h30min"); nullopt: none of that.
std::optional<qint64> parseDuration(const QString &text);

} // namespace kv
