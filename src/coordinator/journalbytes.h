// SPDX-License-Identifier: MIT
#pragma once

#include "fieldwalker.h"

#include <QByteArray>
#include <QHash>

namespace kv {

/// 32-bit FNV-1a: finds every change of a single byte.
inline quint32 journalChecksum(QByteArrayView bytes)
{
    quint32 hash = 2166136261U;
    for (const char byte : bytes) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619U;
    }
    return hash;
}

/// A sink of FieldWalker: the compact form on disk. Numbers of variable length; a text or fingerprint that
/// comes again is a reference to its first time since the last forget().
class JournalBytes final {
public:
    /// `redactor`: null: everything as it is (tests, comparison). Must outlive the object.
    explicit JournalBytes(TextRedactor *redactor)
        : m_redactor(redactor)
    {
    }

    template <typename T> void put(const T &value)
    {
        FieldWalker<JournalBytes>(*this).walk(TextPrivacy::Unsaid, value);
    }
    /// What was put since the last take.
    [[nodiscard]] QByteArray take() { return std::exchange(m_bytes, {}); }
    void forget();

    void field(FieldName /*name*/) { }
    void flag(bool value) { m_bytes += value ? '\1' : '\0'; }
    void number(qint64 value);
    void count(quint64 value);
    void real(double value);
    void enumerator(const char * /*name*/, int value) { count(static_cast<quint64>(value)); }
    void text(TextPrivacy privacy, const QString &value);
    void fingerprint(const FingerprintPtr &value);
    void present(bool value) { flag(value); }
    void beginList(std::size_t size) { count(size); }
    void endList() { }
    void beginStruct(const char * /*type*/) { }
    void endStruct() { }
    void alternative(std::size_t index) { count(index); }

    // Shared with JournalParser
    static constexpr quint64 c_newText = 0; ///< follows; not referred to
    static constexpr quint64 c_namedText = 1; ///< follows; the next number refers to it
    static constexpr quint64 c_firstReference = 2;
    static constexpr qsizetype c_textsKept = 65536;
    static constexpr std::size_t c_fingerprintsKept = 256;

private:
    void rawText(const QString &value);

    TextRedactor *m_redactor;
    QByteArray m_bytes;
    QHash<QString, quint64> m_texts;
    std::vector<FingerprintPtr> m_fingerprints;
};

/// Reads what JournalBytes wrote. After the first fault, failed() holds and every further value is as made by
/// default; nothing in the input is trusted.
class JournalParser final {
public:
    void begin(QByteArrayView bytes) { m_rest = bytes; }
    [[nodiscard]] bool failed() const { return m_failed; }
    [[nodiscard]] bool atEnd() const { return m_rest.isEmpty(); }
    void forget();

    template <typename T> void get(T &value) { read(value); }
    template <typename T> void operator()(FieldName /*name*/, T &value) { read(value); }

private:
    template <typename T> void read(T &value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            value = readFlag();
        } else if constexpr (std::is_enum_v<T>) {
            value = static_cast<T>(static_cast<int>(readCount(0xffff)));
            if (JournalAccess::nameOf(value) == nullptr) {
                value = T {};
                fail();
            }
        } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
            value = readNumber<T>();
        } else if constexpr (std::is_integral_v<T>) {
            value = static_cast<T>(readCount(std::numeric_limits<T>::max()));
        } else if constexpr (std::is_floating_point_v<T>) {
            value = readReal();
        } else if constexpr (std::is_same_v<T, QString>) {
            value = readText();
        } else if constexpr (std::is_same_v<T, QJsonObject>) {
            value = QJsonDocument::fromJson(readText().toUtf8()).object();
        } else if constexpr (std::is_same_v<T, FingerprintPtr>) {
            value = readFingerprint();
        } else if constexpr (std::is_same_v<T, Effects>) {
            value.clear();
        } else {
            readCompound(value);
        }
    }

    template <typename T> void readCompound(T &value)
    {
        if constexpr (c_isOptional<T>) {
            value.reset();
            if (readFlag()) {
                read(value.emplace());
            }
        } else if constexpr (c_isPair<T>) {
            if (readCount(2) != 2) {
                fail();
            }
            read(value.first);
            read(value.second);
        } else if constexpr (c_isSequence<T>) {
            readSequence(value);
        } else if constexpr (c_isVariant<T>) {
            readAlternative(value, std::make_index_sequence<std::variant_size_v<T>>());
        } else {
            JournalAccess::fields(*this, value);
            if constexpr (std::is_same_v<T, Snapshot>) {
                noteSnapshot(value);
            }
        }
    }

    template <typename T> void readSequence(T &value)
    {
        value.clear();
        // An entry has at least one byte, so a damaged count does not take all memory.
        for (quint64 left = readCount(static_cast<quint64>(m_rest.size())); left > 0 && !m_failed; --left) {
            if constexpr (requires { typename T::mapped_type; }) {
                std::pair<typename T::key_type, typename T::mapped_type> entry;
                read(entry);
                value.insert_or_assign(std::move(entry.first), std::move(entry.second));
            } else if constexpr (requires { typename T::key_type; }) {
                typename T::key_type entry {};
                read(entry);
                value.insert(value.end(), std::move(entry));
            } else {
                typename T::value_type entry {};
                read(entry);
                value.push_back(std::move(entry));
            }
        }
    }

    template <typename T, std::size_t... Index>
    void readAlternative(T &value, std::index_sequence<Index...> /*all*/)
    {
        const quint64 index = readCount(sizeof...(Index) - 1);
        static_cast<void>(((index == Index && (read(value.template emplace<Index>()), true)) || ...));
    }

    template <typename T> T readNumber()
    {
        const quint64 raw = readCount(std::numeric_limits<quint64>::max());
        const auto value = static_cast<qint64>(raw >> 1) ^ -static_cast<qint64>(raw & 1);
        if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) {
            fail();
            return {};
        }
        return static_cast<T>(value);
    }
    quint64 readCount(quint64 atMost);
    bool readFlag() { return readCount(1) != 0; }
    double readReal();
    QString rawText();
    QString readText();
    FingerprintPtr readFingerprint();
    FieldList readFieldList();
    void noteSnapshot(Snapshot &row);
    void fail();

    QByteArrayView m_rest;
    bool m_failed = false;
    std::vector<QString> m_texts;
    std::vector<FingerprintPtr> m_fingerprints;
};

} // namespace kv
