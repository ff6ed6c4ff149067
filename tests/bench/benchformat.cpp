// SPDX-License-Identifier: MIT
#include "benchformat.h"

#include <array>
#include <cmath>

namespace kv::bench {

namespace {
constexpr double c_tenSeconds = 10'000;
}

QString grouped(qint64 count)
{
    QString digits = QString::number(std::abs(count));
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3) {
        digits.insert(at, QLatin1Char(' '));
    }
    return count < 0 ? QLatin1Char('-') + digits : digits;
}

QString shortNumber(double value)
{
    if (!std::isfinite(value)) {
        return QStringLiteral("?");
    }
    const double size = std::abs(value);
    if (size >= 9.995 || size == 0) {
        return grouped(std::llround(value));
    }
    const int decimals = size >= 0.995 ? 1 : size >= 0.0995 ? 2 : 3;
    return QString::number(value, 'f', decimals);
}

QString milliseconds(double ms)
{
    if (std::abs(ms) >= c_tenSeconds) {
        return QString::number(ms / 1000, 'f', 1) + QStringLiteral(" s");
    }
    return std::abs(ms) < 0.0995 && ms != 0 ? shortNumber(ms * 1000) + QStringLiteral(" µs")
                                            : shortNumber(ms) + QStringLiteral(" ms");
}

QString bytesText(double bytes)
{
    static const std::array<QString, 4> units { QStringLiteral("B"), QStringLiteral("KiB"),
        QStringLiteral("MiB"), QStringLiteral("GiB") };
    std::size_t unit = 0;
    while (std::abs(bytes) >= 1024 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    return shortNumber(bytes) + QLatin1Char(' ') + units.at(unit);
}

QString times(double factor)
{
    return (std::abs(factor) >= 9.995 ? shortNumber(factor) : QString::number(factor, 'f', 2))
        + QStringLiteral("×");
}

QString percent(double share) { return QString::number(share * 100, 'f', 1) + QStringLiteral(" %"); }

} // namespace kv::bench
