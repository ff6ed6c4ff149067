// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kv {

/// A configuration file that says what holds without one, every key with a comment. `config default` prints
/// it.
QString explainedConfigText();

} // namespace kv
