// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"
#include "settingsdraft.h"

#include <QList>

#include <optional>

namespace kv {

/// The daemon's configuration while somebody changes it: a draft beside the file's text, checked by the
/// daemon before anything is written. Keys of problems are the daemon's: "checkpoint.idleMs",
/// "servers.local.baseURL", "providers.x".
class SettingsPresenter final : public QObject {
    Q_OBJECT

public:
    enum class State {
        Empty, ///< nothing was read yet
        Busy, ///< a question to the daemon runs
        Ready,
        Unreadable, ///< the file could not be had or is no YAML; message() says why
    };
    struct Problem {
        QString key; ///< empty: the file as a whole
        int line = 0; ///< of the text that was to be written; 0: not known
        QString sentence;
    };

    explicit SettingsPresenter(Daemon &daemon, QObject *parent = nullptr);

    /// Reads the file anew; unsaved changes are dropped.
    void load();
    /// Back to what the file said when it was read.
    void revert();
    /// Has the draft checked, then written and applied.
    void apply();
    /// After conflictFound(): the changes of the draft, carried out on the file as it is now.
    void applyToTheirs();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isDirty() const { return !settingsChanges(m_saved, m_draft).empty(); }
    [[nodiscard]] const QString &path() const { return m_path; } ///< of the file, or where it would be
    [[nodiscard]] bool fileExists() const { return m_exists; }
    [[nodiscard]] const QString &message() const { return m_message; } ///< what became of the last action
    [[nodiscard]] const QList<Problem> &problems() const { return m_problems; }
    /// What is wrong with this key, or in the list below it; empty: nothing.
    [[nodiscard]] QString problemOf(const QString &key) const;

    [[nodiscard]] const SettingsDraft &draft() const { return m_draft; }
    [[nodiscard]] QString value(const QString &key) const; ///< or its default
    [[nodiscard]] QString written(const QString &key) const; ///< empty: the default holds
    /// Empty: the default holds. A default that the file does not spell stays out of it.
    void setValue(const QString &key, const QString &value);

    [[nodiscard]] QString serverKey(int row, const QString &key) const; ///< as problems name it
    [[nodiscard]] QString serverValue(int row, const QString &key) const;
    [[nodiscard]] QString serverWritten(int row, const QString &key) const;
    void setServerValue(int row, const QString &key, const QString &value);
    /// Providers that name it go along. Empty or taken: nothing, and false.
    bool renameServer(int row, const QString &name);
    int addServer(); ///< its row
    void removeServer(int row); ///< with the providers that go to it
    [[nodiscard]] bool canAddServers() const { return !m_draft.shortForm; }
    [[nodiscard]] QStringList serverNames() const;
    /// What the question before the removal says.
    [[nodiscard]] QString removalLoss(int row) const;

    int addProvider();
    bool setProvider(int row, const QString &name, const QString &server);
    void removeProvider(int row);
    [[nodiscard]] bool canChangeProviders() const { return !m_draft.providersAreNames; }

Q_SIGNALS:
    void loaded(); ///< all values may have changed
    void edited(); ///< by the setters
    void listsChanged(); ///< servers or providers came, went or were renamed
    void stateChanged();
    void problemsChanged();
    /// Somebody else changed the file since it was read. load() or applyToTheirs() goes on.
    void conflictFound();
    void applied();

private:
    [[nodiscard]] Result<YamlEdit> patched() const;
    void take(const QJsonObject &file);
    void check(const QString &yaml, const std::function<void()> &good);
    void checkAndWrite(const YamlEdit &edit);
    void write(const YamlEdit &edit);
    void onWritten(const YamlEdit &edit, const CallResult &answer);
    void onRefused(const CallResult &answer);
    void onEvent(const QJsonObject &event);
    void takeErrors(const QJsonObject &document);
    void setProblems(const QList<Problem> &problems);
    void touched(const QString &key);
    void fail(const CallResult &answer);
    void setState(State state, const QString &message);

    Daemon &m_daemon;
    State m_state = State::Empty;
    QString m_path;
    bool m_exists = false;
    QString m_hash;
    QString m_message;
    std::optional<YamlEdit> m_file;
    SettingsDraft m_saved;
    SettingsDraft m_draft;
    QList<Problem> m_problems;
    QJsonObject m_theirs; ///< kv.config get, after conflictFound()
    quint64 m_round = 0; ///< an answer of an older round is late
};

} // namespace kv
