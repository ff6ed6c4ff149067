// SPDX-License-Identifier: MIT
#pragma once

#include "doctorchecks.h"
#include "kvbackend.h"
#include "promptcall.h"
#include "proofjudge.h"
#include "serverruntime.h"
#include "service.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <variant>

namespace kv {

/// The proof of `doctor --verify` on one server: a prompt nobody has ever sent is processed, saved, erased,
/// restored, and asked again. A client of the service like any other: it waits for a slot, holds a lease
/// while it uses it, and takes none whose owner cannot be saved first.
///
/// What ends it early is never a verdict, and whatever ends it, it leaves no lease, nobody's state in the
/// slot but the former owner's, and no file that holds anything.
class VerifyRun final : public QObject {
    Q_OBJECT

public:
    /// What the service does for it, on the one server that is meant.
    struct House {
        std::function<RequestId(const BeginRequest &, Service::BeginReply)> begin;
        std::function<void(const EndRequest &)> end;
        std::function<void(RequestId)> cancel; ///< a begin that still waits
        std::function<bool(LeaseId)> holds; ///< the lease is still its own
        std::function<void(std::function<void()>)> flush; ///< saves what is not saved there, then tells
        /// Brings a session back into a slot; false: it could not.
        std::function<void(const QString &session, std::function<void(bool)>)> restore;
        std::function<void(const Verified &)> tell;
        std::function<void()> bye; ///< its connection is closed: it holds nothing any more
    };
    struct Settings {
        ConnectionId connection = 0; ///< of its own
        ServerEndpoint endpoint;
        QString fileName; ///< of its own, beside the snapshots
        QString removeFrom; ///< shared file system: the folder to remove it from; empty: it is emptied
        bool acrossRestart = false;
        int stepMs = 120'000; ///< for each step, and to get a slot
        int restartMs = 600'000; ///< for the user to restart the server
        int pollMs = 500;
    };

    VerifyRun(Settings settings, House house, ServerRuntime *runtime, std::unique_ptr<KvBackend> backend,
        QThreadPool *pool, QObject *parent = nullptr);
    ~VerifyRun() override;
    Q_DISABLE_COPY_MOVE(VerifyRun)

    void start();
    /// No signal but ended() comes any more.
    void cancel();

Q_SIGNALS:
    void found(const kv::DoctorFinding &finding);
    void finished(); ///< all that is to be said has been said; once, unless cancelled
    void ended(); ///< nothing of it runs any more: it may be deleted; once

private:
    using OnReply = std::function<void(const BackendReply &)>;
    using OnPrompt = std::function<void(const PromptAnswer &)>;

    // verifyrun.cpp: how it begins and ends
    void begin();
    void say(const DoctorFinding &finding);
    [[nodiscard]] QString whyNot() const; ///< empty: it may begin
    [[nodiscard]] QString whatHelps() const; ///< when it may not
    void noteOwners();
    void onFlushed();
    void askForSlot();
    void onBegun(const std::variant<BeginAnswer, BeginFailure> &outcome);
    void noteDisplaced();
    [[nodiscard]] QString whyNotHere() const; ///< empty: it may use the slot that it was granted
    /// Not proved. `worse`: something that work needs has failed.
    void stop(const QString &why, const QString &remedy, bool worse = false);
    void conclude(const ProofJudgement &judgement);
    void onOverdue();
    void cleanUp();
    void tidy();
    void onTidyBegun(const std::variant<BeginAnswer, BeginFailure> &outcome);
    void waitUntilIdle(int looks);
    void emptySlot();
    void letGo(EndOutcome outcome);
    void bringBack();
    void finish();
    void sayFinished();
    [[nodiscard]] bool holdsLease() const;

    // verifysteps.cpp: what it does in the slot
    void makeTexts();
    void cold();
    void save(const BackendReply &look);
    void onSaved(const BackendReply &reply);
    void resident();
    void control();
    void giveBackForRestart();
    void pollForRestart();
    void restoreThen(void (VerifyRun::*next)());
    void onRestored(const BackendReply &reply, void (VerifyRun::*next)());
    void same();
    void continued();
    void judge();
    void act(OpKind kind, OnReply then);
    void onReply(const BackendReply &reply);
    void ask(const QString &prompt, OnPrompt then);
    void onPrompt(const PromptAnswer &answer);
    /// An act() whose failure ends the proof.
    void mustAct(OpKind kind, OnReply then);
    void look(OnReply then); ///< likewise; sees who else uses the server
    void noteTasks(const BackendReply &look);
    void sayReuse(const QString &name, const QString &what, const Usage &usage, bool needed);

    Settings m_settings;
    House m_house;
    QPointer<ServerRuntime> m_runtime;
    std::unique_ptr<KvBackend> m_backend;
    PromptCall m_prompts;
    QThreadPool *m_pool;
    QTimer m_patience; ///< of the step
    QTimer m_poll; ///< looks again after a while
    QElapsedTimer m_restartWait;

    OpId m_op = 0; ///< that the backend has not answered; 0: none
    OpId m_nextOp = 1;
    OnReply m_onReply; ///< empty: its answer is awaited, and nobody wants it
    OnPrompt m_onPrompt; ///< empty: no prompt runs
    RequestId m_begin = 0; ///< waits
    LeaseId m_lease = 0;
    SlotKey m_slot;
    Identity m_identity; ///< of the process in whose slot it works
    QString m_boot; ///< of that process, as our own looks show it
    std::map<SlotKey, QString> m_owners; ///< as last seen
    QString m_owner; ///< of the slot before it was ours; empty: none
    std::map<int, qint64> m_tasks; ///< the last one of each slot, as last seen
    bool m_ranSince = false; ///< since then a prompt of ours ran

    QString m_text;
    QString m_more;
    ProofNumbers m_numbers;
    qint64 m_savedBytes = -1;
    bool m_secondRound = false; ///< a bad verdict is tried again before it is told
    bool m_fileWritten = false;
    bool m_restarted = false;
    bool m_gaveBack = false; ///< the slot, for the restart, with its file still to be emptied
    bool m_tidies = false; ///< asked for a slot once more, for that
    bool m_cancelled = false;
    bool m_stopping = false; ///< cleans up
    bool m_told = false; ///< finished()
    bool m_ended = false;
};

} // namespace kv
