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
/// some time after something happened. One for all connections.
class EventHub final : public QObject {
    Q_OBJECT

public:
    explicit EventHub(Service &service, QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(EventHub)

    /// Completes the event (`at`) and hands it to all subscribers.
    void publish(QJsonObject event);
    /// The status document is only made while somebody watches it.
    void addStatusWatcher();
    void removeStatusWatcher();

Q_SIGNALS:
    void event(const QJsonObject &event);

private:
    void publishStatus();

    Service &m_service;
    QTimer m_statusTimer;
    int m_statusWatchers = 0;
};

} // namespace kv
