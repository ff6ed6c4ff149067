// SPDX-License-Identifier: MIT
#include "fakebackend.h"

#include "fingerprint.h"

#include <QTimer>

#include <algorithm>

namespace kv::test {

FakeBackend::FakeBackend(FakeOptions options, QObject *parent)
    : KvBackend(parent)
    , m_options(std::move(options))
{
    m_files.useFolder(m_options.saveFolder);
    restart();
}

FakeBackend::~FakeBackend() = default;

void FakeBackend::restartWith(const FakeOptions &options)
{
    m_options = options;
    m_files.useFolder(m_options.saveFolder);
    restart();
}

void FakeBackend::restart()
{
    if (m_engine) {
        m_engine.release()->deleteLater(); // it may be the one that is calling
    }
    m_engine = std::make_unique<FakeEngine>(m_options, m_files);
    connect(m_engine.get(), &FakeEngine::died, this, &FakeBackend::restart);
    makeFacts();
    // Those whose reply is on its way already keep it.
    const auto lost = m_unanswered;
    for (const Op &op : lost) {
        BackendReply reply;
        reply.id = op.id;
        reply.kind = op.kind;
        reply.failure = OpFailure::ConnectionLost;
        reply.message = QStringLiteral("The connection broke.");
        ready(reply);
    }
}

void FakeBackend::makeFacts()
{
    m_facts = {};
    m_facts.boot = QStringLiteral("boot-%1").arg(++m_boots);
    m_facts.complete = true;
    m_facts.totalSlots = m_options.slotCount;
    m_facts.slotContext = m_options.slotContext;
    m_facts.build = m_options.build;
    m_facts.modelPath = m_options.modelPath;
    m_facts.alias = m_options.alias;
    m_facts.compared = { { field::backend.toString(), QStringLiteral("llama.cpp") },
        { field::build.toString(), m_options.build }, { field::modelPath.toString(), m_options.modelPath },
        { field::nParams.toString(), QStringLiteral("23974400") },
        { field::lora.toString(), QStringLiteral("none") } };
    m_facts.shown = { { field::alias.toString(), m_options.alias } };
}

void FakeBackend::failNext(OpKind kind, OpFailure failure, int times)
{
    for (int i = 0; i < times; ++i) {
        m_faults[static_cast<int>(kind)].append({ FaultKind::Fail, failure, 0 });
    }
}
void FakeBackend::dropNext(OpKind kind)
{
    m_faults[static_cast<int>(kind)].append({ FaultKind::Drop, {}, 0 });
}
void FakeBackend::delayNext(OpKind kind, int ms)
{
    m_faults[static_cast<int>(kind)].append({ FaultKind::Delay, {}, ms });
}
void FakeBackend::lateNext(OpKind kind, int ms)
{
    m_faults[static_cast<int>(kind)].append({ FaultKind::Late, {}, ms });
}
void FakeBackend::holdNext(OpKind kind)
{
    m_faults[static_cast<int>(kind)].append({ FaultKind::Hold, {}, 0 });
}
void FakeBackend::damageNext(OpKind kind)
{
    m_faults[static_cast<int>(kind)].append({ FaultKind::Damage, {}, 0 });
}
void FakeBackend::emptySaveNext() { m_emptySave = true; }

std::optional<FakeBackend::Fault> FakeBackend::takeFault(OpKind kind)
{
    auto &list = m_faults[static_cast<int>(kind)];
    return list.isEmpty() ? std::nullopt : std::optional<Fault>(list.takeFirst());
}

std::vector<OpKind> FakeBackend::startedKinds() const
{
    std::vector<OpKind> out;
    std::transform(m_started.begin(), m_started.end(), std::back_inserter(out),
        [](const Started &each) { return each.op.kind; });
    return out;
}

FakeCompletionReply FakeBackend::infer(const QByteArray &prompt, int predict, int slot)
{
    FakeCompletion request;
    request.prompt = prompt;
    request.predict = predict;
    request.slot = slot;
    return m_engine->completeNow(request);
}

void FakeBackend::start(const Op &op, const QString &fileName)
{
    m_started.push_back({ op, fileName });
    m_unanswered.push_back(op);
    const auto fault = takeFault(op.kind);
    BackendReply reply;
    reply.id = op.id;
    reply.kind = op.kind;
    reply.httpStatus = 200;
    if (m_unreachable || (fault && fault->kind == FaultKind::Fail)) {
        reply.httpStatus = 0;
        reply.failure = m_unreachable ? OpFailure::ConnectionRefused : fault->failure;
        reply.message = QStringLiteral("A scripted failure.");
        if (!m_unreachable && op.kind == OpKind::Restore && reply.failure == OpFailure::Refused) {
            reply.httpStatus = 400;
            m_engine->slot(op.slot.id % m_options.slotCount).content.clear();
        }
        ready(reply);
        return;
    }
    switch (op.kind) {
    case OpKind::Identity:
    case OpKind::Look:
    case OpKind::Probe:
        read(op, reply);
        deliver(reply, fault);
        break;
    default:
        act(op, fileName, fault);
    }
}

void FakeBackend::read(const Op &op, BackendReply &reply)
{
    reply.facts = m_facts;
    reply.facts.sleeping = m_engine->sleeping();
    if (op.kind == OpKind::Identity || (m_engine->sleeping() && !op.mayWake)) {
        return;
    }
    if (!m_options.slotsEndpoint) {
        reply.slotsFailure = OpFailure::Unsupported;
        reply.slotsMessage = QStringLiteral("Start it without --no-slots.");
        return;
    }
    m_engine->wake();
    reply.slotsListed = true;
    for (int i = 0; i < m_options.slotCount; ++i) {
        const FakeSlot &slot = m_engine->slot(i);
        SlotObservation seen;
        seen.id = i;
        seen.processing = slot.processing;
        seen.contextTokens = m_options.slotContext;
        seen.idTask = slot.idTask;
        if (slot.idTask) {
            seen.promptTokens = slot.content.size();
        }
        reply.slotList.push_back(seen);
    }
}

void FakeBackend::act(const Op &op, const QString &fileName, const std::optional<Fault> &fault)
{
    if (!m_options.savePath) {
        BackendReply reply;
        reply.id = op.id;
        reply.kind = op.kind;
        reply.httpStatus = 501;
        reply.failure = OpFailure::Unsupported;
        reply.message = QStringLiteral("Start it with --slot-save-path DIR.");
        ready(reply);
        return;
    }
    const SlotAction what = op.kind == OpKind::Save ? SlotAction::Save
        : op.kind == OpKind::Restore                ? SlotAction::Restore
                                                    : SlotAction::Erase;
    if (what == SlotAction::Save && m_emptySave) {
        m_emptySave = false;
        m_engine->slot(op.slot.id % m_options.slotCount).content.clear();
    }
    const bool late = fault && fault->kind == FaultKind::Late;
    const auto rest = late ? std::nullopt : fault;
    m_engine->action(
        what, op.slot.id, fileName,
        [this, op, rest](const FakeActionReply &done) {
            BackendReply reply;
            reply.id = op.id;
            reply.kind = op.kind;
            reply.httpStatus = done.status;
            if (done.status == 200) {
                reply.tokens = done.tokens;
                reply.bytes = done.bytes;
                reply.serverMs = 0.5;
            } else {
                reply.failure = done.status < 500 ? OpFailure::Refused : OpFailure::ServerError;
                reply.message = done.error;
            }
            deliver(reply, rest);
        },
        0, late ? fault->ms : 0);
}

void FakeBackend::deliver(BackendReply reply, const std::optional<Fault> &fault)
{
    const FaultKind kind = fault ? fault->kind : FaultKind::Delay;
    const OpId id = reply.id;
    const OpKind op = reply.kind;
    if (fault && (kind == FaultKind::Drop || kind == FaultKind::Damage)) {
        reply = {};
        reply.id = id;
        reply.kind = op;
        reply.failure = kind == FaultKind::Drop ? OpFailure::ConnectionLost : OpFailure::ServerError;
        reply.httpStatus = kind == FaultKind::Drop ? 0 : 200;
        reply.message = QStringLiteral("A scripted failure.");
    } else if (fault && kind == FaultKind::Hold) {
        m_held.push_back(reply);
        return;
    } else if (fault && fault->ms > 0) {
        QTimer::singleShot(fault->ms, this, [this, reply] { ready(reply); });
        return;
    }
    ready(reply);
}

void FakeBackend::releaseHeld()
{
    const auto held = std::exchange(m_held, {});
    for (const BackendReply &reply : held) {
        ready(reply);
    }
}

// Exactly one reply an operation: what a restart has answered already is not answered again.
void FakeBackend::ready(const BackendReply &reply)
{
    const auto found = std::find_if(
        m_unanswered.begin(), m_unanswered.end(), [&reply](const Op &op) { return op.id == reply.id; });
    if (found == m_unanswered.end()) {
        return;
    }
    m_unanswered.erase(found);
    if (m_manual) {
        m_ready.push_back(reply);
    } else {
        QTimer::singleShot(0, this, [this, reply] { Q_EMIT finished(reply); });
    }
}

bool FakeBackend::step()
{
    if (m_ready.empty()) {
        return false;
    }
    const BackendReply reply = m_ready.front();
    m_ready.pop_front();
    Q_EMIT finished(reply);
    return true;
}

void FakeBackend::stepAll()
{
    while (step()) { }
}

} // namespace kv::test
