// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrlQuery>

#include <functional>
#include <memory>

namespace kv::test {

QByteArray compactJson(const QJsonObject &object);

struct FakeHttpRequest {
    QByteArray method;
    QString path;
    QUrlQuery query;
    QHash<QByteArray, QByteArray> headers; ///< names in lower case
    QByteArray body;
};

/// One request and the place for its answer.
class FakeExchange final {
public:
    FakeExchange(FakeHttpRequest request, QTcpSocket *socket, quint64 connection);

    FakeHttpRequest request;
    quint64 connection = 0; ///< never 0; unique per client connection

    void respond(int status, const QByteArray &body, const QList<QByteArray> &headers = {});
    void respondRaw(const QByteArray &bytes); ///< whatever bytes, then closes
    void drop(); ///< closes without an answer

private:
    QPointer<QTcpSocket> m_socket;
};
using FakeExchangePtr = std::shared_ptr<FakeExchange>;

/// A small HTTP/1.1 server on a loopback port that the system chooses and that it keeps over restarts.
class FakeHttp final : public QObject {
    Q_OBJECT

public:
    explicit FakeHttp(QObject *parent = nullptr);
    ~FakeHttp() override;
    Q_DISABLE_COPY_MOVE(FakeHttp)

    bool listen();
    void close(); ///< nobody listens any more; every connection is cut
    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] int connectionsSeen() const { return static_cast<int>(m_connections); }

    std::function<void(const FakeExchangePtr &)> handler;
    std::function<void(quint64 connection)> closedByClient;

private:
    void accept();
    void read(QTcpSocket *socket, quint64 connection);

    QTcpServer m_server;
    QHash<QTcpSocket *, QByteArray> m_buffers;
    quint64 m_connections = 0;
    quint16 m_port = 0;
};

} // namespace kv::test
