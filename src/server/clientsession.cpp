// SPDX-License-Identifier: MIT
#include "clientsession.h"

#include "eventhub.h"
#include "handlers.h"
#include "logging.h"
#include "methods.h"
#include "service.h"

#include <QPointer>

#include <utility>

namespace kv {

ClientSession::ClientSession(int descriptor, Service &service, const Handlers &handlers, EventHub &hub,
    const SessionLimits &limits, QObject *parent)
    : QObject(parent)
    , m_service(service)
    , m_handlers(handlers)
    , m_hub(hub)
    , m_limits(limits)
    , m_framer(limits.lineBytes)
    , m_connection(service.openConnection())
{
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(m_limits.lingerQuietMs);
    connect(&m_quiet, &QTimer::timeout, this, &ClientSession::onQuiet);
    m_lingerEnd.setSingleShot(true);
    m_lingerEnd.setInterval(m_limits.lingerTotalMs);
    connect(&m_lingerEnd, &QTimer::timeout, this, &ClientSession::close);
    connect(&m_socket, &QLocalSocket::readyRead, this, &ClientSession::read);
    connect(&m_socket, &QLocalSocket::disconnected, this, &ClientSession::close);
    connect(&m_socket, &QLocalSocket::bytesWritten, this, &ClientSession::onBytesWritten);
    m_socket.setSocketDescriptor(descriptor);
    // Bytes that came before this object are announced by the first readyRead(); a client that is gone
    // already is noticed there too.
}

ClientSession::~ClientSession()
{
    m_state = State::Closed; // no signal of the dying socket may start anything
    leaveService();
}

bool ClientSession::cancelCall(const QJsonValue &id)
{
    for (const auto &[key, waiting] : m_waiting) {
        if (!waiting.notification && waiting.request != 0 && waiting.id == id) {
            return m_service.cancel(m_connection, waiting.request); // which answers it: the map may change
        }
    }
    return false;
}

void ClientSession::subscribe(const QStringList &topics)
{
    const bool was = !m_topics.isEmpty();
    m_topics = topics;
    if (was == topics.isEmpty()) {
        if (was) {
            disconnect(&m_hub, nullptr, this, nullptr);
        } else {
            connect(&m_hub, &EventHub::happened, this, &ClientSession::onEvent);
        }
    }
    const bool watches = topics.contains(c_statusTopic);
    if (watches != m_watchesStatus) {
        m_watchesStatus = watches;
        watches ? m_hub.addStatusWatcher() : m_hub.removeStatusWatcher();
    }
}

std::function<void(QStringView, const QJsonObject &)> ClientSession::notifier()
{
    return [self = QPointer<ClientSession>(this), id = m_currentId](QStringView method, QJsonObject params) {
        if (self && self->m_state == State::Open) {
            params.insert(u"id", id);
            self->send(encodeNotification(method.toString(), params));
            self->flush();
        }
    };
}

void ClientSession::read()
{
    if (m_state != State::Open) {
        m_socket.readAll();
        if (m_state == State::Lingering) {
            m_quiet.start();
        }
        return;
    }
    m_reading = true;
    m_framer.feed(m_socket.readAll());
    while (m_state == State::Open) {
        const std::optional<QByteArray> line = m_framer.next();
        if (!line) {
            break;
        }
        handleLine(*line);
    }
    if (m_state == State::Open && m_framer.failed()) {
        const RpcFailure failure = lineTooLong(m_limits.lineBytes);
        send(encodeError(failure.id, failure.error));
        linger();
    }
    m_reading = false;
    flush();
}

void ClientSession::handleLine(const QByteArray &line)
{
    const std::variant<RpcRequest, RpcFailure> decoded = decodeRequest(line);
    if (const auto *failure = std::get_if<RpcFailure>(&decoded)) {
        if (failure->answered) {
            send(encodeError(failure->id, failure->error));
        }
        return;
    }
    call(std::get<RpcRequest>(decoded));
}

void ClientSession::call(const RpcRequest &request)
{
    if (request.notification && !methodInfo(request.method).mayNotify) {
        return;
    }
    const quint64 key = ++m_lastKey;
    m_waiting.emplace(key, Waiting { request.id, request.notification, 0 });
    m_currentId = request.id;
    const QPointer<ClientSession> self(this);
    const RequestId id
        = m_handlers.call(*this, request.method, request.params, [self, key](const HandlerResult &result) {
              if (self) {
                  self->answer(key, result);
              }
          });
    const auto entry = m_waiting.find(key);
    if (m_state != State::Open || entry == m_waiting.end()) {
        return;
    }
    entry->second.request = id;
    // Only what really waits counts: a full connection can still end its requests and cancel its calls.
    if (m_waiting.size() > m_limits.waiting) {
        answer(key,
            RpcError { c_rpcInvalidRequest,
                Error { ErrorCode::BadRequest,
                    tr("More than %1 calls of this connection wait for an answer. The connection closes, its "
                       "leases "
                       "end. Wait for answers before sending more.")
                        .arg(m_limits.waiting),
                    {} },
                {} });
        linger();
    }
}

void ClientSession::answer(quint64 key, const HandlerResult &result)
{
    const auto entry = m_waiting.find(key);
    if (m_state != State::Open || entry == m_waiting.end()) {
        return;
    }
    const Waiting waiting = entry->second;
    m_waiting.erase(entry);
    if (waiting.notification) {
        return;
    }
    if (const auto *error = std::get_if<RpcError>(&result)) {
        send(encodeError(waiting.id, *error));
    } else {
        send(encodeResult(waiting.id, std::get<QJsonObject>(result)));
    }
    flush();
}

void ClientSession::onEvent(const QJsonObject &event)
{
    if (m_state != State::Open || !topicsMatch(m_topics, event.value(u"name").toString())) {
        return;
    }

    if (m_socket.bytesToWrite() > m_limits.eventBytes) {
        ++m_lost;
        return;
    }
    QJsonObject body = event;

    if (m_lost > 0) {
        body.insert(u"lost", m_lost);
        m_lost = 0;
    }
    send(encodeNotification(c_eventNotification.toString(), body));
}

void ClientSession::onQuiet()
{
    if (m_socket.bytesToWrite() == 0) {
        close();
    }
}

void ClientSession::onBytesWritten()
{
    if (m_state == State::Lingering && m_socket.bytesToWrite() == 0) {
        m_quiet.start();
    }
}

void ClientSession::send(const QByteArray &line)
{
    if (m_state != State::Open) {
        return;
    }
    if (m_socket.bytesToWrite() > m_limits.outputBytes) {
        qCWarning(lcServer) << "A client that does not read its answers was dropped; its leases end.";
        close();
        return;
    }
    m_socket.write(line);
}

void ClientSession::flush()
{
    // Written now, not in the next pass: this is half the round trip of a resident begin. Once for all
    // answers that one read made.
    if (!m_reading && m_state != State::Closed) {
        m_socket.flush();
    }
}

void ClientSession::linger()
{
    if (m_state != State::Open) {
        return;
    }
    m_state = State::Lingering;
    leaveService();
    m_quiet.start();
    m_lingerEnd.start();
}

void ClientSession::leaveService()
{
    if (m_inService) {
        m_inService = false;
        m_waiting.clear();
        subscribe({});
        m_service.closeConnection(m_connection);
    }
}

void ClientSession::close()
{
    if (m_state == State::Closed) {
        return;
    }
    m_state = State::Closed;
    leaveService();
    m_socket.abort();
    Q_EMIT finished();
    deleteLater();
}

} // namespace kv
