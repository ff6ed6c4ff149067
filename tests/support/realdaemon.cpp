// SPDX-License-Identifier: MIT
#include "realdaemon.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QRegularExpression>
#include <QtTest>

namespace kv::test {

namespace {

constexpr int c_daemonStartMs = 30000;
constexpr int c_daemonStopMs = 30000;

} // namespace

QString builtProgram(const QString &name)
{
    const QString file = qEnvironmentVariable("KV_PERSIST_TEST_BIN") + QLatin1Char('/') + name;
    return QFileInfo(file).isExecutable() ? file : QString();
}

RealDaemon::RealDaemon()
{
    QDir(m_folder.path()).mkpath(QStringLiteral("home/runtime"));
    QFile::setPermissions(m_folder.filePath(QStringLiteral("home/runtime")),
        QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

RealDaemon::~RealDaemon() { kill(); }

void RealDaemon::setConfig(const QByteArray &yaml)
{
    QByteArray text = yaml;
    text.replace("${METADATA}", metadataFolder().toUtf8());
    QFile file(configPath());
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(text) != text.size()) {
        qFatal("cannot write %s", qPrintable(configPath()));
    }
}

QByteArray RealDaemon::config() const
{
    QFile file(configPath());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QProcessEnvironment RealDaemon::environment() const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QString home = m_folder.filePath(QStringLiteral("home"));
    environment.insert(QStringLiteral("HOME"), home);
    environment.insert(QStringLiteral("DSH_HOME"), home + QStringLiteral("/dsh"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home + QStringLiteral("/config"));
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), home + QStringLiteral("/cache"));
    environment.insert(QStringLiteral("XDG_DATA_HOME"), home + QStringLiteral("/data"));
    environment.insert(QStringLiteral("XDG_STATE_HOME"), home + QStringLiteral("/state"));
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), home + QStringLiteral("/runtime"));
    environment.insert(QStringLiteral("KV_PERSIST_SOCKET"), socketPath());
    return environment;
}

void RealDaemon::launch(const QStringList &moreArguments)
{
    kill();
    QStringList arguments { QStringLiteral("--socket"), socketPath() };
    if (QFileInfo::exists(configPath())) {
        arguments << QStringLiteral("--config") << configPath();
    }
    m_process = std::make_unique<QProcess>();
    m_process->setProcessEnvironment(environment());
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    QObject::connect(m_process.get(), &QProcess::readyRead, m_process.get(), [this] { drain(); });
    m_process->start(builtProgram(QStringLiteral("kv-persistd")), arguments + moreArguments);
}

bool RealDaemon::start(const QStringList &moreArguments)
{
    launch(moreArguments);
    QLocalSocket probe;
    const bool up = QTest::qWaitFor(
        [&] {
            if (probe.state() == QLocalSocket::UnconnectedState) {
                probe.connectToServer(socketPath());
            }
            return probe.state() == QLocalSocket::ConnectedState || !running();
        },
        c_daemonStartMs);
    return up && running();
}

bool RealDaemon::stop()
{
    if (!running()) {
        return false;
    }
    m_process->terminate();
    const bool ended = waitForExit(c_daemonStopMs);
    kill();
    return ended;
}

QString RealDaemon::logged(const QString &pattern) const
{
    const QRegularExpression expression(pattern);
    QString found;
    static_cast<void>(QTest::qWaitFor(
        [&] {
            found = expression.match(m_log).captured(1);
            return !found.isEmpty();
        },
        c_daemonStopMs));
    return found;
}

bool RealDaemon::waitForExit(int timeoutMs)
{
    const bool ended = QTest::qWaitFor([this] { return !running(); }, timeoutMs);
    if (ended) {
        reap();
    }
    return ended;
}

void RealDaemon::kill()
{
    if (m_process != nullptr) {
        m_process->kill();
        m_process->waitForFinished(c_daemonStopMs);
        reap();
    }
}

void RealDaemon::reap()
{
    if (m_process == nullptr) {
        return;
    }
    drain();
    m_exitCode = m_process->exitStatus() == QProcess::NormalExit ? m_process->exitCode() : -1;
    m_process.reset();
}

bool RealDaemon::restart() { return stop() && start(); }

bool RealDaemon::running() const
{
    return m_process != nullptr && m_process->state() != QProcess::NotRunning;
}

qint64 RealDaemon::pid() const { return m_process == nullptr ? 0 : m_process->processId(); }

void RealDaemon::drain() { m_log += QString::fromUtf8(m_process->readAll()); }

} // namespace kv::test
