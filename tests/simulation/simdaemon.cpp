// SPDX-License-Identifier: MIT
// The world as the daemon's shell: events in, effects out, timers, the watcher, and the daemon's own death.
#include "simworld.h"

#include <QDebug>

#include <algorithm>

namespace kv::sim {

namespace {
constexpr qint64 c_lookMs = 2000;
constexpr qint64 c_travelMs = 50;
constexpr std::array c_outcomes { Outcome::Resident, Outcome::Restored, Outcome::Based, Outcome::Cold,
    Outcome::ColdFallback, Outcome::Auxiliary, Outcome::Bypass };
constexpr int c_mostRounds = 20000;
constexpr quint64 c_prime = 1099511628211ULL;
constexpr quint32 c_recordedEvery = 8;

quint64 mixed(quint64 sum, const QString &text)
{
    for (const QChar c : text) {
        sum = (sum ^ c.unicode()) * c_prime;
    }
    return sum;
}

/// Everything in an effect but wall times.
quint64 mixed(quint64 sum, const Effect &effect)
{
    const auto add = [&](auto... values) { ((sum = (sum ^ static_cast<quint64>(values)) * c_prime), ...); };
    add(effect.index());
    if (const auto *start = std::get_if<StartOp>(&effect)) {
        add(start->op.id, start->op.kind, start->op.slot.id, start->op.name, start->op.mayWake,
            start->op.deadlineMonoMs);
    } else if (const auto *grant = std::get_if<Grant>(&effect)) {
        add(grant->request, grant->outcome, grant->lease, grant->slot.id, grant->tokens);
    } else if (const auto *refuse = std::get_if<Refuse>(&effect)) {
        add(refuse->request, refuse->error.code);
    } else if (const auto *answer = std::get_if<Answer>(&effect)) {
        add(answer->request, answer->result.ok());
    } else if (const auto *store = std::get_if<Store>(&effect)) {
        add(store->command.seq, store->command.kind, store->command.number, store->command.snapshot.name,
            store->command.snapshot.tokens, store->command.snapshot.state);
        sum = mixed(sum, store->command.snapshot.session);
    } else if (const auto *wake = std::get_if<WakeAt>(&effect)) {
        add(wake->monoMs);
    } else if (const auto *emitted = std::get_if<Emit>(&effect)) {
        sum = mixed(mixed(sum, emitted->notice.name), emitted->notice.reason);
    }
    return sum;
}

} // namespace

World::World(const Setup &setup, Sabotage sabotage)
    : m_setup(setup)
    , m_sabotage(sabotage)
    , m_server(setup.manners, m_streams, *this)
    , m_rules(*this)
    , m_policy(setup.policy)
    , m_conversations(static_cast<std::size_t>(setup.sessions))
{
    m_server.lies = sabotage == Sabotage::ModelNotTold;
    m_database.forgetsRemovals = sabotage == Sabotage::PurgeForgotten;
    m_database.losesWhatFails = sabotage == Sabotage::RowLostOnFailure;
    m_database.saysDoneTooSoon = sabotage == Sabotage::CommitLost;
    m_recording = setup.seed % c_recordedEvery == 0 || sabotage == Sabotage::EventForgotten;
    m_nextWatchMs = m_now.monoMs + c_lookMs;
    build(true);
    handle(observation());
}

World::~World() = default;

void Tally::add(const Tally &other)
{
    for (std::size_t i = 0; i < grants.size(); ++i) {
        grants.at(i) += other.grants.at(i);
    }
    refusals += other.refusals;
    rows += other.rows;
    deferred += other.deferred;
    lateAnswers += other.lateAnswers;
    lostAnswers += other.lostAnswers;
    crashes += other.crashes;
    restarts += other.restarts;
    wakes += other.wakes;
}

QString Tally::text() const
{
    QString text;
    for (const Outcome outcome : c_outcomes) {
        text += QStringLiteral("%1 %2, ")
                    .arg(toString(outcome))
                    .arg(grants.at(static_cast<std::size_t>(outcome)));
    }
    return text
        + QStringLiteral("refused %1, rows %2, deferred actions %3, late answers %4, lost %5, crashes %6, "
                         "restarts %7, wakes %8")
              .arg(refusals)
              .arg(rows)
              .arg(deferred)
              .arg(lateAnswers)
              .arg(lostAnswers)
              .arg(crashes)
              .arg(restarts)
              .arg(wakes);
}

bool Tally::complete() const
{
    return refusals > 0 && rows > 0 && deferred > 0 && lateAnswers > 0 && lostAnswers > 0 && crashes > 0
        && restarts > 0 && wakes > 0
        && std::all_of(c_outcomes.begin(), c_outcomes.end(),
            [&](Outcome outcome) { return grants.at(static_cast<std::size_t>(outcome)) > 0; });
}

void World::say(const QString &text) const
{
    if (m_narrating) {
        qInfo().noquote() << QStringLiteral("%1 @%2").arg(m_step, 4).arg(m_now.monoMs % 10'000'000) << text;
    }
}

void World::build(bool cleanStop)
{
    m_initial = m_database.state(cleanStop);
    m_initialPolicy = m_policy;
    m_recorded.clear();
    m_recordedDigest = 0;
    m_wakeMs = -1;
    m_shutdownDone = false;
    m_coordinator = std::make_unique<Coordinator>(m_policy, m_initial);
}

void World::handle(const Event &event)
{
    Instant at = m_now;
    if (m_sabotage == Sabotage::WallIsMono) {
        at.monoMs += m_wallJump;
    }
    if (m_recording) {
        m_recorded.push_back({ event, at });
    }
    const Effects effects = m_coordinator->handle(event, at);
    std::size_t carriedOut = effects.size();
    const bool dies = m_crashAfter >= 0 && m_crashAfter <= static_cast<int>(effects.size());
    if (dies) {
        carriedOut = static_cast<std::size_t>(m_crashAfter);
    } else if (m_crashAfter >= 0) {
        m_crashAfter -= static_cast<int>(effects.size());
    }
    for (const Effect &effect : effects) {
        m_recordedDigest = m_recording ? mixed(m_recordedDigest, effect) : 0;
    }
    for (std::size_t i = 0; i < carriedOut; ++i) {
        m_digest = mixed(m_digest, effects[i]);
        take(effects[i]);
    }
    if (dies) {
        m_crashAfter = -1;
        crash(m_crashStep);
    }
}

void World::take(const Effect &effect)
{
    if (const auto *start = std::get_if<StartOp>(&effect)) {
        takeOp(start->op);
    } else if (const auto *grant = std::get_if<Grant>(&effect)) {
        takeGrant(*grant);
    } else if (const auto *refuse = std::get_if<Refuse>(&effect)) {
        for (auto &[id, call] : m_calls) {
            if (call.begun.request == refuse->request && call.phase == Call::Phase::Waiting) {
                say(QStringLiteral("  call %1 is refused").arg(id));
                ++m_tally.refusals;
                call.phase = Call::Phase::Over;
            }
        }
    } else if (const auto *answer = std::get_if<Answer>(&effect)) {
        m_manuals.erase(answer->request);
    } else if (const auto *store = std::get_if<Store>(&effect)) {
        say(QStringLiteral("  store %1: kind %2, %3, file %4, %5 tokens")
                .arg(store->command.seq)
                .arg(static_cast<int>(store->command.kind))
                .arg(store->command.snapshot.session)
                .arg(store->command.snapshot.name)
                .arg(store->command.snapshot.tokens));
        if (store->command.kind == StoreCommand::Kind::PutSnapshot) {
            ++m_tally.rows;
            m_rules.rowEmitted(store->command.snapshot);
        }
        m_database.enqueue(store->command);
    } else if (const auto *wake = std::get_if<WakeAt>(&effect)) {
        m_wakeMs = wake->monoMs - (m_sabotage == Sabotage::WallIsMono && wake->monoMs >= 0 ? m_wallJump : 0);
    } else if (const auto *emitted = std::get_if<Emit>(&effect)) {
        if (m_narrating) {
            const Notice &notice = emitted->notice;
            say(QStringLiteral("  %1 slot %2 %3 %4 %5")
                    .arg(notice.name)
                    .arg(notice.slot.id)
                    .arg(notice.session, notice.outcome, notice.reason));
        }
    } else {
        m_shutdownDone = true;
    }
}

void World::takeOp(Op op)
{
    SentOp sent;
    if (m_sabotage == Sabotage::NameTwice && op.kind == OpKind::Save && op.id % 5 == 0) {
        op.name = 0;
    }
    if (m_sabotage == Sabotage::WrongSlot && op.kind == OpKind::Restore) {
        op.slot.id += m_setup.manners.slots;
    }
    if (m_sabotage == Sabotage::WakesAtWill) {
        op.mayWake = true;
    }
    sent.op = op;
    sent.task = m_nextTask++;
    sent.incarnation = m_incarnation;
    sent.boot = m_server.boot();
    sent.blind = m_coordinator->identity().boot != m_server.identity().boot;
    for (const Snapshot &row : m_database.rows()) {
        if (sent.blind && !row.base && op.kind == OpKind::Restore && row.name == op.name) {
            // What another model's process answers counts against it, at worst twice.
            m_rules.excused(row.session);
        }
    }
    sent.order = m_order++;
    sent.userWaited
        = !m_manuals.empty() || std::any_of(m_calls.begin(), m_calls.end(), [](const auto &entry) {
              const Call &call = entry.second; // a running request that was taken up waits for its answer too
              return call.coordinated && call.phase != Call::Phase::Over && !call.grant;
          });
    say(QStringLiteral("  op %1 %2 slot %3 file %4 (task %5)")
            .arg(op.id)
            .arg(toString(op.kind))
            .arg(op.slot.id)
            .arg(op.name)
            .arg(sent.task));
    m_rules.opStarted(sent);
    m_travelling.push_back(sent.task);
    const quint64 task = sent.task;
    m_ops.emplace(task, std::move(sent));
    if (m_sabotage == Sabotage::EarlyAnswers && changesSlot(op.kind) && op.kind != OpKind::Save) {
        OpReply early;
        early.tokens = op.expectedTokens;
        early.bytes = op.expectedBytes;
        answerOp(m_ops.at(task), early);
    }
}

void World::takeGrant(Grant grant)
{
    for (auto &[id, call] : m_calls) {
        if (call.begun.request != grant.request || call.phase == Call::Phase::Over) {
            continue;
        }
        if (m_sabotage == Sabotage::GrantLost && id % 5 == 0) {
            return;
        }
        say(QStringLiteral("  call %1 of %2 is granted slot %3: %4 (lease %5) %6")
                .arg(id)
                .arg(call.begun.session)
                .arg(grant.slot.id)
                .arg(toString(grant.outcome))
                .arg(grant.lease)
                .arg(grant.reason));
        ++m_tally.grants.at(static_cast<std::size_t>(grant.outcome));
        call.grant = std::move(grant);
        if (m_sabotage == Sabotage::BaseAsOwn && call.grant->outcome == Outcome::Based) {
            call.grant->outcome = Outcome::Restored;
        }
        call.order = m_order++;
        m_rules.granted(call, call.order);
        if (call.phase == Call::Phase::Waiting) {
            send(call);
        }
        return;
    }
}

Event World::observation() const
{
    if (!m_server.alive()) {
        return ServerLost { true, QStringLiteral("nobody listens") };
    }
    return ServerObserved { m_server.identity(), m_server.sleeping(), m_setup.manners.slots };
}

void World::advance(qint64 ms)
{
    // What was sent to the server is there after some milliseconds, however long its answer may take.
    while (ms > c_travelMs) {
        const auto op = std::find_if(
            m_travelling.begin(), m_travelling.end(), [&](quint64 task) { return m_ops.contains(task); });
        if (op == m_travelling.end()) {
            break;
        }
        arriveOne(static_cast<std::size_t>(op - m_travelling.begin()));
    }
    const qint64 target = m_now.monoMs + ms;
    const auto moveTo = [&](qint64 at) {
        const qint64 by = std::max<qint64>(0, at - m_now.monoMs);
        m_now.monoMs += by;
        m_now.wallMs += by;
    };
    for (int round = 0; round < c_mostRounds; ++round) {
        const bool wake = m_wakeMs >= 0 && m_wakeMs <= target;
        const bool watch = m_nextWatchMs <= target;
        if (!wake && !watch) {
            moveTo(target);
            return;
        }
        if (wake && (!watch || m_wakeMs <= m_nextWatchMs)) {
            moveTo(m_wakeMs);
            m_wakeMs = -1;
            handle(TimerFired {});
        } else {
            moveTo(m_nextWatchMs);
            m_nextWatchMs = m_now.monoMs + c_lookMs;
            if (m_coordinator->hasOwner()) {
                handle(observation());
            }
        }
    }
    m_rules.report(u"S9", QStringLiteral("the timer never rests"));
}

void World::crash(const Step &step)
{
    const std::size_t waiting = m_database.queue().size();
    m_database.crash(waiting == 0 ? 0 : step.dice[1] % (waiting + 1));
    say(QStringLiteral("the daemon dies"));
    ++m_tally.crashes;
    ++m_incarnation;
    m_manuals.clear();
    std::erase_if(m_replies, [](const Reply &reply) { return reply.call == 0; });
    for (auto &[task, sent] : m_ops) {
        if (!sent.arrived) {
            sent.done = true; // it had not left
        }
        if (sent.op.kind == OpKind::CheckFile || sent.op.kind == OpKind::DeleteFile
            || !changesSlot(sent.op.kind)) {
            sent.done = true;
        }
    }
    std::erase_if(m_travelling, [&](quint64 task) { return m_ops.contains(task); });
    m_rules.newDaemon();
    build(false);
    clientsReconnect(step);
}

void World::stopDaemon(const Step &step)
{
    if (m_shutdownDone || m_crashAfter >= 0) {
        return;
    }
    handle(Shutdown { m_now.monoMs + 3000 });
    for (int round = 0; round < 60 && !m_shutdownDone; ++round) {
        breathe();
        while (storeOne()) { }
        advance(100);
    }
    say(QStringLiteral("the daemon stops"));
    while (storeOne()) { }
    // What it asked the server for and has no answer to may still be done: then the stop was not clean.
    const bool clean = std::all_of(m_ops.begin(), m_ops.end(), [&](const auto &entry) {
        const SentOp &sent = entry.second;
        return sent.incarnation != m_incarnation || sent.op.name < 0 || sent.answered;
    });
    ++m_incarnation;
    m_manuals.clear();
    std::erase_if(m_replies, [](const Reply &reply) { return reply.call == 0; });
    for (auto &[task, sent] : m_ops) {
        sent.done = sent.done || !sent.arrived || !changesSlot(sent.op.kind);
    }
    std::erase_if(m_travelling, [&](quint64 task) { return m_ops.contains(task); });
    m_rules.newDaemon();
    build(clean);
    clientsReconnect(step);
}

void World::clientsReconnect(const Step &step)
{
    m_connection += 3;
    handle(observation());
    for (auto &[id, call] : m_calls) {
        call.grant.reset();
        if (!call.coordinated || call.phase == Call::Phase::Over) {
            continue;
        }
        if (call.phase == Call::Phase::Waiting) {
            call.coordinated = false; // no daemon at all is always fail-open
            send(call);
        } else if ((step.dice[2] >> (id % 16)) % 4 != 0) {
            call.begun.request = m_nextRequest++;
            call.begun.connection = m_connection;
            call.begun.running = true;
            handle(call.begun);
        } else {
            call.coordinated = false;
        }
    }
}

void World::checkReplay()
{
    if (!m_recording) {
        return;
    }
    Coordinator again(m_initialPolicy, m_initial);
    quint64 digest = 0;
    std::size_t index = 0;
    for (const Recorded &recorded : m_recorded) {
        if (m_sabotage == Sabotage::EventForgotten && ++index == m_recorded.size() / 2) {
            continue;
        }
        for (const Effect &effect : again.handle(recorded.event, recorded.at)) {
            digest = mixed(digest, effect);
        }
    }
    m_rules.replayed(digest == m_recordedDigest);
}

} // namespace kv::sim
