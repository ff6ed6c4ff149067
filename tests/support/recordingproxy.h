// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QHash>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTcpServer>

#include <memory>

namespace kv::test {

/// One HTTP request that passed the proxy, and what came back.
struct RecordedCall {
    qint64 atMs = 0; ///< when it had arrived whole, on the proxy's clock (elapsedMs())
    QByteArray method;
    QByteArray target; ///< path and query
    QByteArray head; ///< request line and headers
    QByteArray body;
    int status = 0; ///< 0: no answer (yet)
    QByteArray reply; ///< the answer's bytes, head included, as far as they came

    [[nodiscard]] bool isSlotCall() const { return target.startsWith("/slots"); }
    /// "save", "restore" or "erase"; empty for anything else.
    [[nodiscard]] QString action() const;
    [[nodiscard]] QByteArray replyBody() const;
};

/// What to do with requests whose "METHOD TARGET" contains `match`.
struct ProxyFault {
    enum class Kind {
        Answer, ///< answer with `status` and `body`, without asking the server
        Drop, ///< close the connection without asking the server
        DropReply, ///< ask the server, then close the connection instead of answering
        Delay, ///< pass the request on after `delayMs`
        Hold, ///< pass the request on at release()
    };
    QByteArray match;
    Kind kind = Kind::Answer;
    int status = 500;
    QByteArray body = "{\"error\":{\"message\":\"injected\"}}";
    int delayMs = 0;
    int times = -1; ///< how many requests it is for; -1: all
};

/// An HTTP proxy in the test's own thread, between the daemon and a real server: it passes bytes through as
/// they come, records every request, and does harm where it is told to. It works only while the event loop
/// runs.
class RecordingProxy final : public QObject {
    Q_OBJECT

public:
    explicit RecordingProxy(quint16 upstreamPort = 0);
    ~RecordingProxy() override;
    Q_DISABLE_COPY_MOVE(RecordingProxy)

    void setUpstream(quint16 port) { m_upstreamPort = port; }
    [[nodiscard]] quint16 upstream() const { return m_upstreamPort; }
    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] QString url() const;

    /// Stops listening and closes all connections, as a dead server does; true listens again on the same
    /// port.
    bool setListening(bool listening);

    void addFault(const ProxyFault &fault);
    void clearFaults(); ///< held requests stay held until release()
    void release();
    [[nodiscard]] int held() const;

    [[nodiscard]] qint64 elapsedMs() const { return m_clock.elapsed(); }
    [[nodiscard]] const QList<std::shared_ptr<RecordedCall>> &calls() const { return m_calls; }
    void forget() { m_calls.clear(); }
    /// The calls that change a slot, in order: "save", "restore", "erase".
    [[nodiscard]] QStringList actions() const;
    /// All calls of the slots API, in order: "inspect" and the actions.
    [[nodiscard]] QStringList slotCalls() const;
    /// Everything, one line a call, for failure messages.
    [[nodiscard]] QString transcript() const;

private:
    class Link;
    void accept();
    ProxyFault *faultFor(const RecordedCall &call);

    QTcpServer m_listener;
    quint16 m_port = 0;
    quint16 m_upstreamPort = 0;
    QElapsedTimer m_clock;
    QList<std::shared_ptr<RecordedCall>> m_calls;
    QList<ProxyFault> m_faults;
    QList<Link *> m_links;
};

} // namespace kv::test
