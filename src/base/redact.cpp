// SPDX-License-Identifier: MIT
#include "redact.h"

#include <QRegularExpression>

#include <array>

namespace kv {

namespace {

QString hiddenText() { return QStringLiteral("***"); }
/// Shorter "secrets" would make the log unreadable without protecting anything.
constexpr qsizetype c_shortestSecret = 4;

QRegularExpression pattern(const QString &text)
{
    QRegularExpression expression(text, QRegularExpression::CaseInsensitiveOption);
    expression.optimize();
    return expression;
}

} // namespace

QString redacted(QString text, const QStringList &secrets)
{
    // Each keeps its first group.
    static const std::array<QRegularExpression, 3> c_patterns {
        // Authorization: <scheme> <credentials>, as a header, a JSON field or a log of either
        pattern(QStringLiteral(
            R"((\bauthorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest)\s+)?)[^\s"',;]+)")),
        pattern(QStringLiteral(R"((\bbearer\s+)[A-Za-z0-9._~+/=-]{4,})")),
        // api_key=…, apiKey: …, X-Api-Key: …, "api-key":"…", but not apiKeyFile
        pattern(QStringLiteral(
            R"((\b[\w-]*(?:api[_-]?key|access[_-]?token|password|secret)["']?\s*[:=]\s*["']?)[^\s"',;&}]+)")),
    };
    for (const QString &secret : secrets) {
        if (secret.size() >= c_shortestSecret) {
            text.replace(secret, hiddenText());
        }
    }
    for (const QRegularExpression &expression : c_patterns) {
        text.replace(expression, QStringLiteral("\\1***"));
    }
    return withoutUserInfo(text);
}

QString withoutUserInfo(QString text)
{
    // scheme://user:password@host
    static const QRegularExpression c_user
        = pattern(QStringLiteral(R"((\b[a-z][a-z0-9+.-]*://)[^\s/?#"']+(?=@))"));
    return text.replace(c_user, QStringLiteral("\\1***"));
}

} // namespace kv
