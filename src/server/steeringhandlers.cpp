// SPDX-License-Identifier: MIT
#include "handlerfamilies.h"
#include "params.h"
#include "service.h"

namespace kv::handler {

RequestId gc(
    const HandlerContext &context, Caller & /*caller*/, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<GcParams> gc = decodeGc(params);
    if (!gc) {
        return fail(reply, gc.error());
    }
    reply(toHandlerResult(context.service.gc(gc.value().dryRun)));
    return 0;
}

RequestId pause(
    const HandlerContext &context, Caller & /*caller*/, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<PauseParams> pause = decodePause(params);
    if (!pause) {
        return fail(reply, pause.error());
    }
    reply(toHandlerResult(context.service.pause(pause.value().server, pause.value().forMs)));
    return 0;
}

RequestId resume(
    const HandlerContext &context, Caller & /*caller*/, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<PauseParams> resume = decodePause(params);
    if (!resume) {
        return fail(reply, resume.error());
    }
    reply(toHandlerResult(context.service.resume(resume.value().server)));
    return 0;
}

RequestId reload(const HandlerContext &context, Caller & /*caller*/, const QJsonObject & /*params*/,
    const HandlerReply &reply)
{
    reply(toHandlerResult(context.service.reload()));
    return 0;
}

RequestId config(
    const HandlerContext &context, Caller & /*caller*/, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<ConfigParams> config = decodeConfig(params);
    if (!config) {
        return fail(reply, config.error());
    }
    const ConfigParams &what = config.value();
    reply(toHandlerResult(context.service.config(what.action, what.yaml, what.ifHash)));
    return 0;
}

} // namespace kv::handler
