// SPDX-License-Identifier: MIT
#pragma once

namespace kv::exitcode {

// What the program tells the shell. --help lists them; scripts rely on them, so they never change their
// meaning.
inline constexpr int ok = 0;
inline constexpr int refused = 1; ///< the daemon answered an error, or the user answered no
inline constexpr int usage = 2; ///< the command line or a file named by it cannot be used
inline constexpr int noDaemon = 3; ///< no daemon, no answer in time, or the connection was lost
inline constexpr int notReady = 4; ///< doctor: NOT READY
inline constexpr int warnings = 5; ///< doctor: READY WITH WARNINGS

} // namespace kv::exitcode
