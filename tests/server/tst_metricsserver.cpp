// SPDX-License-Identifier: MIT
#include "fakeservice.h"
#include "metricsserver.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QTcpServer>
#include <QTest>

#include <memory>

using namespace kv;

namespace {

struct Got {
    int status = 0;
    QByteArray type;
    QByteArray body;
};

Got ask(quint16 port, const QString &path, const QByteArray &method = "GET")
{
    QNetworkAccessManager network;
    const QNetworkRequest request(QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(port).arg(path)));
    const std::unique_ptr<QNetworkReply> reply(
        method == "HEAD" ? network.head(request) : network.sendCustomRequest(request, method));
    if (!QTest::qWaitFor([&] { return reply->isFinished(); }, 10000)) {
        return {};
    }
    return { reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(),
        reply->rawHeader("Content-Type"), reply->readAll() };
}

Config listeningOn(quint16 port)
{
    Config config;
    config.metricsListen = ListenAddress { QStringLiteral("127.0.0.1"), port };
    return config;
}

}

class TstMetricsServer final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTextIsServed();
    void nothingElseIs();
    void itFollowsTheConfiguration();
    void aPortInUseIsTold();
};

void TstMetricsServer::theTextIsServed()
{
    FakeService service;
    MetricsServer server(service);
    QVERIFY(server.configure(listeningOn(0)).ok());
    const Got answer = ask(server.port(), QStringLiteral("/metrics"));
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.type, QByteArray("text/plain; version=0.0.4; charset=utf-8"));
    QCOMPARE(answer.body, QByteArray("dsh_kv_save_total 1\n"));
    QCOMPARE(ask(server.port(), QStringLiteral("/metrics?name=x")).status, 200);
    const Got head = ask(server.port(), QStringLiteral("/metrics"), "HEAD");
    QCOMPARE(head.status, 200);
    QCOMPARE(head.body, QByteArray());
}

void TstMetricsServer::nothingElseIs()
{
    FakeService service;
    MetricsServer server(service);
    QVERIFY(server.configure(listeningOn(0)).ok());
    QCOMPARE(ask(server.port(), QStringLiteral("/")).status, 404);
    QCOMPARE(ask(server.port(), QStringLiteral("/metrics/../status")).status, 404);
    QCOMPARE(ask(server.port(), QStringLiteral("/metrics"), "POST").status, 405);
    QVERIFY(service.calls.isEmpty());
}

void TstMetricsServer::itFollowsTheConfiguration()
{
    FakeService service;
    MetricsServer server(service);
    QVERIFY(server.configure(Config()).ok());
    QCOMPARE(server.port(), quint16 { 0 });
    QVERIFY(server.configure(listeningOn(0)).ok());
    const quint16 port = server.port();
    QVERIFY(server.configure(listeningOn(0)).ok());
    QCOMPARE(server.port(), port); // the same address stays as it is
    QVERIFY(server.configure(Config()).ok());
    QCOMPARE(ask(port, QStringLiteral("/metrics")).status, 0);
}

void TstMetricsServer::aPortInUseIsTold()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    const quint16 taken = other.serverPort();
    FakeService service;
    MetricsServer server(service);
    const Result<Done> listening = server.configure(listeningOn(taken));
    QVERIFY(!listening.ok());
    QVERIFY(listening.error().message.contains(QString::number(taken)));
    other.close();
    QVERIFY(server.configure(listeningOn(taken)).ok()); // a later try is made
}

QTEST_GUILESS_MAIN(TstMetricsServer)
#include "tst_metricsserver.moc"
