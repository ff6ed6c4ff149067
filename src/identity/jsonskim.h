// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>
#include <vector>

namespace kv {

/// One member of a JSON object. `value` is a view into the text that was skimmed.
struct JsonMember {
    QByteArray key; ///< escapes decoded
    QByteArrayView value; ///< as written, without the blanks around it
};
using JsonMembers = std::vector<JsonMember>;

/// Where the members of an object stand in a text, found in one pass and without building a tree: request
/// bodies may be megabytes long, and are passed on byte for byte. Brackets and strings are followed; whether
/// the rest is good JSON is for the server to say. nullopt: the text is not one whole object.
std::optional<JsonMembers> skimObject(QByteArrayView text);
/// The same for the elements of an array.
std::optional<std::vector<QByteArrayView>> skimArray(QByteArrayView text);

/// The last member of that name, as parsers take it; nullptr: none.
const JsonMember *memberOf(const JsonMembers &members, QByteArrayView key);
/// The text of a JSON string; nullopt: the value is none.
std::optional<QString> jsonText(QByteArrayView value);
std::optional<QString> textOf(const JsonMembers &members, QByteArrayView key);
/// A whole or real number; nullopt: the value is none.
std::optional<double> numberOf(const JsonMembers &members, QByteArrayView key);

} // namespace kv
