// SPDX-License-Identifier: MIT
#include "serverruntime.h"

#include "journalkeeper.h"
#include "keptstate.h"
#include "logging.h"
#include "snapshotname.h"
#include "snapshotstore.h"

#include <algorithm>

namespace kv {

namespace {
constexpr int c_watchOwnedMs = 2000;
constexpr int c_watchIdleMs = 15000;
constexpr int c_modelFilePatienceMs = 3000;
constexpr int c_runShift = 40; // of the store's numbers: above, which runtime of the server; below, its own
constexpr qint64 c_longestTimerMs = 24LL * 3600 * 1000;
}

ServerRuntime::ServerRuntime(Settings settings, InitialState initial, ServerParts parts, SnapshotStore *store,
    QThreadPool *pool, const Clock *clock, QObject *parent)
    : QObject(parent)
    , m_settings(std::move(settings))
    , m_clock(clock)
    , m_store(store)
    , m_pool(pool)
    , m_coordinator(m_settings.policy, std::move(initial))
    , m_fingerprint(m_settings.server.runtimeKey, false)
    , m_backend(std::move(parts.backend))
    , m_watcher(std::move(parts.watcher))
    , m_modelProbe(std::make_unique<ModelFileProbe>(pool))
    , m_folders(pool, std::move(parts.folderLook))
    , m_keptPurged(m_coordinator.purgedFiles())
    , m_keptNudges(m_coordinator.nudgeBuilds())
    , m_stateSinceWallMs(clock->now().wallMs)
    , m_run(m_settings.run)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &ServerRuntime::onWake);
    m_modelFilePatience.setSingleShot(true);
    m_modelFilePatience.setInterval(c_modelFilePatienceMs);
    connect(&m_modelFilePatience, &QTimer::timeout, this, &ServerRuntime::passIdentity);
    connect(m_backend.get(), &KvBackend::finished, this, &ServerRuntime::onBackendReply);
    connect(m_modelProbe.get(), &ModelFileProbe::probed, this, &ServerRuntime::onModelFile);
    if (m_watcher) {
        connect(m_watcher.get(), &Watcher::observed, this, &ServerRuntime::onObserved);
        connect(m_watcher.get(), &Watcher::lost, this, [this](const QString &message, bool refused) {
            ServerLost lost;
            lost.refused = refused;
            lost.message = message;
            post(lost);
        });
    }
    connect(&m_checksums, &ChecksumQueue::computed, this, &ServerRuntime::post);
    connect(&m_checksums, &ChecksumQueue::progressed, this, &ServerRuntime::onChecksumProgress);
    connect(&m_folders, &FolderProbe::looked, this, &ServerRuntime::onFolders);
    connect(m_store, &SnapshotStore::done, this, &ServerRuntime::onStoreDone);
    connect(m_store, &SnapshotStore::failed, this, &ServerRuntime::onStoreFailed);
    if (!m_settings.journalFolder.isEmpty()) {
        const JournalKeeper::Place place { m_settings.journalFolder, m_settings.server.name };
        m_journal = std::make_unique<JournalKeeper>(place, &m_coordinator, pool, clock);
        connect(m_journal.get(), &JournalKeeper::gaveUp, this, &ServerRuntime::troubled);
    }
    noteState();
}

ServerRuntime::~ServerRuntime() = default;

void ServerRuntime::start()
{
    lookAtFolders();
    if (m_watcher) {
        m_watcher->setInterval(c_watchIdleMs);
        m_watcher->start();
    }
}

void ServerRuntime::reconfigure(Settings settings)
{
    if (!settings.policy.sharedFiles || settings.server.slotSavePath != m_settings.server.slotSavePath) {
        m_checksums.clear();
    }
    settings.progressEveryMs = m_settings.progressEveryMs;
    m_settings = std::move(settings);
    m_fingerprint.setRuntimeKey(m_settings.server.runtimeKey);
    ConfigChanged changed;
    changed.policy = m_settings.policy;
    post(changed);
    lookAtFolders();
}

QString ServerRuntime::fileName(NameNumber number) const
{
    return snapshotFileName(m_settings.filePrefix, number);
}

void ServerRuntime::closeJournal()
{
    if (m_journal) {
        m_journal->close();
    }
}

void ServerRuntime::leave()
{
    m_leaving = true;
    closeJournal();
    m_queue.clear();
    m_timer.stop();
    m_modelFilePatience.stop();
    m_awaitingModelFile.clear();
    m_checksums.clear();
    if (m_watcher) {
        m_watcher->stop();
    }
    m_store->disconnect(this);
    if (m_asked.empty()) {
        QTimer::singleShot(0, this, &ServerRuntime::left);
    }
}

std::vector<Snapshot> ServerRuntime::expectedRows() const
{
    std::map<std::pair<QString, QString>, Snapshot> rows;
    for (const auto &[session, ofSession] : m_coordinator.index().all()) {
        for (const Snapshot &row : ofSession) {
            rows.insert_or_assign({ session, row.fingerprint->hash() }, row);
        }
    }
    for (const auto &[seq, command] : m_unstored) {
        const Snapshot &row = command.snapshot;
        if (command.kind == StoreCommand::Kind::PutSnapshot) {
            rows.insert_or_assign({ row.session, row.fingerprint->hash() }, row);
        } else if (command.kind == StoreCommand::Kind::RemoveSnapshot) {
            rows.erase({ row.session, row.fingerprint->hash() });
        }
    }
    std::vector<Snapshot> out;
    out.reserve(rows.size());
    for (auto &[key, row] : rows) {
        out.push_back(std::move(row));
    }
    return out;
}

void ServerRuntime::post(const Event &event)
{
    if (m_leaving) {
        return;
    }
    m_queue.push_back(event);
    if (m_handling) {
        return;
    }
    m_handling = true;
    while (!m_queue.empty()) {
        const Event next = std::move(m_queue.front());
        m_queue.pop_front();
        const Instant now = m_clock->now();
        const Effects effects = m_coordinator.handle(next, now);
        carryOut(effects);
        if (m_journal) {
            m_journal->add(next, now, effects); // after the answers are on their way
        }
    }
    m_handling = false;
    noteState();
    keepSettings();
    if (m_watcher && !m_leaving) {
        m_watcher->setInterval(m_coordinator.hasOwner() ? c_watchOwnedMs : c_watchIdleMs);
    }
}

void ServerRuntime::carryOut(const Effects &effects)
{
    for (const Effect &effect : effects) {
        if (m_leaving) {
            return; // within a reply to one of the former effects
        }
        if (const auto *start = std::get_if<StartOp>(&effect)) {
            startOp(start->op);
        } else if (const auto *grant = std::get_if<Grant>(&effect)) {
            Q_EMIT granted(*grant);
        } else if (const auto *refusal = std::get_if<Refuse>(&effect)) {
            Q_EMIT refused(*refusal);
        } else if (const auto *answer = std::get_if<Answer>(&effect)) {
            Q_EMIT answered(*answer);
        } else if (const auto *write = std::get_if<Store>(&effect)) {
            submit(write->command);
        } else if (const auto *wake = std::get_if<WakeAt>(&effect)) {
            setWake(wake->monoMs);
        } else if (const auto *happened = std::get_if<Emit>(&effect)) {
            Q_EMIT noticed(happened->notice);
            seeRestore(happened->notice);
        } else {
            Q_EMIT shutdownDone();
        }
    }
}

void ServerRuntime::setWake(qint64 monoMs)
{
    m_wakeMs = monoMs;
    if (monoMs < 0) {
        m_timer.stop();
        return;
    }
    const qint64 inMs = std::clamp<qint64>(monoMs - m_clock->now().monoMs, 0, c_longestTimerMs);
    m_timer.start(static_cast<int>(inMs));
}

void ServerRuntime::onWake()
{
    if (m_clock->now().monoMs < m_wakeMs) {
        setWake(m_wakeMs); // a timer may be early, or could not be set as far ahead
        return;
    }
    post(TimerFired {});
}

void ServerRuntime::submit(StoreCommand command)
{
    m_unstored.emplace(command.seq, command);
    command.seq += m_run << c_runShift;
    m_store->submit(command);
}

void ServerRuntime::startOp(const Op &op)
{
    if (op.kind == OpKind::Save || op.kind == OpKind::DeleteFile) {
        m_checksums.drop(op.name); // what is read from now on is not what its row named
    }
    if (op.kind != OpKind::DeleteFile) { // no slot's
        m_jobSince[op.slot] = m_clock->now().wallMs;
    }
    if (op.kind == OpKind::CheckFile || op.kind == OpKind::DeleteFile) {
        startFileOp(op);
        return;
    }
    if (op.kind == OpKind::Save && m_settings.policy.sharedFiles) {
        m_savesUnderWay.emplace(op.id, op);
    }
    const bool named = op.kind == OpKind::Save || op.kind == OpKind::Restore;
    m_asked.insert(op.id);
    m_backend->start(op, named ? fileName(op.name) : QString());
}

void ServerRuntime::onBackendReply(const BackendReply &reply)
{
    m_asked.erase(reply.id);
    if (m_leaving) {
        if (m_asked.empty()) {
            Q_EMIT left();
        }
        return;
    }
    const bool reads = reply.kind == OpKind::Identity || reply.kind == OpKind::Look;
    if (reads && reply.failure == OpFailure::None) {
        withIdentity(reply.facts,
            [this, reply](const Identity &identity) { post(OpFinished { toOpReply(reply, identity) }); });
        return;
    }
    const OpReply plain = toOpReply(reply, m_fingerprint.identity());
    if (m_savesUnderWay.contains(reply.id)) {
        if (reply.failure == OpFailure::None && reply.tokens > 0) {
            sealThenFinish(plain);
            return;
        }
        m_savesUnderWay.erase(reply.id);
    }
    post(OpFinished { plain });
}

void ServerRuntime::onObserved(const ServerFacts &facts)
{
    withIdentity(facts, [this, facts](const Identity &identity) {
        ServerObserved observed;
        observed.identity = identity;
        observed.sleeping = facts.sleeping;
        observed.unloaded = facts.router && !facts.modelLoaded;
        observed.totalSlots = facts.totalSlots;
        observed.sleepIdleMs = facts.sleepIdleMs;
        post(observed);
    });
}

void ServerRuntime::seeModels(const std::vector<ModelEntry> &models)
{
    if (m_watcher && !m_leaving) {
        m_watcher->take(models);
    }
}

StoreSeq ServerRuntime::ownSeq(const QString &server, StoreSeq seq) const
{
    return server == m_settings.server.name && seq >> c_runShift == m_run
        ? seq & ((StoreSeq { 1 } << c_runShift) - 1)
        : 0;
}

void ServerRuntime::onStoreDone(const QString &server, StoreSeq seq)
{
    if (const StoreSeq own = ownSeq(server, seq); own != 0) {
        const auto written = m_unstored.extract(own);
        post(StoreDone { own });
        if (written && written.mapped().kind == StoreCommand::Kind::PutSnapshot) {
            queueChecksum(written.mapped().snapshot);
            lookAtFolders();
        }
    }
}

void ServerRuntime::onStoreFailed(const QString &server, StoreSeq seq, const Error &error)
{
    if (const StoreSeq own = ownSeq(server, seq); own != 0) {
        m_unstored.erase(own);
        post(StoreFailed { own, error });
    }
}

} // namespace kv
