// SPDX-License-Identifier: MIT
#pragma once

#include <QIcon>

namespace kv {

/// The sign of a page (`overview`, `sessions`, `activity`, `doctor`, `settings`; else a sheet), drawn in the
/// palette's text colour at every size.
QIcon pageIcon(const QString &key);

} // namespace kv
