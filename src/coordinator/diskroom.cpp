// SPDX-License-Identifier: MIT
#include "diskroom.h"

#include "bytesize.h"

#include <algorithm>
#include <utility>

namespace kv {

void DiskRoom::wrote(NameNumber name, qint64 bytes, bool stays)
{
    const auto former = m_fileBytes.find(name);
    if (m_freeBytes >= 0) {
        m_freeBytes
            = std::max<qint64>(0, m_freeBytes - bytes + (former == m_fileBytes.end() ? 0 : former->second));
    }
    if (stays) {
        m_fileBytes[name] = bytes;
    }
}

QString DiskRoom::refusal(qint64 floor, qint64 needed, NameNumber name) const
{
    if (floor <= 0 || m_freeBytes < 0) {
        return {};
    }
    const auto former = m_fileBytes.find(name);
    const qint64 growth = std::max<qint64>(needed, 1) - (former == m_fileBytes.end() ? 0 : former->second);
    if (growth <= 0 || m_freeBytes - growth >= floor) {
        return {};
    }
    return QStringLiteral("disk-space: %1 are free where the slot files are, this one needs about %2, and "
                          "retention.minFreeBytes keeps %3 free")
        .arg(formatBytes(m_freeBytes), formatBytes(needed), formatBytes(floor));
}

bool DiskRoom::setShort() { return !std::exchange(m_short, true); }

} // namespace kv
