// SPDX-License-Identifier: MIT
#pragma once

#include "coordinator.h"
#include "simserver.h"

#include <functional>
#include <map>
#include <vector>

namespace kv::sim {

/// What people and their agents want of one server with one slot, in an hour in which nothing goes wrong. The same
/// script runs against a bare server with its host cache, and with a coordinator beside it.
struct Script {
    struct Turn {
        qint64 pauseMs = 0; ///< before it
        std::vector<qint64> newTokens; ///< one a request; between them a tool runs
        int subagents = 0; ///< started by its first request's answer, awaited before the second
        bool title = false; ///< beside its first request
    };
    std::vector<std::vector<Turn>> sessions;
    qint64 hostCacheTokens = 0;
    ColdStart coldStart = ColdStart::Keep;
    // Sabotage, so that the rules are seen to fail.
    bool restoresNothing = false; ///< S10
    bool neverSaysMore = false; ///< S11, owner changes: as if each request were a turn
    bool forgetsTitles = false; ///< S11, waits: the end of a title is not told
    bool tellsNoTimes = false; ///< S11, bytes: what a save is worth is not known
};
[[nodiscard]] Script scriptOf(quint32 seed);

struct CalmResult {
    qint64 prefilled = 0; ///< prompt tokens processed
    qint64 newTokens = 0; ///< that nobody could have had before
    int turns = 0; ///< and titles, which may come between; a turn that awaits sub-agents is two
    int requests = 0;
    int ownerChanges = 0;
    int restores = 0;
    qint64 bytesWritten = 0;
    qint64 bytesAtSwitches = 0;
    qint64 bytesOfSmall = 0; ///< background saves too small to be weighed
    qint64 waitMs = 0;
    /// Beyond others' requests, one save and one restore for each owner that came before it, and the time that
    /// a slot is held for its owner; more than 0 is too long.
    qint64 worstWaitMs = 0;
    int unserved = 0;
};

/// Runs a script to its end. Deterministic.
class Calm final : private Witness {
public:
    Calm(Script script, bool managed);
    ~Calm() override;
    [[nodiscard]] CalmResult run();

    static constexpr qint64 c_bytesFactor = 1000; ///< 100 kB a token, as real models have
    /// Bytes a background save of a large state may write for each new token (design §4: only if their prefill takes
    /// longer than twice the save).
    static constexpr qint64 c_bytesPerNewToken = 500'000;

private:
    struct Actor {
        int name = 0;
        int parent = -1;
        bool subagent = false;
        std::vector<Script::Turn> turns;
        std::size_t turn = 0;
        std::size_t request = 0;
        int awaited = 0; ///< sub-agents at work
        StreamId stream = 0;
        qint64 tokens = 0;
    };
    struct Request {
        int actor = 0;
        bool title = false;
        bool more = false;
        StreamId stream = 0;
        qint64 promptTokens = 0;
        qint64 completion = 0;
        qint64 askedMs = 0;
        LeaseId lease = 0;
        qint64 cached = 0;
        qint64 busyBefore = 0; ///< time of requests and of operations until it was asked
        int changesBefore = 0;
    };

    void actionRuns(const Task &, int) override { }
    void requestRuns(const Task &task, int slot, const Content &held, qint64 reused) override;
    void woken(quint64) override { }

    void at(qint64 ms, std::function<void()> what);
    int addActor(std::vector<Script::Turn> turns, int parent);
    void startTurn(int actor);
    void startRequest(int actor);
    void ask(Request request);
    void arrive(RequestId id);
    void finished(RequestId id);
    void requestDone(int actor);
    void handle(const Event &event);
    void take(const Effect &effect);
    void carryOut(const Op &op);

    Script m_script;
    Streams m_streams;
    Server m_server;
    std::unique_ptr<Coordinator> m_coordinator;
    std::multimap<qint64, std::function<void()>> m_agenda;
    std::map<int, Actor> m_actors;
    std::map<RequestId, Request> m_requests;
    CalmResult m_result;
    qint64 m_nowMs = 0;
    qint64 m_busyMs = 0;
    qint64 m_largestSwitchMs = 0;
    quint64 m_wake = 0;
    RequestId m_nextRequest = 1;
    int m_nextActor = 0;
    bool m_switching = false;
};

} // namespace kv::sim
