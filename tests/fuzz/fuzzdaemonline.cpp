// SPDX-License-Identifier: MIT
// What a daemon, or something else that listens there, sends to a client.
#include "fuzztarget.h"
#include "jsonrpc.h"
#include "lineframer.h"

using namespace kv;

namespace {

using Message = std::variant<RpcAnswer, RpcNotification>;

void checkAnswer(const RpcAnswer &answer)
{
    require(!answer.id.isUndefined(), "an answer has an id");
    const QByteArray line
        = answer.ok ? encodeResult(answer.id, answer.result) : encodeError(answer.id, answer.error);
    require(line.endsWith('\n') && line.count('\n') == 1, "an answer is one line");
    const Result<Message> again = decodeFromDaemon(line.chopped(1));
    require(again.ok() && std::holds_alternative<RpcAnswer>(again.value()), "an answer stays one");
    const auto &same = std::get<RpcAnswer>(again.value());
    require(same.ok == answer.ok, "an answer stays good or bad");
    require(same.error.rpcCode == answer.error.rpcCode || answer.ok, "an error keeps its number");
    require(same.error.error.code == answer.error.error.code || answer.ok, "an error keeps its code");
}

void checkNotification(const RpcNotification &notification)
{
    const QByteArray line = encodeNotification(notification.method, notification.params);
    const Result<Message> again = decodeFromDaemon(line.chopped(1));
    require(again.ok() && std::holds_alternative<RpcNotification>(again.value()), "a notification stays one");
    require(!notification.method.isValidUtf16()
            || std::get<RpcNotification>(again.value()).method == notification.method,
        "a notification keeps its name");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    LineFramer framer(c_maxAnswerLine);
    framer.feed(fuzzBytes(data, size));
    while (const auto line = framer.next()) {
        const Result<Message> message = decodeFromDaemon(*line);
        if (!message) {
            require(message.error().code == ErrorCode::BadRequest && !message.error().message.isEmpty(),
                "what is no message is told so");
        } else if (const auto *answer = std::get_if<RpcAnswer>(&message.value())) {
            checkAnswer(*answer);
        } else {
            checkNotification(std::get<RpcNotification>(message.value()));
        }
    }
    return 0;
}
