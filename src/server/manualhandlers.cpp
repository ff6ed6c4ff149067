// SPDX-License-Identifier: MIT
#include "handlerfamilies.h"
#include "params.h"
#include "results.h"
#include "service.h"

namespace kv::handler {

namespace {

SessionCall toCall(const SessionParams &params, const Caller &caller)
{
    return { caller.connection(), params.session, params.provider, params.model, params.server };
}

Service::Reply<ManualAnswer> manualReply(ApiMethod method, const HandlerReply &reply)
{
    return [method, reply](const Result<ManualAnswer> &answer) {
        if (!answer) {
            reply(toRpcError(answer.error()));
            return;
        }
        const ManualAnswer &done = answer.value();
        reply(encodeManual(method,
            { done.revision, done.slot, done.tokens, done.bytes, done.ms, done.count, done.fileRemains,
                done.skipped }));
    };
}

} // namespace

RequestId save(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<SessionParams> call = decodeSession(params);
    return call ? context.service.save(toCall(call.value(), caller), manualReply(ApiMethod::Save, reply))
                : fail(reply, call.error());
}

RequestId restore(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<SessionParams> call = decodeSession(params);
    return call
        ? context.service.restore(toCall(call.value(), caller), manualReply(ApiMethod::Restore, reply))
        : fail(reply, call.error());
}

RequestId invalidate(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<SessionParams> call = decodeSession(params);
    return call ? context.service.invalidate(
               toCall(call.value(), caller), call.value().reason, manualReply(ApiMethod::Invalidate, reply))
                : fail(reply, call.error());
}

RequestId purge(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<SessionParams> call = decodeSession(params);
    return call ? context.service.purge(toCall(call.value(), caller), manualReply(ApiMethod::Purge, reply))
                : fail(reply, call.error());
}

RequestId pin(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<SessionParams> call = decodeSession(params);
    return call ? context.service.pin(
               toCall(call.value(), caller), call.value().pinned, manualReply(ApiMethod::Pin, reply))
                : fail(reply, call.error());
}

RequestId erase(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<EraseParams> erase = decodeErase(params);
    if (!erase) {
        return fail(reply, erase.error());
    }
    const EraseParams &what = erase.value();
    return context.service.erase(
        caller.connection(), what.server, { what.model, what.slot }, manualReply(ApiMethod::Erase, reply));
}

RequestId flush(
    const HandlerContext &context, Caller &caller, const QJsonObject & /*params*/, const HandlerReply &reply)
{
    return context.service.flush(caller.connection(), manualReply(ApiMethod::Flush, reply));
}

} // namespace kv::handler
