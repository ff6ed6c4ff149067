// SPDX-License-Identifier: MIT
#include "checksumqueue.h"

#include "logging.h"

#include <algorithm>

namespace kv {

ChecksumQueue::ChecksumQueue(QObject *parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    m_pool.setThreadPriority(QThread::LowestPriority);
}

ChecksumQueue::~ChecksumQueue() { clear(); }

void ChecksumQueue::add(const Item &item)
{
    const bool waits = std::any_of(m_items.begin(), m_items.end(),
        [&](const Item &other) { return other.file.number == item.file.number; });
    if (waits) {
        return;
    }
    m_items.push_back(item);
    next();
}

void ChecksumQueue::drop(NameNumber number)
{
    const bool running = m_job && m_items.front().file.number == number;
    std::erase_if(m_items, [number](const Item &item) { return item.file.number == number; });
    if (running) {
        m_job.reset(); // cancels it; what it has found already is told to nobody
        next();
    }
}

void ChecksumQueue::clear()
{
    m_job.reset();
    m_items.clear();
}

void ChecksumQueue::next()
{
    if (m_job || m_items.empty()) {
        return;
    }
    FileTask task;
    task.kind = FileTask::Kind::Check;
    task.file = m_items.front().file;
    task.expected = m_items.front().expected;
    task.expected.checksum = true;
    m_job = std::make_unique<FileJob>(&m_pool, task);
    connect(m_job.get(), &FileJob::progressed, this,
        [this](int permille) { Q_EMIT progressed(m_items.front(), permille); });
    connect(m_job.get(), &FileJob::finished, this, [this](const FileReport &report) {
        const Item item = m_items.front();
        m_items.pop_front();
        m_job.release()->deleteLater(); // from within its own signal
        if (report.ok()) {
            Q_EMIT computed({ item.session, item.file.number, report.checksum });
        } else {
            qCWarning(lcRuntime).noquote() << report.message;
        }
        next();
    });
    m_job->start();
}

} // namespace kv
