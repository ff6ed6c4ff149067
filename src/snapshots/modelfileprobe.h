// SPDX-License-Identifier: MIT
#pragma once

#include "modelfilesample.h"

#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include <map>
#include <memory>

namespace kv {

/// Looks at model files in a thread pool; the logic thread never touches them, as they may be on a slow or
/// dead disk. A file that did not change is not read again. Deleting the probe drops what runs.
class ModelFileProbe final : public QObject {
    Q_OBJECT

public:
    /// `pool` must outlive the probe.
    explicit ModelFileProbe(QThreadPool *pool, QObject *parent = nullptr);
    ~ModelFileProbe() override;
    Q_DISABLE_COPY_MOVE(ModelFileProbe)

    /// Answered by one probed() for each path asked for, later from the event loop; asking again for a path
    /// whose answer is still awaited adds none.
    void probe(const QString &path);

Q_SIGNALS:
    void probed(const QString &path, const kv::ModelFileFacts &facts);

private:
    using Watcher = QFutureWatcher<ModelFileFacts>;

    QThreadPool *m_pool;
    std::shared_ptr<SampleCache> m_cache;
    std::map<QString, std::unique_ptr<Watcher>> m_running;
};

} // namespace kv
