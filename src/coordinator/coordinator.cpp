// SPDX-License-Identifier: MIT
#include "coordinator.h"

#include "eventname.h"

#include <algorithm>

namespace kv {

namespace {
constexpr std::size_t c_revokedKept = 64;
constexpr std::size_t c_epochsKept = 256;
}

Coordinator::Coordinator(Policy policy, InitialState initial)
    : m_policy(std::move(policy))
    , m_names(initial.highWater)
    , m_breaker(m_policy.maxConsecutiveFailures, m_policy.cooldownMs)
    , m_nudgeBuilds(std::move(initial.nudgeBuilds))
    , m_day(initial.day)
    , m_bytesToday(initial.bytesToday)
{
    for (const auto &[hash, text] : initial.proofs) {
        m_proofs.emplace(hash, ReuseProof::fromText(text));
    }
    for (const auto &[hash, text] : initial.rates) {
        m_keptRates.emplace(hash, ratesFromText(text));
    }
    std::stable_sort(initial.snapshots.begin(), initial.snapshots.end(),
        [](const Snapshot &a, const Snapshot &b) { return a.usedSeq < b.usedSeq; });
    for (const Snapshot &row : initial.snapshots) {
        m_names.hold(row.name);
        if (!m_policy.sharedFiles) {
            m_room.remember(row.name, row.bytes);
        }
        m_useSeq = std::max(m_useSeq, row.usedSeq + 1);
        for (const Snapshot &old : m_index.put(row)) {
            // Two rows of one state: a crash between a pointer move and the removal that goes with it.
            m_failedRemovals.push_back(old);
        }
    }
    for (const NameNumber number : initial.purgedFiles) {
        if (!m_names.isHeld(number)) { // else its row is still there: the purge was not answered
            m_names.hold(number);
            m_purged.emplace(number, QString());
            (initial.cleanStop ? m_toEmpty : m_restingPurged).insert(number);
        }
    }
    if (!initial.cleanStop) {
        m_names.restUnheld();
    }
    if (m_policy.mode == SlotMode::SingleSlot) {
        Slot slot;
        slot.key.id = m_policy.slotId;
        m_slots.emplace(slot.key, slot);
    }
}

Coordinator::~Coordinator() = default;

Effects Coordinator::handle(const Event &event, Instant now)
{
    m_now = now;
    m_effects.clear();
    std::visit([this](const auto &happened) { on(happened); }, event);
    pump();
    noteStates();
    scheduleWake();
    return std::move(m_effects);
}

void Coordinator::on(const OpFinished &event)
{
    const OpReply &reply = event.reply;
    if (reply.id == m_probeOp && m_probeOp != 0) {
        probeReply(reply);
        return;
    }
    if (reply.id == m_serverLook && m_serverLook != 0) {
        m_serverLook = 0;
        if (reply.failure == OpFailure::None) {
            observe(reply.identity, restOf(reply), 0);
        }
        if (reply.failure == OpFailure::None && reply.slotsListed && !reply.slotList.empty()) {
            m_sleeping = false;
            syncSlots(reply.slotList);
            return;
        }
        const QString why = reply.failure != OpFailure::None ? reply.message : reply.slotsMessage;
        const OpFailure failure = reply.failure != OpFailure::None ? reply.failure : reply.slotsFailure;
        if (failure == OpFailure::Unsupported) {
            m_unsupported = why;
        } else if (failure != OpFailure::ConnectionRefused) {
            countFailure(why);
        }
        m_trouble = why;
        giveUpAll(why);
        return;
    }
    if (Slot *slot = slotOfOp(reply.id)) {
        jobReply(*slot, reply);
        return;
    }
    lateReply(reply);
}

void Coordinator::on(const ConfigChanged &event)
{
    const bool restart = event.policy.mode != m_policy.mode || event.policy.slotId != m_policy.slotId;
    m_policy = event.policy;
    m_breaker.configure(m_policy.maxConsecutiveFailures, m_policy.cooldownMs);
    if (m_policy.sharedFiles) {
        m_unfreed.merge(m_toEmpty); // deleted instead
        m_toEmpty.clear();
        m_purged.clear();
    }
    if (!restart || m_policy.mode != SlotMode::SingleSlot) {
        return;
    }
    const SlotKey only { {}, m_policy.slotId };
    m_slots[only].key = only;
    for (auto &[key, slot] : m_slots) {
        slot.retired = key != only;
        if (slot.retired) {
            dropOwner(slot, QStringLiteral("the slot is no longer configured"));
        }
    }
}

void Coordinator::on(const Paused &event)
{
    m_paused = true;
    m_pausedUntilMs = event.forMs < 0 ? -1 : m_now.monoMs + event.forMs;
    notice(eventname::persistencePaused).reason = QStringLiteral("by hand");
}

void Coordinator::on(const Resumed &)
{
    // By hand: what was found not to work is tried again.
    bool tried = false;
    for (auto &[hash, proof] : m_proofs) {
        tried = tried || proof.isBroken() || proof.restoresStopped();
        proof.reset();
    }
    m_wrongBases.clear();
    m_leftFails.clear();
    if (tried && !m_paused) {
        notice(eventname::persistenceResumed);
    }
    resume();
}

void Coordinator::resume()
{
    if (m_paused) {
        m_paused = false;
        m_pausedUntilMs = -1;
        notice(eventname::persistenceResumed);
    }
}

void Coordinator::on(const TimerFired &)
{
    if (m_paused && m_pausedUntilMs >= 0 && m_now.monoMs >= m_pausedUntilMs) {
        resume();
    }
    for (auto &[key, slot] : m_slots) {
        if (slot.job && slot.job->op.id != 0 && m_now.monoMs >= slot.job->op.deadlineMonoMs) {
            opOverdue(slot, false);
        }
    }
    if (m_probeOp != 0 && m_now.monoMs >= m_probeDeadlineMs) {
        OpReply silent;
        silent.failure = OpFailure::ServerError;
        silent.message = QStringLiteral("the server did not answer the probe in time");
        probeReply(silent);
    }
    if (m_serverLook != 0 && m_now.monoMs >= m_serverLookDeadlineMs) {
        m_serverLook = 0;
        const QString why = QStringLiteral("the server did not list its slots in time");
        countFailure(why);
        giveUpAll(why);
    }
    if (m_breaker.probeDueMs() >= 0 && m_now.monoMs >= m_breaker.probeDueMs() && !m_shutdown) {
        m_breaker.probeStarted();
        if (m_sleeping) {
            // Invariant 12: nobody is woken to be asked.
            if (m_breaker.probeFinished(true, m_now.monoMs)) {
                notice(eventname::circuitRecovered);
            }
            return;
        }
        Op op;
        op.id = m_probeOp = m_nextOp++;
        op.kind = OpKind::Probe;
        op.deadlineMonoMs = m_probeDeadlineMs = m_now.monoMs + m_policy.requestTimeoutMs;
        emitEffect(StartOp { op });
    }
}

void Coordinator::on(const Shutdown &event)
{
    m_shutdown = true;
    m_shutdownDeadlineMs = event.deadlineMonoMs;
    const QString why = QStringLiteral("kv-persist is stopping; go on without it.");
    while (!m_waiters.empty()) {
        const Waiter waiter = m_waiters.front();
        m_waiters.pop_front();
        refuse(waiter, ErrorCode::Cancelled, why, false);
    }
    for (auto &[key, slot] : m_slots) {
        if (slot.job && slot.job->waiter && !slot.job->cancelled) {
            refuse(*slot.job->waiter, ErrorCode::Cancelled, why, false);
            detachWaiter(slot);
        }
    }
    for (auto &[key, slot] : m_slots) {
        if (slot.owner && slot.owner->needsSave() && slot.lease == 0 && m_policy.onShutdown) {
            requestSave(slot, SaveReason::Shutdown, m_now.monoMs);
        }
    }
}

Notice &Coordinator::notice(QStringView name, const Slot *slot)
{
    Notice made;
    made.name = name.toString();
    if (slot != nullptr) {
        made.slot = slot->key;
        if (slot->owner) {
            made.session = slot->owner->session;
            made.label = slot->owner->label;
            made.provider = slot->owner->provider;
            made.model = slot->owner->model;
        }
    }
    m_effects.emplace_back(Emit { std::move(made) });
    return std::get<Emit>(m_effects.back()).notice;
}

void Coordinator::pump()
{
    sweepNames();
    retryRemovals();
    keepNumbersAhead();
    grantOverdueWaiters();
    pumpBookings();
    if (!m_shutdown) {
        serveWaiters();
    }
    checkForgottenLeases();
    pumpCheckpoints();
    pumpNudge();
    pumpEmptyings();
    pumpFlush();
    if (m_shutdown) {
        pumpShutdown();
    }
    sweepNames();
    std::erase_if(m_slots, [](const auto &entry) {
        const Slot &slot = entry.second;
        return slot.retired && slot.lease == 0 && slot.foreign == 0 && !slot.job && slot.late.empty();
    });
    while (m_revoked.size() > c_revokedKept) {
        m_revoked.erase(m_revoked.begin());
    }
    if (m_epochs.size() > c_epochsKept && m_commits.empty() && !hasOwner()) {
        m_epochs.clear(); // nobody is left who could be of an older one
    }
}

void Coordinator::serveWaiters()
{
    // One queue a server: each freed slot takes the first waiter that it can serve. A lease given on the way
    // may be one that an earlier waiter must not wait for, as it is of its own session: then all are asked
    // again.
    for (LeaseId before = 0; before != m_nextLease;) {
        before = m_nextLease;
        std::deque<Waiter> waiting;
        waiting.swap(m_waiters);
        while (!waiting.empty()) {
            const Waiter waiter = std::move(waiting.front());
            waiting.pop_front();
            if (!serve(waiter)) {
                m_waiters.push_back(waiter);
            }
        }
        // Jobs that ended within serve() may have put their waiter back.
        std::stable_sort(m_waiters.begin(), m_waiters.end(),
            [](const Waiter &a, const Waiter &b) { return a.order < b.order; });
    }
}

void Coordinator::noteStates()
{
    for (auto &[key, slot] : m_slots) {
        const SlotState state = stateOf(slot);
        const auto shown = m_shownStates.find(key);
        if (shown == m_shownStates.end() || shown->second != state) {
            m_shownStates[key] = state;
            Notice &changed = notice(eventname::slotState, &slot);
            changed.outcome = toString(state);
            changed.tokens = slot.tokens.value_or(-1);
            changed.debug = true;
        }
    }
}

void Coordinator::scheduleWake()
{
    const qint64 wake = nextWakeMs();
    if (wake != m_wakeMs) {
        m_wakeMs = wake;
        emitEffect(WakeAt { wake });
    }
}

quint64 Coordinator::epochOf(const QString &session) const
{
    const auto found = m_epochs.find(session);
    return found == m_epochs.end() ? 0 : found->second;
}

Slot *Coordinator::slotOf(const SlotKey &key)
{
    const auto found = m_slots.find(key);
    return found == m_slots.end() ? nullptr : &found->second;
}

Slot *Coordinator::slotOfOp(OpId op)
{
    for (auto &[key, slot] : m_slots) {
        if (slot.job && slot.job->op.id == op && op != 0) {
            return &slot;
        }
    }
    return nullptr;
}

Slot *Coordinator::ownedSlot(const QString &session)
{
    for (auto &[key, slot] : m_slots) {
        if (slot.ownedBy(session)) {
            return &slot;
        }
    }
    return nullptr;
}

const Slot *Coordinator::ownedSlot(const QString &session) const
{
    for (const auto &[key, slot] : m_slots) {
        if (slot.ownedBy(session)) {
            return &slot;
        }
    }
    return nullptr;
}

bool Coordinator::sessionActive(const QString &session) const
{
    const auto ofSession
        = [&](const auto &entry) { return entry.second.session == session && !entry.second.auxiliary; };
    if (std::any_of(m_leases.begin(), m_leases.end(), ofSession)) {
        return true;
    }
    const auto waits
        = [&](const Waiter &waiter) { return waiter.begin.session == session && !waiter.isAuxiliary(); };
    if (std::any_of(m_waiters.begin(), m_waiters.end(), waits)) {
        return true;
    }
    return std::any_of(m_slots.begin(), m_slots.end(), [&](const auto &entry) {
        return entry.second.job && entry.second.job->waiter && waits(*entry.second.job->waiter);
    });
}

bool Coordinator::hasOwner() const
{
    return std::any_of(
        m_slots.begin(), m_slots.end(), [](const auto &entry) { return entry.second.owner.has_value(); });
}

} // namespace kv
