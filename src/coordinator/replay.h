// SPDX-License-Identifier: MIT
#pragma once

#include "journal.h"

namespace kv {

/// A slot as a person is told of it.
struct ReplaySlot {
    SlotKey key;
    SlotState state = SlotState::Unknown;
    QString owner; ///< a session's hash; empty: none
    qint64 tokens = -1;
    bool operator==(const ReplaySlot &) const = default;
};

/// One event of a journal, and what a coordinator of this program makes of it.
struct ReplayStep {
    struct Change {
        std::optional<ReplaySlot> before; ///< nothing: a new slot
        std::optional<ReplaySlot> after; ///< nothing: it is gone
    };
    quint64 number = 0; ///< from 1, over all runs
    bool firstOfRun = false;
    JournalEvent event;
    Effects effects;
    std::vector<Change> changes;
    bool asRecorded = true; ///< the one that wrote the journal decided the same
};

/// What happened, in numbers.
struct ReplaySummary {
    quint64 events = 0;
    quint64 runs = 0;
    quint64 otherwise = 0; ///< events decided otherwise than recorded
    quint64 firstOtherwise = 0; ///< the first of them, its number
    std::map<Outcome, quint64> grants;
    quint64 saves = 0;
    quint64 saveFailures = 0;
    quint64 restores = 0;
    quint64 restoreFailures = 0;
    quint64 refusals = 0; ///< begins and manual requests that were answered an error
    quint64 breaches = 0; ///< of an invariant
    Instant first;
    Instant last;
};

/// Runs a journal through a coordinator, event by event.
class Replay final {
public:
    explicit Replay(JournalReader reader)
        : m_reader(std::move(reader))
    {
    }

    /// Nothing: the end; see problem().
    [[nodiscard]] std::optional<ReplayStep> next();
    [[nodiscard]] const JournalHead &head() const { return m_reader.head(); }
    [[nodiscard]] const QString &problem() const { return m_reader.problem(); }
    [[nodiscard]] const ReplaySummary &summary() const { return m_summary; }

private:
    [[nodiscard]] std::map<SlotKey, ReplaySlot> slotsNow() const;
    void count(const ReplayStep &step);

    JournalReader m_reader;
    std::unique_ptr<Coordinator> m_coordinator;
    bool m_runBegins = false;
    ReplaySummary m_summary;
};

} // namespace kv
