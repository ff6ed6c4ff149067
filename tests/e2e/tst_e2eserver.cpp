// SPDX-License-Identifier: MIT
#include "e2etest.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

using namespace kv::test;

/// A server of the user's own, named in DSH_KV_TEST_LLAMA_URL: looked at, never changed: every call that
/// reaches it is a GET.
class TstE2eServer final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_url = QUrl(qEnvironmentVariable("DSH_KV_TEST_LLAMA_URL"));
        if (m_url.isEmpty()) {
            QSKIP("DSH_KV_TEST_LLAMA_URL names no server to look at");
        }
        QCOMPARE(m_url.scheme(), QStringLiteral("http"));
    }
    void isRecognisedByReadingAlone();

private:
    QUrl m_url;
};

void TstE2eServer::isRecognisedByReadingAlone()
{
    RecordingProxy proxy(static_cast<quint16>(m_url.port(80)));
    RealDaemon daemon;
    daemon.setConfig("servers:\n  named:\n    baseURL: " + proxy.url().toUtf8()
        + "\nproviders:\n  named: named\nmetadata: { path: '${METADATA}' }\n");
    QVERIFY2(daemon.start(), qPrintable(daemon.log()));
    RpcClient client;
    QVERIFY(client.connectTo(daemon.socketPath()));
    const auto build = [&] {
        const QJsonObject status = client.call(QStringLiteral("kv.status")).result;
        return status[QStringLiteral("servers")][0][QStringLiteral("backend")][QStringLiteral("build")]
            .toString();
    };
    QVERIFY2(QTest::qWaitFor([&] { return !build().isEmpty(); }, 30000), qPrintable(proxy.transcript()));
    const RpcReply doctor = client.call(QStringLiteral("kv.doctor"));
    QVERIFY2(doctor.ok(), qPrintable(doctor.text()));
    QVERIFY(daemon.stop());
    for (const auto &call : proxy.calls()) {
        QVERIFY2(call->method == "GET", qPrintable(proxy.transcript()));
    }
}

QTEST_GUILESS_MAIN(TstE2eServer)
#include "tst_e2eserver.moc"
