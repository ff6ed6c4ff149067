// SPDX-License-Identifier: MIT
#include "cliformat.h"
#include "clitext.h"
#include "commands.h"
#include "humantime.h"
#include "table.h"

#include <QJsonArray>

namespace kv {

namespace {

using Align = Table::Align;
constexpr qint64 c_defaultSpanMs = qint64 { 24 } * 3600 * 1000;

void printBuckets(const CommandContext &context, const QJsonArray &buckets)
{
    Table table({ { CliText::tr("FROM") }, { CliText::tr("REQUESTS"), Align::Right },
        { CliText::tr("RESTORES"), Align::Right }, { CliText::tr("SAVES"), Align::Right },
        { CliText::tr("COLD"), Align::Right }, { CliText::tr("FAILED"), Align::Right },
        { CliText::tr("PROMPT"), Align::Right }, { CliText::tr("REUSED"), Align::Right },
        { CliText::tr("GENERATED"), Align::Right }, { CliText::tr("TIME SAVED"), Align::Right } });
    for (const QJsonValue &bucket : buckets) {
        table.add({ localTimeText(bucket[u"at"]), countText(bucket[u"requests"]),
            countText(bucket[u"restores"]), countText(bucket[u"saves"]), countText(bucket[u"coldStarts"]),
            Table::Cell(
                countText(bucket[u"failures"]), bucket[u"failures"].toInt() > 0 ? Style::Bad : Style::Plain),
            countText(bucket[u"promptTokens"]), countText(bucket[u"cachedTokens"]),
            countText(bucket[u"completionTokens"]), durationText(bucket[u"timeSavedMs"]) });
    }
    table.print(context.terminal());
}

void printIntervals(const CommandContext &context, const QJsonArray &slotList)
{
    Table table({ { CliText::tr("SLOT"), Align::Right }, { CliText::tr("FROM") },
        { CliText::tr("FOR"), Align::Right }, { CliText::tr("WHAT") }, { CliText::tr("SESSION") },
        { CliText::tr("LABEL"), Align::Left, 32 }, { CliText::tr("TOKENS"), Align::Right },
        { CliText::tr("SIZE"), Align::Right }, { CliText::tr("ERROR") } });
    for (const QJsonValue &slot : slotList) {
        const QJsonArray intervals = slot[u"intervals"].toArray();
        for (const QJsonValue &interval : intervals) {
            const auto from = wallMsFromIso(interval[u"from"].toString());
            const auto to = wallMsFromIso(interval[u"to"].toString());
            const QString kind = interval[u"kind"].toString();
            table.add({ countText(slot[u"id"]), localTimeText(interval[u"from"]),
                from && to ? formatDuration(static_cast<double>(*to - *from)) : QString(),
                Table::Cell(kind, kind == u"failure" ? Style::Bad : Style::Plain),
                interval[u"session"].toString(), interval[u"label"].toString(),
                countText(interval[u"tokens"]), bytesText(interval[u"bytes"]),
                interval[u"code"].toString() });
        }
    }
    if (!table.isEmpty()) {
        context.terminal().line({});
        table.print(context.terminal());
    }
}

/// The span of time that the command line names; empty `sentence`: fine.
struct Span {
    qint64 from = 0;
    qint64 to = 0;
    QString sentence;
};

Span spanOf(const CommandContext &context)
{
    const CliOptions &options = context.options();
    Span span { 0, context.nowWallMs(), {} };
    if (!options.to.isEmpty()) {
        span.to = wallMsFromIso(options.to).value_or(0);
    }
    if (!options.from.isEmpty()) {
        span.from = wallMsFromIso(options.from).value_or(0);
    } else if (!options.since.isEmpty()) {
        span.from = span.to - parseDuration(options.since).value_or(0);
    } else {
        span.from = span.to - c_defaultSpanMs;
    }
    if (!options.from.isEmpty() && !options.since.isEmpty()) {
        span.sentence = CliText::tr("Give --from or --since, not both.");
    } else if (span.from == 0 || span.to == 0) {
        span.sentence = CliText::tr("--from and --to want times such as 2026-01-31T12:00:00Z.");
    } else if (span.from >= span.to) {
        span.sentence
            = CliText::tr("The span ends before it begins. --since wants a length such as 30min, 2h or 7d.");
    }
    return span;
}

} // namespace

int runHistory(CommandContext &context)
{
    const CliOptions &options = context.options();
    if (options.session.isEmpty() == options.server.isEmpty()) {
        return context.usageError(CliText::tr("Name a session, or a server with --server."));
    }
    const Span span = spanOf(context);
    if (!span.sentence.isEmpty()) {
        return context.usageError(span.sentence);
    }
    QJsonObject params { { QStringLiteral("from"), isoUtc(span.from) },
        { QStringLiteral("to"), isoUtc(span.to) } };
    if (!options.session.isEmpty()) {
        params.insert(u"session", options.session);
    } else {
        params.insert(u"server", options.server);
    }
    if (!options.bucket.isEmpty()) {
        const auto bucket = parseDuration(options.bucket);
        if (!bucket) {
            return context.usageError(CliText::tr("--bucket wants a length such as 1min or 1h."));
        }
        params.insert(u"bucketMs", *bucket);
    }
    return context.show(
        ApiMethod::History, params, CommandContext::Patience::Document, [&](const QJsonObject &history) {
            const QJsonArray buckets = history.value(u"buckets").toArray();
            if (buckets.isEmpty()) {
                context.terminal().line(CliText::tr("Nothing happened in this time."));
            } else {
                printBuckets(context, buckets);
            }
            printIntervals(context, history.value(u"slots").toArray());
        });
}

} // namespace kv
