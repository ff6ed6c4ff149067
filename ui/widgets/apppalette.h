// SPDX-License-Identifier: MIT
#pragma once

#include <QPalette>

namespace kv {

/// Whether text is brighter than what it stands on.
bool isDark(const QPalette &palette);

// For screenshots, which look the same on every machine. The program itself takes the desktop's.
QPalette lightPalette();
QPalette darkPalette();

} // namespace kv
