// SPDX-License-Identifier: MIT
#include "instancelock.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QThread>

#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kv {

namespace {

constexpr qint64 c_patienceMs = 2000;
constexpr unsigned long c_stepMs = 10;
/// QLockFile makes the file and locks it in two steps; a younger file may be between them.
constexpr time_t c_settledSeconds = 1;

QString translate(const char *text) { return QCoreApplication::translate("InstanceLock", text); }

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
                = translate("The lock file %1 cannot be made, so kv-persistd cannot tell whether another "
                            "one runs. Make its folder writable, or choose another --socket.")
                      .arg(m_path);
            return attempt;
        }
        if (removeAbandoned()) {
            continue;
        }
        QString program;
        if (m_lock.getLockInfo(&attempt.pid, &attempt.host, &program)) {
            attempt.state = State::HeldByOther;
            attempt.message
                = translate("Another kv-persistd (process %1 on %2) already serves this socket. Use that "
                            "one, or stop it first; nothing was changed.")
                      .arg(attempt.pid)
                      .arg(attempt.host);
            return attempt;
        }
        if (patience.hasExpired()) {
            attempt.state = State::HeldByOther;
            attempt.message
                = translate("Another process holds the lock file %1 but does not say who it is. Stop it, "
                            "or remove that file if no kv-persistd runs.")
                      .arg(m_path);
            return attempt;
        }
        QThread::msleep(c_stepMs);
    }
    attempt.state = State::Taken;
    return attempt;
}

bool InstanceLock::removeAbandoned() const
{
    const QByteArray name = QFile::encodeName(m_path);
    const int fd = ::open(
        name.constData(), O_RDWR | O_CLOEXEC | O_NOFOLLOW); // NOLINT(cppcoreguidelines-pro-type-vararg)
    if (fd < 0) {
        return false;
    }
    // A living QLockFile holds flock() on its file. Only who holds that lock, on the file that still has the
    // name, removes it: two starts that find the same abandoned file cannot take each other's new one away.
    bool removed = false;
    struct stat opened = {};
    struct stat named = {};
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &opened) == 0
        && ::stat(name.constData(), &named) == 0 && opened.st_ino == named.st_ino
        && opened.st_dev == named.st_dev && ::time(nullptr) - opened.st_mtime > c_settledSeconds) {
        removed = ::unlink(name.constData()) == 0;
    }
    ::close(fd);
    return removed;
}

} // namespace kv
