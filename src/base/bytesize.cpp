// SPDX-License-Identifier: MIT
#include "bytesize.h"

#include <QCoreApplication>

#include <array>
#include <cmath>
#include <limits>

namespace kv {

namespace {

struct ByteSizeText {
    Q_DECLARE_TR_FUNCTIONS(kv::ByteSize)
};

struct Unit {
    const char16_t *name;
    qint64 factor;
};

constexpr qint64 c_ki = 1024;
constexpr std::array<Unit, 11> c_units { {
    { u"PiB", c_ki *c_ki *c_ki *c_ki *c_ki },
    { u"PB", 1'000'000'000'000'000 },
    { u"TiB", c_ki *c_ki *c_ki *c_ki },
    { u"TB", 1'000'000'000'000 },
    { u"GiB", c_ki *c_ki *c_ki },
    { u"GB", 1'000'000'000 },
    { u"MiB", c_ki *c_ki },
    { u"MB", 1'000'000 },
    { u"KiB", c_ki },
    { u"kB", 1'000 },
    { u"B", 1 },
} };

constexpr double c_limit = static_cast<double>(std::numeric_limits<qint64>::max());

Error badSize(QStringView text)
{
    return Error { ErrorCode::BadRequest,
        ByteSizeText::tr("found '%1', expected a size such as 100GB, 5GiB or a number of bytes")
            .arg(text.left(60)),
        QString() };
}

qint64 factorOf(QStringView unit)
{
    if (unit.isEmpty()) {
        return 1;
    }
    for (const Unit &candidate : c_units) {
        if (unit.compare(QStringView(candidate.name), Qt::CaseInsensitive) == 0) {
            return candidate.factor;
        }
    }
    return 0;
}

} // namespace

Result<qint64> parseByteSize(QStringView text)
{
    const QStringView trimmed = text.trimmed();
    qsizetype digits = 0;
    qsizetype points = 0;
    while (digits < trimmed.size()) {
        const QChar c = trimmed.at(digits);
        if (c == u'.') {
            ++points;
        } else if (c < u'0' || c > u'9') {
            break;
        }
        ++digits;
    }
    const QStringView number = trimmed.first(digits);
    const qint64 factor = factorOf(trimmed.sliced(digits).trimmed());
    if (factor == 0 || number.isEmpty() || points > 1 || number.startsWith(u'.') || number.endsWith(u'.')) {
        return badSize(text);
    }
    if (points == 0) { // exact
        bool ok = false;
        const qint64 whole = number.toLongLong(&ok);
        qint64 bytes = 0;
        if (!ok || qMulOverflow(whole, factor, &bytes)) {
            return badSize(text);
        }
        return bytes;
    }
    const double bytes = std::round(number.toDouble() * static_cast<double>(factor));
    if (!(bytes < c_limit)) {
        return badSize(text);
    }
    return static_cast<qint64>(bytes);
}

QString formatBytes(qint64 bytes)
{
    static constexpr std::array<const char *, 6> c_names { QT_TRANSLATE_NOOP("kv::ByteSize", "%1 B"),
        QT_TRANSLATE_NOOP("kv::ByteSize", "%1 KiB"), QT_TRANSLATE_NOOP("kv::ByteSize", "%1 MiB"),
        QT_TRANSLATE_NOOP("kv::ByteSize", "%1 GiB"), QT_TRANSLATE_NOOP("kv::ByteSize", "%1 TiB"),
        QT_TRANSLATE_NOOP("kv::ByteSize", "%1 PiB") };
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    // 1023.95 and more would be shown as 1024: that is 1.0 of the next unit.
    while (std::abs(value) >= (unit == 0 ? 1024.0 : 1023.5) && unit + 1 < c_names.size()) {
        value /= 1024;
        ++unit;
    }
    const int decimals = unit == 0 || std::abs(value) >= 99.95 ? 0 : 1;
    return ByteSizeText::tr(c_names.at(unit)).arg(QString::number(value, 'f', decimals));
}

QString exactByteSize(qint64 bytes)
{
    for (const Unit &unit : c_units) {
        if (unit.factor > 1 && bytes != 0 && bytes % unit.factor == 0) {
            return QString::number(bytes / unit.factor) + QStringView(unit.name).toString();
        }
    }
    return QString::number(bytes);
}

} // namespace kv
