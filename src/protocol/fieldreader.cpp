// SPDX-License-Identifier: MIT
#include "fieldreader.h"

#include "humantime.h"

#include <QJsonArray>

#include <cmath>

namespace kv {

namespace {

QString kindOf(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Null:
        return QStringLiteral("null");
    case QJsonValue::Bool:
        return QStringLiteral("true or false");
    case QJsonValue::Double:
        return QStringLiteral("a number");
    case QJsonValue::String:
        return QStringLiteral("text");
    case QJsonValue::Array:
        return QStringLiteral("a list");
    case QJsonValue::Object:
        return QStringLiteral("an object");
    case QJsonValue::Undefined:
        break;
    }
    return QStringLiteral("missing");
}

/// Why `text` cannot be an identifier; empty: it can.
QString nameFault(const QString &text, qsizetype maxBytes)
{
    if (text.isEmpty()) {
        return QStringLiteral("must not be empty");
    }
    // Lone surrogates all become the same byte in UTF-8, so two different ids would be one.
    if (!text.isValidUtf16()) {
        return QStringLiteral("must be valid Unicode text");
    }
    const qsizetype bytes = text.size() > maxBytes ? text.size() : text.toUtf8().size();
    if (bytes > maxBytes) {
        return QStringLiteral("must have at most %1 bytes in UTF-8").arg(maxBytes);
    }
    return {};
}

} // namespace

QJsonValue FieldReader::raw(QStringView key, Need need)
{
    if (m_error) {
        return QJsonValue::Undefined;
    }
    QJsonValue value = m_object.value(key);
    if (value.isUndefined() || value.isNull()) {
        if (need == Need::Required) {
            reject(key, QStringLiteral("is missing"));
        }
        return QJsonValue::Undefined;
    }
    return value;
}

QString FieldReader::name(QStringView key, Need need, qsizetype maxBytes)
{
    QJsonValue value = raw(key, need);
    if (value.isUndefined()) {
        return {};
    }
    if (!value.isString()) {
        reject(key, QStringLiteral("must be text, but it is %1").arg(kindOf(value)));
        return {};
    }
    const QString fault = nameFault(value.toString(), maxBytes);
    if (!fault.isEmpty()) {
        reject(key, fault);
        return {};
    }
    return value.toString();
}

QString FieldReader::text(QStringView key, qsizetype maxBytes)
{
    const QJsonValue value = raw(key, Need::Optional);
    if (value.isString() && value.toString().isEmpty()) {
        return {};
    }
    return name(key, Need::Optional, maxBytes);
}

QString FieldReader::shortened(QStringView key, qsizetype maxCharacters)
{
    QJsonValue value = raw(key, Need::Optional);
    if (value.isUndefined()) {
        return {};
    }
    if (!value.isString()) {
        reject(key, QStringLiteral("must be text, but it is %1").arg(kindOf(value)));
        return {};
    }
    QString text = value.toString();
    if (text.size() > maxCharacters) {
        text.truncate(maxCharacters);
        if (text.back().isHighSurrogate()) {
            text.chop(1);
        }
    }
    return text;
}

QString FieldReader::choice(QStringView key, Need need, const QStringList &allowed)
{
    QJsonValue value = raw(key, need);
    if (value.isUndefined()) {
        return {};
    }
    if (!value.isString() || !allowed.contains(value.toString())) {
        reject(key, QStringLiteral("must be one of %1").arg(allowed.join(QStringLiteral(", "))));
        return {};
    }
    return value.toString();
}

qint64 FieldReader::count(QStringView key, Need need, qint64 min, qint64 max, qint64 absent)
{
    QJsonValue value = raw(key, need);
    if (value.isUndefined()) {
        return absent;
    }
    const double number = value.toDouble();
    // Compared as double first: converting a NaN or a number out of range to an integer is undefined.
    const bool fits = value.isDouble() && std::isfinite(number) && number >= static_cast<double>(min)
        && number <= static_cast<double>(max) && std::floor(number) == number;
    if (!fits) {
        reject(key,
            QStringLiteral("must be a whole number from %1 to %2")
                .arg(QString::number(min), QString::number(max)));
        return absent;
    }
    return static_cast<qint64>(number);
}

double FieldReader::milliseconds(QStringView key)
{
    QJsonValue value = raw(key, Need::Optional);
    if (value.isUndefined()) {
        return -1;
    }
    const double number = value.toDouble();
    constexpr double c_longest = 1e12; // thirty years: beyond it sums would lose milliseconds
    if (!value.isDouble() || !std::isfinite(number) || number < 0 || number > c_longest) {
        reject(key, QStringLiteral("must be a number of milliseconds, 0 or more"));
        return -1;
    }
    return number;
}

std::optional<bool> FieldReader::flag(QStringView key)
{
    QJsonValue value = raw(key, Need::Optional);
    if (value.isUndefined()) {
        return std::nullopt;
    }
    if (!value.isBool()) {
        reject(key, QStringLiteral("must be true or false, but it is %1").arg(kindOf(value)));
        return std::nullopt;
    }
    return value.toBool();
}

std::optional<QStringList> FieldReader::names(QStringView key, qsizetype maxItems, qsizetype maxBytes)
{
    QJsonValue value = raw(key, Need::Optional);
    if (value.isUndefined()) {
        return std::nullopt;
    }
    const QJsonArray items = value.toArray();
    if (!value.isArray() || items.size() > maxItems) {
        reject(key, QStringLiteral("must be a list of at most %1 texts").arg(maxItems));
        return std::nullopt;
    }
    QStringList list;
    for (const QJsonValue &item : items) {
        if (!item.isString() || !nameFault(item.toString(), maxBytes).isEmpty()) {
            reject(key, QStringLiteral("must hold texts of 1 to %1 bytes only").arg(maxBytes));
            return std::nullopt;
        }
        list.append(item.toString());
    }
    return list;
}

QJsonObject FieldReader::object(QStringView key)
{
    const QJsonValue value = raw(key, Need::Optional);
    if (!value.isUndefined() && !value.isObject()) {
        reject(key, QStringLiteral("must be an object, but it is %1").arg(kindOf(value)));
        return {};
    }
    return value.toObject();
}

qint64 FieldReader::time(QStringView key, Need need)
{
    QJsonValue value = raw(key, need);
    if (value.isUndefined()) {
        return 0;
    }
    const auto wallMs = value.isString() ? wallMsFromIso(value.toString()) : std::nullopt;
    if (!wallMs) {
        reject(key, QStringLiteral("must be an ISO 8601 time, such as 2026-01-31T12:00:00Z"));
        return 0;
    }
    return *wallMs;
}

void FieldReader::reject(QStringView key, const QString &rule)
{
    rejectAll(QStringLiteral("\"%1%2\" %3.").arg(m_prefix, key.toString(), rule));
}

void FieldReader::rejectAll(const QString &sentence)
{
    if (!m_error) {
        m_error = Error { ErrorCode::BadRequest, sentence, {} };
    }
}

void FieldReader::adopt(const FieldReader &inner)
{
    if (inner.m_error && !m_error) {
        m_error = inner.m_error;
    }
}

} // namespace kv
