// SPDX-License-Identifier: MIT
#pragma once

#include "replay.h"

#include <QStringList>

namespace kv {

/// An event of a journal in words.
QString eventText(const Event &event);
/// An effect in words; empty: one that only `all` shows.
QString effectText(const Effect &effect, bool all);
/// A step as lines: time and event, slots' states, effects. `all`: every field and effect.
QStringList replayLines(const ReplayStep &step, bool all);
QStringList summaryLines(const ReplaySummary &summary, const JournalHead &head);

} // namespace kv
