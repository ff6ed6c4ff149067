// SPDX-License-Identifier: MIT
#pragma once

#include "logfilter.h"
#include "logformat.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace kv {

struct DaemonOptions {
    QString socket; ///< empty: the default place
    QString config; ///< empty: the default place
    std::optional<LogLevel> logLevel; ///< nullopt: as the configuration says
    std::optional<LogFormat> logFormat;
    std::optional<LogFilter> logFilter;
};

struct ParsedOptions {
    enum class Action {
        Run,
        Show, ///< print `text` and end well
        Fail, ///< print `text` as an error: the command line is wrong
    };
    Action action = Action::Run;
    QString text;
    DaemonOptions options;
};

/// `arguments` with the program's name first.
ParsedOptions parseOptions(const QStringList &arguments);

} // namespace kv
