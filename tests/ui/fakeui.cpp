// SPDX-License-Identifier: MIT
#include "fakeui.h"

#include "errorcode.h"

#include <QTimer>

namespace kv {

CallResult FakeUiDaemon::ok(const QJsonObject &result)
{
    CallResult answer;
    answer.status = CallResult::Status::Ok;
    answer.result = result;
    return answer;
}

CallResult FakeUiDaemon::refused(const QString &code, const QString &sentence, const QJsonObject &data)
{
    CallResult answer;
    answer.status = CallResult::Status::Refused;
    answer.error.error.code = errorCodeFromName(code).value_or(ErrorCode::Invariant);
    answer.error.error.message = sentence;
    answer.error.extra = data;
    return answer;
}

void FakeUiDaemon::answer(const QString &method, const QJsonObject &result)
{
    answer(method, [result](const QJsonObject &) { return ok(result); });
}

void FakeUiDaemon::refuse(const QString &method, const QString &code, const QString &sentence)
{
    answer(method, [code, sentence](const QJsonObject &) { return refused(code, sentence); });
}

void FakeUiDaemon::answerOldest(const CallResult &result)
{
    if (m_waiting.empty()) {
        return;
    }
    const Waiting waiting = m_waiting.extract(m_waiting.begin()).mapped();
    if (waiting.context != nullptr) {
        waiting.callback(result);
    }
}

QList<FakeUiDaemon::Call> FakeUiDaemon::callsOf(const QString &method) const
{
    QList<Call> some;
    for (const Call &call : m_calls) {
        if (call.method == method) {
            some.append(call);
        }
    }
    return some;
}

void FakeUiDaemon::setLink(Link link, const QString &reason)
{
    m_link = link;
    m_reason = reason;
    Q_EMIT linkChanged();
}

Daemon::CallId FakeUiDaemon::call(const QString &method, const QJsonObject &params, QObject *context,
    const Callback &callback, int /*deadlineMs*/)
{
    const CallId id = ++m_lastId;
    m_calls.append({ id, method, params });
    const auto found = m_answerers.find(method);
    if (m_link != Link::Connected) {
        QTimer::singleShot(0, context, [callback] { callback({}); });
    } else if (found != m_answerers.end()) {
        QTimer::singleShot(0, context, [callback, result = found->second(params)] { callback(result); });
    } else {
        m_waiting[id] = { context, callback };
    }
    return id;
}

} // namespace kv
