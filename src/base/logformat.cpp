// SPDX-License-Identifier: MIT
#include "logformat.h"

#include "humantime.h"

#include <QJsonDocument>

#include <array>

namespace kv {

namespace {

struct LevelName {
    LogLevel level;
    const char16_t *name;
    char priority; ///< of syslog
};

constexpr std::array<LevelName, 4> c_levels { {
    { LogLevel::Error, u"error", '3' },
    { LogLevel::Warning, u"warn", '4' },
    { LogLevel::Info, u"info", '6' },
    { LogLevel::Debug, u"debug", '7' },
} };

const LevelName &entryOf(LogLevel level) { return c_levels.at(static_cast<std::size_t>(level)); }

QString escaped(const QString &text)
{
    QString out;
    out.reserve(text.size());
    for (const QChar c : text) {
        if (c == u'\n') {
            out += u"\\n";
        } else if (c.category() == QChar::Other_Control && c != u'\t') {
            out += QStringLiteral("\\x%1").arg(c.unicode(), 2, 16, QLatin1Char('0'));
        } else {
            out += c;
        }
    }
    return out;
}

QString fieldText(const QJsonValue &value)
{
    if (value.isString()) {
        const QString text = value.toString();
        const bool plain
            = !text.isEmpty() && !text.contains(u' ') && !text.contains(u'"') && !text.contains(u'=');
        return plain ? text : u'"' + QString(text).replace(u'"', QStringLiteral("\\\"")) + u'"';
    }
    if (value.isObject()) {
        return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    }
    return value.toVariant().toString();
}

QByteArray textLine(const LogRecord &record, bool journald)
{
    QString line;
    if (!journald) {
        line = isoUtc(record.wallMs) + u' ' + toString(record.level) + u' ';
    }
    line += record.category + QStringLiteral(": ") + record.text;
    for (auto it = record.fields.begin(); it != record.fields.end(); ++it) {
        line += u' ' + it.key() + u'=' + fieldText(it.value());
    }
    if (record.suppressed > 0) {
        line += QStringLiteral(" (and %1 times before)").arg(record.suppressed);
    }
    return escaped(line).toUtf8();
}

QByteArray jsonLine(const LogRecord &record)
{
    QJsonObject object {
        { QStringLiteral("time"), isoUtc(record.wallMs) },
        { QStringLiteral("level"), toString(record.level) },
        { QStringLiteral("category"), record.category },
        { QStringLiteral("message"), record.text },
    };
    if (!record.fields.isEmpty()) {
        object.insert(QStringLiteral("fields"), record.fields);
    }
    if (record.suppressed > 0) {
        object.insert(QStringLiteral("suppressed"), record.suppressed);
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace

QString toString(LogLevel level) { return QStringView(entryOf(level).name).toString(); }

std::optional<LogLevel> logLevelFromName(QStringView name)
{
    for (const LevelName &entry : c_levels) {
        if (name == QStringView(entry.name)) {
            return entry.level;
        }
    }
    return std::nullopt;
}

QString toString(LogFormat format)
{
    return format == LogFormat::Json ? QStringLiteral("json") : QStringLiteral("text");
}

std::optional<LogFormat> logFormatFromName(QStringView name)
{
    if (name == u"json") {
        return LogFormat::Json;
    }
    return name == u"text" ? std::optional(LogFormat::Text) : std::nullopt;
}

QByteArray formatLogLine(const LogRecord &record, LogFormat format, bool journald)
{
    QByteArray line;
    if (journald) {
        line = QByteArray("<") + entryOf(record.level).priority + '>';
    }
    line += format == LogFormat::Json ? jsonLine(record) : textLine(record, journald);
    return line + '\n';
}

} // namespace kv
