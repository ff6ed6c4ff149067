// SPDX-License-Identifier: MIT
#include "reuseproof.h"

#include <QStringList>

#include <algorithm>

namespace kv {

namespace {
constexpr std::size_t c_sessionsForBroken = 2;
constexpr int c_verifiedForSupported = 3;
constexpr int c_deathsForStop = 2;
constexpr std::size_t c_sessionsKept = 10000;
}

void ReuseProof::noteStable(const QString &session)
{
    if (m_stable.size() < c_sessionsKept) {
        m_stable.insert(session);
    }
}

ReuseProof::Finding ReuseProof::note(const QString &session, Verdict verdict, bool judged, bool afterRestart)
{
    Finding finding;
    if (verdict == Verdict::Verified) {
        m_verified = std::min(m_verified + 1, c_verifiedForSupported);
        m_verifiedAfterRestart = m_verifiedAfterRestart || afterRestart;
        m_deaths = 0; // restoring works: a server that ended meanwhile had its own reasons
        m_reusedNothing.clear(); // it can reuse, so what failed was the prompts'
        m_drifting.erase(session);
        return finding;
    }
    if (verdict == Verdict::Partial) {
        m_drifting.erase(session);
        return finding;
    }
    if (verdict != Verdict::None || !judged) {
        return finding;
    }
    if (m_stable.contains(session) && m_verified == 0) {
        m_reusedNothing.insert(session);
        if (m_reusedNothing.size() >= c_sessionsForBroken && !m_broken) {
            m_broken = true;
            finding.becameBroken = true;
        }
        return finding;
    }
    if (m_drifting.size() < c_sessionsKept) {
        m_drifting.insert(session);
    }
    finding.prompts = true;
    return finding;
}

bool ReuseProof::noteDeath()
{
    m_deaths = std::min(m_deaths + 1, c_deathsForStop);
    return restoresStopped();
}

bool ReuseProof::restoresStopped() const { return m_deaths >= c_deathsForStop; }

Compatibility ReuseProof::compatibility() const
{
    if (m_broken) {
        return Compatibility::Broken;
    }
    if (m_supported || (m_verified >= c_verifiedForSupported && m_verifiedAfterRestart)) {
        return Compatibility::Supported;
    }
    return m_verified > 0 ? Compatibility::Experimental : Compatibility::Unknown;
}

void ReuseProof::judgedByDoctor(bool works, bool afterRestart)
{
    m_supported = works;
    m_broken = !works;
    if (works) {
        m_verifiedAfterRestart = m_verifiedAfterRestart || afterRestart;
        m_deaths = 0;
        m_reusedNothing.clear();
    }
}

void ReuseProof::reset()
{
    m_broken = false;
    m_deaths = 0;
    m_reusedNothing.clear();
    m_drifting.clear();
}

QString ReuseProof::toText() const
{
    return QStringLiteral("%1 %2 %3 %4 %5")
        .arg(m_verified)
        .arg(m_verifiedAfterRestart ? 1 : 0)
        .arg(m_supported ? 1 : 0)
        .arg(m_broken ? 1 : 0)
        .arg(m_deaths);
}

ReuseProof ReuseProof::fromText(const QString &text)
{
    ReuseProof proof;
    const QStringList parts = text.split(QLatin1Char(' '));
    if (parts.size() == 4 || parts.size() == 5) {
        proof.m_verified = std::clamp(parts[0].toInt(), 0, c_verifiedForSupported);
        proof.m_verifiedAfterRestart = parts[1] == QStringLiteral("1");
        proof.m_supported = parts[2] == QStringLiteral("1");
        proof.m_broken = parts[3] == QStringLiteral("1");
        proof.m_deaths = parts.size() == 5 ? std::clamp(parts[4].toInt(), 0, c_deathsForStop) : 0;
    }
    return proof;
}

} // namespace kv
