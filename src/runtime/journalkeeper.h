// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"
#include "journal.h"
#include "journalsink.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <memory>

namespace kv {

/// Keeps the journal of one coordinator (see journal.h) on disk, in two segments that take turns. Events are
/// taken into memory and written by the pool, at most every five seconds (invariant 6: a request costs no
/// disk I/O); a crash loses no more than that. Nothing waits for it and nothing depends on it: after a failed
/// write it stops, and says so once. Lives in the logic thread.
class JournalKeeper final : public QObject {
    Q_OBJECT

public:
    struct Place {
        QString folder; ///< made when needed
        QString server; ///< its name in the configuration
        qint64 segmentBytes = qint64 { 8 } * 1024 * 1024; ///< more where a state alone takes a quarter of it
        int everyMs = 5000;
    };

    /// All must outlive the object. Begins with the coordinator's present state.
    JournalKeeper(const Place &place, const Coordinator *coordinator, QThreadPool *pool, const Clock *clock,
        QObject *parent = nullptr);
    ~JournalKeeper() override;
    Q_DISABLE_COPY_MOVE(JournalKeeper)

    /// What the coordinator was told and gave; costs a few microseconds, no I/O.
    void add(const Event &event, Instant now, const Effects &effects);
    /// Writes the rest and takes nothing any more. Does file work.
    void close();

Q_SIGNALS:
    void gaveUp(const QString &sentence); ///< once, from the event loop

private:
    void tick();
    void begin(JournalSink::Begins begins);

    Place m_place;
    const Coordinator *m_coordinator;
    QThreadPool *m_pool;
    const Clock *m_clock;
    JournalEncoder m_encoder;
    std::shared_ptr<JournalSink> m_sink; // shared with the pool
    QTimer m_timer;
    qint64 m_stateBytes = 0;
    bool m_closed = false;
};

} // namespace kv
