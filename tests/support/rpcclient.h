// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QList>
#include <QLocalSocket>
#include <QMap>
#include <QString>

namespace kv::test {

/// One answer of the local API.
struct RpcReply {
    bool answered = false; ///< false: no answer came in time
    QJsonObject result;
    QJsonObject error;

    [[nodiscard]] bool ok() const { return answered && error.isEmpty(); }
    [[nodiscard]] QString code() const; ///< the error's data.code
    [[nodiscard]] QString text() const; ///< all of it as JSON, for failure messages
};

/// A small JSON-RPC client for tests: bytes on the wire are as plain as a client author would write them, and
/// nothing of the project's own protocol code is used. Waiting runs the event loop.
class RpcClient final {
public:
    RpcClient();
    ~RpcClient() = default;
    Q_DISABLE_COPY_MOVE(RpcClient)

    bool connectTo(const QString &socketPath, int timeoutMs = 10000);
    /// Begins to connect, unless it does already; without waiting.
    void connectNow(const QString &socketPath);
    void abort() { m_socket.abort(); } ///< as when the client is killed
    [[nodiscard]] bool connected() const { return m_socket.state() == QLocalSocket::ConnectedState; }

    /// Sends a request and returns its id without waiting.
    int send(const QString &method, const QJsonObject &params = {});
    void notify(const QString &method, const QJsonObject &params = {});
    void sendRaw(const QByteArray &bytes);
    RpcReply wait(int id, int timeoutMs = 30000);
    [[nodiscard]] bool hasAnswer(int id) const { return m_answers.contains(id); }
    RpcReply call(const QString &method, const QJsonObject &params = {}, int timeoutMs = 30000);

    /// Messages without an id of ours, in their order: notifications, and errors for lines that had no id.
    [[nodiscard]] const QList<QJsonObject> &others() const { return m_others; }

private:
    void read();

    QLocalSocket m_socket;
    QByteArray m_buffer;
    int m_nextId = 1;
    QMap<int, QJsonObject> m_answers;
    QList<QJsonObject> m_others;
};

} // namespace kv::test
