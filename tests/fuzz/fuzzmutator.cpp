// SPDX-License-Identifier: MIT
#include "fuzzmutator.h"

#include <algorithm>
#include <array>
#include <random>

namespace kv {

namespace {

constexpr qsizetype c_longestPart = 256;
/// What parsers stumble over: ends, quotes, nesting, limits of numbers, broken UTF-8, surrogates.
const std::array<QByteArray, 28> c_pieces { "\n", "\r\n", QByteArray(1, '\0'), "\"", "\\", "\\u0000",
    "\\ud800", "{", "}", "[", "]", ":", ",", "[[[[[[[[[[[[[[[[[[[[", "{\"a\":", "null", "true", "-1", "0.5",
    "1e308", "1e400", "9007199254740993", "9223372036854775808", "\xff", "\xc3", "\xed\xa0\x80",
    "\xef\xbb\xbf", "&a *a" };

class Dice final {
public:
    explicit Dice(quint64 seed)
        : m_engine(seed)
    {
    }
    /// 0 to limit − 1. Not a distribution of the standard library, as those differ between platforms.
    qsizetype below(qsizetype limit)
    {
        return limit <= 0 ? 0 : static_cast<qsizetype>(m_engine() % static_cast<quint64>(limit));
    }

private:
    std::mt19937_64 m_engine;
};

QByteArray partOf(const QByteArray &bytes, Dice &dice)
{
    const qsizetype at = dice.below(bytes.size());
    return bytes.mid(at, 1 + dice.below(std::min(c_longestPart, bytes.size() - at)));
}

void change(QByteArray &bytes, const QList<QByteArray> &corpus, Dice &dice)
{
    const qsizetype at = dice.below(bytes.size() + 1);
    const bool inside = at < bytes.size();
    switch (dice.below(8)) {
    case 0: // a bit
        if (inside) {
            bytes[at] = static_cast<char>(bytes.at(at) ^ (1 << dice.below(8)));
        }
        break;
    case 1: // a byte
        if (inside) {
            bytes[at] = static_cast<char>(dice.below(256));
        }
        break;
    case 2: // a part is left out
        bytes.remove(at, 1 + dice.below(c_longestPart));
        break;
    case 3: // a part is there twice
        bytes.insert(at, partOf(bytes, dice));
        break;
    case 4: // the end is missing
        bytes.truncate(at);
        break;
    case 5: // a part of another file
        bytes.insert(at, partOf(corpus.at(dice.below(corpus.size())), dice));
        break;
    case 6: // the end of another file
        bytes = bytes.first(at) + corpus.at(dice.below(corpus.size())).mid(at);
        break;
    default:
        bytes.insert(at, c_pieces.at(static_cast<std::size_t>(dice.below(c_pieces.size()))));
        break;
    }
}

} // namespace

QByteArray mutated(const QList<QByteArray> &corpus, quint64 seed)
{
    Dice dice(seed);
    QByteArray bytes = corpus.at(dice.below(corpus.size()));
    for (qsizetype count = 1 + dice.below(4); count > 0; --count) {
        change(bytes, corpus, dice);
    }
    return bytes;
}

} // namespace kv
