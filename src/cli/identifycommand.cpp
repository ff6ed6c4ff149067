// SPDX-License-Identifier: MIT
#include "clitext.h"
#include "commands.h"
#include "exitcode.h"
#include "sessionbook.h"
#include "sessionhash.h"
#include "table.h"

#include <QJsonDocument>

namespace kv {

namespace {

struct Identified {
    ApiKind api = ApiKind::None;
    Sighting seen;
};

/// `{method?, path?, headers?, body}`, where body is the JSON itself or its text; or a body alone.
struct Document {
    TargetFacts target;
    HeaderList headers;
    QByteArray body;
};

/// What a bare body is, by the member that holds its prompt.
ApiKind apiOf(const JsonMembers &body)
{
    return memberOf(body, "messages") != nullptr ? ApiKind::ChatCompletions
        : memberOf(body, "input") != nullptr     ? ApiKind::Responses
                                                 : ApiKind::Completion;
}

HeaderList headersIn(QByteArrayView value)
{
    HeaderList headers;
    const auto members = skimObject(value);
    for (const JsonMember &member : members.value_or(JsonMembers())) {
        headers.emplace_back(member.key, jsonText(member.value).value_or(QString()).toUtf8());
    }
    return headers;
}

Document documentOf(QByteArrayView text, const JsonMembers &members)
{
    Document document;
    const JsonMember *body = memberOf(members, "body");
    if (body == nullptr) {
        document.body = text.toByteArray();
        document.target.api = apiOf(members);
        return document;
    }
    const auto asText = jsonText(body->value);
    document.body = asText ? asText->toUtf8() : body->value.toByteArray();
    if (const JsonMember *headers = memberOf(members, "headers")) {
        document.headers = headersIn(headers->value);
    }
    const auto path = textOf(members, "path");
    if (path) {
        document.target = readTarget(path->toUtf8());
    } else if (const auto inner = skimObject(document.body)) {
        document.target.api = apiOf(*inner);
    }
    return document;
}

std::optional<Identified> identify(QByteArrayView text, SessionBook &book)
{
    const auto members = skimObject(text);
    if (!members) {
        return std::nullopt;
    }
    const Document document = documentOf(text, *members);
    const JsonMembers body = skimObject(document.body).value_or(JsonMembers());
    Identified out;
    out.api = document.target.api;
    if (out.api != ApiKind::None) {
        const SessionClaim claim = claimOf(document.headers, body, document.target.session);
        out.seen = book.see(claim, readChain(out.api, body));
    }
    return out;
}

QString kindOf(const Identified &one)
{
    if (one.api == ApiKind::None) {
        return QStringLiteral("passed");
    }
    return one.seen.auxiliary || one.seen.session.isEmpty() ? QStringLiteral("auxiliary")
        : one.seen.compaction                               ? QStringLiteral("compaction")
                                                            : QStringLiteral("conversation");
}

QJsonObject toJson(const Identified &one)
{
    QJsonObject out { { QStringLiteral("api"), toString(one.api) }, { QStringLiteral("kind"), kindOf(one) },
        { QStringLiteral("why"), one.seen.why }, { QStringLiteral("known"), one.seen.known },
        { QStringLiteral("parts"), static_cast<qint64>(one.seen.parts) },
        { QStringLiteral("shared"), static_cast<qint64>(one.seen.shared) } };
    const auto put = [&out](const char *key, const QString &text) {
        if (!text.isEmpty()) {
            out.insert(QLatin1String(key), text);
        }
    };
    put("session", one.seen.session);
    put("hash", one.seen.session.isEmpty() ? QString() : shortSession(one.seen.session));
    put("fork", one.seen.fork);
    put("parent", one.seen.parent);
    put("prefix", one.seen.drift ? one.seen.drift->text() : QString());
    return out;
}

QString kindText(const Identified &one)
{
    const QString kind = kindOf(one);
    return kind == u"passed"    ? CliText::tr("no inference: passed on as it is")
        : kind == u"auxiliary"  ? CliText::tr("auxiliary: gets a slot, but its state is not kept")
        : kind == u"compaction" ? CliText::tr("compaction of the session")
                                : CliText::tr("the session's conversation");
}

void print(const Terminal &terminal, const Identified &one)
{
    Table table({ { {} }, { {} } });
    const auto row = [&table](const QString &name, const QString &value) {
        if (!value.isEmpty()) {
            table.add({ name, value });
        }
    };
    const QString &session = one.seen.session;
    row(CliText::tr("session"),
        session.isEmpty() ? CliText::tr("none")
                          : QStringLiteral("%1 (%2)").arg(session, shortSession(session)));
    row(CliText::tr("why"), one.seen.why);
    row(CliText::tr("request"), QStringLiteral("%1: %2").arg(toString(one.api), kindText(one)));
    row(CliText::tr("fork of"), one.seen.fork);
    row(CliText::tr("started by"), one.seen.parent);
    row(CliText::tr("prompt"),
        CliText::tr("%1 parts, the first %2 of them as in its last one")
            .arg(one.seen.parts)
            .arg(one.seen.shared));
    row(CliText::tr("drift"), one.seen.drift ? one.seen.drift->text() : QString());
    table.print(terminal);
}

/// The requests in the text: one, a list of them, or one a line.
std::vector<QByteArrayView> requestsIn(QByteArrayView text)
{
    if (skimObject(text)) {
        return { text };
    }
    if (auto list = skimArray(text)) {
        return *list;
    }
    std::vector<QByteArrayView> lines;
    while (!text.isEmpty()) {
        const qsizetype end = text.indexOf('\n');
        const QByteArrayView line = (end < 0 ? text : text.first(end)).trimmed();
        if (!line.isEmpty()) {
            lines.push_back(line);
        }
        text = end < 0 ? QByteArrayView() : text.sliced(end + 1);
    }
    return lines;
}

} // namespace

int runIdentify(CommandContext &context)
{
    const Terminal &terminal = context.terminal();
    const QByteArray text = terminal.in.readAll().toUtf8();
    const std::vector<QByteArrayView> requests = requestsIn(text);
    if (requests.empty()) {
        return context.usageError(CliText::tr("The standard input holds no request."));
    }
    SessionBook book;
    bool first = true;
    for (const QByteArrayView request : requests) {
        const auto one = identify(request, book);
        if (!one) {
            return context.usageError(
                CliText::tr("A request is a JSON object: method, path, headers and body, or a body alone."));
        }
        if (context.options().json) {
            terminal.out << QString::fromUtf8(QJsonDocument(toJson(*one)).toJson(QJsonDocument::Compact))
                         << '\n';
        } else {
            if (!first) {
                terminal.out << '\n';
            }
            print(terminal, *one);
        }
        first = false;
    }
    return exitcode::ok;
}

} // namespace kv
