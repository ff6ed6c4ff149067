// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <optional>

namespace kv {

enum class LogLevel { Error, Warning, Info, Debug };
enum class LogFormat { Text, Json };

/// "error", "warn", "info", "debug": as the configuration and the JSON form spell them.
QString toString(LogLevel level);
std::optional<LogLevel> logLevelFromName(QStringView name);
QString toString(LogFormat format);
std::optional<LogFormat> logFormatFromName(QStringView name);

/// One message on its way out, already redacted.
struct LogRecord {
    LogLevel level = LogLevel::Info;
    QString category;
    QString text; ///< a sentence, or the name of an event
    QJsonObject fields; ///< of an event
    qint64 wallMs = 0;
    int suppressed = 0; ///< how often the same text, or one like it, was held back before this one
};

/// One line with its end. Text and names never break it: control characters are escaped. `journald` puts the
/// priority before it as "<4>" and, in text, leaves out the time, which the journal has.
QByteArray formatLogLine(const LogRecord &record, LogFormat format, bool journald);

} // namespace kv
