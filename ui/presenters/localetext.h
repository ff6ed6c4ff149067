// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kv {

// Numbers as the window shows them: in the user's locale and language.

QString localeCount(qint64 count); ///< "12,345"
QString localeTokens(qint64 tokens); ///< short: "812", "48.7K", "1.3M"
QString localeBytes(qint64 bytes); ///< "1.5 GiB"
QString localeDuration(double ms); ///< "0.4 ms", "188 ms", "3.2 s", "2 min 5 s", "3 h 12 min", "4 d 2 h"
QString localeAge(qint64 ms); ///< how long ago: "just now", "40 s ago", "3 min ago", "2 h ago", "5 days ago"
QString localeTime(qint64 wallMs); ///< date and time of the user's zone, short
QString localeClockTime(qint64 wallMs); ///< "12:01:10", of the user's zone
QString localeRate(double perSecond); ///< tokens: "310 tok/s"
QString localeByteRate(double perSecond); ///< "1.8 GiB/s"
QString localePercent(double share); ///< 0.987 → "98.7 %"

} // namespace kv
