// SPDX-License-Identifier: MIT
#include "overviewprogress.h"

#include <algorithm>

namespace kv {

namespace {

constexpr int c_whole = 1000; ///< permille

OverviewProgress::What whatOf(const QString &name)
{
    if (name == QStringLiteral("check")) {
        return OverviewProgress::What::Check;
    }
    return name == QStringLiteral("checksum") ? OverviewProgress::What::Checksum
                                              : OverviewProgress::What::Other;
}

OverviewProgress::Work workOf(const QJsonObject &event)
{
    OverviewProgress::Work work;
    work.server = event.value(u"server").toString();
    work.slot = event.value(u"slot").toInt(-1);
    work.session = event.value(u"session").toString();
    work.label = event.value(u"label").toString();
    work.what = whatOf(event.value(u"what").toString());
    work.permille = event.value(u"permille").toInt();
    if (event.contains(u"bytes")) {
        work.bytes = event.value(u"bytes").toInteger();
    }
    if (event.contains(u"ms")) {
        work.ms = event.value(u"ms").toDouble();
    }
    return work;
}

bool runs(const StatusView &status, const OverviewProgress::Work &work)
{
    const ServerView *server = status.server(work.server);
    return server != nullptr
        && (work.slot < 0
            || std::any_of(server->slotList.begin(), server->slotList.end(),
                [&work](const SlotView &slot) { return slot.id == work.slot && slot.running.has_value(); }));
}

} // namespace

OverviewProgress::OverviewProgress(Daemon &daemon, StatusFeed &feed, int silentMs, QObject *parent)
    : QObject(parent)
    , m_feed(feed)
{
    m_silence.setInterval(silentMs);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        drop([](const Work &work) { return !work.heard; });
        for (Work &work : m_works) {
            work.heard = false;
        }
    });
    connect(&daemon, &Daemon::eventReceived, this, &OverviewProgress::onEvent);
    connect(&feed, &StatusFeed::changed, this, &OverviewProgress::onFeed);
}

const OverviewProgress::Work *OverviewProgress::inSlot(const QString &server, int slot) const
{
    const auto found = std::find_if(m_works.begin(), m_works.end(), [&server, slot](const Work &work) {
        return work.slot >= 0 && work.slot == slot && work.server == server;
    });
    return found == m_works.end() ? nullptr : &*found;
}

QList<OverviewProgress::Work> OverviewProgress::besideSlots(const QString &server) const
{
    QList<Work> out;
    std::copy_if(m_works.begin(), m_works.end(), std::back_inserter(out),
        [&server](const Work &work) { return work.slot < 0 && work.server == server; });
    return out;
}

void OverviewProgress::onEvent(const QJsonObject &event)
{
    const QString name = event.value(u"name").toString();
    if (name == QStringLiteral("kv.operation.progress")) {
        take(workOf(event));
        return;
    }
    const Work ended = workOf(event);
    if (name.startsWith(QStringLiteral("kv.session.restore."))) {
        drop([&ended](const Work &work) {
            return work.slot >= 0 && work.server == ended.server && work.slot == ended.slot;
        });
    } else if (name == QStringLiteral("kv.snapshot.removed")
        || name == QStringLiteral("kv.snapshot.invalidated")) {
        drop([&ended](const Work &work) {
            return work.slot < 0 && work.server == ended.server && work.session == ended.session;
        });
    }
}

void OverviewProgress::onFeed()
{
    const std::optional<StatusView> &status = m_feed.status();
    drop([&status](const Work &work) { return !status || !runs(*status, work); });
}

void OverviewProgress::take(const Work &work)
{
    const auto same
        = [&work](const Work &other) { return other.server == work.server && other.slot == work.slot; };
    if (work.permille >= c_whole) {
        drop(same);
        return;
    }
    const auto known = std::find_if(m_works.begin(), m_works.end(), same);
    if (known == m_works.end()) {
        m_works.append(work);
    } else {
        *known = work;
    }
    if (!m_silence.isActive()) {
        m_silence.start();
    }
    Q_EMIT changed();
}

template <typename Predicate> void OverviewProgress::drop(const Predicate &isOver)
{
    if (m_works.removeIf(isOver) == 0) {
        return;
    }
    if (m_works.isEmpty()) {
        m_silence.stop();
    }
    Q_EMIT changed();
}

} // namespace kv
