// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>

namespace kv::test {

/// A home of the DeepSeek Harness: sessions and profiles, kept over its processes.
class DshHome final {
public:
    /// Why no test can run with the harness here, for QSKIP. Empty: it can.
    static QString whyNot();
    /// The program that packaging/fetch-dsh.sh made. Empty: it is not there.
    static QString program();
    /// The folder of the plugin's package ($KV_PERSIST_TEST_DSH_PLUGIN).
    static QString pluginFolder();

    DshHome() { clear(); }
    ~DshHome() = default;
    Q_DISABLE_COPY_MOVE(DshHome)

    void clear(); ///< as it was when it was new, at the same path
    /// `socket` is where the plugin looks for a daemon; `llmUrl` where the model is.
    void setUp(const QString &socket, const QString &llmUrl);
    void setPatch(const QByteArray &yaml) { m_morePatches = yaml; } ///< more rows for every process
    void setPlugin(bool on) { m_plugin = on; } ///< by its path, in a patch; default on
    void setPluginConfig(const QByteArray &yaml) { m_pluginConfig = yaml; } ///< a map on one line

    [[nodiscard]] QString path() const { return m_folder.path(); }
    [[nodiscard]] QString workFolder() const { return m_folder.filePath(QStringLiteral("work")); }
    [[nodiscard]] QString patchPath() const { return m_folder.filePath(QStringLiteral("test.patch.yml")); }
    [[nodiscard]] QProcessEnvironment environment() const;
    /// Writes patchPath(); `driver`: with the row of tests/dsh/driver.mjs.
    void writePatch(bool driver) const;

private:
    QTemporaryDir m_folder;
    QString m_socket;
    QString m_llmUrl;
    bool m_plugin = true;
    QByteArray m_pluginConfig = "{}";
    QByteArray m_morePatches;
};

/// One dsh process with the driver in it. Runs the event loop while it waits, so that proxies go on working.
class DshProcess final {
public:
    explicit DshProcess(const DshHome &home);
    ~DshProcess();
    Q_DISABLE_COPY_MOVE(DshProcess)

    bool start(); ///< false: see log()
    /// One of the driver's verbs; its answer. An answer with `failed`, or none in time: see log().
    QJsonObject call(const QString &verb, const QJsonArray &arguments = {}, int timeoutMs = 120000);
    void send(const QString &verb, const QJsonArray &arguments = {}); ///< without waiting for the answer
    bool quit(); ///< true: it ended by itself with exit code 0
    void terminate() { m_process.terminate(); } ///< SIGTERM
    void kill() { m_process.kill(); } ///< SIGKILL
    bool waitForExit(int timeoutMs = 30000);
    [[nodiscard]] int exitCode() const { return m_process.exitCode(); }
    [[nodiscard]] QString errors() const { return m_errors; } ///< what it said on standard error
    [[nodiscard]] QString log() const { return m_log + m_errors; }

private:
    QJsonObject next(int timeoutMs);

    const DshHome &m_home;
    QProcess m_process;
    QByteArray m_incoming;
    QList<QJsonObject> m_answers;
    QString m_log;
    QString m_errors;
};

} // namespace kv::test
