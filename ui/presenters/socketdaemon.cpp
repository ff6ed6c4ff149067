// SPDX-License-Identifier: MIT
#include "socketdaemon.h"

#include <QJsonArray>

namespace kv {

namespace {

SocketClient::Options optionsFor(const QString &path)
{
    SocketClient::Options options;
    options.path = path;
    options.name = QStringLiteral("kv-persist-tray");
    options.version = QStringLiteral(KV_PERSIST_VERSION);
    options.reconnect = true;
    options.maxPauseMs = 2000; // somebody looks at the window: a daemon that is back is shown soon
    return options;
}

} // namespace

SocketDaemon::SocketDaemon(const QString &socketPath, QObject *parent)
    : Daemon(parent)
    , m_path(socketPath)
    , m_client(optionsFor(socketPath))
{
    connect(&m_client, &SocketClient::connected, this, &SocketDaemon::onConnected);
    connect(&m_client, &SocketClient::disconnected, this, &SocketDaemon::onAway);
    connect(&m_client, &SocketClient::failed, this, &SocketDaemon::onAway);
    connect(&m_client, &SocketClient::notification, this, &SocketDaemon::onNotification);
}

Daemon::CallId SocketDaemon::call(const QString &method, const QJsonObject &params, QObject *context,
    const Callback &callback, int deadlineMs)
{
    return m_client.call(method, params, deadlineMs, context, callback);
}

void SocketDaemon::onConnected()
{
    m_link = Link::Connected;
    m_reason.clear();
    const QJsonObject topics { { QStringLiteral("topics"),
        QJsonArray { QStringLiteral("kv."), QStringLiteral("status") } } };
    m_client.call(QStringLiteral("kv.subscribe"), topics, c_deadlineMs, this, [](const CallResult &) {});
    m_client.call(QStringLiteral("kv.status"), {}, c_deadlineMs, this, [this](const CallResult &answer) {
        if (answer.ok()) {
            Q_EMIT statusReceived(answer.result);
        }
    });
    Q_EMIT linkChanged();
}

void SocketDaemon::onAway(const QString &reason)
{
    const bool changed = m_link != Link::Away || m_reason != reason;
    m_link = Link::Away;
    m_reason = reason;
    if (changed) {
        Q_EMIT linkChanged();
    }
}

void SocketDaemon::onNotification(const QString &method, const QJsonObject &params)
{
    if (method == QStringLiteral("doctor.check")) {
        Q_EMIT doctorCheck(static_cast<CallId>(params.value(QStringLiteral("id")).toInteger()), params);
    } else if (method == QStringLiteral("event")) {
        if (params.value(QStringLiteral("name")) == QStringLiteral("status")) {
            Q_EMIT statusReceived(params.value(QStringLiteral("status")).toObject());
        } else {
            Q_EMIT eventReceived(params);
        }
    }
}

} // namespace kv
