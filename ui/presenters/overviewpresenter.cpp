// SPDX-License-Identifier: MIT
#include "overviewpresenter.h"

#include "localetext.h"
#include "overviewtext.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace kv {

OverviewPresenter::OverviewPresenter(const Sources &sources, const Clock &clock, QObject *parent)
    : QObject(parent)
    , m_feed(sources.feed)
    , m_limits(sources.limits)
    , m_today(sources.today)
    , m_progress(sources.progress)
    , m_clock(clock)
{
    connect(&m_today, &OverviewToday::changed, this,
        &OverviewPresenter::changed); // tells the feed's changes too
    connect(&m_limits, &OverviewLimits::changed, this, &OverviewPresenter::changed);
    connect(&m_progress, &OverviewProgress::changed, this, &OverviewPresenter::changed);
}

QString OverviewPresenter::emptyText() const
{
    if (!m_feed.status()) {
        return m_feed.link() == Daemon::Link::Away
            ? tr("The daemon is away. Requests go on without it, only colder.")
            : tr("Looking for the daemon …");
    }
    if (m_feed.status()->servers.isEmpty()) {
        return tr("No llama-server was found. Start one with --slot-save-path FOLDER, or name it in the "
                  "settings.");
    }
    return {};
}

QList<OverviewPresenter::Advice> OverviewPresenter::advice() const
{
    QList<Advice> out;
    if (!m_feed.status()) {
        return out;
    }
    for (const QString &text : m_feed.status()->advice) {
        out.append({ {}, text, copyableIn(text) });
    }
    for (const ServerView &server : m_feed.status()->servers) {
        for (const QString &text : server.advice) {
            out.append({ server.name, text, copyableIn(text) });
        }
    }
    return out;
}

OverviewPresenter::SlotRow OverviewPresenter::rowOf(const ServerView &server, const SlotView &slot) const
{
    SlotRow row;
    row.owner = slotOwnerText(slot);
    row.state = slotStateText(slot);
    if (!slot.prefix.isEmpty() && slot.isOwned()) {
        row.state = tr("%1, prompt changed", "state of a slot").arg(row.state);
        row.stateNote
            = tr("The session's last prompt does not begin with the one before any more (%1), so that "
                 "everything behind that place is processed anew.")
                  .arg(slot.prefix);
    }
    row.context = contextText(slot);
    row.share = contextShare(slot);
    row.owned = slot.isOwned();
    row.warm = isWarm(slot);
    row.model = slot.model;
    if (slot.context) {
        row.left = tr("%1 left", "tokens of context")
                       .arg(localeTokens(std::max<qint64>(0, *slot.context - slot.tokens.value_or(0))));
    }
    if (slot.lastUsedMs) {
        row.lastUsed
            = lastUsedText(*slot.lastUsedMs); // a time: an age would have to be told anew all the time
    }
    if (slot.running) {
        row.running = runningText(slot);
        row.runningSinceMs = slot.running->sinceMs;
        row.progress = progressOf(server, slot);
    }
    return row;
}

/// A save and a restore have an end, also where nobody tells how far it is.
std::optional<OverviewPresenter::Progress> OverviewPresenter::progressOf(
    const ServerView &server, const SlotView &slot) const
{
    if (const OverviewProgress::Work *work = m_progress.inSlot(server.name, slot.id); work != nullptr) {
        return Progress { progressText(*work), work->permille / 1000.0 };
    }
    using Kind = RunningView::Kind;
    const Kind kind = slot.running->kind;
    return kind == Kind::Save || kind == Kind::Restore ? std::optional(Progress { runningText(slot), {} })
                                                       : std::nullopt;
}

QString OverviewPresenter::lastUsedText(qint64 atMs) const
{
    const QDateTime used = QDateTime::fromMSecsSinceEpoch(atMs);
    const bool today = used.date() == QDateTime::fromMSecsSinceEpoch(m_clock.now().wallMs).date();
    return tr("last used %1")
        .arg(today ? QLocale().toString(used.time(), QLocale::ShortFormat) : localeTime(atMs));
}

QList<OverviewPresenter::Card> OverviewPresenter::cards() const
{
    QList<Card> out;
    if (!m_feed.status()) {
        return out;
    }
    for (const ServerView &server : m_feed.status()->servers) {
        Card card;
        card.name = server.name;
        card.sign = trayStateOf(server);
        card.state = serverStateText(server);
        card.model = server.backend.model;
        card.build = server.backend.build;
        card.endpoint = server.backend.endpoint;
        card.rates = ratesText(server.rates);
        if (!server.advice.contains(server.backend.message)) {
            card.message = server.backend.message;
        }
        if (server.waiting > 0) {
            card.waiting = tr("%n request(s) wait", nullptr, static_cast<int>(server.waiting));
        }
        for (const SlotView &slot : server.slotList) {
            card.rows.append(rowOf(server, slot));
        }
        const QList<OverviewProgress::Work> works = m_progress.besideSlots(server.name);
        for (const OverviewProgress::Work &work : works) {
            card.beside.append({ progressText(work), work.permille / 1000.0 });
        }
        out.append(card);
    }
    return out;
}

QList<OverviewPresenter::Fact> OverviewPresenter::facts() const
{
    if (!m_feed.status()) {
        return {};
    }
    const StatsView &stats = m_feed.status()->stats;
    const QString none = tr("–", "no value yet");
    const auto percent
        = [&none](std::optional<double> share) { return share ? localePercent(*share) : none; };
    const std::optional<qint64> today = m_today.savedMs();
    Fact saved { tr("Time saved today"), today ? savedText(*today) : none,
        tr("%1 in all").arg(savedText(stats.timeSavedMs)),
        tr("Processing of prompts that was not needed, less the time that restoring took."), {} };
    Fact hits { tr("Restored well"), percent(stats.hitRate()),
        tr("%1 of %2").arg(localeCount(stats.restoreHits), localeCount(stats.restores + stats.restoreMisses)),
        tr("Of the sessions with a snapshot that came back, how many were restored well."), {} };
    Fact reuse { tr("Reused"), percent(stats.reuseRate()),
        tr("%1 of %2")
            .arg(localeCount(stats.reuseVerified),
                localeCount(stats.reuseVerified + stats.reusePartial + stats.reuseNone)),
        tr("Of the restores that a request followed, how many the server reused whole."), {} };
    Fact cold { tr("Cold starts"), localeCount(stats.coldStarts + stats.coldFallbacks),
        tr("of %n request(s)", nullptr, static_cast<int>(stats.requests)),
        tr("Requests whose whole prompt had to be processed."), {} };
    return { saved, hits, reuse, cold, storage() };
}

OverviewPresenter::Fact OverviewPresenter::storage() const
{
    const SnapshotsView &snapshots = m_feed.status()->snapshots;
    const OverviewLimits::Limits &limits = m_limits.limits();
    Fact fact { tr("Storage"), localeBytes(snapshots.bytes),
        tr("%n session(s)", nullptr, static_cast<int>(snapshots.known)), {}, {} };
    if (limits.maxTotalBytes) {
        fact.detail = tr("of %1").arg(localeBytes(*limits.maxTotalBytes));
        fact.share = std::clamp(
            static_cast<double>(snapshots.bytes) / static_cast<double>(*limits.maxTotalBytes), 0.0, 1.0);
    }
    const QString ahead = forecast(snapshots.bytes);
    if (!ahead.isEmpty()) {
        fact.detail += tr(", ", "between parts of a list") + ahead;
    }
    fact.explanation
        = tr("Size of all snapshots, against retention.maxTotalBytes. The forecast takes all that "
             "was written today as new, so there is room for at least that long.");
    return fact;
}

/// What is written may replace what is there, so the pace of today is the most that storage grows.
QString OverviewPresenter::forecast(qint64 usedBytes) const
{
    const OverviewLimits::Limits &limits = m_limits.limits();
    std::optional<qint64> room;
    const auto atMost = [&room](qint64 bytes) { room = room ? std::min(*room, bytes) : bytes; };
    qint64 written = 0;
    if (limits.maxTotalBytes) {
        atMost(*limits.maxTotalBytes - usedBytes);
    }
    for (const ServerView &server : m_feed.status()->servers) {
        written += server.writtenToday.value_or(0);
        if (server.freeBytes) {
            atMost(*server.freeBytes - limits.minFreeBytes.value_or(0));
        }
    }
    if (!room) {
        return {};
    }
    if (*room <= 0) {
        return tr("full: the oldest make room");
    }
    const qint64 nowMs = m_clock.now().wallMs;
    const qint64 sinceMidnight = std::max<qint64>(nowMs - dayOf(nowMs) * c_msPerDay, c_msPerDay / 24);
    const double perDay = static_cast<double>(written) * c_msPerDay / static_cast<double>(sinceMidnight);
    if (perDay < 1) {
        return {};
    }
    constexpr double far = 365;
    const double days = static_cast<double>(*room) / perDay;
    if (days > far) {
        return tr("room for more than a year");
    }
    return days < 1 ? tr("full within a day") : tr("room for %n day(s)", nullptr, static_cast<int>(days));
}

QString OverviewPresenter::savedText(qint64 ms)
{
    return ms < 1 ? tr("none yet", "time") : localeDuration(static_cast<double>(ms));
}

QString OverviewPresenter::savedLine() const
{
    if (!m_feed.status()) {
        return {};
    }
    const QString all = savedText(m_feed.status()->stats.timeSavedMs);
    const std::optional<qint64> today = m_today.savedMs();
    if (m_feed.status()->stats.timeSavedMs < 1) {
        return tr("No time saved yet");
    }
    return today ? tr("Saved %1 today, %2 in all").arg(savedText(*today), all)
                 : tr("Saved %1 in all").arg(all);
}

QString OverviewPresenter::runningNow(const SlotRow &row) const
{
    if (row.running.isEmpty() || !row.runningSinceMs) {
        return row.running;
    }
    const qint64 seconds = std::max<qint64>(0, m_clock.now().wallMs - *row.runningSinceMs) / 1000;
    const QString elapsed
        = seconds < 60 ? tr("%1 s").arg(seconds) : localeDuration(static_cast<double>(seconds) * 1000);
    return tr("%1, %2", "what runs, for how long").arg(row.running, elapsed);
}

bool OverviewPresenter::isRunning() const
{
    return m_feed.status()
        && m_feed.status()->anySlot([](const SlotView &slot) { return slot.running.has_value(); });
}

} // namespace kv
