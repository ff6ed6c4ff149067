// SPDX-License-Identifier: MIT
#include "sessionspresenter.h"

#include "localetext.h"

#include <algorithm>

namespace kv {

namespace {

constexpr int c_failuresTold = 3;

QString methodOf(SessionsPresenter::Action action)
{
    switch (action) {
    case SessionsPresenter::Action::Save:
        return QStringLiteral("kv.save");
    case SessionsPresenter::Action::Restore:
        return QStringLiteral("kv.restore");
    case SessionsPresenter::Action::Invalidate:
        return QStringLiteral("kv.invalidate");
    case SessionsPresenter::Action::Pin:
    case SessionsPresenter::Action::Unpin:
        return QStringLiteral("kv.pin");
    case SessionsPresenter::Action::Forget:
        return QStringLiteral("kv.purge");
    }
    return {};
}

QString filterOf(SessionsPresenter::Choice choice)
{
    switch (choice) {
    case SessionsPresenter::Choice::All:
        return {};
    case SessionsPresenter::Choice::Valid:
        return QStringLiteral("state:valid");
    case SessionsPresenter::Choice::Suspect:
        return QStringLiteral("state:suspect");
    case SessionsPresenter::Choice::Hidden:
        return QStringLiteral("state:hidden");
    case SessionsPresenter::Choice::Invalid:
        return QStringLiteral("state:invalid");
    case SessionsPresenter::Choice::Pinned:
        return QStringLiteral("pinned:true");
    case SessionsPresenter::Choice::Bases:
        return SessionsModel::c_bases.toString();
    }
    return {};
}

} // namespace

SessionsPresenter::SessionsPresenter(
    Daemon &daemon, SessionsModel &model, SessionsSelection &selection, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_model(model)
    , m_selection(selection)
{
    connect(&model, &SessionsModel::changed, this, &SessionsPresenter::changed);
    connect(&selection, &SessionsSelection::chosen, this, [this] { m_outcome.clear(); });
    connect(&selection, &SessionsSelection::changed, this, &SessionsPresenter::changed);
}

bool SessionsPresenter::takes(Action action, const SessionRow &row)
{
    switch (action) {
    case Action::Save:
        return row.slot >= 0;
    case Action::Restore:
        return row.slot < 0 && !row.base
            && (row.state == QStringLiteral("valid") || row.state == QStringLiteral("suspect"));
    case Action::Invalidate:
        return row.state != QStringLiteral("invalid");
    case Action::Pin:
        return !row.pinned;
    case Action::Unpin:
        return row.pinned;
    case Action::Forget:
        return true;
    }
    return false;
}

bool SessionsPresenter::mayRun() const { return !m_running && m_daemon.link() == Daemon::Link::Connected; }

bool SessionsPresenter::can(Action action) const
{
    return mayRun() && !m_selection.isReading()
        && m_selection.any([action](const SessionRow &row) { return takes(action, row); });
}

void SessionsPresenter::run(Action action)
{
    if (can(action)) {
        run(action, m_selection.rows());
    }
}

void SessionsPresenter::run(Action action, const QList<SessionRow> &rows)
{
    m_queue.clear();
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(m_queue),
        [action](const SessionRow &row) { return takes(action, row); });
    if (!mayRun() || m_queue.isEmpty()) {
        return;
    }
    m_action = action;
    m_count = static_cast<int>(m_queue.size());
    m_done = 0;
    m_failures.clear();
    m_failed = 0;
    m_lastDone.clear();
    m_cancelled = false;
    m_running = true;
    next();
}

void SessionsPresenter::next()
{
    if (m_queue.isEmpty() || m_cancelled) {
        finish();
        return;
    }
    m_now = m_queue.takeFirst();
    QJsonObject params = m_now.callParams();
    if (m_action == Action::Pin || m_action == Action::Unpin) {
        params.insert(QStringLiteral("pinned"), m_action == Action::Pin);
    }
    const bool waits = m_action == Action::Restore || m_action == Action::Save;
    m_call = m_daemon.call(
        methodOf(m_action), params, this, [this](const CallResult &answer) { onAnswer(answer); },
        waits ? Daemon::c_noDeadline : Daemon::c_deadlineMs);
    Q_EMIT changed();
}

void SessionsPresenter::onAnswer(const CallResult &answer)
{
    if (answer.ok()) {
        ++m_done;
        m_lastDone = doneText(answer.result);
        noteDone(answer.result);
    } else if (!m_cancelled && ++m_failed <= c_failuresTold) {
        m_failures.append(
            tr("%1: %2", "a session and what went wrong").arg(m_now.name(), answer.error.error.message));
    }
    next();
}

/// What the list tells too, but only of the rows that it holds.
void SessionsPresenter::noteDone(const QJsonObject &result)
{
    switch (m_action) {
    case Action::Save:
        return;
    case Action::Restore:
        m_now.slot = result.value(u"slot").toInt(-1);
        break;
    case Action::Invalidate:
        m_now.state = QStringLiteral("invalid");
        break;
    case Action::Pin:
    case Action::Unpin:
        m_now.pinned = m_action == Action::Pin;
        break;
    case Action::Forget:
        m_selection.remove(m_now);
        return;
    }
    m_selection.update(m_now);
}

void SessionsPresenter::finish()
{
    m_running = false;
    if (m_cancelled) {
        m_outcome = tr("Cancelled; %1 of %2 done.").arg(m_done).arg(m_count);
    } else if (m_failures.isEmpty()) {
        m_outcome = m_count == 1 ? m_lastDone : tr("All %n done.", nullptr, m_count);
    } else if (m_count == 1) {
        m_outcome = m_failures.first();
    } else {
        m_outcome = tr("%1 of %2 done; %3").arg(m_done).arg(m_count).arg(failuresText());
    }
    Q_EMIT changed();
}

void SessionsPresenter::cancel()
{
    m_selection.cancel();
    if (!m_running) {
        return;
    }
    m_cancelled = true;
    m_daemon.cancel(m_call);
    Q_EMIT changed();
}

QString SessionsPresenter::doneText(const QJsonObject &result) const
{
    const QString name = m_now.name();
    const QString tokens = localeTokens(result.value(u"tokens").toInteger());
    const QString time = localeDuration(result.value(u"ms").toDouble());
    switch (m_action) {
    case Action::Save:
        return result.contains(u"skipped") ? tr("%1 was saved already: nothing changed since.").arg(name)
                                           : tr("%1 saved: %2 tokens in %3.").arg(name, tokens, time);
    case Action::Restore:
        return tr("%1 restored into slot %2: %3 tokens in %4.")
            .arg(name, QString::number(result.value(u"slot").toInt()), tokens, time);
    case Action::Invalidate:
        return tr("%1 will not be restored any more; its next request starts cold.").arg(name);
    case Action::Pin:
        return tr("%1 is kept until it is unpinned.").arg(name);
    case Action::Unpin:
        return tr("%1 may be removed again for age or space.").arg(name);
    case Action::Forget:
        return result.value(u"fileRemains").toBool()
            ? tr("%1 forgotten; its file is emptied as soon as a slot is free.").arg(name)
            : tr("%1 forgotten.").arg(name);
    }
    return {};
}

QString SessionsPresenter::doingText() const
{
    if (m_cancelled) {
        return tr("Cancelling…");
    }
    QString text;
    switch (m_action) {
    case Action::Save:
        text = tr("Saving %1…").arg(m_now.name());
        break;
    case Action::Restore:
        text = tr("Restoring %1: waiting for a slot…").arg(m_now.name());
        break;
    default:
        text = tr("Working on %1…").arg(m_now.name());
    }
    return m_count == 1 ? text : tr("%1 (%2 of %3)").arg(text).arg(m_count - m_queue.size()).arg(m_count);
}

void SessionsPresenter::tell(const QString &outcome)
{
    m_outcome = outcome;
    Q_EMIT changed();
}

void SessionsPresenter::setText(const QString &text)
{
    m_text = text;
    applyFilter();
}

void SessionsPresenter::setChoice(Choice choice)
{
    m_choice = choice;
    applyFilter();
}

void SessionsPresenter::clearFilter()
{
    m_text.clear();
    m_choice = Choice::All;
    applyFilter();
}

void SessionsPresenter::applyFilter()
{
    const QString key = filterOf(m_choice);
    const QString text = m_text.trimmed();
    m_model.setFilter(key.isEmpty() || text.isEmpty() ? key + text : key + u' ' + text);
    m_outcome.clear();
    Q_EMIT changed();
}

QString SessionsPresenter::forgetQuestion() const
{
    return m_selection.count() == 1
        ? tr("Forget the snapshot of %1?").arg(m_selection.first().name())
        : tr("Forget %n snapshot(s)?", nullptr, static_cast<int>(m_selection.count()));
}

QString SessionsPresenter::forgetLoss() const
{
    qint64 tokens = 0;
    const QList<SessionRow> rows = m_selection.rows();
    for (const SessionRow &row : rows) {
        tokens += row.tokens;
    }
    return tr(
        "Only speed is lost: conversations stay as they are, and the server processes %1 tokens anew when "
        "they are needed.")
        .arg(localeTokens(tokens));
}

QString SessionsPresenter::statusText() const
{
    if (m_running) {
        return doingText();
    }
    if (m_selection.isReading()) {
        const SessionsSelection::Progress read = m_selection.progress();
        return tr("Reading what is selected: %1 of %2 rows…")
            .arg(localeCount(read.done), localeCount(read.total));
    }
    if (!m_outcome.isEmpty()) {
        return m_outcome;
    }
    if (!m_selection.problem().isEmpty()) {
        return m_selection.problem();
    }
    if (!m_model.problem().isEmpty()) {
        return m_model.problem();
    }
    const int total = m_model.rowCount();
    return tr("%1 snapshot(s)", nullptr, total).arg(localeCount(total)) + selectedText();
}

QString SessionsPresenter::selectedText() const
{
    QString text;
    if (m_selection.count() == 1) {
        text = tr(", “%1” selected").arg(m_selection.first().name());
    } else if (!m_selection.isEmpty()) {
        text = tr(", %1 selected").arg(localeCount(m_selection.count()));
    }
    if (const int hidden = m_selection.hiddenByFilter(); hidden > 0) {
        text += tr(", %n deselected by the filter", nullptr, hidden);
    }
    return text;
}

QString SessionsPresenter::failuresText() const
{
    const int more = m_failed - static_cast<int>(m_failures.size());
    const QString told = m_failures.join(u' ');
    return more > 0 ? tr("%1 And %n more.", "sentences about what failed", more).arg(told) : told;
}

SessionsPresenter::Progress SessionsPresenter::progress() const
{
    if (m_running) {
        return { m_count - static_cast<int>(m_queue.size()) - 1, m_count > 1 ? m_count : 0 };
    }
    return { m_selection.progress().done, m_selection.progress().total };
}

SessionsPresenter::Empty SessionsPresenter::empty() const
{
    if (m_model.phase() == SessionsModel::Phase::Away) {
        return Empty::Away;
    }
    if (m_model.phase() == SessionsModel::Phase::Loading) {
        return Empty::Loading;
    }
    if (m_model.rowCount() > 0) {
        return Empty::No;
    }
    return m_model.filter().isEmpty() ? Empty::NoSessions : Empty::NoMatch;
}

QString SessionsPresenter::emptyText() const
{
    switch (empty()) {
    case Empty::No:
        return {};
    case Empty::Away:
        return tr("The daemon does not answer. Its sessions are shown again as soon as it is back.");
    case Empty::Loading:
        return tr("Loading…");
    case Empty::NoSessions:
        return tr(
            "No session is saved yet. Work with a model as usual: the first snapshot appears here a moment "
            "after an answer.");
    case Empty::NoMatch:
        return tr("No session matches the filter.");
    }
    return {};
}

QString SessionsPresenter::copyText() const
{
    QStringList lines;
    const QList<SessionRow> rows = m_selection.rows();
    for (const SessionRow &row : rows) {
        lines.append(QStringList { row.name(), row.session, row.provider, row.model, row.server, row.state,
            QString::number(row.tokens), QString::number(row.bytes) }
                         .join(u'\t'));
    }
    return lines.join(u'\n');
}

} // namespace kv
