// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"

#include <QList>
#include <QPointer>

#include <map>

namespace kv {

/// A daemon for tests: it records calls and answers when it is told to.
class FakeUiDaemon final : public Daemon {
    Q_OBJECT

public:
    struct Call {
        CallId id = 0;
        QString method;
        QJsonObject params;
    };
    using Answerer = std::function<CallResult(const QJsonObject &params)>;

    using Daemon::Daemon;

    /// Calls of `method` are answered by this, through the event loop.
    void answer(const QString &method, const Answerer &answerer) { m_answerers[method] = answerer; }
    void answer(const QString &method, const QJsonObject &result);
    void refuse(const QString &method, const QString &code, const QString &sentence);
    /// Calls of `method` wait again for answerOldest().
    void hold(const QString &method) { m_answerers.erase(method); }
    /// Answers the oldest call that waits, at once.
    void answerOldest(const CallResult &result);

    [[nodiscard]] const QList<Call> &calls() const { return m_calls; } ///< all so far
    [[nodiscard]] QList<Call> callsOf(const QString &method) const;
    [[nodiscard]] const QList<CallId> &cancelled() const { return m_cancelled; }
    [[nodiscard]] qsizetype waiting() const { return static_cast<qsizetype>(m_waiting.size()); }

    void setLink(Link link, const QString &reason = {});
    void sendStatus(const QJsonObject &status) { Q_EMIT statusReceived(status); }
    void sendEvent(const QJsonObject &event) { Q_EMIT eventReceived(event); }
    void sendCheck(CallId id, const QJsonObject &check) { Q_EMIT doctorCheck(id, check); }

    [[nodiscard]] Link link() const override { return m_link; }
    [[nodiscard]] QString linkReason() const override { return m_reason; }
    [[nodiscard]] QJsonObject hello() const override { return {}; }
    [[nodiscard]] QString socketPath() const override { return QStringLiteral("/run/test/api.sock"); }
    CallId call(const QString &method, const QJsonObject &params, QObject *context, const Callback &callback,
        int deadlineMs) override;
    void cancel(CallId id) override { m_cancelled.append(id); }

    static CallResult ok(const QJsonObject &result);
    static CallResult refused(const QString &code, const QString &sentence, const QJsonObject &data = {});

private:
    struct Waiting {
        QPointer<QObject> context;
        Callback callback;
    };

    std::map<QString, Answerer> m_answerers;
    QList<Call> m_calls;
    std::map<CallId, Waiting> m_waiting;
    QList<CallId> m_cancelled;
    CallId m_lastId = 0;
    Link m_link = Link::Connected;
    QString m_reason;
};

} // namespace kv
