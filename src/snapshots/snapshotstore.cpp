// SPDX-License-Identifier: MIT
#include "snapshotstore.h"

#include "storeworker.h"

#include <utility>

namespace kv {

SnapshotStore::SnapshotStore(StoreOptions options, QObject *parent)
    : QObject(parent)
    , m_worker(new StoreWorker(std::move(options)))
{
    m_thread.setObjectName(QStringLiteral("kv-store"));
    m_worker->moveToThread(&m_thread);
    // Queued, although emitted in another thread anyway: never from inside submit().
    connect(m_worker, &StoreWorker::done, this, &SnapshotStore::done, Qt::QueuedConnection);
    connect(m_worker, &StoreWorker::failed, this, &SnapshotStore::failed, Qt::QueuedConnection);
    connect(m_worker, &StoreWorker::recreated, this, &SnapshotStore::recreated, Qt::QueuedConnection);
    m_thread.start();
}

SnapshotStore::~SnapshotStore()
{
    stopThread();
    delete m_worker; // its thread has ended
}

Result<LoadedStore> SnapshotStore::open(const QString &folder)
{
    Result<LoadedStore> result = Error {};
    QMetaObject::invokeMethod(
        m_worker, [&] { result = m_worker->open(folder); }, Qt::BlockingQueuedConnection);
    return result;
}

void SnapshotStore::submit(const StoreCommand &command)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, command] { worker->apply(command); }, Qt::QueuedConnection);
}

void SnapshotStore::submitTotals(const QString &server, const QMap<QString, qint64> &totals, StoreSeq seq)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, server, totals, seq] { worker->setTotals(server, totals, seq); },
        Qt::QueuedConnection);
}

void SnapshotStore::submitSetting(
    const QString &server, const QString &key, const QString &value, StoreSeq seq)
{
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, server, key, value, seq] { worker->setSetting(server, key, value, seq); },
        Qt::QueuedConnection);
}

Result<Done> SnapshotStore::close()
{
    Result<Done> result = Done {};
    QMetaObject::invokeMethod(
        m_worker, [&] { result = m_worker->close(); }, Qt::BlockingQueuedConnection);
    return result;
}

void SnapshotStore::stopThread()
{
    // Behind everything submitted; the connection has to be closed in its own thread.
    QMetaObject::invokeMethod(
        m_worker, [this] { m_worker->drop(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

} // namespace kv
