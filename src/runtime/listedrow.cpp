// SPDX-License-Identifier: MIT
#include "listedrow.h"

#include <algorithm>
#include <map>

namespace kv {

namespace {

constexpr QStringView c_state = u"state:";
constexpr QStringView c_pinned = u"pinned:";
constexpr QStringView c_server = u"server:";

bool contains(const QString &text, const QString &part) { return text.contains(part, Qt::CaseInsensitive); }

template <typename Key> RowLess by(Key key)
{
    return [key](const ListedRow &a, const ListedRow &b) { return key(*a.row) < key(*b.row); };
}

} // namespace

RowFilter::RowFilter(const QString &text)
    : m_text(text)
{
    for (const QStringView key : { c_state, c_pinned, c_server }) {
        if (text.startsWith(key)) {
            // Names of servers may hold blanks; the other values end at one, and a text may follow.
            const qsizetype blank = key == c_server ? -1 : text.indexOf(u' ');
            m_key = key;
            m_value = text.mid(key.size(), blank < 0 ? -1 : blank - key.size());
            m_text = blank < 0 ? QString() : text.mid(blank + 1).trimmed();
        }
    }
    m_lower = m_text.toLower();
    const auto hex = [](QChar c) { return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f'); };
    m_hashLike = !m_lower.isEmpty() && std::all_of(m_lower.begin(), m_lower.end(), hex);
}

bool RowFilter::passes(const ListedRow &one) const
{
    const Snapshot &row = *one.row;
    if (m_key == c_state && toString(one.state) != m_value) {
        return false;
    }
    if (m_key == c_pinned && row.pinned != (m_value == QStringLiteral("true"))) {
        return false;
    }
    if (m_key == c_server && row.serverInstanceKey != m_value) {
        return false;
    }
    if (m_text.isEmpty()) {
        return true;
    }
    return contains(row.label, m_text) || (m_hashLike && one.hash.contains(m_lower))
        || contains(row.provider, m_text) || contains(row.model, m_text)
        || contains(row.serverInstanceKey, m_text);
}

std::optional<RowLess> rowOrder(const QString &sort)
{
    const RowLess byHash = [](const ListedRow &a, const ListedRow &b) { return a.hash < b.hash; };
    const std::map<QString, RowLess> orders {
        { QStringLiteral("updatedAt"), by([](const Snapshot &row) { return row.updatedWallMs; }) },
        { QStringLiteral("createdAt"), by([](const Snapshot &row) { return row.createdWallMs; }) },
        { QStringLiteral("lastRestoreAt"), by([](const Snapshot &row) { return row.lastRestoreWallMs; }) },
        { QStringLiteral("tokens"), by([](const Snapshot &row) { return row.tokens; }) },
        { QStringLiteral("bytes"), by([](const Snapshot &row) { return row.bytes; }) },
        { QStringLiteral("label"), by([](const Snapshot &row) -> const QString & { return row.label; }) },
        { QStringLiteral("session"), byHash },
        { QStringLiteral("hash"), byHash },
        { QStringLiteral("reason"), by([](const Snapshot &row) -> const QString & { return row.reason; }) },
        { QStringLiteral("subagent"), by([](const Snapshot &row) { return row.subagent; }) },
        { QStringLiteral("slot"), [](const ListedRow &a, const ListedRow &b) { return a.slot < b.slot; } },
        { QStringLiteral("provider"),
            by([](const Snapshot &row) -> const QString & { return row.provider; }) },
        { QStringLiteral("model"), by([](const Snapshot &row) -> const QString & { return row.model; }) },
        { QStringLiteral("server"),
            by([](const Snapshot &row) -> const QString & { return row.serverInstanceKey; }) },
        { QStringLiteral("verdict"), by([](const Snapshot &row) { return row.verdict; }) },
        { QStringLiteral("pinned"), by([](const Snapshot &row) { return row.pinned; }) },
        { QStringLiteral("kind"), by([](const Snapshot &row) { return !row.base; }) },
        { QStringLiteral("source"), by([](const Snapshot &row) -> const QString & { return row.source; }) },
        { QStringLiteral("prefixTokens"), by([](const Snapshot &row) { return row.prefixTokens; }) },
        { QStringLiteral("state"), [](const ListedRow &a, const ListedRow &b) { return a.state < b.state; } },
    };
    const auto found = orders.find(sort.isEmpty() ? QStringLiteral("updatedAt") : sort);
    return found == orders.end() ? std::nullopt : std::optional<RowLess>(found->second);
}

} // namespace kv
