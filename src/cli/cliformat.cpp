// SPDX-License-Identifier: MIT
#include "cliformat.h"

#include "bytesize.h"
#include "clitext.h"
#include "humantime.h"

#include <QDateTime>
#include <QHash>
#include <QRegularExpression>

namespace kv {

QString countText(const QJsonValue &value)
{
    return value.isDouble() ? QString::number(static_cast<qint64>(value.toDouble())) : QString();
}

QString bytesText(const QJsonValue &value)
{
    return value.isDouble() ? formatBytes(static_cast<qint64>(value.toDouble())) : QString();
}

QString durationText(const QJsonValue &value)
{
    return value.isDouble() ? formatDuration(value.toDouble()) : QString();
}

QString ageText(const QJsonValue &time, qint64 nowWallMs)
{
    const auto wallMs = wallMsFromIso(time.toString());
    return wallMs ? formatAge(nowWallMs - *wallMs) : QString();
}

QString localTimeText(const QJsonValue &time)
{
    const auto wallMs = wallMsFromIso(time.toString());
    return wallMs ? QDateTime::fromMSecsSinceEpoch(*wallMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"))
                  : QString();
}

QString rateText(const QJsonValue &tokensPerSecond)
{
    if (!tokensPerSecond.isDouble()) {
        return {};
    }
    const double rate = tokensPerSecond.toDouble();
    return CliText::tr("%1 tokens/s").arg(QString::number(rate, 'f', rate < 100 ? 1 : 0));
}

QString byteRateText(const QJsonValue &bytesPerSecond)
{
    return bytesPerSecond.isDouble() ? CliText::tr("%1/s").arg(bytesText(bytesPerSecond)) : QString();
}

QString yesText(const QJsonValue &flag) { return flag.toBool() ? CliText::tr("yes") : QString(); }

Style styleOf(const QString &state)
{
    static const QHash<QString, Style> styles {
        { QStringLiteral("healthy"), Style::Good },
        { QStringLiteral("ready"), Style::Good },
        { QStringLiteral("valid"), Style::Good },
        { QStringLiteral("verified"), Style::Good },
        { QStringLiteral("supported"), Style::Good },
        { QStringLiteral("passed"), Style::Good },
        { QStringLiteral("saved"), Style::Good },
        { QStringLiteral("degraded"), Style::Warning },
        { QStringLiteral("half-open"), Style::Warning },
        { QStringLiteral("open"), Style::Warning },
        { QStringLiteral("suspect"), Style::Warning },
        { QStringLiteral("partial"), Style::Warning },
        { QStringLiteral("warning"), Style::Warning },
        { QStringLiteral("late"), Style::Warning },
        { QStringLiteral("dirty"), Style::Warning },
        { QStringLiteral("hidden"), Style::Faint },
        { QStringLiteral("sleeping"), Style::Faint },
        { QStringLiteral("unknown"), Style::Faint },
        { QStringLiteral("unreachable"), Style::Bad },
        { QStringLiteral("unsupported"), Style::Bad },
        { QStringLiteral("broken"), Style::Bad },
        { QStringLiteral("invalid"), Style::Bad },
        { QStringLiteral("failed"), Style::Bad },
        { QStringLiteral("none"), Style::Bad },
    };
    return styles.value(state, Style::Plain);
}

std::optional<qint64> parseDuration(const QString &text)
{
    static const QHash<QString, qint64> units { { QStringLiteral("ms"), 1 }, { QStringLiteral("s"), 1000 },
        { QStringLiteral("min"), 60'000 }, { QStringLiteral("m"), 60'000 },
        { QStringLiteral("h"), 3'600'000 }, { QStringLiteral("d"), 86'400'000 } };
    static const QRegularExpression whole(QStringLiteral("^(\\d{1,9}(ms|s|min|m|h|d))+$"));
    static const QRegularExpression part(QStringLiteral("(\\d{1,9})(ms|s|min|m|h|d)"));
    QString compact = text;
    compact.remove(u' ');
    if (!whole.match(compact).hasMatch()) {
        return std::nullopt;
    }
    qint64 total = 0;
    for (auto it = part.globalMatch(compact); it.hasNext();) {
        const auto match = it.next();
        total += match.captured(1).toLongLong() * units.value(match.captured(2));
    }
    return total;
}

} // namespace kv
