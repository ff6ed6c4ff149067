// SPDX-License-Identifier: MIT
#include "fakeengine.h"

#include <QCryptographicHash>
#include <QTimer>
#include <QtEndian>

#include <algorithm>
#include <cmath>

namespace kv::test {

namespace {

constexpr qsizetype c_header = 36;
const char *const c_noRestore
    = "Unable to restore slot: No available space in KV cache or invalid slot save file";

quint64 shortHash(const QString &text)
{
    const QByteArray hash = QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256);
    return qFromLittleEndian<quint64>(hash.constData());
}

template <typename T> void append(QByteArray &to, T value)
{
    const T little = qToLittleEndian(value);
    to.append(reinterpret_cast<const char *>(&little), sizeof little);
}

QByteArray stateFile(const FakeOptions &options, const QByteArray &content, quint64 weights)
{
    QByteArray out("qsgg"); // 71 73 67 67
    append<quint32>(out, options.stateVersion);
    append<quint64>(out, static_cast<quint64>(content.size()));
    append<quint64>(out, shortHash(options.shape));
    append<quint64>(out, weights);
    append<quint32>(out, 0);
    for (const char token : content) {
        out.append(token);
        out.append(options.bytesPerToken - 1, '\0');
    }
    if (!content.isEmpty()) {
        out.append(options.appendixBytes, 'c');
    }
    return out;
}

} // namespace

qint64 commonPrefix(const QByteArray &a, const QByteArray &b)
{
    const auto end = a.begin() + std::min(a.size(), b.size());
    return std::mismatch(a.begin(), end, b.begin()).first - a.begin();
}

FakeEngine::FakeEngine(FakeOptions options, FakeFiles &files, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_files(files)
    , m_slots(static_cast<std::size_t>(std::max(1, m_options.slotCount)))
    , m_running(m_slots.size())
{
}

FakeEngine::~FakeEngine() = default;

quint64 FakeEngine::weights() const { return shortHash(m_options.weights); }

bool FakeEngine::anyProcessing() const
{
    return std::any_of(m_slots.begin(), m_slots.end(), [](const FakeSlot &slot) { return slot.processing; });
}

void FakeEngine::action(
    SlotAction what, int slot, const QString &fileName, ActionDone done, Ticket ticket, int delayMs)
{
    Task task;
    task.isAction = true;
    task.what = what;
    task.slot = slot;
    task.fileName = fileName;
    task.actionDone = std::move(done);
    task.ticket = ticket;
    if (delayMs > 0) {
        QTimer::singleShot(delayMs, this, [this, task] { process(task); });
    } else {
        process(std::move(task));
    }
}

void FakeEngine::complete(const FakeCompletion &request, CompletionDone done, Ticket ticket)
{
    Task task;
    task.request = request;
    task.completionDone = std::move(done);
    task.ticket = ticket;
    process(std::move(task));
}

void FakeEngine::process(Task task)
{
    m_sleeping = false;
    if (task.isAction) {
        if (task.slot < 0 || (!m_options.wrapsIds && task.slot >= static_cast<int>(m_slots.size()))) {
            FakeActionReply reply;
            reply.status = 400;
            reply.error = QStringLiteral("Invalid slot ID");
            task.actionDone(reply);
        } else if (slot(wrapped(task.slot)).processing) {
            m_deferred.push_back(std::move(task));
        } else {
            runAction(task);
        }
        return;
    }
    const int chosen = task.request.slot >= 0 ? wrapped(task.request.slot) : chooseSlot(task.request);
    if (chosen < 0 || slot(chosen).processing) {
        m_deferred.push_back(std::move(task));
    } else {
        startInference(std::move(task), chosen);
    }
}

void FakeEngine::runAction(const Task &task)
{
    FakeSlot &target = slot(wrapped(task.slot));
    FakeActionReply reply;
    reply.slot = task.slot;
    reply.fileName = task.fileName;
    switch (task.what) {
    case SlotAction::Save:
        save(target, reply);
        break;
    case SlotAction::Restore:
        if (!restore(target, reply)) {
            Q_EMIT died();
            return;
        }
        break;
    case SlotAction::Erase:
        reply.tokens = target.content.size();
        if (!m_options.eraseKeeps) {
            target.content.clear();
        }
        break;
    }
    task.actionDone(reply); // and nobody is woken
}

void FakeEngine::save(FakeSlot &slot, FakeActionReply &reply)
{
    const QByteArray data
        = stateFile(m_options, slot.content, slot.content.isEmpty() ? weights() : slot.computedUnder);
    const bool written = m_files.write(reply.fileName, m_diskFull ? data.left(data.size() / 2) : data);
    if (m_diskFull || !written) {
        reply.status = 500;
        reply.error = QStringLiteral("Unable to save slot");
        return;
    }
    reply.tokens = slot.content.size();
    reply.bytes = data.size();
}

bool FakeEngine::restore(FakeSlot &slot, FakeActionReply &reply)
{
    slot.content.clear();
    slot.worthless = false;
    reply.status = 400;
    reply.error = QString::fromLatin1(c_noRestore);
    const QByteArray data = m_files.read(reply.fileName).value_or(QByteArray());
    if (data.size() < c_header || !data.startsWith("qsgg")
        || qFromLittleEndian<quint32>(data.constData() + 4) != m_options.stateVersion
        || qFromLittleEndian<quint64>(data.constData() + 16) != shortHash(m_options.shape)) {
        return true;
    }
    const auto tokens = static_cast<qint64>(qFromLittleEndian<quint64>(data.constData() + 8));
    const qint64 room
        = m_options.unified ? m_options.slotContext - tokensBeside(slot) : m_options.slotContext;
    if (tokens < 0 || tokens > room) {
        return true;
    }
    const qint64 needed = c_header + tokens * m_options.bytesPerToken;
    if (data.size() < needed) {
        return needed - data.size() > 8; // some bytes short aborts the process
    }
    for (qint64 i = 0; i < tokens && !m_options.restoresNothing; ++i) {
        slot.content.append(data.at(c_header + i * m_options.bytesPerToken));
    }
    constexpr qsizetype c_weightsAt = 24;
    slot.computedUnder = qFromLittleEndian<quint64>(data.constData() + c_weightsAt);
    slot.worthless = !m_options.reuseAfterRestore || data.size() < needed + m_options.appendixBytes;
    reply.status = 200;
    reply.error.clear();
    reply.tokens = tokens;
    reply.bytes = data.size();
    return true;
}

qint64 FakeEngine::tokensBeside(const FakeSlot &slot) const
{
    qint64 sum = 0;
    for (const FakeSlot &other : m_slots) {
        sum += &other == &slot ? 0 : other.content.size();
    }
    return sum;
}

int FakeEngine::chooseSlot(const FakeCompletion &request) const
{
    int best = -1;
    qint64 bestPrefix = 0;
    for (int i = 0; i < static_cast<int>(m_slots.size()); ++i) {
        const FakeSlot &each = m_slots.at(static_cast<std::size_t>(i));
        const qint64 prefix = commonPrefix(each.content, request.prompt);
        const bool similar = prefix * 10 > request.prompt.size();
        if (!each.processing && similar && prefix > bestPrefix) {
            best = i;
            bestPrefix = prefix;
        }
    }
    if (best >= 0) {
        return best;
    }
    for (int i = 0; i < static_cast<int>(m_slots.size()); ++i) {
        const FakeSlot &each = m_slots.at(static_cast<std::size_t>(i));
        if (!each.processing
            && (best < 0 || each.lastUsed < m_slots.at(static_cast<std::size_t>(best)).lastUsed)) {
            best = i;
        }
    }
    return best;
}

void FakeEngine::useHostCache(FakeSlot &slot, const FakeCompletion &request)
{
    // A pinned request to an empty slot does not look there.
    if (!m_options.hostCache || (request.slot >= 0 && slot.content.isEmpty())) {
        return;
    }
    const qint64 own = commonPrefix(slot.content, request.prompt);
    if (!slot.content.isEmpty() && own * 2 >= slot.content.size()) {
        return;
    }
    if (!slot.content.isEmpty()) {
        m_hostCache.push_back(slot.content);
    }
    const auto best = std::max_element(
        m_hostCache.begin(), m_hostCache.end(), [&request](const QByteArray &a, const QByteArray &b) {
            return commonPrefix(a, request.prompt) < commonPrefix(b, request.prompt);
        });
    if (best != m_hostCache.end() && commonPrefix(*best, request.prompt) > own) {
        slot.content = *best;
        slot.computedUnder = weights();
        slot.worthless = false;
        m_hostCache.erase(best);
    }
}

void FakeEngine::clearOthers(int slot)
{
    const FakeSlot &busy = this->slot(slot);
    for (FakeSlot &other : m_slots) {
        if (&other == &busy || other.processing || other.content.isEmpty()) {
            continue;
        }
        if (m_options.idleClearing && m_options.hostCache) {
            m_hostCache.push_back(other.content);
        }
        const bool noRoom
            = m_options.unified && busy.content.size() + tokensBeside(busy) > m_options.slotContext;
        if (m_options.idleClearing || noRoom) {
            other.content.clear();
        }
    }
}

void FakeEngine::startInference(Task task, int slot)
{
    FakeSlot &target = this->slot(slot);
    QByteArray prompt = task.request.prompt;
    if (prompt.size() > m_options.slotContext && !m_options.truncatesOverlong) {
        FakeCompletionReply reply;
        reply.status = 400;
        reply.error = QStringLiteral("the request exceeds the available context size, try increasing it");
        task.completionDone(reply);
        wakeOne(slot); // the nudge: the slot is as it was, and one waiting task goes on
        return;
    }
    prompt.truncate(m_options.slotContext);
    useHostCache(target, task.request);
    Running &running = m_running.at(static_cast<std::size_t>(slot));
    FakeCompletionReply reply;
    reply.slot = slot;
    if (task.request.cachePrompt && !target.worthless) {
        reply.cached = commonPrefix(target.content, prompt);
        // The last token of the prompt is always processed.
        reply.cached = std::max<qint64>(0, std::min<qint64>(reply.cached, prompt.size() - 1));
    }
    reply.wrongState = reply.cached > 0 && target.computedUnder != weights();
    target.computedUnder = reply.wrongState ? target.computedUnder : weights();
    reply.processed = prompt.size() - reply.cached;
    reply.predicted = task.request.predict;
    reply.promptMs = static_cast<double>(reply.processed) * m_options.promptMsPerToken;
    reply.predictedMs = static_cast<double>(reply.predicted) * m_options.predictMsPerToken;
    reply.text = QByteArray(task.request.predict, 'x');
    target.worthless = false;
    target.content = prompt;
    target.processing = true;
    target.idTask = m_nextTask++;
    target.lastUsed = ++m_number;
    clearOthers(slot);
    running.task = std::move(task);
    running.reply = reply;
    running.clock.start();
    running.number = m_number;
    running.cancelled = false;
    if (!m_manual) {
        const int ms = static_cast<int>(std::ceil(reply.promptMs + reply.predictedMs));
        QTimer::singleShot(ms, Qt::PreciseTimer, this,
            [this, slot, number = running.number] { finishInference(slot, number); });
    }
}

void FakeEngine::finishInference(int slot, quint64 number)
{
    Running &running = m_running.at(static_cast<std::size_t>(slot));
    if (running.number != number || number == 0) {
        return; // cancelled before
    }
    FakeSlot &target = this->slot(slot);
    // The last predicted token has not been put into the cache: prompt + completion − 1.
    if (!running.cancelled && running.reply.predicted > 0) {
        target.content += running.reply.text.chopped(1);
    }
    const CompletionDone done = running.cancelled ? CompletionDone() : running.task.completionDone;
    const FakeCompletionReply reply = running.reply;
    running.number = 0;
    target.processing = false;
    if (done) {
        done(reply);
    }
    wakeOne(slot);
}

void FakeEngine::endInference(int slot)
{
    finishInference(slot, m_running.at(static_cast<std::size_t>(slot)).number);
}

void FakeEngine::wakeOne(int slot)
{
    // A request pinned to the slot overtakes whatever waits before it.
    auto next = std::find_if(m_deferred.begin(), m_deferred.end(), [this, slot](const Task &task) {
        return !task.isAction && task.request.slot >= 0 && wrapped(task.request.slot) == slot;
    });
    if (next == m_deferred.end()) {
        next = m_deferred.begin();
    }
    if (next != m_deferred.end()) {
        Task task = std::move(*next);
        m_deferred.erase(next);
        process(std::move(task));
    }
}

FakeCompletionReply FakeEngine::completeNow(const FakeCompletion &request)
{
    FakeCompletionReply out;
    out.status = 0;
    const bool manual = m_manual;
    m_manual = true;
    const int chosen = request.slot >= 0 ? wrapped(request.slot) : chooseSlot(request);
    if (chosen >= 0 && !slot(chosen).processing) {
        complete(request, [&out](const FakeCompletionReply &reply) { out = reply; });
        endInference(chosen);
    }
    m_manual = manual;
    return out;
}

void FakeEngine::cancel(Ticket ticket)
{
    if (ticket == 0) {
        return;
    }
    for (int i = 0; i < static_cast<int>(m_running.size()); ++i) {
        Running &running = m_running.at(static_cast<std::size_t>(i));
        if (running.number == 0 || running.task.ticket != ticket) {
            continue;
        }
        FakeSlot &target = slot(i);
        const auto elapsed = static_cast<double>(running.clock.elapsed());
        running.cancelled = true;
        if (elapsed < running.reply.promptMs) {
            // The batch that runs is finished first.
            const double batchMs = m_options.batchTokens * m_options.promptMsPerToken;
            const auto batches = static_cast<qint64>(std::floor(elapsed / batchMs)) + 1;
            const qint64 done = std::min<qint64>(running.reply.processed, batches * m_options.batchTokens);
            target.content.truncate(running.reply.cached + done);
            const double endMs = std::min(static_cast<double>(batches) * batchMs, running.reply.promptMs);
            QTimer::singleShot(static_cast<int>(endMs - elapsed) + 1, this,
                [this, i, number = running.number] { finishInference(i, number); });
        } else {
            const double perToken = m_options.predictMsPerToken;
            const double generated = perToken > 0 ? (elapsed - running.reply.promptMs) / perToken : 0;
            target.content += running.reply.text.left(static_cast<qsizetype>(generated));
            finishInference(i, running.number);
        }
    }
    if (!anyProcessing()) {
        std::erase_if(m_deferred, [ticket](const Task &task) { return task.ticket == ticket; });
    }
}

void FakeEngine::sleepNow()
{
    m_sleeping = true;
    std::fill(m_slots.begin(), m_slots.end(), FakeSlot {});
}

} // namespace kv::test
