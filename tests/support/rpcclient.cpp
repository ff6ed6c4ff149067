// SPDX-License-Identifier: MIT
#include "rpcclient.h"

#include <QJsonDocument>
#include <QtTest>

namespace kv::test {

QString RpcReply::code() const { return error[QStringLiteral("data")][QStringLiteral("code")].toString(); }

QString RpcReply::text() const
{
    if (!answered) {
        return QStringLiteral("no answer in time");
    }
    return QString::fromUtf8(QJsonDocument(error.isEmpty() ? result : error).toJson(QJsonDocument::Compact));
}

RpcClient::RpcClient()
{
    QObject::connect(&m_socket, &QLocalSocket::readyRead, &m_socket, [this] { read(); });
}

bool RpcClient::connectTo(const QString &socketPath, int timeoutMs)
{
    return QTest::qWaitFor(
        [&] {
            if (m_socket.state() == QLocalSocket::UnconnectedState) {
                m_socket.connectToServer(socketPath);
            }
            return connected();
        },
        timeoutMs);
}

void RpcClient::connectNow(const QString &socketPath)
{
    if (m_socket.state() == QLocalSocket::UnconnectedState) {
        m_buffer.clear();
        m_answers.clear();
        m_socket.connectToServer(socketPath);
    }
}

int RpcClient::send(const QString &method, const QJsonObject &params)
{
    const int id = m_nextId++;
    const QJsonObject message { { QStringLiteral("jsonrpc"), QStringLiteral("2.0") },
        { QStringLiteral("id"), id }, { QStringLiteral("method"), method },
        { QStringLiteral("params"), params } };
    sendRaw(QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n');
    return id;
}

void RpcClient::notify(const QString &method, const QJsonObject &params)
{
    const QJsonObject message { { QStringLiteral("jsonrpc"), QStringLiteral("2.0") },
        { QStringLiteral("method"), method }, { QStringLiteral("params"), params } };
    sendRaw(QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n');
}

void RpcClient::sendRaw(const QByteArray &bytes)
{
    m_socket.write(bytes);
    m_socket.flush();
}

RpcReply RpcClient::wait(int id, int timeoutMs)
{
    RpcReply reply;
    reply.answered = QTest::qWaitFor([&] { return m_answers.contains(id) || !connected(); }, timeoutMs)
        && m_answers.contains(id);
    if (reply.answered) {
        const QJsonObject message = m_answers.take(id);
        reply.result = message[QStringLiteral("result")].toObject();
        reply.error = message[QStringLiteral("error")].toObject();
    }
    return reply;
}

RpcReply RpcClient::call(const QString &method, const QJsonObject &params, int timeoutMs)
{
    return wait(send(method, params), timeoutMs);
}

void RpcClient::read()
{
    m_buffer += m_socket.readAll();
    for (qsizetype end = m_buffer.indexOf('\n'); end >= 0; end = m_buffer.indexOf('\n')) {
        const QJsonObject message = QJsonDocument::fromJson(m_buffer.left(end)).object();
        m_buffer.remove(0, end + 1);
        const QJsonValue id = message[QStringLiteral("id")];
        if (id.isDouble()) {
            m_answers.insert(id.toInt(), message);
        } else {
            m_others.append(message);
        }
    }
}

} // namespace kv::test
