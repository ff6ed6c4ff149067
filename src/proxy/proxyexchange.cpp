// SPDX-License-Identifier: MIT
#include "proxyexchange.h"

#include "bodyedit.h"
#include "logging.h"
#include "params.h"
#include "proxyerrors.h"
#include "sessionhash.h"
#include "upstreamcall.h"

#include <algorithm>

namespace kv {

namespace {

/// Ends a lease that nobody waits for any more.
void giveBack(Service &service, ConnectionId connection, LeaseId lease)
{
    EndRequest end;
    end.connection = connection;
    end.lease = lease;
    end.outcome = EndOutcome::Aborted;
    service.end(end, [](const Result<EndAnswer> &) {});
}

QString purposeOf(const Sighting &seen)
{
    return seen.auxiliary ? QStringLiteral("auxiliary")
        : seen.compaction ? QStringLiteral("compaction")
                          : QString();
}

} // namespace

ProxyExchange::ProxyExchange(
    const ProxyContext &context, ProxyTarget target, HttpConnection *client, QObject *parent)
    : QObject(parent)
    , m_context(context)
    , m_target(std::move(target))
    , m_client(client)
    , m_request(client->request())
    , m_body(client->takeBody())
{
    connect(client, &HttpConnection::closed, this, &ProxyExchange::onClientGone);
    connect(client, &HttpConnection::drained, this, [this] {
        if (m_upstream != nullptr && !m_over) {
            m_upstream->resume();
        }
    });
}

ProxyExchange::~ProxyExchange()
{
    if (!m_over) {
        m_over = true;
        if (m_waiting != 0) {
            m_context.service.cancel(m_context.connection, m_waiting);
        }
        endLease(EndOutcome::Aborted);
    }
}

void ProxyExchange::start()
{
    m_facts = readTarget(m_request.target);
    if (!m_facts.valid || m_request.method == "CONNECT") {
        refuse(400, QStringLiteral("kv-persist's proxy serves paths, not other hosts."));
        return;
    }
    if (m_facts.slotsApi) {
        refuse(403, QStringLiteral("The slots belong to kv-persist; its command line shows and saves them."));
        return;
    }
    if (m_facts.api != ApiKind::None && m_request.method == "POST") {
        coordinate();
    } else {
        forward();
    }
}

void ProxyExchange::coordinate()
{
    m_usage = std::make_unique<UsageReader>();
    auto members = skimObject(m_body);
    if (!members) {
        forward(); // the server says what is wrong with it
        return;
    }
    m_members = std::move(*members);
    const SessionClaim claim = claimOf(m_request.headers, m_members, m_facts.session);
    const PromptChain chain = readChain(m_facts.api, m_members);
    const Sighting seen = m_context.book.see(claim, chain);
    const QString model = textOf(m_members, "model").value_or(QString());
    const QString provider = m_target.providerFor(model);
    m_session = seen.session;
    if (seen.known && !seen.auxiliary) {
        m_context.service.notePrefix(
            m_target.server(), seen.session, seen.drift ? seen.drift->text() : QString());
    }
    qCDebug(lcProxy).noquote() << toString(m_facts.api) << "of session"
                               << (seen.session.isEmpty() ? QStringLiteral("-") : shortSession(seen.session))
                               << '(' << seen.why << ')' << purposeOf(seen);
    if (provider.isEmpty() || joinLease(claim, seen)) {
        forward();
        return;
    }
    const QPointer<ProxyExchange> self(this);
    Service &service = m_context.service;
    const ConnectionId connection = m_context.connection;
    const RequestId waiting = service.begin(beginFor(seen, provider, chain.base()),
        [self, &service, connection](const std::variant<BeginAnswer, BeginFailure> &answer) {
            if (self && !self->m_over) {
                self->begun(answer);
            } else if (const auto *granted = std::get_if<BeginAnswer>(&answer);
                       granted != nullptr && granted->managed) {
                giveBack(service, connection, granted->grant.lease);
            }
        });
    if (m_lease == 0 && m_upstream == nullptr && !m_over) {
        m_waiting = waiting;
    }
}

BeginRequest ProxyExchange::beginFor(const Sighting &seen, const QString &provider, const QString &base) const
{
    BeginRequest request;
    request.connection = m_context.connection;
    request.session = seen.session;
    request.provider = provider;
    request.model = textOf(m_members, "model").value_or(QString());
    request.purpose = purposeOf(seen);
    request.origin = seen.subagent ? QStringLiteral("subagent") : QString();
    request.parent = seen.parent;
    request.base = base;
    request.fork = seen.fork;
    request.pins = honoursSlot(m_facts.api);
    request.ownAdapters = memberOf(m_members, "lora") != nullptr;
    return request;
}

bool ProxyExchange::joinLease(const SessionClaim &claim, const Sighting &seen)
{
    const std::vector<LeaseView> leases = m_context.service.leases(m_target.server());
    if (const auto wanted = leaseFromText(claim.lease)) {
        const auto named = std::find_if(
            leases.begin(), leases.end(), [&](const LeaseView &lease) { return lease.lease == *wanted; });
        if (named != leases.end()) {
            pin(named->transport);
            return true;
        }
    }
    // A client that has begun this session over the socket has begun this very request, or another one that
    // waits for it: to wait here for that lease would be for ever.
    bool any = false;
    std::vector<LeaseView> held;
    for (const LeaseView &lease : leases) {
        if (lease.connection != m_context.connection && lease.session == seen.session
            && !seen.session.isEmpty()) {
            any = true;
            if (lease.lease != 0) {
                held.push_back(lease);
            }
        }
    }
    if (held.size() > 1) {
        std::erase_if(held, [&](const LeaseView &lease) { return lease.auxiliary != seen.auxiliary; });
    }
    if (held.size() == 1) {
        pin(held.front().transport);
    }
    return any;
}

void ProxyExchange::begun(const std::variant<BeginAnswer, BeginFailure> &answer)
{
    m_waiting = 0;
    if (const auto *failure = std::get_if<BeginFailure>(&answer)) {
        if (failure->strict) {
            refuse(503, failure->error.message);
        } else {
            forward(); // inference goes on without persistence
        }
        return;
    }
    const auto &granted = std::get<BeginAnswer>(answer);
    if (granted.managed) {
        m_lease = granted.grant.lease;
        if (granted.grant.outcome == Outcome::Restored || granted.grant.outcome == Outcome::Based) {
            askForProgress();
        }
        pin(granted.grant.transport);
    }
    forward();
}

void ProxyExchange::askForProgress()
{
    const JsonMember *stream = memberOf(m_members, "stream");
    const bool streams = stream != nullptr && stream->value == QByteArrayView("true");
    // Where the client says nothing of it, and the answer is known to be otherwise the same.
    if (streams && m_facts.api == ApiKind::ChatCompletions && m_request.version >= 11
        && memberOf(m_members, "return_progress") == nullptr) {
        m_body = withMember(m_body, "return_progress", "true");
        m_members = skimObject(m_body).value_or(JsonMembers());
        m_filter = std::make_unique<ProgressFilter>();
    }
}

void ProxyExchange::pin(const std::optional<Transport> &transport)
{
    if (transport && honoursSlot(m_facts.api)) {
        m_body = withTransport(m_body, m_members, *transport);
        m_members.clear(); // views into what was
    }
}

void ProxyExchange::forward()
{
    if (m_client == nullptr || !m_client->isOpen()) {
        onClientGone();
        return;
    }
    HttpRequestHead head = m_request;
    head.target = m_facts.target;
    head.headers = withoutHopByHop(head.headers);
    for (const char *own : { "expect", "x-kv-session", "x-kv-lease" }) {
        removeHeader(head.headers, own);
    }
    const bool hasBody = !m_body.isEmpty() || countOf(m_request.headers, "content-length") > 0
        || countOf(m_request.headers, "transfer-encoding") > 0;
    if (hasBody) {
        setHeader(head.headers, "Content-Length", QByteArray::number(m_body.size()));
    }
    UpstreamCall::Taker taker;
    taker.head = [this](const HttpResponseHead &answer) { onHead(answer); };
    taker.framed = [this](QByteArrayView bytes) { onFramed(bytes); };
    taker.body = [this](QByteArrayView bytes) {
        if (m_usage != nullptr) {
            m_usage->feed(bytes);
        }
        if (m_client != nullptr && m_unframes) {
            m_client->send(bytes);
        }
    };
    taker.mayRead = [this] { return m_client != nullptr && !m_client->isFull(); };
    taker.done = [this] { onDone(); };
    taker.failed = [this](const QString &sentence) { onFailed(sentence); };
    m_upstream = new UpstreamCall(m_target.url(), std::move(taker), this);
    m_upstream->start(std::move(head), m_body);
    m_body.clear();
}

void ProxyExchange::onHead(HttpResponseHead head)
{
    m_status = head.status;
    if (m_usage != nullptr) {
        m_usage->start(
            headerOf(head.headers, "content-type").value_or(QByteArray()).startsWith("text/event-stream"));
    }
    head.headers = withoutHopByHop(head.headers);
    if (head.chunked && m_request.version < 11) {
        m_unframes = true;
        head.chunked = false;
        head.untilClose = true;
    }
    m_heldHead = std::move(head);
    if (m_filter == nullptr || !m_heldHead->chunked) {
        m_filter.reset(); // an error, in one piece
        passHead();
    }
}

void ProxyExchange::passHead()
{
    if (m_heldHead && m_client != nullptr) {
        m_client->beginAnswer(std::move(*m_heldHead));
    }
    m_heldHead.reset();
}

void ProxyExchange::onFramed(QByteArrayView bytes)
{
    if (m_client == nullptr || m_unframes) {
        return;
    }
    if (m_filter == nullptr) {
        m_client->send(bytes);
        return;
    }
    const QByteArray passed = m_filter->feed(bytes);
    if (!m_earlyTold && m_filter->progress()) {
        m_earlyTold = true;
        m_context.service.noteReuse(
            m_target.server(), m_session, m_filter->progress()->cached, m_filter->progress()->total);
    }
    if (!passed.isEmpty()) {
        passHead();
        m_client->send(passed);
    }
}

void ProxyExchange::onDone()
{
    if (m_usage != nullptr) {
        m_usage->finish();
    }
    passHead();
    if (m_client != nullptr) {
        m_client->endAnswer();
    }
    endLease(m_status < 400 ? EndOutcome::Ok : EndOutcome::Error);
    leave();
}

void ProxyExchange::onFailed(const QString &sentence)
{
    qCInfo(lcProxy).noquote() << "A request failed:" << sentence;
    if (m_status == 0 || m_heldHead) {
        refuse(502,
            QStringLiteral("kv-persist's proxy got no answer from the llama-server %1: %2.")
                .arg(m_target.server(), sentence));
        return;
    }
    endLease(EndOutcome::Error);
    if (m_client != nullptr) {
        m_client->breakOff(); // else a cut answer would look like a whole one
    }
    leave();
}

void ProxyExchange::onClientGone()
{
    if (m_over) {
        return;
    }
    if (m_upstream != nullptr) {
        m_upstream->abort();
    }
    if (m_waiting != 0) {
        const RequestId waiting = std::exchange(m_waiting, 0);
        m_over = true; // its answer finds nobody
        m_context.service.cancel(m_context.connection, waiting);
        m_over = false;
    }
    endLease(EndOutcome::Aborted);
    leave();
}

void ProxyExchange::refuse(int status, const QString &sentence)
{
    if (m_client != nullptr) {
        m_client->answer(status, "application/json; charset=utf-8", errorBody(status, sentence));
    }
    endLease(EndOutcome::Error);
    leave();
}

void ProxyExchange::endLease(EndOutcome outcome)
{
    if (m_lease == 0) {
        return;
    }
    EndRequest end;
    end.connection = m_context.connection;
    end.lease = std::exchange(m_lease, 0);
    end.outcome = outcome;
    if (m_usage != nullptr) {
        end.usage = m_usage->usage();
        end.timings = m_usage->timings();
        end.more = m_usage->more();
    }
    m_context.service.end(end, [](const Result<EndAnswer> &) {});
}

void ProxyExchange::leave()
{
    if (!m_over) {
        m_over = true;
        Q_EMIT finished();
    }
}

} // namespace kv
