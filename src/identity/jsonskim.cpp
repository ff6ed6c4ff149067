// SPDX-License-Identifier: MIT
#include "jsonskim.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace kv {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Walks over a text. Every step says whether it could be done; after a false the position means nothing.
class Skimmer final {
public:
    explicit Skimmer(QByteArrayView text)
        : m_text(text)
    {
    }

    void blanks()
    {
        while (m_at < m_text.size() && isBlank(m_text[m_at])) {
            ++m_at;
        }
    }
    bool take(char c)
    {
        blanks();
        if (m_at >= m_text.size() || m_text[m_at] != c) {
            return false;
        }
        ++m_at;
        return true;
    }
    [[nodiscard]] bool atEnd()
    {
        blanks();
        return m_at == m_text.size();
    }
    /// A string with its quotes.
    bool string(QByteArrayView &out)
    {
        blanks();
        const qsizetype from = m_at;
        if (m_at >= m_text.size() || m_text[m_at] != '"' || !overString()) {
            return false;
        }
        out = m_text.sliced(from, m_at - from);
        return true;
    }
    bool value(QByteArrayView &out)
    {
        blanks();
        const qsizetype from = m_at;
        int depth = 0;
        do {
            if (m_at >= m_text.size()) {
                return false;
            }
            const char c = m_text[m_at];
            if (c == '"') {
                if (!overString()) {
                    return false;
                }
            } else if (c == '{' || c == '[') {
                ++depth;
                ++m_at;
            } else if (c == '}' || c == ']') {
                if (--depth < 0) {
                    return false;
                }
                ++m_at;
            } else if (isBlank(c) || ((c == ',' || c == ':') && depth > 0)) {
                ++m_at;
            } else if (!overWord()) {
                return false;
            }
        } while (depth > 0);
        out = m_text.sliced(from, m_at - from);
        return true;
    }

private:
    bool overString()
    {
        for (++m_at; m_at < m_text.size(); ++m_at) {
            if (m_text[m_at] == '\\') {
                ++m_at;
            } else if (m_text[m_at] == '"') {
                ++m_at;
                return true;
            }
        }
        return false;
    }
    /// A number, true, false or null.
    bool overWord()
    {
        const qsizetype from = m_at;
        while (m_at < m_text.size() && !isBlank(m_text[m_at])
            && QByteArrayView(",:{}[]\"").indexOf(m_text[m_at]) < 0) {
            ++m_at;
        }
        return m_at > from;
    }

    QByteArrayView m_text;
    qsizetype m_at = 0;
};

QJsonValue scalar(QByteArrayView value)
{
    const QByteArray wrapped = '[' + value.toByteArray() + ']';
    return QJsonDocument::fromJson(wrapped).array().at(0);
}

} // namespace

std::optional<JsonMembers> skimObject(QByteArrayView text)
{
    Skimmer skim(text);
    JsonMembers members;
    if (!skim.take('{')) {
        return std::nullopt;
    }
    if (skim.take('}')) {
        return skim.atEnd() ? std::optional(members) : std::nullopt;
    }
    do {
        QByteArrayView key;
        JsonMember member;
        if (!skim.string(key) || !skim.take(':') || !skim.value(member.value)) {
            return std::nullopt;
        }
        member.key = key.contains('\\') ? jsonText(key).value_or(QString()).toUtf8()
                                        : key.sliced(1, key.size() - 2).toByteArray();
        members.push_back(std::move(member));
    } while (skim.take(','));
    return skim.take('}') && skim.atEnd() ? std::optional(std::move(members)) : std::nullopt;
}

std::optional<std::vector<QByteArrayView>> skimArray(QByteArrayView text)
{
    Skimmer skim(text);
    std::vector<QByteArrayView> elements;
    if (!skim.take('[')) {
        return std::nullopt;
    }
    if (skim.take(']')) {
        return skim.atEnd() ? std::optional(elements) : std::nullopt;
    }
    do {
        QByteArrayView element;
        if (!skim.value(element)) {
            return std::nullopt;
        }
        elements.push_back(element);
    } while (skim.take(','));
    return skim.take(']') && skim.atEnd() ? std::optional(std::move(elements)) : std::nullopt;
}

const JsonMember *memberOf(const JsonMembers &members, QByteArrayView key)
{
    const auto found = std::find_if(
        members.rbegin(), members.rend(), [&](const JsonMember &member) { return member.key == key; });
    return found != members.rend() ? &*found : nullptr;
}

std::optional<QString> jsonText(QByteArrayView value)
{
    if (!value.startsWith('"')) {
        return std::nullopt;
    }
    const QJsonValue read = scalar(value);
    return read.isString() ? std::optional(read.toString()) : std::nullopt;
}

std::optional<QString> textOf(const JsonMembers &members, QByteArrayView key)
{
    const JsonMember *member = memberOf(members, key);
    return member != nullptr ? jsonText(member->value) : std::nullopt;
}

std::optional<double> numberOf(const JsonMembers &members, QByteArrayView key)
{
    const JsonMember *member = memberOf(members, key);
    if (member == nullptr || member->value.isEmpty()) {
        return std::nullopt;
    }
    bool ok = false;
    const double number = member->value.toByteArray().toDouble(&ok);
    return ok ? std::optional(number) : std::nullopt;
}

} // namespace kv
