// SPDX-License-Identifier: MIT
#pragma once

#include "httpconnection.h"
#include "inferencepath.h"
#include "progressfilter.h"
#include "proxytarget.h"
#include "service.h"
#include "sessionbook.h"
#include "usagereader.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <optional>

namespace kv {

class UpstreamCall;

/// What all exchanges of a proxy share.
struct ProxyContext {
    Service &service;
    ConnectionId connection; ///< the proxy's own: its leases belong to it
    SessionBook &book;
};

/// One request through the proxy: who sends it, a slot for it, the server's answer to the client as it comes,
/// and the end told. Made when the request is complete; emits finished() once it is over, in whatever way.
class ProxyExchange final : public QObject {
    Q_OBJECT

public:
    /// `context` and what it names must outlive this. The connection may go first.
    ProxyExchange(const ProxyContext &context, ProxyTarget target, HttpConnection *client, QObject *parent);
    ~ProxyExchange() override;
    Q_DISABLE_COPY_MOVE(ProxyExchange)

    void start();

Q_SIGNALS:
    void finished(); ///< to be deleted with deleteLater()

private:
    void coordinate();
    [[nodiscard]] BeginRequest beginFor(
        const Sighting &seen, const QString &provider, const QString &base) const;
    /// True: another client holds or awaits a lease for this session, so nothing is begun here.
    bool joinLease(const SessionClaim &claim, const Sighting &seen);
    void begun(const std::variant<BeginAnswer, BeginFailure> &answer);
    void pin(const std::optional<Transport> &transport);
    /// The first verdict on a restore, long before the answer's end.
    void askForProgress();
    void forward();
    void onHead(HttpResponseHead head);
    void passHead();
    void onFramed(QByteArrayView bytes);
    void onDone();
    void onFailed(const QString &sentence);
    void onClientGone();
    void refuse(int status, const QString &sentence);
    void endLease(EndOutcome outcome);
    void leave();

    ProxyContext m_context;
    ProxyTarget m_target;
    QPointer<HttpConnection> m_client;
    HttpRequestHead m_request;
    TargetFacts m_facts;
    QByteArray m_body;
    JsonMembers m_members; ///< views into m_body
    UpstreamCall *m_upstream = nullptr; ///< a child
    RequestId m_waiting = 0; ///< the begin that is not answered yet
    LeaseId m_lease = 0;
    QString m_session;
    std::unique_ptr<ProgressFilter> m_filter; ///< the answer holds progress that the client did not ask for
    std::optional<HttpResponseHead> m_heldHead; ///< until there is something behind it, as without progress
    bool m_earlyTold = false;
    std::unique_ptr<UsageReader> m_usage; ///< of an inference that this exchange began
    int m_status = 0; ///< of the server's answer; 0: none yet
    bool m_unframes = false; ///< the client is too old for chunks
    bool m_over = false;
};

} // namespace kv
