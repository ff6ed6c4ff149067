// SPDX-License-Identifier: MIT
#include "abandonedlock.h"

#include <QFile>

#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kv {

bool removeAbandonedLock(const QString &path)
{
    constexpr time_t c_settledSeconds = 1;
    const QByteArray name = QFile::encodeName(path);
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
