// SPDX-License-Identifier: MIT
#include "recordingproxy.h"

#include <QHostAddress>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>
#include <optional>

namespace kv::test {

namespace {

/// Position after the blank line that ends an HTTP head; -1: it is not complete.
qsizetype headEnd(const QByteArray &bytes)
{
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    return end < 0 ? -1 : end + 4;
}

qsizetype contentLength(const QByteArray &head)
{
    for (const QByteArray &line : head.split('\n')) {
        if (line.toLower().startsWith("content-length:")) {
            return line.mid(line.indexOf(':') + 1).trimmed().toLongLong();
        }
    }
    return 0;
}

} // namespace

QString RecordedCall::action() const
{
    if (method != "POST" || !isSlotCall()) {
        return {};
    }
    const qsizetype start = target.indexOf("action=");
    return start < 0 ? QString() : QString::fromLatin1(target.mid(start + 7).split('&').first());
}

QByteArray RecordedCall::replyBody() const
{
    const qsizetype end = headEnd(reply);
    return end < 0 ? QByteArray() : reply.mid(end);
}

/// One client connection and the server connection that belongs to it.
class RecordingProxy::Link final : public QObject {
public:
    Link(RecordingProxy *proxy, QTcpSocket *client)
        : QObject(proxy)
        , m_proxy(proxy)
        , m_client(client)
    {
        client->setParent(this);
        connect(client, &QTcpSocket::readyRead, this, &Link::readRequest);
        connect(client, &QTcpSocket::disconnected, this, &Link::close);
        connect(&m_server, &QTcpSocket::readyRead, this, &Link::readReply);
        connect(&m_server, &QTcpSocket::disconnected, this, &Link::serverClosed);
        connect(&m_server, &QTcpSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
            if (error != QAbstractSocket::RemoteHostClosedError) {
                close();
            }
        });
        readRequest();
    }
    ~Link() override
    {
        m_client->disconnect(this);
        m_server.disconnect(this);
        m_proxy->m_links.removeOne(this);
    }
    Q_DISABLE_COPY_MOVE(Link)

    void release()
    {
        if (m_held) {
            m_held = false;
            forward();
        }
    }
    [[nodiscard]] bool held() const { return m_held; }

private:
    void serverClosed()
    {
        readReply();
        m_client->disconnectFromHost(); // what was answered still goes out
    }

    void close()
    {
        if (m_closed) {
            return;
        }
        m_closed = true;
        m_client->abort();
        m_server.abort();
        deleteLater();
    }

    void readRequest()
    {
        if (m_closed) {
            return;
        }
        m_incoming += m_client->readAll();
        const qsizetype end = headEnd(m_incoming);
        if (m_waiting || end < 0) {
            return; // one request at a time, as clients that do not pipeline send them
        }
        const QByteArray head = m_incoming.left(end);
        const qsizetype whole = end + contentLength(head);
        if (m_incoming.size() < whole) {
            return;
        }
        m_request = m_incoming.left(whole);
        m_incoming.remove(0, whole);
        const QList<QByteArray> words = head.left(head.indexOf('\r')).split(' ');
        m_call = std::make_shared<RecordedCall>();
        m_call->atMs = m_proxy->elapsedMs();
        m_call->method = words.value(0);
        m_call->target = words.value(1);
        m_call->head = head;
        m_call->body = m_request.mid(end);
        m_proxy->m_calls.append(m_call);
        m_waiting = true;
        handle();
    }

    void handle()
    {
        ProxyFault *fault = m_proxy->faultFor(*m_call);
        if (fault == nullptr) {
            forward();
            return;
        }
        if (fault->times > 0) {
            --fault->times;
        }
        switch (fault->kind) {
        case ProxyFault::Kind::Answer:
            answer(*fault);
            break;
        case ProxyFault::Kind::Drop:
            close();
            break;
        case ProxyFault::Kind::DropReply:
            m_dropReply = true;
            forward();
            break;
        case ProxyFault::Kind::Delay:
            QTimer::singleShot(fault->delayMs, this, &Link::forward);
            break;
        case ProxyFault::Kind::Hold:
            m_held = true;
            break;
        }
    }

    void answer(const ProxyFault &fault)
    {
        m_call->status = fault.status;
        m_call->reply = "HTTP/1.1 " + QByteArray::number(fault.status)
            + " Injected\r\nContent-Type: application/json\r\n"
              "Content-Length: "
            + QByteArray::number(fault.body.size()) + "\r\n\r\n" + fault.body;
        m_client->write(m_call->reply);
        m_waiting = false;
        readRequest();
    }

    void forward()
    {
        if (m_closed) {
            return;
        }
        if (m_server.state() == QAbstractSocket::UnconnectedState) {
            m_server.connectToHost(QHostAddress(QHostAddress::LocalHost), m_proxy->m_upstreamPort);
        }
        m_server.write(m_request); // buffered until it is connected
    }

    void readReply()
    {
        const QByteArray bytes = m_server.isOpen() ? m_server.readAll() : QByteArray();
        if (m_call == nullptr || bytes.isEmpty()) {
            return;
        }
        m_call->reply += bytes;
        if (m_call->status == 0 && m_call->reply.startsWith("HTTP/1.1 ")) {
            m_call->status = m_call->reply.mid(9, 3).toInt();
        }
        if (m_dropReply) {
            close();
            return;
        }
        m_client->write(bytes);
        // Whether the answer is complete need not be known: a client that does not pipeline sends its next
        // request only after it has seen the end.
        m_waiting = false;
        readRequest();
    }

    RecordingProxy *m_proxy;
    QTcpSocket *m_client;
    QTcpSocket m_server;
    QByteArray m_incoming;
    QByteArray m_request;
    std::shared_ptr<RecordedCall> m_call;
    bool m_waiting = false;
    bool m_held = false;
    bool m_dropReply = false;
    bool m_closed = false;
};

RecordingProxy::RecordingProxy(quint16 upstreamPort)
    : m_upstreamPort(upstreamPort)
{
    m_clock.start();
    connect(&m_listener, &QTcpServer::newConnection, this, &RecordingProxy::accept);
    setListening(true);
}

RecordingProxy::~RecordingProxy()
{
    qDeleteAll(QList<Link *>(m_links)); // each takes itself out of the list
}

QString RecordingProxy::url() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }

bool RecordingProxy::setListening(bool listening)
{
    if (listening) {
        const bool done = m_listener.isListening() || m_listener.listen(QHostAddress::LocalHost, m_port);
        m_port = done ? m_listener.serverPort() : m_port;
        return done;
    }
    m_listener.close();
    qDeleteAll(QList<Link *>(m_links));
    return true;
}

void RecordingProxy::accept()
{
    while (QTcpSocket *client = m_listener.nextPendingConnection()) {
        m_links.append(new Link(this, client));
    }
}

void RecordingProxy::addFault(const ProxyFault &fault) { m_faults.append(fault); }

void RecordingProxy::clearFaults() { m_faults.clear(); }

void RecordingProxy::release()
{
    for (Link *link : QList<Link *>(m_links)) {
        link->release();
    }
}

int RecordingProxy::held() const
{
    return static_cast<int>(
        std::count_if(m_links.begin(), m_links.end(), [](Link *link) { return link->held(); }));
}

ProxyFault *RecordingProxy::faultFor(const RecordedCall &call)
{
    const QByteArray line = call.method + ' ' + call.target;
    for (ProxyFault &fault : m_faults) {
        if (fault.times != 0 && line.contains(fault.match)) {
            return &fault;
        }
    }
    return nullptr;
}

QStringList RecordingProxy::actions() const
{
    QStringList names;
    for (const auto &call : m_calls) {
        if (const QString action = call->action(); !action.isEmpty()) {
            names.append(action);
        }
    }
    return names;
}

QStringList RecordingProxy::slotCalls() const
{
    QStringList names;
    for (const auto &call : m_calls) {
        if (call->isSlotCall()) {
            names.append(call->method == "GET" ? QStringLiteral("inspect") : call->action());
        }
    }
    return names;
}

QString RecordingProxy::transcript() const
{
    QStringList lines;
    for (const auto &call : m_calls) {
        lines.append(QStringLiteral("%1 ms: %2 %3 %4 -> %5 %6")
                         .arg(call->atMs)
                         .arg(QString::fromLatin1(call->method), QString::fromLatin1(call->target),
                             QString::fromUtf8(call->body.left(120)))
                         .arg(call->status)
                         .arg(QString::fromUtf8(call->replyBody().left(120))));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace kv::test
