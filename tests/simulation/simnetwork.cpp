// SPDX-License-Identifier: MIT
// Messages: on their way to the server, in it, and on their way back.
#include "simworld.h"

#include <algorithm>

namespace kv::sim {

namespace {
constexpr std::array c_failures { OpFailure::ServerError, OpFailure::Loading, OpFailure::Unauthorized,
    OpFailure::ConnectionRefused, OpFailure::ServerError };
}

// What the rules are shown of the server.
void World::actionRuns(const Task &task, int slot)
{
    SentOp &sent = m_ops.at(task.id);
    sent.done = true;
    say(QStringLiteral("  server: %1 of slot %2, file %3")
            .arg(toString(sent.op.kind))
            .arg(slot)
            .arg(task.name));
    m_rules.actionRuns(sent, slot);
}

void World::requestRuns(const Task &task, int slot, const Content &held, qint64 reused)
{
    const auto found = std::find_if(
        m_calls.begin(), m_calls.end(), [&](const auto &entry) { return entry.second.task == task.id; });
    say(QStringLiteral("  server: request in slot %1, call %2 (%3 tokens, %4 reused)")
            .arg(slot)
            .arg(found == m_calls.end() ? 0 : found->first)
            .arg(task.promptTokens)
            .arg(reused));
    if (found != m_calls.end()) {
        found->second.reached = true;
    }
    m_rules.requestRuns(found == m_calls.end() ? nullptr : &found->second, held, reused);
}

void World::woken(quint64 task)
{
    const auto found = m_ops.find(task);
    say(QStringLiteral("  server: wakes up"));
    ++m_tally.wakes;
    if (task != 0) {
        m_rules.woken(found == m_ops.end() ? nullptr : &found->second);
    }
}

void World::arriveOne(std::size_t which)
{
    if (m_travelling.empty()) {
        return;
    }
    const auto at = m_travelling.begin() + static_cast<std::ptrdiff_t>(which % m_travelling.size());
    const quint64 task = *at;
    m_travelling.erase(at);
    if (const auto op = m_ops.find(task); op != m_ops.end()) {
        opArrives(op->second);
        collect();
        return;
    }
    const auto call = std::find_if(
        m_calls.begin(), m_calls.end(), [&](const auto &entry) { return entry.second.task == task; });
    if (call == m_calls.end()) {
        return;
    }
    // A client sends when it has its grant: what the daemon had sent before is there before it.
    for (bool more = call->second.grant.has_value(); more;) {
        const auto earlier = std::find_if(m_travelling.begin(), m_travelling.end(), [&](quint64 other) {
            const auto op = m_ops.find(other);
            return op != m_ops.end() && changesSlot(op->second.op.kind)
                && op->second.order < call->second.order;
        });
        more = earlier != m_travelling.end();
        if (more) {
            arriveOne(static_cast<std::size_t>(earlier - m_travelling.begin()));
        }
    }
    callArrives(call->second);
    collect();
}

void World::opArrives(SentOp &sent)
{
    const Op &op = sent.op;
    OpReply reply;
    sent.arrived = true;
    if (op.kind == OpKind::CheckFile || op.kind == OpKind::DeleteFile) {
        const auto file = m_server.files.find(op.name);
        const bool there = file != m_server.files.end() && file->second.damage != Damage::Gone;
        if (op.kind == OpKind::DeleteFile) {
            m_server.files.erase(op.name);
        } else if (!there) {
            reply.failure = OpFailure::FileGone;
            reply.reason = QStringLiteral("FILE_MISSING");
        } else if (file->second.damage != Damage::None || file->second.bytes != op.expectedBytes) {
            reply.failure = OpFailure::File;
            reply.reason = QStringLiteral("FILE_SIZE");
        }
        sent.done = true;
        answerOp(sent, reply);
        return;
    }
    if (!m_server.alive()) {
        reply.failure = OpFailure::ConnectionRefused;
        reply.message = QStringLiteral("nobody listens");
        sent.done = true;
        answerOp(sent, reply);
        return;
    }
    if (!changesSlot(op.kind)) {
        if (op.kind == OpKind::Look && !sent.identitySeen) {
            sent.identitySeen = true; // the server may change before it is asked for its slots
            sent.identity = m_server.identity();
            sent.sleeping = m_server.sleeping();
            if (!sent.sleeping || op.mayWake) {
                sent.arrived = false;
                m_travelling.push_back(sent.task);
                return;
            }
        }
        if (op.kind == OpKind::Nudge) {
            m_server.nudge();
        }
        reply.identity = op.kind == OpKind::Look ? sent.identity : m_server.identity();
        reply.sleeping = m_server.sleeping();
        if (op.kind == OpKind::Look && (!m_server.sleeping() || op.mayWake)) {
            const bool slept = m_server.sleeping();
            reply.slotList = m_server.list(m_now.monoMs);
            reply.slotsListed = true;
            if (slept) {
                reply.identity = m_server.identity(); // who is it that woke up
                m_rules.woken(&sent);
            }
            reply.sleeping = slept;
        }
        sent.done = true;
        answerOp(sent, reply);
        return;
    }
    Task task;
    task.kind = op.kind == OpKind::Save ? Task::Kind::Save
        : op.kind == OpKind::Restore    ? Task::Kind::Restore
                                        : Task::Kind::Erase;
    task.id = sent.task;
    task.slot = op.slot.id;
    task.name = op.name;
    m_server.arrive(task, m_now.monoMs);
    m_tally.deferred += sent.done ? 0 : 1;
    if (!m_server.alive()) {
        say(QStringLiteral("  server: dies of file %1").arg(op.name));
        processGone(false);
    }
}

void World::callArrives(Call &call)
{
    if (call.phase != Call::Phase::Travelling) {
        return;
    }
    if (!m_server.alive()) {
        call.failed = true;
        call.phase = Call::Phase::Replied;
        m_replies.push_back({ 0, {}, call.id, {}, {}, m_incarnation });
        return;
    }
    call.phase = Call::Phase::InServer;
    Task task;
    task.id = call.task;
    const bool pinned = call.begun.pins && call.grant && call.grant->transport;
    task.slot = pinned ? call.grant->transport->idSlot : -1;
    if (call.kind == Call::Kind::Stranger && call.begun.pins) {
        task.slot = call.rung % m_setup.manners.slots;
    }
    task.stream = call.stream;
    task.promptTokens = call.promptTokens;
    task.born = call.born;
    m_server.arrive(task, m_now.monoMs);
}

void World::collect()
{
    for (const TaskResult &result : m_server.takeResults()) {
        if (const auto op = m_ops.find(result.id); op != m_ops.end()) {
            OpReply reply;
            reply.tokens = result.tokens;
            reply.bytes = result.bytes;
            reply.httpStatus = result.status;
            if (result.status != 200) {
                reply.failure = result.status == 400 ? OpFailure::Refused : OpFailure::ServerError;
                reply.message = QStringLiteral("status %1").arg(result.status);
            }
            answerOp(op->second, reply);
            continue;
        }
        for (auto &[id, call] : m_calls) {
            if (call.task == result.id && call.phase == Call::Phase::InServer) {
                call.phase = Call::Phase::Replied;
                call.cached = result.cached;
                m_replies.push_back({ 0, {}, id, result, {}, m_incarnation });
            }
        }
    }
}

void World::answerOp(SentOp &sent, OpReply reply)
{
    if (sent.answered || sent.incarnation != m_incarnation) {
        return;
    }
    const bool onItsWay = std::any_of(
        m_replies.begin(), m_replies.end(), [&](const Reply &other) { return other.task == sent.task; });
    if (onItsWay) {
        return;
    }
    reply.id = sent.op.id;
    reply.kind = sent.op.kind;
    reply.wallMs = 10;
    m_replies.push_back({ sent.task, std::move(reply), 0, {}, {}, m_incarnation });
}

void World::loseOp(SentOp &sent, OpFailure failure)
{
    std::erase_if(m_replies, [&](const Reply &reply) { return reply.task == sent.task; });
    OpReply lost;
    lost.failure = failure;
    lost.message = toString(failure);
    answerOp(sent, lost);
}

void World::deliverOne(std::size_t which)
{
    if (m_replies.empty()) {
        return;
    }
    const auto at = m_replies.begin() + static_cast<std::ptrdiff_t>(which % m_replies.size());
    const Reply reply = std::move(*at);
    m_replies.erase(at);
    if (reply.seen) {
        say(QStringLiteral("the watcher's answer arrives"));
        handle(*reply.seen);
        return;
    }
    if (reply.task != 0) {
        if (reply.incarnation == m_incarnation) {
            m_ops.at(reply.task).answered = true;
            m_tally.lateAnswers += m_now.monoMs > m_ops.at(reply.task).op.deadlineMonoMs ? 1 : 0;
            m_tally.lostAnswers += reply.op.failure == OpFailure::ConnectionLost ? 1 : 0;
            say(QStringLiteral("answer to op %1 %2: %3 %4")
                    .arg(reply.op.id)
                    .arg(toString(reply.op.kind), toString(reply.op.failure))
                    .arg(reply.op.tokens));
            handle(OpFinished { reply.op });
        }
        return;
    }
    const auto call = m_calls.find(reply.call);
    if (call != m_calls.end() && call->second.phase == Call::Phase::Replied) {
        endCall(call->second, call->second.failed ? EndOutcome::Error : EndOutcome::Ok, nullptr);
    }
}

void World::finishOne(std::size_t which, quint32 dice)
{
    std::vector<int> busy;
    for (std::size_t i = 0; i < m_server.slotTable().size(); ++i) {
        if (m_server.slotTable()[i].running) {
            busy.push_back(static_cast<int>(i));
        }
    }
    if (busy.empty()) {
        return;
    }
    const int slot = busy.at(which % busy.size());
    const Server::Slot &shown = m_server.slotTable().at(static_cast<std::size_t>(slot));
    const Task task = *shown.running;
    const auto found = std::find_if(
        m_calls.begin(), m_calls.end(), [&](const auto &entry) { return entry.second.task == task.id; });
    qint64 held = task.promptTokens;
    StreamId stream = task.stream;
    if (found != m_calls.end()) {
        const Call &call = found->second;
        held = call.heldTokens;
        if (task.abandoned) {
            const qint64 rung
                = grid(call.family, static_cast<int>(dice % static_cast<quint32>(call.rung + 1)));
            if (rung > shown.cached && rung < task.promptTokens && dice % 3 != 0) {
                held = rung; // not even the prompt was processed
            } else {
                stream = m_streams.add(m_streams.owner(stream), stream, task.promptTokens);
            }
        }
    }
    say(QStringLiteral("slot %1 comes to an end with %2 tokens%3")
            .arg(slot)
            .arg(held)
            .arg(task.abandoned ? u" (abandoned)" : u""));
    m_server.finish(slot, held, stream, m_now.monoMs);
    collect();
    if (!m_server.alive()) {
        processGone(false);
    }
}

void World::breathe()
{
    for (int round = 0; round < 400 && (!m_travelling.empty() || !m_replies.empty()); ++round) {
        while (!m_travelling.empty()) {
            arriveOne(0);
        }
        if (!m_replies.empty()) {
            deliverOne(0);
        }
    }
}

void World::drain(quint32 dice)
{
    for (int round = 0; round < 12; ++round) {
        breathe();
        const auto &slots = m_server.slotTable();
        for (std::size_t i = 0; i < slots.size(); ++i) {
            finishOne(0, dice);
        }
        while (storeOne()) { }
    }
    breathe();
}

bool World::storeOne()
{
    const bool ok = m_failStores <= 0;
    m_failStores -= ok || m_database.idle() ? 0 : 1;
    const std::optional<Database::Answer> answer = m_database.writeOne(ok);
    if (!answer) {
        return false;
    }
    say(QStringLiteral("the database answers %1: %2").arg(answer->seq).arg(answer->ok));
    if (answer->ok) {
        handle(StoreDone { answer->seq });
    } else {
        handle(StoreFailed { answer->seq, Error { ErrorCode::MetadataIo, QStringLiteral("disk full"), {} } });
    }
    return true;
}

void World::processGone(bool travellersToo)
{
    for (auto &[task, sent] : m_ops) {
        const bool travels = std::find(m_travelling.begin(), m_travelling.end(), task) != m_travelling.end();
        if (sent.done || !changesSlot(sent.op.kind) || (travels && !travellersToo)) {
            continue;
        }
        sent.done = true;
        std::erase(m_travelling, task);
        loseOp(sent, OpFailure::ConnectionLost);
    }
    for (auto &[id, call] : m_calls) {
        const bool travels = call.phase == Call::Phase::Travelling && travellersToo;
        if (call.phase == Call::Phase::InServer || travels) {
            std::erase(m_travelling, call.task);
            call.failed = true;
            call.phase = Call::Phase::Replied;
            m_replies.push_back({ 0, {}, id, {}, {}, m_incarnation });
        }
    }
}

void World::failOp(const Step &step)
{
    std::vector<quint64> open;
    std::copy_if(m_travelling.begin(), m_travelling.end(), std::back_inserter(open),
        [&](quint64 task) { return m_ops.contains(task) && m_ops.at(task).op.kind != OpKind::DeleteFile; });
    if (open.empty()) {
        return;
    }
    const quint64 task = open.at(step.dice[0] % open.size());
    std::erase(m_travelling, task);
    SentOp &sent = m_ops.at(task);
    sent.done = true;
    say(QStringLiteral("op %1 fails").arg(sent.op.id));
    OpFailure failure = c_failures.at(step.dice[1] % c_failures.size());
    if (sent.op.kind == OpKind::CheckFile) {
        failure = OpFailure::ServerError;
    }
    loseOp(sent, failure);
}

void World::breakConnection(const Step &step)
{
    std::vector<quint64> open;
    for (const auto &[task, sent] : m_ops) {
        // What reached a new process blindly came through a proxy, which drops it with its connection; a
        // server of its own is not ready again in the milliseconds between a look and the operation after it.
        if (!sent.answered && !sent.blind && sent.incarnation == m_incarnation && changesSlot(sent.op.kind)) {
            open.push_back(task);
        }
    }
    if (open.empty()) {
        return;
    }
    SentOp &sent = m_ops.at(open.at(step.dice[0] % open.size()));
    say(QStringLiteral("the connection of op %1 breaks").arg(sent.op.id));
    if (std::erase(m_travelling, sent.task) > 0) {
        sent.done = true; // it never got there
    }
    loseOp(sent, OpFailure::ConnectionLost);
}

void World::loseReply(const Step &step)
{
    std::vector<quint64> open;
    for (const Reply &reply : m_replies) {
        if (reply.task != 0 && changesSlot(reply.op.kind)) {
            open.push_back(reply.task);
        }
    }
    if (!open.empty()) {
        loseOp(m_ops.at(open.at(step.dice[0] % open.size())), OpFailure::ConnectionLost);
    }
}

void World::forgetOps()
{
    std::erase_if(m_ops, [&](const auto &entry) {
        const SentOp &sent = entry.second;
        return sent.done && (sent.answered || sent.incarnation != m_incarnation)
            && std::none_of(m_replies.begin(), m_replies.end(),
                [&](const Reply &reply) { return reply.task == sent.task; });
    });
    std::erase_if(m_calls, [&](const auto &entry) {
        return entry.second.phase == Call::Phase::Over && !m_server.holds(entry.second.task);
    });
}

} // namespace kv::sim
