// SPDX-License-Identifier: MIT
#include "journalprivacy.h"

#include "redact.h"
#include "sessionhash.h"

#include <QRegularExpression>

#include <algorithm>

namespace kv {

namespace {

constexpr qsizetype c_hashDigits = 16;
constexpr qsizetype c_pathDigits = 8;
constexpr qsizetype c_longestName = 80;
constexpr qsizetype c_longestSentence = 300;
constexpr qsizetype c_hashesKept = 8192;

bool looksLikeName(QStringView text)
{
    return text.size() <= c_longestName && std::all_of(text.begin(), text.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9')
            || QStringView(u"._-+:=,*").contains(c);
    });
}

} // namespace

QString withoutPrivateParts(const QString &sentence)
{
    static const QRegularExpression c_url(QStringLiteral(R"(\b[A-Za-z][A-Za-z0-9+.-]*://[^\s"']+)"));
    // One that begins with a slash, or a relative one (not "tokens/s").
    static const QRegularExpression c_path(QStringLiteral(
        R"((?<![\w/.])(?:(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^\s"']+|\w[^\s"'/\\]*[/\\][^\s"']*[./\\][^\s"']+))"));
    QString text = redacted(sentence.left(4 * c_longestSentence));
    text.replace(c_url, QStringLiteral("(address)"));
    text.replace(c_path, QStringLiteral("(path)"));
    return text.left(c_longestSentence);
}

QString TextRedactor::hashed(const QString &text)
{
    const auto found = m_hashes.constFind(text);
    if (found != m_hashes.constEnd()) {
        return *found;
    }
    if (m_hashes.size() >= c_hashesKept) {
        m_hashes.clear();
    }
    return *m_hashes.insert(text, sessionHash(text).left(c_hashDigits));
}

QString TextRedactor::shown(TextPrivacy privacy, const QString &text)
{
    if (text.isEmpty()) {
        return text;
    }
    switch (privacy) {
    case TextPrivacy::Unsaid:
    case TextPrivacy::Hashed:
        return hashed(text);
    case TextPrivacy::Name: {
        if (looksLikeName(text)) {
            return text;
        }
        const auto slash = std::max(text.lastIndexOf(u'/'), text.lastIndexOf(u'\\'));
        const QString last = text.mid(slash + 1);
        const bool path = slash >= 0 && !text.contains(QStringLiteral("://")) && looksLikeName(last);
        // '#' and '/' make it no name, so it is never taken for one that was written as it is.
        return path ? u'#' + hashed(text).left(c_pathDigits) + u'/' + last : u'#' + hashed(text);
    }
    case TextPrivacy::Sentence:
        return withoutPrivateParts(text);
    case TextPrivacy::Dropped:
        break;
    }
    return {};
}

} // namespace kv
