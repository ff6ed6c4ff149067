// SPDX-License-Identifier: MIT
#pragma once

#include "journalprivacy.h"

#include <QJsonObject>
#include <QString>

#include <concepts>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

// One list of a struct's fields for everything that walks over them: writing, reading, printing, hashing (see
// journalfields.h). A list that does not name all fields does not compile ("only 3 names provided for
// structured binding, while 'X' decomposes into 4 elements": add the new field's name to its list). A text
// field whose name stands in no list of journalprivacy.h does not compile either.

namespace kv {

/// A field's name, with what of its text a journal may hold.
struct FieldName {
    const char *text;
    TextPrivacy privacy;
};

template <typename T> inline constexpr bool c_holdsText = false;
template <> inline constexpr bool c_holdsText<QString> = true;
template <> inline constexpr bool c_holdsText<QJsonObject> = true;
template <typename T> inline constexpr bool c_holdsText<std::optional<T>> = c_holdsText<T>;
template <typename T> inline constexpr bool c_holdsText<std::vector<T>> = c_holdsText<T>;
template <typename T> inline constexpr bool c_holdsText<std::deque<T>> = c_holdsText<T>;
template <typename T> inline constexpr bool c_holdsText<std::set<T>> = c_holdsText<T>;
template <typename K, typename V>
inline constexpr bool c_holdsText<std::map<K, V>> = c_holdsText<K> || c_holdsText<V>;
template <typename A, typename B>
inline constexpr bool c_holdsText<std::pair<A, B>> = c_holdsText<A> || c_holdsText<B>;

/// Not constexpr, so that a call of it ends the compilation and shows its name.
inline void nameThisTextFieldInJournalPrivacy() { }

template <typename Field> consteval FieldName fieldName(const char *name)
{
    const TextPrivacy privacy = textPrivacyOf(name);
    if (c_holdsText<Field> && privacy == TextPrivacy::Unsaid) {
        nameThisTextFieldInJournalPrivacy();
    }
    return { name, privacy };
}

} // namespace kv

// clang-format off
#define KV_PARENS ()
#define KV_EXPAND_1(...) __VA_ARGS__
#define KV_EXPAND_4(...) KV_EXPAND_1(KV_EXPAND_1(KV_EXPAND_1(KV_EXPAND_1(__VA_ARGS__))))
#define KV_EXPAND_16(...) KV_EXPAND_4(KV_EXPAND_4(KV_EXPAND_4(KV_EXPAND_4(__VA_ARGS__))))
#define KV_EXPAND(...) KV_EXPAND_16(KV_EXPAND_16(KV_EXPAND_16(KV_EXPAND_16(__VA_ARGS__))))
/// what(a) what(b) … for up to 250 words.
#define KV_FOR_EACH(what, ...) __VA_OPT__(KV_EXPAND(KV_FOR_EACH_STEP(what, __VA_ARGS__)))
#define KV_FOR_EACH_STEP(what, first, ...) what(first) __VA_OPT__(KV_FOR_EACH_AGAIN KV_PARENS(what, __VA_ARGS__))
#define KV_FOR_EACH_AGAIN() KV_FOR_EACH_STEP

#define KV_VISIT_FIELD(field) \
    archive(fieldName<std::remove_cvref_t<decltype(object.field)>>(#field), object.field);
/// Within JournalAccess: all fields of a struct, in any order. The binding is there for its count only.
#define KV_FIELDS(Type, ...) \
    static constexpr const char *nameOfType(const Type *) { return #Type; } \
    template <typename Archive, typename Object> \
        requires std::same_as<std::remove_const_t<Object>, Type> \
    static void fields(Archive &archive, Object &object) \
    { \
        { [[maybe_unused]] auto &[__VA_ARGS__] = object; } \
        KV_FOR_EACH(KV_VISIT_FIELD, __VA_ARGS__) \
    }
#define KV_NO_FIELDS(Type) \
    static constexpr const char *nameOfType(const Type *) { return #Type; } \
    template <typename Archive> static void fields(Archive &, const Type &) { static_assert(std::is_empty_v<Type>); }

#define KV_NAME_CASE(value) case Enum::value: return #value;
/// All values of an enumeration (-Werror=switch holds it).
#define KV_ENUM(Type, ...) \
    static constexpr const char *nameOf(Type value) \
    { \
        using Enum = Type; \
        switch (value) { KV_FOR_EACH(KV_NAME_CASE, __VA_ARGS__) } \
        return nullptr; \
    }
// clang-format on
