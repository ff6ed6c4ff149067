// SPDX-License-Identifier: MIT
#include "reportscrub.h"

#include "redact.h"

#include <QJsonArray>
#include <QRegularExpression>

namespace kv {

namespace {

/// `apiKey` and the like, not `apiKeyFile` or `tokens`.
QString secretKeys()
{
    return QStringLiteral(R"([\w-]*(?:api[_-]?key|token|secret|passw(?:or)?d|authorization|credentials?))");
}

bool isSecretKey(const QString &key)
{
    static const QRegularExpression c_whole(
        QRegularExpression::anchoredPattern(secretKeys()), QRegularExpression::CaseInsensitiveOption);
    return c_whole.match(key).hasMatch();
}

qsizetype indentOf(const QString &line)
{
    qsizetype at = 0;
    while (at < line.size() && line.at(at).isSpace()) {
        ++at;
    }
    return at;
}

/// Cutting too much (a '#' within quotes) does no harm.
QString withoutComment(const QString &line)
{
    static const QRegularExpression c_comment(QStringLiteral(R"((^|\s)#.*$)"));
    return QString(line).remove(c_comment);
}

} // namespace

QString ReportScrub::text(const QString &text) const
{
    QString out = redacted(text, m_secrets);
    if (m_home.size() > 1) {
        static const QString c_end = QStringLiteral(R"((?![\w.-]))");
        out.replace(QRegularExpression(QRegularExpression::escape(m_home) + c_end), QStringLiteral("~"));
    }
    return out;
}

QJsonValue ReportScrub::value(const QString &key, const QJsonValue &value) const
{
    if (value.isString()) {
        return isSecretKey(key) ? QStringLiteral("***") : text(value.toString());
    }
    if (value.isObject()) {
        return document(value.toObject());
    }
    if (value.isArray()) {
        QJsonArray out;
        const QJsonArray entries = value.toArray();
        for (const QJsonValue &entry : entries) {
            out.append(this->value(key, entry));
        }
        return out;
    }
    return value;
}

QJsonObject ReportScrub::document(const QJsonObject &document) const
{
    QJsonObject out;
    for (auto at = document.begin(); at != document.end(); ++at) {
        if (at.key() != QStringLiteral("label")) {
            out.insert(at.key(), value(at.key(), at.value()));
        }
    }
    return out;
}

QString ReportScrub::config(const QString &yaml)
{
    static const QRegularExpression c_secret(
        QStringLiteral(R"(((?:^|[\s{,"'])%1["']?\s*:\s*)(.*)$)").arg(secretKeys()),
        QRegularExpression::CaseInsensitiveOption);
    QStringList out;
    qsizetype hiddenBelow = -1; // lines further in belong to a secret's value
    for (const QString &whole : yaml.split(u'\n')) {
        // Addresses first: "http://token:…@host" has no key of that name.
        const QString line = withoutUserInfo(withoutComment(whole));
        if (line.trimmed().isEmpty()) {
            continue;
        }
        if (hiddenBelow >= 0 && indentOf(line) > hiddenBelow) {
            m_secrets << line.trimmed();
            continue;
        }
        hiddenBelow = -1;
        const QRegularExpressionMatch match = c_secret.match(line);
        if (!match.hasMatch()) {
            out << line;
            continue;
        }
        // The rest of the line goes, whatever else it holds.
        static const QRegularExpression separators(QStringLiteral(R"([\s,{}"']+)"));
        m_secrets << match.captured(2).split(separators);
        hiddenBelow = indentOf(line);
        out << line.left(match.capturedEnd(1)) + QStringLiteral("***");
    }
    return text(out.join(u'\n')) + u'\n';
}

} // namespace kv
