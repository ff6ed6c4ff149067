// SPDX-License-Identifier: MIT
#include "journalbytes.h"

#include <bit>

namespace kv {

namespace {

constexpr qsizetype c_longestNamedText = 96;
constexpr int c_bitsPerByte = 7;

FingerprintPtr noFingerprint()
{
    static const FingerprintPtr c_none = std::make_shared<const Fingerprint>(FieldList {}, FieldList {}, 0);
    return c_none;
}

bool same(const Fingerprint &a, const Fingerprint &b)
{
    return a.hash() == b.hash() && a.slotContext() == b.slotContext() && a.compared() == b.compared()
        && a.shown() == b.shown();
}

} // namespace

void JournalBytes::forget()
{
    m_texts.clear();
    m_fingerprints.clear();
}

void JournalBytes::number(qint64 value)
{
    // −1 is as common as 1.
    count((static_cast<quint64>(value) << 1) ^ static_cast<quint64>(value >> 63));
}

void JournalBytes::count(quint64 value)
{
    while (value >= 0x80) {
        m_bytes += static_cast<char>((value & 0x7f) | 0x80);
        value >>= c_bitsPerByte;
    }
    m_bytes += static_cast<char>(value);
}

void JournalBytes::real(double value)
{
    auto bits = std::bit_cast<quint64>(value);
    for (std::size_t i = 0; i < sizeof(bits); ++i) {
        m_bytes += static_cast<char>(bits & 0xff);
        bits >>= 8;
    }
}

void JournalBytes::rawText(const QString &value)
{
    const QByteArray utf8 = value.toUtf8();
    count(static_cast<quint64>(utf8.size()));
    m_bytes += utf8;
}

void JournalBytes::text(TextPrivacy privacy, const QString &value)
{
    const QString shown = m_redactor != nullptr ? m_redactor->shown(privacy, value) : value;
    if (const auto found = m_texts.constFind(shown); found != m_texts.constEnd()) {
        count(c_firstReference + *found);
        return;
    }
    const bool named = shown.size() <= c_longestNamedText && m_texts.size() < c_textsKept;
    count(named ? c_namedText : c_newText);
    rawText(shown);
    if (named) {
        m_texts.insert(shown, static_cast<quint64>(m_texts.size()));
    }
}

void JournalBytes::fingerprint(const FingerprintPtr &value)
{
    if (value == nullptr) {
        flag(false);
        return;
    }
    flag(true);
    for (std::size_t i = m_fingerprints.size(); i > 0; --i) {
        const FingerprintPtr &known = m_fingerprints[i - 1];
        if (known == value || same(*known, *value)) {
            count(c_firstReference + i - 1);
            return;
        }
    }
    const bool named = m_fingerprints.size() < c_fingerprintsKept;
    count(named ? c_namedText : c_newText);
    for (const FieldList *list : { &value->compared(), &value->shown() }) {
        count(list->size());
        for (const auto &[key, entry] : *list) {
            text(TextPrivacy::Name, key);
            text(TextPrivacy::Name, entry);
        }
    }
    number(value->slotContext());
    text(TextPrivacy::Name, value->hash());
    if (named) {
        m_fingerprints.push_back(value);
    }
}

void JournalParser::forget()
{
    m_texts.clear();
    m_fingerprints.clear();
}

void JournalParser::fail()
{
    m_failed = true;
    m_rest = {};
}

quint64 JournalParser::readCount(quint64 atMost)
{
    quint64 value = 0;
    for (int shift = 0; shift < 64; shift += c_bitsPerByte) {
        if (m_rest.isEmpty()) {
            break;
        }
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest = m_rest.sliced(1);
        value |= static_cast<quint64>(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) {
            if (value > atMost) {
                break;
            }
            return value;
        }
    }
    fail();
    return 0;
}

double JournalParser::readReal()
{
    quint64 bits = 0;
    if (m_rest.size() < static_cast<qsizetype>(sizeof(bits))) {
        fail();
        return 0;
    }
    for (std::size_t i = 0; i < sizeof(bits); ++i) {
        bits |= static_cast<quint64>(static_cast<unsigned char>(m_rest[static_cast<qsizetype>(i)]))
            << (8 * i);
    }
    m_rest = m_rest.sliced(sizeof(bits));
    return std::bit_cast<double>(bits);
}

QString JournalParser::rawText()
{
    const auto size = static_cast<qsizetype>(readCount(static_cast<quint64>(m_rest.size())));
    if (size > m_rest.size()) { // reading the count made the rest shorter
        fail();
        return {};
    }
    const QString value = QString::fromUtf8(m_rest.first(size));
    m_rest = m_rest.sliced(size);
    return value;
}

QString JournalParser::readText()
{
    const quint64 kind = readCount(JournalBytes::c_firstReference + m_texts.size());
    if (m_failed || kind >= JournalBytes::c_firstReference) {
        const quint64 index = kind - JournalBytes::c_firstReference;
        if (m_failed || index >= m_texts.size()) {
            fail();
            return {};
        }
        return m_texts[index];
    }
    const QString value = rawText();
    if (kind == JournalBytes::c_namedText) {
        m_texts.push_back(value);
    }
    return value;
}

FieldList JournalParser::readFieldList()
{
    FieldList list;
    for (quint64 left = readCount(static_cast<quint64>(m_rest.size())); left > 0 && !m_failed; --left) {
        QString key = readText();
        list.emplace_back(std::move(key), readText());
    }
    return list;
}

FingerprintPtr JournalParser::readFingerprint()
{
    if (!readFlag()) {
        return nullptr;
    }
    const quint64 kind = readCount(JournalBytes::c_firstReference + m_fingerprints.size());
    if (m_failed || kind >= JournalBytes::c_firstReference) {
        const quint64 index = kind - JournalBytes::c_firstReference;
        if (m_failed || index >= m_fingerprints.size()) {
            fail();
            return nullptr;
        }
        return m_fingerprints[index];
    }
    FieldList compared = readFieldList();
    FieldList shown = readFieldList();
    const auto slotContext = readNumber<qint64>();
    const QString hash = readText();
    if (m_failed) {
        return nullptr;
    }
    FingerprintPtr made
        = JournalAccess::fingerprint(std::move(compared), std::move(shown), slotContext, hash);
    if (kind == JournalBytes::c_namedText) {
        m_fingerprints.push_back(made);
    }
    return made;
}

void JournalParser::noteSnapshot(Snapshot &row)
{
    // A row that is not in use (a job's, before its save) has none; one of the index always has.
    if (row.fingerprint == nullptr && row.name >= 0) {
        row.fingerprint = noFingerprint();
        fail();
    }
}

} // namespace kv
