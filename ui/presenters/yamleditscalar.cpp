// SPDX-License-Identifier: MIT
// How a value is spelt as a YAML scalar.
#include "yamleditpatch.h"

#include <algorithm>

namespace kv {

namespace {

bool needsEscapes(const QString &value)
{
    return std::any_of(value.begin(), value.end(),
        [](QChar c) { return (!c.isPrint() && !c.isSurrogate()) || c == QChar(0xFEFF); });
}

bool canBePlain(const QString &value, bool flow)
{
    static constexpr QStringView c_startersWithMeaning = u"-?:,[]{}#&*!|>'\"%@`=<.~";
    if (value.isEmpty() || value != value.trimmed() || needsEscapes(value)) {
        return false;
    }
    const bool path = value.startsWith(QStringLiteral("~/")) || value.startsWith(QStringLiteral("./"));
    if (!path && c_startersWithMeaning.contains(value.front())) {
        return false;
    }
    if (value.compare(QStringLiteral("null"), Qt::CaseInsensitive) == 0) {
        return false;
    }
    if (value.contains(QStringLiteral(": ")) || value.contains(QStringLiteral(" #"))
        || value.endsWith(QLatin1Char(':'))) {
        return false;
    }
    static constexpr QStringView c_brackets = u",[]{}";
    return !flow || std::none_of(value.begin(), value.end(), [](QChar c) { return c_brackets.contains(c); });
}

QString escaped(const QString &value)
{
    QString out;
    for (const QChar c : value) {
        if (c == QLatin1Char('"') || c == QLatin1Char('\\')) {
            out += QLatin1Char('\\') + QString(c);
        } else if (c == QLatin1Char('\n')) {
            out += QStringLiteral("\\n");
        } else if ((!c.isPrint() && !c.isSurrogate()) || c == QChar(0xFEFF)) {
            out += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
        } else {
            out += c;
        }
    }
    return out;
}

} // namespace

QByteArray yamlScalar(const QString &value, char quote, bool flow)
{
    if (quote == 0 && canBePlain(value, flow)) {
        return value.toUtf8();
    }
    if (quote == '"' || needsEscapes(value)) {
        return '"' + escaped(value).toUtf8() + '"';
    }
    QString doubled = value;
    doubled.replace(QLatin1Char('\''), QStringLiteral("''"));
    return '\'' + doubled.toUtf8() + '\'';
}

} // namespace kv
