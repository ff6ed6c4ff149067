// SPDX-License-Identifier: MIT
#pragma once

#include "chaosclient.h"
#include "fakellamaserver.h"
#include "realdaemon.h"
#include "rpcclient.h"

#include <QRandomGenerator>
#include <QStringList>
#include <QTemporaryDir>

#include <map>
#include <memory>
#include <vector>

namespace kv::test {

struct ChaosOptions {
    quint32 seed = 1;
    int clients = 3;
    int slotCount = 1;
    bool sharedFiles = false;
    bool pins = true; ///< the clients name the slot that they were granted
    QString metadata; ///< empty: the daemon's own folder
    QString slotFolder; ///< empty: one of its own
};

/// $KV_PERSIST_CHAOS_SEED, else a random one.
quint32 chaosSeed();
/// $KV_PERSIST_CHAOS_ROUNDS, else `otherwise`.
int chaosRounds(int otherwise);

/// The daemon as a process, a fake server in this one, clients that work all the time, and the account of
/// what must not happen. Two models of one shape: each restores the other's snapshots with 200, into wrong
/// output, and the fake knows whose tokens a slot holds and who computed them.
class ChaosWorld final {
public:
    explicit ChaosWorld(ChaosOptions options);
    ~ChaosWorld() = default;
    Q_DISABLE_COPY_MOVE(ChaosWorld)

    bool start();
    void work(int ms); ///< the clients go on for that long
    bool comeToRest(); ///< every request under way is answered; false: one was not

    void killDaemon();
    bool startDaemon(); ///< false: it did not come up; see log()
    void killServer();
    void startServer();
    void changeModel(); ///< of the next start of the server
    void swapServer(); ///< another process of the other model, in an instant
    [[nodiscard]] bool serverUp() const { return m_serverUp; }

    /// Every snapshot that was told to be durable, under each model: still on record, its file that session's
    /// and model's, and restored by the next request. What is wrong is in faults().
    void verifyNothingLost();

    /// What was durable is gone with its database.
    void forgetDurable() { m_kept.clear(); }
    [[nodiscard]] std::size_t durableSnapshots() const { return m_kept.size(); }
    [[nodiscard]] QString metadataFolder() const
    {
        return m_options.metadata.isEmpty() ? m_daemon.metadataFolder() : m_options.metadata;
    }

    [[nodiscard]] const QStringList &faults() const { return m_faults; }
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString log() const { return m_daemon.log(); }

    // For the clients.
    void fault(const QString &what);
    void count(const QString &what) { ++m_counts[what]; }
    [[nodiscard]] int counted(const QString &what) const;
    /// A save of the session was answered: with that many tokens, under the model that runs.
    void durable(const QString &session, char letter, qint64 tokens);
    [[nodiscard]] bool pins() const { return m_options.pins; }
    [[nodiscard]] quint64 process() const { return m_process; } ///< another number for each server process
    [[nodiscard]] FakeEngine &engine() { return m_server.engine(); }
    [[nodiscard]] QString socketPath() const { return m_daemon.socketPath(); }

    FakeLlamaServer &server() { return m_server; }
    RealDaemon &daemon() { return m_daemon; }
    QRandomGenerator &random() { return m_random; }
    [[nodiscard]] int descriptors() const; ///< that the daemon holds; −1: cannot be told
    [[nodiscard]] QString slotFolder() const { return m_slotFolder; }

private:
    struct Kept {
        char letter = 'a';
        qint64 tokens = 0;
    };
    [[nodiscard]] FakeOptions serverOptions(bool second) const;
    void verifyKept(RpcClient &client, const QString &session, const Kept &kept);
    RpcReply turn(RpcClient &client, const QString &session, const QByteArray &prompt);

    ChaosOptions m_options;
    QRandomGenerator m_random;
    QTemporaryDir m_ownFolder;
    QString m_slotFolder;
    FakeLlamaServer m_server;
    RealDaemon m_daemon;
    std::vector<std::unique_ptr<ChaosClient>> m_clients;
    std::map<std::pair<bool, QString>, Kept> m_kept; // by (second model, session)
    std::map<QString, int> m_counts;
    QStringList m_faults;
    quint64 m_process = 0;
    bool m_second = false;
    bool m_serverUp = false;
};

} // namespace kv::test
