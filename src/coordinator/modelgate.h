// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QString>

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

namespace kv {

/// A router (llama-server with several models, of which it keeps only so many loaded) unloads a model to load
/// another one, and with it what that model's slots held. The gate decides when a request for a model that is
/// not loaded may go on to that model's coordinator, which is the first to name it to the router: only when
/// the router has room, or a loaded model rests and what its slots hold is saved. As pure as the coordinator:
/// no clock, no network. Not thread-safe.
class ModelGate final {
public:
    struct Model {
        bool loaded = false;
        bool busy = false; ///< a lease is held there, somebody waits, or an operation runs
        qint64 heldUntilMs = -1; ///< a turn's next request is expected until then (locality)
        quint64 usedSeq = 0; ///< recency: the smallest was used longest ago
    };
    using Models = std::map<QString, Model>;

    struct Pass {
        RequestId request = 0;
    };
    /// Save what the model's slots hold; then cleared().
    struct Clear {
        QString model;
        RequestId request = 0; ///< for whose sake
    };
    using Step = std::variant<Pass, Clear>;

    /// How many models the router keeps loaded. 0: not known; then nobody waits for others, but what they
    /// hold is saved before a model is loaded.
    void setLimit(int models) { m_limit = models; }
    /// `holdMs`: how long a waiting request respects that a turn's next request is expected elsewhere, and
    /// how long it lets those go first whose model is loaded.
    void setPatience(qint64 holdMs) { m_holdMs = holdMs; }

    void ask(RequestId request, const QString &model, qint64 nowMs);
    /// It is not wanted any more, or it was granted or refused where it had passed: its model is loaded by
    /// now, or will not be for its sake.
    void over(RequestId request);
    void cleared(const Clear &done);

    /// What is to be done now, in this order.
    [[nodiscard]] std::vector<Step> steps(Models models, qint64 nowMs);

    [[nodiscard]] bool isEntering() const { return m_entering.has_value(); }
    [[nodiscard]] bool isWaiting() const { return !m_queue.empty(); }
    [[nodiscard]] bool waitsHere(RequestId request) const;
    /// Which model had to go for the one that is being loaded; empty: none.
    [[nodiscard]] QString leaving() const { return m_entering ? m_entering->victim : QString(); }

private:
    struct Asked {
        RequestId request = 0;
        QString model;
        qint64 sinceMs = 0;
    };
    struct Entering {
        RequestId request = 0;
        QString model;
        QString victim; ///< empty: there is room
        std::set<QString> clearing; ///< still to be saved
        bool passed = false;
    };

    void choose(const Asked &asked, const Models &models, qint64 nowMs, std::vector<Step> &out);
    [[nodiscard]] bool goesThrough(const Asked &asked, const Models &models) const;
    [[nodiscard]] static QString leastRecent(const Models &models, const std::set<QString> &among);

    std::deque<Asked> m_queue;
    std::optional<Entering> m_entering;
    QString m_draining; ///< gets no new requests: somebody has waited too long for its place
    int m_limit = 0;
    qint64 m_holdMs = 30000;
};

} // namespace kv
