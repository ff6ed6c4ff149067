// SPDX-License-Identifier: MIT
#include "appinstance.h"

#include <QLocalSocket>

namespace kv {

namespace {

constexpr int c_attempts = 15;
constexpr int c_attemptMs = 200;
constexpr qsizetype c_longestPage = 100;

} // namespace

AppInstance::AppInstance(const QString &path, QObject *parent)
    : QObject(parent)
    , m_path(path)
    , m_lock(path + QStringLiteral(".lock"))
{
    m_lock.setStaleLockTime(0);
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &AppInstance::onConnection);
    m_again.setSingleShot(true);
    m_again.setInterval(c_attemptMs);
    connect(&m_again, &QTimer::timeout, this, &AppInstance::tryToTell);
}

AppInstance::Claim AppInstance::claim()
{
    if (!m_lock.tryLock(0)) {
        return m_lock.error() == QLockFile::LockFailedError ? Claim::Second : Claim::Failed;
    }
    QLocalServer::removeServer(m_path); // ours by the lock: what is left of one that crashed
    return m_server.listen(m_path) ? Claim::First : Claim::Failed;
}

void AppInstance::onConnection()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        const auto read = [this, socket] {
            if (!socket->canReadLine() && socket->bytesAvailable() <= c_longestPage) {
                return;
            }
            const QByteArray line = socket->readLine(c_longestPage).trimmed();
            socket->disconnect(this);
            socket->disconnectFromServer();
            socket->deleteLater();
            Q_EMIT wanted(QString::fromUtf8(line));
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        connect(socket, &QLocalSocket::disconnected, socket, &QLocalSocket::deleteLater);
        read(); // it may be there already
    }
}

void AppInstance::tellFirst(const QString &page)
{
    m_message = page.toUtf8().left(c_longestPage - 2) + '\n';
    m_attempts = 0;
    tryToTell();
}

void AppInstance::tryToTell()
{
    if (++m_attempts > c_attempts) {
        Q_EMIT told(false);
        return;
    }
    auto *socket = new QLocalSocket(this);
    connect(socket, &QLocalSocket::connected, this, [this, socket] { socket->write(m_message); });
    connect(socket, &QLocalSocket::disconnected, this, [this, socket] { // it has read
        socket->deleteLater();
        Q_EMIT told(true);
    });
    connect(socket, &QLocalSocket::errorOccurred, this, [this, socket](QLocalSocket::LocalSocketError error) {
        if (error != QLocalSocket::PeerClosedError) { // which disconnected() follows
            socket->disconnect(this);
            socket->deleteLater();
            m_again.start();
        }
    });
    socket->connectToServer(m_path);
}

} // namespace kv
