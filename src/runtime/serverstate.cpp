// SPDX-License-Identifier: MIT
// ServerRuntime: what status shows of a server, and what is kept for the next run of the daemon.
#include "keptstate.h"
#include "serverruntime.h"
#include "snapshotstore.h"

namespace kv {

QString ServerRuntime::state() const
{
    if (!m_coordinator.unsupportedReason().isEmpty()) {
        return QStringLiteral("unsupported");
    }
    if (m_coordinator.breaker().isOpen()) {
        return toString(m_coordinator.breaker().state());
    }
    if (m_coordinator.isUnreachable()) {
        return QStringLiteral("unreachable");
    }
    if (m_coordinator.isSleeping()) {
        return isRouter() ? QStringLiteral("healthy") : QStringLiteral("sleeping");
    }
    if (m_coordinator.identity().boot.isEmpty()) {
        return QStringLiteral("unreachable");
    }
    return toString(m_coordinator.breaker().state());
}

QString ServerRuntime::stateMessage() const
{
    if (!m_coordinator.unsupportedReason().isEmpty()) {
        return m_coordinator.unsupportedReason();
    }
    const QString now = state();
    if (now == QStringLiteral("sleeping") && m_facts.router) {
        return QStringLiteral("the router has not loaded this model; its next request does");
    }
    if (now == QStringLiteral("healthy") || now == QStringLiteral("sleeping")) {
        return {};
    }
    return m_coordinator.trouble();
}

qint64 ServerRuntime::jobSinceWallMs(const SlotKey &slot) const
{
    const auto found = m_jobSince.find(slot);
    return found == m_jobSince.end() ? 0 : found->second;
}

void ServerRuntime::keepSettings()
{
    if (m_leaving) {
        return;
    }
    if (std::vector<NameNumber> purged = m_coordinator.purgedFiles(); purged != m_keptPurged) {
        m_store->submitSetting(m_settings.server.name, purgedSetting(), purgedText(purged));
        m_keptPurged = std::move(purged);
    }
    if (m_coordinator.nudgeBuilds() != m_keptNudges) {
        m_keptNudges = m_coordinator.nudgeBuilds();
        m_store->submitSetting(m_settings.server.name, nudgeSetting(), nudgeText(m_keptNudges));
    }
}

void ServerRuntime::noteState()
{
    const QString now = state();
    if (now != m_state) {
        m_state = now;
        m_stateSinceWallMs = m_clock->now().wallMs;
    }
}

void ServerRuntime::notePrefix(const QString &session, const QString &change)
{
    constexpr qsizetype maxNotes = 256; // more sessions than slots were never told of at once
    if (change.isEmpty()) {
        m_prefixNotes.remove(session);
        return;
    }
    if (m_prefixNotes.size() >= maxNotes) {
        m_prefixNotes.clear();
    }
    m_prefixNotes.insert(session, change);
}

} // namespace kv
