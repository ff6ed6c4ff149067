// SPDX-License-Identifier: MIT
#include "namepool.h"

#include <algorithm>

namespace kv {

namespace {
constexpr NameNumber c_lowWater = 4;
}

NamePool::NamePool(NameNumber highWater)
    : m_highWater(highWater)
{
}

NameNumber NamePool::take()
{
    for (NameNumber number = 0; number < m_highWater; ++number) {
        if (!m_held.contains(number) && !m_resting.contains(number)) {
            m_held.insert(number);
            return number;
        }
    }
    return -1;
}

void NamePool::hold(NameNumber number) { m_held.insert(number); }

void NamePool::release(NameNumber number) { m_held.erase(number); }

bool NamePool::isHeld(NameNumber number) const { return m_held.contains(number); }

void NamePool::restUnheld()
{
    for (NameNumber number = 0; number < m_highWater; ++number) {
        if (!m_held.contains(number)) {
            m_resting.insert(number);
        }
    }
}

void NamePool::endRest() { m_resting.clear(); }

void NamePool::setHighWater(NameNumber mark) { m_highWater = std::max(m_highWater, mark); }

bool NamePool::isLow() const
{
    const auto used = static_cast<NameNumber>(m_held.size()) + static_cast<NameNumber>(m_resting.size());
    return m_highWater - used < c_lowWater;
}

} // namespace kv
