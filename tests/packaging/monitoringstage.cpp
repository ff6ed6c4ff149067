// SPDX-License-Identifier: MIT
#include "monitoringstage.h"

#include <QFile>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QTest>

#include <memory>

namespace kv::test {

namespace {

constexpr int c_patienceMs = 20'000;

QByteArray bodyOf(const std::unique_ptr<QNetworkReply> &reply)
{
    const bool answered = QTest::qWaitFor([&] { return reply->isFinished(); }, c_patienceMs)
        && reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() == 200;
    return answered ? reply->readAll() : QByteArray();
}

} // namespace

MonitoringStage::MonitoringStage() = default;

bool MonitoringStage::start()
{
    if (!m_a.start() || !m_b.start()) {
        return false;
    }
    m_daemon.setConfig("servers:\n"
                       "  a: { baseURL: '"
        + m_a.url().toString(QUrl::StripTrailingSlash).toUtf8()
        + "' }\n"
          "  b: { baseURL: '"
        + m_b.url().toString(QUrl::StripTrailingSlash).toUtf8()
        + "' }\n"
          "providers: { pa: a, pb: b }\n"
          "checkpoint: { minTokens: 1 }\n"
          "coldStart: erase\n"
          "metadata: { path: '${METADATA}' }\n"
          "metrics: { listen: '127.0.0.1:0' }\n"
          "proxy: { listen: '127.0.0.1:0', server: a }\n");
    return m_daemon.start() && m_client.connectTo(m_daemon.socketPath());
}

bool MonitoringStage::serveRequests()
{
    const QByteArray words = QByteArray("one word and another ").repeated(30);
    const bool served = complete("first", words + '1') && complete("second", words + '2')
        && complete("first", words + "1 and on") && complete("first", words + "1 and on and on");
    m_b.stop();
    const QJsonObject away { { QStringLiteral("session"), QStringLiteral("third") },
        { QStringLiteral("provider"), QStringLiteral("pb") },
        { QStringLiteral("model"), QStringLiteral("tiny") } };
    const RpcReply begun = m_client.call(QStringLiteral("request.begin"), away);
    const RpcReply ended = m_client.call(QStringLiteral("request.end"),
        { { QStringLiteral("lease"), begun.result.value(u"lease") },
            { QStringLiteral("outcome"), QStringLiteral("error") } });
    if (!served || !begun.ok() || !ended.ok()) {
        qWarning().noquote() << "served:" << served << begun.text() << ended.text();
        return false;
    }
    return true;
}

bool MonitoringStage::complete(const QByteArray &session, const QByteArray &prompt)
{
    QNetworkRequest request(
        QUrl(QStringLiteral("http://127.0.0.1:%1/completion")
                 .arg(portIn(QStringLiteral("The proxy for a listens on 127\\.0\\.0\\.1 port (\\d+)")))));
    request.setRawHeader("X-KV-Session", session);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    const QJsonObject body { { QStringLiteral("prompt"), QString::fromUtf8(prompt) },
        { QStringLiteral("n_predict"), 4 } };
    QNetworkAccessManager network;
    const std::unique_ptr<QNetworkReply> reply(network.post(request, QJsonDocument(body).toJson()));
    return !bodyOf(reply).isEmpty();
}

QString MonitoringStage::textOverSocket()
{
    return m_client.call(QStringLiteral("kv.metrics")).result.value(u"text").toString();
}

QString MonitoringStage::textOverHttp()
{
    const int port = portIn(QStringLiteral("Metrics are served on 127\\.0\\.0\\.1 port (\\d+)"));
    QNetworkAccessManager network;
    const std::unique_ptr<QNetworkReply> reply(
        network.get(QNetworkRequest(QUrl(QStringLiteral("http://127.0.0.1:%1/metrics").arg(port)))));
    return QString::fromUtf8(bodyOf(reply));
}

int MonitoringStage::portIn(const QString &pattern) const { return m_daemon.logged(pattern).toInt(); }

QByteArray sourceFile(const QString &path)
{
    QFile file(QStringLiteral(KV_SOURCE_DIR "/") + path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace kv::test
