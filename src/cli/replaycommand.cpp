// SPDX-License-Identifier: MIT
#include "clitext.h"
#include "commands.h"
#include "exitcode.h"
#include "replayjson.h"
#include "replaytext.h"

#include <QFile>
#include <QJsonDocument>

namespace kv {

namespace {

constexpr qint64 c_largestFile = qint64 { 1 } << 30;

QString compact(const QJsonObject &object)
{
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

} // namespace

Result<Replay> openJournal(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return Error { ErrorCode::BadRequest,
            CliText::tr("%1 cannot be read: %2.").arg(path, file.errorString()), {} };
    }
    if (file.size() > c_largestFile) {
        return Error { ErrorCode::BadRequest, CliText::tr("%1 is too large for a journal.").arg(path), {} };
    }
    Result<JournalReader> reader = JournalReader::open(file.readAll());
    if (!reader) {
        return Error { reader.error().code, path + QStringLiteral(": ") + reader.error().message, {} };
    }
    return Replay(std::move(reader).value());
}

int runReplay(CommandContext &context)
{
    const CliOptions &options = context.options();
    const Terminal &terminal = context.terminal();
    Result<Replay> opened = openJournal(options.file);
    if (!opened) {
        return context.usageError(opened.error().message);
    }
    Replay &replay = opened.value();
    while (const std::optional<ReplayStep> step = replay.next()) {
        if (options.json) {
            terminal.out << compact(replayStepJson(*step)) << '\n';
        } else {
            for (const QString &line : replayLines(*step, options.verbose)) {
                terminal.out << printable(line) << '\n';
            }
        }
        if (terminal.out.status() != QTextStream::Ok) {
            return exitcode::ok; // whoever read our output is gone
        }
    }
    if (options.json) {
        terminal.out << compact({ { QStringLiteral("summary"), replaySummaryJson(replay.summary()) } })
                     << '\n';
    } else {
        for (const QString &line : summaryLines(replay.summary(), replay.head())) {
            terminal.out << printable(line) << '\n';
        }
    }
    terminal.out.flush();
    return replay.problem().isEmpty() ? exitcode::ok : context.usageError(replay.problem());
}

} // namespace kv
