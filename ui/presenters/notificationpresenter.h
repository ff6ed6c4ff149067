// SPDX-License-Identifier: MIT
#pragma once

#include "notificationkeys.h"
#include "overviewlimits.h"
#include "statusfeed.h"

#include <QMap>

class QSettings;

namespace kv {

/// Decides what is worth a notification: a trouble once when it begins, and once when it is over. What was
/// told is kept in the settings (`notifications/told`), so that a start of the program repeats nothing.
class NotificationPresenter final : public QObject {
    Q_OBJECT

public:
    NotificationPresenter(
        StatusFeed &feed, OverviewLimits &limits, QSettings &settings, QObject *parent = nullptr);

Q_SIGNALS:
    void notify(kv::NotificationKind kind, const QString &title, const QString &text);

private:
    struct Trouble {
        NotificationKind kind = NotificationKind::Paused;
        QString title;
        QString text;
    };
    using Troubles = QMap<QString, Trouble>; ///< by a key that stays the same while it lasts

    void look();
    void addServer(const ServerView &server, Troubles &now, QStringList &unknown) const;
    void addStorage(const StatusView &status, Troubles &now, QStringList &unknown) const;
    [[nodiscard]] bool isWanted(NotificationKind kind) const;

    StatusFeed &m_feed;
    OverviewLimits &m_limits;
    QSettings &m_settings;
    QStringList m_told; ///< keys of the troubles that were told and last
};

} // namespace kv
