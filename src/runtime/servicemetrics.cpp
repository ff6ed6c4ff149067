// SPDX-License-Identifier: MIT
// RuntimeService: what is measured.
#include "metricstext.h"
#include "runtimeservice.h"

#include <algorithm>

namespace kv {

namespace {

MeteredServer metered(const ServerRuntime &runtime, const Counters &counters)
{
    const Coordinator &coordinator = runtime.coordinator();
    MeteredServer out { runtime.server().name, &counters };
    out.snapshots = coordinator.index().count();
    for (const auto &[session, rows] : coordinator.index().all()) {
        for (const Snapshot &row : rows) {
            out.snapshotBytes += coordinator.index().isFree(row) ? 0 : row.bytes;
        }
    }
    out.state = runtime.state();
    out.breakerOpen = coordinator.breaker().isOpen();
    out.paused = coordinator.isPaused();
    if (!runtime.isRouter()) { // its models have the slots
        const auto &table = coordinator.slotTable();
        out.slots = static_cast<qint64>(table.size());
        out.dirtySlots
            = std::count_if(table.begin(), table.end(), [](const auto &one) { return one.second.isDirty(); });
    }
    out.waiting = static_cast<qint64>(coordinator.waiting());
    out.bytesWrittenToday = coordinator.bytesWrittenToday(runtime.now().wallMs);
    out.budgetSpent = coordinator.isBudgetSpent();
    out.diskShort = coordinator.diskRoom().isShort();
    out.diskFreeBytes = coordinator.diskRoom().freeBytes();
    return out;
}

} // namespace

QString RuntimeService::metricsText() const
{
    MeteredDaemon daemon { QStringLiteral(KV_PERSIST_VERSION), m_startedAt.wallMs };
    for (const auto &[name, server] : m_servers) {
        daemon.servers.push_back(metered(*server->runtime, *server->counters));
    }
    return prometheusText(daemon);
}

} // namespace kv
