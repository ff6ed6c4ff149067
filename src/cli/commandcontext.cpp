// SPDX-License-Identifier: MIT
#include "commandcontext.h"

#include "clitext.h"
#include "exitcode.h"
#include "paths.h"
#include "table.h"

#include <QEventLoop>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcessEnvironment>

namespace kv {

namespace {

void printCandidates(const Terminal &terminal, const QJsonArray &candidates)
{
    for (const QJsonValue &candidate : candidates) {
        terminal.error(printable(QStringLiteral("  %1  %2  %3")
                                     .arg(candidate[u"hash"].toString().left(12),
                                         candidate[u"server"].toString(), candidate[u"label"].toString())));
    }
}

/// `said`: the sentence printed before; what it says already is not repeated.
void printConfigErrors(const Terminal &terminal, const QJsonArray &errors, const QString &said)
{
    for (const QJsonValue &error : errors) {
        if (said.contains(error[u"message"].toString())) {
            continue;
        }
        const int line = error[u"line"].toInt();
        const QString message = printable(error[u"message"].toString());
        terminal.error(
            line > 0 ? CliText::tr("  line %1: %2").arg(line).arg(message) : QStringLiteral("  ") + message);
    }
}

} // namespace

CommandContext::CommandContext(const CliOptions &options, const Terminal &terminal, const Clock &clock)
    : m_options(options)
    , m_terminal(terminal)
    , m_clock(clock)
{
}

QString CommandContext::connectToDaemon()
{
    if (m_client) {
        return m_client->isConnected() ? QString() : m_connectTrouble;
    }
    SocketClient::Options options;
    options.path = socketPath(m_options.socket, QProcessEnvironment::systemEnvironment()).path;
    options.name = QStringLiteral("kv-persist");
    options.version = QStringLiteral(KV_PERSIST_VERSION);
    m_client.emplace(options);
    SocketClient *const client = &*m_client;
    QObject::connect(client, &SocketClient::notification, client,
        [this](const QString &method, const QJsonObject &params) {
            if (m_handler) {
                m_handler(method, params);
            }
        });
    QEventLoop loop;
    QObject::connect(client, &SocketClient::connected, &loop, &QEventLoop::quit);
    m_connectTrouble = CliText::tr("The daemon is gone.");
    QObject::connect(client, &SocketClient::failed, &loop, [&](const QString &reason) {
        m_connectTrouble = reason;
        loop.quit();
    });
    client->open();
    loop.exec();
    return client->isConnected() ? QString() : m_connectTrouble;
}

std::optional<QJsonObject> CommandContext::ask(ApiMethod method, const QJsonObject &params, Patience patience)
{
    const bool first = !m_client;
    if (const QString trouble = connectToDaemon(); !trouble.isEmpty()) {
        m_exitCode = exitcode::noDaemon;
        if (first) {
            reportNoDaemon(trouble);
        }
        return std::nullopt;
    }
    int deadlineMs = patience == Patience::Document ? c_documentMs : 0;
    if (m_options.timeoutSeconds >= 0) {
        deadlineMs = static_cast<int>(qBound(1.0, m_options.timeoutSeconds * 1000, 2e9));
    }
    const CallResult answer = call(method, params, deadlineMs);
    if (!answer.ok()) {
        report(answer);
        return std::nullopt;
    }
    return answer.result;
}

CallResult CommandContext::call(ApiMethod method, const QJsonObject &params, int deadlineMs)
{
    QEventLoop loop;
    CallResult answer;
    bool answered = false;
    m_client->call(methodName(method), params, deadlineMs, &loop, [&](const CallResult &result) {
        answer = result;
        answered = true;
        loop.quit();
    });
    while (!answered) {
        loop.exec();
    }
    return answer;
}

Result<QJsonObject> CommandContext::tryAsk(ApiMethod method, const QJsonObject &params, int deadlineMs)
{
    if (const QString trouble = connectToDaemon(); !trouble.isEmpty()) {
        return Error { ErrorCode::BackendUnavailable, trouble, {} };
    }
    const CallResult answer = call(method, params, deadlineMs);
    if (!answer.ok()) {
        return answer.error.error;
    }
    return answer.result;
}

void CommandContext::report(const CallResult &result)
{
    const RpcError &error = result.error;
    if (result.status == CallResult::Status::Refused) {
        m_exitCode = exitcode::refused;
        const QString code
            = error.error.detail.isEmpty() ? errorCodeName(error.error.code) : error.error.detail;
        printError(code, error.error.message, error.extra);
        return;
    }
    m_exitCode = exitcode::noDaemon;
    printError(errorCodeName(error.error.code), error.error.message, {});
}

void CommandContext::reportNoDaemon(const QString &sentence)
{
    m_exitCode = exitcode::noDaemon;
    const QString remedy
        = CliText::tr("Start it with \"kv-persistd\", or name the socket of a running one with --socket.");
    printError(errorCodeName(ErrorCode::BackendUnavailable), sentence + u' ' + remedy, {});
}

void CommandContext::printError(const QString &code, const QString &sentence, const QJsonObject &data) const
{
    if (m_options.json) {
        QJsonObject all = data;
        all.insert(u"code", code);
        const QJsonObject error { { QStringLiteral("message"), sentence }, { QStringLiteral("data"), all } };
        m_terminal.error(QString::fromUtf8(QJsonDocument(QJsonObject { { QStringLiteral("error"), error } })
                                               .toJson(QJsonDocument::Compact)));
        return;
    }
    const QStringList lines = sentence.split(u'\n', Qt::SkipEmptyParts);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        m_terminal.error(
            (i == 0 ? QStringLiteral("kv-persist: ") : QStringLiteral("  ")) + printable(lines.at(i)));
    }
    printCandidates(m_terminal, data.value(u"candidates").toArray());
    printConfigErrors(m_terminal, data.value(u"errors").toArray(), sentence);
}

int CommandContext::waitForEnd()
{
    QEventLoop loop;
    m_exitCode = exitcode::ok;
    if (!m_client || !m_client->isConnected()) {
        return exitcode::noDaemon;
    }
    m_stop = [&loop] { loop.quit(); };
    QObject::connect(&*m_client, &SocketClient::disconnected, &loop, [&](const QString &reason) {
        m_exitCode = exitcode::noDaemon;
        printError(errorCodeName(ErrorCode::BackendUnavailable), reason, {});
        loop.quit();
    });
    loop.exec();
    m_stop = nullptr;
    return m_exitCode;
}

void CommandContext::stop()
{
    if (m_stop) {
        m_stop();
    }
}

void CommandContext::printJson(const QJsonObject &document) const
{
    m_terminal.out << QString::fromUtf8(QJsonDocument(document).toJson(QJsonDocument::Indented));
    m_terminal.out.flush();
}

int CommandContext::usageError(const QString &sentence) const
{
    printError(errorCodeName(ErrorCode::BadRequest), sentence, {});
    return exitcode::usage;
}

int CommandContext::show(ApiMethod method, const QJsonObject &params, Patience patience,
    const std::function<void(const QJsonObject &)> &print)
{
    const auto document = ask(method, params, patience);
    if (!document) {
        return exitCode();
    }
    if (m_options.json) {
        printJson(*document);
    } else {
        print(*document);
    }
    return exitcode::ok;
}

QJsonObject sessionParams(const CliOptions &options)
{
    QJsonObject params { { QStringLiteral("session"), options.session } };
    if (!options.provider.isEmpty()) {
        params.insert(u"provider", options.provider);
    }
    if (!options.model.isEmpty()) {
        params.insert(u"model", options.model);
    }
    if (!options.server.isEmpty()) {
        params.insert(u"server", options.server);
    }
    return params;
}

} // namespace kv
