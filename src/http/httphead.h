// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <utility>
#include <vector>

namespace kv {

/// Name and value of each header, in the order and spelling of the message.
using HttpHeaders = std::vector<std::pair<QByteArray, QByteArray>>;

/// What is left of a chunked body that is not over is never shorter: "0", CRLF, CRLF. Given fewer bytes of a
/// first and last chunk, Beast's parser (1.74) stops at an assertion of its own that is too strict.
inline constexpr qsizetype c_leastChunkBytes = 5;

struct HttpRequestHead {
    QByteArray method;
    QByteArray target;
    int version = 11; ///< 10 or 11
    HttpHeaders headers;
    bool keepAlive = true; ///< the client would send another request after this one
};

struct HttpResponseHead {
    int status = 200;
    QByteArray reason; ///< empty: the usual one is written
    int version = 11;
    HttpHeaders headers;
    bool chunked = false; ///< the body is framed by Transfer-Encoding: chunked
    bool untilClose = false; ///< the body ends with the connection
};

/// The first value of a header, any case of letters; nullopt: it is not there.
std::optional<QByteArray> headerOf(const HttpHeaders &headers, QByteArrayView name);
std::size_t countOf(const HttpHeaders &headers, QByteArrayView name);
bool sameName(QByteArrayView a, QByteArrayView b);
/// What is meant for the next hop alone is left out (RFC 9110, 7.6.1): Connection, what it lists, and the
/// framing. `Content-Length` stays.
HttpHeaders withoutHopByHop(const HttpHeaders &headers);
void setHeader(HttpHeaders &headers, const QByteArray &name, const QByteArray &value);
void removeHeader(HttpHeaders &headers, QByteArrayView name);

/// Request line or status line, headers, blank line.
QByteArray encodeHead(const HttpRequestHead &head);
QByteArray encodeHead(const HttpResponseHead &head);
QByteArray usualReason(int status);

} // namespace kv
