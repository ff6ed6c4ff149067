// SPDX-License-Identifier: MIT
#include "eventhub.h"
#include "handlerfamilies.h"
#include "params.h"
#include "service.h"

#include <QPointer>

namespace kv::handler {

RequestId status(const HandlerContext &context, Caller & /*caller*/, const QJsonObject & /*params*/,
    const HandlerReply &reply)
{
    reply(context.service.status());
    return 0;
}

RequestId list(
    const HandlerContext &context, Caller & /*caller*/, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<ListParams> list = decodeList(params);
    if (!list) {
        return fail(reply, list.error());
    }
    const ListParams &what = list.value();
    reply(toHandlerResult(
        context.service.list({ what.filter, what.sort, what.desc, what.offset, what.limit, what.kind })));
    return 0;
}

RequestId get(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<SessionParams> get = decodeSession(params);
    if (!get) {
        return fail(reply, get.error());
    }
    const SessionParams &what = get.value();
    reply(toHandlerResult(
        context.service.get({ caller.connection(), what.session, what.provider, what.model, what.server })));
    return 0;
}

RequestId history(
    const HandlerContext &context, Caller & /*caller*/, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<HistoryParams> history = decodeHistory(params);
    if (!history) {
        return fail(reply, history.error());
    }
    const HistoryParams &what = history.value();
    reply(toHandlerResult(
        context.service.history({ what.session, what.server, what.fromMs, what.toMs, what.bucketMs })));
    return 0;
}

RequestId metrics(const HandlerContext &context, Caller & /*caller*/, const QJsonObject & /*params*/,
    const HandlerReply &reply)
{
    reply(QJsonObject { { QStringLiteral("text"), context.service.metricsText() } });
    return 0;
}

RequestId doctor(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<DoctorParams> doctor = decodeDoctor(params);
    if (!doctor) {
        return fail(reply, doctor.error());
    }
    const auto check = [notify = caller.notifier(), hub = QPointer<EventHub>(&context.hub)](
                           const QJsonObject &done) {
        notify(c_doctorNotification, done);
        if (hub) {
            hub->publish(
                { { QStringLiteral("name"), c_doctorTopic.toString() }, { QStringLiteral("check"), done } });
        }
    };
    return context.service.doctor(caller.connection(), params, check,
        [reply](const Result<QJsonObject> &document) { reply(toHandlerResult(document)); });
}

RequestId discover(const HandlerContext &context, Caller & /*caller*/, const QJsonObject & /*params*/,
    const HandlerReply &reply)
{
    context.service.discover(
        [reply](const Result<QJsonObject> &document) { reply(toHandlerResult(document)); });
    return 0;
}

} // namespace kv::handler
