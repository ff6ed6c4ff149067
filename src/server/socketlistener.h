// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>

#include <sys/types.h>

class QSocketNotifier;

namespace kv {

/// Longest path of a socket in bytes: sun_path holds 104 bytes with its end on the systems with the least.
inline constexpr int c_maxSocketPathBytes = 103;

/// The listening Unix socket. Not QLocalServer, for two reasons: that one closes itself and removes its
/// socket when one accept() fails (no free descriptor, say), and it gives the socket other rights than 0600.
class SocketListener final : public QObject {
    Q_OBJECT

public:
    /// Connections of processes of any other user than `allowedUser` are refused.
    explicit SocketListener(uid_t allowedUser, QObject *parent = nullptr);
    ~SocketListener() override;
    Q_DISABLE_COPY_MOVE(SocketListener)

    /// `path` is absolute. The caller holds the InstanceLock of this path and has prepared the folder. A
    /// socket that nobody serves any more is replaced; one that somebody serves, or a file that is no socket,
    /// is an error.
    Result<Done> listen(const QString &path);
    /// Stops accepting and removes the socket, if it is still ours. Also done by the destructor.
    void close();
    [[nodiscard]] bool isListening() const { return m_fd >= 0; }

Q_SIGNALS:
    /// A connection of the right user. The receiver owns the descriptor (non-blocking, close-on-exec).
    void accepted(int descriptor);

private:
    void acceptSome();
    [[nodiscard]] bool userAllowed(int descriptor) const;
    void pauseAccepting();
    void resumeAccepting();

    uid_t m_allowedUser;
    QByteArray m_path;
    int m_fd = -1;
    dev_t m_device = 0;
    ino_t m_inode = 0;
    QSocketNotifier *m_notifier = nullptr;
    QTimer m_pause;
};

/// Sends `line` as far as it goes without waiting, then closes: for connections that are refused at once.
void refuseConnection(int descriptor, const QByteArray &line);

} // namespace kv
