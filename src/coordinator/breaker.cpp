// SPDX-License-Identifier: MIT
#include "breaker.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_longestPauseMs = 15LL * 60 * 1000;
}

Breaker::Breaker(int maxFailures, qint64 cooldownMs)
    : m_maxFailures(maxFailures)
    , m_cooldownMs(cooldownMs)
{
}

void Breaker::configure(int maxFailures, qint64 cooldownMs)
{
    m_maxFailures = maxFailures;
    m_cooldownMs = cooldownMs;
}

void Breaker::open(qint64 monoMs)
{
    m_pauseMs = m_pauseMs == 0 ? m_cooldownMs : std::min(m_pauseMs * 2, c_longestPauseMs);
    m_probeDueMs = monoMs + m_pauseMs;
    m_state = BreakerState::Open;
    m_onProbation = false;
}

bool Breaker::failed(qint64 monoMs)
{
    if (isOpen()) {
        return false; // an answer that was under way when it opened
    }
    ++m_failures;
    if (m_failures >= m_maxFailures || m_onProbation) {
        open(monoMs);
        return true;
    }
    m_state = BreakerState::Degraded;
    return false;
}

bool Breaker::succeeded()
{
    if (isOpen()) {
        return false;
    }
    const bool wasIll = m_state != BreakerState::Healthy;
    reset();
    return wasIll;
}

void Breaker::probeStarted()
{
    if (m_state == BreakerState::Open) {
        m_state = BreakerState::HalfOpen;
    }
}

bool Breaker::probeFinished(bool ok, qint64 monoMs)
{
    if (m_state != BreakerState::HalfOpen) {
        return false;
    }
    if (!ok) {
        open(monoMs);
        return false;
    }
    m_state = BreakerState::Healthy;
    m_failures = 0;
    m_onProbation = true;
    return true;
}

void Breaker::reset()
{
    m_state = BreakerState::Healthy;
    m_failures = 0;
    m_pauseMs = 0;
    m_probeDueMs = -1;
    m_onProbation = false;
}

} // namespace kv
