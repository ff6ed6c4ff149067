// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "event.h"
#include "snapshotindex.h"

#include <QString>

#include <functional>
#include <vector>

namespace kv {

/// One snapshot that retention looks at.
struct RetentionRow {
    QString server;
    const Snapshot *row = nullptr;
    bool invalid = false;
    bool active = false; ///< its session owns a slot now
    QString
        device; ///< of its file, where letting that go frees space there; empty: it does not, or not known
};

/// A file system that has less free than it should.
struct DiskShortage {
    QString device;
    qint64 bytes = 0;
};

/// What the rules are applied to besides the rows.
struct RetentionFacts {
    qint64 wallMs = 0;
    /// Days on which the daemon ran after the day of a time (Unix ms): what a machine that was switched off
    /// ages nothing. Empty: all days.
    std::function<qint64(qint64 sinceWallMs)> daysRun;
    std::vector<DiskShortage> shortages;
    /// Invalid rows go though nothing presses. False: they stay to be seen, and go first when something does.
    bool invalidGo = true;
};

struct Removal {
    QString server;
    QString session;
    QString label;
    QString fingerprintHash;
    QString reason; ///< "invalid", "unused", "age", "count", "size", "free-space"
    qint64 bytes = 0; ///< that it frees: none where another row names the file, too
};

/// A sub-agent that has not been seen for this long was disposed of, though nobody said so.
inline constexpr qint64 c_subagentForgottenMs = 3'600'000;

/// A base that no session has started from on so many days is of no use: whoever made it has changed its
/// prompt.
inline constexpr qint64 c_baseUnusedDays = 14;

/// What the rules let go, in this order: invalid ones, unused bases, those past their age (at most a tenth of
/// all in one pass), then as many as have to go until the count, the bytes and the free space fit. Sub-agents
/// that are done go before others, and those unused longest before others. Pinned and active ones never.
/// For bytes and free space a session's snapshot and the base that shares its file go together. Pure.
std::vector<Removal> chooseRemovals(
    std::vector<RetentionRow> rows, const RetentionConfig &rules, const RetentionFacts &facts);

} // namespace kv
