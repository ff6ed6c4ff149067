// SPDX-License-Identifier: MIT
#include "humantime.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTimeZone>

#include <cmath>

namespace kv {

namespace {

struct HumanTimeText {
    Q_DECLARE_TR_FUNCTIONS(kv::HumanTime)
};

constexpr qint64 c_minute = 60;
constexpr qint64 c_hour = 60 * c_minute;
constexpr qint64 c_day = 24 * c_hour;

QString longDuration(qint64 seconds)
{
    if (seconds < c_hour) {
        return HumanTimeText::tr("%1 min %2 s").arg(seconds / c_minute).arg(seconds % c_minute);
    }
    if (seconds < c_day) {
        return HumanTimeText::tr("%1 h %2 min").arg(seconds / c_hour).arg(seconds % c_hour / c_minute);
    }
    return HumanTimeText::tr("%1 d %2 h").arg(seconds / c_day).arg(seconds % c_day / c_hour);
}

} // namespace

QString formatDuration(double ms, const QLocale &locale)
{
    if (!(ms > 0)) {
        return HumanTimeText::tr("0 ms");
    }
    if (ms < 9.95) {
        return HumanTimeText::tr("%1 ms").arg(locale.toString(ms, 'f', 1));
    }
    if (ms < 999.5) {
        return HumanTimeText::tr("%1 ms").arg(locale.toString(ms, 'f', 0));
    }
    if (ms < 59'950) {
        return HumanTimeText::tr("%1 s").arg(locale.toString(ms / 1000, 'f', 1));
    }
    return longDuration(std::llround(std::min(ms, 1e15) / 1000));
}

QString formatAge(qint64 ms)
{
    const qint64 seconds = ms / 1000;
    if (seconds < 2) { // a clock that jumped back included
        return HumanTimeText::tr("just now");
    }
    if (seconds < c_minute) {
        return HumanTimeText::tr("%1 s ago").arg(seconds);
    }
    if (seconds < c_hour) {
        return HumanTimeText::tr("%1 min ago").arg(seconds / c_minute);
    }
    if (seconds < c_day) {
        return HumanTimeText::tr("%1 h ago").arg(seconds / c_hour);
    }
    return HumanTimeText::tr("%1 d ago").arg(seconds / c_day);
}

QString isoUtc(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs, Qt::UTC).toString(Qt::ISODateWithMs);
}

std::optional<qint64> wallMsFromIso(const QString &text)
{
    QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!time.isValid()) {
        return std::nullopt;
    }
    if (time.timeSpec() == Qt::LocalTime) {
        time.setTimeSpec(Qt::UTC);
    }
    return time.toMSecsSinceEpoch();
}

} // namespace kv
