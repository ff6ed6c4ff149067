// SPDX-License-Identifier: MIT
#pragma once

#include "fakeengine.h"
#include "fakefiles.h"
#include "fakeoptions.h"
#include "kvbackend.h"

#include <QHash>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace kv::test {

/// The port with a simulated server behind it and scripted faults. Replies come from the event loop, or one
/// by one from step() when stepping by hand. Faults take the next operation of their kind, in the order
/// given.
class FakeBackend final : public KvBackend {
    Q_OBJECT

public:
    struct Started {
        Op op;
        QString fileName;
    };

    explicit FakeBackend(FakeOptions options = {}, QObject *parent = nullptr);
    ~FakeBackend() override;
    Q_DISABLE_COPY_MOVE(FakeBackend)

    void start(const Op &op, const QString &fileName) override;

    // Stepping.
    void setManual(bool manual) { m_manual = manual; }
    bool step(); ///< emits the oldest waiting reply; false: none waits
    void stepAll(); ///< until none waits, those included that are begun meanwhile
    [[nodiscard]] std::size_t waiting() const { return m_ready.size(); }

    // Faults.
    void failNext(
        OpKind kind, OpFailure failure, int times = 1); ///< not carried out (a Restore empties its slot)
    void dropNext(OpKind kind); ///< carried out, and the reply is lost: ConnectionLost
    void delayNext(OpKind kind, int ms); ///< carried out now, answered later
    void lateNext(OpKind kind, int ms); ///< carried out and answered later, on what the slot holds by then
    void holdNext(OpKind kind); ///< carried out now, answered by releaseHeld()
    void damageNext(OpKind kind); ///< carried out, but the answer makes no sense: ServerError
    void emptySaveNext(); ///< the next Save finds an empty slot: tokens 0, 36 bytes
    void releaseHeld();
    void setUnreachable(bool unreachable)
    {
        m_unreachable = unreachable;
    } ///< ConnectionRefused for everything
    void setDiskFull(bool full) { m_engine->setDiskFull(full); }

    // The server behind it.
    void restart(); ///< another boot id; slots empty; what was not answered is lost with ConnectionLost
    void restartWith(const FakeOptions &options);
    void sleepNow() { m_engine->sleepNow(); }
    bool removeSnapshot(const QString &fileName) { return m_files.remove(fileName); }
    bool corruptSnapshot(const QString &fileName) { return m_files.truncateBy(fileName, 16); }
    [[nodiscard]] FakeEngine &engine() { return *m_engine; }
    [[nodiscard]] FakeFiles &files() { return m_files; }
    /// What Identity, Look and Probe tell, made from the options; a test may change it.
    [[nodiscard]] ServerFacts &facts() { return m_facts; }
    /// A whole inference at once. Status 0: the slot is busy.
    FakeCompletionReply infer(const QByteArray &prompt, int predict = 4, int slot = 0);

    [[nodiscard]] const std::vector<Started> &started() const { return m_started; }
    [[nodiscard]] std::vector<OpKind> startedKinds() const;
    void clearStarted() { m_started.clear(); }

private:
    enum class FaultKind { Fail, Drop, Delay, Late, Hold, Damage };
    struct Fault {
        FaultKind kind = FaultKind::Fail;
        OpFailure failure = OpFailure::None;
        int ms = 0;
    };
    void makeFacts();
    void read(const Op &op, BackendReply &reply);
    void act(const Op &op, const QString &fileName, const std::optional<Fault> &fault);
    void deliver(BackendReply reply, const std::optional<Fault> &fault);
    void ready(const BackendReply &reply);
    [[nodiscard]] std::optional<Fault> takeFault(OpKind kind);

    FakeOptions m_options;
    FakeFiles m_files;
    std::unique_ptr<FakeEngine> m_engine;
    ServerFacts m_facts;
    QHash<int, QList<Fault>> m_faults;
    std::vector<Started> m_started;
    std::vector<Op> m_unanswered;
    std::deque<BackendReply> m_ready; // manual stepping
    std::vector<BackendReply> m_held;
    int m_boots = 0;
    bool m_manual = false;
    bool m_unreachable = false;
    bool m_emptySave = false;
};

} // namespace kv::test
