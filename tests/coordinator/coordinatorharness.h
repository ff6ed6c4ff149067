// SPDX-License-Identifier: MIT
#pragma once

#include "coordinator.h"
#include "modelserver.h"

#include <QString>
#include <QStringList>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace kv::test {

/// Owns a Coordinator, a fake clock, a model server and a model database, and carries effects out as the
/// shell does. Operations and writes are answered at once unless their kind is held. After every event the
/// rules that always hold are checked; what breaks one is in violations().
class CoordinatorHarness final {
public:
    using Tweak = std::function<void(BeginRequest &)>;

    explicit CoordinatorHarness(
        Policy policy = defaultPolicy(), int slotCount = 1, InitialState initial = {});
    static Policy defaultPolicy();
    static Policy managedPolicy();

    // Requests. Sessions are named by short words.
    RequestId begin(QStringView session, const Tweak &tweak = {});
    RequestId auxiliary(QStringView session, const Tweak &tweak = {}); ///< purpose "title"
    /// Ends the request's lease. `tokens`: what the slot holds then; −1: the usage is not told.
    RequestId end(RequestId begun, EndOutcome outcome = EndOutcome::Ok, qint64 tokens = -1,
        std::optional<bool> more = false, qint64 cached = -1);
    /// begin, grant, inference and end of one request; the slot then holds `tokens`. The grant's outcome.
    QString turn(
        QStringView session, qint64 tokens, std::optional<bool> more = false, const Tweak &tweak = {});
    RequestId manual(ManualRequest::Kind kind, QStringView session = {}, int slot = 0);
    void hint(QStringView session, HintType type);
    void clientGone(ConnectionId connection);
    void shutdown(qint64 withinMs = 5000);
    void send(const Event &event); ///< anything else

    // Time. The watcher sees the server every 2 s while a slot has an owner, unless it is switched off.
    void advance(qint64 ms);
    void observe(); ///< the watcher's answer, now
    [[nodiscard]] Instant now() const { return m_now; }
    void setWall(qint64 ms) { m_now.wallMs = ms; }
    bool watching = true;
    bool tracing = false; ///< prints what happens, to find out why a walk failed

    // The server's manners.
    void hold(OpKind kind) { m_held.insert(kind); }
    void unhold(OpKind kind); ///< no longer; what waits is answered
    void restart(); ///< another server process, not yet seen by the watcher
    void arriveInNewProcess(); ///< what is on its way to the server gets to the process that runs now
    bool answer(OpKind kind); ///< executes and answers the first that waits; false: none waits
    bool reply(OpKind kind, OpFailure failure); ///< not executed, failed
    bool loseReply(OpKind kind); ///< executed, but the connection broke
    [[nodiscard]] int pending(OpKind kind) const;
    [[nodiscard]] std::vector<Op> pendingOps() const;
    bool answerOp(OpId id); ///< executes and answers that one
    bool failOp(OpId id, OpFailure failure, bool executed);
    void failNext(OpKind kind, OpFailure failure, int times = 1);
    std::function<void(const Op &, OpReply &)> tamper; ///< sees every answer before the coordinator does
    /// Told of every event after it was handled, before its effects are carried out.
    std::function<void(const Event &, Instant, const Effects &)> witness;

    // The database's manners.
    bool holdStore = false;
    bool sawAnswers = false; ///< ends of aborted requests tell when their first chunk came
    int failStores = 0; ///< so many of the next writes fail
    bool answerStore(bool ok = true); ///< the oldest write that waits

    // What came out.
    QString takeOps(); ///< "look save identity", in order, since the last call
    [[nodiscard]] int storeCount() const { return m_storeCount; } ///< of all kinds
    [[nodiscard]] bool granted(RequestId request) const { return m_grants.contains(request); }
    [[nodiscard]] Grant grantOf(RequestId request) const;
    [[nodiscard]] QString outcomeOf(RequestId request) const; ///< of its grant; "waits" or "refused" else
    [[nodiscard]] bool refused(RequestId request) const { return m_refusals.contains(request); }
    [[nodiscard]] Refuse refusalOf(RequestId request) const;
    [[nodiscard]] bool answered(RequestId request) const { return m_answers.contains(request); }
    [[nodiscard]] std::optional<ManualAnswer> manualAnswer(RequestId request) const;
    [[nodiscard]] std::optional<EndAnswer> endAnswer(RequestId request) const;
    [[nodiscard]] QString errorOf(RequestId request) const; ///< the error code's name; empty: no error
    [[nodiscard]] int answersTo(RequestId request) const; ///< of all kinds
    [[nodiscard]] QStringList notices(QStringView name) const; ///< reasons, one an event of that name
    [[nodiscard]] bool shutdownDone() const { return m_shutdownDone; }
    [[nodiscard]] qint64 wakeMs() const { return m_wakeMs; }
    [[nodiscard]] const Slot &slot(int id = 0) const;
    [[nodiscard]] QString owner(int id = 0) const;
    [[nodiscard]] QString state(int id = 0) const { return toString(stateOf(slot(id))); }
    [[nodiscard]] const Snapshot *row(QStringView session) const; ///< the newest in memory
    [[nodiscard]] const std::vector<Snapshot> &database() const { return m_rows; }
    [[nodiscard]] std::vector<RequestId> unanswered() const;
    [[nodiscard]] QString describe(RequestId request) const;
    [[nodiscard]] std::vector<RequestId> waitingBegins() const;
    [[nodiscard]] std::vector<RequestId> liveBegins() const; ///< granted and not ended
    [[nodiscard]] const BeginRequest &begun(RequestId request) const { return m_begun.at(request); }
    [[nodiscard]] QStringList violations() const { return m_violations; }
    [[nodiscard]] quint64 digest() const { return m_digest; } ///< over all effects so far

    std::unique_ptr<Coordinator> coordinator;
    ModelServer server;
    ConnectionId connection = 1; ///< that the next requests come from

private:
    struct PendingOp {
        Op op;
        QString boot; ///< the process it was sent to
    };

    void handle(const Event &event);
    void take(const Effect &effect);
    void takeOp(const Op &op);
    void takeGrant(const Grant &grant);
    [[nodiscard]] SlotKey heldBy(LeaseId lease, const Grant &grant) const; ///< id −1: none
    void settle();
    void deliver(std::size_t index, const OpReply &reply);
    void execute(std::size_t index);
    void applyStore(const StoreCommand &command);
    void answerOnce(RequestId request);
    void checkAlways();
    void checkRow(const Snapshot &row);
    void violation(const QString &text);
    void trace(const QString &text) const;
    void digestText(const QString &text);
    [[nodiscard]] std::optional<std::size_t> firstPending(OpKind kind) const;

    Instant m_now { 1'000'000, 1'700'000'000'000 };
    qint64 m_wakeMs = -1;
    qint64 m_nextWatchMs = 0;
    RequestId m_nextRequest = 1;
    std::vector<PendingOp> m_pending;
    std::deque<StoreCommand> m_stores;
    std::vector<Snapshot> m_rows;
    std::set<OpKind> m_held;
    std::map<OpKind, std::deque<OpFailure>> m_failures;
    std::map<RequestId, Grant> m_grants;
    std::map<RequestId, Refuse> m_refusals;
    std::map<RequestId, Answer> m_answers;
    std::map<RequestId, int> m_answerCounts;
    std::map<RequestId, BeginRequest> m_begun;
    std::set<RequestId> m_asked;
    std::map<RequestId, QString> m_manuals;
    std::map<RequestId, ConnectionId> m_manualConnections;
    std::map<LeaseId, Grant> m_live; // leases as a client sees them
    std::map<int, bool> m_seenIdle; // slot → the last look showed it idle and nobody was granted since
    QStringList m_ops;
    std::vector<Notice> m_notices;
    QStringList m_violations;
    quint64 m_digest = 14695981039346656037ULL;
    int m_storeCount = 0;
    bool m_shutdownDone = false;
    bool m_settling = false;
    bool m_wasOpen = false; // the breaker, before the present event
};

} // namespace kv::test
