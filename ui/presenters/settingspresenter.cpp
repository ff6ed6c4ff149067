// SPDX-License-Identifier: MIT
// Reading, checking and writing. The setters: settingsedits.cpp.
#include "settingspresenter.h"

#include <QJsonArray>
#include <QRegularExpression>

namespace kv {

namespace {

QString method() { return QStringLiteral("kv.config"); }

QJsonObject action(const QString &name) { return { { QStringLiteral("action"), name } }; }

QStringList texts(const QJsonValue &list)
{
    QStringList out;
    const QJsonArray array = list.toArray();
    for (const QJsonValue &one : array) {
        out.append(one.toString());
    }
    return out;
}

/// The daemon's sentence without the key, which the field shows already.
QString atField(const QString &sentence)
{
    static const QRegularExpression prefix(QStringLiteral("^key '[^']*':?\\s*"));
    QString out = sentence;
    out.remove(prefix);
    return out.isEmpty() ? sentence : out.front().toUpper() + out.mid(1);
}

} // namespace

SettingsPresenter::SettingsPresenter(Daemon &daemon, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
{
    connect(&m_daemon, &Daemon::eventReceived, this, &SettingsPresenter::onEvent);
    connect(&m_daemon, &Daemon::linkChanged, this, [this] {
        if (m_state == State::Unreadable && m_daemon.link() == Daemon::Link::Connected) {
            load();
        }
    });
}

void SettingsPresenter::load()
{
    const quint64 round = ++m_round;
    setState(State::Busy, tr("Reading the configuration…"));
    m_daemon.call(method(), action(QStringLiteral("get")), this, [this, round](const CallResult &answer) {
        if (round != m_round) {
            return;
        }
        if (!answer.ok()) {
            m_file.reset();
            setState(State::Unreadable, answer.error.error.message);
            return;
        }
        take(answer.result);
        if (m_file) {
            // A file that somebody broke by hand shows its errors at once.
            check(m_file->text(), [this] { setState(State::Ready, {}); });
        }
    });
}

void SettingsPresenter::take(const QJsonObject &file)
{
    m_path = file.value(u"path").toString();
    m_exists = file.value(u"exists").toBool();
    m_hash = file.value(u"hash").toString();
    m_theirs = {};
    setProblems({});
    const Result<YamlEdit> read = YamlEdit::read(file.value(u"yaml").toString());
    if (!read) {
        m_file.reset();
        setState(State::Unreadable, read.error().message);
        return;
    }
    m_file = read.value();
    m_saved = SettingsDraft::of(*m_file);
    m_draft = m_saved;
    Q_EMIT loaded();
}

void SettingsPresenter::revert()
{
    m_draft = m_saved;
    setProblems({});
    Q_EMIT loaded();
    setState(m_state, {});
}

Result<YamlEdit> SettingsPresenter::patched() const
{
    return withChanges(*m_file, settingsChanges(m_saved, m_draft));
}

void SettingsPresenter::apply()
{
    if (m_state != State::Ready || !m_file || !isDirty()) {
        return;
    }
    const Result<YamlEdit> edit = patched();
    if (!edit) {
        setProblems({ { edit.error().data.value(u"key").toString(), 0, edit.error().message } });
        setState(State::Ready, tr("Nothing was written."));
        return;
    }
    checkAndWrite(edit.value());
}

void SettingsPresenter::checkAndWrite(const YamlEdit &edit)
{
    ++m_round;
    setState(State::Busy, tr("The daemon checks the changes…"));
    check(edit.text(), [this, edit] { write(edit); });
}

/// Has the daemon look at a text: `good`, or its problems are shown and the state is Ready.
void SettingsPresenter::check(const QString &yaml, const std::function<void()> &good)
{
    QJsonObject params = action(QStringLiteral("validate"));
    params.insert(QStringLiteral("yaml"), yaml);
    m_daemon.call(method(), params, this, [this, good, round = m_round](const CallResult &answer) {
        if (round != m_round) {
            return;
        }
        if (!answer.ok()) {
            fail(answer);
            return;
        }
        takeErrors(answer.result);
        if (answer.result.value(u"valid").toBool()) {
            good();
            return;
        }
        setState(State::Ready,
            isDirty() ? tr("Nothing was written: %n error(s).", nullptr, static_cast<int>(m_problems.size()))
                      : tr("The file has %n error(s); the daemon goes on with what it read before.", nullptr,
                          static_cast<int>(m_problems.size())));
    });
}

void SettingsPresenter::write(const YamlEdit &edit)
{
    QJsonObject params = action(QStringLiteral("set"));
    params.insert(QStringLiteral("yaml"), edit.text());
    if (!m_hash.isEmpty()) {
        params.insert(QStringLiteral("ifHash"), m_hash);
    }
    m_daemon.call(method(), params, this, [this, edit, round = m_round](const CallResult &answer) {
        if (round != m_round) {
            return;
        }
        if (answer.ok()) {
            onWritten(edit, answer);
        } else {
            onRefused(answer);
        }
    });
}

void SettingsPresenter::onWritten(const YamlEdit &edit, const CallResult &answer)
{
    m_file = edit;
    m_hash = answer.result.value(u"hash").toString();
    m_exists = true;
    m_saved = SettingsDraft::of(edit);
    m_draft = m_saved;
    const QStringList changed = texts(answer.result.value(u"changed"));
    const QStringList restart = texts(answer.result.value(u"restartNeeded"));
    QString message = changed.isEmpty()
        ? tr("Saved. Nothing changes for the daemon.")
        : tr("Saved and in force: %1.").arg(changed.join(QStringLiteral(", ")));
    if (!restart.isEmpty()) {
        message
            += QLatin1Char(' ') + tr("Restart the daemon for: %1.").arg(restart.join(QStringLiteral(", ")));
    }
    setState(State::Ready, message);
    Q_EMIT loaded();
    Q_EMIT applied();
}

/// Whether the file is another one by now, the file itself tells.
void SettingsPresenter::onRefused(const CallResult &answer)
{
    if (answer.status != CallResult::Status::Refused || answer.error.error.code != ErrorCode::ConfigInvalid) {
        fail(answer);
        return;
    }
    m_daemon.call(method(), action(QStringLiteral("get")), this,
        [this, refusal = answer, round = m_round](const CallResult &theirs) {
            if (round != m_round) {
                return;
            }
            if (theirs.ok() && theirs.result.value(u"hash").toString() != m_hash) {
                m_theirs = theirs.result;
                setState(State::Ready, tr("Nothing was written: somebody else changed the file meanwhile."));
                Q_EMIT conflictFound();
                return;
            }
            takeErrors(refusal.error.extra);
            fail(refusal);
        });
}

void SettingsPresenter::applyToTheirs()
{
    const Result<YamlEdit> read = YamlEdit::read(m_theirs.value(u"yaml").toString());
    const Result<YamlEdit> edit
        = read ? withChanges(read.value(), settingsChanges(m_saved, m_draft)) : read.error();
    if (!edit) {
        setState(State::Ready, edit.error().message);
        return;
    }
    m_hash = m_theirs.value(u"hash").toString();
    checkAndWrite(edit.value());
}

void SettingsPresenter::onEvent(const QJsonObject &event)
{
    if (event.value(u"name") != QStringLiteral("kv.config.reloaded") || m_state == State::Busy
        || m_state == State::Empty || isDirty()) {
        return; // what is unsaved meets the other's changes when it is applied
    }
    load();
}

void SettingsPresenter::takeErrors(const QJsonObject &document)
{
    QList<Problem> problems;
    const QJsonArray errors = document.value(u"errors").toArray();
    for (const QJsonValue &one : errors) {
        const QJsonObject error = one.toObject();
        problems.append({ error.value(u"key").toString(), error.value(u"line").toInt(),
            atField(error.value(u"message").toString()) });
    }
    setProblems(problems);
}

void SettingsPresenter::setProblems(const QList<Problem> &problems)
{
    m_problems = problems;
    Q_EMIT problemsChanged();
}

QString SettingsPresenter::problemOf(const QString &key) const
{
    for (const Problem &problem : m_problems) {
        if (problem.key == key || problem.key.startsWith(key + QLatin1Char('['))) {
            return problem.sentence;
        }
    }
    return {};
}

void SettingsPresenter::fail(const CallResult &answer)
{
    setState(m_file ? State::Ready : State::Unreadable, answer.error.error.message);
}

void SettingsPresenter::setState(State state, const QString &message)
{
    m_state = state;
    m_message = message;
    Q_EMIT stateChanged();
}

} // namespace kv
