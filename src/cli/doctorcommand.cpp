// SPDX-License-Identifier: MIT
#include "cliformat.h"
#include "clitext.h"
#include "commands.h"
#include "exitcode.h"

#include <QFile>
#include <QJsonArray>

namespace kv {

namespace {

constexpr QStringView c_waitingCheck = u"verify waiting"; ///< the user is to do something meanwhile

/// Prints checks as they come, each server's together under its name.
class CheckPrinter final {
public:
    explicit CheckPrinter(const Terminal &terminal)
        : m_terminal(terminal)
    {
    }

    void print(const QJsonValue &check)
    {
        const QString server = check[u"server"].toString();
        if (m_shown++ == 0 || server != m_server) {
            m_server = server;
            m_terminal.line(server.isEmpty() ? QStringLiteral("kv-persist")
                                             : printable(CliText::tr("Server %1").arg(server)));
        }
        const QString result = check[u"result"].toString();
        m_terminal.line(QStringLiteral("  ")
            + m_terminal.styled(printable(result).leftJustified(8), styleOf(result))
            + printable(
                QStringLiteral("%1: %2").arg(check[u"name"].toString(), check[u"message"].toString())));
        if (const QString remedy = check[u"remedy"].toString(); !remedy.isEmpty()) {
            m_terminal.line(QString(10, u' ') + printable(remedy));
        }
    }
    [[nodiscard]] qsizetype shown() const { return m_shown; }

private:
    const Terminal &m_terminal;
    QString m_server;
    qsizetype m_shown = 0;
};

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
    if (options.restart) {
        params.insert(u"restart", true);
    }
    CheckPrinter printer(context.terminal());
    context.onNotification([&](const QString &method, const QJsonObject &check) {
        if (method == c_doctorNotification && !options.json) {
            printer.print(check);
        } else if (method == c_doctorNotification && check.value(u"name").toString() == c_waitingCheck) {
            context.terminal().error(printable(check.value(u"message").toString())); // else nobody would know
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
    for (qsizetype at = printer.shown(); at < checks.size(); ++at) {
        printer.print(checks.at(at));
    }
    return printVerdict(context.terminal(), result);
}

} // namespace kv
