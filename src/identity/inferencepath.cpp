// SPDX-License-Identifier: MIT
#include "inferencepath.h"

#include <QList>

#include <array>

namespace kv {

namespace {

struct Route {
    QByteArrayView path;
    ApiKind api;
};
// llama-server serves each path with and without /v1.
constexpr std::array<Route, 9> c_routes { {
    { "/completion", ApiKind::Completion },
    { "/completions", ApiKind::Completion },
    { "/v1/completions", ApiKind::Completion },
    { "/chat/completions", ApiKind::ChatCompletions },
    { "/v1/chat/completions", ApiKind::ChatCompletions },
    { "/api/chat", ApiKind::ChatCompletions },
    { "/v1/responses", ApiKind::Responses },
    { "/responses", ApiKind::Responses },
    { "/v1/messages", ApiKind::Messages },
} };

/// What a server may take the path for: percent signs decoded, as often as one could; empty, "." and ".."
/// segments resolved.
QList<QByteArray> segmentsOf(QByteArray path)
{
    for (int rounds = 0; rounds < 3 && path.contains('%'); ++rounds) {
        path = QByteArray::fromPercentEncoding(path);
    }
    path.replace('\\', '/');
    QList<QByteArray> out;
    for (const QByteArray &segment : path.split('/')) {
        if (segment == "..") {
            if (!out.isEmpty()) {
                out.removeLast();
            }
        } else if (!segment.isEmpty() && segment != ".") {
            out.append(segment);
        }
    }
    return out;
}

/// nullptr-like empty view: not an absolute URL of ours.
QByteArrayView originForm(QByteArrayView target)
{
    if (target.startsWith('/') || target == QByteArrayView("*")) {
        return target;
    }
    for (const QByteArrayView scheme : { QByteArrayView("http://"), QByteArrayView("https://") }) {
        if (target.size() > scheme.size()
            && target.first(scheme.size()).toByteArray().toLower() == scheme.toByteArray()) {
            const qsizetype slash = target.sliced(scheme.size()).indexOf('/');
            return slash < 0 ? QByteArrayView("/") : target.sliced(scheme.size() + slash);
        }
    }
    return {};
}

} // namespace

TargetFacts readTarget(QByteArrayView target)
{
    TargetFacts facts;
    QByteArrayView origin = originForm(target);
    if (origin.isEmpty()) {
        facts.valid = false;
        return facts;
    }
    if (origin.startsWith("/s/")) {
        const QByteArrayView rest = origin.sliced(3);
        qsizetype end = rest.indexOf('/');
        end = end < 0 ? rest.size() : end;
        facts.session = QString::fromUtf8(QByteArray::fromPercentEncoding(rest.first(end).toByteArray()));
        origin = end < rest.size() ? rest.sliced(end) : QByteArrayView("/");
    }
    facts.target = origin.toByteArray();
    const qsizetype query = origin.indexOf('?');
    const QByteArray path = (query < 0 ? origin : origin.first(query)).toByteArray();
    const QList<QByteArray> segments = segmentsOf(path);
    facts.slotsApi = segments.value(0).toLower() == "slots";
    const QByteArray plain = '/' + segments.join('/');
    for (const Route &route : c_routes) {
        if (plain == route.path) {
            facts.api = route.api;
        }
    }
    return facts;
}

bool honoursSlot(ApiKind api) { return api != ApiKind::None && api != ApiKind::Messages; }

QString toString(ApiKind api)
{
    switch (api) {
    case ApiKind::None:
        return QStringLiteral("none");
    case ApiKind::Completion:
        return QStringLiteral("completion");
    case ApiKind::ChatCompletions:
        return QStringLiteral("chat completions");
    case ApiKind::Responses:
        return QStringLiteral("responses");
    case ApiKind::Messages:
        return QStringLiteral("messages");
    }
    return {};
}

} // namespace kv
