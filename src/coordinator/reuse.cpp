// SPDX-License-Identifier: MIT
#include "reuse.h"

#include "eventname.h"

#include <algorithm>

namespace kv {

Reuse judgeReuse(qint64 restored, const Usage &usage)
{
    Reuse reuse;
    if (usage.promptTokens <= 0 || usage.cachedTokens < 0 || restored <= 0) {
        return reuse;
    }
    reuse.expected = std::min(restored, usage.promptTokens - 1);
    reuse.actual = usage.cachedTokens;
    if (reuse.expected <= 0) {
        return reuse;
    }
    // In whole numbers: ≥ 90 %, < 10 %.
    if (reuse.actual * 10 >= reuse.expected * 9) {
        reuse.verdict = Verdict::Verified;
    } else if (reuse.actual * 10 < reuse.expected) {
        reuse.verdict = Verdict::None;
    } else {
        reuse.verdict = Verdict::Partial;
    }
    return reuse;
}

QStringView reuseEvent(Verdict verdict)
{
    return verdict == Verdict::Verified ? eventname::reuseVerified
        : verdict == Verdict::Partial   ? eventname::reusePartial
                                        : eventname::reuseNone;
}

qint64 expectedSlotTokens(const Usage &usage)
{
    if (usage.promptTokens <= 0 || usage.completionTokens < 0) {
        return -1;
    }
    return usage.promptTokens + usage.completionTokens - (usage.completionTokens > 0 ? 1 : 0);
}

bool looksForeign(qint64 shown, qint64 expected)
{
    if (expected < 0) {
        return false;
    }
    const qint64 slack = std::max<qint64>(8, expected / 100);
    return std::abs(shown - expected) > slack;
}

} // namespace kv
