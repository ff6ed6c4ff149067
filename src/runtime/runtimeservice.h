// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"
#include "config.h"
#include "counters.h"
#include "discovery.h"
#include "doctorchecks.h"
#include "folderlock.h"
#include "heartbeat.h"
#include "retention.h"
#include "routermodels.h"
#include "runningdays.h"
#include "serverruntime.h"
#include "service.h"
#include "snapshotstore.h"
#include "timeline.h"
#include "uncleanstop.h"
#include "verifyrun.h"

#include <QHash>
#include <QProcessEnvironment>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace kv {

/// Makes the parts of one server's runtime. The default one makes a LlamaCppBackend and a Watcher.
using PartsFactory = std::function<ServerParts(const ServerConfig &)>;

struct RuntimeOptions {
    Config config;
    QString configPath; ///< where a reload reads from; need not exist
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    PartsFactory parts; ///< empty: the default
    const Clock *clock = nullptr; ///< nullptr: the system's; must outlive the service
    StoreOptions store; ///< for tests
    FolderLook folderLook; ///< empty: lookAtFolder()
    int progressEveryMs = 500; ///< see ServerRuntime::Settings
    QString socketPath = {}; ///< where the local API is served, for the doctor
    int protocol = 0; ///< its version, likewise
    ProcessFinder finder = findListeningServer; ///< for the doctor
    int verifyStepMs = 120'000; ///< see VerifyRun::Settings
};

/// The real Service: routes calls to one ServerRuntime a server, and keeps what belongs to all of them: the
/// database, the counters, the configuration. Lives in the logic thread.
class RuntimeService final : public Service {
    Q_OBJECT

public:
    /// Takes the lock of the metadata folder and reads the database. Errors: MetadataIo, with a sentence for
    /// the user.
    static Result<std::unique_ptr<RuntimeService>> create(RuntimeOptions options, QObject *parent = nullptr);
    ~RuntimeService() override;
    Q_DISABLE_COPY_MOVE(RuntimeService)

    /// Stop taking work, checkpoint what is dirty within the bound, close the database, then
    /// shutdownFinished().
    void shutdown(qint64 boundMs);

    ConnectionId openConnection() override;
    void closeConnection(ConnectionId connection) override;
    bool cancel(ConnectionId connection, RequestId request) override;
    void noteClient(ConnectionId connection, const ClientNote &note) override;
    [[nodiscard]] QStringList providers() const override;
    [[nodiscard]] QStringList features() const override;
    RequestId begin(BeginRequest request, BeginReply reply) override;
    void end(EndRequest request, Reply<EndAnswer> reply) override;
    void hint(SessionHint hint) override;
    [[nodiscard]] std::vector<LeaseView> leases(const QString &server) const override;
    void notePrefix(const QString &server, const QString &session, const QString &change) override;
    void noteReuse(const QString &server, const QString &session, qint64 cached, qint64 total) override;
    RequestId save(const SessionCall &call, Reply<ManualAnswer> reply) override;
    RequestId restore(const SessionCall &call, Reply<ManualAnswer> reply) override;
    RequestId invalidate(const SessionCall &call, const QString &reason, Reply<ManualAnswer> reply) override;
    RequestId purge(const SessionCall &call, Reply<ManualAnswer> reply) override;
    RequestId pin(const SessionCall &call, bool pinned, Reply<ManualAnswer> reply) override;
    RequestId erase(ConnectionId connection, const QString &server, const SlotKey &slot,
        Reply<ManualAnswer> reply) override;
    RequestId flush(ConnectionId connection, Reply<ManualAnswer> reply) override;
    [[nodiscard]] Document status() const override;
    [[nodiscard]] Result<Document> list(const ListCall &call) const override;
    [[nodiscard]] Result<Document> get(const SessionCall &call) const override;
    [[nodiscard]] Result<Document> history(const HistoryCall &call) const override;
    [[nodiscard]] QString metricsText() const override;
    void discover(Reply<Document> reply) override;
    RequestId doctor(ConnectionId connection, const QJsonObject &params,
        std::function<void(QJsonObject)> check, Reply<Document> reply) override;
    Result<Document> gc(bool dryRun) override;
    Result<Document> pause(const QString &server, qint64 forMs) override;
    Result<Document> resume(const QString &server) override;
    Result<Document> reload() override;
    Result<Document> config(const QString &action, const QString &yaml, const QString &ifHash) override;

Q_SIGNALS:
    void shutdownFinished();

private:
    /// Everything of one server.
    struct Server {
        std::unique_ptr<ServerRuntime> runtime;
        std::unique_ptr<Counters> counters;
        Timeline timeline;
        std::map<QString, QString> writtenRates; ///< by fingerprint, as they are on record
        qint64 pausedUntilWallMs = -1;
        bool shutDown = false;
        bool goesWhenSaved = false; ///< taken out of the configuration; what is unsaved there is being saved
        Server *router = nullptr; ///< of one model of a router: the router's own entry
        std::unique_ptr<RouterModels> models; ///< of a router; else null
    };
    struct PendingBegin {
        Server *server = nullptr; ///< null: it is to be made yet
        ConnectionId connection = 0;
        QString call;
        QString session;
        bool auxiliary = false;
        BeginReply reply;
        qint64 waitedMs = 0; ///< before its server's coordinator had it
        bool beginning = true; ///< begin() has not returned yet
        qint64 busyNs = 0; ///< our own time for it so far
    };
    struct PendingManual {
        Server *server = nullptr; ///< null: several (a flush) or none (a doctor)
        ConnectionId connection = 0;
        Reply<ManualAnswer> reply;
    };
    struct PendingEnd {
        Server *server = nullptr;
        ConnectionId connection = 0;
        Reply<EndAnswer> reply;
    };
    struct HeldLease {
        Server *server = nullptr;
        LeaseId local = 0; ///< its number in the server's coordinator
        ConnectionId connection = 0;
        QString call;
        QString session;
        std::optional<Transport> transport;
        bool auxiliary = false;
        bool restored = false;
        double restoreMs = -1;
        RequestId request = 0; ///< of its begin
        qint64 busyNs = 0; ///< our own time for it so far
    };

    RuntimeService(RuntimeOptions options, QObject *parent);
    Result<Done> open();

    // runtimeservice.cpp, servicerequests.cpp
    Server *addServer(const ServerConfig &server);
    [[nodiscard]] static Error cancelledError();
    [[nodiscard]] static BeginAnswer unmanagedAnswer();
    void handOver(Server &server, const BeginRequest &request);
    void noteBegun(RequestId request, qint64 busyNs);
    bool dropBegin(RequestId request); ///< true: it waited, was answered KV_CANCELLED, and is forgotten
    /// Answers to those who wait there, to be given when the caller has done its work.
    using Answers = std::vector<std::function<void()>>;
    void removeServer(const QString &name, Answers &answers);
    void removeModels(const QString &router, Answers &answers); ///< those of its models; not itself
    void keepRecord(Server &server); ///< for a later server of that name
    void letLeave(Server &server);
    struct NewServer {
        ServerConfig server;
        bool paused = false;
        qint64 pausedUntilWallMs = -1;
        std::vector<BeginRequest> begins = {}; ///< that came before it was there
    };
    /// What it had not saved is being saved.
    [[nodiscard]] bool isBeingTakenOut(const QString &name) const;
    void pauseUntil(Server &server, qint64 untilWallMs); ///< −1: until resumed
    void startServer(NewServer wanted); ///< at once, or when the former one of that name has gone
    void refuseBegins(const NewServer &unmade, Answers &answers); ///< it will not be made
    void bury(Server *server);
    [[nodiscard]] std::vector<ServerRuntime *> runtimes() const;
    void connectServer(Server &server);
    void onGranted(Server &server, const Grant &grant);
    void onRefused(const Refuse &refusal);
    void onAnswered(const Answer &answer);
    void onNoticed(Server &server, const Notice &notice);
    void discoverDefault();
    void onShutdownDone(Server &server);
    void takeNotice(const QString &sentence);
    void dropDoctor(QObject *run);

    // servicediagnosis.cpp
    /// Whether some provider's requests can go there; `server` may be a model of a router.
    [[nodiscard]] bool isRouted(const QString &server) const;
    [[nodiscard]] DoctorSubject doctorSubject(const Server &server) const;
    [[nodiscard]] DaemonFacts daemonFacts() const;

    // serviceproofs.cpp
    Result<VerifyRun *> makeProof(const QString &server, bool acrossRestart);
    [[nodiscard]] VerifyRun::House proofHouse(const QString &server, ConnectionId connection);
    RequestId beginProof(const QString &server, BeginRequest request, BeginReply reply);
    void saveAll(const QString &server, std::function<void()> done);
    [[nodiscard]] bool holds(LeaseId lease) const;
    void finishShutdown();
    void keepProof(const Server &server, const Notice &notice);
    void storeProof(const Server &server);
    void announce(QStringView name, const QString &reason);

    // servicerouters.cpp
    [[nodiscard]] static bool isPartOf(const QString &server, const QString &name);
    [[nodiscard]] static QString modelsName(const QString &router, const QString &model);
    [[nodiscard]] static ServerConfig modelsConfig(const ServerConfig &router, const QString &model);
    [[nodiscard]] static QString routerOf(const ServerConfig &model); ///< its name
    void onRouter(Server &router);
    Server *modelServer(Server &router, const QString &model);
    void beginAtRouter(Server &router, const BeginRequest &request);
    void restoreAtRouter(Server &server, const ManualRequest &request);
    /// True: it waited for its model, and is forgotten.
    bool dropAtRouter(Server *server, RequestId request);
    void tellRouter(const Server &server, RequestId over = 0);
    [[nodiscard]] QStringList modelsOf(const QString &router) const; ///< names of their servers
    void reconfigureModels(const ServerConfig &router);

    // servicemanual.cpp
    RequestId manual(ManualRequest::Kind kind, const SessionCall &call, Reply<ManualAnswer> reply,
        const std::function<void(ManualRequest &)> &fill = {});
    struct Candidate {
        QString session;
        QString hash;
        QString label;
        QString server;
    };
    /// Exact id first, then a unique beginning of the hash.
    [[nodiscard]] Result<QString> resolveSession(const QString &typed, const QString &server) const;
    [[nodiscard]] bool knowsSession(const QString &session, const QString &server) const;
    [[nodiscard]] std::vector<Candidate> sessionsByHash(const QString &prefix, const QString &server) const;
    [[nodiscard]] QString hashOf(const QString &session) const;
    /// The one that has it in a slot, else the one with its newest snapshot; nullptr: none.
    [[nodiscard]] Server *serverForSession(const QString &session, const SessionCall &call) const;
    [[nodiscard]] Result<std::vector<Server *>> serversNamed(const QString &name) const;
    void flushDone(RequestId request, int saved);

    // servicedocuments.cpp
    [[nodiscard]] QJsonObject snapshotsDocument() const;
    [[nodiscard]] QJsonObject statsDocument() const;

    // serviceconfig.cpp
    Result<Document> apply(const Config &config);

    // servicehouse.cpp
    void openHouse();
    void distrust(LoadedServer &kept, const ServerConfig &server);
    void writeTotals();
    void keepRates(Server &server);
    /// `invalidGo`: see RetentionFacts.
    Result<Document> letGo(const RetentionConfig &rules, bool dryRun, bool invalidGo = true);
    void keepHouse();
    [[nodiscard]] std::vector<DiskShortage> shortages(const RetentionConfig &rules) const;
    void lookAtDisks();
    void makeRoom();
    void onMetadataFolder(const FolderFacts &facts);
    [[nodiscard]] QString metadataAdvice() const; ///< empty: there is room for the database, as far as known

    RuntimeOptions m_options;
    SystemClock m_systemClock;
    const Clock *m_clock;
    Config m_config;
    std::unique_ptr<FolderLock> m_lock;
    QThreadPool m_pool;
    FolderProbe m_metadataFolder;
    qint64 m_metadataFree = -1;
    std::unique_ptr<SnapshotStore> m_store;
    LoadedStore m_loaded; // what the database held at the start: for servers that are added later
    QStringList m_notices;
    std::map<QString, std::unique_ptr<Server>> m_servers;
    std::vector<std::unique_ptr<Server>> m_leaving; // taken out; their last calls are awaited
    std::map<QString, NewServer> m_addLater; // once the former one of that name has saved what it held
    std::set<QString> m_served; // names that had a runtime in this run of the daemon
    std::unique_ptr<LocalDiscovery> m_discovery;
    QTimer m_discoverTimer;
    QTimer m_totalsTimer;
    QTimer m_houseTimer;
    Heartbeat m_heartbeat;
    RunningDays m_runningDays;
    UncleanStop m_uncleanStop;
    qint64 m_ageDay = -1; // of the last look at snapshots' age
    QString m_discovered; // base URL in use with no configuration

    std::map<RequestId, PendingBegin> m_begins;
    std::map<RequestId, PendingManual> m_manuals;
    std::map<RequestId, PendingEnd> m_ends;
    std::map<LeaseId, HeldLease> m_leases;
    struct Flush {
        int open = 0;
        int saved = 0;
        std::vector<std::pair<Server *, RequestId>> parts;
    };
    std::map<RequestId, Flush> m_flushes;
    std::map<RequestId, std::function<void()>> m_ownFlushes; // before a router loads another model
    struct DoctorSlot {
        ConnectionId connection = 0;
        std::unique_ptr<QObject> run;
        Reply<Document> reply;
    };
    std::map<RequestId, DoctorSlot> m_doctors;
    std::map<QString, std::unique_ptr<VerifyRun>> m_verifications; // by server
    std::map<ConnectionId, ClientNote> m_clients; // connected, and have said who they are
    std::vector<ClientNote> m_goneClients; // the last few
    std::map<quint64, std::unique_ptr<LocalDiscovery>> m_discoveries;
    mutable QHash<QString, QString> m_hashes;
    RequestId m_nextRequest = 1;
    LeaseId m_nextLease = 1;
    ConnectionId m_nextConnection = 1;
    quint64 m_nextRun = 1;
    Instant m_startedAt;
    bool m_stopping = false;
    bool m_finishing = false;
};

} // namespace kv
