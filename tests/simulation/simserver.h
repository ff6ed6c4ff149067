// SPDX-License-Identifier: MIT
#pragma once

#include "operation.h"
#include "simcontent.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace kv::sim {

/// How a server was started.
struct ServerManners {
    int slots = 1;
    bool clearsIdleSlots = false; ///< `--cache-idle-slots`: another slot's task empties an idle one (fact 14)
    qint64 poolTokens = 0; ///< unified pool: a neighbour's prompt empties idle slots (fact 30); 0: none
    qint64 hostCacheTokens = 0; ///< `--cache-ram`; 0: off
    qint64 sleepIdleMs = -1; ///< −1: never sleeps
};

struct Task {
    enum class Kind { Save, Restore, Erase, Infer };
    Kind kind = Kind::Infer;
    quint64 id = 0;
    int slot = -1; ///< of an action; of a request: `id_slot`, −1: unpinned
    NameNumber name = -1;
    StreamId stream = 0; ///< Infer: the prompt
    qint64 promptTokens = 0;
    qint64 completionTokens = 0;
    quint64 born = 0;
    bool abandoned = false; ///< its client has gone
};

struct TaskResult {
    quint64 id = 0;
    Task::Kind kind = Task::Kind::Infer;
    int slot = -1;
    int status = 200;
    qint64 tokens = -1; ///< n_saved, n_restored, n_erased; of a request: tokens the slot holds
    qint64 bytes = -1;
    qint64 cached = 0; ///< of a request
};

enum class Damage {
    None,
    Cut, ///< 400, and the slot is left empty
    Appendix, ///< 200 with a smaller n_read, nothing is reused (fact 24)
    Killer, ///< the process dies of it (fact 12)
    Gone, ///< deleted from outside
};
struct StateFile {
    Content content;
    qint64 bytes = 0;
    Damage damage = Damage::None;
    bool fromOutside = false; ///< damaged by nobody that the rules hold responsible
    [[nodiscard]] bool good() const { return damage == Damage::None && !content.empty(); }
};

/// What the rules see of a server.
class Witness {
public:
    Witness() = default;
    virtual ~Witness() = default;
    Q_DISABLE_COPY_MOVE(Witness)
    virtual void actionRuns(const Task &task, int slot) = 0; ///< before it changes anything
    /// `held`: what the slot held; `reused` tokens of it are.
    virtual void requestRuns(const Task &task, int slot, const Content &held, qint64 reused) = 0;
    virtual void woken(quint64 task) = 0; ///< 0: by a look
};

/// A llama-server, as bad as the real one (facts/llama-server.md): what is sent to a busy slot is deferred, each
/// release of a slot wakes exactly one deferred task, an action wakes nobody.
class Server final {
public:
    struct Slot {
        Content content;
        std::optional<qint64> idTask; ///< absent: no task ran there in this process
        std::optional<Task> running;
        qint64 cached = 0;
        quint64 used = 0;
    };

    Server(ServerManners manners, const Streams &streams, Witness &witness);

    void arrive(const Task &task, qint64 nowMs);
    /// The request in that slot ends. `heldTokens`: of an abandoned one, what it had got to.
    void finish(int slot, qint64 heldTokens, StreamId heldStream, qint64 nowMs);
    void abandon(quint64 task); ///< its client has gone
    [[nodiscard]] std::vector<TaskResult> takeResults() { return std::exchange(m_results, {}); }

    [[nodiscard]] Identity identity() const;
    [[nodiscard]] std::vector<SlotObservation> list(qint64 nowMs); ///< GET /slots: wakes it

    void restart(int model);
    void die();
    void sleep();
    [[nodiscard]] bool maySleep(qint64 nowMs) const;
    void replaceModelFile() { m_fileReplaced = true; } ///< fact 33; seen by who reads the file

    [[nodiscard]] const std::vector<Slot> &slotTable() const { return m_slots; }
    [[nodiscard]] const std::deque<Task> &deferred() const { return m_deferred; }
    [[nodiscard]] bool holds(quint64 task) const; ///< deferred or running
    [[nodiscard]] bool alive() const { return m_alive; }
    [[nodiscard]] bool sleeping() const { return m_sleeping; }
    [[nodiscard]] int boot() const { return m_boot; }
    [[nodiscard]] int model() const { return m_model; }
    [[nodiscard]] qint64 prefilled() const { return m_prefilled; } ///< prompt tokens processed, of all requests

    std::map<NameNumber, StateFile> files;
    bool diskFull = false;
    bool lies = false; ///< sabotage: another model is not told
    static constexpr qint64 c_bytesPerToken = 100;

private:
    void accept(const Task &task);
    void act(const Task &task, Slot &slot, int id);
    void save(const Task &task, const Slot &slot, TaskResult &result);
    void restore(const Task &task, Slot &slot, int id, TaskResult &result);
    void launch(Task task, int id);
    [[nodiscard]] int chooseSlot(const Task &task) const;
    void useHostCache(const Task &task, Slot &slot);
    void keepInHostCache(const Content &content);
    void disturbNeighbours(const Task &task, int id);
    void wake(quint64 task);
    void loseAll();

    ServerManners m_manners;
    const Streams &m_streams;
    Witness &m_witness;
    std::vector<Slot> m_slots;
    std::deque<Task> m_deferred;
    std::deque<Content> m_hostCache;
    std::vector<TaskResult> m_results;
    int m_boot = 1;
    int m_model = 0;
    qint64 m_nextTask = 1;
    quint64 m_used = 1;
    qint64 m_lastTaskMs = 0;
    qint64 m_prefilled = 0;
    bool m_alive = true;
    bool m_sleeping = false;
    bool m_fileReplaced = false;
};

} // namespace kv::sim
