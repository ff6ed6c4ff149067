// SPDX-License-Identifier: MIT
#pragma once

#include "methods.h"
#include "result.h"

#include <QByteArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <variant>

namespace kv {

// Numbers of JSON-RPC 2.0. All errors of our own are c_rpcKvError with their name in `data.code`.
inline constexpr int c_rpcParseError = -32700;
inline constexpr int c_rpcInvalidRequest = -32600;
inline constexpr int c_rpcUnknownMethod = -32601;
inline constexpr int c_rpcInvalidParams = -32602;
inline constexpr int c_rpcInternalError = -32603;
inline constexpr int c_rpcKvError = -32000;

/// Longest id of a request, in bytes of UTF-8: it is repeated in every answer.
inline constexpr qsizetype c_maxRpcId = 256;

/// An error as it goes over the wire. `error.detail` stays here, it is for the log.
struct RpcError {
    int rpcCode = c_rpcKvError;
    Error error;
    QJsonObject extra; ///< further members of `data`: strict, candidates, …
};

/// An error of our own: −32000 and its code, except bad parameters, which JSON-RPC has a number for.
RpcError rpcError(const Error &error, const QJsonObject &extra = {});

struct RpcRequest {
    QJsonValue id; ///< string, number or null
    bool notification = false; ///< it had no id and gets no answer
    ApiMethod method = ApiMethod::Hello;
    QJsonObject params;
};

/// A line that is no request that can be served. Answered with `error` under `id`, unless `answered` is
/// false.
struct RpcFailure {
    QJsonValue id = QJsonValue::Null;
    RpcError error;
    bool answered = true; ///< false: it was a notification
};

/// One line from a client.
std::variant<RpcRequest, RpcFailure> decodeRequest(const QByteArray &line);
/// The answer to a line that was longer than the framer's limit; the connection closes after it.
RpcFailure lineTooLong(qsizetype limit);

struct RpcAnswer {
    QJsonValue id;
    bool ok = false;
    QJsonObject result; ///< when ok
    RpcError error; ///< when not ok
};
struct RpcNotification {
    QString method;
    QJsonObject params;
};

/// One line from a daemon. Whatever is neither answer nor notification is an Error (BadRequest).
Result<std::variant<RpcAnswer, RpcNotification>> decodeFromDaemon(const QByteArray &line);

// Each gives one line with its line end.
QByteArray encodeRequest(const QJsonValue &id, const QString &method, const QJsonObject &params);
QByteArray encodeNotification(const QString &method, const QJsonObject &params);
QByteArray encodeResult(const QJsonValue &id, const QJsonObject &result);
QByteArray encodeError(const QJsonValue &id, const RpcError &error);

} // namespace kv
