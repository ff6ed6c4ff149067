// SPDX-License-Identifier: MIT
#include "usagereader.h"

#include <array>

namespace kv {

namespace {

constexpr qsizetype c_maxDocument = 33'554'432;
constexpr qsizetype c_maxLine = 4'194'304;
/// An event without any of these says nothing of interest.
constexpr std::array<QByteArrayView, 4> c_signs { R"("timings")", R"("usage")", R"("finish_reason":")",
    R"("stop_reason":")" };

qint64 whole(const JsonMembers &members, QByteArrayView key)
{
    const auto number = numberOf(members, key);
    return number && *number >= 0 ? static_cast<qint64>(*number) : -1;
}

std::optional<JsonMembers> objectIn(const JsonMembers &members, QByteArrayView key)
{
    const JsonMember *member = memberOf(members, key);
    return member != nullptr ? skimObject(member->value) : std::nullopt;
}

} // namespace

void UsageReader::start(bool eventStream) { m_stream = eventStream; }

void UsageReader::feed(QByteArrayView body)
{
    if (!m_stream) {
        m_tooLong = m_tooLong || m_held.size() + body.size() > c_maxDocument;
        if (!m_tooLong) {
            m_held.append(body);
        }
        return;
    }
    // Progress comes before the prompt is processed: it is not what the client waits for.
    if (m_timings.firstChunkMs < 0 && body.indexOf(QByteArrayView("\"prompt_progress\"")) < 0) {
        m_timings.firstChunkMs = static_cast<double>(m_since.nsecsElapsed()) / 1e6;
    }
    while (!body.isEmpty()) {
        const qsizetype end = body.indexOf('\n');
        const QByteArrayView part = end < 0 ? body : body.first(end);
        m_tooLong = m_tooLong || m_held.size() + part.size() > c_maxLine;
        if (end >= 0 && m_held.isEmpty() && !m_tooLong) {
            readLine(part);
        } else if (!m_tooLong) {
            m_held.append(part);
        }
        if (end < 0) {
            return;
        }
        if (!m_held.isEmpty() && !m_tooLong) {
            readLine(m_held);
        }
        m_held.clear();
        m_tooLong = false;
        body = body.sliced(end + 1);
    }
}

void UsageReader::finish()
{
    if (!m_stream && !m_tooLong) {
        readDocument(m_held);
    }
    m_held.clear();
}

void UsageReader::readLine(QByteArrayView line)
{
    if (!line.startsWith("data:")) {
        return;
    }
    for (const QByteArrayView sign : c_signs) {
        if (line.indexOf(sign) >= 0) {
            readDocument(line.sliced(5));
            return;
        }
    }
}

void UsageReader::readDocument(QByteArrayView json)
{
    const auto document = skimObject(json);
    if (!document) {
        return;
    }
    if (const auto timings = objectIn(*document, "timings")) {
        readTimings(*timings);
    }
    if (const auto usage = objectIn(*document, "usage")) {
        readUsage(*usage);
    }
    // /v1/messages begins with {"message":{"usage":…}}, /v1/responses ends with {"response":{…}}.
    for (const QByteArrayView inner : { QByteArrayView("message"), QByteArrayView("response") }) {
        if (const auto part = objectIn(*document, inner)) {
            if (const auto usage = objectIn(*part, "usage")) {
                readUsage(*usage);
            }
            readReason(*part);
        }
    }
    readReason(*document);
}

void UsageReader::readTimings(const JsonMembers &timings)
{
    const qint64 cached = whole(timings, "cache_n");
    const qint64 processed = whole(timings, "prompt_n");
    m_timings.promptTokens = processed;
    m_timings.promptMs = numberOf(timings, "prompt_ms").value_or(-1);
    m_timings.predictedTokens = whole(timings, "predicted_n");
    m_timings.predictedMs = numberOf(timings, "predicted_ms").value_or(-1);
    if (cached >= 0 && processed >= 0) {
        m_usage = { cached + processed, m_timings.predictedTokens, cached };
        m_timed = true;
    }
}

void UsageReader::readUsage(const JsonMembers &usage)
{
    if (m_timed) {
        return;
    }
    const auto take = [](qint64 &to, qint64 value) { to = value >= 0 ? value : to; };
    if (memberOf(usage, "prompt_tokens") != nullptr) {
        take(m_usage.promptTokens, whole(usage, "prompt_tokens"));
        take(m_usage.completionTokens, whole(usage, "completion_tokens"));
        if (const auto details = objectIn(usage, "prompt_tokens_details")) {
            take(m_usage.cachedTokens, whole(*details, "cached_tokens"));
        }
        return;
    }
    take(m_usage.completionTokens, whole(usage, "output_tokens"));
    const qint64 input = whole(usage, "input_tokens");
    if (const auto details = objectIn(usage, "input_tokens_details")) {
        take(m_usage.promptTokens, input);
        take(m_usage.cachedTokens, whole(*details, "cached_tokens"));
    } else if (const qint64 read = whole(usage, "cache_read_input_tokens"); read >= 0 && input >= 0) {
        m_usage.promptTokens = input + read; // there input_tokens are the uncached ones
        m_usage.cachedTokens = read;
    }
}

void UsageReader::readReason(const JsonMembers &document)
{
    const auto reason = [this](const std::optional<QString> &text) {
        if (text && !text->isEmpty()) {
            m_more = *text == u"tool_calls" || *text == u"tool_use" || *text == u"function_call";
        }
    };
    reason(textOf(document, "stop_reason"));
    if (const auto delta = objectIn(document, "delta")) {
        reason(textOf(*delta, "stop_reason"));
    }
    if (const JsonMember *choices = memberOf(document, "choices")) {
        const auto list = skimArray(choices->value);
        const auto first = list && !list->empty() ? skimObject(list->front()) : std::nullopt;
        if (first) {
            reason(textOf(*first, "finish_reason"));
        }
    }
    if (const JsonMember *output = memberOf(document, "output")) {
        const auto items = skimArray(output->value);
        m_more = false;
        for (const QByteArrayView item : items.value_or(std::vector<QByteArrayView>())) {
            const auto members = skimObject(item);
            m_more = *m_more || (members && textOf(*members, "type") == QStringLiteral("function_call"));
        }
    }
}

} // namespace kv
