// SPDX-License-Identifier: MIT
#include "statusfeed.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr int c_gatherMs = 50;

bool movesStatus(const QString &event)
{
    constexpr std::array<QStringView, 4> prefixes { u"kv.slot.", u"kv.session.", u"kv.persistence.",
        u"kv.backend." };
    return std::any_of(
        prefixes.begin(), prefixes.end(), [&event](QStringView prefix) { return event.startsWith(prefix); });
}

} // namespace

StatusFeed::StatusFeed(Daemon &daemon, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(c_gatherMs);
    connect(&m_soon, &QTimer::timeout, this, &StatusFeed::ask);
    connect(&daemon, &Daemon::linkChanged, this, &StatusFeed::onLink);
    connect(&daemon, &Daemon::statusReceived, this, &StatusFeed::take);
    connect(&daemon, &Daemon::eventReceived, this, &StatusFeed::onEvent);
}

void StatusFeed::onLink()
{
    if (m_daemon.link() != Daemon::Link::Connected) {
        m_status.reset();
        m_soon.stop();
    }
    Q_EMIT changed();
}

void StatusFeed::onEvent(const QJsonObject &event)
{
    if (!movesStatus(event.value(QStringLiteral("name")).toString())) {
        return;
    }
    if (m_asking) {
        m_again = true;
    } else if (!m_soon.isActive()) {
        m_soon.start();
    }
}

void StatusFeed::ask()
{
    m_asking = true;
    m_again = false;
    m_daemon.call(
        QStringLiteral("kv.status"), {}, this,
        [this](const CallResult &answer) {
            m_asking = false;
            if (answer.ok()) {
                take(answer.result);
            }
            if (m_again && m_daemon.link() == Daemon::Link::Connected) {
                m_soon.start();
            }
        },
        Daemon::c_deadlineMs);
}

void StatusFeed::take(const QJsonObject &document)
{
    StatusView status = parseStatus(document);
    if (m_status != status) {
        m_status = std::move(status);
        Q_EMIT changed();
    }
}

} // namespace kv
