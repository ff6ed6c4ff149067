// SPDX-License-Identifier: MIT
// Clients, people and the weather: what the abstract steps do.
#include "simworld.h"

#include <algorithm>
#include <cmath>

namespace kv::sim {

namespace {
constexpr int c_families = 8; ///< sessions, auxiliary requests, strangers
constexpr int c_rungs = 8;
constexpr qint64 c_completion = 11;
constexpr qint64 c_sharedTokens = 400; ///< the system prompt
constexpr int c_firstSubagent = 4;
constexpr int c_restRounds = 60;
}

/// Counts of different owners differ by more than the slack within which a stranger goes unnoticed.
qint64 World::grid(int family, int rung)
{
    return static_cast<qint64>(1000 * std::pow(1.05, family + c_families * rung));
}

void World::apply(const Step &step)
{
    ++m_step;
    const auto anyOf = [&](std::size_t which) { return static_cast<std::size_t>(step.dice.at(which)); };
    say(describe(step));
    switch (step.act) {
    case Act::Turn:
        beginTurn(step, Call::Kind::Turn);
        break;
    case Act::Title:
        beginTurn(step, Call::Kind::Title);
        break;
    case Act::Compaction:
        beginTurn(step, Call::Kind::Compaction);
        break;
    case Act::Stranger:
        beginStranger(step);
        break;
    case Act::Arrive:
        arriveOne(anyOf(0));
        break;
    case Act::Finish:
        finishOne(anyOf(0), step.dice[1]);
        break;
    case Act::Deliver:
        deliverOne(anyOf(0));
        break;
    case Act::Breathe:
        breathe();
        break;
    case Act::Drain:
        drain(step.dice[1]);
        break;
    case Act::Advance:
        if (step.roll(2, 5) != 0) {
            breathe(); // mostly what is under way takes less time than what comes next
        }
        advance(1 + step.roll(0, step.roll(1, 4) == 0 ? 9000 : 700));
        break;
    case Act::Observe:
        if (m_setup.staleWatcher) {
            m_replies.push_back({ 0, {}, 0, {}, observation(), m_incarnation });
        } else {
            handle(observation());
        }
        break;
    case Act::Store:
        storeOne();
        break;
    case Act::StoreFails:
        m_failStores = 1 + step.roll(0, 3); // so many of the next writes
        break;
    case Act::Abort:
        abortOne(step);
        break;
    case Act::Cancel:
        cancelOne(step);
        break;
    case Act::ClientDies:
        clientDies(step);
        break;
    case Act::Hint:
        hint(step);
        break;
    case Act::Manual:
        manual(step);
        break;
    case Act::Retention:
        retention(step);
        break;
    case Act::LoseReply:
        loseReply(step);
        break;
    case Act::BreakConnection:
        breakConnection(step);
        break;
    case Act::FailOp:
        failOp(step);
        break;
    case Act::Restart:
    case Act::Kill:
    case Act::ReplaceModelFile:
    case Act::Sleep:
        disturbServer(step);
        break;
    case Act::DiskFull:
    case Act::DamageFile:
    case Act::RemoveFile:
        disturbDisk(step);
        break;
    case Act::WallJump: {
        const qint64 by = step.roll(0, 2) == 0 ? step.roll(1, 100'000'000) : -step.roll(1, 100'000'000);
        m_now.wallMs += m_jumps ? by : 0;
        m_wallJump += m_jumps ? by / 100000 : 0;
        break;
    }
    case Act::Pause:
        handle(Paused { step.roll(0, 2) == 0 ? 2000 : -1 });
        break;
    case Act::Resume:
        handle(Resumed {});
        break;
    case Act::Config:
        config(step);
        break;
    case Act::Crash:
        m_crashAfter = step.roll(0, 12);
        m_crashStep = step;
        break;
    case Act::StopDaemon:
        stopDaemon(step);
        break;
    }
    forgetOps();
    m_rules.afterStep();
}

void World::beginTurn(const Step &step, Call::Kind kind)
{
    const int session = step.roll(0, m_setup.sessions);
    Conversation &now = m_conversations.at(static_cast<std::size_t>(session));
    const bool talking = std::any_of(m_calls.begin(), m_calls.end(), [&](const auto &entry) {
        return entry.second.session == session && entry.second.phase != Call::Phase::Over;
    });
    if (talking && kind != Call::Kind::Title && step.roll(3, 8) != 0) {
        return; // a client seldom asks again before it has its answer
    }
    Call call;
    call.id = m_nextCall++;
    call.kind = kind;
    call.session = session;
    call.family = session;
    call.born = m_step;
    const bool alone = std::none_of(m_calls.begin(), m_calls.end(), [&](const auto &entry) {
        const Call &other = entry.second;
        return other.session == session && (other.phase != Call::Phase::Over || m_server.holds(other.task));
    });
    if (kind == Call::Kind::Title) {
        call.family = c_families - 2;
        call.rung = step.roll(1, 4);
        const bool beside = step.roll(2, 2) == 0 && now.tokens > 0;
        call.stream
            = m_streams.add(c_auxiliary, beside ? now.stream : 0, beside ? now.tokens / 2 : c_sharedTokens);
    } else {
        const bool edited = now.rung > 0 && step.roll(1, 12) == 0;
        const bool anew = now.rung < 0 || now.rung >= c_rungs;
        call.rung = anew ? step.roll(2, 2) : edited ? step.roll(2, now.rung) + 1 : now.rung + 1;
        if (anew) {
            const Conversation &parent
                = m_conversations.at(static_cast<std::size_t>((session + 1) % m_setup.sessions));
            if (step.roll(1, 5) == 0 && parent.tokens > 0 && m_setup.sessions > 1) {
                call.stream = m_streams.add(session, parent.stream, parent.tokens * 3 / 4);
                call.begun.fork = nameOfSession((session + 1) % m_setup.sessions);
            } else {
                call.stream = m_streams.add(session, 0, session % 5 == 4 ? 0 : c_sharedTokens);
            }
            now = { call.stream, 0, -1 };
        } else if (edited) {
            call.stream = m_streams.add(session, now.stream, grid(session, call.rung - 1));
        } else if (kind == Call::Kind::Compaction || !alone || now.dirty) {
            call.stream = m_streams.add(session, now.stream, now.tokens);
        } else {
            call.stream = now.stream;
        }
        now.dirty = true;
    }
    // No two prompts have the very same length by chance.
    call.heldTokens = grid(call.family, call.rung) + call.stream % 7;
    call.promptTokens = call.heldTokens - c_completion + 1;
    BeginRequest &event = call.begun;
    event.request = m_nextRequest++;
    event.connection = m_connection - static_cast<ConnectionId>(step.roll(3, 3));
    event.call = QString::number(call.id);
    event.session = nameOfSession(session);
    if (m_sabotage == Sabotage::TwoFaces && call.id % 2 == 0) {
        event.session = nameOfSession(session + 20);
    }
    event.provider = QStringLiteral("p");
    event.model = QStringLiteral("m");
    const bool title = kind == Call::Kind::Title && m_sabotage != Sabotage::TitleAsTurn;
    event.purpose = title                ? QStringLiteral("title")
        : kind == Call::Kind::Compaction ? QStringLiteral("compaction")
                                         : QString();
    if (session >= c_firstSubagent) {
        event.origin = QStringLiteral("subagent");
        event.parent = nameOfSession(session - c_firstSubagent);
    }
    // What most begin with; one says so although it does not, one does not say.
    event.base = session % 5 == 3 ? QString() : QStringLiteral("base");
    event.timeoutMs = step.roll(3, 11) == 0 ? 500 + step.roll(2, 4000) : -1;
    event.pins = !m_setup.pinless || session % 2 == 0;
    const Call &kept = m_calls.emplace(call.id, std::move(call)).first->second;
    const BeginRequest begun = kept.begun;
    say(QStringLiteral("call %1 begins: %2 %3, %4 tokens")
            .arg(kept.id)
            .arg(begun.session, begun.purpose)
            .arg(kept.heldTokens));
    handle(begun);
}

/// What an aborted request left is told from a stranger's work by the slot's task, from the first look on; a
/// stranger who comes before that look cannot be told, so that the two are not combined.
bool World::awaitsFirstLook() const
{
    const auto &table = m_coordinator->slotTable();
    return std::any_of(table.begin(), table.end(), [](const auto &entry) {
        return entry.second.owner && entry.second.owner->touched && !entry.second.owner->touchedTask;
    });
}

bool World::strangersAtWork() const
{
    return std::any_of(m_calls.begin(), m_calls.end(),
        [](const auto &entry) { return entry.second.kind == Call::Kind::Stranger && entry.second.live(); });
}

void World::beginStranger(const Step &step)
{
    if (awaitsFirstLook()) {
        return;
    }
    Call call;
    call.id = m_nextCall++;
    call.kind = Call::Kind::Stranger;
    call.family = c_families - 1;
    call.rung = step.roll(1, c_rungs);
    call.coordinated = false;
    call.begun.pins = step.roll(2, 2) == 0;
    const Conversation &other = m_conversations.at(static_cast<std::size_t>(step.roll(0, m_setup.sessions)));
    const bool alike = step.roll(3, 2) == 0 && other.tokens > 0;
    call.stream = m_streams.add(c_stranger, alike ? other.stream : 0, alike ? other.tokens * 4 / 5 : 0);
    call.heldTokens = grid(call.family, call.rung);
    call.promptTokens = call.heldTokens - c_completion + 1;
    send(m_calls.emplace(call.id, std::move(call)).first->second);
}

void World::send(Call &call)
{
    call.task = m_nextTask++;
    call.phase = Call::Phase::Travelling;
    call.born = call.coordinated && call.grant ? m_step : call.born;
    m_travelling.push_back(call.task);
    if (m_sabotage == Sabotage::EarlyEnds && call.id % 3 == 0 && call.grant) {
        m_replies.push_back({ 0, {}, call.id, {},
            EndRequest { 0, call.begun.connection, call.grant->lease, {}, EndOutcome::Ok, false,
                { call.promptTokens, c_completion, 0 }, {} },
            m_incarnation });
    }
}

void World::endCall(Call &call, EndOutcome outcome, const Step *step)
{
    const bool bare = !call.coordinated || (!call.grant && call.phase != Call::Phase::Waiting);
    call.phase = Call::Phase::Over;
    if (call.kind != Call::Kind::Stranger && call.kind != Call::Kind::Title && outcome == EndOutcome::Ok) {
        Conversation &now = m_conversations.at(static_cast<std::size_t>(call.session));
        if (call.kind == Call::Kind::Compaction) {
            now.stream = m_streams.add(call.session, 0, c_sharedTokens);
            now.rung = 0;
            now.tokens = grid(call.session, 0);
            now.dirty = true;
        } else {
            if (now.abortedStream != 0 && now.abortedStream != call.stream) {
                // The aborted branch may be on its way to the record.
                m_rules.excused(nameOfSession(call.session));
            }
            now = { call.stream, call.heldTokens, call.rung, false, 0, 0 };
        }
    } else if (call.kind == Call::Kind::Turn && call.grant) {
        // Its prompt may have left the conversation's: which of them the session goes on with is not known.
        Conversation &now = m_conversations.at(static_cast<std::size_t>(call.session));
        now.abortedStream = call.stream;
        now.abortedTokens = call.heldTokens;
    }
    if (bare && call.kind == Call::Kind::Stranger) {
        return;
    }
    if (!call.coordinated) {
        return;
    }
    EndRequest end;
    end.request = m_nextRequest++;
    end.connection = call.begun.connection;
    end.outcome = outcome;
    if (call.grant && call.id % 4 != 0) {
        end.lease = call.grant->lease;
    } else {
        end.call = call.begun.call;
    }
    const quint32 dice = step != nullptr ? step->dice[2] : static_cast<quint32>(call.id) * 2654435761U;
    if (dice % 3 != 0) {
        end.more = dice % 2 == 0;
    }
    // Without a count nothing tells a stranger's work from the session's own: those two are not combined.
    if (outcome == EndOutcome::Ok && (dice % 7 != 0 || m_setup.strangers || m_incarnation > 0)) {
        const bool nothing = m_setup.reusesNothing && call.grant && call.grant->outcome == Outcome::Restored;
        end.usage = { call.promptTokens, c_completion, nothing ? 0 : call.cached };
    }
    if (call.reached && dice % 5 != 0) {
        end.timings.firstChunkMs = 1; // else a client that does not tell, or was cut off before
    }
    say(QStringLiteral("call %1 of %2 ends: %3").arg(call.id).arg(call.begun.session, toString(outcome)));
    handle(end);
}

void World::abortOne(const Step &step)
{
    if (strangersAtWork()) {
        return;
    }
    std::vector<int> open;
    for (const auto &[id, call] : m_calls) {
        if (call.live() && call.phase != Call::Phase::Replied) {
            open.push_back(id);
        }
    }
    if (open.empty()) {
        return;
    }
    Call &call = m_calls.at(open.at(step.dice[0] % open.size()));
    std::erase(m_travelling, call.task);
    m_server.abandon(call.task);
    endCall(call, step.roll(1, 3) == 0 ? EndOutcome::Error : EndOutcome::Aborted, &step);
}

void World::cancelOne(const Step &step)
{
    std::vector<int> open;
    for (const auto &[id, call] : m_calls) {
        if (call.phase == Call::Phase::Waiting && call.coordinated) {
            open.push_back(id);
        }
    }
    if (open.empty()) {
        return;
    }
    Call &call = m_calls.at(open.at(step.dice[0] % open.size()));
    if (step.roll(1, 2) == 0) {
        handle(CancelRequest { call.begun.request });
    } else {
        endCall(call, EndOutcome::Aborted, &step);
    }
}

void World::clientDies(const Step &step)
{
    if (strangersAtWork()) {
        return;
    }
    const ConnectionId gone = m_connection - static_cast<ConnectionId>(step.roll(0, 3));
    for (auto &[id, call] : m_calls) {
        if (call.begun.connection == gone && call.coordinated && call.phase != Call::Phase::Over) {
            std::erase(m_travelling, call.task);
            m_server.abandon(call.task);
            call.phase = Call::Phase::Over;
        }
    }
    std::erase_if(m_manuals, [&](const auto &entry) { return entry.second == gone; });
    ++m_connection;
    handle(ClientGone { gone });
}

void World::hint(const Step &step)
{
    const int session = step.roll(0, m_setup.sessions);
    SessionHint event;
    event.session = nameOfSession(session);
    event.type = static_cast<HintType>(step.roll(1, 7));
    if (event.type == HintType::Disposed && session >= c_firstSubagent) {
        m_rules.excused(event.session); // a sub-agent's snapshots go with it
    }
    handle(event);
}

void World::manual(const Step &step)
{
    ManualRequest event;
    event.request = m_nextRequest++;
    event.connection = m_connection - static_cast<ConnectionId>(step.roll(3, 3));
    event.kind = static_cast<ManualRequest::Kind>(step.roll(1, 7));
    const bool session = event.kind != ManualRequest::Kind::Erase && event.kind != ManualRequest::Kind::Flush;
    event.session = session ? nameOfSession(step.roll(0, m_setup.sessions)) : QString();
    event.slot.id = step.roll(2, m_setup.manners.slots + 1);
    m_manuals.emplace(event.request, event.connection);
    say(QStringLiteral("manual %1 of %2").arg(static_cast<int>(event.kind)).arg(event.session));
    if (event.kind == ManualRequest::Kind::Purge) {
        m_rules.purged(event.session);
    } else if (event.kind == ManualRequest::Kind::Invalidate) {
        m_rules.excused(event.session);
    }
    handle(event);
}

void World::retention(const Step &step)
{
    const auto &all = m_coordinator->index().all();
    if (all.empty()) {
        return;
    }
    auto at = all.begin();
    std::advance(at, step.dice[0] % all.size());
    const Snapshot &row = at->second.at(step.dice[1] % at->second.size());
    if (!row.base) {
        m_rules.excused(row.session);
    }
    RemoveRows event;
    event.rows.push_back({ row.session, row.fingerprint->hash(), QStringLiteral("age") });
    handle(event);
}

void World::config(const Step &step)
{
    Policy &policy = m_policy;
    switch (step.roll(0, 8)) {
    case 0:
        policy.enabled = !policy.enabled;
        break;
    case 1:
        policy.restoreEnabled = !policy.restoreEnabled;
        break;
    case 2:
        policy.strict = !policy.strict;
        break;
    case 3:
        policy.onSwitch = !policy.onSwitch;
        break;
    case 4:
        policy.idleMs = policy.idleMs > 0 ? 0 : 3000;
        break;
    case 5:
        policy.auxiliary
            = policy.auxiliary == AuxiliaryMode::Isolate ? AuxiliaryMode::Ignore : AuxiliaryMode::Isolate;
        break;
    case 6:
        policy.slotId = policy.mode == SlotMode::SingleSlot && policy.slotId == 0 ? 5 : 0;
        break;
    default: // back to what is usual
        policy = m_setup.policy;
        break;
    }
    handle(ConfigChanged { policy });
}

void World::disturbServer(const Step &step)
{
    switch (step.act) {
    case Act::Restart: {
        const int model = step.roll(0, 3) == 0 ? step.roll(1, c_models) : m_server.model();
        say(QStringLiteral("the server is restarted with model %1").arg(model));
        ++m_tally.restarts;
        m_server.restart(model);
        processGone(step.roll(2, 2) == 0);
        break;
    }
    case Act::Kill:
        say(QStringLiteral("the server dies"));
        m_server.die();
        processGone(step.roll(2, 2) == 0);
        break;
    case Act::ReplaceModelFile:
        m_server.replaceModelFile();
        break;
    default:
        if (m_server.maySleep(m_now.monoMs)) {
            say(QStringLiteral("the server falls asleep"));
            m_server.sleep();
        }
        break;
    }
}

void World::disturbDisk(const Step &step)
{
    if (step.act == Act::DiskFull) {
        m_server.diskFull = !m_server.diskFull;
        return;
    }
    if (m_server.files.empty()) {
        return;
    }
    auto file = m_server.files.begin();
    std::advance(file, step.dice[0] % m_server.files.size());
    if (!file->second.good()) {
        return;
    }
    m_rules.excused(nameOfSession(std::clamp(m_streams.owner(file->second.content.stream), 0, 25)));
    file->second.fromOutside = true;
    file->second.damage = step.act == Act::RemoveFile
        ? Damage::Gone
        : std::array { Damage::Cut, Damage::Appendix, Damage::Killer }.at(step.dice[1] % 3);
}

void World::comeToRest()
{
    m_crashAfter = -1;
    m_failStores = 0;
    m_server.diskFull = false;
    if (!m_server.alive()) {
        m_server.restart(m_server.model());
        processGone(true);
    }
    if (m_policy.slotId != m_setup.policy.slotId || m_policy.enabled != m_setup.policy.enabled) {
        m_policy = m_setup.policy;
        handle(ConfigChanged { m_policy });
    }
    handle(Resumed {});
    for (int round = 0; round < c_restRounds && (violations().empty() || m_sabotage != Sabotage::None);
         ++round) {
        drain(1);
        // A request that only another's end could wake is given up by its client in the end.
        std::vector<int> live;
        for (const auto &[id, call] : m_calls) {
            if (call.live() && round % 10 == 9) {
                live.push_back(id);
            }
        }
        for (const int id : live) {
            Call &call = m_calls.at(id);
            std::erase(m_travelling, call.task);
            m_server.abandon(call.task);
            endCall(call, EndOutcome::Error, nullptr);
        }
        advance(2000);
        forgetOps();
        m_rules.afterStep();
    }
    m_atRest = true;
    m_rules.afterStep();
    m_rules.atRest();
    checkReplay();
}

} // namespace kv::sim
