// SPDX-License-Identifier: MIT
#include "logfilter.h"

#include <QRegularExpression>

#include <array>
#include <utility>

namespace kv {

namespace {

/// Qt's own debug categories stay as Qt sets them (off).
QString rulesFor(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return QStringLiteral("kv.*=true\ndefault.debug=true");
    case LogLevel::Info:
        return QStringLiteral("*.debug=false");
    case LogLevel::Warning:
        return QStringLiteral("*.debug=false\n*.info=false");
    case LogLevel::Error:
        break;
    }
    return QStringLiteral("*.debug=false\n*.info=false\n*.warning=false");
}

constexpr std::array c_filterLevels { LogLevel::Error, LogLevel::Warning, LogLevel::Info, LogLevel::Debug };

} // namespace

QStringList logParts()
{
    // The daemon's. The categories of logging.h, but for those of other programs.
    return { QStringLiteral("backend"), QStringLiteral("config"), QStringLiteral("coordinator"),
        QStringLiteral("daemon"), QStringLiteral("http"), QStringLiteral("proxy"), QStringLiteral("runtime"),
        QStringLiteral("server"), QStringLiteral("snapshots") };
}

QStringList logLevelNames()
{
    QStringList names;
    for (const LogLevel level : c_filterLevels) {
        names.append(toString(level));
    }
    return names;
}

ParsedLogFilter parseLogFilter(const QString &text)
{
    static const QRegularExpression c_between(QStringLiteral("[,\\s]+"));
    ParsedLogFilter parsed;
    const QStringList pieces = text.split(c_between, Qt::SkipEmptyParts);
    for (const QString &piece : pieces) {
        const std::optional<LogLevel> level = logLevelFromName(piece.section(u'=', 1));
        const QString part = piece.section(u'=', 0, 0);
        if (!level || !logParts().contains(part)) {
            return { {}, piece };
        }
        parsed.filter.insert(part, *level);
    }
    return parsed;
}

QString logRules(LogLevel level, const LogFilter &filter)
{
    constexpr std::array<std::pair<const char16_t *, LogLevel>, 3> kinds { { { u"debug", LogLevel::Debug },
        { u"info", LogLevel::Info }, { u"warning", LogLevel::Warning } } };
    QString rules = rulesFor(level);
    for (auto it = filter.cbegin(); it != filter.cend(); ++it) { // of two rules that fit Qt takes the later
        for (const auto &[kind, needed] : kinds) {
            rules += QStringLiteral("\nkv.%1.%2=%3")
                         .arg(it.key(), QStringView(kind),
                             it.value() >= needed ? QStringLiteral("true") : QStringLiteral("false"));
        }
    }
    return rules;
}

} // namespace kv
