// SPDX-License-Identifier: MIT
#include "journalkeeper.h"

#include <algorithm>

namespace kv {

namespace {

constexpr qint64 c_writeAtOnce = qint64 { 1 } * 1024 * 1024; ///< waiting bytes that do not wait for the timer
constexpr qint64 c_mostWaiting = qint64 { 64 } * 1024 * 1024; ///< the disk does not keep up
constexpr qint64 c_statesPerSegment = 4;

} // namespace

JournalKeeper::JournalKeeper(const Place &place, const Coordinator *coordinator, QThreadPool *pool,
    const Clock *clock, QObject *parent)
    : QObject(parent)
    , m_place(place)
    , m_coordinator(coordinator)
    , m_pool(pool)
    , m_clock(clock)
    , m_encoder(QStringLiteral(KV_PERSIST_VERSION), place.server)
    , m_sink(
          std::make_shared<JournalSink>(place.folder, place.server, m_encoder.header(), place.segmentBytes))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(place.everyMs);
    connect(&m_timer, &QTimer::timeout, this, &JournalKeeper::tick);
    begin(JournalSink::Begins::Run);
}

JournalKeeper::~JournalKeeper() { close(); }

void JournalKeeper::begin(JournalSink::Begins begins)
{
    const QByteArray state = m_encoder.start(*m_coordinator, m_clock->now());
    m_stateBytes = state.size();
    m_sink->add(state, begins);
}

void JournalKeeper::add(const Event &event, Instant now, const Effects &effects)
{
    if (m_closed) {
        return;
    }
    m_sink->add(m_encoder.event(event, now, effects));
    if (m_sink->waiting() > c_writeAtOnce) {
        m_timer.start(0);
    } else if (!m_timer.isActive()) {
        m_timer.start(m_place.everyMs);
    }
}

void JournalKeeper::tick()
{
    if (m_closed) {
        return;
    }
    QString failure = m_sink->failure();
    if (failure.isEmpty() && m_sink->waiting() > c_mostWaiting) {
        failure = QStringLiteral("the disk does not keep up");
    }
    if (!failure.isEmpty()) {
        m_closed = true;
        Q_EMIT gaveUp(QStringLiteral("The journal of server %1 cannot be written (%2), so \"kv-persist "
                                     "report\" will hold less. Nothing else is concerned. It is begun again "
                                     "at the next start.")
                          .arg(m_place.server, failure));
        return;
    }
    // Not within an event: the state is whole.
    if (m_sink->isLost()
        || m_sink->size() > std::max(m_place.segmentBytes, c_statesPerSegment * m_stateBytes)) {
        begin(JournalSink::Begins::Segment);
    }
    if (m_sink->waiting() > 0) {
        m_pool->start([sink = m_sink] { sink->drain(); });
        m_timer.start(m_place.everyMs); // to see what came of it
    }
}

void JournalKeeper::close()
{
    if (m_closed) {
        return;
    }
    m_closed = true;
    m_timer.stop();
    m_sink->drain();
}

} // namespace kv
