// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"
#include "terminal.h"

#include <QStringList>

namespace kv {

/// Where the streams of the process lead.
struct CliStreams {
    QTextStream &out;
    QTextStream &err;
    QTextStream &in;
    bool outIsTerminal = false;
    bool inIsTerminal = false;
    bool noColour = false; ///< NO_COLOR is set and not empty
};

/// Runs `kv-persist ARGUMENTS` (without the program's name) to its end; the value is one of exitcode.h.
int runCli(const QStringList &arguments, const CliStreams &streams, const Clock &clock);

} // namespace kv
