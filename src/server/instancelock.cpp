// SPDX-License-Identifier: MIT
#include "instancelock.h"

#include "abandonedlock.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QThread>

namespace kv {

namespace {

constexpr qint64 c_patienceMs = 2000;
constexpr unsigned long c_stepMs = 10;

QString lockText(const char *text) { return QCoreApplication::translate("InstanceLock", text); }

} // namespace

InstanceLock::InstanceLock(const QString &socketPath)
    : m_path(socketPath + QStringLiteral(".lock"))
    , m_lock(m_path)
{
    m_lock.setStaleLockTime(0); // age alone never makes a lock stale: a daemon runs for months
}

InstanceLock::Attempt InstanceLock::take()
{
    const QDeadlineTimer patience(c_patienceMs);
    Attempt attempt;
    while (!m_lock.tryLock(0)) {
        if (m_lock.error() != QLockFile::LockFailedError) {
            attempt.message
                = lockText("The lock file %1 cannot be made, so kv-persistd cannot tell whether another "
                           "one runs. Make its folder writable, or choose another --socket.")
                      .arg(m_path);
            return attempt;
        }
        if (removeAbandonedLock(m_path)) {
            continue;
        }
        QString program;
        if (m_lock.getLockInfo(&attempt.pid, &attempt.host, &program)) {
            attempt.state = State::HeldByOther;
            attempt.message
                = lockText("Another kv-persistd (process %1 on %2) already serves this socket. Use that "
                           "one, or stop it first; nothing was changed.")
                      .arg(attempt.pid)
                      .arg(attempt.host);
            return attempt;
        }
        if (patience.hasExpired()) {
            attempt.state = State::HeldByOther;
            attempt.message
                = lockText("Another process holds the lock file %1 but does not say who it is. Stop it, "
                           "or remove that file if no kv-persistd runs.")
                      .arg(m_path);
            return attempt;
        }
        QThread::msleep(c_stepMs);
    }
    attempt.state = State::Taken;
    return attempt;
}

} // namespace kv
