// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kv {

/// One of a key's choices as people read it; one that is not known is shown as it is.
QString settingsChoice(const QString &key, const QString &choice);
/// What that choice does, in a sentence; empty: nothing to explain.
QString settingsChoiceHint(const QString &key, const QString &choice);

} // namespace kv
