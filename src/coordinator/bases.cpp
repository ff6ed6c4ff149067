// SPDX-License-Identifier: MIT
// Warm from the first request: a session without a snapshot starts from a beginning that it shares with
// others, or from the session that it was branched from. What it gets that way is never its own state: the
// server compares prompts token by token, so that the worst is a cold prefill.
#include "coordinator.h"
#include "eventname.h"
#include "reuse.h"

#include <algorithm>

namespace kv {

namespace {

/// Less than this is what any two prompts of one template have in common.
constexpr qint64 c_leastShared = 64;
constexpr qint64 c_leastPart = 10; ///< of a whole base: who shares less than a tenth of it begins otherwise
constexpr int c_missesForWrong = 2;
constexpr int c_fallsForRefresh = 2;
constexpr std::size_t c_keysKept = 1000;

bool isWorthRestoring(double bytes, qint64 shared, const Rates &rates)
{
    // Where it is not known how much is shared, or how fast the server is, that speaks for trying.
    if (shared < 0 || rates.prefillPerSecond <= 0 || rates.restorePerSecond <= 0) {
        return true;
    }
    return bytes / rates.restorePerSecond < static_cast<double>(shared) / rates.prefillPerSecond;
}

bool isWorthRestoring(const Snapshot &base, qint64 shared, const Rates &rates)
{
    return isWorthRestoring(static_cast<double>(base.bytes), shared, rates);
}

/// So much has to be seen to be reused before a prompt counts as one that begins like `tokens` others.
qint64 leastShared(qint64 tokens, qint64 promptTokens)
{
    return std::max(c_leastShared, std::min(tokens, promptTokens - 1) / c_leastPart);
}

/// Else the next session's snapshot takes its place.
bool isGood(const Snapshot &base, const Fingerprint &running)
{
    const SnapshotState state = SnapshotIndex::judge(base, &running).state;
    const bool untried = state == SnapshotState::Suspect && base.reason == c_uncleanStop;
    return (state == SnapshotState::Valid || untried) && base.falls < c_fallsForRefresh;
}

/// How much of the session that it was branched from a fork has in common with it; −1: not known, as that may
/// have gone on since.
qint64 sharedByFork(qint64 branchedAt, qint64 parentSeq, qint64 parentTokens)
{
    return branchedAt >= 0 && parentSeq >= 0 && parentSeq <= branchedAt ? parentTokens : -1;
}

QString wrongKey(const QString &base, const Fingerprint &runtime) { return base + u' ' + runtime.hash(); }

} // namespace

bool Coordinator::startBased(Slot &slot)
{
    Job &job = *slot.job;
    const BeginRequest &begin = job.waiter->begin;
    if (m_policy.coldStart != ColdStart::Base || !whyNoRestore(*job.waiter).isEmpty()) {
        return false;
    }
    const auto restore = [&](const Snapshot &row, JobSource source) {
        job.restoring = row;
        job.source = source;
        startCheckedRestore(slot);
        return true;
    };
    const auto leave = [&](const QString &key, qint64 shared) {
        job.restoring = {};
        job.restoring.session = key;
        job.restoring.prefixTokens = shared;
        job.source = JobSource::Left;
        grantFromJob(
            slot, Outcome::Based, QStringLiteral("the slot still holds a session that begins alike"));
        return true;
    };
    // Nothing leaves its provider.
    const bool rests = slot.owner && slot.owner->provider == begin.provider && !slot.owner->touched
        && !slot.owner->contaminated && !slot.unproven;
    if (!begin.fork.isEmpty()) {
        if (rests && slot.ownedBy(begin.fork)) {
            return leave(begin.fork, sharedByFork(begin.forkSeq, slot.owner->seq, slot.tokens.value_or(-1)));
        }
        const Snapshot *found = m_index.match(begin.fork, *m_identity.fingerprint).usable;
        if (found != nullptr && !found->base && found->provider == begin.provider) {
            Snapshot parent = *found;
            parent.prefixTokens = sharedByFork(begin.forkSeq, parent.sessionSeq, parent.tokens);
            return restore(parent, JobSource::Fork);
        }
    }
    if (begin.base.isEmpty()) {
        return false;
    }
    const Snapshot *base = m_index.bases().contains(begin.base)
        ? m_index.match(begin.base, *m_identity.fingerprint).usable
        : nullptr;
    if (rests && slot.owner->base == begin.base && (base == nullptr || !m_leftFails.contains(begin.base))) {
        return leave(begin.base, base != nullptr ? base->prefixTokens : -1);
    }
    return base != nullptr && isWorthRestoring(*base, base->prefixTokens, m_rates)
        && restore(*base, JobSource::Base);
}

Notice &Coordinator::restoreNotice(QStringView name, const Slot &slot)
{
    const Job &job = *slot.job;
    Notice &made = notice(name);
    made.slot = slot.key;
    made.session = job.restoring.session;
    made.label = job.restoring.label;
    made.provider = job.restoring.provider;
    made.model = job.restoring.model;
    made.what = toString(job.source);
    if (job.source != JobSource::Own && job.waiter) {
        made.session = job.waiter->begin.session; // for whom it is restored
        made.label = job.waiter->begin.label;
        made.model = job.waiter->begin.model;
    }
    return made;
}

bool Coordinator::isBaseWanted(const Ownership &owner) const
{
    if (m_policy.coldStart != ColdStart::Base || owner.base.isEmpty() || !owner.fresh
        || !owner.content.known()) {
        return false;
    }
    const bool onItsWay = std::any_of(m_commits.begin(), m_commits.end(), [&](const auto &entry) {
        return entry.second.row.session == owner.base || entry.second.base == owner.base;
    });
    const Snapshot *known = m_index.compatible(owner.base, *owner.content.fingerprint);
    const bool worth = known != nullptr && isWorthRestoring(*known, known->prefixTokens, m_rates);
    if (onItsWay || (worth && isGood(*known, *owner.content.fingerprint))) {
        return false;
    }
    // What was too long for the little that is shared of it does not come back: only a shorter one does.
    const auto wrong = m_wrongBases.find(wrongKey(owner.base, *owner.content.fingerprint));
    const qint64 shared = known != nullptr && !worth ? known->prefixTokens
        : wrong != m_wrongBases.end()                ? wrong->second
                                                     : -1;
    const double bytes = static_cast<double>(owner.expectedTokens) * m_rates.bytesPerToken;
    return shared < 0
        || (owner.expectedTokens > 0 && shared >= leastShared(owner.expectedTokens, owner.expectedTokens)
            && isWorthRestoring(bytes, shared, m_rates));
}

void Coordinator::keepAsBase(const Commit &commit)
{
    if (commit.base.isEmpty()) {
        return;
    }
    // A second reference to the file: nothing is written but the row.
    Commit base;
    base.row = commit.row;
    base.row.session = commit.base;
    base.row.base = true;
    base.row.source = commit.row.session;
    base.row.label.clear();
    base.row.sessionSeq = -1;
    base.row.subagent = false;
    base.row.pinned = false;
    base.row.verdict = Verdict::Unknown;
    base.row.createdWallMs = m_now.wallMs;
    base.row.lastRestoreWallMs = 0;
    base.row.usedSeq = m_useSeq++;
    base.slot.id = -1;
    base.reason = SaveReason::Base;
    StoreCommand command;
    command.kind = StoreCommand::Kind::PutSnapshot;
    command.snapshot = base.row;
    m_commits.emplace(store(std::move(command)), std::move(base));
}

void Coordinator::judgeBased(Slot &slot, const EndRequest &end, EndAnswer &answer)
{
    Ownership &owner = *slot.owner;
    const QString key = std::exchange(owner.basedOn, {});
    const Usage &usage = end.usage;
    if (key.isEmpty() || usage.promptTokens <= 0 || usage.cachedTokens < 0
        || owner.content.fingerprint == nullptr) {
        return;
    }
    const Snapshot *found
        = m_index.bases().contains(key) ? m_index.compatible(key, *owner.content.fingerprint) : nullptr;
    if (owner.basedTokens >= 0) {
        const Reuse reuse = judgeReuse(owner.basedTokens, usage);
        answer.verdict = reuse.verdict;
        answer.expected = reuse.expected;
    } else {
        // How much is shared shows only now.
        const qint64 least = leastShared(found != nullptr ? found->tokens : 0, usage.promptTokens);
        const bool shares = usage.cachedTokens >= least;
        answer.verdict = shares ? Verdict::Verified : Verdict::None;
        answer.expected = shares ? usage.cachedTokens : std::min(least, usage.promptTokens - 1);
    }
    if (*answer.verdict == Verdict::Unknown) {
        return;
    }
    answer.actual = usage.cachedTokens;
    const bool verified = *answer.verdict == Verdict::Verified;
    if (!verified) {
        answer.cause = QStringLiteral("the prompt does not begin as the session that it started from");
    }
    Notice &proved = notice(reuseEvent(*answer.verdict), &slot);
    proved.tokens = answer.actual;
    proved.reason = answer.cause;
    proved.what = toString(owner.basedBy);
    if (owner.basedBy == JobSource::Left && key == owner.base && !verified
        && m_leftFails.size() < c_keysKept) {
        m_leftFails.insert(key);
    }
    if (Snapshot *base = found == nullptr ? nullptr : m_index.row(key, found->fingerprint->hash());
        base != nullptr && owner.basedBy == JobSource::Base && base->name == owner.basedFile) {
        weighBase(*base, *answer.verdict, usage.cachedTokens);
    }
}

void Coordinator::weighBase(Snapshot &base, Verdict verdict, qint64 shared)
{
    const QString key = wrongKey(base.session, *base.fingerprint);
    // Until one has shared enough to be worth its restore it may be wrong, or too long.
    const bool pays = isWorthRestoring(base, shared, m_rates);
    const bool missed
        = verdict == Verdict::None || (verdict == Verdict::Verified && base.prefixTokens < 0 && !pays);
    base.verdict = verdict;
    base.misses = missed ? base.misses + 1 : 0;
    if (verdict == Verdict::Partial) {
        ++base.falls;
    } else if (verdict == Verdict::Verified && !missed) {
        base.falls = 0;
        base.prefixTokens = base.prefixTokens < 0 ? shared : base.prefixTokens;
        m_wrongBases.erase(key);
    }
    if (base.misses >= c_missesForWrong) {
        if (base.prefixTokens < 0 && m_wrongBases.size() < c_keysKept) {
            m_wrongBases[key] = shared;
        }
        removeRow(Snapshot(base), QStringLiteral("sessions that name it do not begin alike"));
        return;
    }
    putChanged(base); // past its falls, the next session's save takes its place
}

} // namespace kv
