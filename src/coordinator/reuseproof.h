// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QString>

#include <map>
#include <set>

namespace kv {

struct JournalAccess;

/// What restores under one fingerprint (build, model and settings) have proved so far (design §8).
///
/// A restore that reuses nothing is the runtime's fault only when it happened to two sessions of which each
/// had shown that its own prompt is stable (at least half of it reused while it was resident). One session
/// alone never makes a runtime broken: then its prompt drifts, and only that session's saving rests.
class ReuseProof final {
public:
    struct Finding {
        bool becameBroken = false; ///< just now: persistence pauses for this runtime
        bool prompts = false; ///< the session's prompt drifts: its saving pauses
    };

    /// A resident request reused at least half of its prompt.
    void noteStable(const QString &session);
    /// The verdict on a restore. `judged`: the prompt was at least as long as what was restored, so that
    /// `None` means something. `afterRestart`: another server process had saved it.
    Finding note(const QString &session, Verdict verdict, bool judged, bool afterRestart);

    [[nodiscard]] Compatibility compatibility() const;
    [[nodiscard]] bool isBroken() const { return m_broken; }
    [[nodiscard]] bool drifts(const QString &session) const { return m_drifting.contains(session); }
    /// The server's process ended while it read a snapshot. True: not for the first time, so restoring stops.
    bool noteDeath();
    [[nodiscard]] bool restoresStopped() const;
    /// Tried on purpose, with a prompt of its own: outweighs what sessions have shown.
    void judgedByDoctor(bool works, bool afterRestart);
    void reset(); ///< by hand

    /// For the database: only what outlives a restart (counts and flags, no sessions).
    [[nodiscard]] QString toText() const;
    static ReuseProof fromText(const QString &text);

private:
    friend struct JournalAccess;
    std::set<QString> m_stable;
    std::set<QString> m_reusedNothing;
    std::set<QString> m_drifting;
    int m_verified = 0;
    int m_deaths = 0;
    bool m_verifiedAfterRestart = false;
    bool m_supported = false;
    bool m_broken = false;
};

} // namespace kv
