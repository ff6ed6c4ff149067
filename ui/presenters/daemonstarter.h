// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"

#include <QProcess>
#include <QTimer>

namespace kv {

/// Starts the daemon when nobody answers: by the service manager where the user's service is installed, else
/// as a process that outlives this one. By itself only once, when the first attempt to connect came to
/// nothing; later a daemon that is away was perhaps stopped on purpose.
class DaemonStarter final : public QObject {
    Q_OBJECT

public:
    struct Options {
        bool automatic = false; ///< the once
        QString socket; ///< --socket of this program: the service listens elsewhere and is not used
        QString folder; ///< looked in for the daemon's program before PATH
        QString serviceManager = QStringLiteral("systemctl"); ///< empty: none
        QString program = QStringLiteral("kv-persistd");
        int patienceMs = 15'000; ///< from the start to its first answer
    };
    static constexpr auto c_service = "kv-persist.service";

    DaemonStarter(Daemon &daemon, const Options &options, QObject *parent = nullptr);

    /// Does nothing while a start runs, or when the daemon is there.
    void start();
    [[nodiscard]] bool isStarting() const { return m_starting; }
    /// Why the last start came to nothing and what to do, translated; empty: it did not.
    [[nodiscard]] QString trouble() const { return m_trouble; }

Q_SIGNALS:
    void changed();

private:
    void onLink();
    void askService(const QStringList &arguments, const std::function<void(bool ok)> &then);
    void startProcess();
    void fail(const QString &trouble);

    Daemon &m_daemon;
    Options m_options;
    QTimer m_patience;
    bool m_starting = false;
    QString m_trouble;
};

} // namespace kv
