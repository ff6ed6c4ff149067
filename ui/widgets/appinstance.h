// SPDX-License-Identifier: MIT
#pragma once

#include <QLocalServer>
#include <QLockFile>
#include <QObject>
#include <QTimer>

class QLocalSocket;

namespace kv {

/// One program a user: the first holds a lock and listens; each later one hands it the page that it was asked
/// for and ends.
class AppInstance final : public QObject {
    Q_OBJECT

public:
    enum class Claim {
        First,
        Second,
        Failed, ///< neither lock nor socket can be made: the program goes on alone
    };

    /// `path` of the socket; the lock is beside it. Its folder exists.
    explicit AppInstance(const QString &path, QObject *parent = nullptr);

    [[nodiscard]] Claim claim();
    /// For a Second: hands the page over; ends in told().
    void tellFirst(const QString &page);

Q_SIGNALS:
    /// Another start wanted the window, on this page (empty: any).
    void wanted(const QString &page);
    /// False: the first one does not answer.
    void told(bool ok);

private:
    void onConnection();
    void tryToTell();

    QString m_path;
    QLockFile m_lock;
    QLocalServer m_server;
    QByteArray m_message;
    QTimer m_again; ///< the first one has its lock but does not listen yet
    int m_attempts = 0;
};

} // namespace kv
