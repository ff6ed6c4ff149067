// SPDX-License-Identifier: MIT
#include "httprequestreader.h"

#include "beastpiece.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <algorithm>
#include <array>

namespace kv {

namespace http = boost::beast::http;

namespace {

constexpr qsizetype c_blankLines = 4; // before a request line (RFC 9112, 2.2), no more than a few

} // namespace

struct HttpRequestReader::Parser {
    http::request_parser<http::buffer_body> beast;
    std::array<char, c_piece> piece {};
};

HttpRequestReader::HttpRequestReader(const HttpRequestLimits &limits)
    : m_limits(limits)
{
}

HttpRequestReader::~HttpRequestReader() = default;

HttpRequestReader::State HttpRequestReader::feed(QByteArrayView bytes)
{
    if (m_state != State::Failed) {
        m_pending.append(bytes);
        run();
    }
    return m_state;
}

HttpRequestReader::State HttpRequestReader::next()
{
    if (m_state == State::Done) {
        m_state = State::Head;
        m_parser.reset();
        m_head = {};
        m_body.clear();
        m_guarded = 0;
        run();
    }
    return m_state;
}

bool HttpRequestReader::awaitsContinue() const
{
    return m_state == State::Body && m_body.isEmpty() && m_pending.isEmpty() && m_head.version >= 11
        && headerOf(m_head.headers, "expect").has_value();
}

void HttpRequestReader::fail(int status, const QString &sentence)
{
    m_state = State::Failed;
    m_refusal = { status, sentence };
    m_pending.clear();
    m_body.clear();
}

void HttpRequestReader::run()
{
    if (m_state == State::Head && !readHead()) {
        return;
    }
    if (m_state == State::Body) {
        readBody();
    }
}

/// True: the head is complete and good.
bool HttpRequestReader::readHead()
{
    qsizetype blank = 0;
    while (m_pending.startsWith("\r\n") && blank < c_blankLines) {
        m_pending.remove(0, 2);
        m_guarded = 0;
        ++blank;
    }
    for (; m_guarded < m_pending.size(); ++m_guarded) {
        const char c = m_pending[m_guarded];
        const char before = m_guarded > 0 ? m_pending[m_guarded - 1] : ' ';
        if (c == '\0' || (c == '\n') != (before == '\r')) {
            fail(400, QStringLiteral("A line of the request's head does not end with CR LF."));
            return false;
        }
        if ((c == ' ' || c == '\t') && before == '\n') {
            fail(400, QStringLiteral("A header is folded over several lines."));
            return false;
        }
        if (c == '\n' && m_guarded >= 3 && m_pending[m_guarded - 2] == '\n') {
            break;
        }
    }
    const bool whole = m_guarded < m_pending.size();
    if (m_guarded >= m_limits.headerBytes) {
        fail(431, QStringLiteral("The request's head is longer than %1 bytes.").arg(m_limits.headerBytes));
        return false;
    }
    if (!whole) {
        return false;
    }
    m_parser = std::make_unique<Parser>();
    m_parser->beast.header_limit(static_cast<std::uint32_t>(m_limits.headerBytes) + 1);
    m_parser->beast.body_limit(m_limits.bodyBytes);
    boost::system::error_code error;
    const std::size_t taken = m_parser->beast.put(
        boost::asio::const_buffer(m_pending.constData(), static_cast<std::size_t>(m_guarded) + 1), error);
    if (error == http::error::bad_version) {
        fail(505, QStringLiteral("Only HTTP/1.1 and HTTP/1.0 are spoken here."));
        return false;
    }
    if (error == http::error::body_limit) {
        fail(413, QStringLiteral("The request's body is longer than %1 bytes.").arg(m_limits.bodyBytes));
        return false;
    }
    if ((error && error != http::error::need_buffer) || !m_parser->beast.is_header_done()) {
        fail(400,
            QStringLiteral("The request's head is not HTTP/1.1: %1.")
                .arg(QString::fromStdString(error.message())));
        return false;
    }
    m_pending.remove(0, static_cast<qsizetype>(taken));
    checkHead();
    if (m_state == State::Failed) {
        return false;
    }
    m_state = m_parser->beast.is_done() ? State::Done : State::Body;
    return true;
}

void HttpRequestReader::checkHead()
{
    const auto &message = m_parser->beast.get();
    m_head.method = bytesOf(message.method_string());
    m_head.target = bytesOf(message.target());
    m_head.version = static_cast<int>(message.version());
    m_head.keepAlive = message.keep_alive();
    for (const auto &field : message) {
        m_head.headers.emplace_back(bytesOf(field.name_string()), bytesOf(field.value()));
    }
    const std::size_t hosts = countOf(m_head.headers, "host");
    if (hosts > 1 || (hosts == 0 && m_head.version >= 11)) {
        fail(400, QStringLiteral("A request names its host once."));
        return;
    }
    if (const auto expect = headerOf(m_head.headers, "expect");
        expect && !sameName(*expect, "100-continue")) {
        fail(417, QStringLiteral("Nothing but 100-continue can be expected here."));
        return;
    }
    checkFraming();
}

void HttpRequestReader::checkFraming()
{
    const std::size_t lengths = countOf(m_head.headers, "content-length");
    const std::size_t codings = countOf(m_head.headers, "transfer-encoding");
    if (lengths + codings > 1) {
        fail(400, QStringLiteral("The length of the request's body is told more than once."));
        return;
    }
    if (lengths == 1) {
        const QByteArray length = *headerOf(m_head.headers, "content-length");
        const bool digits = !length.isEmpty()
            && std::all_of(length.begin(), length.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!digits) {
            fail(400, QStringLiteral("Content-Length is no number."));
        }
    } else if (codings == 1
        && (m_head.version < 11 || !sameName(*headerOf(m_head.headers, "transfer-encoding"), "chunked"))) {
        fail(400, QStringLiteral("No transfer coding but chunked is taken, and that of HTTP/1.1 only."));
    }
}

void HttpRequestReader::readBody()
{
    auto &beast = m_parser->beast;
    qsizetype at = 0;
    const qsizetype least = beast.chunked() ? c_leastChunkBytes : 1;
    while (!beast.is_done() && m_pending.size() - at >= least) {
        auto &body = beast.get().body();
        body.data = m_parser->piece.data();
        body.size = m_parser->piece.size();
        body.more = true;
        boost::system::error_code error;
        const std::size_t taken = beast.put(boost::asio::const_buffer(m_pending.constData() + at,
                                                static_cast<std::size_t>(m_pending.size() - at)),
            error);
        m_body.append(m_parser->piece.data(), static_cast<qsizetype>(m_parser->piece.size() - body.size));
        at += static_cast<qsizetype>(taken);
        if (error == http::error::body_limit || static_cast<quint64>(m_body.size()) > m_limits.bodyBytes) {
            fail(413, QStringLiteral("The request's body is longer than %1 bytes.").arg(m_limits.bodyBytes));
            return;
        }
        if (error == http::error::need_more) {
            break;
        }
        if (error && error != http::error::need_buffer) {
            fail(400,
                QStringLiteral("The request's body is not framed as HTTP/1.1 says: %1.")
                    .arg(QString::fromStdString(error.message())));
            return;
        }
    }
    m_pending.remove(0, at);
    if (beast.is_done()) {
        m_state = State::Done;
    } else if (m_pending.size() > m_limits.headerBytes) {
        fail(400, QStringLiteral("A chunk's own line, or the trailers, are too long."));
    }
}

} // namespace kv
