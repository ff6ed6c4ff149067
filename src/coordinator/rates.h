// SPDX-License-Identifier: MIT
#pragma once

namespace kv {

/// Measured rates of a server, for deadlines, holding times and people. 0: not measured yet.
struct Rates {
    double prefillPerSecond = 0; ///< tokens
    double generatePerSecond = 0; ///< tokens
    double savePerSecond = 0; ///< bytes, the last one
    double restorePerSecond = 0; ///< bytes, the last one
    double slowestBytesPerSecond = 0; ///< of all saves and restores
    double bytesPerToken = 0; ///< of the last save
    qint64 sleepAfterMs = 0; ///< the shortest idle time after which the server was found asleep
    double switchMs = 0; ///< a typical change of owner
};

} // namespace kv
