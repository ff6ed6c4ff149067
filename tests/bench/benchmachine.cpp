// SPDX-License-Identifier: MIT
// What was measured on: numbers without their machine say nothing.
#include "benchkit.h"
#include "realllamaserver.h"

#include <QFile>
#include <QProcess>
#include <QSysInfo>
#include <QThread>

namespace kv::bench {

namespace {

/// The value of the first "name : value" in a file of /proc.
QString procValue(const QString &path, const QByteArray &name)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith(name)) {
            return QString::fromUtf8(line.mid(line.indexOf(':') + 1)).simplified();
        }
    }
    return {};
}

QString llamaServerVersion()
{
    const QString program = test::RealLlamaServer::program();
    if (program.isEmpty()) {
        return QStringLiteral("no llama-server");
    }
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, { QStringLiteral("--version") });
    process.waitForFinished();
    const QStringList lines = QString::fromUtf8(process.readAll()).split(QLatin1Char('\n'));
    for (const QString &line : lines) {
        if (line.startsWith(QStringLiteral("version:"))) {
            return QStringLiteral("llama-server ") + line.mid(8).simplified();
        }
    }
    return QStringLiteral("llama-server of an untold version");
}

} // namespace

QJsonObject machine()
{
    const QString cpu = procValue(QStringLiteral("/proc/cpuinfo"), "model name");
    return { { QStringLiteral("cpu"), cpu.isEmpty() ? QSysInfo::currentCpuArchitecture() : cpu },
        { QStringLiteral("cores"), QThread::idealThreadCount() },
        { QStringLiteral("memoryBytes"),
            procValue(QStringLiteral("/proc/meminfo"), "MemTotal")
                    .split(QLatin1Char(' '))
                    .value(0)
                    .toLongLong()
                * 1024 },
        { QStringLiteral("distribution"), QSysInfo::prettyProductName() },
        { QStringLiteral("kernel"), QSysInfo::kernelVersion() },
        { QStringLiteral("llamaServer"), llamaServerVersion() } };
}

} // namespace kv::bench
