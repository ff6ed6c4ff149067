// SPDX-License-Identifier: MIT
#include "trayiconstate.h"

#include <QCoreApplication>

#include <algorithm>

namespace kv {

namespace {

class TrayStateText final {
    Q_DECLARE_TR_FUNCTIONS(kv::TrayStateText)

public:
    static QString of(TrayState state)
    {
        switch (state) {
        case TrayState::Warm:
            return tr("All sessions are warm");
        case TrayState::Working:
            return tr("Working");
        case TrayState::Degraded:
            return tr("Needs attention");
        case TrayState::Paused:
            return tr("Paused");
        case TrayState::ServerAway:
            return tr("No server answers");
        case TrayState::DaemonAway:
            return tr("The daemon is away");
        }
        return {};
    }
};

bool isDegraded(const ServerView &server)
{
    using State = BackendView::State;
    const State state = server.backend.state;
    return state == State::Degraded || state == State::Open || state == State::HalfOpen
        || state == State::Unsupported || server.compatibility == ServerView::Compatibility::Broken
        || std::any_of(server.slotList.begin(), server.slotList.end(),
            [](const SlotView &slot) { return slot.state == SlotView::State::Broken; });
}

bool isWorking(const ServerView &server)
{
    return std::any_of(server.slotList.begin(), server.slotList.end(),
        [](const SlotView &slot) { return slot.running.has_value(); });
}

} // namespace

TrayState trayStateOf(const ServerView &server)
{
    if (server.backend.state == BackendView::State::Unreachable) {
        return TrayState::ServerAway;
    }
    if (isDegraded(server)) {
        return TrayState::Degraded;
    }
    if (server.paused) {
        return TrayState::Paused;
    }
    return isWorking(server) ? TrayState::Working : TrayState::Warm;
}

TrayState trayStateOf(const std::optional<StatusView> &status)
{
    if (!status) {
        return TrayState::DaemonAway;
    }
    if (!status->enabled) {
        return TrayState::Paused;
    }
    const auto any = [&status](TrayState state) {
        return std::any_of(status->servers.begin(), status->servers.end(),
            [state](const ServerView &server) { return trayStateOf(server) == state; });
    };
    for (const TrayState state : { TrayState::Degraded, TrayState::Working, TrayState::Warm }) {
        if (any(state)) {
            return state;
        }
    }
    return any(TrayState::Paused) ? TrayState::Paused : TrayState::ServerAway;
}

QString trayStateText(TrayState state) { return TrayStateText::of(state); }

} // namespace kv
