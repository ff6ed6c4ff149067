// SPDX-License-Identifier: MIT
#include "filejob.h"

#include "threadhandover.h"

#include <QPromise>

#include <memory>
#include <utility>

namespace kv {

namespace {

constexpr int c_permille = 1000;

FileReport runTask(const FileTask &task, const FileProgress &progress)
{
    switch (task.kind) {
    case FileTask::Kind::Check:
        return checkFile(task.file, task.expected, progress);
    case FileTask::Kind::Seal:
        return sealFile(task.file, task.expected, progress);
    case FileTask::Kind::Remove:
        return removeFile(task.file);
    }
    return {};
}

} // namespace

FileJob::FileJob(QThreadPool *pool, FileTask task, QObject *parent)
    : QObject(parent)
    , m_pool(pool)
    , m_task(std::move(task))
{
    connect(&m_watcher, &QFutureWatcher<FileReport>::progressValueChanged, this, &FileJob::progressed);
    connect(&m_watcher, &QFutureWatcher<FileReport>::finished, this, [this] {
        takesOver();
        FileReport report;
        report.problem = FileProblem::Cancelled;
        report.message = QStringLiteral("The work on a snapshot file was cancelled.");
        const QFuture<FileReport> future = m_watcher.future();
        Q_EMIT finished(future.resultCount() > 0 ? future.result() : report);
    });
}

FileJob::~FileJob() { m_watcher.cancel(); }

void FileJob::start()
{
    // Shared, as the pool takes copyable functions only.
    const auto promise = std::make_shared<QPromise<FileReport>>();
    promise->setProgressRange(0, c_permille);
    m_watcher.setFuture(promise->future());
    promise->start();
    handsOver();
    m_pool->start([promise, task = m_task] {
        takesOver();
        if (!promise->isCanceled()) {
            promise->addResult(runTask(task, [&](qint64 done, qint64 total) {
                promise->setProgressValue(total > 0 ? static_cast<int>(done * c_permille / total) : 0);
                return !promise->isCanceled();
            }));
        }
        handsOver();
        promise->finish();
    });
}

void FileJob::cancel() { m_watcher.cancel(); }

} // namespace kv
