// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"
#include "status.h"

#include <array>
#include <optional>

namespace kv {

/// What the tray icon and the sign of a server say at a glance.
enum class TrayState {
    Warm, ///< all is well and nothing runs
    Working, ///< a request, a save or a restore runs
    Degraded, ///< works in part: the server fails, cannot save, or does not reuse what is restored
    Paused, ///< persistence rests, by hand or by configuration
    ServerAway,
    DaemonAway,
};

inline constexpr std::array<TrayState, 6> c_trayStates { TrayState::Warm, TrayState::Working,
    TrayState::Degraded, TrayState::Paused, TrayState::ServerAway, TrayState::DaemonAway };

/// Of one server; never DaemonAway.
TrayState trayStateOf(const ServerView &server);
/// Of all. A server that is away counts only when no other is there: who has two rarely runs both.
TrayState trayStateOf(const std::optional<StatusView> &status);
/// A few words, translated: "All sessions are warm".
QString trayStateText(TrayState state);

} // namespace kv
