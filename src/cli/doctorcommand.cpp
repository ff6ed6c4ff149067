// SPDX-License-Identifier: MIT
#include "cliformat.h"
#include "clitext.h"
#include "commands.h"
#include "exitcode.h"

#include <QFile>
#include <QJsonArray>

namespace kv {

namespace {

void printCheck(const Terminal &terminal, const QJsonValue &check)
{
    const QString result = check[u"result"].toString();
    const QString server = check[u"server"].toString();
    const QString name = server.isEmpty() ? check[u"name"].toString()
                                          : QStringLiteral("%1: %2").arg(server, check[u"name"].toString());
    terminal.line(terminal.styled(printable(result).leftJustified(8), styleOf(result))
        + printable(QStringLiteral("%1: %2").arg(name, check[u"message"].toString())));
    if (const QString remedy = check[u"remedy"].toString(); !remedy.isEmpty()) {
        terminal.line(QString(8, u' ') + printable(remedy));
    }
}

int printVerdict(const Terminal &terminal, const QString &result)
{
    if (result == u"ready") {
        terminal.line(CliText::tr("Result: %1").arg(terminal.styled(QStringLiteral("READY"), Style::Good)));
        return exitcode::ok;
    }
    if (result == u"ready-with-warnings") {
        terminal.line(CliText::tr("Result: %1")
                          .arg(terminal.styled(QStringLiteral("READY WITH WARNINGS"), Style::Warning)));
        return exitcode::warnings;
    }
    terminal.line(CliText::tr("Result: %1").arg(terminal.styled(QStringLiteral("NOT READY"), Style::Bad)));
    return exitcode::notReady;
}

int codeOf(const QString &result)
{
    if (result == u"ready") {
        return exitcode::ok;
    }
    return result == u"ready-with-warnings" ? exitcode::warnings : exitcode::notReady;
}

} // namespace

int runDoctor(CommandContext &context)
{
    const CliOptions &options = context.options();
    QJsonObject params;
    if (!options.server.isEmpty()) {
        params.insert(u"server", options.server);
    }
    if (!options.url.isEmpty()) {
        params.insert(u"baseURL", options.url);
    }
    if (options.verify) {
        params.insert(u"verify", true);
    }
    if (!options.apiKeyFile.isEmpty()) {
        // From a file only: a key on the command line is seen by every process of the machine.
        QFile file(options.apiKeyFile);
        if (!file.open(QIODevice::ReadOnly)) {
            return context.usageError(
                CliText::tr("%1 cannot be read: %2.").arg(options.apiKeyFile, file.errorString()));
        }
        params.insert(u"apiKey", QString::fromUtf8(file.read(4096)).trimmed());
    }
    int shown = 0;
    context.onNotification([&](const QString &method, const QJsonObject &check) {
        if (method == c_doctorNotification && !options.json) {
            printCheck(context.terminal(), check);
            ++shown;
        }
    });
    const auto answer = context.ask(ApiMethod::Doctor, params, CommandContext::Patience::Operation);
    context.onNotification({});
    if (!answer) {
        return context.exitCode();
    }
    const QString result = answer->value(u"result").toString();
    if (options.json) {
        context.printJson(*answer);
        return codeOf(result);
    }
    const QJsonArray checks = answer->value(u"checks").toArray();
    for (; shown < checks.size(); ++shown) {
        printCheck(context.terminal(), checks.at(shown));
    }
    return printVerdict(context.terminal(), result);
}

} // namespace kv
