// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kv::bench {

/// "1 485", "22", "5.3", "0.24": as many digits as a measurement of that size deserves.
QString shortNumber(double value);
QString grouped(qint64 count); ///< "347 970"
QString milliseconds(double ms); ///< "1 485 ms", "9.1 s", "21 µs"
QString bytesText(double bytes); ///< "34 MiB"
QString times(double factor); ///< "61×", "1.21×"
QString percent(double share); ///< of 0.944: "94.4 %"

} // namespace kv::bench
