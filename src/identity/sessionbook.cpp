// SPDX-License-Identifier: MIT
#include "sessionbook.h"

#include <algorithm>
#include <utility>

namespace kv {

namespace {

/// A conversation whose system message changes (a date in it) still has its tools or its messages in common;
/// a title has nothing.
bool sharesSomething(const PromptChain &before, const PromptChain &now)
{
    if (before.unit != now.unit) {
        return false;
    }
    if ((before.system == now.system && before.shared(now) > 0)
        || (before.hasTools && before.tools == now.tools)) {
        return true;
    }
    const std::size_t most = std::min(before.parts.size(), now.parts.size());
    for (std::size_t i = std::min(before.opening, now.opening); i < most; ++i) {
        if (before.parts[i] == now.parts[i]) {
            return true;
        }
    }
    return before.isEmpty() && now.isEmpty();
}

bool continues(const PromptChain &before, const PromptChain &now)
{
    return before.sameHead(now) && before.shared(now) == before.parts.size();
}

std::optional<PrefixDrift> driftBetween(const PromptChain &before, const PromptChain &now)
{
    PrefixDrift drift;
    drift.unit = now.unit;
    drift.of = before.parts.size();
    if (before.system != now.system) {
        drift.at = PrefixDrift::At::System;
        return drift;
    }
    if (before.tools != now.tools) {
        drift.at = PrefixDrift::At::Tools;
        return drift;
    }
    const std::size_t shared = before.shared(now);
    if (shared == before.parts.size() || shared == now.parts.size()) {
        return std::nullopt; // it went on, or was cut short: no part is another than it was
    }
    drift.number = shared + 1;
    return drift;
}

} // namespace

QString PrefixDrift::text() const
{
    switch (at) {
    case At::System:
        return QStringLiteral("turn %1: the system prompt changed").arg(turn);
    case At::Tools:
        return QStringLiteral("turn %1: the list of tools changed").arg(turn);
    case At::Part:
        break;
    }
    return QStringLiteral("turn %1: %2 %3 of %4 changed")
        .arg(turn)
        .arg(unit == PromptChain::Unit::Message ? QStringLiteral("message") : QStringLiteral("block"))
        .arg(number)
        .arg(of);
}

SessionBook::SessionBook(Limits limits, KnowsSession knows)
    : m_limits(limits)
    , m_knows(std::move(knows))
{
}

Sighting SessionBook::see(const SessionClaim &claim, const PromptChain &chain)
{
    ++m_clock;
    Sighting seen;
    seen.session = claim.session;
    seen.why = claim.why;
    seen.compaction = claim.compaction;
    seen.parent = claim.parent;
    seen.subagent = claim.subagent;
    seen.parts = chain.parts.size();
    if (claim.session.isEmpty()) {
        seeUnnamed(seen, chain);
    } else {
        seeNamed(seen, chain);
    }
    return seen;
}

void SessionBook::seeNamed(Sighting &seen, const PromptChain &chain)
{
    const auto found = m_entries.find(seen.session);
    if (found == m_entries.end()) {
        remember(seen.session, chain, true);
        return;
    }
    Entry &entry = found->second;
    seen.known = true;
    seen.shared = entry.main.tip.shared(chain);
    entry.used = m_clock;
    if (seen.compaction) {
        return; // its prompt is the conversation and one instruction more, and never comes again
    }
    if (sharesSomething(entry.main.tip, chain)) {
        advance(seen, entry, chain);
        return;
    }
    if (entry.other && continues(entry.other->tip, chain)
        && chain.parts.size() > entry.other->tip.parts.size()) {
        // What was taken for something beside it goes on: the client began anew under the same id.
        std::swap(entry.main, *entry.other);
        advance(seen, entry, chain);
        seen.why += QStringLiteral("; a new conversation under the same id");
        return;
    }
    if (!entry.main.tip.hasTools && chain.hasTools && entry.main.turns <= 1) {
        entry.other = std::exchange(entry.main, Strand()); // the title had come first
        advance(seen, entry, chain);
        return;
    }
    seen.auxiliary = true;
    seen.why += QStringLiteral("; its prompt shares nothing with the session's conversation");
    if (!entry.other) {
        entry.other = Strand();
    }
    m_parts = m_parts - entry.other->tip.parts.size() + chain.parts.size();
    entry.other->tip = chain;
    ++entry.other->turns;
    forgetOldest(seen.session);
}

void SessionBook::advance(Sighting &seen, Entry &entry, const PromptChain &chain)
{
    Strand &main = entry.main;
    ++main.turns;
    if (main.turns > 1) {
        seen.shared = main.tip.shared(chain);
        seen.drift = driftBetween(main.tip, chain);
        if (seen.drift) {
            seen.drift->turn = main.turns;
        }
    }
    m_parts = m_parts - main.tip.parts.size() + chain.parts.size();
    main.tip = chain;
    entry.used = m_clock;
    forgetOldest(seen.session);
}

void SessionBook::seeUnnamed(Sighting &seen, const PromptChain &chain)
{
    if (chain.isEmpty()) {
        seen.why = QStringLiteral("neither an id nor a prompt that is long enough to know it by");
        return;
    }
    const QString *goesOn = nullptr;
    const QString *leaves = nullptr;
    std::size_t forkedAt = chain.opening; // what many sessions begin with is no sign of a fork
    std::size_t longest = 0;
    for (const auto &[session, entry] : m_entries) {
        if (entry.named || !entry.main.tip.sameHead(chain)) {
            continue;
        }
        const PromptChain &tip = entry.main.tip;
        const std::size_t shared = tip.shared(chain);
        if (shared == tip.parts.size() && shared > longest) {
            goesOn = &session;
            longest = shared;
        } else if (shared > forkedAt && shared < tip.parts.size()) {
            leaves = &session;
            forkedAt = shared;
        }
    }
    if (goesOn != nullptr && (leaves == nullptr || longest >= forkedAt)) {
        seen.session = *goesOn;
        seen.known = true;
        seen.why = QStringLiteral("the prompt goes on from the last one of this session");
        advance(seen, m_entries.find(seen.session)->second, chain);
        return;
    }
    if (findAfterRestart(seen, chain, leaves != nullptr ? forkedAt : chain.opening)) {
        remember(seen.session, chain, false);
        return;
    }
    seen.session = freshName(chain);
    seen.why = QStringLiteral("a prompt that goes on from no known one");
    if (leaves != nullptr) {
        seen.fork = *leaves;
        seen.shared = forkedAt;
        seen.why = QStringLiteral("the prompt leaves that of a known session: a fork");
    }
    remember(seen.session, chain, false);
}

bool SessionBook::findAfterRestart(Sighting &seen, const PromptChain &chain, std::size_t moreThan) const
{
    // A session is named by its first prompt, which all its later ones begin with.
    for (std::size_t count = chain.parts.size(); m_knows && count > moreThan; --count) {
        const QString name = QStringLiteral("prompt-%1").arg(chain.digest(count));
        if (!m_entries.contains(name) && m_knows(name)) {
            seen.session = name;
            seen.known = true;
            seen.why = QStringLiteral("the prompt begins with the first one of this session");
            return true;
        }
    }
    return false;
}

QString SessionBook::freshName(const PromptChain &chain) const
{
    const QString name = QStringLiteral("prompt-%1").arg(chain.digest(chain.parts.size()));
    QString free = name;
    for (int number = 2; m_entries.contains(free); ++number) {
        free = QStringLiteral("%1-%2").arg(name).arg(number); // two conversations that begin alike
    }
    return free;
}

void SessionBook::remember(const QString &session, const PromptChain &chain, bool named)
{
    Entry entry;
    entry.main = { chain, 1 };
    entry.named = named;
    entry.used = m_clock;
    m_parts += chain.parts.size();
    m_entries.insert_or_assign(session, std::move(entry));
    forgetOldest(session);
}

void SessionBook::forgetOldest(const QString &butNot)
{
    while (m_entries.size() > 1 && (m_entries.size() > m_limits.sessions || m_parts > m_limits.parts)) {
        auto oldest = m_entries.end();
        for (auto it = m_entries.begin(); it != m_entries.end(); ++it) {
            if (it->first != butNot && (oldest == m_entries.end() || it->second.used < oldest->second.used)) {
                oldest = it;
            }
        }
        m_parts -= oldest->second.main.tip.parts.size();
        if (oldest->second.other) {
            m_parts -= oldest->second.other->tip.parts.size();
        }
        m_entries.erase(oldest);
    }
}

} // namespace kv
