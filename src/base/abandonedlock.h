// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kv {

/// Removes the file of a QLockFile that no process has locked: its maker died before or after it wrote its name.
/// Unlike QLockFile's own taking over of stale locks it needs no further file, so it works on a full disk, and
/// does not trust process ids. False: somebody holds it, or it is younger than a second (QLockFile makes the file
/// and locks it in two steps), or there is none. Any thread.
[[nodiscard]] bool removeAbandonedLock(const QString &path);

} // namespace kv
