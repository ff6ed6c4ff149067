// SPDX-License-Identifier: MIT
#pragma once

#include "overviewlimits.h"
#include "overviewprogress.h"
#include "overviewtoday.h"
#include "trayiconstate.h"

namespace kv {

/// The overview in texts and numbers, also what the mini monitor shows.
class OverviewPresenter final : public QObject {
    Q_OBJECT

public:
    /// Something that needs the user, with what to do about it.
    struct Advice {
        QString server; ///< empty: the daemon as a whole
        QString text;
        QString copy; ///< worth copying; empty: nothing

        bool operator==(const Advice &) const = default;
    };
    /// How far something is that has an end.
    struct Progress {
        QString text; ///< in words
        std::optional<double> share; ///< 0 to 1; nullopt: not known

        bool operator==(const Progress &) const = default;
    };
    struct SlotRow {
        QString owner;
        QString state;
        QString stateNote; ///< more of it, for a tool tip; empty: nothing
        QString context; ///< empty: not known
        QString left; ///< context that is left
        std::optional<double> share; ///< of the context that is used
        QString lastUsed;
        QString running; ///< empty: nothing
        std::optional<qint64> runningSinceMs;
        std::optional<Progress> progress; ///< of what runs; nullopt: it has no end that could be told
        bool owned = false;
        bool warm = false;
        QString model; ///< router mode
    };
    struct Card {
        QString name;
        TrayState sign = TrayState::ServerAway;
        QString state;
        QString message; ///< why it is not ready
        QString model;
        QString build;
        QString endpoint;
        QString rates;
        QString waiting; ///< empty: nobody waits
        QList<SlotRow> rows;
        QList<Progress> beside; ///< what the daemon does beside the slots
    };
    /// One number with its name.
    struct Fact {
        QString name;
        QString value;
        QString detail;
        QString explanation;
        std::optional<double> share; ///< shown as a bar
    };

    /// All outlive it.
    struct Sources {
        StatusFeed &feed;
        OverviewLimits &limits;
        OverviewToday &today;
        OverviewProgress &progress;
    };
    explicit OverviewPresenter(const Sources &sources, const Clock &clock, QObject *parent = nullptr);

    [[nodiscard]] bool isKnown() const { return m_feed.status().has_value(); }
    /// Why there are no cards, and what to do; empty: there are.
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] QList<Advice> advice() const;
    [[nodiscard]] QList<Card> cards() const;
    [[nodiscard]] QList<Fact> facts() const;
    /// Time saved in all, and today when known: one line.
    [[nodiscard]] QString savedLine() const;
    /// "Answering, 12 s"; empty: nothing runs. Changes with time: see isRunning().
    [[nodiscard]] QString runningNow(const SlotRow &row) const;
    [[nodiscard]] bool isRunning() const;

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] SlotRow rowOf(const ServerView &server, const SlotView &slot) const;
    [[nodiscard]] std::optional<Progress> progressOf(const ServerView &server, const SlotView &slot) const;
    [[nodiscard]] QString lastUsedText(qint64 atMs) const;
    [[nodiscard]] static QString savedText(qint64 ms);
    [[nodiscard]] Fact storage() const;
    [[nodiscard]] QString forecast(qint64 usedBytes) const;

    StatusFeed &m_feed;
    OverviewLimits &m_limits;
    OverviewToday &m_today;
    OverviewProgress &m_progress;
    const Clock &m_clock;
};

} // namespace kv
