// SPDX-License-Identifier: MIT
#pragma once

#include "jsonrpc.h"
#include "lineframer.h"

#include <QHash>
#include <QJsonObject>
#include <QLocalServer>
#include <QLocalSocket>
#include <QObject>
#include <QTemporaryDir>

#include <functional>

/// Something that listens like the daemon and behaves as the test says: well, badly, or not at all.
class FakeDaemon final : public QObject {
    Q_OBJECT

public:
    /// Answers one request on its connection; `request` is the whole message.
    using Handler = std::function<void(QLocalSocket *socket, const QJsonObject &request)>;

    FakeDaemon();
    ~FakeDaemon() override;
    Q_DISABLE_COPY_MOVE(FakeDaemon)

    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("api.sock")); }
    void start();
    void stop(); ///< ends all connections and the listening
    void dropConnections();
    [[nodiscard]] qsizetype connections() const { return m_sockets.size(); }

    void on(const QString &method, const Handler &handler) { m_handlers.insert(method, handler); }
    void answer(const QString &method, const QJsonObject &result);
    void refuse(
        const QString &method, kv::ErrorCode code, const QString &message, const QJsonObject &extra = {});
    void ignore(const QString &method);
    void broadcast(const QByteArray &bytes);

    /// All messages but `hello`, in the order of their coming.
    [[nodiscard]] const QList<QJsonObject> &requests() const { return m_requests; }
    [[nodiscard]] QJsonObject lastParams(const QString &method) const;
    [[nodiscard]] qsizetype count(const QString &method) const;

private:
    void accept();
    void serve(QLocalSocket *socket, const QByteArray &line);

    QTemporaryDir m_folder;
    QLocalServer m_server;
    QList<QLocalSocket *> m_sockets;
    QHash<QString, Handler> m_handlers;
    QList<QJsonObject> m_requests;
};
