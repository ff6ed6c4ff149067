// SPDX-License-Identifier: MIT
#include "daemonstarter.h"

#include <QStandardPaths>

namespace kv {

DaemonStarter::DaemonStarter(Daemon &daemon, const Options &options, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_options(options)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(options.patienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        fail(tr("The daemon was started but does not answer. Run “%1” in a terminal: it says what is wrong.")
                 .arg(m_options.program));
    });
    connect(&daemon, &Daemon::linkChanged, this, &DaemonStarter::onLink);
}

void DaemonStarter::onLink()
{
    if (m_daemon.link() == Daemon::Link::Connected) {
        m_options.automatic = false;
        m_patience.stop();
        m_starting = false;
        m_trouble.clear();
        Q_EMIT changed();
    } else if (m_daemon.link() == Daemon::Link::Away && m_options.automatic) {
        m_options.automatic = false;
        start();
    }
}

void DaemonStarter::start()
{
    if (m_starting || m_daemon.link() == Daemon::Link::Connected) {
        return;
    }
    m_starting = true;
    m_trouble.clear();
    m_patience.start();
    Q_EMIT changed();
    if (!m_options.socket.isEmpty() || m_options.serviceManager.isEmpty()) {
        startProcess();
        return;
    }
    const QString user = QStringLiteral("--user");
    const QString unit = QString::fromLatin1(c_service);
    askService({ user, QStringLiteral("cat"), unit }, [this, user, unit](bool installed) {
        if (!installed) {
            startProcess();
            return;
        }
        askService({ user, QStringLiteral("start"), unit }, [this, unit](bool started) {
            if (!started) {
                fail(tr("The service %1 did not start. “journalctl --user -u %1” shows why.").arg(unit));
            }
        });
    });
}

void DaemonStarter::askService(const QStringList &arguments, const std::function<void(bool ok)> &then)
{
    auto *process = new QProcess(this);
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setStandardErrorFile(QProcess::nullDevice());
    const auto finish = [this, process, then](bool ok) {
        process->deleteLater();
        if (m_starting) { // else the daemon came meanwhile, or patience is over
            then(ok);
        }
    };
    connect(process, &QProcess::finished, this, [finish](int code, QProcess::ExitStatus status) {
        finish(status == QProcess::NormalExit && code == 0);
    });
    connect(process, &QProcess::errorOccurred, this, [finish](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) { // any other is followed by finished()
            finish(false);
        }
    });
    process->start(m_options.serviceManager, arguments);
}

void DaemonStarter::startProcess()
{
    QString program = QStandardPaths::findExecutable(m_options.program, { m_options.folder });
    if (program.isEmpty()) {
        program = QStandardPaths::findExecutable(m_options.program);
    }
    if (program.isEmpty()) {
        fail(
            tr("The program %1 was not found, neither beside this one nor in PATH. Install kv-persist again.")
                .arg(m_options.program));
        return;
    }
    QStringList arguments;
    if (!m_options.socket.isEmpty()) {
        arguments = { QStringLiteral("--socket"), m_options.socket };
    }
    if (!QProcess::startDetached(program, arguments)) {
        fail(tr("%1 could not be started. Is it allowed to be run?").arg(program));
    }
}

void DaemonStarter::fail(const QString &trouble)
{
    m_patience.stop();
    m_starting = false;
    m_trouble = trouble;
    Q_EMIT changed();
}

} // namespace kv
