// SPDX-License-Identifier: MIT
#include "proofjudge.h"

#include "reuse.h"

namespace kv {

namespace {

Verdict verdictOf(const ProofNumbers &numbers, const Usage &usage)
{
    return judgeReuse(numbers.saved, usage).verdict;
}

ProofJudgement notProved(const QString &why, const QString &remedy)
{
    return { ProofVerdict::NotProved, why, remedy };
}

QString onceMore()
{
    return QStringLiteral("Run “kv-persist doctor --verify” again while the server is idle.");
}

} // namespace

ProofJudgement judgeProof(const ProofNumbers &numbers)
{
    for (const Usage *usage : { &numbers.cold, &numbers.control }) {
        const Verdict unearned = verdictOf(numbers, *usage);
        if (unearned == Verdict::Unknown) {
            return notProved(
                QStringLiteral("the server does not tell how much of a prompt it reused"), onceMore());
        }
        if (unearned != Verdict::None) {
            return notProved(
                QStringLiteral(
                    "the server reused %1 of %2 tokens without a restore, so what it reuses after one "
                    "proves nothing")
                    .arg(usage->cachedTokens)
                    .arg(usage->promptTokens),
                QStringLiteral("Start llama-server with --cache-ram 0 for the proof, then verify again."));
        }
    }
    const Verdict continued = verdictOf(numbers, numbers.continued);
    const Verdict same = verdictOf(numbers, numbers.same);
    const bool residentSame = verdictOf(numbers, numbers.residentSame) == Verdict::Verified;
    const bool residentContinued = verdictOf(numbers, numbers.residentContinued) == Verdict::Verified;
    if (!numbers.whole) {
        return notProved(QStringLiteral("a restore did not give back all that was saved"),
            QStringLiteral("Look at the server's log and at the disk of its slot folder."));
    }
    if (continued == Verdict::Verified && (same == Verdict::Verified || !residentSame)) {
        return { ProofVerdict::Supported,
            QStringLiteral("%1 of %2 restored tokens were reused")
                .arg(numbers.continued.cachedTokens)
                .arg(numbers.saved),
            {} };
    }
    const bool nothing = continued == Verdict::None && same == Verdict::None;
    if (nothing && !residentContinued) {
        return notProved(QStringLiteral("this server reuses no prompt, not even what a slot still holds"),
            QStringLiteral("A newer llama-server may keep context checkpoints for this kind of model."));
    }
    if (!numbers.undisturbed) {
        return notProved(
            QStringLiteral("somebody else used the server meanwhile, which may have emptied the slot"),
            onceMore());
    }
    if (nothing) {
        return { ProofVerdict::Broken,
            QStringLiteral(
                "the server answers that it restored %1 tokens and then reuses none of them, though it "
                "reuses what a slot still holds")
                .arg(numbers.saved),
            QStringLiteral(
                "Use a newer llama-server. “kv-persist resume” tries saving and restoring again.") };
    }
    return notProved(
        QStringLiteral(
            "only part of what was restored was reused: %1 of %2 tokens by the same prompt, %3 by a "
            "longer one")
            .arg(numbers.same.cachedTokens)
            .arg(numbers.saved)
            .arg(numbers.continued.cachedTokens),
        onceMore());
}

} // namespace kv
