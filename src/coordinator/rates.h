// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kv {

/// Measured rates of a server, for deadlines, holding times and people. 0: not measured yet.
struct Rates {
    double prefillPerSecond = 0; ///< tokens
    double generatePerSecond = 0; ///< tokens
    double savePerSecond = 0; ///< bytes, the last one
    double restorePerSecond = 0; ///< bytes, the last one
    double slowestBytesPerSecond = 0; ///< of all saves and restores
    double bytesPerToken = 0; ///< of the last save
    double sleepAfterMs = 0; ///< the shortest idle time after which the server was found asleep
    double switchMs = 0; ///< a typical change of owner

    bool operator==(const Rates &) const = default;
};

/// For the database; empty: nothing was measured.
QString ratesToText(const Rates &rates);
Rates ratesFromText(const QString &text); ///< what cannot be read counts as not measured

} // namespace kv
