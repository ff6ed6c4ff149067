// SPDX-License-Identifier: MIT
#include "snapshotstore.h"

#include "storeworker.h"
#include "threadhandover.h"

#include <utility>

namespace kv {

namespace {

/// Calls `deed` in the worker's thread, and waits for it if it is told to.
template <typename Deed> void inWorker(StoreWorker *worker, Deed deed, Qt::ConnectionType how)
{
    handsOver();
    QMetaObject::invokeMethod(
        worker,
        [deed = std::move(deed)] {
            const HandOver handOver;
            deed();
        },
        how);
    if (how == Qt::BlockingQueuedConnection) {
        takesOver();
    }
}

} // namespace

SnapshotStore::SnapshotStore(StoreOptions options, QObject *parent)
    : QObject(parent)
    , m_worker(new StoreWorker(std::move(options)))
{
    m_thread.setObjectName(QStringLiteral("kv-store"));
    m_worker->moveToThread(&m_thread);
    // Queued, although emitted in another thread anyway: never from inside submit().
    connect(
        m_worker, &StoreWorker::done, this,
        [this](const QString &server, StoreSeq seq) {
            takesOver();
            Q_EMIT done(server, seq);
        },
        Qt::QueuedConnection);
    connect(
        m_worker, &StoreWorker::failed, this,
        [this](const QString &server, StoreSeq seq, const Error &error) {
            takesOver();
            Q_EMIT failed(server, seq, error);
        },
        Qt::QueuedConnection);
    connect(
        m_worker, &StoreWorker::recreated, this,
        [this](const QString &sentence) {
            takesOver();
            Q_EMIT recreated(sentence);
        },
        Qt::QueuedConnection);
    handsOver();
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
    inWorker(
        m_worker, [&] { result = m_worker->open(folder); }, Qt::BlockingQueuedConnection);
    return result;
}

void SnapshotStore::submit(const StoreCommand &command)
{
    inWorker(
        m_worker, [worker = m_worker, command] { worker->apply(command); }, Qt::QueuedConnection);
}

void SnapshotStore::submitTotals(const QString &server, const QMap<QString, qint64> &totals, StoreSeq seq)
{
    inWorker(
        m_worker, [worker = m_worker, server, totals, seq] { worker->setTotals(server, totals, seq); },
        Qt::QueuedConnection);
}

void SnapshotStore::submitSetting(
    const QString &server, const QString &key, const QString &value, StoreSeq seq)
{
    inWorker(
        m_worker,
        [worker = m_worker, server, key, value, seq] { worker->setSetting(server, key, value, seq); },
        Qt::QueuedConnection);
}

Result<Done> SnapshotStore::close(bool orderly)
{
    Result<Done> result = Done {};
    inWorker(
        m_worker, [&] { result = m_worker->close(orderly); }, Qt::BlockingQueuedConnection);
    return result;
}

void SnapshotStore::stopThread()
{
    // Behind everything submitted; the connection has to be closed in its own thread.
    inWorker(
        m_worker, [this] { m_worker->drop(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
    takesOver();
}

} // namespace kv
