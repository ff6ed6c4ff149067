// SPDX-License-Identifier: MIT
#include "jsonrpc.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonParseError>

#include <cmath>

namespace kv {

namespace {

constexpr double c_maxExactInteger = 9007199254740992.0; // 2^53

QByteArray toLine(const QJsonObject &object)
{
    QByteArray line = QJsonDocument(object).toJson(QJsonDocument::Compact);
    line.append('\n');
    return line;
}

QJsonObject envelope() { return { { QStringLiteral("jsonrpc"), QStringLiteral("2.0") } }; }

RpcFailure failure(int rpcCode, const QString &message, const QJsonValue &id = QJsonValue::Null)
{
    return RpcFailure { id, RpcError { rpcCode, Error { ErrorCode::BadRequest, message, {} }, {} }, true };
}

/// Ids must come back unchanged, so only those that JSON keeps exactly are taken.
bool usableId(const QJsonValue &id)
{
    if (id.isString()) {
        const QString text = id.toString();
        return text.isValidUtf16() && text.toUtf8().size() <= c_maxRpcId;
    }
    if (id.isDouble()) {
        return std::isfinite(id.toDouble()) && std::abs(id.toDouble()) <= c_maxExactInteger;
    }
    return id.isNull();
}

Result<QJsonDocument> parse(const QByteArray &line)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(line, &error);
    if (error.error != QJsonParseError::NoError) {
        return Error { ErrorCode::BadRequest,
            QStringLiteral(
                "This line is no valid JSON (%1 at byte %2). Send one JSON object a line, in UTF-8.")
                .arg(error.errorString(), QString::number(error.offset)),
            {} };
    }
    return document;
}

std::variant<RpcRequest, RpcFailure> decodeObject(const QJsonObject &object)
{
    const QJsonValue id = object.value(u"id");
    if (!id.isUndefined() && !usableId(id)) {
        return failure(c_rpcInvalidRequest,
            QStringLiteral("\"id\" must be a string of at most %1 bytes, a number within 2^53, or null.")
                .arg(c_maxRpcId));
    }
    const QJsonValue shownId = id.isUndefined() ? QJsonValue(QJsonValue::Null) : id;
    if (object.value(u"jsonrpc") != QJsonValue(QStringLiteral("2.0"))) {
        return failure(c_rpcInvalidRequest,
            QStringLiteral("\"jsonrpc\" must be \"2.0\": this is a JSON-RPC 2.0 socket."), shownId);
    }
    const QJsonValue name = object.value(u"method");
    if (!name.isString()) {
        return failure(c_rpcInvalidRequest, QStringLiteral("\"method\" must be a string."), shownId);
    }
    const auto method = methodFromName(name.toString());
    if (!method) {
        const QString shown = name.toString().left(64).simplified();
        RpcFailure unknown = failure(c_rpcUnknownMethod,
            QStringLiteral("There is no method \"%1\". PROTOCOL.md lists the methods of protocol %2.")
                .arg(shown, QString::number(c_protocolVersion)),
            shownId);
        unknown.answered = !id.isUndefined();
        return unknown;
    }
    const QJsonValue params = object.value(u"params");
    if (!params.isUndefined() && !params.isObject()) {
        RpcFailure wrong = failure(c_rpcInvalidParams,
            QStringLiteral("\"params\" must be an object: parameters are given by name."), shownId);
        wrong.answered = !id.isUndefined();
        return wrong;
    }
    return RpcRequest { shownId, id.isUndefined(), *method, params.toObject() };
}

RpcError decodeError(const QJsonObject &object)
{
    RpcError error;
    error.rpcCode = object.value(u"code").toInt(c_rpcInternalError);
    error.error.message = object.value(u"message").toString();
    error.extra = object.value(u"data").toObject();
    const QString name = error.extra.value(u"code").toString();
    error.error.code = errorCodeFromName(name).value_or(ErrorCode::Invariant);
    error.error.detail = name; // a code newer than this client keeps its name
    error.extra.remove(u"code");
    return error;
}

} // namespace

RpcError rpcError(const Error &error, const QJsonObject &extra)
{
    const int number = error.code == ErrorCode::BadRequest ? c_rpcInvalidParams : c_rpcKvError;
    return RpcError { number, error, extra };
}

std::variant<RpcRequest, RpcFailure> decodeRequest(const QByteArray &line)
{
    const Result<QJsonDocument> document = parse(line);
    if (!document) {
        return failure(c_rpcParseError, document.error().message);
    }
    if (!document.value().isObject()) {
        return failure(c_rpcInvalidRequest,
            QStringLiteral("Batches are not taken. Send each request as an object on a line of its own; "
                           "answers may come in another order."));
    }
    return decodeObject(document.value().object());
}

RpcFailure lineTooLong(qsizetype limit)
{
    return failure(c_rpcInvalidRequest,
        QStringLiteral(
            "A line was longer than %1 bytes. The connection closes, as the end of that line is unknown.")
            .arg(limit));
}

Result<std::variant<RpcAnswer, RpcNotification>> decodeFromDaemon(const QByteArray &line)
{
    using Message = std::variant<RpcAnswer, RpcNotification>;
    const Result<QJsonDocument> document = parse(line);
    if (!document) {
        return document.error();
    }
    const QJsonObject object = document.value().object();
    if (object.value(u"method").isString()) {
        return Message(
            RpcNotification { object.value(u"method").toString(), object.value(u"params").toObject() });
    }
    const bool hasResult = object.contains(u"result");
    const bool hasError = object.value(u"error").isObject();
    if (object.contains(u"id") && hasResult != hasError) {
        RpcAnswer answer;
        answer.id = object.value(u"id");
        answer.ok = hasResult;
        answer.result = object.value(u"result").toObject();
        if (hasError) {
            answer.error = decodeError(object.value(u"error").toObject());
        }
        return Message(answer);
    }
    return Error { ErrorCode::BadRequest,
        QStringLiteral("This line is neither an answer nor a notification."), {} };
}

QByteArray encodeRequest(const QJsonValue &id, const QString &method, const QJsonObject &params)
{
    QJsonObject object = envelope();
    object.insert(u"id", id);
    object.insert(u"method", method);
    if (!params.isEmpty()) {
        object.insert(u"params", params);
    }
    return toLine(object);
}

QByteArray encodeNotification(const QString &method, const QJsonObject &params)
{
    QJsonObject object = envelope();
    object.insert(u"method", method);
    object.insert(u"params", params);
    return toLine(object);
}

QByteArray encodeResult(const QJsonValue &id, const QJsonObject &result)
{
    QJsonObject object = envelope();
    object.insert(u"id", id);
    object.insert(u"result", result);
    return toLine(object);
}

QByteArray encodeError(const QJsonValue &id, const RpcError &error)
{
    QJsonObject data = error.extra;
    data.insert(u"code", errorCodeName(error.error.code));
    QJsonObject object = envelope();
    object.insert(u"id", id);
    object.insert(u"error",
        QJsonObject { { QStringLiteral("code"), error.rpcCode },
            { QStringLiteral("message"), error.error.message }, { QStringLiteral("data"), data } });
    return toLine(object);
}

} // namespace kv
