// SPDX-License-Identifier: MIT
// What a client sends to the proxy, as bytes on a connection.
#include "fuzztarget.h"
#include "httprequestreader.h"

#include <algorithm>
#include <vector>

using namespace kv;

namespace {

struct Message {
    HttpHeaders headers;
    QByteArray method;
    QByteArray target;
    QByteArray body;
    bool operator==(const Message &) const = default;
};
struct Stream {
    std::vector<Message> messages;
    int refused = 0; ///< the status; 0: not refused
    bool operator==(const Stream &) const = default;
};

HttpRequestLimits smallLimits()
{
    HttpRequestLimits limits;
    limits.headerBytes = 512;
    limits.bodyBytes = 2048;
    return limits;
}

Stream readStream(const QByteArray &bytes, qsizetype step)
{
    Stream out;
    HttpRequestReader reader(smallLimits());
    for (qsizetype at = 0; at < bytes.size(); at += step) {
        reader.feed(QByteArrayView(bytes).sliced(at, std::min(step, bytes.size() - at)));
        while (reader.state() == HttpRequestReader::State::Done) {
            out.messages.push_back(
                { reader.head().headers, reader.head().method, reader.head().target, reader.takeBody() });
            reader.next();
        }
    }
    if (reader.state() == HttpRequestReader::State::Failed) {
        out.refused = reader.refusal().status;
        require(out.refused >= 400 && !reader.refusal().sentence.isEmpty(),
            "a refusal has a status and a sentence");
    }
    return out;
}

/// What is taken is told in one way only, and as it would be passed on it is the same request.
void checkMessage(const Message &message)
{
    const std::size_t lengths = countOf(message.headers, "content-length");
    const std::size_t codings = countOf(message.headers, "transfer-encoding");
    require(lengths + codings <= 1, "the length is told once");
    require(codings == 0 || sameName(*headerOf(message.headers, "transfer-encoding"), "chunked"),
        "chunked or nothing");
    require(lengths + codings == 1 || message.body.isEmpty(), "no body without a length");
    require(message.body.size() <= 2048, "the body is within its limit");
    require(lengths == 0 || headerOf(message.headers, "content-length")->toLongLong() == message.body.size(),
        "the body is as long as it says");
    for (const auto &[name, value] : message.headers) {
        require(!name.isEmpty() && !name.contains(' ') && !value.contains('\n') && !value.contains('\r'),
            "a header is one line");
    }
    HttpRequestHead head;
    head.method = message.method;
    head.target = message.target;
    head.headers = withoutHopByHop(message.headers);
    removeHeader(head.headers, "expect");
    removeHeader(head.headers, "host");
    head.headers.emplace_back("Host", "h");
    setHeader(head.headers, "Content-Length", QByteArray::number(message.body.size()));
    HttpRequestReader again;
    require(again.feed(encodeHead(head) + message.body) == HttpRequestReader::State::Done,
        "what is passed on is a request");
    require(again.head().headers == head.headers && again.head().target == message.target
            && again.takeBody() == message.body,
        "and the same one");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes = fuzzBytes(data, size);
    const Stream whole = readStream(bytes, bytes.size() + 1);
    require(readStream(bytes, 1) == whole, "requests are the same however they are cut");
    require(readStream(bytes, 1 + bytes.size() % 7) == whole, "requests are the same however they are cut");
    for (const Message &message : whole.messages) {
        checkMessage(message);
    }
    return 0;
}
