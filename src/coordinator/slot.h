// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"
#include "event.h"
#include "operation.h"
#include "snapshot.h"
#include "types.h"

#include <QString>

#include <optional>
#include <set>
#include <vector>

namespace kv {

/// An auxiliary request gets a slot when its owner has been quiet for this long, …
inline constexpr qint64 c_auxiliaryQuietMs = 2000;
/// … or when it has waited for this long.
inline constexpr qint64 c_auxiliaryPatienceMs = 10000;

/// What a session's slot is made to hold before its first request.
enum class JobSource {
    Own, ///< its own snapshot
    Base, ///< the base that its request named
    Fork, ///< the snapshot of the session that it was branched from
    Left, ///< nothing: the slot still holds a session that begins alike
};
QString toString(JobSource source); ///< as Notice::what has it; Own: empty

/// Whose state a slot holds, and how far it is saved. Revisions, not booleans: dirtyRevision > savedRevision
/// means dirty, and a save takes the revision it started at.
struct Ownership {
    QString session;
    QString provider;
    QString model;
    QString label;
    bool subagent = false;
    qint64 seq = -1;
    Identity content; ///< read at the owner's grant: what the slot's content was computed under (invariant 4)
    quint64 epoch = 0; ///< the session's epoch at the grant; purge and dispose raise the session's
    quint64 dirtyRevision = 0;
    quint64 savedRevision = 0; ///< durable
    quint64 neighbourRevision = 0; ///< a save of it was asked for before a neighbour was granted
    quint64 committingRevision = 0; ///< saved in a file whose row is on its way to the database
    qint64 expectedTokens = -1; ///< what an inspect must show; −1: not known
    qint64 provenTokens
        = 0; ///< at least this many tokens are this session's own (restored, or shown by an inspect)
    bool ownState = false; ///< the last grant was resident or restored from the session's own snapshot
    bool touched
        = false; ///< a request ended in error or was aborted: to be proved by an inspect before a save
    qint64 touchedMs = 0; ///< when that request ended
    std::optional<qint64> touchedTask; ///< the slot's last task, as the first look after it showed it
    bool touchedBegan = false; ///< that request was seen at work: by its client (a first chunk), or by a look
    bool compacting = false; ///< holds a compaction's prompt: not saved before the next conversation turn
    bool strayed = false; ///< since its last proof a request ran that may have gone to any slot
    bool contaminated = false; ///< another holder may have written: given up when the lease ends
    bool compactedHint = false; ///< explains the next low reuse
    bool saveAtOnce = false; ///< a hint asked for a checkpoint
    bool giveUpWhenSaved = false; ///< disposed of: the slot is free once this is durable
    bool doneWhenSaved = false; ///< a sub-agent that is done, saved once more for the base that it makes
    SaveReason dueReason = SaveReason::Idle;
    JobSource basedBy = JobSource::Own; ///< how the slot came to hold it
    qint64 dirtySinceMs = -1;
    qint64 idleDeadlineMs = -1; ///< −1: no checkpoint is due
    bool restoredAcrossBoots = false; ///< another server process had saved what was restored
    bool fresh = false; ///< it began without a snapshot and has not been saved: its save may become a base
    qint64 awaitedReuse = -1; ///< tokens of the restore that the next end judges; −1: none
    QString base; ///< what its prompt begins with, as its last begin told; empty: not told
    QString basedOn; ///< the base or parent that the next end judges; empty: none
    qint64 basedTokens = -1; ///< so many of it are expected to be reused; −1: not known
    NameNumber basedFile = -1; ///< that it was restored from; −1: from none

    /// The slot holds this snapshot of its own; the next prompt has to show that it was worth it.
    void holdsRestored(const Snapshot &row);
    [[nodiscard]] bool isDirty() const { return dirtyRevision > savedRevision; }
    /// Dirty, and no commit of this revision under way.
    [[nodiscard]] bool needsSave() const
    {
        return dirtyRevision > savedRevision && dirtyRevision > committingRevision && !compacting;
    }
};

/// Somebody who waits for a slot: a begin, or a manual restore or erase.
struct Waiter {
    enum class Kind { Begin, Restore, Erase };
    Kind kind = Kind::Begin;
    quint64 order = 0;
    qint64 sinceMs = 0;
    BeginRequest begin; ///< for Restore: session, provider and model only
    SlotKey slot; ///< Erase
    RequestId request = 0;
    ConnectionId connection = 0;
    qint64 heldMs = 0; ///< how long a free slot was held for its owner while this one waited

    [[nodiscard]] bool isCompaction() const { return begin.purpose == QStringLiteral("compaction"); }
    [[nodiscard]] bool isAuxiliary() const;
};

/// What is being done to one slot: a short script of operations, one at a time (invariant 8).
struct Job {
    enum class Kind {
        Serve, ///< for `waiter`: look, save the old owner, then erase or restore, then grant
        Checkpoint, ///< look, save
        Settle, ///< look only: has a draining slot come to rest, what does it hold
        LeaseCheck, ///< look only, on a leased slot: has its holder been quiet
        Nudge, ///< look, wake what the server left waiting
        Empty, ///< look, erase, save nothing over the files of purged snapshots
        Booking, ///< look only: which slot took a request that named none
    };
    enum class Phase {
        Look,
        Save,
        SaveIdentity,
        CheckFile,
        Restore,
        RestoreIdentity,
        EraseBeforeRetry,
        EraseAfterFailure,
        Erase,
        Nudge,
        Empty,
    };
    Kind kind = Kind::Serve;
    Phase phase = Phase::Look;
    Op op; ///< the one under way
    std::optional<Waiter>
        waiter; ///< Serve; empty once cancelled: the step under way is finished, no other begun
    SaveReason reason = SaveReason::Switch;
    JobSource source = JobSource::Own; ///< whose state `restoring` is
    Snapshot saving; ///< the row to be written
    quint64 savingRevision = 0;
    quint64 savingEpoch = 0; ///< of its owner
    Snapshot restoring;
    SlotObservation seen; ///< by the look of this job
    Identity identity; ///< likewise: an action answered under another process is void
    bool disturbed = false; ///< meanwhile somebody else used the slot, or the server emptied it
    bool saveTried = false; ///< the former owner's save was begun: it is not tried twice
    bool retried = false; ///< a restore was refused, and is tried once more after an erase
    bool eraseNext = false; ///< what was restored cannot be trusted: erased once the slot is seen idle again
    NameNumber checkedName = -1; ///< of the file that was checked since, followed by another look
    bool noRoom = false; ///< the save was refused for want of room on the disk
    double saveMs = -1;
    double restoreMs = -1;
    QString failure; ///< why it will be cold
    bool cancelled
        = false; ///< nobody waits any more, but what is being restored is still the waiter's session
};

struct Slot {
    SlotKey key;
    qint64 contextTokens = 0;
    std::optional<Ownership> owner;
    bool knownEmpty = false; ///< erased by us, or shown empty
    bool worthless = false; ///< content is ours and nobody will miss it (an auxiliary request's)
    bool unproven = false; ///< holds what a restore left that was not proved: maybe another model's state
    bool known = false; ///< looked at since the server's process started
    LeaseId lease = 0; ///< of the one holder whose request makes this slot's state
    int foreign = 0; ///< other holders who may still send to it
    bool draining = false; ///< a request may still run: to be seen idle before anything is done
    bool broken = false;
    std::set<OpId> late; ///< operations past their time that may still run in the server
    std::optional<Job> job;
    bool toBook = false; ///< a request that named no slot has ended: which slot took it is to be looked up
    bool retired = false; ///< no longer configured: gone as soon as it rests
    qint64 recheckMs = -1; ///< seen busy: not before this time again
    int busyLooks = 0; ///< in a row: the more, the longer until the next
    qint64 settleMs = -1; ///< a look in the background failed: not before this time again
    qint64 quietSinceMs = 0; ///< when its last request ended
    quint64 quietTask = 0; ///< how many requests the server had been granted by then
    qint64 heldSinceMs = 0; ///< what others waited before that is in their heldMs
    qint64 heldUntilMs = -1; ///< for its owner, between the requests of one turn
    QString lastOwner; ///< the last session granted; shows changes of owner
    quint64 usedSeq = 0; ///< recency
    qint64 lastUsedWallMs = 0;
    std::optional<qint64> tokens; ///< as last shown or restored
    std::optional<qint64> idTask;

    [[nodiscard]] bool isDirty() const { return owner && owner->isDirty(); }
    [[nodiscard]] bool ownedBy(const QString &session) const { return owner && owner->session == session; }
};

/// Derived, never stored: so no slot can be in a state that its facts contradict.
SlotState stateOf(const Slot &slot);

struct Lease {
    LeaseId id = 0;
    ConnectionId connection = 0;
    QString call;
    SlotKey slot { {}, -1 }; ///< id −1: unknown which
    bool foreign = false; ///< recorded, not managed
    bool goesAnywhere = false; ///< its request names no slot on a server with several: `slot` is a guess
    bool auxiliary = false;
    bool compaction = false;
    QString session;
    QString label;
    qint64 grantedMs = 0;
    // Forgotten leases: revoked when somebody waits and the slot has stayed idle.
    qint64 nextCheckMs = -1;
    qint64 idleSinceMs = -1;
    std::optional<qint64> idleTask;
};

} // namespace kv
