// SPDX-License-Identifier: MIT
#pragma once

#include "yamledit.h"

#include <QByteArray>

#include <optional>

namespace kv {

/// The text with one change, by the positions in `root`. nullopt: it does not know how. The answer is a
/// proposal: who calls reads it anew and compares.
std::optional<QByteArray> yamlPatched(
    const QByteArray &bytes, const YamlPlace &root, const YamlChange &change);

/// `value` as a scalar in the text: in `quote` (' or "), or plain (0) unless that would read as something
/// else. `flow`: between brackets.
QByteArray yamlScalar(const QString &value, char quote, bool flow);

} // namespace kv
