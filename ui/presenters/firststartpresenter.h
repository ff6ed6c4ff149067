// SPDX-License-Identifier: MIT
#pragma once

#include "autostart.h"
#include "daemonport.h"
#include "doctorpresenter.h"
#include "yamledit.h"

#include <QList>

class QSettings;

#include <vector>

namespace kv {

/// The first-start assistant without its window: finds servers, has one checked, writes the configuration.
class FirstStartPresenter final : public QObject {
    Q_OBJECT

public:
    struct Found {
        QString address;
        QString text; ///< model, slots and what is missing, for the list
        bool ready = false; ///< nothing is known to be missing
    };
    enum class Writing { NotYet, Busy, Done, Failed };

    /// All outlive this. `store` learns that the assistant was seen: `firstStart/done`.
    FirstStartPresenter(Daemon &daemon, QSettings &store, Autostart autostart, QObject *parent = nullptr);

    /// Whether it should show itself: never seen, and the daemon runs without a configuration.
    [[nodiscard]] static bool isWanted(const QSettings &store, const QJsonObject &status);
    void setSeen();

    void find(); ///< looks for servers on the usual local ports
    [[nodiscard]] bool isFinding() const { return m_finding; }
    [[nodiscard]] const QList<Found> &found() const { return m_found; }
    [[nodiscard]] QString findText() const; ///< one sentence

    [[nodiscard]] DoctorPresenter &doctor() { return m_doctor; }

    /// Adds the server and the provider to the configuration, whatever is in it already. While Busy: nothing.
    void write(const QString &address, const QString &apiKey, const QString &server, const QString &provider);
    [[nodiscard]] Writing writing() const { return m_writing; }
    [[nodiscard]] const QString &writeText() const
    {
        return m_writeText;
    } ///< what became of it, one sentence

    [[nodiscard]] bool startsWithSession() const { return m_autostart.state() == Autostart::State::On; }
    [[nodiscard]] Result<Done> setStartWithSession(bool on) { return m_autostart.set(on); }
    /// What adds the plugin to the DeepSeek Harness.
    [[nodiscard]] static QString pluginCommand();

Q_SIGNALS:
    void foundChanged();
    void writingChanged();

private:
    void onFound(const CallResult &answer);
    void onFile(const CallResult &answer, const std::vector<YamlChange> &changes);
    void setWriting(Writing writing, const QString &text);

    Daemon &m_daemon;
    QSettings &m_store;
    Autostart m_autostart;
    DoctorPresenter m_doctor;
    QList<Found> m_found;
    bool m_finding = false;
    QString m_findTrouble;
    Writing m_writing = Writing::NotYet;
    QString m_writeText;
};

} // namespace kv
