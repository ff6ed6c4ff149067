// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <variant>

namespace kv {

class CommandContext;
/// Runs one command to its end; the value is one of exitcode.h.
using CommandFunction = int (*)(CommandContext &);

/// The command line, understood. Texts are empty and numbers −1 when not given.
struct CliOptions {
    CommandFunction run = nullptr;
    // for every command
    QString socket;
    bool json = false;
    QString colour = QStringLiteral("auto"); ///< auto, always, never
    double timeoutSeconds = -1;
    // of commands that have them
    QString session;
    QString provider;
    QString model;
    QString server;
    QString reason;
    QString filter;
    QString sort;
    bool desc = false;
    bool bases = false;
    int offset = -1;
    int limit = -1;
    bool yes = false;
    bool dryRun = false;
    bool verify = false;
    bool restart = false;
    QString url;
    QString apiKeyFile;
    QStringList topics;
    QString since;
    QString from;
    QString to;
    QString bucket;
    QString duration;
    QString file;
    QString ifHash;
    bool verbose = false;
    QString output;
    QString metadata;
    QString config;
};

/// Nothing to run: help, the version, or a fault of the command line.
struct CliMessage {
    int exitCode = 0;
    QString text;
};

/// `arguments` without the program's name.
std::variant<CliOptions, CliMessage> parseCommandLine(const QStringList &arguments);

} // namespace kv
