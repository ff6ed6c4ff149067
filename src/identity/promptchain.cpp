// SPDX-License-Identifier: MIT
#include "promptchain.h"

#include <xxhash.h>

#include <algorithm>
#include <memory>

namespace kv {

namespace {

constexpr qsizetype c_textBlock = 256;
constexpr std::size_t c_tokenBlock = 64;
constexpr int c_maxDepth = 64; // of the places in which a cache_control is looked for

class Hasher final {
public:
    Hasher() { XXH3_128bits_reset(m_state.get()); }
    ~Hasher() = default;
    Q_DISABLE_COPY_MOVE(Hasher)

    void add(QByteArrayView bytes) { add(bytes.data(), static_cast<std::size_t>(bytes.size())); }
    void add(const Hash128 &hash) { add(&hash, sizeof hash); }
    [[nodiscard]] Hash128 done() const
    {
        const XXH128_hash_t hash = XXH3_128bits_digest(m_state.get());
        return { hash.low64, hash.high64 };
    }

private:
    struct Free {
        void operator()(XXH3_state_t *state) const { XXH3_freeState(state); }
    };
    void add(const void *bytes, std::size_t size) { XXH3_128bits_update(m_state.get(), bytes, size); }

    std::unique_ptr<XXH3_state_t, Free> m_state { XXH3_createState() };
};

/// All but the blanks between tokens.
void addTokens(Hasher &hasher, QByteArrayView value)
{
    qsizetype from = 0;
    bool inString = false;
    for (qsizetype at = 0; at < value.size(); ++at) {
        const char c = value[at];
        if (inString) {
            if (c == '\\') {
                ++at;
            } else if (c == '"') {
                inString = false;
            }
        } else if (c == '"') {
            inString = true;
        } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            hasher.add(value.sliced(from, at - from));
            from = at + 1;
        }
    }
    hasher.add(value.sliced(from));
}

void addCanonical(Hasher &hasher, QByteArrayView value, int depth = 0)
{
    if (depth >= c_maxDepth || value.indexOf(QByteArrayView("cache_control")) < 0) {
        addTokens(hasher, value);
        return;
    }
    if (const auto members = skimObject(value)) {
        hasher.add("{");
        bool first = true;
        for (const JsonMember &member : *members) {
            if (member.key != "cache_control") {
                hasher.add(first ? "\"" : ",\"");
                hasher.add(member.key);
                hasher.add("\":");
                addCanonical(hasher, member.value, depth + 1);
                first = false;
            }
        }
        hasher.add("}");
    } else if (const auto elements = skimArray(value)) {
        hasher.add("[");
        for (std::size_t i = 0; i < elements->size(); ++i) {
            hasher.add(i == 0 ? "" : ",");
            addCanonical(hasher, (*elements)[i], depth + 1);
        }
        hasher.add("]");
    } else {
        addTokens(hasher, value);
    }
}

Hash128 canonicalHash(QByteArrayView value)
{
    Hasher hasher;
    addCanonical(hasher, value);
    return hasher.done();
}

bool isSystem(QByteArrayView message)
{
    const auto members = skimObject(message);
    const QString role = members ? textOf(*members, "role").value_or(QString()) : QString();
    return role == u"system" || role == u"developer";
}

void readMessages(PromptChain &chain, QByteArrayView value)
{
    const auto messages = skimArray(value);
    if (!messages) {
        if (value.startsWith('"')) { // /v1/responses takes a bare text, too
            chain.parts.push_back(canonicalHash(value));
        }
        return;
    }
    for (const QByteArrayView message : *messages) {
        chain.parts.push_back(canonicalHash(message));
        if (chain.opening + 1 == chain.parts.size() && isSystem(message)) {
            ++chain.opening;
        }
    }
}

void readBlocks(PromptChain &chain, QByteArrayView value)
{
    chain.unit = PromptChain::Unit::Block;
    if (value.startsWith('"')) {
        const QByteArrayView inner = value.sliced(1, std::max<qsizetype>(value.size() - 2, 0));
        for (qsizetype at = 0; at + c_textBlock <= inner.size(); at += c_textBlock) {
            Hasher hasher;
            hasher.add(inner.sliced(at, c_textBlock));
            chain.parts.push_back(hasher.done());
        }
        return;
    }
    const auto elements = skimArray(value);
    if (!elements) {
        return;
    }
    for (std::size_t at = 0; at + c_tokenBlock <= elements->size(); at += c_tokenBlock) {
        Hasher hasher;
        for (std::size_t i = at; i < at + c_tokenBlock; ++i) {
            addTokens(hasher, (*elements)[i]);
            hasher.add(",");
        }
        chain.parts.push_back(hasher.done());
    }
}

} // namespace

std::size_t PromptChain::shared(const PromptChain &other) const
{
    const std::size_t most = std::min(parts.size(), other.parts.size());
    std::size_t count = 0;
    while (count < most && parts[count] == other.parts[count]) {
        ++count;
    }
    return count;
}

QString PromptChain::digest(std::size_t count) const
{
    Hasher hasher;
    hasher.add(model);
    hasher.add(system);
    hasher.add(tools);
    for (std::size_t i = 0; i < std::min(count, parts.size()); ++i) {
        hasher.add(parts[i]);
    }
    const Hash128 hash = hasher.done();
    return QStringLiteral("%1%2")
        .arg(hash.high, 16, 16, QLatin1Char('0'))
        .arg(hash.low, 16, 16, QLatin1Char('0'));
}

QString PromptChain::base() const
{
    const bool shares = opening > 0 || hasTools || system != Hash128 {};
    return unit == Unit::Message && shares ? digest(opening) : QString();
}

PromptChain readChain(ApiKind api, const JsonMembers &body)
{
    PromptChain chain;
    const auto hashOf = [&](QByteArrayView key) {
        const JsonMember *member = memberOf(body, key);
        return member != nullptr ? canonicalHash(member->value) : Hash128 {};
    };
    const auto value = [&](QByteArrayView key) {
        const JsonMember *member = memberOf(body, key);
        return member != nullptr ? member->value : QByteArrayView();
    };
    chain.model = hashOf("model");
    chain.tools = hashOf("tools");
    const auto tools = skimArray(value("tools"));
    chain.hasTools = tools && !tools->empty();
    switch (api) {
    case ApiKind::None:
        break;
    case ApiKind::Completion:
        readBlocks(chain, value("prompt"));
        break;
    case ApiKind::Messages:
        chain.system = hashOf("system");
        readMessages(chain, value("messages"));
        break;
    case ApiKind::Responses:
        chain.system = hashOf("instructions");
        readMessages(chain, value("input"));
        break;
    case ApiKind::ChatCompletions:
        readMessages(chain, value("messages"));
        break;
    }
    return chain;
}

} // namespace kv
