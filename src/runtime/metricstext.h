// SPDX-License-Identifier: MIT
#pragma once

#include "counters.h"

#include <QString>

#include <vector>

namespace kv {

/// One server's part of the metrics.
struct MeteredServer {
    QString name;
    const Counters *counters = nullptr; ///< never null
    qint64 snapshots = 0;
    qint64 snapshotBytes = 0;
    QString state = {}; ///< `backend.state` of the protocol
    bool breakerOpen = false;
    bool paused = false;
    qint64 slots = 0;
    qint64 dirtySlots = 0;
    qint64 waiting = 0;
    qint64 bytesWrittenToday = 0;
    bool budgetSpent = false;
    bool diskShort = false;
    qint64 diskFreeBytes = -1; ///< −1: not known, and not shown
};

struct MeteredDaemon {
    QString version;
    qint64 startedWallMs = 0;
    std::vector<MeteredServer> servers = {};
};

/// The text format of Prometheus: each metric once, with a line for each server. Pure. No label holds a
/// session.
QString prometheusText(const MeteredDaemon &daemon);

} // namespace kv
