// SPDX-License-Identifier: MIT
#include "localetext.h"

#include "humantime.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace kv {

namespace {

/// Small numbers need no separators.
QLocale plain()
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale;
}

QString shortNumber(double value, int decimals) { return plain().toString(value, 'f', decimals); }

class LocaleText final {
    Q_DECLARE_TR_FUNCTIONS(kv::LocaleText)

public:
    static QString age(qint64 ms)
    {
        const qint64 seconds = ms / 1000;
        if (seconds < 5) {
            return tr("just now");
        }
        if (seconds < 60) {
            return tr("%1 s ago").arg(seconds);
        }
        if (seconds < 3600) {
            return tr("%1 min ago").arg(seconds / 60);
        }
        if (seconds < 86'400) {
            return tr("%1 h ago").arg(seconds / 3600);
        }
        return tr("%n day(s) ago", nullptr, static_cast<int>(seconds / 86'400));
    }

    static QString rate(double perSecond)
    {
        return tr("%1 tok/s", "tokens per second").arg(shortNumber(perSecond, perSecond < 10 ? 1 : 0));
    }

    static QString byteRate(const QString &bytes) { return tr("%1/s", "bytes per second").arg(bytes); }
};

} // namespace

QString localeCount(qint64 count) { return QLocale().toString(count); }

QString localeTokens(qint64 tokens)
{
    if (tokens < 1000) {
        return QLocale().toString(tokens);
    }
    if (tokens < 999'950) {
        return shortNumber(static_cast<double>(tokens) / 1000, 1) + u'K';
    }
    return shortNumber(static_cast<double>(tokens) / 1'000'000, 1) + u'M';
}

QString localeBytes(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeIecFormat);
}

QString localeDuration(double ms) { return formatDuration(ms, plain()); }

QString localeAge(qint64 ms) { return LocaleText::age(ms); }

QString localeTime(qint64 wallMs)
{
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(wallMs), QLocale::ShortFormat);
}

QString localeClockTime(qint64 wallMs)
{
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(wallMs).time(), QStringLiteral("HH:mm:ss"));
}

QString localeRate(double perSecond) { return LocaleText::rate(perSecond); }

QString localeByteRate(double perSecond)
{
    return LocaleText::byteRate(localeBytes(static_cast<qint64>(perSecond)));
}

QString localePercent(double share)
{
    return shortNumber(share * 100, 1) + QChar(QChar::Nbsp) + QLocale().percent();
}

} // namespace kv
