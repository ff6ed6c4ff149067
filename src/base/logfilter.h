// SPDX-License-Identifier: MIT
#pragma once

#include "logformat.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace kv {

/// Levels of single parts of the program that differ from the level of the whole: by the name of the part,
/// which is its category's without "kv.".
using LogFilter = QMap<QString, LogLevel>;

struct ParsedLogFilter {
    LogFilter filter;
    QString wrong; ///< the first piece that is not PART=LEVEL; empty: all are
};

/// "proxy=debug,runtime=warn": pieces with commas or blanks between them; of one part's the last counts.
ParsedLogFilter parseLogFilter(const QString &text);
/// What a filter may name, sorted, …
QStringList logParts();
/// … and how loud, from the quietest on.
QStringList logLevelNames();

/// Rules of QLoggingCategory for one level and what differs from it.
QString logRules(LogLevel level, const LogFilter &filter);

} // namespace kv
