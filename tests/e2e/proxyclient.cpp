// SPDX-License-Identifier: MIT
#include "proxyclient.h"

#include <QHostAddress>
#include <QJsonDocument>
#include <QTcpSocket>
#include <QtTest>

#include <optional>

namespace kv::test {

namespace {

constexpr int c_answerMs = 120'000;

QList<QJsonObject> documentsIn(const QByteArray &body)
{
    QList<QJsonObject> out;
    const QList<QByteArray> lines = body.split('\n');
    for (const QByteArray &line : lines) {
        const QJsonDocument document = QJsonDocument::fromJson(line.startsWith("data:") ? line.mid(5)
                : lines.size() == 1                                                     ? line
                                                                                        : QByteArray());
        if (document.isObject()) {
            out.append(document.object());
        }
    }
    if (out.isEmpty()) {
        out.append(QJsonDocument::fromJson(body).object());
    }
    return out;
}

QJsonObject usageIn(const QByteArray &body)
{
    QJsonObject usage;
    for (const QJsonObject &document : documentsIn(body)) {
        for (const QJsonObject &holder :
            { document, document.value(u"message").toObject(), document.value(u"response").toObject() }) {
            const QJsonObject found = holder.value(u"usage").toObject();
            for (auto it = found.begin(); it != found.end(); ++it) {
                usage.insert(it.key(), it.value());
            }
        }
    }
    return usage;
}

/// The payloads of a chunked body, as far as it came.
QList<QByteArray> unchunked(QByteArray framed, bool &whole)
{
    QList<QByteArray> out;
    while (true) {
        const qsizetype line = framed.indexOf("\r\n");
        const qsizetype size = line < 0 ? -1 : framed.left(line).toLongLong(nullptr, 16);
        if (line < 0 || framed.size() < line + 2 + size + 2) {
            return out;
        }
        if (size == 0) {
            whole = true;
            return out;
        }
        out.append(framed.mid(line + 2, size));
        framed.remove(0, line + 2 + size + 2);
    }
}

} // namespace

QJsonObject WireReply::timings() const
{
    QJsonObject timings;
    for (const QJsonObject &document : documentsIn(body())) {
        if (document.contains(u"timings")) {
            timings = document.value(u"timings").toObject();
        }
    }
    return timings;
}

int WireReply::cached() const
{
    if (const QJsonObject found = timings(); !found.isEmpty()) {
        return found.value(u"cache_n").toInt();
    }
    const QJsonObject usage = usageIn(body());
    if (usage.contains(u"cache_read_input_tokens")) {
        return usage.value(u"cache_read_input_tokens").toInt();
    }
    return usage.value(u"input_tokens_details").toObject().value(u"cached_tokens").toInt(-1);
}

int WireReply::prompt() const
{
    if (const QJsonObject found = timings(); !found.isEmpty()) {
        return found.value(u"cache_n").toInt() + found.value(u"prompt_n").toInt();
    }
    const QJsonObject usage = usageIn(body());
    return usage.value(u"input_tokens").toInt() + usage.value(u"cache_read_input_tokens").toInt();
}

QString WireReply::text() const
{
    QString out;
    for (const QJsonObject &document : documentsIn(body())) {
        const QJsonObject choice = document.value(u"choices").toArray().at(0).toObject();
        out += choice.value(u"delta").toObject().value(u"content").toString();
        out += choice.value(u"message").toObject().value(u"content").toString();
        out += document.value(u"content").isArray()
            ? document.value(u"content").toArray().at(0).toObject().value(u"text").toString()
            : document.value(u"content").toString();
        if (document.value(u"type").toString() == u"response.output_text.delta") {
            out += document.value(u"delta").toString();
        }
        if (document.value(u"type").toString() == u"content_block_delta") {
            out += document.value(u"delta").toObject().value(u"text").toString();
        }
        for (const QJsonValue item : document.value(u"output").toArray()) {
            out += item.toObject().value(u"content").toArray().at(0).toObject().value(u"text").toString();
        }
    }
    return out;
}

QByteArray postBytes(const QByteArray &target, const QByteArray &body, const QByteArray &headers)
{
    return "POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
        + QByteArray::number(body.size()) + "\r\n" + headers + "\r\n" + body;
}

WireReply readReply(const QByteArray &bytes)
{
    WireReply reply;
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    if (end < 0) {
        return reply;
    }
    reply.head = bytes.left(end + 2);
    reply.status = bytes.mid(9, 3).toInt();
    const QByteArray body = bytes.mid(end + 4);
    const QByteArray lower = reply.head.toLower();
    if (lower.contains("transfer-encoding: chunked")) {
        reply.chunks = unchunked(body, reply.whole);
        return reply;
    }
    const qsizetype at = lower.indexOf("content-length:");
    const qsizetype size
        = at < 0 ? 0 : lower.mid(at + 15, lower.indexOf('\r', at) - at - 15).trimmed().toLongLong();
    reply.chunks = { body.left(size) };
    reply.whole = body.size() >= size;
    return reply;
}

WireReply post(quint16 port, const QByteArray &target, const QByteArray &body, const QByteArray &headers)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    socket.write(postBytes(target, body, headers));
    QByteArray got;
    WireReply reply;
    static_cast<void>(QTest::qWaitFor(
        [&] {
            const QByteArray more = socket.readAll();
            got += more;
            if (!more.isEmpty()) {
                reply = readReply(got);
            }
            return reply.whole
                || (socket.state() == QAbstractSocket::UnconnectedState && socket.bytesAvailable() == 0);
        },
        c_answerMs));
    return reply;
}

Chat::Chat(Api api, const QByteArray &name, bool stream, int systemBytes)
    : m_api(api)
    , m_stream(stream)
    , m_system(QString::fromLatin1(name) + QStringLiteral(" is the name of this chat."))
{
    for (int word = 0; m_system.size() < systemBytes; ++word) {
        m_system += QStringLiteral(" w%1").arg(word * 7919 % 100003);
    }
    m_said.append(QJsonObject { { QStringLiteral("role"), QStringLiteral("user") },
        { QStringLiteral("content"),
            QStringLiteral("first question of %1").arg(QString::fromLatin1(name)) } });
}

QByteArray Chat::target() const
{
    switch (m_api) {
    case Api::ChatCompletions:
        return "/v1/chat/completions";
    case Api::Responses:
        return "/v1/responses";
    case Api::Messages:
        return "/v1/messages";
    }
    return {};
}

QByteArray Chat::body() const
{
    QJsonObject body { { QStringLiteral("model"), QStringLiteral("tiny") },
        { QStringLiteral("temperature"), 0 }, { QStringLiteral("seed"), 1 },
        { QStringLiteral("stream"), m_stream } };
    switch (m_api) {
    case Api::ChatCompletions: {
        QJsonArray messages = m_said;
        messages.prepend(QJsonObject {
            { QStringLiteral("role"), QStringLiteral("system") }, { QStringLiteral("content"), m_system } });
        body.insert(QStringLiteral("messages"), messages);
        body.insert(QStringLiteral("max_tokens"), 8);
        break;
    }
    case Api::Responses:
        body.insert(QStringLiteral("instructions"), m_system);
        body.insert(QStringLiteral("input"), m_said);
        body.insert(QStringLiteral("max_output_tokens"), 8);
        break;
    case Api::Messages:
        body.insert(QStringLiteral("system"), m_system);
        body.insert(QStringLiteral("messages"), m_said);
        body.insert(QStringLiteral("max_tokens"), 8);
        break;
    }
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

WireReply Chat::turn(quint16 port, const QByteArray &headers, const QByteArray &prefix)
{
    WireReply reply = post(port, prefix + target(), body(), headers);
    ++m_turns;
    const auto say = [this](const QString &role, const QString &text) {
        if (m_api == Api::Responses && role == u"assistant") {
            const QJsonObject part { { QStringLiteral("type"), QStringLiteral("output_text") },
                { QStringLiteral("text"), text } };
            m_said.append(QJsonObject { { QStringLiteral("type"), QStringLiteral("message") },
                { QStringLiteral("role"), role }, { QStringLiteral("content"), QJsonArray { part } } });
            return;
        }
        m_said.append(QJsonObject { { QStringLiteral("role"), role }, { QStringLiteral("content"), text } });
    };
    say(QStringLiteral("assistant"), reply.text());
    say(QStringLiteral("user"), QStringLiteral("question %1").arg(m_turns));
    return reply;
}

} // namespace kv::test
