// SPDX-License-Identifier: MIT
#include "coordinatorharness.h"

#include <algorithm>

namespace kv::test {

namespace {
constexpr qint64 c_watchMs = 2000;
constexpr int c_mostRounds = 2000;
}

Policy CoordinatorHarness::defaultPolicy()
{
    Policy policy;
    policy.server = u"test"_qs;
    policy.minTokens = -1;
    return policy;
}

Policy CoordinatorHarness::managedPolicy()
{
    Policy policy = defaultPolicy();
    policy.mode = SlotMode::ManagedSlots;
    return policy;
}

CoordinatorHarness::CoordinatorHarness(Policy policy, int slotCount, InitialState initial)
    : server(slotCount)
{
    m_rows = initial.snapshots;
    coordinator = std::make_unique<Coordinator>(std::move(policy), std::move(initial));
    m_nextWatchMs = m_now.monoMs + c_watchMs;
    observe();
}

RequestId CoordinatorHarness::begin(QStringView session, const Tweak &tweak)
{
    BeginRequest event;
    event.request = m_nextRequest++;
    event.connection = connection;
    event.session = session.toString();
    event.provider = u"provider"_qs;
    event.model = u"model"_qs;
    event.call = u"call-%1"_qs.arg(event.request);
    event.pins = true; // else with several slots each request is looked for when it has ended
    if (tweak) {
        tweak(event);
    }
    m_asked.insert(event.request);
    m_begun[event.request] = event;
    trace(u"begin %1 of %2 %3"_qs.arg(event.request).arg(event.session, event.purpose));
    send(event);
    return event.request;
}

RequestId CoordinatorHarness::auxiliary(QStringView session, const Tweak &tweak)
{
    return begin(session, [&](BeginRequest &event) {
        event.purpose = u"title"_qs;
        if (tweak) {
            tweak(event);
        }
    });
}

RequestId CoordinatorHarness::end(
    RequestId begun, EndOutcome outcome, qint64 tokens, std::optional<bool> more, qint64 cached)
{
    EndRequest event;
    event.request = m_nextRequest++;
    const BeginRequest &begin = m_begun.at(begun);
    event.connection = begin.connection;
    event.outcome = outcome;
    event.more = more;
    if (tokens >= 0) {
        event.usage.completionTokens = 11;
        event.usage.promptTokens = tokens - 10;
        event.usage.cachedTokens = cached;
    }
    if (m_grants.contains(begun)) {
        event.lease = m_grants.at(begun).lease;
        m_live.erase(event.lease);
    } else {
        event.call = begin.call;
    }
    if (outcome != EndOutcome::Ok && sawAnswers) {
        event.timings.firstChunkMs = 100;
    }
    m_asked.insert(event.request);
    trace(u"end of %1, outcome %2, lease %3"_qs.arg(begun).arg(static_cast<int>(outcome)).arg(event.lease));
    send(event);
    return event.request;
}

QString CoordinatorHarness::turn(
    QStringView session, qint64 tokens, std::optional<bool> more, const Tweak &tweak)
{
    const RequestId request = begin(session, tweak);
    if (!granted(request)) {
        violation(u"turn(): not granted at once"_qs);
        return u"not granted"_qs;
    }
    const Grant grant = grantOf(request);
    const bool own = grant.outcome != Outcome::Auxiliary;
    server.infer(std::max(0, grant.slot.id), own ? session.toString() : u"(aux)"_qs, tokens);
    end(request, EndOutcome::Ok, tokens, more);
    return toString(grant.outcome);
}

RequestId CoordinatorHarness::manual(ManualRequest::Kind kind, QStringView session, int slot)
{
    ManualRequest event;
    event.request = m_nextRequest++;
    event.connection = connection;
    event.kind = kind;
    event.session = session.toString();
    event.slot.id = slot;
    m_asked.insert(event.request);
    m_manualConnections[event.request] = connection;
    m_manuals[event.request] = u"manual %1 of %2"_qs.arg(static_cast<int>(kind)).arg(event.session);
    send(event);
    return event.request;
}

void CoordinatorHarness::hint(QStringView session, HintType type)
{
    SessionHint event;
    event.session = session.toString();
    event.type = type;
    send(event);
}

void CoordinatorHarness::clientGone(ConnectionId gone)
{
    for (const auto &[request, begun] : m_begun) {
        if (begun.connection == gone) {
            if (m_grants.contains(request)) {
                m_live.erase(m_grants.at(request).lease);
            } else {
                m_asked.erase(request); // nobody is left to be answered
            }
        }
    }
    for (const auto &[request, asker] : m_manualConnections) {
        if (asker == gone && answersTo(request) == 0) {
            m_asked.erase(request);
        }
    }
    send(ClientGone { gone });
}

void CoordinatorHarness::shutdown(qint64 withinMs) { send(Shutdown { m_now.monoMs + withinMs }); }

void CoordinatorHarness::observe()
{
    if (!server.alive) {
        send(ServerLost { true, u"nobody listens"_qs });
        return;
    }
    send(ServerObserved { server.identity(), server.sleeping, static_cast<int>(server.contents.size()) });
}

void CoordinatorHarness::advance(qint64 ms)
{
    const qint64 target = m_now.monoMs + ms;
    for (int round = 0; round < c_mostRounds * 50; ++round) {
        const bool wake = m_wakeMs >= 0 && m_wakeMs <= target;
        const bool watch = watching && m_nextWatchMs <= target;
        if (!wake && !watch) {
            m_now.wallMs += target - m_now.monoMs;
            m_now.monoMs = target;
            return;
        }
        const bool timer = wake && (!watch || m_wakeMs <= m_nextWatchMs);
        const qint64 next = std::max(m_now.monoMs, timer ? m_wakeMs : m_nextWatchMs);
        m_now.wallMs += next - m_now.monoMs;
        m_now.monoMs = next;
        if (timer) {
            m_wakeMs = -1;
            send(TimerFired {});
        } else {
            m_nextWatchMs = next + c_watchMs;
            if (coordinator->hasOwner()) {
                observe();
            }
        }
    }
    violation(u"advance(): the timer never rests"_qs);
}

void CoordinatorHarness::unhold(OpKind kind)
{
    m_held.erase(kind);
    settle();
}

std::optional<std::size_t> CoordinatorHarness::firstPending(OpKind kind) const
{
    for (std::size_t i = 0; i < m_pending.size(); ++i) {
        if (m_pending[i].op.kind == kind) {
            return i;
        }
    }
    return std::nullopt;
}

bool CoordinatorHarness::answer(OpKind kind)
{
    const auto index = firstPending(kind);
    if (index) {
        execute(*index);
        settle();
    }
    return index.has_value();
}

bool CoordinatorHarness::failOp(OpId id, OpFailure failure, bool executed)
{
    const auto at = std::find_if(
        m_pending.begin(), m_pending.end(), [id](const PendingOp &pending) { return pending.op.id == id; });
    if (at == m_pending.end()) {
        return false;
    }
    if (executed && at->boot == server.identity().boot) {
        (void)server.execute(at->op);
    }
    OpReply failed;
    failed.id = id;
    failed.kind = at->op.kind;
    // Only its own process could say anything else, and that is gone.
    failed.failure = at->boot == server.identity().boot ? failure : OpFailure::ConnectionLost;
    failed.message = u"failed: %1"_qs.arg(toString(failed.failure));
    deliver(static_cast<std::size_t>(at - m_pending.begin()), failed);
    settle();
    return true;
}

bool CoordinatorHarness::answerOp(OpId id)
{
    const auto at = std::find_if(
        m_pending.begin(), m_pending.end(), [id](const PendingOp &pending) { return pending.op.id == id; });
    if (at == m_pending.end()) {
        return false;
    }
    execute(static_cast<std::size_t>(at - m_pending.begin()));
    settle();
    return true;
}

bool CoordinatorHarness::reply(OpKind kind, OpFailure failure)
{
    const auto index = firstPending(kind);
    return index && failOp(m_pending[*index].op.id, failure, false);
}

bool CoordinatorHarness::loseReply(OpKind kind)
{
    const auto index = firstPending(kind);
    return index && failOp(m_pending[*index].op.id, OpFailure::ConnectionLost, true);
}

std::vector<Op> CoordinatorHarness::pendingOps() const
{
    std::vector<Op> ops;
    for (const PendingOp &pending : m_pending) {
        ops.push_back(pending.op);
    }
    return ops;
}

void CoordinatorHarness::restart()
{
    server.restart();
    m_seenIdle.clear();
}

void CoordinatorHarness::arriveInNewProcess()
{
    for (PendingOp &pending : m_pending) {
        pending.boot = server.identity().boot;
    }
}

int CoordinatorHarness::pending(OpKind kind) const
{
    return static_cast<int>(std::count_if(m_pending.begin(), m_pending.end(),
        [kind](const PendingOp &pending) { return pending.op.kind == kind; }));
}

void CoordinatorHarness::failNext(OpKind kind, OpFailure failure, int times)
{
    for (int i = 0; i < times; ++i) {
        m_failures[kind].push_back(failure);
    }
}

bool CoordinatorHarness::answerStore(bool ok)
{
    if (m_stores.empty()) {
        return false;
    }
    const StoreCommand command = m_stores.front();
    m_stores.pop_front();
    if (ok) {
        applyStore(command);
        handle(StoreDone { command.seq });
    } else {
        handle(StoreFailed { command.seq, Error { ErrorCode::MetadataIo, u"the disk is full"_qs, {} } });
    }
    settle();
    return true;
}

QString CoordinatorHarness::takeOps()
{
    const QString text = m_ops.join(u' ');
    m_ops.clear();
    return text;
}

Grant CoordinatorHarness::grantOf(RequestId request) const
{
    const auto found = m_grants.find(request);
    return found == m_grants.end() ? Grant {} : found->second;
}

QString CoordinatorHarness::outcomeOf(RequestId request) const
{
    return granted(request) ? toString(grantOf(request).outcome)
        : refused(request)  ? u"refused"_qs
                            : u"waits"_qs;
}

Refuse CoordinatorHarness::refusalOf(RequestId request) const
{
    const auto found = m_refusals.find(request);
    return found == m_refusals.end() ? Refuse {} : found->second;
}

std::optional<ManualAnswer> CoordinatorHarness::manualAnswer(RequestId request) const
{
    const auto found = m_answers.find(request);
    if (found == m_answers.end() || !found->second.result.ok()
        || !std::holds_alternative<ManualAnswer>(found->second.result.value())) {
        return std::nullopt;
    }
    return std::get<ManualAnswer>(found->second.result.value());
}

std::optional<EndAnswer> CoordinatorHarness::endAnswer(RequestId request) const
{
    const auto found = m_answers.find(request);
    if (found == m_answers.end() || !found->second.result.ok()
        || !std::holds_alternative<EndAnswer>(found->second.result.value())) {
        return std::nullopt;
    }
    return std::get<EndAnswer>(found->second.result.value());
}

QString CoordinatorHarness::errorOf(RequestId request) const
{
    if (const auto found = m_refusals.find(request); found != m_refusals.end()) {
        return errorCodeName(found->second.error.code);
    }
    const auto found = m_answers.find(request);
    return found == m_answers.end() || found->second.result.ok()
        ? QString()
        : errorCodeName(found->second.result.error().code);
}

int CoordinatorHarness::answersTo(RequestId request) const
{
    const auto found = m_answerCounts.find(request);
    return found == m_answerCounts.end() ? 0 : found->second;
}

QStringList CoordinatorHarness::notices(QStringView name) const
{
    QStringList reasons;
    for (const Notice &notice : m_notices) {
        if (notice.name == name) {
            reasons << (notice.outcome.isEmpty() ? notice.reason : notice.outcome);
        }
    }
    return reasons;
}

const Slot &CoordinatorHarness::slot(int id) const { return coordinator->slotTable().at({ {}, id }); }

QString CoordinatorHarness::owner(int id) const
{
    const auto found = coordinator->slotTable().find({ {}, id });
    return found != coordinator->slotTable().end() && found->second.owner ? found->second.owner->session
                                                                          : QString();
}

const Snapshot *CoordinatorHarness::row(QStringView session) const
{
    const SnapshotIndex::Rows *rows = coordinator->index().find(session.toString());
    return rows == nullptr ? nullptr : &rows->front();
}

QString CoordinatorHarness::describe(RequestId request) const
{
    const auto manual = m_manuals.find(request);
    const auto begun = m_begun.find(request);
    return u"%1 (%2)"_qs.arg(request).arg(manual != m_manuals.end() ? manual->second
            : begun != m_begun.end() ? u"begin of %1 %2"_qs.arg(begun->second.session, begun->second.purpose)
                                     : u"end"_qs);
}

std::vector<RequestId> CoordinatorHarness::waitingBegins() const
{
    std::vector<RequestId> waiting;
    for (const RequestId request : unanswered()) {
        if (m_begun.contains(request)) {
            waiting.push_back(request);
        }
    }
    return waiting;
}

std::vector<RequestId> CoordinatorHarness::liveBegins() const
{
    std::vector<RequestId> live;
    for (const auto &[request, grant] : m_grants) {
        if (m_live.contains(grant.lease)) {
            live.push_back(request);
        }
    }
    return live;
}

std::vector<RequestId> CoordinatorHarness::unanswered() const
{
    std::vector<RequestId> open;
    for (const RequestId request : m_asked) {
        if (answersTo(request) == 0) {
            open.push_back(request);
        }
    }
    return open;
}

} // namespace kv::test
