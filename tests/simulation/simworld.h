// SPDX-License-Identifier: MIT
#pragma once

#include "coordinator.h"
#include "simdatabase.h"
#include "simrules.h"
#include "simserver.h"
#include "simtrace.h"

#include <QStringList>

#include <map>
#include <memory>
#include <optional>

namespace kv::sim {

/// One request of one client, kv-persist's or not.
struct Call {
    enum class Kind { Turn, Title, Compaction, Stranger };
    enum class Phase { Waiting, Travelling, InServer, Replied, Over };
    int id = 0;
    Kind kind = Kind::Turn;
    Phase phase = Phase::Waiting;
    BeginRequest begun;
    bool coordinated = true; ///< false: the coordinator does not know of it
    std::optional<Grant> grant; ///< of the present daemon
    int session = c_stranger;
    int family = 0;
    int rung = 0;
    StreamId stream = 0;
    qint64 promptTokens = 0;
    qint64 heldTokens = 0;
    quint64 born = 0; ///< step of its grant
    quint64 task = 0; ///< in the server
    quint64 order = 0; ///< of its grant, among grants and operations
    qint64 cached = -1;
    bool reached = false; ///< the server has begun it
    bool failed = false;

    [[nodiscard]] bool live() const { return phase != Phase::Waiting && phase != Phase::Over; }
    [[nodiscard]] bool managed() const { return grant && grant->outcome != Outcome::Bypass; }
};

/// An operation as the world knows it: where it really is.
struct SentOp {
    Op op;
    quint64 task = 0;
    int incarnation = 0; ///< of the daemon
    int boot = 0; ///< of the server, when it was sent
    bool blind = false; ///< sent to another process than the one that had been looked at
    quint64 order = 0; ///< of sending, among grants and operations
    bool userWaited = false;
    bool identitySeen = false; ///< a look asks who it is first, then for the slots
    Identity identity;
    bool sleeping = false;
    bool arrived = false;
    bool done = false; ///< executed, or it never will be
    bool answered = false; ///< as far as its daemon knows
};

/// Something in the world is not as it should be, on purpose: each rule has one that breaks it.
enum class Sabotage {
    None,
    ModelNotTold, ///< S1
    TitleAsTurn, ///< S2
    NameTwice, ///< S3
    CommitLost, ///< S4
    RowLostOnFailure, ///< S5
    PurgeForgotten, ///< S6
    EarlyAnswers, ///< S7: operations are answered before they are done
    EarlyEnds, ///< S8: ends are told while the request still runs
    GrantLost, ///< S9
    WakesAtWill, ///< S12
    WrongSlot, ///< S13
    WallIsMono, ///< S14
    TwoFaces, ///< S15: one session goes by many names
    EventForgotten, ///< S16
    BaseAsOwn, ///< S17: a session is told that a beginning which it shares is its own state
};

/// What happened: a simulation in which nothing does proves nothing.
struct Tally {
    std::array<qint64, 8> grants {}; ///< by outcome
    qint64 refusals = 0;
    qint64 rows = 0; ///< written
    qint64 deferred = 0; ///< actions that found their slot busy
    qint64 lateAnswers = 0; ///< to operations past their time
    qint64 lostAnswers = 0;
    qint64 crashes = 0;
    qint64 restarts = 0;
    qint64 wakes = 0;

    void add(const Tally &other);
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool complete() const; ///< all of it happened
};

/// The daemon's surroundings: clients, server, database, clocks. Carries effects out as the shell does, one
/// abstract step at a time, and lets the rules look at everything.
class World final : private Witness {
public:
    explicit World(const Setup &setup, Sabotage sabotage = Sabotage::None);
    ~World() override;

    void apply(const Step &step);
    /// Everybody ends, everything is answered, time passes: nobody may be left waiting.
    void comeToRest();

    [[nodiscard]] const Violations &violations() const { return m_rules.violations(); }
    [[nodiscard]] quint64 digest() const { return m_digest; } ///< over all effects, without wall times
    [[nodiscard]] const Tally &tally() const { return m_tally; }
    void narrate() { m_narrating = true; } ///< prints what happens
    void keepWallClock() { m_jumps = false; } ///< its jumps are left out

    // What the rules look at.
    [[nodiscard]] const Coordinator &coordinator() const { return *m_coordinator; }
    [[nodiscard]] const Server &server() const { return m_server; }
    [[nodiscard]] const Database &database() const { return m_database; }
    [[nodiscard]] const Streams &streams() const { return m_streams; }
    [[nodiscard]] const std::map<int, Call> &calls() const { return m_calls; }
    [[nodiscard]] const std::map<quint64, SentOp> &ops() const { return m_ops; }
    [[nodiscard]] const Setup &setup() const { return m_setup; }
    [[nodiscard]] quint64 step() const { return m_step; }
    [[nodiscard]] int incarnation() const { return m_incarnation; }
    [[nodiscard]] std::size_t manualsOpen() const { return m_manuals.size(); }
    [[nodiscard]] bool atRest() const { return m_atRest; }
    struct Conversation {
        StreamId stream = 0;
        qint64 tokens = 0;
        int rung = -1;
        bool dirty = false; ///< a request on top of it was begun
        StreamId abortedStream = 0; ///< of a request since that did not finish
        qint64 abortedTokens = 0;
    };
    [[nodiscard]] const Conversation &conversation(int session) const
    {
        return m_conversations.at(static_cast<std::size_t>(session));
    }
    struct Recorded {
        Event event;
        Instant at;
    };
    void say(const QString &text) const;

private:
    struct Reply {
        quint64 task = 0; ///< an operation, or 0
        OpReply op;
        int call = 0; ///< or 0
        TaskResult result;
        std::optional<Event> seen; ///< by the watcher
        int incarnation = 0;
    };

    // Witness
    void actionRuns(const Task &task, int slot) override;
    void requestRuns(const Task &task, int slot, const Content &held, qint64 reused) override;
    void woken(quint64 task) override;

    // simdaemon.cpp: the shell
    void handle(const Event &event);
    void take(const Effect &effect);
    void takeOp(Op op);
    void takeGrant(Grant grant);
    void build(bool cleanStop);
    void crash(const Step &step);
    void stopDaemon(const Step &step);
    void clientsReconnect(const Step &step);
    void advance(qint64 ms);
    [[nodiscard]] Event observation() const;
    void checkReplay();

    // simnetwork.cpp: messages, operations
    void arriveOne(std::size_t which);
    void opArrives(SentOp &sent);
    void callArrives(Call &call);
    void collect(); ///< what the server has finished
    void deliverOne(std::size_t which);
    void finishOne(std::size_t which, quint32 dice);
    void breathe();
    void drain(quint32 dice);
    void answerOp(SentOp &sent, OpReply reply);
    void loseOp(SentOp &sent, OpFailure failure);
    void processGone(bool travellersToo);
    void failOp(const Step &step);
    void breakConnection(const Step &step);
    void loseReply(const Step &step);
    void forgetOps();
    bool storeOne(); ///< false: nothing waits

    // simclients.cpp
    void beginTurn(const Step &step, Call::Kind kind);
    void beginStranger(const Step &step);
    [[nodiscard]] bool awaitsFirstLook() const;
    [[nodiscard]] bool strangersAtWork() const;
    void send(Call &call);
    void endCall(Call &call, EndOutcome outcome, const Step *step);
    void abortOne(const Step &step);
    void cancelOne(const Step &step);
    void clientDies(const Step &step);
    void hint(const Step &step);
    void manual(const Step &step);
    void retention(const Step &step);
    void config(const Step &step);
    void disturbServer(const Step &step);
    void disturbDisk(const Step &step);
    [[nodiscard]] static qint64 grid(int family, int rung);

    Setup m_setup;
    Sabotage m_sabotage;
    Streams m_streams;
    Server m_server;
    Database m_database;
    Rules m_rules;
    std::unique_ptr<Coordinator> m_coordinator;
    Policy m_policy;
    Instant m_now { 1'000'000, 1'700'000'000'000 };
    qint64 m_wakeMs = -1;
    qint64 m_nextWatchMs = 0;
    qint64 m_wallJump = 0;
    int m_incarnation = 0;
    int m_crashAfter = -1;
    int m_failStores = 0;
    Step m_crashStep;
    bool m_shutdownDone = false;
    RequestId m_nextRequest = 1;
    ConnectionId m_connection = 10;
    quint64 m_nextTask = 1;
    quint64 m_order = 1;
    quint64 m_step = 0;
    int m_nextCall = 1;
    quint64 m_digest = 14695981039346656037ULL;
    Tally m_tally;
    bool m_narrating = false;
    bool m_atRest = false;
    bool m_jumps = true;

    std::vector<Conversation> m_conversations;
    std::map<int, Call> m_calls;
    std::map<quint64, SentOp> m_ops; // by task
    std::vector<quint64> m_travelling; // tasks on their way to the server
    std::vector<Reply> m_replies; // on their way from it
    std::map<RequestId, ConnectionId> m_manuals; // not answered

    bool m_recording = false;
    std::vector<Recorded> m_recorded;
    InitialState m_initial;
    Policy m_initialPolicy;
    quint64 m_recordedDigest = 0;
};

} // namespace kv::sim
