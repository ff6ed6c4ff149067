// SPDX-License-Identifier: MIT
// RuntimeService: what is written from time to time, retention, and what a stop of the machine means.
#include "bytesize.h"
#include "eventname.h"
#include "keptstate.h"
#include "localprocess.h"
#include "logging.h"
#include "retention.h"
#include "runtimeservice.h"
#include "sessionhash.h"
#include "uncleanstop.h"

#include <QJsonArray>

#include <algorithm>

namespace kv {

namespace {
/// When the machine was last known to run; of no server in particular.
QString lifeSetting() { return QStringLiteral("lastLife"); }
QString daysSetting() { return QStringLiteral("runningDays"); }

constexpr qint64 c_leastForDatabase = 100'000'000;

/// The file system on which removing a snapshot's file frees space; empty: none, or not known. A server that
/// owns its files keeps those of snapshots that were let go, for the saves that are to come.
QString freesOn(const ServerRuntime &runtime)
{
    return runtime.coordinator().policy().sharedFiles ? runtime.folderFacts(runtime.slotFolder()).device
                                                      : QString();
}
}

void RuntimeService::openHouse()
{
    const QMap<QString, QString> settings = m_loaded.server({}).settings;
    m_runningDays = RunningDays::fromText(settings.value(daysSetting()));
    const qint64 recorded = settings.value(lifeSetting()).toLongLong();
    m_heartbeat = Heartbeat(recorded);
    connect(&m_metadataFolder, &FolderProbe::looked, this,
        [this](const std::map<QString, FolderFacts> &facts) { onMetadataFolder(facts.begin()->second); });
    m_metadataFolder.look({ m_config.metadataPath });
    if (m_loaded.machineStoppedUncleanly()) {
        m_uncleanStop = lastLifeOf(m_loaded, recorded);
    }
}

void RuntimeService::distrust(LoadedServer &kept, const ServerConfig &server)
{
    const bool shared = server.snapshotBinaryManagement == ServerConfig::Files::SharedFilesystem;
    const FilesAt files = shared     ? FilesAt::SharedFolder
        : isLoopback(server.baseUrl) ? FilesAt::LocalServer
                                     : FilesAt::Elsewhere;
    qint64 lost = 0;
    qint64 doubtful = 0;
    for (const Snapshot &row : markAfterUncleanStop(kept.snapshots, files, m_uncleanStop)) {
        (row.state == SnapshotState::Invalid ? lost : doubtful) += 1;
        StoreCommand command; // so that a later start knows it too; nobody waits for it
        command.kind = StoreCommand::Kind::Touch;
        command.server = server.name;
        command.snapshot = row;
        m_store->submit(command);
    }
    if (lost + doubtful > 0) {
        takeNotice(QStringLiteral(
            "The machine stopped without warning. Of the snapshots of server %1, %2 saved less than a minute "
            "before may be incomplete and are not restored, and %3 are compared with their checksums before "
            "their first restore.")
                       .arg(server.name)
                       .arg(lost)
                       .arg(doubtful));
    }
}

void RuntimeService::writeTotals()
{
    bool any = false;
    for (const auto &[name, server] : m_servers) {
        server->counters->rollDay(m_clock->now().wallMs);
        if (server->counters->isDirty()) {
            m_store->submitTotals(name, server->counters->totals());
            server->counters->markWritten();
            any = true;
        }
        keepRates(*server);
    }
    const Instant now = m_clock->now();
    if (m_runningDays.note(now.wallMs)) {
        m_store->submitSetting({}, daysSetting(), m_runningDays.toText());
    }
    if (m_heartbeat.isDue(now)) {
        m_store->submitSetting({}, lifeSetting(), QString::number(now.wallMs));
        m_heartbeat.recorded(now);
    }
    if (any) {
        announce(eventname::stats, {});
    }
}

std::vector<DiskShortage> RuntimeService::shortages(const RetentionConfig &rules) const
{
    std::map<QString, DiskShortage> byDevice; // two servers on one disk are short of the same bytes
    for (const auto &[name, server] : m_servers) {
        const Coordinator &coordinator = server->runtime->coordinator();
        const QString device = freesOn(*server->runtime);
        if (device.isEmpty() || !rules.minFreeBytes || coordinator.diskRoom().freeBytes() < 0) {
            continue;
        }
        if (coordinator.isMakingRoom()) {
            return {}; // what is on its way out is not free yet; more must not go for it
        }
        const qint64 wanted = *rules.minFreeBytes + coordinator.roomWanted();
        DiskShortage &shortage = byDevice[device];
        shortage.device = device;
        shortage.bytes = std::max(shortage.bytes, wanted - coordinator.diskRoom().freeBytes());
    }
    std::vector<DiskShortage> out;
    for (const auto &[device, shortage] : byDevice) {
        if (shortage.bytes > 0) {
            out.push_back(shortage);
        }
    }
    return out;
}

void RuntimeService::makeRoom()
{
    if (m_stopping || shortages(m_config.retention).empty()) {
        return;
    }
    RetentionConfig onlyRoom;
    onlyRoom.maxTotalBytes.reset();
    onlyRoom.minFreeBytes = m_config.retention.minFreeBytes;
    const Result<Document> done = letGo(onlyRoom, false);
    if (done && done.value().value(u"removed").toInteger() > 0) {
        qCInfo(lcRuntime) << "Retention let" << done.value().value(u"removed").toInteger()
                          << "snapshots go, as the disk is nearly full.";
    }
}

void RuntimeService::onMetadataFolder(const FolderFacts &facts)
{
    const QString before = metadataAdvice();
    m_metadataFree = facts.freeBytes;
    if (const QString advice = metadataAdvice(); !advice.isEmpty() && before.isEmpty()) {
        qCWarning(lcRuntime).noquote() << advice;
    }
}

QString RuntimeService::metadataAdvice() const
{
    return m_metadataFree < 0 || m_metadataFree >= c_leastForDatabase
        ? QString()
        : QStringLiteral(
            "Only %1 are free where %2 is. When that is used up no snapshot can be recorded, and "
            "sessions start cold. Free some space there, or set metadata.path.")
              .arg(formatBytes(m_metadataFree), m_config.metadataPath);
}

void RuntimeService::keepHouse()
{
    // One look at age and at invalid ones a day; of age a tenth goes at most.
    RetentionConfig rules = m_config.retention;
    const qint64 today = dayOf(m_clock->now().wallMs);
    const bool newDay = today != m_ageDay;
    if (!newDay) {
        rules.maxAgeDays.reset();
    }
    m_ageDay = today;
    lookAtDisks();
    // What is found invalid stays in the list until then, so that it can be seen which and why.
    const Result<Document> done = letGo(rules, false, newDay);
    if (done && done.value().value(u"removed").toInteger() > 0) {
        qCInfo(lcRuntime) << "Retention let" << done.value().value(u"removed").toInteger() << "snapshots go.";
    }
}

void RuntimeService::keepRates(Server &server)
{
    const QString &name = server.runtime->server().name;
    for (const auto &[hash, text] : server.runtime->coordinator().keptRates()) {
        QString &written = server.writtenRates[hash];
        if (text != written) {
            written = text;
            m_store->submitSetting(name, ratesSetting(hash), text);
        }
    }
}

Result<RuntimeService::Document> RuntimeService::gc(bool dryRun)
{
    if (!dryRun) {
        lookAtDisks(); // if they are fuller than is known, more will go
    }
    return letGo(m_config.retention, dryRun);
}

void RuntimeService::lookAtDisks()
{
    for (ServerRuntime *runtime : runtimes()) {
        runtime->lookAtFolders();
    }
    m_metadataFolder.look({ m_config.metadataPath });
}

Result<RuntimeService::Document> RuntimeService::letGo(
    const RetentionConfig &rules, bool dryRun, bool invalidGo)
{
    std::vector<RetentionRow> rows;
    RetentionFacts facts;
    facts.wallMs = m_clock->now().wallMs;
    facts.invalidGo = invalidGo;
    facts.daysRun
        = [this, now = facts.wallMs](qint64 sinceWallMs) { return m_runningDays.between(sinceWallMs, now); };
    for (const auto &[name, server] : m_servers) {
        const Coordinator &coordinator = server->runtime->coordinator();
        const QString device = freesOn(*server->runtime);
        for (const auto &[session, ofSession] : coordinator.index().all()) {
            const bool active = std::any_of(coordinator.slotTable().begin(), coordinator.slotTable().end(),
                [&, owner = session](const auto &entry) { return entry.second.ownedBy(owner); });
            for (const Snapshot &row : ofSession) {
                rows.push_back({ name, &row, row.state == SnapshotState::Invalid, active, device });
            }
        }
    }
    facts.shortages = shortages(rules);
    const std::vector<Removal> removals = chooseRemovals(std::move(rows), rules, facts);
    QJsonArray shown;
    qint64 bytes = 0;
    std::map<QString, RemoveRows> byServer;
    for (const Removal &one : removals) {
        QJsonObject row { { QStringLiteral("session"), shortSession(one.session) },
            { QStringLiteral("server"), one.server }, { QStringLiteral("bytes"), one.bytes },
            { QStringLiteral("reason"), one.reason } };
        if (!one.label.isEmpty()) {
            row.insert(QStringLiteral("label"), one.label);
        }
        shown.append(row);
        bytes += one.bytes;
        byServer[one.server].rows.push_back({ one.session, one.fingerprintHash, one.reason });
    }
    if (!dryRun) {
        for (const auto &[name, event] : byServer) {
            if (const auto server = m_servers.find(name); server != m_servers.end()) {
                server->second->runtime->post(event);
            }
        }
    }
    return QJsonObject { { QStringLiteral("dryRun"), dryRun },
        { QStringLiteral("removed"), static_cast<qint64>(removals.size()) },
        { QStringLiteral("bytes"), bytes }, { QStringLiteral("rows"), shown } };
}

} // namespace kv
