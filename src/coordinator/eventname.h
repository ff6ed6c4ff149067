// SPDX-License-Identifier: MIT
#pragma once

#include <QStringView>

/// Names of the events that subscribers, logs and counters see (PROTOCOL.md lists them; a test compares).
namespace kv::eventname {
inline constexpr QStringView backendReady = u"kv.backend.ready";
inline constexpr QStringView backendUnavailable = u"kv.backend.unavailable";
inline constexpr QStringView slotAcquire = u"kv.slot.acquire";
inline constexpr QStringView slotRelease = u"kv.slot.release";
inline constexpr QStringView slotState = u"kv.slot.state";
inline constexpr QStringView sessionCold = u"kv.session.cold";
inline constexpr QStringView sessionBased = u"kv.session.based";
inline constexpr QStringView sessionSwitch = u"kv.session.switch";
inline constexpr QStringView restoreStart = u"kv.session.restore.start";
inline constexpr QStringView restoreSuccess = u"kv.session.restore.success";
inline constexpr QStringView restoreFailed = u"kv.session.restore.failed";
inline constexpr QStringView saveStart = u"kv.session.save.start";
inline constexpr QStringView saveSuccess = u"kv.session.save.success";
inline constexpr QStringView saveFailed = u"kv.session.save.failed";
inline constexpr QStringView snapshotSaved = u"kv.snapshot.saved";
inline constexpr QStringView snapshotChanged = u"kv.snapshot.changed";
inline constexpr QStringView snapshotRemoved = u"kv.snapshot.removed";
inline constexpr QStringView snapshotInvalidated = u"kv.snapshot.invalidated";
inline constexpr QStringView circuitOpen = u"kv.persistence.circuit_open";
inline constexpr QStringView circuitRecovered = u"kv.persistence.circuit_recovered";
inline constexpr QStringView persistencePaused = u"kv.persistence.paused";
inline constexpr QStringView persistenceResumed = u"kv.persistence.resumed";
inline constexpr QStringView reuseEarly = u"kv.reuse.early";
inline constexpr QStringView reuseVerified = u"kv.reuse.verified";
inline constexpr QStringView reusePartial = u"kv.reuse.partial";
inline constexpr QStringView reuseNone = u"kv.reuse.none";
inline constexpr QStringView prefixChanged = u"kv.prefix.changed";
inline constexpr QStringView stats = u"kv.stats";
inline constexpr QStringView configReloaded = u"kv.config.reloaded";
inline constexpr QStringView operationProgress = u"kv.operation.progress";
} // namespace kv::eventname
