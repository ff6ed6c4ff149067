// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace kv {

class Service;

/// Whether an event of this name belongs to one of the topics: prefixes of names, and the words of their own
/// `status` and `doctor`, which only themselves ask for.
bool topicsMatch(const QStringList &topics, const QString &name);

/// All that subscribers may see: the service's events, checks of any client's doctor, and the status document
/// when it changed. One for all connections.
class EventHub final : public QObject {
    Q_OBJECT

public:
    explicit EventHub(Service &service, QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(EventHub)

    /// Completes the event (`seq`, one up for each event of this daemon; `at`) and hands it to all
    /// subscribers.
    void publish(QJsonObject event);
    /// The status document is only made while somebody watches it.
    void addStatusWatcher();
    void removeStatusWatcher();

Q_SIGNALS:
    void happened(const QJsonObject &event);

protected:
    void connectNotify(const QMetaMethod &signal) override;

private:
    void publishStatus();

    Service &m_service;
    QTimer m_statusTimer;
    QJsonObject m_lastStatus;
    qint64 m_seq = 0;
    int m_statusWatchers = 0;
};

} // namespace kv
