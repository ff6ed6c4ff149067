// SPDX-License-Identifier: MIT
// What a finished request proves: reuse of what was restored, and the server's speed.
#include "coordinator.h"
#include "eventname.h"
#include "reuse.h"

namespace kv {

namespace {
constexpr qint64 c_leastTokensForARate = 256;

QString brokenText()
{
    return QStringLiteral("Restored states are not reused by this model with this build, so saving and "
                          "restoring rest for it. A newer llama-server may help; kv-persist resume tries "
                          "again.");
}
}

void Coordinator::judge(Slot &slot, const EndRequest &end, EndAnswer &answer)
{
    Ownership &owner = *slot.owner;
    const qint64 restored = owner.awaitedReuse;
    owner.awaitedReuse = -1;
    if (restored < 0) {
        if (owner.ownState && end.usage.cachedTokens > 0
            && 2 * end.usage.cachedTokens >= end.usage.promptTokens) {
            if (ReuseProof *proof = proofOf(owner.content)) {
                proof->noteStable(owner.session);
            }
        }
        return;
    }
    const Reuse reuse = judgeReuse(restored, end.usage);
    answer.verdict = reuse.verdict;
    answer.expected = reuse.expected;
    answer.actual = reuse.actual;
    if (reuse.verdict == Verdict::Unknown) {
        return;
    }
    if (reuse.verdict != Verdict::Verified) {
        answer.cause = owner.compactedHint ? QStringLiteral("the conversation was compacted")
            : end.usage.promptTokens < restored
            ? QStringLiteral("the prompt is shorter than what was restored")
            : QStringLiteral("the prompt changed, or this model cannot reuse it");
    }
    prove(owner, end, restored, answer);
    owner.compactedHint = false;
    Notice &proved = notice(reuseEvent(reuse.verdict), &slot);
    proved.tokens = reuse.actual;
    proved.reason = answer.cause;
    if (Snapshot *row = owner.content.fingerprint == nullptr
            ? nullptr
            : m_index.row(owner.session, owner.content.fingerprint->hash())) {
        row->verdict = reuse.verdict;
        putChanged(*row);
    }
}

ReuseProof *Coordinator::proofOf(const Identity &identity)
{
    return identity.fingerprint == nullptr ? nullptr : &m_proofs[identity.fingerprint->hash()];
}

void Coordinator::prove(const Ownership &owner, const EndRequest &end, qint64 restored, EndAnswer &answer)
{
    ReuseProof *proof = proofOf(owner.content);
    if (proof == nullptr) {
        return;
    }
    const bool judged = end.usage.promptTokens >= restored && !owner.compactedHint;
    const ReuseProof::Finding finding
        = proof->note(owner.session, *answer.verdict, judged, owner.restoredAcrossBoots);
    if (finding.prompts) {
        answer.cause = QStringLiteral("the prompt changes at its beginning from request to request");
    }
    if (finding.becameBroken) {
        answer.cause = QStringLiteral("this model and build do not reuse restored states");
        m_trouble = brokenText();
        notice(eventname::persistencePaused).reason = m_trouble;
    }
}

void Coordinator::on(const Verified &event)
{
    if (!m_identity.known() || m_identity.boot != event.boot
        || m_identity.fingerprint->hash() != event.fingerprintHash) {
        return; // of another process or runtime than the one that it would be said of
    }
    ReuseProof &proof = *proofOf(m_identity);
    const bool rested = proof.isBroken() || proof.restoresStopped();
    proof.judgedByDoctor(event.works, event.acrossRestart);
    if (!event.works && !rested) {
        m_trouble = brokenText();
        notice(eventname::persistencePaused).reason = m_trouble;
    } else if (event.works && rested) {
        m_trouble.clear();
        notice(eventname::persistenceResumed);
    }
}

bool Coordinator::restoresStopped() const
{
    const auto found
        = m_identity.fingerprint == nullptr ? m_proofs.end() : m_proofs.find(m_identity.fingerprint->hash());
    return found != m_proofs.end() && found->second.restoresStopped();
}

Compatibility Coordinator::compatibility() const
{
    const auto found
        = m_identity.fingerprint == nullptr ? m_proofs.end() : m_proofs.find(m_identity.fingerprint->hash());
    return found == m_proofs.end() ? Compatibility::Unknown : found->second.compatibility();
}

std::map<QString, QString> Coordinator::keptProofs() const
{
    std::map<QString, QString> texts;
    for (const auto &[hash, proof] : m_proofs) {
        texts.emplace(hash, proof.toText());
    }
    return texts;
}

QString Coordinator::proofText(const QString &fingerprintHash) const
{
    const auto found = m_proofs.find(fingerprintHash);
    return found == m_proofs.end() ? QString() : found->second.toText();
}

void Coordinator::learnRates(const EndRequest &end)
{
    const bool ofAnother = m_ratesOf != nullptr
        && (!m_identity.known() || m_identity.fingerprint->hash() != m_ratesOf->hash());
    if (end.outcome != EndOutcome::Ok || ofAnother) {
        return;
    }
    const qint64 processed = end.timings.promptTokens >= 0 ? end.timings.promptTokens
        : end.usage.promptTokens > 0 && end.usage.cachedTokens >= 0
        ? end.usage.promptTokens - end.usage.cachedTokens
        : -1;
    const double ms = end.timings.promptMs > 0 ? end.timings.promptMs : end.timings.firstChunkMs;
    if (processed >= c_leastTokensForARate && ms > 0) {
        m_rates.prefillPerSecond = static_cast<double>(processed) * 1000 / ms;
    }
    if (end.timings.predictedTokens > 1 && end.timings.predictedMs > 0) {
        m_rates.generatePerSecond
            = static_cast<double>(end.timings.predictedTokens) * 1000 / end.timings.predictedMs;
    }
}

void Coordinator::useRatesOf(const Identity &identity)
{
    if (!identity.known() || (m_ratesOf != nullptr && m_ratesOf->hash() == identity.fingerprint->hash())) {
        return;
    }
    // The same runtime, of which another field is known by now, is as fast as before.
    const bool same
        = m_ratesOf == nullptr || !compareFingerprints(*m_ratesOf, *identity.fingerprint, 0).has_value();
    const auto kept = m_keptRates.find(identity.fingerprint->hash());
    if (m_ratesOf != nullptr) {
        m_keptRates[m_ratesOf->hash()] = m_rates;
    }
    if (kept != m_keptRates.end()) {
        m_rates = kept->second;
    } else if (!same) {
        m_rates = {};
    }
    m_ratesOf = identity.fingerprint;
}

std::map<QString, QString> Coordinator::keptRates() const
{
    std::map<QString, QString> out;
    for (const auto &[hash, rates] : m_keptRates) {
        out.emplace(hash, ratesToText(rates));
    }
    if (m_ratesOf != nullptr) {
        out[m_ratesOf->hash()] = ratesToText(m_rates);
    }
    return out;
}

} // namespace kv
