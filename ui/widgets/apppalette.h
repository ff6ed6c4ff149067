// SPDX-License-Identifier: MIT
#pragma once

#include <QPalette>

namespace kv {

// For screenshots, which look the same on every machine. The program itself takes the desktop's.
QPalette lightPalette();
QPalette darkPalette();

} // namespace kv
