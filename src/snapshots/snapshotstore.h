// SPDX-License-Identifier: MIT
#pragma once

#include "loadedstore.h"
#include "result.h"
#include "snapshot.h"
#include "storedatabase.h"

#include <QMap>
#include <QObject>
#include <QString>
#include <QThread>

namespace kv {

struct StoreOptions {
    QString machineBoot; ///< empty: as the system tells
    DatabaseLimits limits;
};

class StoreWorker;

/// The database of all snapshots of all servers, one per metadata folder (hold its FolderLock first).
///
/// Lives in the logic thread and owns one worker thread, in which everything that touches the database runs.
/// Commands are applied in the order of their submission, each in a transaction of its own, and each is
/// answered by exactly one done() or failed(), queued, in that order. Nothing here blocks but open(), close()
/// and the destructor.
///
/// The worker keeps all rows in memory: when the database or its folder vanishes or is damaged while it runs,
/// it is written anew with the next command, recreated() tells, and the command succeeds. After a failure
/// (disk full, read-only, locked) the next command tries again.
class SnapshotStore final : public QObject {
    Q_OBJECT

public:
    explicit SnapshotStore(StoreOptions options = {}, QObject *parent = nullptr);
    /// What was submitted is still written; the stop does not count as an orderly one unless close() was
    /// called.
    ~SnapshotStore() override;
    Q_DISABLE_COPY_MOVE(SnapshotStore)

    /// Makes the folder where it is missing, reads everything and marks the run as not stopped in order. A
    /// damaged database is set aside (see notices). Errors, MetadataIo: the folder or database cannot be
    /// used; the database is of a newer version (left untouched). To be called once, and again only after an
    /// error or close().
    Result<LoadedStore> open(const QString &folder);

    /// `command.server` says whose it is. PutSnapshot, RemoveSnapshot and RaiseHighWater are on the
    /// disk when done() comes. Touch writes lastRestoreWallMs, usedSeq, pinned, compatibility, verdict and
    /// label of a row that exists, and where that row still names the same file its state, reason and
    /// checksum; never which file it points to. A crash of the machine may lose the last ones.
    void submit(const StoreCommand &command);
    /// Sets lifetime totals of a server; those not named stay. Durable like Touch.
    void submitTotals(const QString &server, const QMap<QString, qint64> &totals, StoreSeq seq = 0);
    /// Keeps a value for a server ("" : for none in particular); a null value removes it. Durable like Touch.
    void submitSetting(const QString &server, const QString &key, const QString &value, StoreSeq seq = 0);

    /// Waits until everything submitted is written, marks the stop as orderly and closes the database.
    /// `orderly` false: without the mark, as something may still write to a file that no snapshot holds.
    Result<Done> close(bool orderly = true);

Q_SIGNALS:
    /// Numbers are the submitter's: two servers may use the same ones. `seq` 0 is not answered by done().
    void done(const QString &server, kv::StoreSeq seq);
    void failed(const QString &server, kv::StoreSeq seq, const kv::Error &error);
    /// The database was written anew; a sentence for the user. The folder's lock has to be renewed.
    void recreated(const QString &sentence);

private:
    void stopThread();

    QThread m_thread;
    StoreWorker *m_worker; // lives in m_thread while that runs
};

} // namespace kv
