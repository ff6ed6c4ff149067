// SPDX-License-Identifier: MIT
#pragma once

#include "clioptions.h"
#include "clock.h"
#include "methods.h"
#include "socketclient.h"
#include "terminal.h"

#include <QJsonObject>
#include <QString>

#include <functional>
#include <optional>

namespace kv {

/// What a command works with: the command line, the streams and the daemon, which is connected to when first
/// asked. The one place of the program that waits: each function runs an event loop until the daemon
/// answered.
class CommandContext final {
public:
    using NotificationHandler = std::function<void(const QString &method, const QJsonObject &params)>;

    CommandContext(const CliOptions &options, const Terminal &terminal, const Clock &clock);

    [[nodiscard]] const CliOptions &options() const { return m_options; }
    [[nodiscard]] const Terminal &terminal() const { return m_terminal; }
    [[nodiscard]] qint64 nowWallMs() const { return m_clock.now().wallMs; }

    static constexpr int c_documentMs = 15'000;
    enum class Patience {
        Document, ///< answered at once, or something is wrong: c_documentMs
        Operation, ///< may wait for a slot or a slow disk: no limit
    };
    /// Asks and waits. Whatever failed was printed; then nullopt, and exitCode() says with which code to end.
    std::optional<QJsonObject> ask(ApiMethod method, const QJsonObject &params, Patience patience);
    [[nodiscard]] int exitCode() const { return m_exitCode; }
    /// Likewise, but prints nothing: for what may be missing. The error's message is a sentence for people.
    Result<QJsonObject> tryAsk(ApiMethod method, const QJsonObject &params, int deadlineMs);

    /// Handles notifications that come while ask() or waitForEnd() run. `doctor.check` only of the running
    /// call.
    void onNotification(const NotificationHandler &handler) { m_handler = handler; }
    /// Until the connection is lost, which was printed, or stop() is called.
    int waitForEnd();
    void stop();

    /// --json: the document as it came.
    void printJson(const QJsonObject &document) const;
    /// An error of this program; gives exitcode::usage.
    [[nodiscard]] int usageError(const QString &sentence) const;
    /// ask(), then --json or `print`.
    int show(ApiMethod method, const QJsonObject &params, Patience patience,
        const std::function<void(const QJsonObject &)> &print);

private:
    /// Empty: connected; else why not.
    QString connectToDaemon();
    CallResult call(ApiMethod method, const QJsonObject &params, int deadlineMs);
    void report(const CallResult &result);
    void reportNoDaemon(const QString &sentence);
    void printError(const QString &code, const QString &sentence, const QJsonObject &data) const;

    const CliOptions &m_options;
    const Terminal &m_terminal;
    const Clock &m_clock;
    int m_exitCode = 0;
    QString m_connectTrouble;
    NotificationHandler m_handler;
    std::function<void()> m_stop;
    std::optional<SocketClient> m_client;
};

/// `session`, `provider`, `model`, `server` of the command line as parameters.
QJsonObject sessionParams(const CliOptions &options);

} // namespace kv
