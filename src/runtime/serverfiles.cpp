// SPDX-License-Identifier: MIT
// ServerRuntime: snapshot files in a folder that is readable here (snapshotBinaryManagement:
// shared-filesystem).
#include "eventname.h"
#include "serverruntime.h"

#include <algorithm>
#include <memory>

namespace kv {

namespace {
constexpr int c_whole = 1000; ///< permille
}

void ServerRuntime::startFileOp(const Op &op)
{
    FileTask task;
    task.kind = op.kind == OpKind::CheckFile ? FileTask::Kind::Check : FileTask::Kind::Remove;
    task.file = SnapshotFile { m_settings.server.slotSavePath, m_settings.filePrefix, op.name };
    task.expected.bytes = op.expectedBytes;
    task.expected.checksumValue = op.expectedChecksum;
    auto *job = new FileJob(m_pool, task, this);
    if (op.kind == OpKind::CheckFile) {
        showCheck(*job, op);
    }
    connect(job, &FileJob::finished, this, [this, job, op](const FileReport &report) {
        job->deleteLater();
        OpReply reply;
        reply.id = op.id;
        reply.kind = op.kind;
        reply.message = report.message;
        reply.reason = report.reason();
        if (!report.ok()) {
            reply.failure = report.problem == FileProblem::Missing ? OpFailure::FileGone
                : report.reason().isEmpty()                        ? OpFailure::ServerError
                                                                   : OpFailure::File;
        }
        post(OpFinished { reply });
        if (op.kind == OpKind::DeleteFile) {
            lookAtFolders();
        }
    });
    job->start();
}

void ServerRuntime::sealThenFinish(const OpReply &reply)
{
    // On the disk, for this user only, and of the size that the server told, before the row may name it.
    const auto found = m_savesUnderWay.find(reply.id);
    FileTask task;
    task.kind = FileTask::Kind::Seal;
    task.file = SnapshotFile { m_settings.server.slotSavePath, m_settings.filePrefix, found->second.name };
    task.expected.bytes = reply.bytes;
    m_savesUnderWay.erase(found);
    auto *job = new FileJob(m_pool, task, this);
    connect(job, &FileJob::finished, this, [this, job, reply](const FileReport &report) {
        job->deleteLater();
        OpReply sealed = reply;
        if (!report.ok()) {
            sealed.failure = OpFailure::ServerError;
            sealed.message = report.message;
        }
        post(OpFinished { sealed });
    });
    job->start();
}

QString ServerRuntime::slotFolder() const
{
    return m_settings.policy.sharedFiles ? m_settings.server.slotSavePath
        : m_facts.local                  ? m_facts.slotSavePath
                                         : QString();
}

FolderFacts ServerRuntime::folderFacts(const QString &folder) const
{
    const auto found = m_folderFacts.find(folder);
    return found == m_folderFacts.end() ? FolderFacts {} : found->second;
}

void ServerRuntime::lookAtFolders()
{
    if (m_leaving) {
        return;
    }
    m_serversFolder = m_facts.local ? m_facts.slotSavePath : QString();
    m_folders.look({ slotFolder(), m_serversFolder });
}

void ServerRuntime::onFolders(const std::map<QString, FolderFacts> &facts)
{
    if (m_leaving) {
        return;
    }
    m_folderFacts = facts;
    const FolderFacts seen = folderFacts(slotFolder());
    const qint64 bytes = seen.readable ? seen.freeBytes : -1;
    if (bytes != m_coordinator.diskRoom().freeBytes()) {
        post(DiskFree { bytes });
    }
    Q_EMIT foldersSeen();
}

void ServerRuntime::queueChecksum(const Snapshot &row)
{
    if (!m_settings.policy.sharedFiles || m_leaving || m_coordinator.index().isFree(row)) {
        return; // a base's file is read for the session that it comes from, as long as that names it
    }
    const SnapshotIndex::Rows *rows = m_coordinator.index().find(row.session);
    const bool onRecord = rows != nullptr
        && std::any_of(rows->begin(), rows->end(),
            [&](const Snapshot &kept) { return kept.name == row.name && kept.checksum.isEmpty(); });
    if (!onRecord) {
        return; // purged while it was written
    }
    ChecksumQueue::Item item;
    item.session = row.session;
    item.label = row.label;
    item.file = SnapshotFile { m_settings.server.slotSavePath, m_settings.filePrefix, row.name };
    item.expected.bytes = row.bytes;
    m_checksums.add(item);
}

void ServerRuntime::seeRestore(const Notice &notice)
{
    // A file that was saved just before the daemon stopped has none yet; now it was read in full and is good.
    const Identity &identity = m_coordinator.identity();
    if (notice.name != eventname::restoreSuccess || !identity.known()) {
        return;
    }
    if (const Snapshot *row = m_coordinator.index().compatible(notice.session, *identity.fingerprint);
        row != nullptr && row->checksum.isEmpty()) {
        queueChecksum(*row);
    }
}

void ServerRuntime::showCheck(const FileJob &job, const Op &op)
{
    Notice notice;
    notice.name = eventname::operationProgress.toString();
    notice.what = QStringLiteral("check");
    notice.slot = op.slot;
    notice.bytes = op.expectedBytes;
    if (const auto slot = m_coordinator.slotTable().find(op.slot);
        slot != m_coordinator.slotTable().end() && slot->second.job) {
        notice.session = slot->second.job->restoring.session;
        notice.label = slot->second.job->restoring.label;
    }
    const auto progress = std::make_shared<Progress>(Progress { m_clock->now().monoMs });
    connect(&job, &FileJob::progressed, this,
        [this, notice, progress](int permille) { showProgress(notice, *progress, permille); });
}

void ServerRuntime::onChecksumProgress(const ChecksumQueue::Item &item, int permille)
{
    if (m_checksumProgress.of != item.file.number) {
        m_checksumProgress = { m_clock->now().monoMs, item.file.number };
    }
    Notice notice;
    notice.name = eventname::operationProgress.toString();
    notice.what = QStringLiteral("checksum");
    notice.session = item.session;
    notice.label = item.label;
    notice.bytes = item.expected.bytes;
    showProgress(notice, m_checksumProgress, permille);
}

void ServerRuntime::showProgress(Notice notice, Progress &progress, int permille)
{
    const qint64 nowMs = m_clock->now().monoMs;
    const bool end = permille >= c_whole && progress.shown;
    if (m_leaving || (nowMs - progress.lastMs < m_settings.progressEveryMs && !end)) {
        return;
    }
    progress.lastMs = nowMs;
    progress.shown = true;
    notice.permille = permille;
    notice.ms = static_cast<double>(nowMs - progress.sinceMs);
    notice.debug = true;
    Q_EMIT noticed(notice);
}

} // namespace kv
