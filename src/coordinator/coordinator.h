// SPDX-License-Identifier: MIT
#pragma once

#include "breaker.h"
#include "diskroom.h"
#include "effect.h"
#include "event.h"
#include "initialstate.h"
#include "namepool.h"
#include "pendingcalls.h"
#include "policy.h"
#include "rates.h"
#include "reuseproof.h"
#include "slot.h"
#include "snapshotindex.h"
#include "soonest.h"
#include "worth.h"

#include <deque>
#include <map>
#include <vector>

namespace kv {

struct JournalAccess;

/// The functional core: decides for one server process who may use which slot, and what is saved, restored or
/// erased around it. A plain state machine: it takes an event and the time, and returns effects; it knows no
/// socket, timer, file or thread, and nothing random, so that the same events give the same effects. Not
/// thread-safe; one owner.
///
/// The invariants of the project are enforced here; each is a comment ("invariant N") at its place and a test
/// of that name in tests/coordinator.
class Coordinator final {
public:
    Coordinator(Policy policy, InitialState initial);
    ~Coordinator();
    Q_DISABLE_COPY_MOVE(Coordinator)

    /// The effects are to be carried out in their order.
    [[nodiscard]] Effects handle(const Event &event, Instant now);

    // What status, list and metrics show.
    [[nodiscard]] const std::map<SlotKey, Slot> &slotTable() const { return m_slots; }
    [[nodiscard]] const std::map<LeaseId, Lease> &leases() const { return m_leases; }
    [[nodiscard]] const SnapshotIndex &index() const { return m_index; }
    [[nodiscard]] NameNumber highWater() const { return m_names.highWater(); }
    [[nodiscard]] const Breaker &breaker() const { return m_breaker; }
    [[nodiscard]] const Identity &identity() const { return m_identity; }
    [[nodiscard]] const Rates &rates() const { return m_rates; } ///< of the running fingerprint
    [[nodiscard]] std::map<QString, QString> keptRates() const; ///< as InitialState wants them
    [[nodiscard]] const Policy &policy() const { return m_policy; }
    [[nodiscard]] std::size_t waiting() const { return m_waiters.size(); }
    [[nodiscard]] bool isPaused() const { return m_paused; }
    [[nodiscard]] bool isSleeping() const { return m_sleeping; }
    [[nodiscard]] bool isUnreachable() const { return m_unreachable; }
    [[nodiscard]] const QString &unsupportedReason() const { return m_unsupported; } ///< empty: supported
    [[nodiscard]] const QString &trouble() const { return m_trouble; } ///< the last failure; empty: none
    [[nodiscard]] SessionState sessionState(const QString &session) const;
    [[nodiscard]] bool hasOwner() const;
    [[nodiscard]] Compatibility compatibility() const; ///< as restores have proved it of what runs now
    /// For the database; empty: nothing is known of that fingerprint.
    [[nodiscard]] QString proofText(const QString &fingerprintHash) const;
    [[nodiscard]] bool isBudgetSpent() const { return m_budgetSpent; } ///< only switches and stops still save
    [[nodiscard]] qint64 bytesWrittenToday(qint64 wallMs) const;
    [[nodiscard]] const DiskRoom &diskRoom() const { return m_room; }
    [[nodiscard]] qint64 roomWanted() const; ///< by the largest save that is to come
    [[nodiscard]] bool isMakingRoom() const; ///< files are being let go: more room is to come
    [[nodiscard]] quint64 strayReplies() const { return m_strayReplies; }
    [[nodiscard]] int strangers() const { return m_strangers; }
    /// Requests that named no slot on a server with several; those of which nobody could tell where they ran.
    [[nodiscard]] int pinless() const { return m_pinless; }
    [[nodiscard]] int unbooked() const { return m_unbooked; }
    /// Seen: a slot is emptied as soon as another one gets a request.
    [[nodiscard]] bool clearsIdleSlots() const { return m_neighbours == Neighbours::Clear; }
    /// Files of purged snapshots that still hold what was purged; to be kept over restarts.
    [[nodiscard]] std::vector<NameNumber> purgedFiles() const;
    /// Builds to which a nudge was sent, and whether they refused it; to be kept over restarts.
    [[nodiscard]] const std::map<QString, bool> &nudgeBuilds() const { return m_nudgeBuilds; }
    [[nodiscard]] bool restoresStopped() const; ///< the server died twice of a restore
    [[nodiscard]] bool awaitsWrites() const; ///< an operation may still write to a file on no record
    [[nodiscard]] std::map<QString, QString> keptProofs() const; ///< as InitialState wants them

private:
    friend struct JournalAccess;
    // coordinator.cpp: dispatch, timers, small helpers
    void on(const BeginRequest &event);
    void on(const EndRequest &event);
    void on(const ClientGone &event);
    void on(const CancelRequest &event);
    void on(const ManualRequest &event);
    void on(const SessionHint &event);
    void on(const OpFinished &event);
    void on(const StoreDone &event);
    void on(const StoreFailed &event);
    void on(const RemoveRows &event);
    void on(const ChecksumKnown &event);
    void on(const DiskFree &event);
    void on(const ServerObserved &event);
    void on(const ServerLost &event);
    void on(const ConfigChanged &event);
    void on(const Paused &event);
    void on(const Resumed &event);
    void on(const TimerFired &event);
    void on(const Shutdown &event);
    void on(const Verified &event);
    void pump();
    void serveWaiters();
    void resume();
    void noteStates();
    void scheduleWake();
    [[nodiscard]] qint64 nextWakeMs() const;
    void wakeOf(const Slot &slot, Soonest &soonest) const;
    void emitEffect(Effect effect) { m_effects.push_back(std::move(effect)); }
    Notice &notice(QStringView name, const Slot *slot = nullptr);
    StoreSeq store(StoreCommand command);
    [[nodiscard]] bool multiSlot() const { return m_slots.size() > 1 || m_totalSlots > 1; }
    [[nodiscard]] quint64 epochOf(const QString &session) const;

    // requestlife.cpp: from begin to grant, and the end
    [[nodiscard]] QString restReason() const; ///< empty: slots may be called; pausing does not count
    [[nodiscard]] QString bypassReason() const; ///< empty: requests are managed
    bool serve(const Waiter &waiter); ///< true: it need not wait any longer
    bool serveBegin(const Waiter &waiter);
    bool serveOwn(const Waiter &waiter, Slot &slot);
    bool serveAuxiliary(const Waiter &waiter);
    bool serveManual(const Waiter &waiter);
    [[nodiscard]] bool isResident(const Slot &slot) const;
    [[nodiscard]] bool eligible(const Slot &slot, const Waiter &waiter) const;
    [[nodiscard]] Slot *chooseSlot(const Waiter &waiter);
    void grant(Slot &slot, const Waiter &waiter, Outcome outcome, const QString &reason = {});
    void grantFromJob(Slot &slot, Outcome outcome, const QString &reason = {});
    void noteStart(const Slot &slot, const Waiter &waiter, Outcome outcome, const QString &reason);
    Lease &addLease(const Waiter &waiter, Slot *slot, bool foreign);
    [[nodiscard]] bool strayRequests(const Slot &slot) const; ///< one that is not its own may go there
    void markStrayed(const Slot *butNot);
    void grantForeign(const Waiter &waiter, Slot *slot, const QString &reason);
    void refuse(const Waiter &waiter, ErrorCode code, const QString &message, bool strict);
    void endLease(const Lease &lease, const EndRequest &end);
    EndAnswer endOwned(Slot &slot, const Lease &lease, const EndRequest &end);
    void noteOutcome(Slot &slot, const EndRequest &end, EndAnswer &answer);
    void endCompaction(Slot &slot);
    void advanceRevision(Slot &slot, const EndRequest &end);
    void holdForOwner(Slot &slot, const EndRequest &end);
    [[nodiscard]] RequestId waitingBegin(ConnectionId connection, const QString &call) const; ///< 0: none
    void judge(Slot &slot, const EndRequest &end, EndAnswer &answer);
    void prove(const Ownership &owner, const EndRequest &end, qint64 restored, EndAnswer &answer);
    [[nodiscard]] ReuseProof *proofOf(const Identity &identity);
    void learnRates(const EndRequest &end);
    void useRatesOf(const Identity &identity);
    void cancelWaiter(RequestId request, bool answer);
    void detachWaiter(Slot &slot); ///< nobody waits for the job any more; its step is finished in peace
    void grantOverdueWaiters();
    [[nodiscard]] bool isBeingServed(const QString &session) const;
    void endRevoked(const EndRequest &event);
    void lookAtServer();
    void dropOwner(Slot &slot, const QString &reason);

    // slotjob.cpp: the script on one slot
    void startJob(Slot &slot, Job job);
    void startLook(Slot &slot);
    void startStep(Slot &slot, Job::Phase phase, Op op);
    void jobReply(Slot &slot, const OpReply &reply);
    void afterLook(Slot &slot, const OpReply &reply);
    void afterLookIdle(Slot &slot);
    void lookFailed(Slot &slot, const OpReply &reply);
    [[nodiscard]] qint64 tokensOnRecord(const Ownership &owner) const;
    void takeObservation(Slot &slot, const SlotObservation &seen);
    void reconcile(Slot &slot, const SlotObservation &seen);
    void prepareContent(Slot &slot);
    [[nodiscard]] QString whyNoRestore(const Waiter &waiter) const; ///< empty: its own snapshot may be
    [[nodiscard]] SnapshotIndex::Match matchFor(const Waiter &waiter) const;
    void startCheckedRestore(Slot &slot);
    [[nodiscard]] bool mustEraseFirst(const Slot &slot) const;
    void startRestore(Slot &slot);
    void afterRestore(Slot &slot, const OpReply &reply);
    bool retryRestore(Slot &slot); ///< true: tried once more
    void afterRestoreIdentity(Slot &slot, const OpReply &reply);
    void restoreFailed(Slot &slot, const QString &why, OpFailure failure);
    void startErase(Slot &slot, Job::Phase phase);
    void afterErase(Slot &slot, const OpReply &reply);
    void finishJob(Slot &slot);
    void busySlot(Slot &slot);
    bool yieldToOther(Slot &slot); ///< true: the job ended, as the slot is not what it was looked at for
    void opOverdue(Slot &slot, bool lost);
    bool markLate(Slot &slot, bool lost); ///< true: it was sent to a process that is gone
    void goOnWithout(const Waiter &waiter, OpKind failed, bool own, const QString &why);
    void lateReply(const OpReply &reply);
    void adoptRestored(Slot &slot);
    void restoreUnseen(Slot &slot, const OpReply &reply);
    void noteRestored(Slot &slot);
    void weighEvidence(const Slot &slot, const QString &why, OpFailure failure);
    void goOnCold(Slot &slot);
    void releaseName(NameNumber number);
    void releaseFile(const Snapshot &row); ///< its number, unless another row names it as well
    void sweepNames();
    [[nodiscard]] bool nameInUse(NameNumber number) const;
    [[nodiscard]] qint64 leasePatienceMs(const Lease &lease) const;
    [[nodiscard]] qint64 opDeadline(qint64 bytes) const;
    [[nodiscard]] qint64 lookDeadline(bool mayWake) const;

    // bases.cpp: beginnings that sessions share, and sessions that were branched from others
    bool startBased(Slot &slot); ///< true: the waiter's slot is being made to hold one, or holds it
    [[nodiscard]] bool isBaseWanted(const Ownership &owner) const;
    void keepAsBase(const Commit &commit);
    void judgeBased(Slot &slot, const EndRequest &end, EndAnswer &answer);
    void weighBase(Snapshot &base, Verdict verdict, qint64 shared);
    Notice &restoreNotice(QStringView name, const Slot &slot);

    // nudges.cpp: what an operation that had to wait may have left behind in the server
    void noteWaited(const OpReply &reply);
    void oweNudge();
    void nudgeDone();
    void pumpNudge();
    void nudge(Slot &slot, bool others); ///< `others`: another slot of the server is at work
    void afterNudge(Slot &slot, const OpReply &reply);
    [[nodiscard]] Slot *slotToNudge();
    [[nodiscard]] QString build() const;

    // emptyings.cpp: files of purged snapshots
    static constexpr qint64 c_emptyRetryMs = 60000;
    void toBeEmptied(const Snapshot &row);
    [[nodiscard]] bool fileRemains(const QString &session) const;
    [[nodiscard]] NameNumber takeName(); ///< for a save; −1: none is free
    void pumpEmptyings();
    void startEmptying(Slot &slot);
    void afterEmptying(Slot &slot, const OpReply &reply);
    void settlePurges(StoreSeq seq, const Error *failed);

    // neighbours.cpp: slots that are emptied by another slot's request
    enum class Neighbours { Unknown, Survive, Clear };
    [[nodiscard]] Neighbours neighbours() const;
    void learnNeighbours(const std::vector<SlotObservation> &listed);
    [[nodiscard]] bool neighboursMayClear(const Slot &slot) const;
    bool saveNeighboursFirst(const Slot &chosen, const Waiter &waiter); ///< true: the grant waits for it

    // bookings.cpp: requests that name no slot
    [[nodiscard]] bool goesAnywhere(const Waiter &waiter) const;
    bool waitsForUnproven(const Waiter &waiter, const Slot *except = nullptr); ///< and has it erased
    void pumpBookings();
    [[nodiscard]] bool mayHaveTaken(const Slot &slot, const SlotObservation &shown) const;
    [[nodiscard]] const SlotObservation *whereItRan(
        const Slot &slot, const std::vector<SlotObservation> &listed) const;
    void book(Slot &slot, const std::vector<SlotObservation> &listed);
    void moveOwner(Slot &from, Slot &to);

    // checkpoints.cpp: saves, commits, policies
    [[nodiscard]] SaveCheck checkSavable(const Slot &slot);
    [[nodiscard]] Worth worthOf(const Slot &slot);
    void countWritten(qint64 bytes);
    bool startSave(Slot &slot);
    void afterSave(Slot &slot, const OpReply &reply);
    void afterSaveIdentity(Slot &slot, const OpReply &reply);
    void commitSave(Slot &slot, Commit commit);
    void saveFailed(Slot &slot, const QString &why, ErrorCode code);
    /// Invariant 5: with `failure.strict` who waits for this slot is refused when its owner cannot be saved.
    void refuseUnsaved(Slot &slot, const QString &why);
    void afterSaveStep(Slot &slot);
    void pumpCheckpoints();
    void pumpCheckpoint(Slot &slot);
    void pumpSettle(Slot &slot);
    void pumpRests(Slot &slot);
    void disposed(const QString &session, Slot *slot);
    void subagentDone(const QString &session, Slot *slot);
    bool giveUpDone(Slot &slot); ///< true: it was only to be saved for a base, and nobody will miss that
    void requestSave(Slot &slot, SaveReason reason, qint64 atMs);
    [[nodiscard]] qint64 idleDelayMs() const; ///< 0: no idle checkpoint
    [[nodiscard]] bool otherSlotBusy(const Slot &slot) const;
    void answerSaves(const Commit &commit, const Result<ManualAnswer> &result);
    void answerOpenSaves(const SlotKey &slot, const Result<ManualAnswer> &result); ///< not on their way
    void answerOrphanedSaves(const SlotKey &slot, const QString &reason);
    [[nodiscard]] bool isOnItsWay(const SaveCall &call) const;
    void pumpFlush();
    void pumpShutdown();
    void keepNumbersAhead();

    // filefacts.cpp: what is found out about files. A forecast of 0: not known
    [[nodiscard]] qint64 forecastBytes(const Slot &slot) const;
    [[nodiscard]] QString roomRefusal(const Slot &slot, NameNumber name) const;
    bool refuseForRoom(Slot &slot, NameNumber name); ///< true: not saved, and `name` is free
    void shareChecksum(const Snapshot &file); ///< of whatever names it
    bool keepForRoom(Slot &slot); ///< true: its manual command was refused

    // manual.cpp: by hand
    void manualSave(const ManualRequest &event);
    void manualFlush(const ManualRequest &event);
    void manualInvalidate(const ManualRequest &event);
    void invalidate(const Snapshot &row, const QString &reason); ///< and whatever names its file
    void manualPurge(const ManualRequest &event);
    void manualPin(const ManualRequest &event);
    void answerManual(RequestId request, Result<ManualAnswer> result);
    void removeRow(const Snapshot &row, const QString &reason);
    void storeRemoval(const Snapshot &row); ///< its number is free once that is durable
    void retryRemovals();
    void dropCommits(const QString &session, const QString &provider, const QString &model, bool basesToo);
    void raiseEpoch(const QString &session);
    void putChanged(const Snapshot &row);

    // watching.cpp: the server seen from outside, breaker
    void observe(const Identity &identity, Rest rest, int totalSlots);
    void forgetContents(const QString &reason);
    void bootSeen(bool first);
    void newBoot();
    void syncSlots(const std::vector<SlotObservation> &listed);
    void countFailure(const QString &why);
    void leaseSeen(Slot &slot, const SlotObservation &seen);
    void revoke(Slot &slot, Lease lease);
    void serverDied();
    void checkForgottenLeases();
    bool countSuccess(); ///< true: it had been degraded
    void giveUpAll(const QString &reason);
    void probeReply(const OpReply &reply);

    Slot *slotOf(const SlotKey &key);
    Slot *slotOfOp(OpId op);
    Slot *ownedSlot(const QString &session);
    [[nodiscard]] const Slot *ownedSlot(const QString &session) const;
    [[nodiscard]] bool sessionActive(const QString &session) const;

    Policy m_policy;
    Instant m_now;
    Effects m_effects;

    std::map<SlotKey, Slot> m_slots;
    std::map<LeaseId, Lease> m_leases;
    std::deque<Waiter> m_waiters;
    SnapshotIndex m_index;
    NamePool m_names;
    Breaker m_breaker;
    Identity m_identity;
    Rates m_rates;
    FingerprintPtr m_ratesOf; // null: nothing is known of what was measured
    std::map<QString, Rates> m_keptRates; // of other fingerprints
    std::map<QString, ReuseProof> m_proofs; // by fingerprint hash
    std::map<QString, quint64> m_epochs; // only of sessions that were purged or disposed
    std::map<StoreSeq, Commit> m_commits;
    std::map<StoreSeq, NameNumber> m_raises;
    std::map<StoreSeq, Snapshot> m_removals; // a name is free only when no row can name it any more
    std::vector<Snapshot> m_failedRemovals;
    std::vector<SaveCall> m_saveCalls;
    std::vector<FlushCall> m_flushCalls;
    std::vector<PurgeCall> m_purgeCalls;
    std::map<OpId, NameNumber> m_lateNames;
    std::map<OpId, NameNumber> m_deletions;
    std::set<OpId> m_lostOps; // late, and their reply will never come
    std::set<OpId> m_outlivedOps; // late, of a process that is gone: over when their connection breaks
    std::set<NameNumber> m_unfreed; // on no record any more, but an operation may still use the file
    std::map<NameNumber, QString> m_purged; // by whose state: files to be emptied, whatever still uses them
    std::set<NameNumber> m_toEmpty; // those of them that nothing uses
    std::set<NameNumber> m_restingPurged; // found at an unclean start: something may still write to them
    std::map<QString, bool> m_nudgeBuilds;
    std::map<SlotKey, SlotState> m_shownStates;
    std::map<LeaseId, Lease> m_revoked; // ends of these are late, and make their slot foreign
    std::optional<Snapshot> m_restoreLost; // the connection broke in its restore: did the server die on it?
    std::map<QString, QString> m_suspectBoots; // session → boot in which its snapshot was refused
    std::map<QString, qint64> m_wrongBases; // no longer kept → tokens of it that were shared at most lately
    std::set<QString> m_leftFails; // what sessions of that base leave in a slot is not reused by the next

    OpId m_nextOp = 1;
    LeaseId m_nextLease = 1;
    StoreSeq m_nextSeq = 1;
    quint64 m_nextOrder = 1;
    quint64 m_useSeq = 1;
    quint64 m_revision = 0;
    quint64 m_epoch = 0;
    quint64 m_tasks = 0; // requests granted so far
    OpId m_probeOp = 0;
    qint64 m_probeDeadlineMs = -1;
    qint64 m_storeRetryMs = -1; // the database failed: not before this time again
    OpId m_serverLook = 0; // managed slots: the list has to be read before anybody can be served
    qint64 m_serverLookDeadlineMs = -1;
    int m_totalSlots = 0;
    QString m_unsupported;
    QString m_trouble;
    Neighbours m_neighbours = Neighbours::Unknown;
    qint64 m_lastAliveMs = -1;
    qint64 m_lastActivityMs = -1; // of a request or an operation
    qint64 m_sleepIdleMs = 0;
    qint64 m_emptyRetryMs = -1;
    qint64 m_wakeMs = -1;
    qint64 m_pausedUntilMs = -1;
    qint64 m_shutdownDeadlineMs = -1;
    quint64 m_strayReplies = 0;
    int m_strangers = 0;
    int m_pinless = 0;
    int m_unbooked = 0;
    qint64 m_day = 0;
    qint64 m_bytesToday = 0;
    DiskRoom m_room;
    bool m_budgetSpent = false;
    bool m_nudgeOwed = false;
    bool m_othersProcessing = false; // as the last look showed it
    bool m_paused = false;
    bool m_sleeping = false;
    bool m_unreachable = false;
    bool m_shutdown = false;
    bool m_shutdownDone = false;
};

} // namespace kv
