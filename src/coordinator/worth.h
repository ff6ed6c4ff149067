// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

namespace kv {

/// "Is it worth it": what is known of a runtime's speed, for deciding on one checkpoint. 0 where not measured
/// yet; what is not known never speaks against a save.
struct WorthInput {
    SaveReason reason = SaveReason::Idle;
    qint64 tokens = 0; ///< in the slot
    qint64 snapshotTokens
        = 0; ///< of the last snapshot, while it is still a beginning of the slot's content; else 0
    double bytesPerToken = 0;
    double prefillPerSecond = 0; ///< tokens
    double savePerSecond = 0; ///< bytes
    double restorePerSecond = 0; ///< bytes
    qint64 minTokens = -1; ///< −1: auto
    qint64 bytesWrittenToday = 0;
    qint64 maxBytesPerDay = 0; ///< 0: no bound
};

enum class Worth {
    Yes,
    Small, ///< fewer tokens than configured, or restoring them takes longer than processing them
    LittleNew, ///< a large state with little that is not in the last snapshot: a later save is better
    BudgetSpent, ///< bytes for today: only switches, flushes and shutdowns still save
};

/// Whether what a slot holds may be saved, and is to be.
enum class Savable { Yes, No, Unwanted };
struct SaveCheck {
    Savable savable = Savable::Yes;
    QString why;
};

/// Pure. Manual saves are always worth it.
Worth judgeWorth(const WorthInput &input);
QString toString(Worth worth);

} // namespace kv
