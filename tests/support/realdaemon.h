// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>

namespace kv::test {

/// The path of one of the project's built programs ($KV_PERSIST_TEST_BIN, set by ctest). Empty: not built.
QString builtProgram(const QString &name);

/// kv-persistd as a process of its own, with a home, configuration, socket and metadata folder that are
/// nobody else's. Runs the event loop while it waits.
class RealDaemon final {
public:
    RealDaemon();
    ~RealDaemon();
    Q_DISABLE_COPY_MOVE(RealDaemon)

    /// Writes the configuration; `${METADATA}` in it stands for metadataFolder().
    void setConfig(const QByteArray &yaml);
    [[nodiscard]] QByteArray config() const; ///< as it was written

    /// Starts it and waits until its socket takes connections. False: see log().
    bool start(const QStringList &moreArguments = {});
    /// Starts it without waiting for the socket.
    void launch(const QStringList &moreArguments = {});
    bool stop(); ///< SIGTERM; true when it ended by itself in time
    void kill(); ///< SIGKILL
    bool restart();
    /// Waits until the process has ended by itself; true when it did.
    bool waitForExit(int timeoutMs = 30000);

    [[nodiscard]] bool running() const;
    [[nodiscard]] int exitCode() const { return m_exitCode; } ///< of the last run that ended; -1: by a signal
    [[nodiscard]] qint64 pid() const;
    [[nodiscard]] QString log() const { return m_log; } ///< standard output and error of all its runs
    /// What the pattern's first group finds in the log; waits for it, as what the daemon wrote before it
    /// answered may still be on its way here. Empty: it did not come.
    [[nodiscard]] QString logged(const QString &pattern) const;
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    [[nodiscard]] QString socketPath() const { return m_folder.filePath(QStringLiteral("api.sock")); }
    [[nodiscard]] QString configPath() const { return m_folder.filePath(QStringLiteral("config.yaml")); }
    [[nodiscard]] QString metadataFolder() const { return m_folder.filePath(QStringLiteral("metadata")); }
    /// For other programs that shall see the same files.
    [[nodiscard]] QProcessEnvironment environment() const;

private:
    void drain();
    void reap();

    QTemporaryDir m_folder;
    std::unique_ptr<QProcess> m_process;
    int m_exitCode = 0;
    QString m_log;
};

} // namespace kv::test
