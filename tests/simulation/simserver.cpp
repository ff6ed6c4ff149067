// SPDX-License-Identifier: MIT
#include "simserver.h"

#include <algorithm>

namespace kv::sim {

namespace {
constexpr qint64 c_emptyFileBytes = 36;
constexpr qint64 c_contextTokens = 65536;
}

Server::Server(ServerManners manners, const Streams &streams, Witness &witness)
    : m_manners(manners)
    , m_streams(streams)
    , m_witness(witness)
    , m_slots(static_cast<std::size_t>(manners.slots))
{
}

Identity Server::identity() const
{
    // A model file that changed after the process started: what runs is not known any more (design §6).
    return { QStringLiteral("boot-%1").arg(m_boot),
        m_fileReplaced ? nullptr : fingerprintOfModel(lies ? 0 : m_model) };
}

void Server::loseAll()
{
    m_slots.assign(m_slots.size(), {});
    m_hostCache.clear();
}

void Server::restart(int model)
{
    ++m_boot;
    m_model = model;
    m_alive = true;
    m_sleeping = false;
    m_fileReplaced = false;
    m_deferred.clear();
    loseAll();
}

void Server::die()
{
    m_alive = false;
    m_deferred.clear();
    loseAll();
}

bool Server::maySleep(qint64 nowMs) const
{
    const bool rests = std::none_of(
        m_slots.begin(), m_slots.end(), [](const Slot &slot) { return slot.running.has_value(); });
    return m_alive && !m_sleeping && m_manners.sleepIdleMs >= 0 && rests && m_deferred.empty()
        && nowMs - m_lastTaskMs >= m_manners.sleepIdleMs;
}

void Server::sleep()
{
    m_sleeping = true;
    loseAll();
}

void Server::wake(quint64 task)
{
    if (m_sleeping) {
        m_sleeping = false;
        m_witness.woken(task);
    }
}

std::vector<SlotObservation> Server::list(qint64 nowMs)
{
    wake(0);
    m_lastTaskMs = nowMs; // a GET of /slots keeps it from sleeping
    std::vector<SlotObservation> listed;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        SlotObservation seen;
        seen.id = static_cast<int>(i);
        seen.processing = m_slots[i].running.has_value();
        seen.contextTokens = c_contextTokens;
        seen.idTask = m_slots[i].idTask;
        if (seen.idTask) {
            seen.promptTokens = m_slots[i].content.tokens; // fact 15: absent where no task ran
            seen.reusedTokens = seen.processing ? m_slots[i].cached : 0; // of a slot at rest it tells 0
        }
        listed.push_back(seen);
    }
    return listed;
}

void Server::arrive(const Task &task, qint64 nowMs)
{
    wake(task.id);
    m_lastTaskMs = nowMs;
    accept(task);
}

void Server::accept(const Task &task)
{
    if (task.kind != Task::Kind::Infer) {
        const int id = task.slot % static_cast<int>(m_slots.size()); // fact 2: ids out of range wrap
        Slot &slot = m_slots[static_cast<std::size_t>(id)];
        if (slot.running) {
            m_deferred.push_back(task); // fact 25
        } else {
            act(task, slot, id);
        }
        return;
    }
    const int id = task.slot >= 0 ? task.slot % static_cast<int>(m_slots.size()) : chooseSlot(task);
    if (id < 0 || m_slots[static_cast<std::size_t>(id)].running) {
        m_deferred.push_back(task);
    } else {
        launch(task, id);
    }
}

int Server::chooseSlot(const Task &task) const
{
    // The most alike that is idle, from a tenth of the prompt on (fact 31); else the least recently used.
    int best = -1;
    qint64 alike = task.promptTokens / 10;
    int oldest = -1;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const Slot &slot = m_slots[i];
        if (slot.running) {
            continue;
        }
        const qint64 common
            = m_streams.common(slot.content.stream, slot.content.tokens, task.stream, task.promptTokens);
        if (common > alike) {
            alike = common;
            best = static_cast<int>(i);
        }
        if (oldest < 0 || slot.used < m_slots[static_cast<std::size_t>(oldest)].used) {
            oldest = static_cast<int>(i);
        }
    }
    return best >= 0 ? best : oldest;
}

void Server::keepInHostCache(const Content &content)
{
    if (m_manners.hostCacheTokens <= 0 || content.empty() || content.useless) {
        return;
    }
    std::erase_if(m_hostCache, [&](const Content &kept) {
        return m_streams.common(kept.stream, kept.tokens, content.stream, content.tokens) == kept.tokens;
    });
    m_hostCache.push_back(content);
    qint64 sum = 0;
    for (const Content &kept : m_hostCache) {
        sum += kept.tokens;
    }
    while (sum > m_manners.hostCacheTokens) {
        sum -= m_hostCache.front().tokens;
        m_hostCache.pop_front();
    }
}

void Server::useHostCache(const Task &task, Slot &slot)
{
    const qint64 common
        = m_streams.common(slot.content.stream, slot.content.tokens, task.stream, task.promptTokens);
    if (2 * common >= slot.content.tokens && !slot.content.empty()) {
        return;
    }
    keepInHostCache(slot.content); // what is displaced is kept
    auto best = m_hostCache.end();
    qint64 most = slot.content.useless ? 0 : common;
    for (auto kept = m_hostCache.begin(); kept != m_hostCache.end(); ++kept) {
        const qint64 alike = m_streams.common(kept->stream, kept->tokens, task.stream, task.promptTokens);
        if (alike > most) {
            most = alike;
            best = kept;
        }
    }
    if (best != m_hostCache.end()) {
        slot.content = *best;
        m_hostCache.erase(best);
    }
}

void Server::disturbNeighbours(const Task &task, int id)
{
    qint64 sum = task.promptTokens + task.completionTokens;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        sum += static_cast<int>(i) == id ? 0 : m_slots[i].content.tokens;
    }
    const bool crowded = m_manners.poolTokens > 0 && sum > m_manners.poolTokens;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        Slot &slot = m_slots[i];
        if (static_cast<int>(i) == id || slot.running || slot.content.empty()) {
            continue;
        }
        if (m_manners.clearsIdleSlots || crowded) {
            keepInHostCache(slot.content);
            slot.content = {};
        }
    }
}

void Server::launch(Task task, int id)
{
    Slot &slot = m_slots[static_cast<std::size_t>(id)];
    if (task.slot < 0) {
        useHostCache(task, slot); // fact 17: only an unpinned request looks there
    }
    disturbNeighbours(task, id);
    const qint64 common = slot.content.useless
        ? 0
        : m_streams.common(slot.content.stream, slot.content.tokens, task.stream, task.promptTokens);
    slot.cached = std::min(common, task.promptTokens - 1); // fact 21
    m_witness.requestRuns(task, id, slot.content, slot.cached);
    m_prefilled += task.promptTokens - slot.cached;
    slot.content = { task.stream, task.promptTokens, m_model, task.born, false };
    slot.idTask = m_nextTask++;
    slot.used = m_used++;
    slot.running = std::move(task);
}

void Server::finish(int id, qint64 heldTokens, StreamId heldStream, qint64 nowMs)
{
    Slot &slot = m_slots.at(static_cast<std::size_t>(id));
    if (!slot.running) {
        return;
    }
    m_lastTaskMs = nowMs;
    const Task task = *slot.running;
    slot.running.reset();
    slot.content.tokens = heldTokens;
    slot.content.stream = heldStream;
    TaskResult result;
    result.id = task.id;
    result.slot = id;
    result.tokens = heldTokens;
    result.cached = slot.cached;
    m_results.push_back(result);
    nudge();
}

void Server::nudge()
{
    if (!m_deferred.empty()) {
        const Task next = m_deferred.front(); // each release wakes exactly one
        m_deferred.pop_front();
        accept(next);
    }
}

void Server::abandon(quint64 id)
{
    for (Slot &slot : m_slots) {
        if (slot.running && slot.running->id == id) {
            slot.running->abandoned = true;
        }
    }
    // A request that waits is taken out when its client leaves; an action is not (fact 27).
    std::erase_if(
        m_deferred, [id](const Task &task) { return task.id == id && task.kind == Task::Kind::Infer; });
}

bool Server::holds(quint64 id) const
{
    return std::any_of(m_deferred.begin(), m_deferred.end(), [id](const Task &task) { return task.id == id; })
        || std::any_of(m_slots.begin(), m_slots.end(),
            [id](const Slot &slot) { return slot.running && slot.running->id == id; });
}

void Server::act(const Task &task, Slot &slot, int id)
{
    m_witness.actionRuns(task, id);
    TaskResult result;
    result.id = task.id;
    result.kind = task.kind;
    result.slot = id;
    switch (task.kind) {
    case Task::Kind::Save:
        save(task, slot, result);
        break;
    case Task::Kind::Restore:
        restore(task, slot, id, result);
        break;
    case Task::Kind::Erase:
    case Task::Kind::Infer:
        result.tokens = slot.content.tokens;
        slot.content = {};
        break;
    }
    if (m_alive) {
        m_results.push_back(result);
    }
}

void Server::save(const Task &task, const Slot &slot, TaskResult &result)
{
    if (diskFull) {
        files[task.name] = { {}, 0, Damage::Cut, false }; // fact 4: a failed save clobbers the file
        result.status = 500;
        return;
    }
    StateFile file { slot.content, slot.content.tokens * c_bytesPerToken, Damage::None, false };
    if (slot.content.empty()) {
        file.bytes = c_emptyFileBytes; // fact 1: 200 all the same
    }
    result.tokens = slot.content.tokens;
    result.bytes = file.bytes;
    files[task.name] = file;
}

void Server::restore(const Task &task, Slot &slot, int id, TaskResult &result)
{
    slot.content = {}; // whatever happens
    const auto found = files.find(task.name);
    const bool usable = found != files.end() && !found->second.content.empty()
        && found->second.damage != Damage::Cut && found->second.damage != Damage::Gone
        && shapeOf(found->second.content.model) == shapeOf(m_model);
    if (!usable) {
        result.status = 400; // one message for all causes
        return;
    }
    const StateFile &file = found->second;
    if (file.damage == Damage::Killer) {
        die();
        return;
    }
    qint64 others = 0;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        others += static_cast<int>(i) == id ? 0 : m_slots[i].content.tokens;
    }
    if (m_manners.poolTokens > 0 && others + file.content.tokens > m_manners.poolTokens) {
        result.status = 400; // fact 30: no room beside a full neighbour
        return;
    }
    slot.content = file.content; // of another model too, if it has the shape (fact 5)
    slot.content.useless = file.damage == Damage::Appendix;
    result.tokens = file.content.tokens;
    result.bytes = file.damage == Damage::Appendix ? file.bytes - 1000 : file.bytes;
}

} // namespace kv::sim
