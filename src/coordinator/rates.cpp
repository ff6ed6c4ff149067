// SPDX-License-Identifier: MIT
#include "rates.h"

#include <QStringList>

#include <array>
#include <cmath>

namespace kv {

namespace {

/// The order of the text; never changed, only added to.
constexpr std::array<double Rates::*, 8> c_order { &Rates::prefillPerSecond, &Rates::generatePerSecond,
    &Rates::savePerSecond, &Rates::restorePerSecond, &Rates::slowestBytesPerSecond, &Rates::bytesPerToken,
    &Rates::switchMs, &Rates::sleepAfterMs };

} // namespace

QString ratesToText(const Rates &rates)
{
    if (rates == Rates {}) {
        return {};
    }
    QStringList numbers;
    for (const auto member : c_order) {
        numbers.append(QString::number(rates.*member, 'g', 6));
    }
    return numbers.join(QLatin1Char(' '));
}

Rates ratesFromText(const QString &text)
{
    Rates rates;
    const QStringList numbers = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < c_order.size() && static_cast<qsizetype>(i) < numbers.size(); ++i) {
        const double value = numbers.at(static_cast<qsizetype>(i)).toDouble();
        rates.*c_order[i] = std::isfinite(value) && value > 0 ? value : 0;
    }
    return rates;
}

} // namespace kv
