// SPDX-License-Identifier: MIT
#pragma once

#include "promptchain.h"
#include "sessionclaim.h"

#include <QString>

#include <functional>
#include <map>
#include <optional>

namespace kv {

/// A session's prompt does not begin with its last one any more: all behind that place is processed anew.
struct PrefixDrift {
    enum class At { System, Tools, Part };
    int turn = 0; ///< of the session since the book knows it; the first is 1
    At at = At::Part;
    PromptChain::Unit unit = PromptChain::Unit::Message;
    std::size_t number = 0; ///< of the part, from 1
    std::size_t of = 0; ///< parts that the last prompt had

    [[nodiscard]] QString text() const; ///< "turn 14: message 3 of 20 changed"
};

/// What the book makes of one request.
struct Sighting {
    QString session; ///< empty: it belongs to none
    QString why;
    bool auxiliary = false; ///< under the session's id, but not its conversation
    bool compaction = false;
    bool known = false; ///< the session was seen before
    QString fork; ///< full id of the session that it continues as a copy
    QString parent;
    bool subagent = false;
    std::size_t shared = 0; ///< parts that it has in common with the session's last prompt
    std::size_t parts = 0;
    std::optional<PrefixDrift> drift;
};

/// Remembers the last prompt of each session, as hashes, and so knows a conversation by its prompt: the
/// continuation of a known prompt is the same session, a prompt that leaves a known one on its way is a fork
/// of it. Tells a title under a conversation's id, and where a prompt drifts. Bounded: the session that was
/// not seen for longest is forgotten first. Not thread-safe.
class SessionBook final {
public:
    struct Limits {
        std::size_t sessions = 1024;
        std::size_t parts = 262'144; ///< of all sessions; 16 bytes each
    };
    /// Whether a session of that name has a snapshot: how a conversation is found again after a restart.
    using KnowsSession = std::function<bool(const QString &)>;

    explicit SessionBook(Limits limits, KnowsSession knows = {});
    SessionBook()
        : SessionBook(Limits())
    {
    }
    ~SessionBook() = default;
    Q_DISABLE_COPY_MOVE(SessionBook)

    Sighting see(const SessionClaim &claim, const PromptChain &chain);
    [[nodiscard]] std::size_t sessions() const { return m_entries.size(); }

private:
    struct Strand {
        PromptChain tip;
        int turns = 0;
    };
    struct Entry {
        Strand main;
        std::optional<Strand> other; ///< the last prompt under this id that was not its conversation's
        bool named = false; ///< by its client
        quint64 used = 0;
    };
    void seeNamed(Sighting &seen, const PromptChain &chain);
    void seeUnnamed(Sighting &seen, const PromptChain &chain);
    bool findAfterRestart(Sighting &seen, const PromptChain &chain, std::size_t moreThan) const;
    [[nodiscard]] QString freshName(const PromptChain &chain) const;
    void advance(Sighting &seen, Entry &entry, const PromptChain &chain);
    void remember(const QString &session, const PromptChain &chain, bool named);
    void forgetOldest(const QString &butNot);

    Limits m_limits;
    KnowsSession m_knows;
    std::map<QString, Entry> m_entries;
    std::size_t m_parts = 0;
    quint64 m_clock = 0;
};

} // namespace kv
