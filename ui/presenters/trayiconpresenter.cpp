// SPDX-License-Identifier: MIT
#include "trayiconpresenter.h"

#include "overviewtext.h"

#include <algorithm>

namespace kv {

namespace {

constexpr qsizetype c_toolTipSlots = 4;

} // namespace

TrayIconPresenter::TrayIconPresenter(Daemon &daemon, StatusFeed &feed, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_feed(feed)
{
    connect(&feed, &StatusFeed::changed, this, &TrayIconPresenter::changed);
}

QString TrayIconPresenter::headline() const
{
    if (!m_feed.status()) {
        return m_feed.link() == Daemon::Link::Away ? trayStateText(TrayState::DaemonAway)
                                                   : tr("Looking for the daemon …");
    }
    const StatusView &status = *m_feed.status();
    if (!status.enabled) {
        return tr("Switched off in the configuration");
    }
    if (status.servers.isEmpty()) {
        return tr("No server was found");
    }
    const TrayState shown = state();
    for (const ServerView &server : status.servers) {
        if (trayStateOf(server) == shown && shown != TrayState::Warm && shown != TrayState::Working) {
            return tr("%1: %2", "server: its state").arg(server.name, serverStateText(server));
        }
    }
    if (shown == TrayState::Warm && !status.anySlot([](const SlotView &slot) { return slot.isOwned(); })) {
        return tr("Ready, no session yet");
    }
    return trayStateText(shown);
}

QString TrayIconPresenter::toolTip() const
{
    QStringList lines { headline() };
    if (!m_feed.status()) {
        return lines.first();
    }
    qsizetype more = 0;
    for (const ServerView &server : m_feed.status()->servers) {
        for (const SlotView &slot : server.slotList) {
            if (!slot.isOwned()) {
                continue;
            }
            if (lines.size() > c_toolTipSlots) {
                ++more;
                continue;
            }
            const bool saving = slot.running && slot.running->kind != RunningView::Kind::Inference;
            QStringList parts { contextText(slot), saving ? slotStateText(slot) : ratesText(server.rates) };
            parts.removeAll({});
            lines.append(tr("%1: %2", "session: what is known of it")
                             .arg(slot.ownerName(), parts.join(tr(", ", "between parts of a list"))));
        }
    }
    if (more > 0) {
        lines.append(tr("and %n more", nullptr, static_cast<int>(more)));
    }
    return lines.join(u'\n');
}

QList<TrayIconPresenter::Owner> TrayIconPresenter::owners() const
{
    QList<Owner> out;
    if (!m_feed.status()) {
        return out;
    }
    for (const ServerView &server : m_feed.status()->servers) {
        for (const SlotView &slot : server.slotList) {
            QStringList parts { slotOwnerText(slot), contextText(slot), slotStateText(slot) };
            parts.removeAll({});
            QString text = parts.join(tr(", ", "between parts of a list"));
            if (m_feed.status()->servers.size() > 1) {
                text = tr("%1: %2", "server: who has its slot").arg(server.name, text);
            }
            out.append({ text, isWarm(slot) });
        }
    }
    return out;
}

bool TrayIconPresenter::canSave() const
{
    return m_feed.status()
        && m_feed.status()->anySlot([](const SlotView &slot) { return slot.isOwned() && slot.isDirty(); });
}

bool TrayIconPresenter::canPause() const
{
    return m_feed.status() && m_feed.status()->enabled
        && std::any_of(m_feed.status()->servers.begin(), m_feed.status()->servers.end(),
            [](const ServerView &server) { return !server.paused; });
}

bool TrayIconPresenter::canResume() const
{
    return m_feed.status()
        && std::any_of(m_feed.status()->servers.begin(), m_feed.status()->servers.end(),
            [](const ServerView &server) { return server.paused; });
}

void TrayIconPresenter::saveNow() { order(QStringLiteral("kv.flush"), {}); }

void TrayIconPresenter::pause(std::optional<qint64> ms)
{
    QJsonObject params;
    if (ms) {
        params.insert(QStringLiteral("forMs"), *ms);
    }
    order(QStringLiteral("kv.pause"), params);
}

void TrayIconPresenter::resume() { order(QStringLiteral("kv.resume"), {}); }

void TrayIconPresenter::order(const QString &method, const QJsonObject &params)
{
    m_daemon.call(
        method, params, this,
        [this](const CallResult &answer) {
            if (!answer.ok()) {
                Q_EMIT failed(answer.error.error.message);
            }
        },
        Daemon::c_noDeadline);
}

} // namespace kv
