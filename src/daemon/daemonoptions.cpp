// SPDX-License-Identifier: MIT
#include "daemonoptions.h"

#include "exitcodes.h"

#include <QCommandLineParser>
#include <QCoreApplication>

namespace kv {

namespace {

const QLatin1String c_comma(", ");

QString translate(const char *text) { return QCoreApplication::translate("DaemonOptions", text); }

QString exitCodeHelp()
{
    return translate(
        "\nExit codes:\n"
        "  %1  stopped as asked\n"
        "  %2  could not start, for none of the reasons below\n"
        "  %3  the command line is wrong\n"
        "  %4  the configuration cannot be used\n"
        "  %5  another kv-persistd serves the socket\n"
        "  %6  the socket or its folder cannot be used\n"
        "  %7  the metadata folder cannot be used\n"
        "  %8  a second signal ended it before the last save was done\n"
        "\nSignals:\n"
        "  SIGTERM, SIGINT  take no new work, save what is not saved, end; a second one ends at once\n"
        "  SIGHUP           read the configuration anew\n")
        .arg(int { ExitOk })
        .arg(int { ExitFailed })
        .arg(int { ExitUsage })
        .arg(int { ExitConfig })
        .arg(int { ExitAlreadyRuns })
        .arg(int { ExitSocket })
        .arg(int { ExitMetadata })
        .arg(int { ExitHurried });
}

ParsedOptions failure(const QString &text)
{
    return { ParsedOptions::Action::Fail, text + u' ' + translate("See kv-persistd --help."), {} };
}

} // namespace

ParsedOptions parseOptions(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        translate("Keeps sessions of local LLM servers warm across session switches and restarts."));
    const QCommandLineOption help(
        { QStringLiteral("h"), QStringLiteral("help") }, translate("Show this help."));
    const QCommandLineOption version(
        { QStringLiteral("v"), QStringLiteral("version") }, translate("Show the version."));
    const QCommandLineOption socket(QStringLiteral("socket"),
        translate(
            "Serve this socket. Default: $KV_PERSIST_SOCKET, else $XDG_RUNTIME_DIR/kv-persist/api.sock."),
        QStringLiteral("path"));
    const QCommandLineOption config(QStringLiteral("config"),
        translate(
            "Read this configuration. Default: $XDG_CONFIG_HOME/kv-persist/config.yaml; no file there is a "
            "working default."),
        QStringLiteral("file"));
    const QCommandLineOption logLevel(QStringLiteral("log-level"),
        translate("error, warn, info or debug; wins over the configuration."), QStringLiteral("level"));
    const QCommandLineOption logFormat(QStringLiteral("log-format"),
        translate("text or json; wins over the configuration."), QStringLiteral("format"));
    const QCommandLineOption logFilter(QStringLiteral("log-filter"),
        translate("Other levels for parts of the program, such as proxy=debug,runtime=warn; wins over the "
                  "configuration. Parts: %1. Levels: %2.")
            .arg(logParts().join(c_comma), logLevelNames().join(c_comma)),
        QStringLiteral("part=level,..."));
    parser.addOptions({ help, version, socket, config, logLevel, logFormat, logFilter });

    if (!parser.parse(arguments)) {
        return failure(parser.errorText());
    }
    if (parser.isSet(help)) {
        return { ParsedOptions::Action::Show, parser.helpText() + exitCodeHelp(), {} };
    }
    if (parser.isSet(version)) {
        return { ParsedOptions::Action::Show, QStringLiteral("kv-persistd " KV_PERSIST_VERSION "\n"), {} };
    }
    if (!parser.positionalArguments().isEmpty()) {
        return failure(
            translate("\"%1\" is not expected here.").arg(parser.positionalArguments().constFirst()));
    }
    for (const QCommandLineOption &option : { socket, config }) {
        if (parser.isSet(option) && parser.value(option).isEmpty()) {
            return failure(translate("--%1 needs a path.").arg(option.names().constFirst()));
        }
    }
    ParsedOptions parsed;
    parsed.options.socket = parser.value(socket);
    parsed.options.config = parser.value(config);
    if (parser.isSet(logLevel)) {
        parsed.options.logLevel = logLevelFromName(parser.value(logLevel));
        if (!parsed.options.logLevel) {
            return failure(translate("--log-level takes error, warn, info or debug."));
        }
    }
    if (parser.isSet(logFormat)) {
        parsed.options.logFormat = logFormatFromName(parser.value(logFormat));
        if (!parsed.options.logFormat) {
            return failure(translate("--log-format takes text or json."));
        }
    }
    if (parser.isSet(logFilter)) {
        const ParsedLogFilter filter = parseLogFilter(parser.value(logFilter));
        if (!filter.wrong.isEmpty()) {
            return failure(translate("--log-filter takes parts of the program with levels, such as "
                                     "proxy=debug,runtime=warn; \"%1\" is none. Parts: %2. Levels: %3.")
                               .arg(filter.wrong, logParts().join(c_comma), logLevelNames().join(c_comma)));
        }
        parsed.options.logFilter = filter.filter;
    }
    return parsed;
}

} // namespace kv
