// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "event.h"
#include "snapshotindex.h"

#include <QString>

#include <vector>

namespace kv {

/// One snapshot that retention looks at.
struct RetentionRow {
    QString server;
    const Snapshot *row = nullptr;
    bool invalid = false;
    bool active = false; ///< its session owns a slot now
};

struct Removal {
    QString server;
    QString session;
    QString label;
    QString fingerprintHash;
    QString reason; ///< "invalid", "age", "count", "size"
    qint64 bytes = 0;
};

/// What the rules let go, in this order: invalid ones, those past their age (at most a tenth of all in one
/// pass), then the oldest unused until the count and the bytes fit. Pinned and active ones never. Pure.
std::vector<Removal> chooseRemovals(
    std::vector<RetentionRow> rows, const RetentionConfig &rules, qint64 wallMs);

} // namespace kv
