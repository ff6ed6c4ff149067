// SPDX-License-Identifier: MIT
#pragma once

#include "effect.h"
#include "event.h"
#include "result.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QObject>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace kv {

/// The answer to request.begin, whatever server it went to (or none: Outcome::Unmanaged).
struct BeginAnswer {
    Grant grant;
    bool managed = false;
    QString server; ///< empty when unmanaged
};
struct BeginFailure {
    Error error;
    bool strict = false;
};

/// Which session and servers a kv.* call is about. `session` is what the user typed: a full id or a hash
/// prefix.
struct SessionCall {
    ConnectionId connection = 0;
    QString session;
    QString provider;
    QString model;
    QString server;
};

struct ListCall {
    QString filter; ///< part of label, session hash, model, provider or server, any case; "state:valid" and
                    ///< the like
    QString sort; ///< a row's field name; empty: updatedAt
    bool desc = true;
    int offset = 0;
    int limit = 100;
    QString kind; ///< "session" or "base"; empty: both
};

struct HistoryCall {
    QString session; ///< either this
    QString server; ///< or this
    qint64 fromWallMs = 0;
    qint64 toWallMs = 0;
    qint64 bucketMs = 0; ///< 0: chosen so that there are at most 200 buckets
};

/// A lease, or a begin that still waits for one.
struct LeaseView {
    LeaseId lease = 0; ///< 0: it is awaited
    ConnectionId connection = 0;
    QString session;
    std::optional<Transport> transport;
    bool auxiliary = false; ///< not the session's conversation
};

/// What a client told of itself.
struct ClientNote {
    QString name; ///< empty: nothing
    QString version;
    bool pins = false; ///< it sends `id_slot`
};

/// What the daemon can do, as values: the local API and the proxy are its callers. Lives in the daemon's one
/// logic thread. Every call that takes a Reply calls it exactly once, either before it returns (a resident
/// begin does) or later from the event loop; never after closeConnection() of the connection that asked.
class Service : public QObject {
    Q_OBJECT

public:
    template <typename T> using Reply = std::function<void(Result<T>)>;
    using BeginReply = std::function<void(std::variant<BeginAnswer, BeginFailure>)>;
    /// Documents are as PROTOCOL.md describes them.
    using Document = QJsonObject;

    explicit Service(QObject *parent = nullptr);
    ~Service() override;
    Q_DISABLE_COPY_MOVE(Service)

    // Connections: leases and waiting calls belong to one.
    virtual ConnectionId openConnection() = 0;
    virtual void closeConnection(ConnectionId connection)
        = 0; ///< ends its leases as aborted, drops what waits
    /// A running call of this connection is no longer wanted. False: there is none.
    virtual bool cancel(ConnectionId connection, RequestId request) = 0;

    /// Who a connection says that it is (`hello`).
    virtual void noteClient(ConnectionId connection, const ClientNote &note) = 0;

    /// Providers that are routed to a server, and names of optional features.
    [[nodiscard]] virtual QStringList providers() const = 0;
    [[nodiscard]] virtual QStringList features() const = 0;

    // The request path. `request.request` is filled in here and returned, for cancel().
    virtual RequestId begin(BeginRequest request, BeginReply reply) = 0;
    virtual void end(EndRequest request, Reply<EndAnswer> reply) = 0;
    virtual void hint(SessionHint hint) = 0;
    /// All that are held or awaited on a server, in no order.
    [[nodiscard]] virtual std::vector<LeaseView> leases(const QString &server) const = 0;
    /// The session's prompt does not begin with its last one any more: `change` says where ("turn 14: message
    /// 3 of 20 changed"). Empty: it does. Shown in status, and told as an event.
    virtual void notePrefix(const QString &server, const QString &session, const QString &change) = 0;
    /// After a restore, before the prompt is processed: so many of its tokens need no processing. An event;
    /// the verdict itself is made of what end() tells.
    virtual void noteReuse(const QString &server, const QString &session, qint64 cached, qint64 total) = 0;

    // By hand. The RequestId is for cancel().
    virtual RequestId save(const SessionCall &call, Reply<ManualAnswer> reply) = 0;
    virtual RequestId restore(const SessionCall &call, Reply<ManualAnswer> reply) = 0;
    virtual RequestId invalidate(const SessionCall &call, const QString &reason, Reply<ManualAnswer> reply)
        = 0;
    virtual RequestId purge(const SessionCall &call, Reply<ManualAnswer> reply) = 0;
    virtual RequestId pin(const SessionCall &call, bool pinned, Reply<ManualAnswer> reply) = 0;
    virtual RequestId erase(
        ConnectionId connection, const QString &server, const SlotKey &slot, Reply<ManualAnswer> reply)
        = 0;
    virtual RequestId flush(ConnectionId connection, Reply<ManualAnswer> reply) = 0;

    // Documents.
    [[nodiscard]] virtual Document status() const = 0;
    [[nodiscard]] virtual Result<Document> list(const ListCall &call) const = 0;
    [[nodiscard]] virtual Result<Document> get(const SessionCall &call) const = 0;
    [[nodiscard]] virtual Result<Document> history(const HistoryCall &call) const = 0;
    [[nodiscard]] virtual QString metricsText() const = 0;
    virtual void discover(Reply<Document> reply) = 0;
    /// `check` is called for each check as it is done: {name, result, message, remedy?}.
    virtual RequestId doctor(ConnectionId connection, const QJsonObject &params,
        std::function<void(QJsonObject)> check, Reply<Document> reply)
        = 0;
    virtual Result<Document> gc(bool dryRun) = 0;

    // Steering.
    virtual Result<Document> pause(const QString &server, qint64 forMs)
        = 0; ///< empty server: all; −1: until resumed
    virtual Result<Document> resume(const QString &server) = 0;
    virtual Result<Document> reload() = 0; ///< the configuration, whole or not at all
    virtual Result<Document> config(const QString &action, const QString &yaml, const QString &ifHash) = 0;

    /// Whether anybody wants the events of single requests (those that are logged at debug level only):
    /// making them would be the larger part of a resident request's cost. True until somebody says otherwise.
    void setEventsWanted(bool wanted) { m_eventsWanted = wanted; }
    [[nodiscard]] bool eventsWanted() const { return m_eventsWanted; }

Q_SIGNALS:
    /// Something happened; `event` is the body of an `event` notification but for `seq`.
    void eventEmitted(const QJsonObject &event);

private:
    bool m_eventsWanted = true;
};

} // namespace kv
