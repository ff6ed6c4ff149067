// SPDX-License-Identifier: MIT
#pragma once

#include "sessionsselection.h"

#include <QStringList>

namespace kv {

/// What the Sessions page says and lets do.
class SessionsPresenter final : public QObject {
    Q_OBJECT

public:
    enum class Action { Save, Restore, Invalidate, Pin, Unpin, Forget };
    enum class Choice { All, Valid, Suspect, Hidden, Invalid, Pinned, Bases };
    enum class Empty { No, Away, Loading, NoSessions, NoMatch };

    struct Progress {
        int done = 0;
        int total = 0; ///< 0: not known
    };

    /// All outlive the presenter.
    SessionsPresenter(
        Daemon &daemon, SessionsModel &model, SessionsSelection &selection, QObject *parent = nullptr);

    [[nodiscard]] const SessionsSelection &selected() const { return m_selection; }
    [[nodiscard]] bool can(Action action) const;
    /// Acts on what is selected and can take it, one after the other.
    void run(Action action);
    /// The same with these rows, whatever is selected now.
    void run(Action action, const QList<SessionRow> &rows);
    /// Ends the call under way and does not begin the others; or stops reading what is to be selected.
    void cancel();
    /// Whether something runs that cancel() ends.
    [[nodiscard]] bool isBusy() const { return m_running || m_selection.isReading(); }
    [[nodiscard]] Progress progress() const; ///< of it

    /// What something else came to that was done with the list, one sentence.
    void tell(const QString &outcome);

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
    [[nodiscard]] bool mayRun() const;
    void next();
    void onAnswer(const CallResult &answer);
    void finish();
    void applyFilter();
    [[nodiscard]] QString doneText(const QJsonObject &result) const;
    void noteDone(const QJsonObject &result);
    [[nodiscard]] QString doingText() const;
    [[nodiscard]] QString selectedText() const;
    [[nodiscard]] QString failuresText() const;
    [[nodiscard]] static bool takes(Action action, const SessionRow &row);

    Daemon &m_daemon;
    SessionsModel &m_model;
    SessionsSelection &m_selection;
    QList<SessionRow> m_queue;
    SessionRow m_now;
    QStringList m_failures; ///< the first few
    int m_failed = 0;
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
