// SPDX-License-Identifier: MIT
#pragma once

#include "operation.h"
#include "serverendpoint.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QUrlQuery>

#include <vector>

namespace kv {

inline constexpr qint64 c_maxAnswerBytes = 8LL * 1024 * 1024;

struct HttpAnswer {
    /// None: an HTTP answer came whole, whatever its status. ConnectionRefused: nobody listens, nothing was
    /// begun. ConnectionLost: no whole answer, or not in time. ServerError: an answer above c_maxAnswerBytes.
    OpFailure transport = OpFailure::None;
    int status = 0;
    QByteArray body;
    QByteArray processStart; ///< header Process-Start-Time-Unix, where the server sends it
    QString detail; ///< what the network said, for the log
    bool timedOut = false;
    double wallMs = 0;
};

/// One HTTP call. Emits finished() exactly once, never before the event loop was entered again, and then
/// deletes itself; deleting it earlier aborts the call without a signal.
class HttpCall final : public QObject {
    Q_OBJECT

public:
    HttpCall(QNetworkReply *reply, int deadlineMs, QObject *parent);
    ~HttpCall() override;
    Q_DISABLE_COPY_MOVE(HttpCall)

Q_SIGNALS:
    void finished(const kv::HttpAnswer &answer);

private:
    void takeBytes();
    void giveUp();
    void finish();

    QPointer<QNetworkReply> m_reply;
    QTimer m_deadline;
    QElapsedTimer m_clock;
    HttpAnswer m_answer;
    bool m_tooBig = false;
    int m_deadlineMs;
};

/// The calls to one server. Reads share one manager and its kept-alive connections. Operations (POST) have
/// managers of their own, as Qt opens at most six connections to a host per manager and calls that the server
/// lets hang would block the others; each goes out once, on a connection of its own: the body is a sequential
/// device that cannot be rewound, so Qt cannot send it again, and a kept-alive connection that the server has
/// just closed cannot swallow it. No proxy, no redirect, no cookies, HTTP/1.1.
class HttpClient final : public QObject {
    Q_OBJECT

public:
    explicit HttpClient(ServerEndpoint endpoint, QObject *parent = nullptr);
    ~HttpClient() override;
    Q_DISABLE_COPY_MOVE(HttpClient)

    [[nodiscard]] const ServerEndpoint &endpoint() const { return m_endpoint; }
    /// GET with a total deadline. Router mode: adds `model`, and `autoload=0` unless `mayLoad`.
    HttpCall *get(const QString &path, bool mayLoad, int deadlineMs, QObject *owner);
    /// GET that names no model in router mode either.
    HttpCall *getPlain(const QString &path, int deadlineMs, QObject *owner);
    /// `deadlineMs`: −1: that of operations, which are given up only when they are lost. Router mode: never
    /// loads a model.
    HttpCall *post(const QString &path, const QUrlQuery &query, const QByteArray &json, QObject *owner,
        int deadlineMs = -1);

private:
    struct Lane {
        QNetworkAccessManager *manager = nullptr;
        int running = 0;
    };
    [[nodiscard]] QNetworkRequest request(const QString &path, const QUrlQuery &query) const;
    HttpCall *getQuery(const QString &path, const QUrlQuery &query, int deadlineMs, QObject *owner);
    Lane &freeLane();
    void leaveLane(QNetworkAccessManager *manager);

    ServerEndpoint m_endpoint;
    QNetworkAccessManager *m_reads;
    std::vector<Lane> m_lanes;
};

} // namespace kv
