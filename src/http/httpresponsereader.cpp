// SPDX-License-Identifier: MIT
#include "httpresponsereader.h"

#include "beastpiece.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace kv {

namespace http = boost::beast::http;

namespace {

constexpr std::uint32_t c_headLimit = 262'144;
constexpr qsizetype c_pendingLimit = 524'288; // of what the parser cannot take yet: a head, a chunk's line

} // namespace

struct HttpResponseReader::Parser {
    http::response_parser<http::buffer_body> beast;
    std::array<char, c_piece> piece {};
};

HttpResponseReader::HttpResponseReader(bool toHead, BodySink sink)
    : m_toHead(toHead)
    , m_sink(std::move(sink))
{
    restart();
}

HttpResponseReader::~HttpResponseReader() = default;

void HttpResponseReader::restart()
{
    m_parser = std::make_unique<Parser>();
    m_parser->beast.header_limit(c_headLimit);
    m_parser->beast.body_limit(std::numeric_limits<std::uint64_t>::max()); // Boost 1.74 takes none for 0
    m_parser->beast.skip(m_toHead);
    m_state = State::Head;
}

void HttpResponseReader::takeHead()
{
    const auto &message = m_parser->beast.get();
    m_head = {};
    m_head.status = static_cast<int>(message.result_int());
    m_head.reason = bytesOf(message.reason());
    m_head.version = static_cast<int>(message.version());
    for (const auto &field : message) {
        m_head.headers.emplace_back(bytesOf(field.name_string()), bytesOf(field.value()));
    }
    m_head.chunked = m_parser->beast.chunked();
    m_head.untilClose = !m_parser->beast.is_done() && m_parser->beast.need_eof();
    m_state = State::Body;
}

/// One step of the parser; false: it can do no more with these bytes.
bool HttpResponseReader::step(QByteArrayView bytes, qsizetype &at)
{
    auto &beast = m_parser->beast;
    auto &body = beast.get().body();
    body.data = m_parser->piece.data();
    body.size = m_parser->piece.size();
    body.more = true;
    boost::system::error_code error;
    const std::size_t taken = beast.put(
        boost::asio::const_buffer(bytes.data() + at, static_cast<std::size_t>(bytes.size() - at)), error);
    at += static_cast<qsizetype>(taken);
    if (const std::size_t got = m_parser->piece.size() - body.size; got > 0) {
        m_sink(QByteArrayView(m_parser->piece.data(), static_cast<qsizetype>(got)));
    }
    if (error && error != http::error::need_more && error != http::error::need_buffer) {
        m_state = State::Failed;
    }
    return !error || error == http::error::need_buffer;
}

HttpResponseReader::Fed HttpResponseReader::feed(QByteArrayView bytes)
{
    const qsizetype before = m_pending.size();
    m_pending.append(bytes);
    qsizetype at = 0;
    qsizetype bodyFrom = m_state == State::Body ? 0 : -1;
    while (m_state != State::Failed && m_state != State::Done && at < m_pending.size()) {
        const bool inHead = m_state == State::Head;
        if (!inHead && m_parser->beast.chunked() && m_pending.size() - at < c_leastChunkBytes) {
            break;
        }
        m_parser->beast.eager(!inHead);
        if (!step(m_pending, at)) {
            break;
        }
        if (inHead && m_parser->beast.is_header_done()) {
            const unsigned status = m_parser->beast.get().result_int();
            if (status / 100 == 1 && status != 101) {
                restart();
                continue;
            }
            takeHead();
            bodyFrom = at;
        }
        if (m_state == State::Body && m_parser->beast.is_done()) {
            m_state = State::Done;
        }
    }
    const qsizetype end = m_state == State::Done ? at : m_pending.size();
    m_pending.remove(0, at);
    if (m_pending.size() > c_pendingLimit && m_state != State::Done) {
        m_state = State::Failed;
    }
    if (bodyFrom < 0) {
        return {};
    }
    const qsizetype from
        = std::max<qsizetype>(bodyFrom - before, 0); // what was there before was passed on then
    return { from, std::max<qsizetype>(end - before - from, 0) };
}

HttpResponseReader::State HttpResponseReader::end()
{
    if (m_state == State::Body && m_head.untilClose) {
        boost::system::error_code error;
        m_parser->beast.put_eof(error);
        m_state = error ? State::Failed : State::Done;
    } else if (m_state != State::Done) {
        m_state = State::Failed;
    }
    return m_state;
}

} // namespace kv
