// SPDX-License-Identifier: MIT
#include "realdesktop.h"

#include <QDir>
#include <QStandardPaths>

namespace kv::test {

RealDesktop::RealDesktop()
    : m_environment(QProcessEnvironment::systemEnvironment())
{
}

RealDesktop::~RealDesktop()
{
    end(m_manager);
    end(m_display);
}

QString RealDesktop::missing(const QStringList &programs)
{
    const QStringList needed = QStringList {
        QStringLiteral("Xvfb"), QStringLiteral("openbox"), QStringLiteral("xdotool"), QStringLiteral("import")
    } + programs;
    for (const QString &program : needed) {
        if (QStandardPaths::findExecutable(program).isEmpty()) {
            return QStringLiteral("%1 is not installed (packaging/install-deps.sh test)").arg(program);
        }
    }
    return {};
}

bool RealDesktop::start()
{
    m_environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
    m_display = launch(QStringLiteral("Xvfb"),
        // It would begin anew when its first client goes, and refuse who comes just then.
        { QStringLiteral("-noreset"), QStringLiteral("-displayfd"), QStringLiteral("1"),
            QStringLiteral("-screen"), QStringLiteral("0"), QStringLiteral("1280x800x24") });
    if (!m_display || !m_display->waitForReadyRead()) {
        return false;
    }
    m_environment.insert(
        QStringLiteral("DISPLAY"), u':' + QString::fromLatin1(m_display->readAllStandardOutput()).trimmed());
    m_manager = launch(QStringLiteral("openbox"), {});
    return m_manager != nullptr;
}

std::unique_ptr<QProcess> RealDesktop::launch(const QString &program, const QStringList &arguments) const
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(m_environment);
    process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process->start(program, arguments);
    return process->waitForStarted() ? std::move(process) : nullptr;
}

void RealDesktop::end(std::unique_ptr<QProcess> &process)
{
    if (process) {
        process->terminate();
        process->waitForFinished();
        process.reset();
    }
}

QString RealDesktop::output(const QString &program, const QStringList &arguments) const
{
    const std::unique_ptr<QProcess> process = launch(program, arguments);
    return process && process->waitForFinished() ? QString::fromUtf8(process->readAllStandardOutput())
                                                 : QString();
}

QStringList RealDesktop::windows(const QString &name) const
{
    return output(QStringLiteral("xdotool"),
        { QStringLiteral("search"), QStringLiteral("--onlyvisible"), QStringLiteral("--name"), name })
        .split(u'\n', Qt::SkipEmptyParts);
}

QImage RealDesktop::picture(const QString &name) const
{
    const QDir folder(qEnvironmentVariable("KV_PERSIST_TEST_BIN") + QStringLiteral("/../screenshots"));
    const QString path = folder.filePath(name + QStringLiteral(".png"));
    QDir().mkpath(folder.path());
    output(QStringLiteral("import"), { QStringLiteral("-window"), QStringLiteral("root"), path });
    return QImage(path);
}

} // namespace kv::test
