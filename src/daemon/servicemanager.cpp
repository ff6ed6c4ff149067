// SPDX-License-Identifier: MIT
#include "servicemanager.h"

#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace kv {

bool notifyServiceManager(const QByteArray &notifySocket, const QByteArray &state)
{
    if (notifySocket.isEmpty()) {
        return true;
    }
    sockaddr_un address = {};
    const bool known = notifySocket.startsWith('/') || notifySocket.startsWith('@');
    if (!known || notifySocket.size() >= static_cast<qsizetype>(sizeof(address.sun_path))) {
        return false;
    }
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, notifySocket.constData(), static_cast<std::size_t>(notifySocket.size()));
    if (notifySocket.startsWith('@')) {
        address.sun_path[0] = '\0'; // the abstract namespace
    }
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    const auto length = static_cast<socklen_t>(
        offsetof(sockaddr_un, sun_path) + static_cast<std::size_t>(notifySocket.size()));
    const ssize_t sent = ::sendto(fd, state.constData(), static_cast<std::size_t>(state.size()), MSG_NOSIGNAL,
        reinterpret_cast<const sockaddr *>(&address),
        length); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
    ::close(fd);
    return sent == state.size();
}

} // namespace kv
