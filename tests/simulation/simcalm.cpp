// SPDX-License-Identifier: MIT
#include "simcalm.h"

#include "eventname.h"

#include <algorithm>
#include <random>

namespace kv::sim {

namespace {
constexpr qint64 c_prefillPerMs = 1; // 1000 tokens a second
constexpr qint64 c_msPerGenerated = 20;
constexpr qint64 c_tokensPerMs = 10; // saved and restored: 1 GB a second
constexpr qint64 c_systemTokens = 3000;
constexpr qint64 c_watchMs = 2000;
constexpr qint64 c_dayMs = 24LL * 3600 * 1000;
constexpr qint64 c_largeBytes = 64LL * 1024 * 1024;
constexpr qint64 c_holdMs = 30000;
constexpr qint64 c_slackMs = 3000; ///< looks, rechecks and the quiet that auxiliary requests wait for
}

Script scriptOf(quint32 seed)
{
    std::mt19937 random(seed);
    const auto dice = [&](int from, int to) {
        return from + static_cast<int>(random() % static_cast<unsigned>(to - from + 1));
    };
    Script script;
    script.hostCacheTokens = 20000 << dice(0, 2);
    const int sessions = dice(1, 4);
    for (int i = 0; i < sessions; ++i) {
        std::vector<Script::Turn> turns;
        const int count = dice(1, 5);
        for (int t = 0; t < count; ++t) {
            Script::Turn turn;
            turn.pauseMs = dice(0, 2) == 0 ? dice(60000, 400000) : dice(3000, 40000);
            const int steps = dice(1, 6);
            for (int s = 0; s < steps; ++s) {
                turn.newTokens.push_back(dice(50, t == 0 && s == 0 ? 9000 : 2500));
            }
            turn.subagents = steps > 2 && dice(0, 4) == 0 ? dice(1, 3) : 0;
            turn.title = t == 0 && dice(0, 1) == 0;
            turns.push_back(turn);
        }
        script.sessions.push_back(turns);
    }
    return script;
}

Calm::Calm(Script script, bool managed)
    : m_script(std::move(script))
    , m_server({ 1, false, 0, m_script.hostCacheTokens, -1 }, m_streams, *this)
{
    if (managed) {
        Policy policy;
        policy.server = QStringLiteral("calm");
        policy.coldStart = m_script.coldStart;
        policy.maxBytesPerDay = 0;
        policy.restoreEnabled = !m_script.restoresNothing;
        m_coordinator = std::make_unique<Coordinator>(policy, InitialState {});
    }
}

Calm::~Calm() = default;

void Calm::at(qint64 ms, std::function<void()> what) { m_agenda.emplace(ms, std::move(what)); }

CalmResult Calm::run()
{
    if (m_coordinator) {
        handle(ServerObserved { m_server.identity(), false, 1 });
    }
    for (const auto &turns : m_script.sessions) {
        startTurn(addActor(turns, -1));
    }
    while (!m_agenda.empty() && m_nowMs < c_dayMs) {
        const auto next = m_agenda.begin();
        m_nowMs = next->first;
        const std::function<void()> what = std::move(next->second);
        m_agenda.erase(next);
        what();
    }
    m_result.prefilled = m_server.prefilled();
    m_result.unserved = static_cast<int>(m_requests.size());
    return m_result;
}

int Calm::addActor(std::vector<Script::Turn> turns, int parent)
{
    Actor actor;
    actor.name = m_nextActor++;
    actor.parent = parent;
    actor.subagent = parent >= 0;
    actor.turns = std::move(turns);
    actor.stream = m_streams.add(actor.name, 0, c_systemTokens);
    actor.tokens = c_systemTokens;
    m_actors.emplace(actor.name, actor);
    return actor.name;
}

void Calm::startTurn(int id)
{
    Actor &actor = m_actors.at(id);
    if (actor.turn == actor.turns.size()) {
        if (actor.parent >= 0 && --m_actors.at(actor.parent).awaited == 0) {
            startRequest(actor.parent);
        }
        return;
    }
    actor.request = 0;
    ++m_result.turns;
    at(m_nowMs + actor.turns[actor.turn].pauseMs, [this, id] { startRequest(id); });
}

void Calm::startRequest(int id)
{
    Actor &actor = m_actors.at(id);
    const Script::Turn &turn = actor.turns[actor.turn];
    const qint64 fresh = turn.newTokens[actor.request];
    m_result.newTokens += fresh;
    Request request;
    request.actor = id;
    request.more = actor.request + 1 < turn.newTokens.size();
    request.stream = actor.stream;
    request.promptTokens = actor.tokens + fresh;
    request.completion = 40 + fresh % 100;
    actor.tokens = request.promptTokens + request.completion;
    const bool title = turn.title && actor.request == 0;
    ask(request);
    if (title) {
        ++m_result.turns;
        request.title = true;
        request.stream = m_streams.add(c_auxiliary, 0, 100);
        request.promptTokens = 600;
        request.completion = 10;
        m_result.newTokens += 500;
        ask(request);
    }
}

void Calm::ask(Request request)
{
    request.askedMs = m_nowMs;
    request.busyBefore = m_busyMs;
    request.changesBefore = m_result.ownerChanges;
    const RequestId id = m_nextRequest++;
    const Actor &actor = m_actors.at(request.actor);
    const bool title = request.title;
    m_requests.emplace(id, std::move(request));
    ++m_result.requests;
    if (!m_coordinator) {
        arrive(id);
        return;
    }
    BeginRequest begin;
    begin.request = id;
    begin.connection = 1;
    begin.session = nameOfSession(actor.name);
    begin.provider = QStringLiteral("p");
    begin.model = QStringLiteral("m");
    begin.purpose = title ? QStringLiteral("title") : QString();
    begin.base = title ? QString() : QStringLiteral("system");
    if (actor.subagent) {
        begin.origin = QStringLiteral("subagent");
        begin.parent = nameOfSession(actor.parent);
    }
    handle(begin);
}

void Calm::arrive(RequestId id)
{
    const Request &request = m_requests.at(id);
    Task task;
    task.id = id;
    task.stream = request.stream;
    task.promptTokens = request.promptTokens;
    m_server.arrive(task, m_nowMs);
}

void Calm::requestRuns(const Task &task, int, const Content &, qint64 reused)
{
    Request &request = m_requests.at(task.id);
    request.cached = reused;
    const qint64 waited = m_nowMs - request.askedMs;
    m_result.waitMs += waited;
    const qint64 changes = m_result.ownerChanges - request.changesBefore + 1;
    const qint64 allowed
        = m_busyMs - request.busyBefore + changes * 2 * m_largestSwitchMs + c_holdMs + c_slackMs;
    m_result.worstWaitMs = std::max(m_result.worstWaitMs, waited - allowed);
    const qint64 ms
        = (request.promptTokens - reused) / c_prefillPerMs + request.completion * c_msPerGenerated;
    const RequestId id = task.id;
    m_busyMs += ms;
    at(m_nowMs + ms, [this, id] { finished(id); });
}

void Calm::finished(RequestId id)
{
    const Request request = m_requests.at(id);
    m_requests.erase(id);
    m_server.finish(0, request.promptTokens + request.completion - 1, request.stream, m_nowMs);
    (void)m_server.takeResults();
    if (m_coordinator && !(request.title && m_script.forgetsTitles)) {
        EndRequest end;
        end.connection = 1;
        end.lease = request.lease;
        end.more = request.more && !m_script.neverSaysMore;
        end.usage = { request.promptTokens, request.completion, request.cached };
        if (!m_script.tellsNoTimes) {
            end.timings.promptMs
                = static_cast<double>((request.promptTokens - request.cached) / c_prefillPerMs);
            end.timings.promptTokens = request.promptTokens - request.cached;
        }
        handle(end);
    }
    if (!request.title) {
        requestDone(request.actor);
    }
}

void Calm::requestDone(int id)
{
    Actor &actor = m_actors.at(id);
    const Script::Turn turn = actor.turns[actor.turn];
    if (++actor.request == turn.newTokens.size()) {
        ++actor.turn;
        startTurn(id);
        return;
    }
    if (actor.request == 1 && turn.subagents > 0) {
        actor.awaited = turn.subagents;
        ++m_result.turns; // its own is in two parts
        for (int i = 0; i < turn.subagents && m_nextActor < 26; ++i) {
            Script::Turn work;
            work.pauseMs = 10;
            work.newTokens.assign(6, 300 + 100 * i);
            startTurn(addActor({ work }, id));
        }
        if (m_nextActor < 26) {
            return;
        }
    }
    // A tool takes less than the time for which a slot is held for its owner: else a switch is what pays.
    at(m_nowMs + 50 + turn.newTokens[actor.request] % 800, [this, id] { startRequest(id); });
}

void Calm::handle(const Event &event)
{
    for (const Effect &effect : m_coordinator->handle(event, { m_nowMs + 1000, m_nowMs })) {
        take(effect);
    }
}

void Calm::take(const Effect &effect)
{
    if (const auto *start = std::get_if<StartOp>(&effect)) {
        const Op op = start->op;
        at(m_nowMs + 1, [this, op] { carryOut(op); });
    } else if (const auto *grant = std::get_if<Grant>(&effect)) {
        m_requests.at(grant->request).lease = grant->lease;
        m_result.restores += grant->outcome == Outcome::Restored ? 1 : 0;
        const RequestId id = grant->request;
        at(m_nowMs, [this, id] { arrive(id); });
    } else if (const auto *store = std::get_if<Store>(&effect)) {
        const StoreSeq seq = store->command.seq;
        at(m_nowMs + 1, [this, seq] { handle(StoreDone { seq }); });
    } else if (const auto *wake = std::get_if<WakeAt>(&effect)) {
        const quint64 which = ++m_wake;
        if (wake->monoMs >= 0) {
            at(wake->monoMs - 1000, [this, which] {
                if (which == m_wake) {
                    handle(TimerFired {});
                }
            });
        }
    } else if (const auto *emitted = std::get_if<Emit>(&effect)) {
        const Notice &notice = emitted->notice;
        m_result.ownerChanges += notice.name == eventname::sessionSwitch ? 1 : 0;
        if (notice.name == eventname::saveSuccess) {
            m_result.bytesWritten += notice.bytes;
            const bool small = notice.bytes < c_largeBytes;
            (notice.outcome == QStringLiteral("switch") ? m_result.bytesAtSwitches : m_result.bytesOfSmall)
                += notice.outcome == QStringLiteral("switch") || small ? notice.bytes : 0;
        }
    }
}

void Calm::carryOut(const Op &op)
{
    OpReply reply;
    reply.id = op.id;
    reply.kind = op.kind;
    reply.identity = m_server.identity();
    qint64 ms = 1;
    const bool action = op.kind == OpKind::Save || op.kind == OpKind::Restore || op.kind == OpKind::Erase;
    if (action) {
        Task task;
        task.kind = op.kind == OpKind::Save ? Task::Kind::Save
            : op.kind == OpKind::Restore    ? Task::Kind::Restore
                                            : Task::Kind::Erase;
        task.id = 1'000'000 + op.id;
        task.slot = op.slot.id;
        task.name = op.name;
        m_server.arrive(task, m_nowMs);
        const std::vector<TaskResult> results = m_server.takeResults();
        const TaskResult result = results.empty() ? TaskResult {} : results.front();
        reply.tokens = result.tokens;
        reply.bytes = result.bytes * c_bytesFactor;
        reply.failure = result.status == 200 ? OpFailure::None : OpFailure::Refused;
        ms += op.kind == OpKind::Erase ? 0 : std::max<qint64>(0, result.tokens) / c_tokensPerMs;
        m_largestSwitchMs = std::max(m_largestSwitchMs, ms);
    } else {
        reply.slotList = m_server.list(m_nowMs);
        reply.slotsListed = true;
    }
    reply.wallMs = static_cast<double>(ms);
    at(m_nowMs + ms, [this, reply] { handle(OpFinished { reply }); });
}

} // namespace kv::sim
