// SPDX-License-Identifier: MIT
#include "chaosclient.h"

#include "chaosworld.h"

#include <algorithm>

namespace kv::test {

namespace {
constexpr int c_answerMs = 30000; ///< a request that waits longer is one that hangs
constexpr int c_growth = 12;
}

ChaosClient::ChaosClient(ChaosWorld &world, std::vector<ChaosSession> sessions, quint32 seed)
    : m_world(world)
    , m_sessions(std::move(sessions))
    , m_random(seed)
{
}

void ChaosClient::go(State state)
{
    m_state = state;
    m_since.start();
}

bool ChaosClient::rest()
{
    m_resting = true;
    return m_state == State::Away || m_state == State::Idle;
}

bool ChaosClient::answered(RpcReply &reply)
{
    if (m_rpc.hasAnswer(m_call)) {
        reply = m_rpc.wait(m_call, 0);
        return true;
    }
    if (m_since.elapsed() > c_answerMs) {
        m_world.fault(QStringLiteral("a request of %1 was not answered").arg(m_session->id));
        m_rpc.abort();
    }
    return false;
}

void ChaosClient::step()
{
    if (!m_rpc.connected()) {
        if (m_state != State::Away) {
            m_world.count(QStringLiteral("cut"));
            go(State::Away);
        }
        m_rpc.connectNow(m_world.socketPath());
        return;
    }
    switch (m_state) {
    case State::Away:
        m_rpc.send(QStringLiteral("hello"), { { QStringLiteral("pins"), m_world.pins() } });
        go(State::Idle);
        break;
    case State::Idle:
        if (!m_resting) {
            begin();
        }
        break;
    case State::Begun:
        begun();
        break;
    case State::Inferring:
        inferred();
        break;
    case State::Ending:
        ended();
        break;
    case State::Saving:
        saved();
        break;
    }
}

void ChaosClient::begin()
{
    m_session = &m_sessions[m_random.bounded(static_cast<quint32>(m_sessions.size()))];
    m_call = m_rpc.send(QStringLiteral("request.begin"),
        { { QStringLiteral("session"), m_session->id }, { QStringLiteral("provider"), QStringLiteral("p") },
            { QStringLiteral("model"), QStringLiteral("m") } });
    m_world.count(QStringLiteral("begins"));
    go(State::Begun);
}

void ChaosClient::begun()
{
    RpcReply reply;
    if (!answered(reply)) {
        return;
    }
    if (!reply.ok()) {
        // Refused because it stops, or cancelled: the client goes on without it.
        m_world.count(QStringLiteral("refused"));
        go(State::Idle);
        return;
    }
    m_world.count(reply.result[QStringLiteral("outcome")].toString());
    m_lease = reply.result[QStringLiteral("lease")];
    const QJsonValue pin = reply.result[QStringLiteral("transport")][QStringLiteral("id_slot")];
    m_slot = m_world.pins() ? pin.toInt(-1) : -1;
    m_process = m_world.process();
    m_reply.reset();
    if (!m_world.serverUp() || m_random.bounded(20) == 0) {
        end(QStringLiteral("error"));
        return;
    }
    m_reply = std::make_shared<FakeCompletionReply>();
    m_reply->status = 0;
    FakeCompletion request;
    request.prompt = m_session->prompt();
    request.slot = m_slot;
    m_world.engine().complete(request, [into = m_reply](const FakeCompletionReply &done) { *into = done; });
    go(State::Inferring);
}

void ChaosClient::inferred()
{
    if (m_process != m_world.process()) {
        end(QStringLiteral("error")); // its server is gone
        return;
    }
    if (m_reply->status == 0) {
        if (m_since.elapsed() > c_answerMs) {
            m_world.fault(QStringLiteral("a request of %1 hangs in the server").arg(m_session->id));
            end(QStringLiteral("aborted"));
        }
        return;
    }
    if (m_reply->wrongState) {
        m_world.fault(QStringLiteral("a request of %1 reused %2 tokens that another model had computed")
                          .arg(m_session->id)
                          .arg(m_reply->cached));
    }
    if (m_random.bounded(15) == 0) {
        m_rpc.abort(); // killed, and the answer with it
        return;
    }
    end(m_reply->status == 200 ? QStringLiteral("ok") : QStringLiteral("error"));
}

void ChaosClient::end(const QString &outcome)
{
    QJsonObject params { { QStringLiteral("lease"), m_lease }, { QStringLiteral("outcome"), outcome },
        { QStringLiteral("more"), false } };
    if (m_reply && m_reply->status == 200) {
        params.insert(QStringLiteral("usage"),
            QJsonObject { { QStringLiteral("promptTokens"), m_reply->cached + m_reply->processed },
                { QStringLiteral("completionTokens"), m_reply->predicted },
                { QStringLiteral("cachedTokens"), m_reply->cached } });
        m_session->tokens += c_growth;
    }
    m_call = m_rpc.send(QStringLiteral("request.end"), params);
    go(State::Ending);
}

void ChaosClient::ended()
{
    RpcReply reply;
    if (!answered(reply)) {
        return;
    }
    if (m_random.bounded(3) != 0) {
        go(State::Idle);
        return;
    }
    m_call = m_rpc.send(QStringLiteral("kv.save"), { { QStringLiteral("session"), m_session->id } });
    m_process = m_world.process();
    go(State::Saving);
}

void ChaosClient::saved()
{
    RpcReply reply;
    if (!answered(reply)) {
        return;
    }
    const qint64 tokens = reply.result[QStringLiteral("tokens")].toInteger(-1);
    const bool written = reply.ok() && !reply.result.contains(QStringLiteral("skipped")) && tokens > 0;
    // Another process may run another model by now: then it is not known which one it was saved under.
    if (written && m_process == m_world.process()) {
        m_world.count(QStringLiteral("durable"));
        m_world.durable(m_session->id, m_session->letter, tokens);
    }
    go(State::Idle);
}

} // namespace kv::test
