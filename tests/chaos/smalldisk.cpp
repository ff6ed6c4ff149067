// SPDX-License-Identifier: MIT
#include "smalldisk.h"

#include <QFile>

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

namespace kv::test {

SmallDisk::SmallDisk(int mebibytes)
{
    const QByteArray options = "mode=0700,size=" + QByteArray::number(mebibytes) + 'm';
    m_mounted
        = ::mount("none", QFile::encodeName(m_folder.path()).constData(), "tmpfs", 0, options.constData())
        == 0;
}

SmallDisk::~SmallDisk()
{
    if (m_mounted) {
        ::umount2(QFile::encodeName(m_folder.path()).constData(), MNT_DETACH);
    }
}

void SmallDisk::fill()
{
    const QByteArray name = QFile::encodeName(m_folder.filePath(QStringLiteral("ballast")));
    const int fd = ::open(name.constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    for (qsizetype piece = 65536; piece >= 1; piece /= 16) {
        const QByteArray zeros(piece, '\0');
        while (::write(fd, zeros.constData(), static_cast<std::size_t>(piece)) == piece) { }
    }
    ::close(fd);
}

void SmallDisk::relieve() { QFile::remove(m_folder.filePath(QStringLiteral("ballast"))); }

} // namespace kv::test
