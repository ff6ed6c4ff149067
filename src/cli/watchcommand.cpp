// SPDX-License-Identifier: MIT
#include "cliformat.h"
#include "clitext.h"
#include "commands.h"
#include "exitcode.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace kv {

namespace {

Style eventStyle(const QString &name)
{
    if (name.endsWith(u"failed") || name.endsWith(u"unavailable") || name.endsWith(u"circuit_open")) {
        return Style::Bad;
    }
    if (name.endsWith(u"success") || name.endsWith(u"verified") || name.endsWith(u"recovered")) {
        return Style::Good;
    }
    return Style::Plain;
}

QString whereText(const QJsonObject &event)
{
    const QString server = event.value(u"server").toString();
    return event.contains(u"slot") ? QStringLiteral("%1/%2").arg(server, countText(event.value(u"slot")))
                                   : server;
}

QString detailText(const QJsonObject &event)
{
    QStringList parts;
    const auto add = [&parts](const QString &text) {
        if (!text.isEmpty()) {
            parts.append(text);
        }
    };
    if (event.contains(u"permille")) {
        constexpr int c_permilleInPercent = 10;
        add(CliText::tr("%1 %2 %")
                .arg(event.value(u"what").toString())
                .arg(event.value(u"permille").toInt() / c_permilleInPercent));
    }
    add(event.value(u"outcome").toString());
    if (event.contains(u"tokens")) {
        add(CliText::tr("%1 tokens").arg(countText(event.value(u"tokens"))));
    }
    add(bytesText(event.value(u"bytes")));
    add(durationText(event.value(u"ms")));
    add(event.value(u"code").toString());
    add(event.value(u"reason").toString());
    return parts.join(QStringLiteral(", "));
}

QString eventLine(const Terminal &terminal, const QJsonObject &event)
{
    const QString name = event.value(u"name").toString();
    QStringList parts { localTimeText(event.value(u"at")),
        terminal.styled(printable(name), eventStyle(name)) };
    for (const QString &part : { whereText(event), event.value(u"session").toString(),
             event.value(u"label").toString(), detailText(event) }) {
        if (!part.isEmpty()) {
            parts.append(printable(part));
        }
    }
    return parts.join(QStringLiteral("  "));
}

} // namespace

int runWatch(CommandContext &context)
{
    const Terminal &terminal = context.terminal();
    context.onNotification([&](const QString &method, const QJsonObject &event) {
        if (method != c_eventNotification) {
            return;
        }
        terminal.line(context.options().json
                ? QString::fromUtf8(QJsonDocument(event).toJson(QJsonDocument::Compact))
                : eventLine(terminal, event));
        if (terminal.out.status() != QTextStream::Ok) {
            context.stop(); // whoever read our output is gone
        }
    });
    QJsonObject params;
    if (!context.options().topics.isEmpty()) {
        params.insert(u"topics", QJsonArray::fromStringList(context.options().topics));
    }
    if (!context.ask(ApiMethod::Subscribe, params, CommandContext::Patience::Document)) {
        return context.exitCode();
    }
    return context.waitForEnd();
}

} // namespace kv
