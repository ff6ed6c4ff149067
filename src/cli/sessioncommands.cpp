// SPDX-License-Identifier: MIT
#include "cliformat.h"
#include "clitext.h"
#include "commands.h"
#include "exitcode.h"
#include "table.h"

#include <QJsonArray>

namespace kv {

namespace {

using Patience = CommandContext::Patience;

QString snapshotsText(const QJsonValue &count)
{
    const int n = count.toInt();
    return n == 1 ? CliText::tr("1 snapshot") : CliText::tr("%1 snapshots").arg(n);
}

/// Asks whether to delete. nullopt: yes; else the code to end with.
std::optional<int> confirmPurge(CommandContext &context)
{
    const Terminal &terminal = context.terminal();
    if (!terminal.inIsTerminal) {
        return context.usageError(CliText::tr(
            "purge asks before it deletes, and nobody can answer here. Add --yes if you mean it."));
    }
    const auto session = context.ask(ApiMethod::Get, sessionParams(context.options()), Patience::Document);
    if (!session) {
        return context.exitCode();
    }
    const QJsonArray manifests = session->value(u"manifests").toArray();
    qint64 bytes = 0;
    for (const QJsonValue &manifest : manifests) {
        bytes += manifest[u"bytes"].toInteger();
    }
    terminal.err
        << printable(CliText::tr("Delete %1 (%2) of %3 %4?")
                         .arg(snapshotsText(manifests.size()), bytesText(bytes),
                             session->value(u"session").toString(), session->value(u"label").toString()))
        << '\n'
        << CliText::tr(
               "Only speed is lost: the conversation stays, its next request processes the prompt anew.")
        << '\n'
        << CliText::tr("Type y to delete: ");
    terminal.err.flush();
    const QString reply = terminal.in.readLine().trimmed().toLower();
    if (reply == u"y" || reply == u"yes" || reply == CliText::tr("y") || reply == CliText::tr("yes")) {
        return std::nullopt;
    }
    terminal.error(CliText::tr("Nothing was deleted."));
    return exitcode::refused;
}

int pinned(CommandContext &context, bool pin)
{
    QJsonObject params = sessionParams(context.options());
    params.insert(u"pinned", pin);
    return context.show(ApiMethod::Pin, params, Patience::Document, [&](const QJsonObject &result) {
        const QString count = snapshotsText(result.value(u"count"));
        context.terminal().line(
            pin ? CliText::tr("Pinned %1.").arg(count) : CliText::tr("Unpinned %1.").arg(count));
    });
}

/// Which rule of `retention` lets a snapshot go.
QString removalText(const QString &reason)
{
    if (reason == QStringLiteral("age")) {
        return CliText::tr("age: not used for maxAgeDays");
    }
    if (reason == QStringLiteral("count")) {
        return CliText::tr("count: more sessions than maxSessions");
    }
    if (reason == QStringLiteral("size")) {
        return CliText::tr("size: more than maxTotalBytes");
    }
    if (reason == QStringLiteral("unused")) {
        return CliText::tr("unused: a shared beginning that no session starts from any more");
    }
    if (reason == QStringLiteral("free-space")) {
        return CliText::tr("free-space: less free than minFreeBytes");
    }
    return reason;
}

} // namespace

int runSave(CommandContext &context)
{
    return context.show(ApiMethod::Save, sessionParams(context.options()), Patience::Operation,
        [&](const QJsonObject &result) {
            const QString skipped = result.value(u"skipped").toString();
            if (!skipped.isEmpty()) {
                context.terminal().line(CliText::tr("Nothing was written: %1.").arg(printable(skipped)));
                return;
            }
            context.terminal().line(
                CliText::tr("Saved %1 tokens, %2, in %3.")
                    .arg(countText(result.value(u"tokens")), bytesText(result.value(u"bytes")),
                        durationText(result.value(u"ms"))));
        });
}

int runRestore(CommandContext &context)
{
    return context.show(ApiMethod::Restore, sessionParams(context.options()), Patience::Operation,
        [&](const QJsonObject &result) {
            context.terminal().line(
                CliText::tr("Restored %1 tokens, %2, into slot %3 in %4.")
                    .arg(countText(result.value(u"tokens")), bytesText(result.value(u"bytes")),
                        countText(result.value(u"slot")), durationText(result.value(u"ms"))));
        });
}

int runInvalidate(CommandContext &context)
{
    QJsonObject params = sessionParams(context.options());
    if (!context.options().reason.isEmpty()) {
        params.insert(u"reason", context.options().reason);
    }
    return context.show(ApiMethod::Invalidate, params, Patience::Document, [&](const QJsonObject &result) {
        context.terminal().line(
            CliText::tr("%1 will not be used any more.").arg(snapshotsText(result.value(u"count"))));
    });
}

int runPurge(CommandContext &context)
{
    if (!context.options().yes) {
        if (const auto end = confirmPurge(context)) {
            return *end;
        }
    }
    return context.show(ApiMethod::Purge, sessionParams(context.options()), Patience::Operation,
        [&](const QJsonObject &result) {
            context.terminal().line(CliText::tr("Deleted %1.").arg(snapshotsText(result.value(u"count"))));
            if (result.value(u"fileRemains").toBool()) {
                context.terminal().line(CliText::tr(
                    "The server keeps the files; their content is overwritten when a slot is idle."));
            }
        });
}

int runPin(CommandContext &context) { return pinned(context, true); }

int runUnpin(CommandContext &context) { return pinned(context, false); }

int runFlush(CommandContext &context)
{
    return context.show(ApiMethod::Flush, {}, Patience::Operation, [&](const QJsonObject &result) {
        const int count = result.value(u"count").toInt();
        context.terminal().line(
            count == 0 ? CliText::tr("Nothing was unsaved.") : CliText::tr("Slots saved: %1.").arg(count));
    });
}

int runGc(CommandContext &context)
{
    QJsonObject params;
    if (context.options().dryRun) {
        params.insert(u"dryRun", true);
    }
    return context.show(ApiMethod::Gc, params, Patience::Operation, [&](const QJsonObject &result) {
        const bool dryRun = result.value(u"dryRun").toBool();
        Table table({ { CliText::tr("SESSION") }, { CliText::tr("LABEL"), Table::Align::Left, 32 },
            { CliText::tr("SERVER") }, { CliText::tr("SIZE"), Table::Align::Right },
            { CliText::tr("WHY") } });
        const QJsonArray rows = result.value(u"rows").toArray();
        for (const QJsonValue &row : rows) {
            table.add({ row[u"session"].toString(), row[u"label"].toString(), row[u"server"].toString(),
                bytesText(row[u"bytes"]), removalText(row[u"reason"].toString()) });
        }
        if (!table.isEmpty()) {
            table.print(context.terminal());
        }
        if (result.value(u"removed").toInt() == 0) {
            context.terminal().line(CliText::tr("Nothing is to be removed."));
            return;
        }
        const QString what = CliText::tr("%1, %2").arg(
            snapshotsText(result.value(u"removed")), bytesText(result.value(u"bytes")));
        context.terminal().line(
            dryRun ? CliText::tr("Would remove %1.").arg(what) : CliText::tr("Removed %1.").arg(what));
    });
}

} // namespace kv
