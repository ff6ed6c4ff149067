// SPDX-License-Identifier: MIT
#pragma once

#include "conversation.h"
#include "realdaemon.h"
#include "realllamaserver.h"
#include "recordingproxy.h"
#include "rpcclient.h"

#include <QByteArray>
#include <QTemporaryDir>

#include <memory>

namespace kv::test {

struct StageOptions {
    QString model = QStringLiteral("tiny-dense");
    QStringList serverFlags = plainServer();
    QByteArray serverConfig; ///< more lines of the server's block, each indented by four spaces
    QString slotFolder; ///< empty: one of the stage's own
    bool direct
        = false; ///< no proxy before the server: its process and model file can be found, and no record
    QByteArray providers; ///< more lines of the providers' block, each indented by two spaces
    bool pins = false; ///< its requests name the slot that they were granted
    QByteArray config; ///< more top-level lines, after the defaults of the stage

    /// One slot, no host prompt cache: what is warm is warm by kv-persist alone.
    static QStringList plainServer();
};

/// One request from begin to end.
struct Turn {
    RpcReply begin;
    Completion answer;
    RpcReply end;

    [[nodiscard]] QString outcome() const { return begin.result[QStringLiteral("outcome")].toString(); }
};

/// A llama-server, a recording proxy before it, the daemon configured for the proxy, and one client.
/// Completions go to the server directly, so the proxy's record holds the daemon's calls alone.
class Stage final {
public:
    explicit Stage(StageOptions options = {});
    ~Stage() = default;
    Q_DISABLE_COPY_MOVE(Stage)

    /// Everything up, the backend seen healthy, and the record empty. False: see log().
    bool start();
    bool waitHealthy();
    bool connectClient();
    /// The server's process ends, or comes back, for the daemon too.
    void stopServer();
    bool startServer();
    /// Waits until status shows that no session owns the slot.
    bool waitUnowned();
    /// Waits until the record holds that many slot actions.
    bool waitActions(int count, int timeoutMs = 20000);

    static QJsonObject beginParams(const QString &session, const QJsonObject &more = {});
    RpcReply begin(const QString &session, const QJsonObject &more = {});
    RpcReply end(const RpcReply &begun, const Completion &answer, const QJsonObject &more = {});
    /// begin, completion, end with usage and more:false; the record is emptied before.
    Turn turn(Conversation &conversation, const QJsonObject &moreBegin = {});
    [[nodiscard]] int pinOf(const RpcReply &begun) const; ///< −1: the request names no slot
    RpcReply hint(const QString &session, const QString &type);

    QJsonObject status();
    QJsonObject slot(); ///< the first slot as status shows it
    qint64 stat(const QString &name); ///< one number of status' stats

    /// What a server that never switched answers to the conversation's last prompt, having seen all its
    /// prompts.
    QList<int> warmReference(const Conversation &conversation);
    /// What a server answers to the conversation's last prompt having seen nothing before.
    QList<int> coldReference(const Conversation &conversation);

    [[nodiscard]] QStringList snapshotFiles() const; ///< names and sizes and times, sorted
    void removeSnapshotFiles() const;
    [[nodiscard]] QString slotFolder() const
    {
        return m_options.slotFolder.isEmpty() ? m_slotFolder.path() : m_options.slotFolder;
    }
    /// For failure messages: the record, the daemon's log.
    [[nodiscard]] QString log() const;

    RealLlamaServer &server() { return m_server; }
    RecordingProxy &proxy() { return m_proxy; }
    RealDaemon &daemon() { return m_daemon; }
    RpcClient &client() { return *m_client; }

private:
    RealLlamaServer &reference();

    StageOptions m_options;
    QTemporaryDir m_slotFolder;
    RealLlamaServer m_server;
    RecordingProxy m_proxy;
    RealDaemon m_daemon;
    std::unique_ptr<RpcClient> m_client;
    std::unique_ptr<RealLlamaServer> m_reference;
};

} // namespace kv::test
