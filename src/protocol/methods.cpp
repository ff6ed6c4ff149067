// SPDX-License-Identifier: MIT
#include "methods.h"

#include <array>

namespace kv {

namespace {

struct Row {
    ApiMethod method;
    bool mayNotify;
    const char16_t *name;
    const char16_t *params; ///< separated by spaces; "!" marks the required ones
    const char16_t *results;
};

constexpr const char16_t *c_sessionParams = u"session! provider model server";

constexpr std::array<Row, 25> c_rows { {
    { ApiMethod::Hello, false, u"hello", u"client version protocol pins",
        u"name version protocol features providers" },
    { ApiMethod::RequestBegin, false, u"request.begin",
        u"call session provider! model! purpose origin parent base fork forkSeq seq label running lora "
        u"timeoutMs",
        u"managed outcome lease server slot transport tokens bytes waitMs saveMs restoreMs reason" },
    { ApiMethod::RequestEnd, true, u"request.end", u"lease call outcome! more usage timings",
        u"dirty revision reuse" },
    { ApiMethod::SessionEvent, true, u"session.event", u"session! type! provider model seq label", u"" },
    { ApiMethod::Status, false, u"kv.status", u"",
        u"enabled version pid startedAt configPath metadataPath paused pausedUntil servers snapshots stats "
        u"advice" },
    { ApiMethod::List, false, u"kv.list", u"filter sort desc offset limit", u"rows total" },
    { ApiMethod::Get, false, u"kv.get", c_sessionParams, u"session hash label state server slot manifests" },
    { ApiMethod::Save, false, u"kv.save", c_sessionParams, u"revision tokens bytes ms skipped" },
    { ApiMethod::Restore, false, u"kv.restore", c_sessionParams, u"slot tokens bytes ms" },
    { ApiMethod::Invalidate, false, u"kv.invalidate", u"session! provider model server reason", u"count" },
    { ApiMethod::Purge, false, u"kv.purge", c_sessionParams, u"count fileRemains" },
    { ApiMethod::Pin, false, u"kv.pin", u"session! provider model server pinned", u"count" },
    { ApiMethod::Erase, false, u"kv.erase", u"server! slot! model", u"slot ms" },
    { ApiMethod::Flush, false, u"kv.flush", u"", u"count" },
    { ApiMethod::Gc, false, u"kv.gc", u"dryRun", u"dryRun removed bytes rows" },
    { ApiMethod::Pause, false, u"kv.pause", u"server forMs", u"servers until" },
    { ApiMethod::Resume, false, u"kv.resume", u"server", u"servers" },
    { ApiMethod::Reload, false, u"kv.reload", u"", u"path changed restartNeeded" },
    { ApiMethod::Metrics, false, u"kv.metrics", u"", u"text" },
    { ApiMethod::Doctor, false, u"kv.doctor", u"server baseURL apiKey verify restart", u"result checks" },
    { ApiMethod::Config, false, u"kv.config", u"action! yaml ifHash",
        u"path exists yaml hash valid errors changed restartNeeded" },
    { ApiMethod::History, false, u"kv.history", u"session server from! to! bucketMs",
        u"session label server from to bucketMs buckets slots" },
    { ApiMethod::Discover, false, u"kv.discover", u"", u"servers" },
    { ApiMethod::Cancel, true, u"kv.cancel", u"id!", u"cancelled" },
    { ApiMethod::Subscribe, false, u"kv.subscribe", u"topics", u"topics" },
} };

QList<MethodInfo> build()
{
    QList<MethodInfo> methods;
    for (const Row &row : c_rows) {
        MethodInfo info { row.method, QStringView(row.name).toString(), row.mayNotify, {}, {} };
        const QStringList params = QStringView(row.params).toString().split(u' ', Qt::SkipEmptyParts);
        for (const QString &param : params) {
            const bool required = param.endsWith(u'!');
            info.params.append({ required ? param.chopped(1) : param, required });
        }
        info.results = QStringView(row.results).toString().split(u' ', Qt::SkipEmptyParts);
        methods.append(info);
    }
    return methods;
}

} // namespace

const QList<MethodInfo> &allMethods()
{
    static const QList<MethodInfo> methods = build();
    return methods;
}

const MethodInfo &methodInfo(ApiMethod method) { return allMethods().at(static_cast<qsizetype>(method)); }

std::optional<ApiMethod> methodFromName(QStringView name)
{
    for (const Row &row : c_rows) {
        if (name == QStringView(row.name)) {
            return row.method;
        }
    }
    return std::nullopt;
}

QString methodName(ApiMethod method) { return methodInfo(method).name; }

} // namespace kv
