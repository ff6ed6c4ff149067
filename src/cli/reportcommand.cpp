// SPDX-License-Identifier: MIT
#include "clitext.h"
#include "commands.h"
#include "exitcode.h"
#include "report.h"

#include <QDateTime>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>

#include <utility>

namespace kv {

namespace {

constexpr int c_packMs = 120'000;

bool isArchive(const QString &path)
{
    return path.endsWith(QStringLiteral(".tar.gz")) || path.endsWith(QStringLiteral(".tgz"));
}

QString defaultName(qint64 nowWallMs)
{
    return QStringLiteral("kv-persist-report-")
        + QDateTime::fromMSecsSinceEpoch(nowWallMs).toString(QStringLiteral("yyyyMMdd-HHmmss"));
}

/// Empty: done.
QString pack(const QString &archive, const QString &parent, const QString &name)
{
    QFile file(archive); // made here, so that nobody else may read it
    if (!file.open(QIODevice::WriteOnly, QFileDevice::ReadOwner | QFileDevice::WriteOwner)) {
        return file.errorString();
    }
    file.close();
    QProcess tar;
    tar.start(QStringLiteral("tar"),
        { QStringLiteral("-czf"), QFileInfo(archive).absoluteFilePath(), QStringLiteral("-C"), parent,
            name });
    if (!tar.waitForFinished(c_packMs)) {
        return tar.errorString();
    }
    return tar.exitStatus() == QProcess::NormalExit && tar.exitCode() == 0
        ? QString()
        : QString::fromUtf8(tar.readAllStandardError()).trimmed();
}

void print(const CommandContext &context, const Report &report, const QString &where, bool packed)
{
    QJsonArray files;
    QJsonArray lacks;
    for (const Report::Part &part : report.parts()) {
        (part.file.isEmpty() ? lacks : files).append(part.file.isEmpty() ? part.what : part.file);
    }
    if (context.options().json) {
        context.printJson({ { QStringLiteral("path"), where }, { QStringLiteral("files"), files },
            { QStringLiteral("missing"), lacks } });
        return;
    }
    const Terminal &terminal = context.terminal();
    terminal.line(CliText::tr("The report is %1. In it:").arg(printable(where)));
    for (const Report::Part &part : report.parts()) {
        if (!part.file.isEmpty()) {
            terminal.line(
                QStringLiteral("  %1  %2").arg(printable(part.file).leftJustified(28), printable(part.what)));
        }
    }
    for (const QJsonValue &lack : std::as_const(lacks)) {
        terminal.line(
            terminal.styled(CliText::tr("  Missing: "), Style::Warning) + printable(lack.toString()));
    }
    terminal.line(CliText::tr(
        "No prompt, no answer and no label of a conversation is in it; sessions are hashes, keys and "
        "passwords are left out. It does name your models, servers and their addresses: look through it "
        "before you show it to others."));
    if (!packed) {
        terminal.line(
            CliText::tr("To attach it to an issue, pack it: tar -czf %1.tar.gz %1").arg(printable(where)));
    }
}

} // namespace

int runReport(CommandContext &context)
{
    const CliOptions &options = context.options();
    const QString name = defaultName(context.nowWallMs());
    const QString target = options.output.isEmpty() ? name : options.output;
    const bool archive = isArchive(target);
    const QTemporaryDir temporary;
    const QDir folder(archive ? temporary.filePath(name) : target);
    if (archive ? QFileInfo::exists(target) : folder.exists() && !folder.isEmpty()) {
        return context.usageError(
            CliText::tr("%1 exists already. Name another place with -o; nothing was written.").arg(target));
    }
    if (!QDir().mkpath(folder.path())
        || !QFile::setPermissions(
            folder.path(), QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner)) {
        return context.usageError(
            CliText::tr("The folder %1 cannot be made. Name another place with -o.").arg(folder.path()));
    }
    Report report(context, folder, options.metadata, options.config);
    report.collect();
    if (!report.failure().isEmpty()) {
        return context.usageError(report.failure());
    }
    if (archive) {
        if (const QString why = pack(target, temporary.path(), name); !why.isEmpty()) {
            QFile::remove(target);
            return context.usageError(
                CliText::tr("The report cannot be packed with tar (%1). Name a folder instead: -o FOLDER.")
                    .arg(why));
        }
    }
    print(context, report, target, archive);
    return exitcode::ok;
}

} // namespace kv
