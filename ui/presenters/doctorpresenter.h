// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"
#include "doctormodel.h"

namespace kv {

/// One doctor at a time: asks the daemon for the checks and shows them as they come. Used by the Doctor page,
/// by "Test connection" and by the first-start assistant.
class DoctorPresenter final : public QObject {
    Q_OBJECT

public:
    enum class State {
        Idle, ///< nothing was asked yet
        Running,
        Ready, ///< all passed
        ReadyWithWarnings,
        NotReady,
        Cancelled,
        Failed, ///< no verdict: the daemon refused or went away
    };

    explicit DoctorPresenter(Daemon &daemon, QObject *parent = nullptr);

    /// All configured servers, or one. While one runs, nothing.
    void runConfigured(const QString &server = {});
    /// An address that need not be configured.
    void runAddress(const QString &baseUrl, const QString &apiKey = {});
    void cancel();
    /// Forgets what was found; a run that goes on is cancelled.
    void reset();

    [[nodiscard]] DoctorModel *model() { return &m_model; } ///< owned by this
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isRunning() const { return m_state == State::Running; }
    [[nodiscard]] QString summary() const; ///< one sentence on what was found
    [[nodiscard]] QString asText() const; ///< all checks and the summary, for the clipboard
    /// Asks for the status, as the one of the connection may have come before this was there.
    void readServers();
    /// The configured servers, from the status.
    [[nodiscard]] const QStringList &servers() const { return m_servers; }

Q_SIGNALS:
    void stateChanged();
    void serversChanged();

private:
    void run(const QJsonObject &params);
    void onCheck(quint64 id, const QJsonObject &check);
    void onAnswer(quint64 run, const CallResult &answer);
    void onStatus(const QJsonObject &status);
    void setState(State state);

    Daemon &m_daemon;
    DoctorModel m_model;
    State m_state = State::Idle;
    Daemon::CallId m_call = 0;
    quint64 m_run = 0; ///< counts the runs: an answer of an older one is late
    QString m_trouble;
    QStringList m_servers;
};

} // namespace kv
