// SPDX-License-Identifier: MIT
#pragma once

#include "callresult.h"
#include "lineframer.h"

#include <QLocalSocket>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>

namespace kv {

/// A connection to the daemon. Lives in one thread, never blocks, and emits nothing and calls nobody before
/// the function that caused it has returned. Slots and callbacks may delete it; deleting it drops its calls
/// unanswered.
class SocketClient final : public QObject {
    Q_OBJECT

public:
    struct Options {
        QString path;
        QString name; ///< sent in `hello`
        QString version;
        bool pins = false; ///< see `hello`
        int connectMs = 3000; ///< for connecting and `hello` together
        bool reconnect = false; ///< after every failure and loss, with growing pauses
        int firstPauseMs = 200; ///< doubled each time up to maxPauseMs; starts anew after a success
        int maxPauseMs = 10'000;
        qsizetype maxUnsentBytes = qsizetype { 4 }
            << 20; ///< beyond it calls are NotSent: the daemon does not read
        qsizetype maxLine = c_maxAnswerLine;
    };
    using Callback = std::function<void(const CallResult &)>;
    using CallId = quint64;

    explicit SocketClient(const Options &options, QObject *parent = nullptr);
    ~SocketClient() override;
    Q_DISABLE_COPY_MOVE(SocketClient)

    /// Connects and says `hello`; ends in connected() or failed(). Does nothing while open.
    void open();
    /// Ends the connection and all attempts. Open calls are answered Closed; disconnected() if it was
    /// connected.
    void close();
    [[nodiscard]] bool isConnected() const { return m_state == State::Connected; }
    [[nodiscard]] const QJsonObject &hello() const
    {
        return m_hello;
    } ///< the daemon's answer, of the last connection

    /// `callback` is called exactly once, unless `context` or the client is deleted before. `deadlineMs` ≤ 0:
    /// no deadline. Returns the id the request has on the wire, as kv.cancel and doctor.check name it.
    CallId call(const QString &method, const QJsonObject &params, int deadlineMs, QObject *context,
        Callback callback);
    /// Asks the daemon to end a call, which is then answered KV_CANCELLED.
    void cancel(CallId id);
    /// False: not sent.
    bool notify(const QString &method, const QJsonObject &params);

    [[nodiscard]] qsizetype openCalls() const { return static_cast<qsizetype>(m_pending.size()); }
    [[nodiscard]] quint64 strayAnswers() const { return m_strayAnswers; } ///< late, or to nothing we asked

Q_SIGNALS:
    void connected();
    /// The connection was lost or closed; `reason` is a sentence.
    void disconnected(const QString &reason);
    /// An attempt to connect came to nothing; with `reconnect` the next one follows.
    void failed(const QString &reason);
    void notification(const QString &method, const QJsonObject &params);

private:
    enum class State { Closed, Pausing, Connecting, Greeting, Connected };
    struct Pending {
        QPointer<QObject> context;
        Callback callback;
        std::unique_ptr<QTimer> deadline;
    };

    void connectNow();
    void greet();
    void onGreeted(const CallResult &result);
    void read();
    void take(const QByteArray &line);
    void takeAnswer(const RpcAnswer &answer);
    void onSocketError(QLocalSocket::LocalSocketError error);
    void drop(const QString &reason);
    void releaseSocket();
    void finish(CallId id, const CallResult &result);
    void finishLater(CallId id, CallResult::Status status, const QString &sentence);
    CallId enqueue(QObject *context, Callback callback);
    QString trySend(const QByteArray &line);
    CallId send(const QString &method, const QJsonObject &params, int deadlineMs, QObject *context,
        Callback callback);

    Options m_options;
    State m_state = State::Closed;
    QLocalSocket *m_socket = nullptr; ///< a new one for each attempt, so that nothing of the old one is heard
    LineFramer m_framer;
    QTimer m_connectTimer; ///< starts the next attempt
    QTimer m_connectDeadline;
    int m_pauseMs = 0;
    QJsonObject m_hello;
    QString m_complaint; ///< error of the daemon that belongs to no call: why it will close
    std::map<CallId, Pending> m_pending;
    CallId m_lastId = 0; ///< never reused, so an answer from before a reconnect fits nothing
    quint64 m_strayAnswers = 0;
};

} // namespace kv
