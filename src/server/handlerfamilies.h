// SPDX-License-Identifier: MIT
#pragma once

#include "handlers.h"
#include "result.h"

/// One function a method, in families of a file each. All have the shape of Handlers::call().
namespace kv::handler {

// requesthandlers.cpp: the request path and the connection itself
RequestId hello(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId begin(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId end(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId sessionEvent(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId cancel(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId subscribe(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);

// manualhandlers.cpp: what people do by hand
RequestId save(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId restore(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId invalidate(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId purge(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId pin(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId erase(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId flush(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);

// documenthandlers.cpp: looking
RequestId status(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId list(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId get(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId history(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId metrics(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId doctor(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId discover(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);

// steeringhandlers.cpp: the daemon as a whole
RequestId gc(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId pause(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId resume(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId reload(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);
RequestId config(
    const HandlerContext &context, Caller &caller, const QJsonObject &params, const HandlerReply &reply);

/// With the number of JSON-RPC and the error's own further facts.
RpcError toRpcError(const Error &error);
/// A result as it goes out: the document, or the error with its JSON-RPC number.
HandlerResult toHandlerResult(const Result<QJsonObject> &result);
/// Answers with the error and returns 0, "cannot be cancelled".
RequestId fail(const HandlerReply &reply, const Error &error);

} // namespace kv::handler
