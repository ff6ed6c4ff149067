// SPDX-License-Identifier: MIT
#include "modelfileprobe.h"

#include "threadhandover.h"

#include <QPromise>

#include <utility>

namespace kv {

ModelFileProbe::ModelFileProbe(QThreadPool *pool, QObject *parent)
    : QObject(parent)
    , m_pool(pool)
    , m_cache(std::make_shared<SampleCache>())
{
}

ModelFileProbe::~ModelFileProbe()
{
    for (const auto &[path, watcher] : m_running) {
        watcher->cancel();
    }
}

void ModelFileProbe::probe(const QString &path)
{
    if (m_running.contains(path)) {
        return;
    }
    auto watcher = std::make_unique<Watcher>();
    connect(watcher.get(), &Watcher::finished, this, [this, path] {
        takesOver();
        const auto entry = m_running.extract(path);
        const QFuture<ModelFileFacts> future = entry.mapped()->future();
        // The watcher is the sender of this very signal.
        entry.mapped().release()->deleteLater();
        ModelFileFacts facts;
        facts.why = QStringLiteral("the look at it was cancelled");
        Q_EMIT probed(path, future.resultCount() > 0 ? future.result() : facts);
    });
    const auto promise = std::make_shared<QPromise<ModelFileFacts>>();
    watcher->setFuture(promise->future());
    m_running.emplace(path, std::move(watcher));
    promise->start();
    handsOver();
    m_pool->start([promise, path, cache = m_cache] {
        takesOver();
        promise->addResult(readModelFile(path, *cache, [&] { return promise->isCanceled(); }));
        handsOver();
        promise->finish();
    });
}

} // namespace kv
