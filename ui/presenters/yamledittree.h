// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace kv {

/// One value of a YAML text and where it stands. Positions are bytes of the UTF-8 text.
struct YamlPlace {
    enum class Kind { Null, Scalar, List, Map };
    struct Entry;

    Kind kind = Kind::Null;
    qsizetype at = 0; ///< of a Null that nobody wrote: somewhere after its key
    bool flow = false; ///< List, Map: in brackets
    bool decorated = false; ///< an anchor, a tag or an alias
    QString text; ///< Scalar
    std::vector<YamlPlace> items; ///< List
    std::vector<Entry> entries; ///< Map, in the file's order
};

struct YamlPlace::Entry {
    QString key;
    qsizetype keyAt = 0;
    YamlPlace value;
};

/// Reads one document; a text without any is a Null. An alias is a copy of what it names. Error
/// KV_CONFIG_INVALID: no YAML, more than one document, a key that is no name, too deep or too large.
Result<YamlPlace> readYamlPlaces(const QByteArray &utf8);

/// The same values in the same order, wherever they stand.
bool sameYaml(const YamlPlace &one, const YamlPlace &other);

} // namespace kv
