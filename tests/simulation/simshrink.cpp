// SPDX-License-Identifier: MIT
#include "simshrink.h"

#include <algorithm>

namespace kv::sim {

namespace {
constexpr int c_mostRuns = 3000;
}

std::optional<Violation> firstViolation(
    const Setup &setup, const Trace &trace, Sabotage sabotage, Tally *tally)
{
    World world(setup, sabotage);
    for (const Step &step : trace) {
        world.apply(step);
        if (!world.violations().empty()) {
            return world.violations().front();
        }
    }
    world.comeToRest();
    if (tally != nullptr) {
        tally->add(world.tally());
    }
    if (!world.violations().empty()) {
        return world.violations().front();
    }
    return std::nullopt;
}

Trace shrunk(const Setup &setup, Trace trace, const QString &rule, Sabotage sabotage)
{
    int runs = 0;
    const auto fails = [&](const Trace &candidate) {
        ++runs;
        const std::optional<Violation> found = firstViolation(setup, candidate, sabotage);
        return found && found->rule == rule;
    };
    std::size_t chunk = std::max<std::size_t>(1, trace.size() / 2);
    while (runs < c_mostRuns) {
        bool shorter = false;
        for (std::size_t at = 0; at < trace.size() && runs < c_mostRuns;) {
            Trace candidate = trace;
            const auto from = candidate.begin() + static_cast<std::ptrdiff_t>(at);
            candidate.erase(from,
                candidate.begin() + static_cast<std::ptrdiff_t>(std::min(at + chunk, candidate.size())));
            if (fails(candidate)) {
                trace = std::move(candidate);
                shorter = true;
            } else {
                at += chunk;
            }
        }
        if (chunk == 1 && !shorter) {
            break;
        }
        chunk = std::max<std::size_t>(1, chunk / 2);
    }
    return trace;
}

} // namespace kv::sim
