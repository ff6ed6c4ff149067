// SPDX-License-Identifier: MIT
#pragma once

#include "journalfields.h"

#include <QJsonDocument>

#include <variant>

namespace kv {

template <typename T> inline constexpr bool c_isOptional = false;
template <typename T> inline constexpr bool c_isOptional<std::optional<T>> = true;
template <typename T> inline constexpr bool c_isPair = false;
template <typename A, typename B> inline constexpr bool c_isPair<std::pair<A, B>> = true;
template <typename T> inline constexpr bool c_isVariant = false;
template <typename... T> inline constexpr bool c_isVariant<std::variant<T...>> = true;
template <typename T> inline constexpr bool c_isResult = false;
template <typename T> inline constexpr bool c_isResult<Result<T>> = true;
template <typename T> inline constexpr bool c_isSequence = false;
template <typename T> inline constexpr bool c_isSequence<std::vector<T>> = true;
template <typename T> inline constexpr bool c_isSequence<std::deque<T>> = true;
template <typename T> inline constexpr bool c_isSequence<std::set<T>> = true;
template <typename K, typename V> inline constexpr bool c_isSequence<std::map<K, V>> = true;

/// Tells a sink of all there is in a value, in the order of the field lists. The sink has:
///   field(FieldName), flag(bool), number(qint64), count(quint64), real(double), enumerator(const char *,
///   int), text(TextPrivacy, QString), fingerprint(FingerprintPtr), present(bool), beginList(size_t),
///   endList(), beginStruct(const char *), endStruct(), alternative(size_t).
template <typename Sink> class FieldWalker final {
public:
    explicit FieldWalker(Sink &sink)
        : m_sink(sink)
    {
    }

    template <typename T> void operator()(FieldName name, const T &value)
    {
        m_sink.field(name);
        walk(name.privacy, value);
    }

    template <typename T> void walk(TextPrivacy privacy, const T &value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            m_sink.flag(value);
        } else if constexpr (std::is_enum_v<T>) {
            m_sink.enumerator(JournalAccess::nameOf(value), static_cast<int>(value));
        } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
            m_sink.number(value);
        } else if constexpr (std::is_integral_v<T>) {
            m_sink.count(value);
        } else if constexpr (std::is_floating_point_v<T>) {
            m_sink.real(value);
        } else if constexpr (std::is_same_v<T, QString>) {
            m_sink.text(privacy, value);
        } else if constexpr (std::is_same_v<T, QJsonObject>) {
            m_sink.text(privacy,
                value.isEmpty() ? QString()
                                : QString::fromUtf8(QJsonDocument(value).toJson(QJsonDocument::Compact)));
        } else if constexpr (std::is_same_v<T, FingerprintPtr>) {
            m_sink.fingerprint(value);
        } else if constexpr (std::is_same_v<T, Effects>) {
            // A coordinator's: empty between two events.
        } else {
            walkCompound(privacy, value);
        }
    }

private:
    template <typename T> void walkCompound(TextPrivacy privacy, const T &value)
    {
        if constexpr (c_isOptional<T>) {
            m_sink.present(value.has_value());
            if (value) {
                walk(privacy, *value);
            }
        } else if constexpr (c_isPair<T>) {
            m_sink.beginList(2);
            walk(privacy, value.first);
            walk(privacy, value.second);
            m_sink.endList();
        } else if constexpr (c_isSequence<T>) {
            m_sink.beginList(value.size());
            for (const auto &entry : value) {
                walk(privacy, entry);
            }
            m_sink.endList();
        } else if constexpr (c_isVariant<T>) {
            m_sink.alternative(value.index());
            std::visit([this](const auto &held) { this->walk(TextPrivacy::Unsaid, held); }, value);
        } else if constexpr (c_isResult<T>) {
            m_sink.alternative(value.ok() ? 0 : 1);
            if (value) {
                walk(TextPrivacy::Unsaid, value.value());
            } else {
                walk(TextPrivacy::Unsaid, value.error());
            }
        } else {
            m_sink.beginStruct(JournalAccess::nameOfType(static_cast<const T *>(nullptr)));
            JournalAccess::fields(*this, value);
            m_sink.endStruct();
        }
    }

    Sink &m_sink;
};

} // namespace kv
