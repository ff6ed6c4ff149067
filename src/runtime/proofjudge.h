// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QString>

namespace kv {

/// What `doctor --verify` measured. A prompt's tokens, and how many of them needed no processing.
struct ProofNumbers {
    qint64 saved = 0; ///< tokens in the file: the prompt, and nothing else
    Usage cold; ///< the prompt, which the server has never seen
    Usage residentSame; ///< again, while the slot still held it
    Usage residentContinued; ///< and a longer one that begins with it
    Usage control; ///< the prompt in the erased slot, with nothing restored
    Usage same; ///< after a restore
    Usage continued; ///< after another one
    bool whole = true; ///< each restore gave as many tokens and bytes as were saved
    bool undisturbed = true; ///< nobody else was seen to use the server meanwhile
};

enum class ProofVerdict { Supported, Broken, NotProved };
struct ProofJudgement {
    ProofVerdict verdict = ProofVerdict::NotProved;
    QString why; ///< for the user
    QString remedy;
};

/// Pure. `Supported` only if nothing but the restore can have been what was reused; `Broken` only if the
/// server reuses what it holds, and not what was restored, and nobody can have disturbed it.
ProofJudgement judgeProof(const ProofNumbers &numbers);

} // namespace kv
