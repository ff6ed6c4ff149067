// SPDX-License-Identifier: MIT
#include "replay.h"

#include "eventname.h"

namespace kv {

std::map<SlotKey, ReplaySlot> Replay::slotsNow() const
{
    std::map<SlotKey, ReplaySlot> all;
    for (const auto &[key, slot] : m_coordinator->slotTable()) {
        all.emplace(key,
            ReplaySlot {
                key, stateOf(slot), slot.owner ? slot.owner->session : QString(), slot.tokens.value_or(-1) });
    }
    return all;
}

std::optional<ReplayStep> Replay::next()
{
    std::optional<JournalEntry> entry = m_reader.next();
    while (entry && std::holds_alternative<JournalStart>(*entry)) {
        auto &start = std::get<JournalStart>(*entry);
        m_coordinator = std::move(start.coordinator);
        m_runBegins = true;
        ++m_summary.runs;
        m_summary.first = m_summary.runs == 1 ? start.at : m_summary.first;
        m_summary.last = start.at;
        entry = m_reader.next();
    }
    if (!entry) {
        return {};
    }
    ReplayStep step;
    step.event = std::move(std::get<JournalEvent>(*entry));
    step.number = m_summary.events + 1;
    step.firstOfRun = std::exchange(m_runBegins, false);
    const std::map<SlotKey, ReplaySlot> before = slotsNow();
    step.effects = m_coordinator->handle(step.event.event, step.event.at);
    step.asRecorded = digestOf(step.effects) == step.event.digest;
    const std::map<SlotKey, ReplaySlot> after = slotsNow();
    for (const auto &[key, slot] : before) {
        const auto now = after.find(key);
        if (now == after.end()) {
            step.changes.push_back({ slot, {} });
        } else if (now->second != slot) {
            step.changes.push_back({ slot, now->second });
        }
    }
    for (const auto &[key, slot] : after) {
        if (!before.contains(key)) {
            step.changes.push_back({ {}, slot });
        }
    }
    count(step);
    return step;
}

void Replay::count(const ReplayStep &step)
{
    ++m_summary.events;
    m_summary.last = step.event.at;
    if (!step.asRecorded && m_summary.otherwise++ == 0) {
        m_summary.firstOtherwise = step.number;
    }
    for (const Effect &effect : step.effects) {
        if (const auto *grant = std::get_if<Grant>(&effect)) {
            ++m_summary.grants[grant->outcome];
        } else if (std::holds_alternative<Refuse>(effect)) {
            ++m_summary.refusals;
        } else if (const auto *answer = std::get_if<Answer>(&effect)) {
            m_summary.refusals += answer->result ? 0 : 1;
        } else if (const auto *emitted = std::get_if<Emit>(&effect)) {
            const QStringView name(emitted->notice.name);
            m_summary.saves += name == eventname::saveSuccess ? 1 : 0;
            m_summary.saveFailures += name == eventname::saveFailed ? 1 : 0;
            m_summary.restores += name == eventname::restoreSuccess ? 1 : 0;
            m_summary.restoreFailures += name == eventname::restoreFailed ? 1 : 0;
            m_summary.breaches += emitted->notice.code == errorCodeName(ErrorCode::Invariant) ? 1 : 0;
        }
    }
}

} // namespace kv
