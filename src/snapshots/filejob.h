// SPDX-License-Identifier: MIT
#pragma once

#include "filecheck.h"

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>

namespace kv {

struct FileTask {
    enum class Kind { Check, Seal, Remove };
    Kind kind = Kind::Check;
    SnapshotFile file;
    FileExpectation expected; ///< Check, Seal
};

/// One piece of work on a snapshot file, done in a thread pool. Emits finished() exactly once, from the event
/// loop; deleting the job cancels the work without a signal.
class FileJob final : public QObject {
    Q_OBJECT

public:
    /// `pool` must outlive the job.
    FileJob(QThreadPool *pool, FileTask task, QObject *parent = nullptr);
    ~FileJob() override;
    Q_DISABLE_COPY_MOVE(FileJob)

    void start();
    void cancel(); ///< finished() comes with FileProblem::Cancelled, unless the work was done already
    [[nodiscard]] const FileTask &task() const { return m_task; }

Q_SIGNALS:
    void progressed(int permille); ///< of a checksum
    void finished(const kv::FileReport &report);

private:
    QThreadPool *m_pool;
    FileTask m_task;
    QFutureWatcher<FileReport> m_watcher;
};

} // namespace kv
