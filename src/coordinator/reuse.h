// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

namespace kv {

/// The verdict on one restore (design §8).
struct Reuse {
    Verdict verdict = Verdict::Unknown;
    qint64 expected
        = 0; ///< min(restored, promptTokens − 1): asking the saved prompt again reuses all but one token
    qint64 actual = 0;
};

/// Invariant 10: a restore that answered 200 is proved only by the reuse that the next request shows.
/// `restored`: tokens brought back. Missing or 0/0 usage is no verdict.
Reuse judgeReuse(qint64 restored, const Usage &usage);

/// The event that tells a verdict (never Unknown).
QStringView reuseEvent(Verdict verdict);

/// The count a slot must show after a finished request: prompt + completion − 1; −1: not known.
qint64 expectedSlotTokens(const Usage &usage);
/// True when a slot's count is so far from the expected one that somebody else must have used it:
/// more than max(8, 1 %).
bool looksForeign(qint64 shown, qint64 expected);

} // namespace kv
