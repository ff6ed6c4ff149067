// SPDX-License-Identifier: MIT
#include "cliformat.h"
#include "clitext.h"
#include "commands.h"
#include "defaultconfig.h"
#include "exitcode.h"
#include "paths.h"

#include <QFile>
#include <QJsonArray>
#include <QProcessEnvironment>

namespace kv {

namespace {

using Patience = CommandContext::Patience;
constexpr qint64 c_maxConfigBytes = 900'000;

QString namesText(const QJsonValue &list)
{
    QStringList names;
    const QJsonArray items = list.toArray();
    for (const QJsonValue &item : items) {
        names.append(printable(item.toString()));
    }
    return names.join(QStringLiteral(", "));
}

void printChanges(const Terminal &terminal, const QJsonObject &result)
{
    const QString changed = namesText(result.value(u"changed"));
    terminal.line(
        changed.isEmpty() ? CliText::tr("Nothing changed.") : CliText::tr("Changed: %1.").arg(changed));
    if (const QString later = namesText(result.value(u"restartNeeded")); !later.isEmpty()) {
        terminal.line(CliText::tr("Acts only after a restart of the daemon: %1.").arg(later));
    }
}

/// The text of the file that the command line names; printed and nullopt when it cannot be read.
std::optional<QString> configText(CommandContext &context)
{
    const QString path = context.options().file;
    if (path == u"-") {
        return context.terminal().in.readAll();
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        (void)context.usageError(CliText::tr("%1 cannot be read: %2.").arg(path, file.errorString()));
        return std::nullopt;
    }
    if (file.size() > c_maxConfigBytes) {
        (void)context.usageError(CliText::tr("%1 is too large to be a configuration.").arg(path));
        return std::nullopt;
    }
    return QString::fromUtf8(file.readAll());
}

QJsonObject configParams(const QString &action) { return { { QStringLiteral("action"), action } }; }

} // namespace

int runPause(CommandContext &context)
{
    const CliOptions &options = context.options();
    QJsonObject params;
    if (!options.server.isEmpty()) {
        params.insert(u"server", options.server);
    }
    if (!options.duration.isEmpty()) {
        const auto forMs = parseDuration(options.duration);
        if (!forMs || *forMs <= 0) {
            return context.usageError(CliText::tr("--for wants a length such as 90s, 10min or 2h."));
        }
        params.insert(u"forMs", *forMs);
    }
    return context.show(ApiMethod::Pause, params, Patience::Document, [&](const QJsonObject &result) {
        const QString names = namesText(result.value(u"servers"));
        const QString until = localTimeText(result.value(u"until"));
        context.terminal().line(CliText::tr("Paused%1 until %2. Requests go on without saving and restoring.")
                                    .arg(names.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(names),
                                        until.isEmpty() ? CliText::tr("\"kv-persist resume\"") : until));
    });
}

int runResume(CommandContext &context)
{
    QJsonObject params;
    if (!context.options().server.isEmpty()) {
        params.insert(u"server", context.options().server);
    }
    return context.show(ApiMethod::Resume, params, Patience::Document, [&](const QJsonObject &result) {
        const QString names = namesText(result.value(u"servers"));
        context.terminal().line(
            names.isEmpty() ? CliText::tr("Nothing was paused.") : CliText::tr("Resumed: %1.").arg(names));
    });
}

int runReload(CommandContext &context)
{
    return context.show(ApiMethod::Reload, {}, Patience::Document,
        [&](const QJsonObject &result) { printChanges(context.terminal(), result); });
}

int runConfigGet(CommandContext &context)
{
    const auto print = [&](const QJsonObject &result) {
        if (!result.value(u"exists").toBool(true)) {
            context.terminal().error(CliText::tr("There is no file %1; the defaults are in force. "
                                                 "\"kv-persist config default\" prints them.")
                                         .arg(printable(result.value(u"path").toString())));
            return;
        }
        context.terminal().out << result.value(u"yaml").toString();
        context.terminal().out.flush();
    };
    return context.show(ApiMethod::Config, configParams(QStringLiteral("get")), Patience::Document, print);
}

int runConfigValidate(CommandContext &context)
{
    const auto yaml = configText(context);
    if (!yaml) {
        return exitcode::usage;
    }
    QJsonObject params = configParams(QStringLiteral("validate"));
    params.insert(u"yaml", *yaml);
    const auto result = context.ask(ApiMethod::Config, params, Patience::Document);
    if (!result) {
        return context.exitCode();
    }
    const bool valid = result->value(u"valid").toBool();
    if (context.options().json) {
        context.printJson(*result);
        return valid ? exitcode::ok : exitcode::refused;
    }
    const QString file = context.options().file;
    const QJsonArray errors = result->value(u"errors").toArray();
    for (const QJsonValue &error : errors) {
        const int line = error[u"line"].toInt();
        const QString where = line > 0 ? QStringLiteral("%1:%2: ").arg(file).arg(line) : QString();
        context.terminal().error(where + printable(error[u"message"].toString()));
    }
    if (valid) {
        context.terminal().line(CliText::tr("%1 can be used.").arg(file));
    }
    return valid ? exitcode::ok : exitcode::refused;
}

int runConfigSet(CommandContext &context)
{
    const auto yaml = configText(context);
    if (!yaml) {
        return exitcode::usage;
    }
    QJsonObject params = configParams(QStringLiteral("set"));
    params.insert(u"yaml", *yaml);
    if (!context.options().ifHash.isEmpty()) {
        params.insert(u"ifHash", context.options().ifHash);
    }
    return context.show(ApiMethod::Config, params, Patience::Document, [&](const QJsonObject &result) {
        context.terminal().line(
            CliText::tr("Written to %1.").arg(printable(result.value(u"path").toString())));
        printChanges(context.terminal(), result);
    });
}

int runConfigPath(CommandContext &context)
{
    return context.show(ApiMethod::Config, configParams(QStringLiteral("get")), Patience::Document,
        [&](const QJsonObject &result) {
            context.terminal().line(printable(result.value(u"path").toString()));
        });
}

int runConfigDefault(CommandContext &context)
{
    context.terminal().out << explainedConfigText();
    context.terminal().out.flush();
    return exitcode::ok;
}

} // namespace kv
