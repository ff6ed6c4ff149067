// SPDX-License-Identifier: MIT
#include "snapshotname.h"

#include <QCryptographicHash>
#include <QRandomGenerator>

#include <algorithm>

namespace kv {

namespace {
constexpr QStringView c_suffix = u".bin";
}

bool isNamePrefix(QStringView prefix)
{
    return prefix.size() == c_prefixDigits && std::all_of(prefix.begin(), prefix.end(), [](QChar c) {
        return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f');
    });
}

QString snapshotFileName(const QString &prefix, NameNumber number)
{
    if (!isNamePrefix(prefix) || number < 0) {
        return {};
    }
    return prefix + u'-' + QString::number(number) + c_suffix.toString();
}

std::optional<SnapshotName> parseSnapshotFileName(QStringView name)
{
    if (name.size() <= c_prefixDigits + 1 + c_suffix.size() || !name.endsWith(c_suffix)) {
        return std::nullopt;
    }
    const QString prefix = name.first(c_prefixDigits).toString();
    const QStringView digits = name.sliced(c_prefixDigits + 1).chopped(c_suffix.size());
    bool isNumber = false;
    const NameNumber number = digits.toLongLong(&isNumber);
    // Made again and compared, as toLongLong() takes signs, spaces and leading zeros too.
    if (!isNumber || snapshotFileName(prefix, number) != name) {
        return std::nullopt;
    }
    return SnapshotName { prefix, number };
}

QString randomNamePrefix()
{
    return QStringLiteral("%1").arg(
        QRandomGenerator::system()->generate64(), c_prefixDigits, 16, QLatin1Char('0'));
}

QString serverNamePrefix(const QString &prefix, const QString &server)
{
    const QByteArray input = prefix.toUtf8() + server.toUtf8();
    const QByteArray digest = QCryptographicHash::hash(input, QCryptographicHash::Sha256).toHex();
    return QString::fromLatin1(digest.first(c_prefixDigits));
}

} // namespace kv
