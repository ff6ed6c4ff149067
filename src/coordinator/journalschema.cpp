// SPDX-License-Identifier: MIT
// Two more walks over the field lists: their shape, and what a list of effects decides.
#include "journal.h"

#include <bit>

namespace kv {

namespace {

/// A sink of FieldWalker that takes in all but texts.
class Digest final {
public:
    [[nodiscard]] quint32 value() const { return m_hash; }

    void field(FieldName /*name*/) { }
    void flag(bool value) { mix(value ? 1 : 2); }
    void number(qint64 value) { mix(static_cast<quint64>(value)); }
    void count(quint64 value) { mix(value); }
    void real(double value) { mix(std::bit_cast<quint64>(value)); }
    void enumerator(const char * /*name*/, int value) { mix(static_cast<quint64>(value)); }
    void text(TextPrivacy /*privacy*/, const QString & /*value*/) { }
    void fingerprint(const FingerprintPtr &value) { mix(value == nullptr ? 3 : 4); }
    void present(bool value) { flag(value); }
    void beginList(std::size_t size) { mix(size); }
    void endList() { }
    void beginStruct(const char * /*type*/) { }
    void endStruct() { }
    void alternative(std::size_t index) { mix(index); }

private:
    void mix(quint64 value)
    {
        for (; value > 0xff; value >>= 8) {
            mixByte(static_cast<quint32>(value & 0xff));
        }
        mixByte(static_cast<quint32>(value));
    }
    void mixByte(quint32 byte) { m_hash = (m_hash ^ byte) * 16777619U; }

    quint32 m_hash = 2166136261U;
};

/// Goes through the types, not the values: of a list or an absent value its element's type.
class Schema final {
public:
    [[nodiscard]] const QByteArray &text() const { return m_text; }

    template <typename T> void operator()(FieldName name, const T &value)
    {
        m_text += name.text;
        m_text += ':';
        describe(value);
        m_text += ',';
    }

    template <typename T> void describe(const T &value)
    {
        if constexpr (std::is_enum_v<T>) {
            describeEnum<T>();
        } else if constexpr (std::is_arithmetic_v<T>) {
            m_text += std::is_floating_point_v<T> ? 'd' : std::is_signed_v<T> ? 'i' : 'u';
            m_text += QByteArray::number(static_cast<qsizetype>(sizeof(T)));
        } else if constexpr (std::is_same_v<T, QString> || std::is_same_v<T, QJsonObject>) {
            m_text += 't';
        } else if constexpr (std::is_same_v<T, FingerprintPtr>) {
            m_text += 'f';
        } else if constexpr (std::is_same_v<T, Effects>) {
            m_text += '-';
        } else if constexpr (c_isOptional<T>) {
            m_text += '?';
            describe(typename T::value_type {});
        } else if constexpr (c_isPair<T>) {
            describe(value.first);
            describe(value.second);
        } else if constexpr (c_isSequence<T>) {
            m_text += '*';
            describe(typename T::value_type {});
        } else if constexpr (c_isVariant<T>) {
            describeAlternatives<T>(std::make_index_sequence<std::variant_size_v<T>>());
        } else {
            m_text += JournalAccess::nameOfType(static_cast<const T *>(nullptr));
            m_text += '{';
            JournalAccess::fields(*this, value);
            m_text += '}';
        }
    }

private:
    template <typename T> void describeEnum()
    {
        m_text += '(';
        for (int i = 0; JournalAccess::nameOf(static_cast<T>(i)) != nullptr; ++i) {
            m_text += JournalAccess::nameOf(static_cast<T>(i));
            m_text += ' ';
        }
        m_text += ')';
    }
    template <typename T, std::size_t... Index>
    void describeAlternatives(std::index_sequence<Index...> /*all*/)
    {
        (describe(std::variant_alternative_t<Index, T> {}), ...);
    }

    QByteArray m_text;
};

quint64 computeSchema()
{
    Schema schema;
    schema.describe(Event {});
    schema.describe(Coordinator(Policy {}, InitialState {}));
    quint64 hash = 14695981039346656037ULL;
    for (const char byte : schema.text()) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
    }
    return hash;
}

} // namespace

quint64 journalSchema()
{
    static const quint64 c_schema = computeSchema();
    return c_schema;
}

quint32 digestOf(const Effects &effects)
{
    Digest digest;
    FieldWalker<Digest> walker(digest);
    for (const Effect &effect : effects) {
        walker.walk(TextPrivacy::Unsaid, effect);
    }
    return digest.value();
}

QByteArray bytesOf(const Effects &effects)
{
    JournalBytes bytes(nullptr);
    for (const Effect &effect : effects) {
        bytes.put(effect);
    }
    return bytes.take();
}

} // namespace kv
