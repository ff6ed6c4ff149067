// SPDX-License-Identifier: MIT
#pragma once

#include "sessionsmodel.h"

#include <QStringList>

namespace kv {

/// What the Sessions page says and lets do.
class SessionsPresenter final : public QObject {
    Q_OBJECT

public:
    enum class Action { Save, Restore, Invalidate, Pin, Unpin, Forget };
    enum class Choice { All, Valid, Suspect, Hidden, Invalid, Pinned };
    enum class Empty { No, Away, Loading, NoSessions, NoMatch };

    /// Both outlive the presenter.
    SessionsPresenter(Daemon &daemon, SessionsModel &model, QObject *parent = nullptr);

    void setSelected(const QList<SessionRow> &rows);
    [[nodiscard]] const QList<SessionRow> &selected() const { return m_selected; }
    [[nodiscard]] bool can(Action action) const;
    /// Acts on what is selected and can take it, one after the other.
    void run(Action action);
    /// Ends the call under way and does not begin the others.
    void cancel();
    [[nodiscard]] bool running() const { return m_running; }

    void setText(const QString &text);
    void setChoice(Choice choice);
    void clearFilter();
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] Choice choice() const { return m_choice; }

    [[nodiscard]] QString forgetQuestion() const;
    [[nodiscard]] QString forgetLoss() const;
    /// What the last action came to, or what runs; else how many rows there are.
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] Empty empty() const;
    [[nodiscard]] QString emptyText() const;
    /// The selected rows, tab-separated.
    [[nodiscard]] QString copyText() const;

Q_SIGNALS:
    void changed();

private:
    void next();
    void onAnswer(const CallResult &answer);
    void finish();
    void applyFilter();
    [[nodiscard]] QString doneText(const QJsonObject &result) const;
    [[nodiscard]] QString doingText() const;
    [[nodiscard]] static bool takes(Action action, const SessionRow &row);

    Daemon &m_daemon;
    SessionsModel &m_model;
    QList<SessionRow> m_selected;
    QList<SessionRow> m_queue;
    SessionRow m_now;
    QStringList m_failures;
    QString m_lastDone;
    QString m_outcome;
    QString m_text;
    Choice m_choice = Choice::All;
    Action m_action = Action::Save;
    Daemon::CallId m_call = 0;
    int m_count = 0;
    int m_done = 0;
    bool m_running = false;
    bool m_cancelled = false;
};

} // namespace kv
