// SPDX-License-Identifier: MIT
#pragma once

#include "caller.h"
#include "handlers.h"
#include "jsonrpc.h"
#include "lineframer.h"

#include <QLocalSocket>
#include <QObject>
#include <QTimer>

#include <map>

namespace kv {

class EventHub;
class Service;

struct SessionLimits {
    qsizetype lineBytes = c_maxRequestLine;
    std::size_t waiting = 256; ///< calls without an answer yet
    qint64 outputBytes = qint64 { 8 } << 20; ///< unread by the client: past it the connection is dropped
    qint64 eventBytes = qint64 { 1 } << 20; ///< unread by the client: past it events are left out
    int lingerQuietMs
        = 200; ///< after an error that ends the connection: how long the client may stay quiet …
    int lingerTotalMs = 2000; ///< … and how long it lasts at most
};

/// One connection: bytes to frames to handlers, answers back. Every request is answered exactly once, in the
/// same event-loop pass where the service answers at once. Owns its descriptor; deletes itself after
/// finished().
class ClientSession final : public QObject, public Caller {
    Q_OBJECT

public:
    ClientSession(int descriptor, Service &service, const Handlers &handlers, EventHub &hub,
        const SessionLimits &limits, QObject *parent);
    ~ClientSession() override;
    Q_DISABLE_COPY_MOVE(ClientSession)

    [[nodiscard]] ConnectionId connection() const override { return m_connection; }
    [[nodiscard]] bool pins() const override { return m_pins; }
    void setPins(bool pins) override { m_pins = pins; }
    bool cancelCall(const QJsonValue &id) override;
    void subscribe(const QStringList &topics) override;
    [[nodiscard]] std::function<void(QStringView, const QJsonObject &)> notifier() override;

Q_SIGNALS:
    /// Emitted once. The service knows already that the connection is gone.
    void finished();

private:
    enum class State {
        Open,
        Lingering, ///< an error ended the connection: what still comes in is thrown away, so that it can be
                   ///< read
        Closed,
    };
    struct Waiting {
        QJsonValue id;
        bool notification = false;
        RequestId request = 0; ///< for cancelling; 0: cannot be cancelled
    };

    void read();
    void handleLine(const QByteArray &line);
    void call(const RpcRequest &request);
    void answer(quint64 key, const HandlerResult &result);
    void onEvent(const QJsonObject &event);
    void onQuiet();
    void onBytesWritten();
    void send(const QByteArray &line);
    void flush();
    void linger(); ///< the connection ends after what was written last
    void leaveService();
    void close();

    Service &m_service;
    const Handlers &m_handlers;
    EventHub &m_hub;
    SessionLimits m_limits;
    QLocalSocket m_socket;
    LineFramer m_framer;
    QTimer m_quiet;
    QTimer m_lingerEnd;
    ConnectionId m_connection = 0;
    State m_state = State::Open;
    bool m_inService = true;
    bool m_reading = false;
    bool m_pins = false;
    bool m_watchesStatus = false;
    std::map<quint64, Waiting> m_waiting; ///< by a number of our own: clients may use an id twice
    quint64 m_lastKey = 0;
    QJsonValue m_currentId; ///< of the call being made
    QStringList m_topics;

    qint64 m_lost = 0; ///< events left out since the last one sent
};

} // namespace kv
