// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <cstring>

namespace kv {

/// What the system calls this errno.
inline QString systemText(int number)
{
    return QString::fromLocal8Bit(std::strerror(number)); // NOLINT(concurrency-mt-unsafe): glibc's is safe
}

} // namespace kv
