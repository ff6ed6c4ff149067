// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kv {

/// A kind of notification that can be switched off; all are on by default. QSettings key: see
/// notificationKey().
enum class NotificationKind {
    Paused, ///< persistence rests by itself: compatibility broken, or too many failures
    NoReuse, ///< a model that does not reuse what was restored
    Disk, ///< nearly at the quota or at the space to keep free
    Recovered, ///< one of the above is over
};

inline QString notificationKey(NotificationKind kind)
{
    switch (kind) {
    case NotificationKind::Paused:
        return QStringLiteral("notifications/paused");
    case NotificationKind::NoReuse:
        return QStringLiteral("notifications/noReuse");
    case NotificationKind::Disk:
        return QStringLiteral("notifications/disk");
    case NotificationKind::Recovered:
        return QStringLiteral("notifications/recovered");
    }
    return {};
}

inline constexpr bool c_notificationDefault = true;

} // namespace kv
