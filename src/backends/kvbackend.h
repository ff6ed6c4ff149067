// SPDX-License-Identifier: MIT
#pragma once

#include "operation.h"
#include "serverfacts.h"

#include <QObject>

#include <vector>

namespace kv {

/// OpReply with the server's raw facts in place of the identity, which the runtime forms out of them.
struct BackendReply {
    OpId id = 0;
    OpKind kind = OpKind::Look;
    OpFailure failure = OpFailure::None;
    QString message; ///< a sentence or two for the user, when it failed
    int httpStatus = 0; ///< 0: no answer
    /// Identity, Look, Probe. `facts.sleeping` is what was seen first: true together with `slotsListed` means
    /// that this look woke the server, so whatever its slots held before is gone.
    ServerFacts facts;
    // Look, Probe. A Look whose list of slots failed still succeeds as an identity read (failure None); a
    // Probe then fails as its slots did.
    bool slotsListed = false; ///< the slots were asked for and answered
    std::vector<SlotObservation> slotList;
    QString slotsMessage; ///< why the list is missing, when it is (asleep and not loaded are no failures)
    OpFailure slotsFailure = OpFailure::None;
    // Save, Restore, Erase
    qint64 tokens = -1; ///< n_saved, n_restored, n_erased
    qint64 bytes = -1; ///< n_written, n_read
    double serverMs = -1; ///< the server's own time for it; -1: not told
    double wallMs = 0; ///< from start() to finished()
};

/// The reply as the coordinator takes it.
OpReply toOpReply(const BackendReply &reply, const Identity &identity);

/// The port to one server (router mode: to one model of it). Lives in one thread.
///
/// Every start() is answered by exactly one finished(), however late, never before start() has returned.
/// Operations that change a slot (Save, Restore, Erase) are never aborted and never repeated; the caller
/// keeps the deadlines and goes on awaiting the reply of a late one. Reads (Identity, Look, Probe) change
/// nothing and end by themselves within the request time-out. Destroying the backend drops what runs without
/// a reply.
class KvBackend : public QObject {
    Q_OBJECT

public:
    explicit KvBackend(QObject *parent = nullptr);
    ~KvBackend() override;
    Q_DISABLE_COPY_MOVE(KvBackend)

    /// `op.kind`: Identity, Look, Save, Restore, Erase or Probe (any other kind is answered
    /// OpFailure::Refused). `fileName`: flat name of the snapshot's file; Save and Restore only.
    virtual void start(const Op &op, const QString &fileName) = 0;

Q_SIGNALS:
    void finished(const kv::BackendReply &reply);
};

} // namespace kv
