// SPDX-License-Identifier: MIT
#pragma once

#include "statusfeed.h"

#include <QList>
#include <QTimer>

#include <optional>

namespace kv {

/// How far work on files is, as the daemon tells it (`kv.operation.progress`). Its end is told only when it
/// went well, so what ended otherwise is known by the slot, by the session's snapshot, or by silence.
class OverviewProgress final : public QObject {
    Q_OBJECT

public:
    enum class What { Check, Checksum, Other };
    struct Work {
        QString server;
        int slot = -1; ///< −1: it is in no slot
        QString session; ///< 6 digits
        QString label;
        What what = What::Other;
        int permille = 0; ///< below 1000: what is done is not here any more
        std::optional<qint64> bytes; ///< of the whole file
        std::optional<double> ms; ///< so far
        bool heard = true; ///< told since the last look for silence

        /// What people call the session: its label, else its 6 digits.
        [[nodiscard]] QString name() const { return label.isEmpty() ? session : label; }
    };
    static constexpr int c_silentMs = 5000; ///< progress is told twice a second

    /// `daemon` and `feed` outlive it. Nothing is heard for `silentMs` to twice that: the work is over.
    OverviewProgress(Daemon &daemon, StatusFeed &feed, int silentMs = c_silentMs, QObject *parent = nullptr);

    /// What is done for the operation that runs in a slot; nullptr: nothing is told of it. Valid until the
    /// next event.
    [[nodiscard]] const Work *inSlot(const QString &server, int slot) const;
    /// What a server's daemon does beside its slots.
    [[nodiscard]] QList<Work> besideSlots(const QString &server) const;

Q_SIGNALS:
    void changed();

private:
    void onEvent(const QJsonObject &event);
    void onFeed();
    void take(const Work &work);
    template <typename Predicate> void drop(const Predicate &isOver);

    StatusFeed &m_feed;
    QList<Work> m_works; ///< at most one of a slot, and one a server beside its slots
    QTimer m_silence; ///< runs only while there is work
};

} // namespace kv
