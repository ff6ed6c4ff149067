// SPDX-License-Identifier: MIT
#include "cliformat.h"
#include "clitext.h"
#include "commands.h"
#include "exitcode.h"
#include "table.h"

#include <QJsonArray>

namespace kv {

namespace {

using Align = Table::Align;
constexpr int c_labelWidth = 32;

Table::Cell stateCell(const QJsonValue &state) { return { state.toString(), styleOf(state.toString()) }; }

QString joined(const QStringList &parts, const QString &separator)
{
    QStringList present;
    for (const QString &part : parts) {
        if (!part.isEmpty()) {
            present.append(part);
        }
    }
    return present.join(separator);
}

QString labelled(const QString &name, const QString &value)
{
    return value.isEmpty() ? QString() : name + u' ' + value;
}

QString pauseText(const QJsonValue &object)
{
    if (!object[u"paused"].toBool()) {
        return {};
    }
    const QString until = localTimeText(object[u"pausedUntil"]);
    return until.isEmpty() ? CliText::tr("paused until resumed") : CliText::tr("paused until %1").arg(until);
}

QString freeText(const QJsonValue &bytes)
{
    const QString text = bytesText(bytes);
    return text.isEmpty() ? QString() : CliText::tr("%1 free").arg(text);
}

QString writtenText(const QJsonValue &server)
{
    const QString written = bytesText(server[u"bytesWrittenToday"]);
    const QString bound = bytesText(server[u"maxBytesPerDay"]);
    return written.isEmpty() || bound.isEmpty() || server[u"bytesWrittenToday"].toInteger() == 0
        ? QString()
        : CliText::tr("%1 of %2 written today").arg(written, bound);
}

Table slotTable(bool withServer)
{
    QList<Table::Column> columns;
    if (withServer) {
        columns.append({ CliText::tr("SERVER") });
    }
    columns.append({ { CliText::tr("SLOT"), Align::Right },
        { CliText::tr("MODEL"), Align::Left, c_labelWidth }, { CliText::tr("STATE") },
        { CliText::tr("SESSION") }, { CliText::tr("LABEL"), Align::Left, c_labelWidth },
        { CliText::tr("TOKENS"), Align::Right }, { CliText::tr("CONTEXT"), Align::Right },
        { CliText::tr("LAST USED") }, { CliText::tr("RUNNING") }, { CliText::tr("PROMPT") } });
    return Table(columns);
}

QList<Table::Cell> slotRow(const QJsonValue &slot, qint64 now)
{
    const QJsonValue running = slot[u"running"];
    QString what = running[u"kind"].toString();
    if (const QString since = ageText(running[u"since"], now); !what.isEmpty() && !since.isEmpty()) {
        what = CliText::tr("%1, began %2").arg(what, since);
    }
    return { countText(slot[u"id"]), slot[u"model"].toString(), stateCell(slot[u"state"]),
        slot[u"owner"].toString(), slot[u"label"].toString(), countText(slot[u"tokens"]),
        countText(slot[u"context"]), ageText(slot[u"lastUsedAt"], now), what, slot[u"prefix"].toString() };
}

void printAdvice(const Terminal &terminal, const QJsonValue &advice, const QString &indent)
{
    const QJsonArray sentences = advice.toArray();
    for (const QJsonValue &sentence : sentences) {
        terminal.line(indent + terminal.styled(CliText::tr("Advice:"), Style::Warning) + u' '
            + printable(sentence.toString()));
    }
}

void printServer(const CommandContext &context, const QJsonValue &server)
{
    const Terminal &terminal = context.terminal();
    const QJsonValue backend = server[u"backend"];
    const QString state = backend[u"state"].toString();
    terminal.line({});
    terminal.line(terminal.styled(printable(server[u"name"].toString()), Style::Heading)
        + QStringLiteral(": ") + terminal.styled(printable(state), styleOf(state))
        + printable(labelled(QStringLiteral(","), pauseText(server))));
    if (const QString message = backend[u"message"].toString(); !message.isEmpty()) {
        terminal.line(QStringLiteral("  ") + printable(message));
    }
    const QString comma = QStringLiteral(", ");
    terminal.line(printable(QStringLiteral("  ")
        + joined(
            { backend[u"kind"].toString(), backend[u"build"].toString(), backend[u"model"].toString(),
                backend[u"endpoint"].toString(), server[u"mode"].toString(), server[u"files"].toString() },
            comma)));
    const QJsonValue rates = server[u"rates"];
    const int waiting = server[u"waiting"].toInt();
    const QString facts
        = joined({ labelled(CliText::tr("prompt"), rateText(rates[u"prefillPerSecond"])),
                     labelled(CliText::tr("generation"), rateText(rates[u"generatePerSecond"])),
                     labelled(CliText::tr("save"), byteRateText(rates[u"savePerSecond"])),
                     labelled(CliText::tr("restore"), byteRateText(rates[u"restorePerSecond"])),
                     labelled(CliText::tr("reuse"), server[u"compatibility"].toString()), writtenText(server),
                     labelled(CliText::tr("disk"), freeText(server[u"freeBytes"])),
                     waiting > 0 ? CliText::tr("%1 requests wait").arg(waiting) : QString() },
            comma);
    if (!facts.isEmpty()) {
        terminal.line(QStringLiteral("  ") + printable(facts));
    }
    Table table = slotTable(false);
    const QJsonArray slotList = server[u"slots"].toArray();
    for (const QJsonValue &slot : slotList) {
        table.add(slotRow(slot, context.nowWallMs()));
    }
    if (!table.isEmpty()) {
        table.print(terminal, 2);
    }
    printAdvice(terminal, server[u"advice"], QStringLiteral("  "));
}

void printStatus(const CommandContext &context, const QJsonObject &status)
{
    const Terminal &terminal = context.terminal();
    const QString started = ageText(status.value(u"startedAt"), context.nowWallMs());
    const QString mode = status.value(u"enabled").toBool(true)
        ? pauseText(status)
        : CliText::tr("switched off in the configuration");
    terminal.line(
        printable(joined({ labelled(QStringLiteral("kv-persistd"), status.value(u"version").toString()),
                             labelled(CliText::tr("process"), countText(status.value(u"pid"))),
                             labelled(CliText::tr("started"), started), mode },
            QStringLiteral(", "))));
    const QJsonArray servers = status.value(u"servers").toArray();
    for (const QJsonValue &server : servers) {
        printServer(context, server);
    }
    if (servers.isEmpty()) {
        terminal.line(
            CliText::tr("No server is configured and none was found. Start llama-server, or see: kv-persist "
                        "config default"));
    }
    terminal.line({});
    const QJsonValue snapshots = status.value(u"snapshots");
    const auto counted = [&](const QString &name, QStringView key) {
        return snapshots[key].toInt() > 0 ? countText(snapshots[key]) + u' ' + name : QString();
    };
    terminal.line(CliText::tr("Snapshots: %1")
                      .arg(joined({ countText(snapshots[u"known"]), bytesText(snapshots[u"bytes"]),
                                      counted(CliText::tr("valid"), u"valid"),
                                      counted(CliText::tr("suspect"), u"suspect"),
                                      counted(CliText::tr("of another runtime"), u"hidden"),
                                      counted(CliText::tr("invalid"), u"invalid"),
                                      counted(CliText::tr("shared beginnings"), u"bases") },
                          QStringLiteral(", "))));
    const QJsonValue stats = status.value(u"stats");
    terminal.line(
        CliText::tr(
            "So far: %1 restores (%2 good), %3 saves (%4 failed), %5 cold starts, %6 saved, %7 written today")
            .arg(countText(stats[u"restores"]), countText(stats[u"restoreHits"]), countText(stats[u"saves"]),
                countText(stats[u"saveFailures"]), countText(stats[u"coldStarts"]),
                durationText(stats[u"timeSavedMs"]), bytesText(stats[u"bytesWrittenToday"])));
    printAdvice(terminal, status.value(u"advice"), {});
}

void printRows(const CommandContext &context, const QJsonArray &rows)
{
    Table table({ { CliText::tr("SESSION") }, { CliText::tr("LABEL"), Align::Left, c_labelWidth },
        { CliText::tr("STATE") }, { CliText::tr("TOKENS"), Align::Right },
        { CliText::tr("SIZE"), Align::Right }, { CliText::tr("SAVED") }, { CliText::tr("RESTORED") },
        { CliText::tr("REUSE") }, { CliText::tr("PINNED") }, { CliText::tr("SERVER") },
        { CliText::tr("MODEL"), Align::Left, c_labelWidth }, { CliText::tr("SLOT"), Align::Right },
        { CliText::tr("REASON") } });
    const qint64 now = context.nowWallMs();
    for (const QJsonValue &row : rows) {
        table.add({ row[u"session"].toString(), row[u"label"].toString(), stateCell(row[u"state"]),
            countText(row[u"tokens"]), bytesText(row[u"bytes"]), ageText(row[u"updatedAt"], now),
            ageText(row[u"lastRestoreAt"], now), stateCell(row[u"verdict"]), yesText(row[u"pinned"]),
            row[u"server"].toString(), row[u"model"].toString(), countText(row[u"slot"]),
            row[u"reason"].toString() });
    }
    if (!table.isEmpty()) {
        table.print(context.terminal());
    }
}

void printBases(const CommandContext &context, const QJsonArray &rows)
{
    Table table({ { CliText::tr("BASE") }, { CliText::tr("STATE") }, { CliText::tr("SHARED"), Align::Right },
        { CliText::tr("TOKENS"), Align::Right }, { CliText::tr("SIZE"), Align::Right },
        { CliText::tr("SAVED") }, { CliText::tr("RESTORED") }, { CliText::tr("REUSE") },
        { CliText::tr("FROM") }, { CliText::tr("PROVIDER") }, { CliText::tr("SERVER") },
        { CliText::tr("MODEL"), Align::Left, c_labelWidth } });
    const qint64 now = context.nowWallMs();
    for (const QJsonValue &row : rows) {
        table.add({ row[u"session"].toString(), stateCell(row[u"state"]), countText(row[u"prefixTokens"]),
            countText(row[u"tokens"]), bytesText(row[u"bytes"]), ageText(row[u"createdAt"], now),
            ageText(row[u"lastRestoreAt"], now), stateCell(row[u"verdict"]), row[u"source"].toString(),
            row[u"provider"].toString(), row[u"server"].toString(), row[u"model"].toString() });
    }
    if (!table.isEmpty()) {
        table.print(context.terminal());
    }
}

void printManifest(const CommandContext &context, const QJsonObject &manifest)
{
    const Terminal &terminal = context.terminal();
    terminal.line({});
    Table table({ { manifest.value(u"snapshotFilename").toString() }, { {} } });
    for (auto it = manifest.begin(); it != manifest.end(); ++it) {
        const QString key = it.key();
        if (it->isObject() || key == u"session" || key == u"hash" || key == u"snapshotFilename") {
            continue;
        }
        QString value = it->isDouble() ? countText(*it) : it->toString();
        if (it->isBool()) {
            value = it->toBool() ? CliText::tr("yes") : CliText::tr("no");
        } else if (key == u"bytes") {
            value = CliText::tr("%1 (%2)").arg(bytesText(*it), value);
        } else if (key.endsWith(u"At")) {
            value = CliText::tr("%1 (%2)").arg(localTimeText(*it), ageText(*it, context.nowWallMs()));
        }
        table.add({ key, Table::Cell(value, key == u"state" ? styleOf(value) : Style::Plain) });
    }
    const QJsonObject runtime = manifest.value(u"runtime").toObject();
    for (auto it = runtime.begin(); it != runtime.end(); ++it) {
        table.add({ QStringLiteral("runtime.") + it.key(), it->toString() });
    }
    table.print(terminal);
}

} // namespace

int runStatus(CommandContext &context)
{
    return context.show(ApiMethod::Status, {}, CommandContext::Patience::Document,
        [&](const QJsonObject &status) { printStatus(context, status); });
}

int runSlots(CommandContext &context)
{
    const auto status = context.ask(ApiMethod::Status, {}, CommandContext::Patience::Document);
    if (!status) {
        return context.exitCode();
    }
    const QJsonArray servers = status->value(u"servers").toArray();
    QJsonArray slotDocuments;
    Table table = slotTable(true);
    for (const QJsonValue &server : servers) {
        const QString name = server[u"name"].toString();
        const QJsonArray slotList = server[u"slots"].toArray();
        for (const QJsonValue &slot : slotList) {
            table.add(QList<Table::Cell> { name } + slotRow(slot, context.nowWallMs()));
            QJsonObject document = slot.toObject();
            document.insert(u"server", name);
            slotDocuments.append(document);
        }
    }
    if (context.options().json) {
        context.printJson({ { QStringLiteral("slots"), slotDocuments } });
    } else if (table.isEmpty()) {
        context.terminal().line(CliText::tr("No slots are known. \"kv-persist status\" says why."));
    } else {
        table.print(context.terminal());
    }
    return exitcode::ok;
}

int runList(CommandContext &context)
{
    const CliOptions &options = context.options();
    QJsonObject params;
    if (!options.filter.isEmpty()) {
        params.insert(u"filter", options.filter);
    }
    if (!options.sort.isEmpty()) {
        params.insert(u"sort", options.sort);
    }
    if (options.desc) {
        params.insert(u"desc", true);
    }
    if (options.offset >= 0) {
        params.insert(u"offset", options.offset);
    }
    if (options.limit >= 0) {
        params.insert(u"limit", options.limit);
    }
    params.insert(u"kind", options.bases ? QStringLiteral("base") : QStringLiteral("session"));
    return context.show(
        ApiMethod::List, params, CommandContext::Patience::Document, [&](const QJsonObject &list) {
            const QJsonArray rows = list.value(u"rows").toArray();
            const qint64 total = list.value(u"total").toInteger();
            if (options.bases) {
                printBases(context, rows);
            } else {
                printRows(context, rows);
            }
            if (total == 0 && options.bases && options.filter.isEmpty()) {
                context.terminal().line(CliText::tr(
                    "There is no shared beginning yet. The first session of a client that tells one "
                    "(\"base\" in the protocol) makes it."));
            } else if (total == 0) {
                context.terminal().line(options.filter.isEmpty()
                        ? CliText::tr(
                            "There are no snapshots yet. They come with the first session that is saved.")
                        : CliText::tr("No snapshot fits the filter."));
            } else if (rows.size() < total) {
                context.terminal().line(
                    CliText::tr("%1 of %2; see --limit and --offset").arg(rows.size()).arg(total));
            }
        });
}

int runShow(CommandContext &context)
{
    const auto print = [&](const QJsonObject &session) {
        const QString state = session.value(u"state").toString();
        const Terminal &terminal = context.terminal();
        terminal.line(terminal.styled(printable(session.value(u"session").toString()), Style::Heading) + u' '
            + printable(session.value(u"label").toString()));
        terminal.line(CliText::tr("State: %1").arg(terminal.styled(printable(state), styleOf(state))));
        terminal.line(CliText::tr("Hash:  %1").arg(printable(session.value(u"hash").toString())));
        if (session.contains(u"slot")) {
            terminal.line(
                CliText::tr("Slot:  %1 of %2")
                    .arg(countText(session.value(u"slot")), printable(session.value(u"server").toString())));
        }
        const QJsonArray manifests = session.value(u"manifests").toArray();
        for (const QJsonValue &manifest : manifests) {
            printManifest(context, manifest.toObject());
        }
        if (manifests.isEmpty()) {
            terminal.line(CliText::tr("It has no snapshot."));
        }
    };
    return context.show(
        ApiMethod::Get, sessionParams(context.options()), CommandContext::Patience::Document, print);
}

int runMetrics(CommandContext &context)
{
    return context.show(
        ApiMethod::Metrics, {}, CommandContext::Patience::Document, [&](const QJsonObject &metrics) {
            context.terminal().out << metrics.value(u"text").toString();
            context.terminal().out.flush();
        });
}

} // namespace kv
