// SPDX-License-Identifier: MIT
#include "socketclient.h"

#include <QJsonValue>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kv {

namespace {

constexpr qint64 c_readChunk = 256LL * 1024;

CallResult failedResult(CallResult::Status status, const QString &sentence)
{
    const ErrorCode code = status == CallResult::Status::Deadline ? ErrorCode::OperationTimeout
                                                                  : ErrorCode::BackendUnavailable;
    return CallResult { status, {}, RpcError { c_rpcKvError, Error { code, sentence, {} }, {} } };
}

} // namespace

SocketClient::SocketClient(const Options &options, QObject *parent)
    : QObject(parent)
    , m_options(options)
    , m_framer(options.maxLine)
{
    m_connectTimer.setSingleShot(true);
    m_connectDeadline.setSingleShot(true);
    connect(&m_connectTimer, &QTimer::timeout, this, &SocketClient::connectNow);
    connect(&m_connectDeadline, &QTimer::timeout, this, [this] {
        drop(tr("The daemon at %1 did not answer within %2 ms. It hangs, or another program listens there.")
                 .arg(m_options.path)
                 .arg(m_options.connectMs));
    });
}

SocketClient::~SocketClient() { releaseSocket(); }

void SocketClient::open()
{
    if (m_state != State::Closed) {
        return;
    }
    m_state = State::Pausing;
    m_pauseMs = m_options.firstPauseMs;
    m_connectTimer.start(0);
}

void SocketClient::close()
{
    const bool reconnect = std::exchange(m_options.reconnect, false);
    if (m_state == State::Pausing) {
        m_connectTimer.stop();
        m_state = State::Closed;
    } else if (m_state != State::Closed) {
        QPointer<SocketClient> self(this);
        drop(tr("The connection was closed."));
        if (!self) {
            return;
        }
    }
    m_options.reconnect = reconnect;
}

void SocketClient::connectNow()
{
    m_state = State::Connecting;
    m_framer = LineFramer(m_options.maxLine);
    m_complaint.clear();
    m_socket = new QLocalSocket(this);
    connect(m_socket, &QLocalSocket::connected, this, &SocketClient::greet);
    connect(m_socket, &QLocalSocket::errorOccurred, this, &SocketClient::onSocketError);
    connect(m_socket, &QLocalSocket::readyRead, this, &SocketClient::read);
    connect(m_socket, &QLocalSocket::disconnected, this, [this] {
        QPointer<SocketClient> self(this);
        // What came before the end still counts. NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): not null
        read();
        if (self) {
            drop(m_complaint.isEmpty() ? tr("The daemon closed the connection.") : m_complaint);
        }
    });
    m_connectDeadline.start(m_options.connectMs);
    m_socket->connectToServer(m_options.path);
}

void SocketClient::greet()
{
    m_state = State::Greeting;
    QJsonObject params { { QStringLiteral("client"), m_options.name },
        { QStringLiteral("version"), m_options.version }, { QStringLiteral("protocol"), c_protocolVersion } };
    if (m_options.pins) {
        params.insert(u"pins", true);
    }
    send(QStringLiteral("hello"), params, 0, this, [this](const CallResult &result) { onGreeted(result); });
}

void SocketClient::onGreeted(const CallResult &result)
{
    if (m_state != State::Greeting) {
        return; // dropped meanwhile: that was reported
    }
    if (!result.ok()) {
        drop(result.error.error.message);
        return;
    }
    const int protocol = result.result.value(u"protocol").toInt();
    if (protocol != c_protocolVersion) {
        drop(tr("The daemon at %1 speaks protocol %2, this program speaks %3. "
                "Use versions of both that belong together.")
                 .arg(m_options.path)
                 .arg(protocol)
                 .arg(c_protocolVersion));
        return;
    }
    m_connectDeadline.stop();
    m_pauseMs = m_options.firstPauseMs;
    m_hello = result.result;
    m_state = State::Connected;
    Q_EMIT connected();
}

void SocketClient::onSocketError(QLocalSocket::LocalSocketError error)
{
    if (m_state != State::Connecting) {
        return; // the end of a connection is told by disconnected()
    }
    QString sentence;
    switch (error) {
    case QLocalSocket::ServerNotFoundError:
        sentence = tr("No daemon runs: there is no socket %1.").arg(m_options.path);
        break;
    case QLocalSocket::ConnectionRefusedError:
        sentence = tr("No daemon runs: nobody listens on %1 any more.").arg(m_options.path);
        break;
    case QLocalSocket::SocketAccessError:
        sentence = tr("The daemon's socket %1 may not be opened by this user.").arg(m_options.path);
        break;
    default:
        sentence
            = tr("The daemon's socket %1 cannot be opened: %2.").arg(m_options.path, m_socket->errorString());
        break;
    }
    // Queued: the socket reports this from within connectToServer().
    QLocalSocket *const socket = m_socket;
    QMetaObject::invokeMethod(
        this,
        [this, socket, sentence] {
            if (m_socket == socket) {
                drop(sentence);
            }
        },
        Qt::QueuedConnection);
}

void SocketClient::read()
{
    QPointer<SocketClient> self(this);
    QLocalSocket *const socket = m_socket;
    while (self && socket && m_socket == socket && socket->bytesAvailable() > 0) {
        m_framer.feed(socket->read(c_readChunk));
        while (self && m_socket == socket) {
            const auto line = m_framer.next();
            if (!line) {
                break;
            }
            take(*line);
        }
        if (self && m_socket == socket && m_framer.failed()) {
            drop(tr("What listens on %1 sent a line that is too long. It is not a kv-persist daemon, or a "
                    "faulty one.")
                     .arg(m_options.path));
        }
    }
}

void SocketClient::take(const QByteArray &line)
{
    const auto message = decodeFromDaemon(line);
    if (!message) {
        // Nothing can be relied on after it; calls that wait are better off with an answer now.
        drop(tr("What listens on %1 does not speak the protocol of kv-persist.").arg(m_options.path));
    } else if (const auto *answer = std::get_if<RpcAnswer>(&message.value())) {
        takeAnswer(*answer);
    } else if (m_state == State::Connected) {
        const auto &note = std::get<RpcNotification>(message.value());
        Q_EMIT notification(note.method, note.params);
    }
}

void SocketClient::takeAnswer(const RpcAnswer &answer)
{
    if (answer.id.isNull() && !answer.ok) {
        m_complaint = answer.error.error.message;
        return;
    }
    const double number = answer.id.toDouble();
    const bool ours = answer.id.isDouble() && number >= 1 && number <= static_cast<double>(m_lastId)
        && std::floor(number) == number && m_pending.count(static_cast<CallId>(number)) > 0;
    if (!ours) {
        ++m_strayAnswers;
        return;
    }
    const auto status = answer.ok ? CallResult::Status::Ok : CallResult::Status::Refused;
    finish(static_cast<CallId>(number), CallResult { status, answer.result, answer.error });
}

void SocketClient::drop(const QString &reason)
{
    const bool wasConnected = m_state == State::Connected;
    releaseSocket();
    m_connectDeadline.stop();
    m_state = m_options.reconnect ? State::Pausing : State::Closed;
    if (m_options.reconnect) {
        m_connectTimer.start(m_pauseMs);
        m_pauseMs = std::min(m_pauseMs * 2, m_options.maxPauseMs);
    }
    QPointer<SocketClient> self(this);
    const std::map<CallId, Pending> pending = std::exchange(m_pending, {});
    for (const auto &[id, entry] : pending) {
        // Those that a callback queues meanwhile are not of this connection and stay in m_pending.
        if (entry.context) {
            entry.callback(failedResult(CallResult::Status::Closed, reason));
        }
    }
    if (!self) {
        return;
    }
    if (wasConnected) {
        Q_EMIT disconnected(reason);
    } else {
        Q_EMIT failed(reason);
    }
}

void SocketClient::releaseSocket()
{
    if (QLocalSocket *const socket = std::exchange(m_socket, nullptr)) {
        // We may be inside one of its signals, and about to be deleted by a slot: it must outlive us.
        socket->setParent(nullptr);
        socket->disconnect(this);
        socket->abort();
        socket->deleteLater();
    }
}

SocketClient::CallId SocketClient::enqueue(QObject *context, Callback callback)
{
    const CallId id = ++m_lastId;
    m_pending.emplace(id, Pending { context, std::move(callback), nullptr });
    return id;
}

SocketClient::CallId SocketClient::call(
    const QString &method, const QJsonObject &params, int deadlineMs, QObject *context, Callback callback)
{
    if (m_state != State::Connected) {
        const CallId id = enqueue(context, std::move(callback));
        finishLater(id, CallResult::Status::NotSent,
            tr("There is no connection to the daemon at %1.").arg(m_options.path));
        return id;
    }
    return send(method, params, deadlineMs, context, std::move(callback));
}

SocketClient::CallId SocketClient::send(
    const QString &method, const QJsonObject &params, int deadlineMs, QObject *context, Callback callback)
{
    const CallId id = enqueue(context, std::move(callback));
    const QString fault = trySend(encodeRequest(static_cast<qint64>(id), method, params));
    if (!fault.isEmpty()) {
        finishLater(id, CallResult::Status::NotSent, fault);
    } else if (deadlineMs > 0) {
        auto timer = std::make_unique<QTimer>();
        timer->setSingleShot(true);
        connect(timer.get(), &QTimer::timeout, this, [this, id, method, deadlineMs] {
            finish(id,
                failedResult(CallResult::Status::Deadline,
                    tr("The daemon did not answer %1 within %2 ms. It may still do it.")
                        .arg(method)
                        .arg(deadlineMs)));
        });
        timer->start(deadlineMs);
        m_pending.at(id).deadline = std::move(timer);
    }
    return id;
}

QString SocketClient::trySend(const QByteArray &line)
{
    if (line.size() > c_maxRequestLine) {
        return tr("The request is larger than the %1 bytes that the daemon takes.").arg(c_maxRequestLine);
    }
    if (m_socket->bytesToWrite() + line.size() > m_options.maxUnsentBytes) {
        return tr("The daemon does not read what it is sent. It is overloaded or hangs.");
    }
    m_socket->write(line);
    return {};
}

void SocketClient::finishLater(CallId id, CallResult::Status status, const QString &sentence)
{
    QMetaObject::invokeMethod(
        this, [this, id, status, sentence] { finish(id, failedResult(status, sentence)); },
        Qt::QueuedConnection);
}

void SocketClient::finish(CallId id, const CallResult &result)
{
    const auto found = m_pending.find(id);
    if (found == m_pending.end()) {
        return;
    }
    Pending entry = std::move(found->second);
    m_pending.erase(found);
    if (entry.deadline) {
        // This may be its own timeout.
        entry.deadline->stop();
        entry.deadline.release()->deleteLater();
    }
    if (entry.context) {
        entry.callback(result);
    }
}

void SocketClient::cancel(CallId id)
{
    if (m_pending.count(id) > 0) {
        notify(QStringLiteral("kv.cancel"), { { QStringLiteral("id"), static_cast<qint64>(id) } });
    }
}

bool SocketClient::notify(const QString &method, const QJsonObject &params)
{
    return m_state == State::Connected && trySend(encodeNotification(method, params)).isEmpty();
}

} // namespace kv
