// SPDX-License-Identifier: MIT
#pragma once

#include "fakefiles.h"
#include "fakeoptions.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace kv::test {

enum class SlotAction { Save, Restore, Erase };

struct FakeSlot {
    QByteArray content; ///< what it holds, one byte a token
    std::optional<qint64>
        idTask; ///< absent: no inference yet in this process; n_prompt_tokens is not told then
    bool processing = false;
    bool worthless = false; ///< restored by a build that cannot reuse it
    quint64 computedUnder = 0; ///< which weights its content was computed with; 0: none, it is empty
    quint64 lastUsed = 0;
};

struct FakeActionReply {
    int status = 200;
    QString error;
    int slot = 0; ///< as asked for, wrapped or not
    QString fileName;
    qint64 tokens = 0;
    qint64 bytes = -1;
};

struct FakeCompletion {
    QByteArray prompt;
    int predict = 4;
    int slot = -1; ///< −1: not pinned
    bool cachePrompt = true;
};

struct FakeCompletionReply {
    int status = 200;
    QString error;
    int slot = 0;
    qint64 cached = 0; ///< timings.cache_n
    qint64 processed = 0; ///< timings.prompt_n
    qint64 predicted = 0;
    bool wrongState = false; ///< reused what other weights had computed: its output is wrong
    double promptMs = 0;
    double predictedMs = 0;
    QByteArray text;
};

/// The slots of one llama-server process with its task queue, as bad as measured: an action or request for a
/// busy slot is deferred, each release wakes exactly one deferred task, an action wakes none, a failed
/// restore empties the slot, an empty save succeeds. No network. A request or action whose turn never comes
/// is never called back.
class FakeEngine final : public QObject {
    Q_OBJECT

public:
    using Ticket = quint64; ///< names a client's connection in cancel()
    using ActionDone = std::function<void(const FakeActionReply &)>;
    using CompletionDone = std::function<void(const FakeCompletionReply &)>;

    FakeEngine(FakeOptions options, FakeFiles &files, QObject *parent = nullptr);
    ~FakeEngine() override;
    Q_DISABLE_COPY_MOVE(FakeEngine)

    /// `delayMs`: it takes effect that much later, on whatever the slot holds by then.
    void action(SlotAction what, int slot, const QString &fileName, ActionDone done, Ticket ticket = 0,
        int delayMs = 0);
    void complete(const FakeCompletion &request, CompletionDone done, Ticket ticket = 0);
    /// The client closed its connection. A waiting task is dropped only while no slot is processing.
    void cancel(Ticket ticket);
    /// Inference that ends at once. Status 0 when it would have had to wait.
    FakeCompletionReply completeNow(const FakeCompletion &request);
    /// With this, an inference lasts until endInference() is called.
    void setManualInference(bool manual) { m_manual = manual; }
    void endInference(int slot);

    void sleepNow(); ///< loses all slot state
    void wake() { m_sleeping = false; }
    [[nodiscard]] bool sleeping() const { return m_sleeping; }
    void setDiskFull(bool full) { m_diskFull = full; }

    [[nodiscard]] const std::vector<FakeSlot> &slotList() const { return m_slots; }
    [[nodiscard]] FakeSlot &slot(int id) { return m_slots.at(static_cast<std::size_t>(id)); }
    [[nodiscard]] std::size_t deferred() const { return m_deferred.size(); }
    [[nodiscard]] bool anyProcessing() const;

Q_SIGNALS:
    void died(); ///< a restore aborted the process

private:
    struct Task {
        bool isAction = false;
        SlotAction what = SlotAction::Save;
        int slot = -1;
        QString fileName;
        FakeCompletion request;
        ActionDone actionDone;
        CompletionDone completionDone;
        Ticket ticket = 0;
    };
    struct Running {
        Task task;
        FakeCompletionReply reply;
        QElapsedTimer clock;
        quint64 number = 0; ///< 0: nothing runs
        bool cancelled = false;
    };
    void process(Task task);
    void runAction(const Task &task);
    void save(FakeSlot &slot, FakeActionReply &reply);
    bool restore(FakeSlot &slot, FakeActionReply &reply); ///< false: the process died
    [[nodiscard]] int chooseSlot(const FakeCompletion &request) const;
    void startInference(Task task, int slot);
    void finishInference(int slot, quint64 number);
    void wakeOne(int slot);
    void clearOthers(int slot);
    void useHostCache(FakeSlot &slot, const FakeCompletion &request);
    [[nodiscard]] quint64 weights() const;
    [[nodiscard]] int wrapped(int slot) const { return slot % static_cast<int>(m_slots.size()); }
    [[nodiscard]] qint64 tokensBeside(const FakeSlot &slot) const;

    FakeOptions m_options;
    FakeFiles &m_files;
    std::vector<FakeSlot> m_slots;
    std::vector<Running> m_running; // one per slot
    std::deque<Task> m_deferred;
    std::vector<QByteArray> m_hostCache;
    qint64 m_nextTask = 0;
    quint64 m_number = 0;
    bool m_sleeping = false;
    bool m_diskFull = false;
    bool m_manual = false;
};

/// Length of the common beginning.
qint64 commonPrefix(const QByteArray &a, const QByteArray &b);

} // namespace kv::test
