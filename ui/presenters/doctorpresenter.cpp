// SPDX-License-Identifier: MIT
#include "doctorpresenter.h"

#include "status.h"

#include <QJsonArray>

namespace kv {

DoctorPresenter::DoctorPresenter(Daemon &daemon, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
{
    connect(&m_daemon, &Daemon::doctorCheck, this, &DoctorPresenter::onCheck);
    connect(&m_daemon, &Daemon::statusReceived, this, &DoctorPresenter::onStatus);
}

void DoctorPresenter::runConfigured(const QString &server)
{
    run(server.isEmpty() ? QJsonObject() : QJsonObject { { QStringLiteral("server"), server } });
}

void DoctorPresenter::runAddress(const QString &baseUrl, const QString &apiKey)
{
    QJsonObject params { { QStringLiteral("baseURL"), baseUrl.trimmed() } };
    if (!apiKey.isEmpty()) {
        params.insert(QStringLiteral("apiKey"), apiKey);
    }
    run(params);
}

void DoctorPresenter::run(const QJsonObject &params)
{
    if (isRunning()) {
        return;
    }
    m_model.clear();
    m_trouble.clear();
    const quint64 run = ++m_run;
    m_call = m_daemon.call(
        QStringLiteral("kv.doctor"), params, this,
        [this, run](const CallResult &answer) { onAnswer(run, answer); }, Daemon::c_noDeadline);
    setState(State::Running);
}

void DoctorPresenter::cancel()
{
    if (isRunning()) {
        m_daemon.cancel(m_call);
        ++m_run;
        setState(State::Cancelled);
    }
}

void DoctorPresenter::reset()
{
    cancel();
    m_model.clear();
    setState(State::Idle);
}

void DoctorPresenter::onCheck(quint64 id, const QJsonObject &check)
{
    if (isRunning() && id == m_call) {
        m_model.append(DoctorCheck::fromJson(check));
    }
}

void DoctorPresenter::onAnswer(quint64 run, const CallResult &answer)
{
    if (run != m_run) {
        return;
    }
    if (!answer.ok()) {
        m_trouble = answer.error.error.message;
        setState(answer.error.error.code == ErrorCode::Cancelled ? State::Cancelled : State::Failed);
        return;
    }
    const QJsonArray checks = answer.result.value(u"checks").toArray();
    for (qsizetype i = m_model.rowCount(); i < checks.size(); ++i) {
        m_model.append(DoctorCheck::fromJson(checks.at(i).toObject()));
    }
    const QString result = answer.result.value(u"result").toString();
    if (result == QStringLiteral("ready")) {
        setState(State::Ready);
    } else {
        setState(
            result == QStringLiteral("ready-with-warnings") ? State::ReadyWithWarnings : State::NotReady);
    }
}

void DoctorPresenter::readServers()
{
    m_daemon.call(
        QStringLiteral("kv.status"), {}, this,
        [this](const CallResult &answer) {
            if (answer.ok()) {
                onStatus(answer.result);
            }
        },
        Daemon::c_deadlineMs);
}

void DoctorPresenter::onStatus(const QJsonObject &status)
{
    const QStringList names = serverNames(status);
    if (names != m_servers) {
        m_servers = names;
        Q_EMIT serversChanged();
    }
}

QString DoctorPresenter::summary() const
{
    const int warnings = m_model.count(DoctorCheck::Verdict::Warning);
    const int failures = m_model.count(DoctorCheck::Verdict::Failed);
    switch (m_state) {
    case State::Idle:
        return tr("The doctor looks at a server without changing anything, and says what to do.");
    case State::Running:
        return tr("Checking… %n check(s) done", nullptr, m_model.rowCount());
    case State::Ready:
        return tr("Ready. All %n check(s) passed.", nullptr, m_model.rowCount());
    case State::ReadyWithWarnings:
        return tr("Ready, with %n warning(s).", nullptr, warnings);
    case State::NotReady:
        return tr("Not ready: %n check(s) failed.", nullptr, failures);
    case State::Cancelled:
        return tr("Stopped before the end.");
    case State::Failed:
        break;
    }
    return m_trouble.isEmpty() ? tr("The daemon does not answer. Start it, then run the doctor again.")
                               : m_trouble;
}

QString DoctorPresenter::asText() const
{
    QString out;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        out += m_model.at(row).asText() + QLatin1Char('\n');
    }
    return out + summary() + QLatin1Char('\n');
}

void DoctorPresenter::setState(State state)
{
    m_state = state;
    Q_EMIT stateChanged();
}

} // namespace kv
