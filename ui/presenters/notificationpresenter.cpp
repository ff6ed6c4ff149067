// SPDX-License-Identifier: MIT
#include "notificationpresenter.h"

#include "localetext.h"

#include <QSettings>

#include <algorithm>

namespace kv {

namespace {

constexpr double c_nearlyFull = 0.9;
constexpr double c_roomAgain = 0.85; ///< lower, so that a size that wavers is told once

QString toldKey() { return QStringLiteral("notifications/told"); }
QString quotaTrouble() { return QStringLiteral("quota"); }
QString circuitTrouble(const QString &server) { return QStringLiteral("circuit/") + server; }
QString flagTrouble(const QString &server) { return QStringLiteral("unsupported/") + server; }
QString reuseTrouble(const QString &server) { return QStringLiteral("reuse/") + server; }
QString floorTrouble(const QString &server) { return QStringLiteral("free/") + server; }

} // namespace

NotificationPresenter::NotificationPresenter(
    StatusFeed &feed, OverviewLimits &limits, QSettings &settings, QObject *parent)
    : QObject(parent)
    , m_feed(feed)
    , m_limits(limits)
    , m_settings(settings)
    , m_told(settings.value(toldKey()).toStringList())
{
    connect(&feed, &StatusFeed::changed, this, &NotificationPresenter::look);
    connect(&limits, &OverviewLimits::changed, this, &NotificationPresenter::look);
}

bool NotificationPresenter::isWanted(NotificationKind kind) const
{
    return m_settings.value(notificationKey(kind), c_notificationDefault).toBool();
}

void NotificationPresenter::look()
{
    if (!m_feed.status()) {
        return;
    }
    const StatusView &status = *m_feed.status();
    Troubles now;
    QStringList unknown;
    for (const ServerView &server : status.servers) {
        addServer(server, now, unknown);
    }
    addStorage(status, now, unknown);

    QStringList told;
    for (auto trouble = now.cbegin(); trouble != now.cend(); ++trouble) {
        if (m_told.contains(trouble.key())) {
            told.append(trouble.key());
        } else if (isWanted(trouble->kind)) {
            told.append(trouble.key());
            Q_EMIT notify(trouble->kind, trouble->title, trouble->text);
        }
    }
    bool recovered = false;
    for (const QString &key : qAsConst(m_told)) {
        const QString server = key.section(u'/', 1);
        if (now.contains(key)) {
            continue;
        }
        if (unknown.contains(key)) {
            told.append(key);
        } else if (status.server(server) != nullptr) {
            recovered = true;
        } // else it is the quota, whose end nobody needs to hear of, or the server left the configuration
    }
    told.sort();
    if (told != m_told) {
        m_told = told;
        m_settings.setValue(toldKey(), told);
    }
    if (recovered && isWanted(NotificationKind::Recovered)) {
        Q_EMIT notify(NotificationKind::Recovered, tr("kv-persist works again"),
            told.isEmpty() ? tr("Sessions are saved and restored as before.")
                           : tr("One trouble is over. Another is left: see the overview."));
    }
}

void NotificationPresenter::addServer(const ServerView &server, Troubles &now, QStringList &unknown) const
{
    using State = BackendView::State;
    const State state = server.backend.state;
    const QString reuse = reuseTrouble(server.name);
    if (state == State::Unreachable || state == State::Other) {
        unknown
            += { circuitTrouble(server.name), flagTrouble(server.name), reuse, floorTrouble(server.name) };
        return;
    }
    const QString paused = tr("Persistence rests for %1").arg(server.name);
    if (state == State::Open) {
        now[circuitTrouble(server.name)] = { NotificationKind::Paused, paused,
            server.backend.message.isEmpty() ? tr("Too many calls failed. It is tried again by itself.")
                                             : server.backend.message };
    } else if (state == State::HalfOpen || state == State::Degraded) {
        unknown.append(circuitTrouble(server.name)); // over only when it is healthy
    } else if (state == State::Unsupported) {
        now[flagTrouble(server.name)] = { NotificationKind::Paused, paused,
            server.backend.message.isEmpty() ? tr("The server cannot save as it was started.")
                                             : server.backend.message };
    }
    if (server.compatibility == ServerView::Compatibility::Broken) {
        now[reuse] = { NotificationKind::NoReuse, paused,
            tr("The model %1 does not reuse restored sessions with this build of llama-server. A newer one "
               "may help.")
                .arg(server.backend.model) };
    } else if (server.compatibility == ServerView::Compatibility::Unknown) {
        unknown.append(reuse);
    }
    const std::optional<qint64> floor = m_limits.limits().minFreeBytes;
    if (!m_limits.limits().known || !server.freeBytes) {
        unknown.append(floorTrouble(server.name));
    } else if (floor) {
        const auto wanted = static_cast<double>(*floor);
        const bool told = m_told.contains(floorTrouble(server.name));
        if (static_cast<double>(*server.freeBytes) < wanted * (told ? 1.2 : 1.1)) {
            now[floorTrouble(server.name)] = { NotificationKind::Disk, tr("The disk is nearly full"),
                tr("%1 are free where %2 keeps its snapshots, and %3 shall stay free: soon nothing is saved.")
                    .arg(localeBytes(*server.freeBytes), server.name, localeBytes(*floor)) };
        }
    }
}

void NotificationPresenter::addStorage(const StatusView &status, Troubles &now, QStringList &unknown) const
{
    if (!m_limits.limits().known) {
        unknown.append(quotaTrouble());
        return;
    }
    const std::optional<qint64> quota = m_limits.limits().maxTotalBytes;
    if (!quota) {
        return;
    }
    const double share = static_cast<double>(status.snapshots.bytes) / static_cast<double>(*quota);
    if (share >= (m_told.contains(quotaTrouble()) ? c_roomAgain : c_nearlyFull)) {
        now[quotaTrouble()] = { NotificationKind::Disk, tr("Storage is nearly full"),
            tr("Snapshots take %1 of the %2 they may. The oldest that are not pinned make room for new ones.")
                .arg(localeBytes(status.snapshots.bytes), localeBytes(*quota)) };
    }
}

} // namespace kv
