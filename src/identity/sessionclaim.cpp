// SPDX-License-Identifier: MIT
#include "sessionclaim.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr qsizetype c_maxSession = 256;
constexpr QByteArrayView c_ownHeader("x-kv-session");
constexpr QByteArrayView c_claudeHeader("x-claude-code-session-id");
constexpr std::array<QByteArrayView, 10> c_otherHeaders { "x-deepseek-harness-session-id", "x-session-id",
    "session_id", "session-id", "thread-id", "x-session-affinity", "x-conversation-id", "x-openwebui-chat-id",
    "x-litellm-session-id", "x-opencode-session" };

/// Empty: it is none.
QString possibleId(const QString &text)
{
    const QString id = text.trimmed();
    const bool good
        = id.size() <= c_maxSession && std::all_of(id.begin(), id.end(), [](QChar c) { return c.isPrint(); });
    return good ? id : QString();
}

QString idIn(const HeaderList &headers, QByteArrayView name)
{
    return possibleId(QString::fromUtf8(headerValue(headers, name)));
}

/// Claude Code has it as a JSON text with `session_id`, older versions as "user_…_account_…_session_ID".
QString sessionOfUserId(const QString &userId)
{
    const QByteArray text = userId.toUtf8();
    if (const auto members = skimObject(text)) {
        return possibleId(textOf(*members, "session_id").value_or(QString()));
    }
    const QString mark = QStringLiteral("_session_");
    const qsizetype at = userId.lastIndexOf(mark);
    return at < 0 ? QString() : possibleId(userId.mid(at + mark.size()));
}

QString metadataSession(const JsonMembers &body)
{
    const JsonMember *metadata = memberOf(body, "metadata");
    const auto members = metadata != nullptr ? skimObject(metadata->value) : std::nullopt;
    return members ? sessionOfUserId(textOf(*members, "user_id").value_or(QString())) : QString();
}

void addClaudeAgent(SessionClaim &claim, const HeaderList &headers)
{
    // Sub-agents carry the session id of their parent.
    const QString agent = idIn(headers, "x-claude-code-agent-id");
    if (agent.isEmpty()) {
        return;
    }
    const QString parentAgent = idIn(headers, "x-claude-code-parent-agent-id");
    claim.parent = parentAgent.isEmpty() || parentAgent == agent
        ? claim.session
        : QStringLiteral("%1/%2").arg(claim.session, parentAgent);
    claim.session = QStringLiteral("%1/%2").arg(claim.session, agent);
    claim.why += QStringLiteral(" and x-claude-code-agent-id");
    claim.subagent = true;
}

bool claimByHeader(SessionClaim &claim, const HeaderList &headers, QByteArrayView name)
{
    claim.session = idIn(headers, name);
    claim.why = QStringLiteral("header %1").arg(QString::fromLatin1(name));
    return !claim.session.isEmpty();
}

void findSession(
    SessionClaim &claim, const HeaderList &headers, const JsonMembers &body, const QString &pathSession)
{
    if (claimByHeader(claim, headers, c_ownHeader)) {
        return;
    }
    if (claimByHeader(claim, headers, c_claudeHeader)) {
        addClaudeAgent(claim, headers);
        return;
    }
    for (const QByteArrayView name : c_otherHeaders) {
        if (claimByHeader(claim, headers, name)) {
            return;
        }
    }
    claim.session = possibleId(textOf(body, "prompt_cache_key").value_or(QString()));
    claim.why = QStringLiteral("body prompt_cache_key");
    if (claim.session.isEmpty()) {
        claim.session = metadataSession(body);
        claim.why = QStringLiteral("body metadata.user_id");
    }
    if (claim.session.isEmpty()) {
        claim.session = possibleId(pathSession);
        claim.why = QStringLiteral("path prefix /s/");
    }
    if (claim.session.isEmpty()) {
        claim.why.clear();
    }
}

} // namespace

QByteArray headerValue(const HeaderList &headers, QByteArrayView name)
{
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto &header) {
        return header.first.size() == name.size() && header.first.toLower() == name;
    });
    return found != headers.end() ? found->second : QByteArray();
}

SessionClaim claimOf(const HeaderList &headers, const JsonMembers &body, const QString &pathSession)
{
    SessionClaim claim;
    findSession(claim, headers, body, pathSession);
    if (const QString parent = idIn(headers, "x-parent-session-id");
        !parent.isEmpty() && !claim.session.isEmpty() && parent != claim.session && claim.parent.isEmpty()) {
        claim.parent = parent;
        claim.subagent = true;
    }
    claim.compaction = headerValue(headers, "x-deepseek-harness-compact") == "1";
    claim.lease = idIn(headers, "x-kv-lease");
    return claim;
}

} // namespace kv
