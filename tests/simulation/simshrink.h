// SPDX-License-Identifier: MIT
#pragma once

#include "simtrace.h"
#include "simworld.h"

namespace kv::sim {

/// Runs a trace in a new world. Nothing when no rule is broken.
[[nodiscard]] std::optional<Violation> firstViolation(
    const Setup &setup, const Trace &trace, Sabotage sabotage = Sabotage::None, Tally *tally = nullptr);
/// A shorter trace that breaks the same rule: chunks are left out, then single steps, as long as that goes
/// (delta debugging). Deterministic.
[[nodiscard]] Trace shrunk(
    const Setup &setup, Trace trace, const QString &rule, Sabotage sabotage = Sabotage::None);

} // namespace kv::sim
