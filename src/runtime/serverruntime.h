// SPDX-License-Identifier: MIT
#pragma once

#include "checksumqueue.h"
#include "clock.h"
#include "config.h"
#include "coordinator.h"
#include "filejob.h"
#include "folderprobe.h"
#include "kvbackend.h"
#include "modelfileprobe.h"
#include "runtimefingerprint.h"
#include "serverfacts.h"
#include "watcher.h"

#include <QHash>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace kv {

class JournalKeeper;
class SnapshotStore;

/// What a ServerRuntime is made of; created in one place (see RuntimeService).
struct ServerParts {
    std::unique_ptr<KvBackend> backend;
    std::unique_ptr<Watcher> watcher; ///< may be null in tests
    FolderLook folderLook = {}; ///< empty: lookAtFolder()
};

/// The imperative shell around one Coordinator: turns replies, timers and client calls into events, and
/// effects into HTTP calls, database writes, timers and signals. Lives in the logic thread.
///
/// post() carries out all effects before it returns, so a resident begin is granted() within it. A post()
/// from a slot connected to one of the signals is queued behind the running one.
class ServerRuntime final : public QObject {
    Q_OBJECT

public:
    struct Settings {
        ServerConfig server;
        Policy policy;
        QString filePrefix; ///< 16 hex digits
        /// Another one for each runtime that a server of this name has had since the store was opened: an
        /// answer of the store to a former one is not taken for ours. Below 2^20; taken at construction.
        quint64 run = 0;
        int progressEveryMs = 500; ///< how often the progress of one operation is told; taken at construction
        QString journalFolder = {}; ///< empty: no journal is kept; taken at construction
    };

    /// `store`, `pool` and `clock` must outlive the object.
    ServerRuntime(Settings settings, InitialState initial, ServerParts parts, SnapshotStore *store,
        QThreadPool *pool, const Clock *clock, QObject *parent = nullptr);
    ~ServerRuntime() override;
    Q_DISABLE_COPY_MOVE(ServerRuntime)

    /// Before start(): what keptModelFile() gave in the last run of the daemon.
    void assumeModelFile(const QString &kept);
    void start(); ///< begins to watch the server
    /// No events are taken and nothing is asked for or written any more; no signal but left() comes. What was
    /// already asked of the server is awaited (an operation's call is never aborted), then left() is emitted,
    /// from the event loop.
    void leave();
    void closeJournal(); ///< writes the rest of it; events are not recorded any more
    void post(const Event &event);
    /// One model of a router: which models it has and which of them are loaded, as was seen just now.
    void seeModels(const std::vector<ModelEntry> &models);
    void reconfigure(Settings settings); ///< the same endpoint, other policy

    [[nodiscard]] const Coordinator &coordinator() const { return m_coordinator; }
    [[nodiscard]] const ServerConfig &server() const { return m_settings.server; }
    [[nodiscard]] const ServerFacts &facts() const { return m_facts; }
    /// The server is a router, and this is not one of its models but the router itself: it has no slots.
    [[nodiscard]] bool isRouter() const { return m_facts.router && m_settings.server.routerModel.isEmpty(); }
    /// The folder of the slot files as it was last seen, and whether freeing files frees space there. The
    /// one that is configured (shared-filesystem), else the one on the command line of a server on this
    /// machine.
    [[nodiscard]] QString slotFolder() const;
    [[nodiscard]] FolderFacts folderFacts(
        const QString &folder) const; ///< as last seen; unreadable: not seen
    void lookAtFolders(); ///< answered by foldersSeen()
    /// The rows as they are once the store has done all that it was told.
    [[nodiscard]] std::vector<Snapshot> expectedRows() const;
    [[nodiscard]] QString keptModelFile() const { return m_keptModelFile; }
    /// Why it is not known which model and build the server runs. Empty: it is known, or nobody has asked
    /// yet: the first request does, and until then nothing is wrong.
    [[nodiscard]] QString identityTrouble() const;
    [[nodiscard]] QString fileName(NameNumber number) const;
    /// `backend.state` of the protocol, and since when and why.
    [[nodiscard]] QString state() const;
    [[nodiscard]] QString stateMessage() const;
    [[nodiscard]] qint64 stateSinceWallMs() const { return m_stateSinceWallMs; }
    [[nodiscard]] Instant now() const { return m_clock->now(); }
    /// When the operation that runs on a slot was started; 0: none.
    [[nodiscard]] qint64 jobSinceWallMs(const SlotKey &slot) const;

    /// Where a session's prompt changed; empty `change`: it did not. The last few sessions are kept.
    void notePrefix(const QString &session, const QString &change);
    [[nodiscard]] QString prefixNote(const QString &session) const { return m_prefixNotes.value(session); }

Q_SIGNALS:
    void granted(const kv::Grant &grant);
    void refused(const kv::Refuse &refusal);
    void answered(const kv::Answer &answer);
    void noticed(const kv::Notice &notice);
    void shutdownDone();
    void isARouter(); ///< seen for the first time
    void foldersSeen();
    void left();
    void troubled(const QString &sentence); ///< for the user: something beside the work does not work

private:
    void carryOut(const Effects &effects);
    void startOp(const Op &op);
    void startFileOp(const Op &op);
    void sealThenFinish(const OpReply &reply);
    // serverfiles.cpp
    struct Progress {
        qint64 sinceMs = 0;
        NameNumber of = -1; ///< file
        qint64 lastMs = sinceMs;
        bool shown = false;
    };
    void onFolders(const std::map<QString, FolderFacts> &facts);
    void queueChecksum(const Snapshot &row);
    void seeRestore(const Notice &notice);
    void showCheck(const FileJob &job, const Op &op);
    void onChecksumProgress(const ChecksumQueue::Item &item, int permille);
    void showProgress(Notice notice, Progress &progress, int permille);

    void onBackendReply(const BackendReply &reply);
    void onObserved(const ServerFacts &facts);
    void onStoreDone(const QString &server, StoreSeq seq);
    void onStoreFailed(const QString &server, StoreSeq seq, const Error &error);
    void onModelFile(const QString &path, const ModelFileFacts &facts);
    void onWake();
    void submit(StoreCommand command);
    /// The submitter's number, or 0 when it is not one of ours.
    [[nodiscard]] StoreSeq ownSeq(const QString &server, StoreSeq seq) const;
    using WithIdentity = std::function<void(const Identity &)>;
    /// Calls `then` with the identity of who told `facts`, when it is as complete as it gets: at once, or
    /// when the model file was looked at, which a dead disk may hold up (then: after a while, as far as
    /// known).
    void withIdentity(const ServerFacts &facts, WithIdentity then);
    void passIdentity();
    [[nodiscard]] Identity identityOf(const QString &boot) const;
    void setWake(qint64 monoMs);
    void noteState();
    void keepSettings(); ///< what the coordinator has learned and a restart of the daemon must not lose

    Settings m_settings;
    const Clock *m_clock;
    SnapshotStore *m_store;
    QThreadPool *m_pool;
    Coordinator m_coordinator;
    std::unique_ptr<JournalKeeper> m_journal; // may be null
    RuntimeFingerprint m_fingerprint;
    ServerFacts m_facts;
    std::unique_ptr<KvBackend> m_backend;
    std::unique_ptr<Watcher> m_watcher;
    std::unique_ptr<ModelFileProbe> m_modelProbe;
    QTimer m_timer;
    qint64 m_wakeMs = -1;
    std::deque<Event> m_queue;
    bool m_handling = false;
    struct AwaitsIdentity {
        QString boot;
        WithIdentity then;
    };
    std::vector<AwaitsIdentity> m_awaitingModelFile;
    QTimer m_modelFilePatience;
    QString m_keptModelFile;
    std::map<OpId, Op> m_savesUnderWay; // shared file system: sealed when they are answered
    ChecksumQueue m_checksums;
    FolderProbe m_folders;
    std::map<QString, FolderFacts> m_folderFacts;
    QString m_serversFolder; ///< as it was when the folders were last looked at
    Progress m_checksumProgress;
    std::map<SlotKey, qint64> m_jobSince;
    std::map<StoreSeq, StoreCommand> m_unstored; // told to the store, not answered yet; by our own numbers
    std::set<OpId> m_asked; // of the backend, not answered yet
    bool m_leaving = false;
    bool m_router = false;
    QHash<QString, QString> m_prefixNotes; // of sessions whose last prompt did not begin with the one before
    std::vector<NameNumber> m_keptPurged;
    std::map<QString, bool> m_keptNudges;
    QString m_state;
    qint64 m_stateSinceWallMs = 0;
    quint64 m_run;
};

} // namespace kv
