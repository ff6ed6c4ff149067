// SPDX-License-Identifier: MIT
// What a client sends: line framer, JSON-RPC, the parameters of every method.
#include "fuzztarget.h"
#include "jsonrpc.h"
#include "lineframer.h"
#include "params.h"

#include <QJsonDocument>

#include <algorithm>
#include <vector>

using namespace kv;

namespace {

struct Framed {
    std::vector<QByteArray> lines;
    bool failed = false;
    bool operator==(const Framed &) const = default;
};

Framed frame(const QByteArray &bytes, qsizetype step, qsizetype maxLine)
{
    Framed out;
    LineFramer framer(maxLine);
    for (qsizetype at = 0; at < bytes.size(); at += step) {
        framer.feed(QByteArrayView(bytes).sliced(at, std::min(step, bytes.size() - at)));
        while (const auto line = framer.next()) {
            out.lines.push_back(*line);
        }
    }
    out.failed = framer.failed();
    require(framer.pending() <= maxLine + 1, "the framer holds no more than a line");
    return out;
}

/// The framer's contract, written the short way.
Framed frameSlowly(const QByteArray &bytes, qsizetype maxLine)
{
    Framed out;
    const QList<QByteArray> parts = bytes.split('\n');
    for (qsizetype i = 0; i < parts.size() && !out.failed; ++i) {
        QByteArray line = parts.at(i);
        if (line.endsWith('\r')) {
            line.chop(1);
        }
        out.failed = line.size() > maxLine;
        if (!out.failed && i + 1 < parts.size() && !line.trimmed().isEmpty()) {
            out.lines.push_back(line);
        }
    }
    return out;
}

void checkVerdict(const Result<Done> &verdict)
{
    require(
        verdict.ok() || (verdict.error().code == ErrorCode::BadRequest && !verdict.error().message.isEmpty()),
        "refused parameters are a bad request with a sentence");
}

void checkEveryMethod(const QJsonObject &params)
{
    for (const MethodInfo &info : allMethods()) {
        checkVerdict(checkParams(info.method, params));
    }
    if (const auto end = decodeEnd(params)) {
        require((end.value().lease == 0) != end.value().call.isEmpty(), "one of lease and call");
    }
    if (const auto list = decodeList(params)) {
        require(list.value().offset >= 0 && list.value().limit >= 1 && list.value().limit <= c_maxRows,
            "offset and limit are in their range");
    }
    if (const auto session = decodeSession(params)) {
        require(!session.value().session.isEmpty() && session.value().session.isValidUtf16(),
            "a session is named by text");
    }
    if (const auto history = decodeHistory(params)) {
        require(history.value().fromMs < history.value().toMs && history.value().bucketMs >= 0,
            "a history has a beginning before its end");
    }
}

void checkRequest(const RpcRequest &request)
{
    checkVerdict(checkParams(request.method, request.params));
    const QString name = methodName(request.method);
    const QByteArray line = request.notification ? encodeNotification(name, request.params)
                                                 : encodeRequest(request.id, name, request.params);
    require(line.endsWith('\n') && line.count('\n') == 1, "a message is one line");
    const auto again = decodeRequest(line.chopped(1));
    const auto *same = std::get_if<RpcRequest>(&again);
    require(same != nullptr && same->id == request.id && same->method == request.method
            && same->notification == request.notification,
        "a request that was taken is taken again, with the same id");
}

void checkFailure(const RpcFailure &failure)
{
    require(!failure.error.error.message.isEmpty(), "a refused line is told why");
    const QByteArray line = encodeError(failure.id, failure.error);
    require(line.endsWith('\n') && line.count('\n') == 1, "an error is one line");
    const auto answer = decodeFromDaemon(line.chopped(1));
    require(answer.ok() && std::holds_alternative<RpcAnswer>(answer.value()), "an error is an answer");
    require(std::get<RpcAnswer>(answer.value()).id == failure.id, "an error has the id of its request");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes = fuzzBytes(data, size);
    const qsizetype step = 1 + bytes.size() % 7;
    constexpr qsizetype c_short = 48;
    require(frame(bytes, step, c_short) == frameSlowly(bytes, c_short), "short lines, cut as they come");
    require(frame(bytes, bytes.size() + 1, c_short) == frameSlowly(bytes, c_short), "short lines at once");
    const Framed framed = frame(bytes, step, c_maxRequestLine);
    require(framed == frameSlowly(bytes, c_maxRequestLine), "lines, cut as they come");

    for (const QByteArray &line : framed.lines) {
        const auto decoded = decodeRequest(line);
        if (const auto *request = std::get_if<RpcRequest>(&decoded)) {
            checkRequest(*request);
        } else {
            checkFailure(std::get<RpcFailure>(decoded));
        }
        const QJsonDocument document = QJsonDocument::fromJson(line);
        if (document.isObject()) {
            checkEveryMethod(document.object());
        }
        const QString text = QString::fromUtf8(line);
        if (const auto lease = leaseFromText(text)) {
            require(leaseToText(*lease) == text, "a lease has one spelling");
        }
    }
    return 0;
}
