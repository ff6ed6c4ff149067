// SPDX-License-Identifier: MIT
#include "eventhub.h"

#include "humantime.h"
#include "methods.h"
#include "service.h"

#include <QDateTime>
#include <QMetaMethod>

#include <algorithm>

namespace kv {

namespace {

/// A burst of events makes one status: at most two a second.
constexpr int c_statusDelayMs = 500;

} // namespace

bool topicsMatch(const QStringList &topics, const QString &name)
{
    return std::any_of(topics.begin(), topics.end(), [&name](const QString &topic) {
        if (name == c_statusTopic || name == c_doctorTopic) {
            return topic == name;
        }
        return name.startsWith(topic);
    });
}

EventHub::EventHub(Service &service, QObject *parent)
    : QObject(parent)
    , m_service(service)
{
    m_statusTimer.setSingleShot(true);
    m_statusTimer.setInterval(c_statusDelayMs);
    connect(&m_statusTimer, &QTimer::timeout, this, &EventHub::publishStatus);
    connect(&service, &Service::eventEmitted, this, &EventHub::publish);
    service.setEventsWanted(false);
}

void EventHub::connectNotify(const QMetaMethod &signal)
{
    if (signal == QMetaMethod::fromSignal(&EventHub::happened)) {
        m_service.setEventsWanted(true);
    }
}

void EventHub::publish(QJsonObject event)
{
    ++m_seq;
    if (!isSignalConnected(QMetaMethod::fromSignal(&EventHub::happened))) {
        m_service.setEventsWanted(false); // the last one went without a word
        return; // the common case costs a request nothing
    }
    event.insert(u"seq", m_seq);
    if (!event.contains(u"at")) {
        event.insert(u"at", isoUtc(QDateTime::currentMSecsSinceEpoch()));
    }
    if (m_statusWatchers > 0 && !m_statusTimer.isActive()
        && event.value(u"name").toString() != c_statusTopic) {
        m_statusTimer.start();
    }
    Q_EMIT happened(event);
}

void EventHub::addStatusWatcher()
{
    ++m_statusWatchers;
    m_lastStatus = {}; // the new one gets its first status without waiting for an event
    m_statusTimer.start();
}

void EventHub::removeStatusWatcher()
{
    if (--m_statusWatchers == 0) {
        m_statusTimer.stop();
    }
}

void EventHub::publishStatus()
{
    const QJsonObject status = m_service.status();
    if (status != m_lastStatus) {
        m_lastStatus = status;
        publish(
            { { QStringLiteral("name"), c_statusTopic.toString() }, { QStringLiteral("status"), status } });
    }
}

} // namespace kv
