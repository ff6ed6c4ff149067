// SPDX-License-Identifier: MIT
#pragma once

#include "fakellamaserver.h"
#include "rpcclient.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

#include <memory>
#include <vector>

namespace kv::test {

class ChaosWorld;

/// One conversation: its prompt only grows, and every token of it is the session's own letter.
struct ChaosSession {
    QString id;
    char letter = 'a';
    int tokens = 150;

    [[nodiscard]] QByteArray prompt() const { return QByteArray(tokens, letter); }
};

/// A client that sends one request after the other for its sessions, as long as it is stepped. Never blocks.
/// What it sees is written into the world's account.
class ChaosClient final {
public:
    ChaosClient(ChaosWorld &world, std::vector<ChaosSession> sessions, quint32 seed);
    ~ChaosClient() = default;
    Q_DISABLE_COPY_MOVE(ChaosClient)

    void step();
    /// No new request; true when none is under way.
    bool rest();
    void awake() { m_resting = false; }
    [[nodiscard]] std::vector<ChaosSession> &sessions() { return m_sessions; }

private:
    enum class State { Away, Idle, Begun, Inferring, Ending, Saving };
    void begin();
    void begun();
    void inferred();
    void end(const QString &outcome);
    void ended();
    void saved();
    void go(State state);
    [[nodiscard]] bool answered(RpcReply &reply);

    ChaosWorld &m_world;
    std::vector<ChaosSession> m_sessions;
    QRandomGenerator m_random;
    RpcClient m_rpc;
    State m_state = State::Away;
    QElapsedTimer m_since;
    ChaosSession *m_session = nullptr;
    int m_call = 0;
    QJsonValue m_lease;
    int m_slot = -1;
    quint64 m_process = 0; ///< of the server, when the inference began
    std::shared_ptr<FakeCompletionReply> m_reply;
    bool m_resting = false;
};

} // namespace kv::test
