// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"
#include "daemonport.h"

#include <optional>

namespace kv {

/// A daemon that is not there: it answers what only reads from a built-in state (sampledaemon.json and
/// sampledaemonrows.cpp), with times relative to the clock. For screenshots; all else is refused.
class SampleDaemon final : public Daemon {
    Q_OBJECT

public:
    explicit SampleDaemon(const Clock &clock, QObject *parent = nullptr);

    /// Says that it is there, and its status. Before that the link is Connecting.
    void open();

    [[nodiscard]] Link link() const override { return m_link; }
    [[nodiscard]] QString linkReason() const override { return {}; }
    [[nodiscard]] QJsonObject hello() const override;
    [[nodiscard]] QString socketPath() const override;
    CallId call(const QString &method, const QJsonObject &params, QObject *context, const Callback &callback,
        int deadlineMs) override;
    void cancel(CallId /*id*/) override { }

    /// What it answers; nullopt: the method is refused.
    [[nodiscard]] std::optional<QJsonObject> answerTo(const QString &method, const QJsonObject &params) const;

private:
    qint64 m_nowMs = 0; ///< of all answers: a picture shows one moment
    QJsonObject m_documents; ///< by method
    Link m_link = Link::Connecting;
    CallId m_lastId = 0;
};

/// `rows` and `total` of kv.list: 40 sessions, filtered and sorted as asked.
QJsonObject sampleList(const QJsonObject &params, qint64 nowMs);
/// kv.history of a server: an hour in which sessions took turns.
QJsonObject sampleHistory(const QJsonObject &params, qint64 nowMs);
/// What was told by events in the last minutes, oldest first.
QList<QJsonObject> sampleEvents(qint64 nowMs);

} // namespace kv
