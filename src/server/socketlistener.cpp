// SPDX-License-Identifier: MIT
#include "socketlistener.h"

#include "logging.h"
#include "socketfolder.h"

#include <QFile>
#include <QSocketNotifier>
#include <QTimer>

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace kv {

namespace {

constexpr int c_backlog = 128;
constexpr int c_acceptPauseMs = 100;
/// In one pass of the event loop, so that connections that are dead already leave before they fill all
/// places.
constexpr int c_acceptBatch = 8;

QString systemText(int number) { return QString::fromStdString(std::system_category().message(number)); }

sockaddr_un addressOf(const QByteArray &path)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.constData(), static_cast<size_t>(path.size()) + 1);
    return address;
}

const sockaddr *generic(const sockaddr_un &address)
{
    return reinterpret_cast<const sockaddr *>(
        &address); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

/// Whether a process listens there. Asked before a path is removed, so that nobody's socket is stolen.
bool somebodyServes(const sockaddr_un &address)
{
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return true; // not known: better to refuse than to steal
    }
    const bool answered = ::connect(fd, generic(address), sizeof(address)) == 0 || errno == EAGAIN;
    ::close(fd);
    return answered;
}

} // namespace

SocketListener::SocketListener(uid_t allowedUser, QObject *parent)
    : QObject(parent)
    , m_allowedUser(allowedUser)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(c_acceptPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &SocketListener::resumeAccepting);
}

SocketListener::~SocketListener() { close(); }

Result<Done> SocketListener::listen(const QString &path)
{
    m_path = QFile::encodeName(path);
    if (m_path.size() > c_maxSocketPathBytes) {
        return socketError(
            tr("The path of the socket has %1 bytes, but the system takes at most %2: %3. Choose a shorter "
               "one with --socket.")
                .arg(m_path.size())
                .arg(c_maxSocketPathBytes)
                .arg(path));
    }
    const sockaddr_un address = addressOf(m_path);
    struct stat info = {};
    if (::lstat(m_path.constData(), &info) == 0) {
        if (!S_ISSOCK(info.st_mode)) {
            return socketError(
                tr("%1 exists and is not a socket, so it is left alone. Remove it, or choose another "
                   "--socket.")
                    .arg(path));
        }
        if (somebodyServes(address)) {
            return socketError(
                tr("Another program already serves the socket %1. Stop it, or choose another --socket.")
                    .arg(path));
        }
        ::unlink(m_path.constData());
    }
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // The rights are set before listen(): until then nobody can connect.
    if (fd < 0 || ::bind(fd, generic(address), sizeof(address)) != 0
        || ::chmod(m_path.constData(), S_IRUSR | S_IWUSR) != 0 || ::lstat(m_path.constData(), &info) != 0
        || ::listen(fd, c_backlog) != 0) {
        const int number = errno;
        if (fd >= 0) {
            ::close(fd);
        }
        return socketError(
            tr("The socket %1 cannot be made (%2), so no program could reach kv-persistd. Choose another "
               "place with --socket.")
                .arg(path, systemText(number)));
    }
    m_fd = fd;
    m_device = info.st_dev;
    m_inode = info.st_ino;
    m_notifier = new QSocketNotifier(m_fd, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &SocketListener::acceptSome);
    return Done {};
}

void SocketListener::close()
{
    if (m_fd < 0) {
        return;
    }
    m_notifier->setEnabled(false);
    m_notifier
        ->deleteLater(); // this may be called by the receiver of accepted(), inside the notifier's signal
    m_notifier = nullptr;
    ::close(m_fd);
    m_fd = -1;
    struct stat info = {};
    if (::lstat(m_path.constData(), &info) == 0 && info.st_dev == m_device && info.st_ino == m_inode) {
        ::unlink(m_path.constData());
    }
}

void SocketListener::acceptSome()
{
    for (int i = 0; i < c_acceptBatch && m_fd >= 0; ++i) {
        const int descriptor = ::accept4(m_fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (descriptor >= 0) {
            if (userAllowed(descriptor)) {
                Q_EMIT accepted(descriptor);
            } else {
                qCWarning(lcServer) << "A connection of another user was refused.";
                ::close(descriptor);
            }
            continue;
        }
        if (errno == EINTR || errno == ECONNABORTED) {
            continue;
        }
        if (errno != EAGAIN && errno != EWOULDBLOCK) {
            qCWarning(lcServer) << "A connection cannot be accepted now, trying again:" << systemText(errno);
            pauseAccepting();
        }
        return;
    }
}

bool SocketListener::userAllowed(int descriptor) const
{
    ucred peer = {};
    socklen_t size = sizeof(peer);
    return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == m_allowedUser;
}

void SocketListener::pauseAccepting()
{
    m_notifier->setEnabled(false); // else a full descriptor table would make a busy loop
    m_pause.start();
}

void SocketListener::resumeAccepting()
{
    if (m_notifier != nullptr) {
        m_notifier->setEnabled(true);
    }
}

void refuseConnection(int descriptor, const QByteArray &line)
{
    // As much as the socket takes; a fresh one takes far more than a line.
    if (::send(descriptor, line.constData(), static_cast<size_t>(line.size()), MSG_DONTWAIT | MSG_NOSIGNAL)
        < 0) {
        qCDebug(lcServer) << "A refused client could not be told why:" << systemText(errno);
    }
    ::close(descriptor);
}

} // namespace kv
