// SPDX-License-Identifier: MIT
#pragma once

#include "errorcode.h"
#include "fingerprint.h"
#include "types.h"

#include <QString>

#include <optional>
#include <vector>

namespace kv {

/// The state a slot's content was computed under, or a server is in: which process, and which runtime.
struct Identity {
    QString boot; ///< id of the server process; empty: not known
    FingerprintPtr fingerprint; ///< null: not known (a source has not answered, or the model file changed)

    [[nodiscard]] bool known() const { return !boot.isEmpty() && fingerprint != nullptr; }
    [[nodiscard]] bool sameAs(const Identity &other) const
    {
        return known() && other.known() && boot == other.boot
            && fingerprint->hash() == other.fingerprint->hash();
    }
};

/// Asleep or unloaded, a server holds no model and no slot's state; to ask it for its slots would load it.
enum class Rest { Awake, Asleep, Unloaded };
template <typename Seen> Rest restOf(const Seen &seen)
{
    return seen.unloaded ? Rest::Unloaded : seen.sleeping ? Rest::Asleep : Rest::Awake;
}

/// One slot as an inspect showed it.
struct SlotObservation {
    int id = 0;
    bool processing = false;
    qint64 contextTokens = 0; ///< 0: not told
    std::optional<qint64> promptTokens; ///< absent: not told; that is not the same as empty
    std::optional<qint64> idTask; ///< absent: no inference ran in this slot in this process
    std::optional<qint64> reusedTokens; ///< of the prompt that is processed now; 0 or absent: not told
};

/// The one with this id; null: it is not listed.
const SlotObservation *findSlot(const std::vector<SlotObservation> &listed, int id);

enum class OpKind {
    Identity, ///< who answers: process and runtime. GET only; never wakes or loads anything
    Look, ///< Identity, then the list of slots. With `mayWake` false a sleeping server is not asked for its
          ///< slots
    Save,
    Restore,
    Erase,
    CheckFile, ///< shared file system: size, header, checksum of a snapshot's file before its restore
    DeleteFile, ///< shared file system
    Nudge, ///< a prompt too long for the slot: refused without a trace, it wakes one deferred task of the
           ///< server
    Probe, ///< the breaker's question: GET /slots of an awake server
};
QString toString(OpKind kind);
/// Save, Restore and Erase: they change what is in the slot or in its file, so it matters when they run.
bool changesSlot(OpKind kind);

/// What the coordinator asks the shell to do. The shell answers each exactly once with an OpReply, however
/// late; an operation is never aborted: past `deadlineMonoMs` the coordinator takes it as late and still
/// awaits it.
struct Op {
    OpId id = 0;
    OpKind kind = OpKind::Look;
    SlotKey slot;
    NameNumber name = -1; ///< Save, Restore, CheckFile, DeleteFile
    qint64 expectedTokens = -1; ///< CheckFile, Restore: as recorded
    qint64 expectedBytes = -1;
    qint64 contextTokens = 0; ///< Nudge: what the slot can hold
    bool mayWake = false; ///< Look: a user waits, so a sleeping server may be woken
    QString expectedChecksum; ///< CheckFile: computed and compared; empty: only size and header are looked at
    qint64 deadlineMonoMs = 0;
};

/// How an operation failed, as far as the coordinator treats failures differently.
enum class OpFailure {
    None,
    Refused, ///< a 4xx that is no question of rights: the server would not (restore: the one 400 for all
             ///< causes)
    Unauthorized, ///< 401, 403
    Unsupported, ///< 501; Nudge: the server took the prompt instead of refusing it
    ServerError, ///< other 5xx, or an answer that makes no sense
    ConnectionRefused, ///< nobody listens: no operation was begun
    ConnectionLost, ///< the connection broke without an answer: the operation may have been done
    Loading, ///< 503 while a model loads
    File, ///< CheckFile: the file is not what was recorded; `reason` says how
    FileGone, ///< CheckFile: no such file
};
QString toString(OpFailure failure);

struct OpReply {
    OpId id = 0;
    OpKind kind = OpKind::Look;
    OpFailure failure = OpFailure::None;
    QString reason; ///< for FILE failures FILE_SIZE, FILE_HEADER, FILE_CHECKSUM; else empty
    QString message; ///< a sentence for the user, when it failed
    int httpStatus = 0;
    // Identity, Look
    Identity identity;
    bool sleeping = false;
    bool unloaded = false; ///< as ServerObserved has it
    bool slotsListed = false; ///< the slots were asked for and answered
    std::vector<SlotObservation> slotList;
    QString slotsMessage; ///< why the list of slots is missing, when it is
    OpFailure slotsFailure = OpFailure::None;
    // Save, Restore, Erase
    qint64 tokens = -1; ///< n_saved, n_restored, n_erased
    qint64 bytes = -1; ///< n_written, n_read
    double serverMs = -1; ///< the server's own time for it
    double wallMs = 0; ///< from sending to answer, as the shell measured it
};

} // namespace kv
