// SPDX-License-Identifier: MIT
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <memory>

namespace kv::test {

/// A real llama-server process on a free loopback port. Runs the event loop while it waits, so proxies that
/// live in the test's thread go on working.
class RealLlamaServer final {
public:
    /// Where the server's program is: $KV_PERSIST_TEST_LLAMA_SERVER, else the one that
    /// packaging/fetch-llama-server.sh put into the cache. Empty: there is none.
    static QString program();
    /// The file of a generated model ($KV_PERSIST_TEST_MODELS, else the cache). Empty: it is not there.
    static QString model(const QString &name);
    /// Why no test can run with that model here, for QSKIP. Empty: it can.
    static QString whyNot(const QString &modelName);

    /// `slotFolder` must exist; empty: started without --slot-save-path. No model: a router, whose models
    /// the flags name.
    RealLlamaServer(const QString &modelName, const QString &slotFolder, const QStringList &flags);
    ~RealLlamaServer();
    Q_DISABLE_COPY_MOVE(RealLlamaServer)

    /// Starts it and waits until it is healthy. The port stays the same over restarts. False: see log().
    bool start();
    void stop(); ///< SIGTERM, and SIGKILL when that is not enough
    void kill(); ///< SIGKILL
    bool restart();
    /// Another model, for the next start.
    void setModel(const QString &modelName) { m_modelName = modelName; }
    void setFlags(const QStringList &flags) { m_flags = flags; } ///< likewise

    [[nodiscard]] bool running() const;
    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] QUrl url(const QString &path = {}) const;
    [[nodiscard]] qint64 pid() const;
    [[nodiscard]] QString log() const { return m_log; } ///< of all its runs

private:
    bool waitHealthy();

    QString m_modelName;
    QString m_slotFolder;
    QStringList m_flags;
    quint16 m_port = 0;
    std::unique_ptr<QProcess> m_process;
    QString m_log;
};

/// A port on 127.0.0.1 that nobody listened on a moment ago.
quint16 freePort();

} // namespace kv::test
