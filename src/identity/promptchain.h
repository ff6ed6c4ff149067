// SPDX-License-Identifier: MIT
#pragma once

#include "inferencepath.h"
#include "jsonskim.h"

#include <QtGlobal>

#include <vector>

namespace kv {

/// 128 bits of xxHash. Not for secrets: it tells prompts apart on the machine of the one who wrote them.
struct Hash128 {
    quint64 low = 0;
    quint64 high = 0;
    bool operator==(const Hash128 &) const = default;
};

/// A prompt as hashes, never text: what stands before all messages, then one hash a message. Blanks between
/// JSON tokens do not count, nor does `cache_control`, a mark that clients move from message to message and
/// that no template renders.
struct PromptChain {
    /// What `parts` are: messages of a chat, or blocks of a plain prompt (256 bytes of text, 64 token ids; a
    /// last block that is not full is left out, as it grows).
    enum class Unit { Message, Block };

    Unit unit = Unit::Message;
    Hash128 model;
    Hash128 system; ///< of APIs that have it outside of the messages
    Hash128 tools;
    bool hasTools = false;
    std::vector<Hash128> parts;
    std::size_t opening = 0; ///< leading system and developer messages: many sessions share them

    [[nodiscard]] bool isEmpty() const { return parts.empty(); }
    [[nodiscard]] bool sameHead(const PromptChain &other) const
    {
        return unit == other.unit && model == other.model && system == other.system && tools == other.tools;
    }
    /// How many parts both begin with.
    [[nodiscard]] std::size_t shared(const PromptChain &other) const;
    /// A hash of head and first `count` parts, in hexadecimal.
    [[nodiscard]] QString digest(std::size_t count) const;
    /// A hash of what stands before the conversation itself: model, system prompt, tools. Empty: nothing that
    /// sessions are known to share.
    [[nodiscard]] QString base() const;
};

PromptChain readChain(ApiKind api, const JsonMembers &body);

} // namespace kv
