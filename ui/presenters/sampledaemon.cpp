// SPDX-License-Identifier: MIT
#include "sampledaemon.h"

#include "humantime.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTimer>

// A resource of a static library is not there before it is asked for; the macro only works outside of
// namespaces.
static void initResource() { Q_INIT_RESOURCE(sampledaemon); }

namespace kv {

namespace {

/// Texts like "@-60000" are times, in milliseconds from now.
QJsonValue withTimes(const QJsonValue &value, qint64 nowMs)
{
    if (value.isArray()) {
        QJsonArray out;
        const QJsonArray list = value.toArray();
        for (const QJsonValue &entry : list) {
            out.append(withTimes(entry, nowMs));
        }
        return out;
    }
    if (value.isObject()) {
        QJsonObject out = value.toObject();
        for (auto entry = out.begin(); entry != out.end(); ++entry) {
            *entry = withTimes(entry.value(), nowMs);
        }
        return out;
    }
    const QString text = value.toString();
    return text.startsWith(u'@') ? QJsonValue(isoUtc(nowMs + text.mid(1).toLongLong())) : value;
}

} // namespace

SampleDaemon::SampleDaemon(const Clock &clock, QObject *parent)
    : Daemon(parent)
    , m_nowMs(clock.now().wallMs)
{
    initResource();
    QFile file(QStringLiteral(":/sampledaemon.json"));
    if (file.open(QIODevice::ReadOnly)) {
        m_documents = withTimes(QJsonDocument::fromJson(file.readAll()).object(), m_nowMs).toObject();
    }
}

void SampleDaemon::open()
{
    m_link = Link::Connected;
    Q_EMIT linkChanged();
    Q_EMIT statusReceived(m_documents.value(QStringLiteral("kv.status")).toObject());
    const QList<QJsonObject> events = sampleEvents(m_nowMs);
    for (const QJsonObject &event : events) {
        Q_EMIT eventReceived(event);
    }
}

QJsonObject SampleDaemon::hello() const
{
    return { { QStringLiteral("name"), QStringLiteral("kv-persistd") },
        { QStringLiteral("version"), QStringLiteral(KV_PERSIST_VERSION) } };
}

QString SampleDaemon::socketPath() const { return QStringLiteral("/run/user/1000/kv-persist/api.sock"); }

std::optional<QJsonObject> SampleDaemon::answerTo(const QString &method, const QJsonObject &params) const
{
    if (method == QStringLiteral("kv.list")) {
        return sampleList(params, m_nowMs);
    }
    if (method == QStringLiteral("kv.history")) {
        return sampleHistory(params, m_nowMs);
    }
    const QJsonValue document = m_documents.value(method);
    return document.isObject() ? std::optional(document.toObject()) : std::nullopt;
}

Daemon::CallId SampleDaemon::call(const QString &method, const QJsonObject &params, QObject *context,
    const Callback &callback, int /*deadlineMs*/)
{
    const CallId id = ++m_lastId;
    QTimer::singleShot(0, context, [this, method, params, callback, id] {
        CallResult result;
        if (const std::optional<QJsonObject> answer = answerTo(method, params); answer) {
            if (method == QStringLiteral("kv.doctor")) {
                const QJsonArray checks = answer->value(QStringLiteral("checks")).toArray();
                for (const QJsonValue &check : checks) {
                    Q_EMIT doctorCheck(id, check.toObject());
                }
            }
            result.status = CallResult::Status::Ok;
            result.result = *answer;
        } else {
            result.status = CallResult::Status::Refused;
            result.error.error.message = tr("This is only a sample.");
        }
        callback(result);
    });
    return id;
}

} // namespace kv
