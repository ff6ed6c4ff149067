// SPDX-License-Identifier: MIT
#include "httphead.h"

#include <QList>

#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr std::array<QByteArrayView, 8> c_hopByHop { "connection", "keep-alive", "proxy-connection",
    "proxy-authenticate", "te", "trailer", "transfer-encoding", "upgrade" };

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void appendHeaders(QByteArray &out, const HttpHeaders &headers)
{
    for (const auto &[name, value] : headers) {
        out += name + ": " + value + "\r\n";
    }
    out += "\r\n";
}

QByteArray versionText(int version) { return version == 10 ? "HTTP/1.0" : "HTTP/1.1"; }

} // namespace

bool sameName(QByteArrayView a, QByteArrayView b)
{
    return a.size() == b.size()
        && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<QByteArray> headerOf(const HttpHeaders &headers, QByteArrayView name)
{
    const auto found = std::find_if(
        headers.begin(), headers.end(), [&](const auto &header) { return sameName(header.first, name); });
    return found != headers.end() ? std::optional(found->second) : std::nullopt;
}

std::size_t countOf(const HttpHeaders &headers, QByteArrayView name)
{
    return static_cast<std::size_t>(std::count_if(
        headers.begin(), headers.end(), [&](const auto &header) { return sameName(header.first, name); }));
}

HttpHeaders withoutHopByHop(const HttpHeaders &headers)
{
    QList<QByteArray> listed;
    for (const auto &[name, value] : headers) {
        if (sameName(name, "connection")) {
            const QList<QByteArray> names = value.split(',');
            for (const QByteArray &one : names) {
                listed.append(one.trimmed());
            }
        }
    }
    HttpHeaders kept;
    for (const auto &header : headers) {
        const auto is = [&](QByteArrayView name) { return sameName(header.first, name); };
        // A message's end is not for a peer to take away.
        const bool named = std::any_of(listed.begin(), listed.end(), is) && !is("content-length");
        if (!named && std::none_of(c_hopByHop.begin(), c_hopByHop.end(), is)) {
            kept.push_back(header);
        }
    }
    return kept;
}

void removeHeader(HttpHeaders &headers, QByteArrayView name)
{
    std::erase_if(headers, [&](const auto &header) { return sameName(header.first, name); });
}

void setHeader(HttpHeaders &headers, const QByteArray &name, const QByteArray &value)
{
    removeHeader(headers, name);
    headers.emplace_back(name, value);
}

QByteArray encodeHead(const HttpRequestHead &head)
{
    QByteArray out = head.method + ' ' + head.target + ' ' + versionText(head.version) + "\r\n";
    appendHeaders(out, head.headers);
    return out;
}

QByteArray encodeHead(const HttpResponseHead &head)
{
    QByteArray out = versionText(head.version) + ' ' + QByteArray::number(head.status) + ' '
        + (head.reason.isEmpty() ? usualReason(head.status) : head.reason) + "\r\n";
    appendHeaders(out, head.headers);
    return out;
}

QByteArray usualReason(int status)
{
    const auto reason = boost::beast::http::obsolete_reason(
        boost::beast::http::int_to_status(static_cast<unsigned>(status)));
    return { reason.data(), static_cast<qsizetype>(reason.size()) };
}

} // namespace kv
