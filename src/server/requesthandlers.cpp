// SPDX-License-Identifier: MIT
#include "eventhub.h"
#include "handlerfamilies.h"
#include "logging.h"
#include "params.h"
#include "results.h"
#include "service.h"

#include <QJsonArray>

namespace kv::handler {

namespace {

/// All events, when the client names no topics.
constexpr QStringView c_allEvents = u"kv.";

BeginRequest toRequest(const BeginParams &params, const Caller &caller)
{
    BeginRequest request;
    request.connection = caller.connection();
    request.pins = caller.pins();
    request.call = params.call;
    request.session = params.session;
    request.provider = params.provider;
    request.model = params.model;
    request.purpose = params.purpose;
    request.origin = params.origin;
    request.parent = params.parent;
    request.base = params.base;
    request.fork = params.fork;
    request.forkSeq = params.forkSeq;
    request.label = params.label;
    request.seq = params.seq;
    request.timeoutMs = params.timeoutMs;
    request.running = params.running;
    request.ownAdapters = params.lora;
    return request;
}

HandlerResult toBeginResult(const std::variant<BeginAnswer, BeginFailure> &outcome)
{
    if (const auto *failure = std::get_if<BeginFailure>(&outcome)) {
        RpcError error = toRpcError(failure->error);
        if (failure->strict) {
            error.extra.insert(u"strict", true);
        }
        return error;
    }
    const auto &answer = std::get<BeginAnswer>(outcome);
    const Grant &grant = answer.grant;
    BeginResult result;
    result.managed = answer.managed;
    result.outcome = toString(grant.outcome);
    result.lease = grant.lease;
    result.server = answer.server;
    result.slot = grant.slot.id;
    if (!answer.managed) {
        result.slot = -1;
    }
    if (grant.transport) {
        result.transport = TransportResult { grant.transport->idSlot, grant.transport->cachePrompt };
    }
    result.tokens = grant.tokens;
    result.bytes = grant.bytes;
    result.waitMs = grant.waitMs;
    result.saveMs = grant.saveMs;
    result.restoreMs = grant.restoreMs;
    result.reason = grant.reason;
    return encodeBegin(result);
}

EndRequest toRequest(const EndParams &params, EndOutcome outcome, const Caller &caller)
{
    EndRequest request;
    request.connection = caller.connection();
    request.lease = params.lease;
    request.call = params.call;
    request.outcome = outcome;
    request.more = params.more;
    request.usage = { params.usage.promptTokens, params.usage.completionTokens, params.usage.cachedTokens };
    request.timings = { params.timings.firstChunkMs, params.timings.promptMs, params.timings.promptTokens,
        params.timings.predictedMs, params.timings.predictedTokens };
    return request;
}

HandlerResult toEndResult(const Result<EndAnswer> &answer)
{
    if (!answer) {
        return toRpcError(answer.error());
    }
    const EndAnswer &end = answer.value();
    EndResult result;
    result.dirty = end.dirty;
    result.revision = end.revision;
    if (end.verdict) {
        result.reuse = ReuseResult { toString(*end.verdict), end.expected, end.actual, end.cause };
    }
    return encodeEnd(result);
}

/// The decoder lets only known names through, so this is a difference between two lists of this project.
Error unknownName(const QString &name)
{
    return { ErrorCode::Invariant, QStringLiteral("\"%1\" is not known here.").arg(name), {} };
}

} // namespace

RequestId hello(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<HelloParams> hello = decodeHello(params);
    if (!hello) {
        return fail(reply, hello.error());
    }
    caller.setPins(hello.value().pins);
    context.service.noteClient(
        caller.connection(), { hello.value().client, hello.value().version, hello.value().pins });
    qCDebug(lcServer) << "Client" << hello.value().client << hello.value().version;
    HelloResult result;
    result.name = QStringLiteral("kv-persistd");
    result.version = QStringLiteral(KV_PERSIST_VERSION);
    result.features = context.service.features();
    result.providers = context.service.providers();
    reply(encodeHello(result));
    return 0;
}

RequestId begin(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<BeginParams> begin = decodeBegin(params);
    if (!begin) {
        return fail(reply, begin.error());
    }
    return context.service.begin(toRequest(begin.value(), caller),
        [reply](const std::variant<BeginAnswer, BeginFailure> &outcome) { reply(toBeginResult(outcome)); });
}

RequestId end(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<EndParams> end = decodeEnd(params);
    if (!end) {
        return fail(reply, end.error());
    }
    const auto outcome = endOutcomeFromName(end.value().outcome);
    if (!outcome) {
        return fail(reply, unknownName(end.value().outcome));
    }
    context.service.end(toRequest(end.value(), *outcome, caller),
        [reply](const Result<EndAnswer> &answer) { reply(toEndResult(answer)); });
    return 0;
}

RequestId sessionEvent(
    const HandlerContext &context, Caller & /*caller*/, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<SessionEventParams> event = decodeSessionEvent(params);
    if (!event) {
        return fail(reply, event.error());
    }
    const auto type = hintTypeFromName(event.value().type);
    if (!type) {
        return fail(reply, unknownName(event.value().type));
    }
    const SessionEventParams &told = event.value();
    context.service.hint({ told.session, *type, told.provider, told.model, told.label, told.seq });
    reply(QJsonObject());
    return 0;
}

RequestId cancel(
    const HandlerContext & /*context*/, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<CancelParams> cancel = decodeCancel(params);
    if (!cancel) {
        return fail(reply, cancel.error());
    }
    const bool cancelled = caller.cancelCall(cancel.value().id);
    reply(QJsonObject { { QStringLiteral("cancelled"), cancelled } });
    return 0;
}

RequestId subscribe(
    const HandlerContext & /*context*/, Caller &caller, const QJsonObject &params, const HandlerReply &reply)
{
    const Result<SubscribeParams> subscribe = decodeSubscribe(params);
    if (!subscribe) {
        return fail(reply, subscribe.error());
    }
    const std::optional<QStringList> &topics = subscribe.value().topics;
    // Answered first: no event comes before the answer to the subscription it belongs to.
    reply(topics ? QJsonObject { { QStringLiteral("topics"), QJsonArray::fromStringList(*topics) } }
                 : QJsonObject());
    caller.subscribe(topics.value_or(QStringList { c_allEvents.toString() }));
    return 0;
}

} // namespace kv::handler
