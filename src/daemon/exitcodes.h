// SPDX-License-Identifier: MIT
#pragma once

namespace kv {

/// How kv-persistd ends. Listed in --help; scripts and units rely on them.
enum ExitCode : int {
    ExitOk = 0, ///< stopped as asked
    ExitFailed = 1, ///< could not start, for none of the reasons below
    ExitUsage = 2, ///< the command line is wrong
    ExitConfig = 3, ///< the configuration cannot be used
    ExitAlreadyRuns = 4, ///< another daemon serves the socket
    ExitSocket = 5, ///< the socket or its folder cannot be used
    ExitMetadata = 6, ///< the metadata folder cannot be used
    ExitHurried = 7, ///< a second signal ended it before the last save was done
};

} // namespace kv
