// SPDX-License-Identifier: MIT
#include "realllamaserver.h"
#include "recordingproxy.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QTemporaryDir>
#include <QtTest>

using namespace kv::test;

/// The tools that the e2e tests rest on: a real server, and a proxy that records, passes on and does harm.
class TstRecordingProxy final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void passesOnAndRecordsOneConnectionsRequests();
    void answersInsteadOfTheServer();
    void dropsBeforeTheServerSeesIt();
    void dropsTheReplyAfterTheServerActed();
    void holdsUntilReleased();
    void refusesConnectionsAndComesBackOnTheSamePort();
    void faultsAreForTheirNumberOfRequestsOnly();
    void serverComesBackOnItsPortWithAnotherIdentity();

private:
    /// The status, 0 without an answer. The body is in m_body.
    int request(const QByteArray &method, const QString &path, const QByteArray &body = {})
    {
        QNetworkRequest request(QUrl(m_proxy->url() + path));
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
        const std::unique_ptr<QNetworkReply> reply(m_network.sendCustomRequest(request, method, body));
        if (!QTest::qWaitFor([&] { return reply->isFinished(); }, 10000)) {
            return -1;
        }
        m_body = reply->readAll();
        return reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    }
    int erase() { return request("POST", QStringLiteral("/slots/0?action=erase")); }
    static ProxyFault fault(ProxyFault::Kind kind)
    {
        ProxyFault fault;
        fault.match = "POST /slots";
        fault.kind = kind;
        return fault;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<RealLlamaServer> m_server;
    std::unique_ptr<RecordingProxy> m_proxy;
    QNetworkAccessManager m_network;
    QByteArray m_body;
};

void TstRecordingProxy::initTestCase()
{
    const QString reason = RealLlamaServer::whyNot(QStringLiteral("tiny-dense"));
    if (!reason.isEmpty()) {
        QSKIP(qPrintable(reason));
    }
    m_server = std::make_unique<RealLlamaServer>(QStringLiteral("tiny-dense"), m_folder.path(),
        QStringList {
            QStringLiteral("-np"), QStringLiteral("1"), QStringLiteral("-t"), QStringLiteral("1") });
    QVERIFY2(m_server->start(), qPrintable(m_server->log()));
}

void TstRecordingProxy::init() { m_proxy = std::make_unique<RecordingProxy>(m_server->port()); }

void TstRecordingProxy::passesOnAndRecordsOneConnectionsRequests()
{
    QCOMPARE(request("GET", QStringLiteral("/slots")), 200);
    QCOMPARE(QJsonDocument::fromJson(m_body).array().size(), 1);
    const QByteArray prompt = "{\"prompt\":\"" + QByteArray(5000, 'x') + "\",\"n_predict\":2}";
    QCOMPARE(request("POST", QStringLiteral("/completion"), prompt), 200);
    QCOMPARE(request("POST", QStringLiteral("/slots/0?action=save"), "{\"filename\":\"a.bin\"}"), 200);
    QCOMPARE(request("POST", QStringLiteral("/slots/0?action=restore"), "{\"filename\":\"none.bin\"}"), 400);
    QCOMPARE(erase(), 200);
    QCOMPARE(m_proxy->actions(),
        (QStringList { QStringLiteral("save"), QStringLiteral("restore"), QStringLiteral("erase") }));
    QCOMPARE(m_proxy->slotCalls().first(), QStringLiteral("inspect"));
    QCOMPARE(m_proxy->calls()[1]->body, prompt);
    QCOMPARE(m_proxy->calls()[2]->body, QByteArrayLiteral("{\"filename\":\"a.bin\"}"));
    QCOMPARE(m_proxy->calls()[3]->status, 400);
    QVERIFY(
        QJsonDocument::fromJson(m_proxy->calls()[2]->replyBody())[QStringLiteral("n_saved")].toInt() > 1000);
}

void TstRecordingProxy::answersInsteadOfTheServer()
{
    m_proxy->addFault(fault(ProxyFault::Kind::Answer));
    QCOMPARE(erase(), 500);
    QCOMPARE(request("GET", QStringLiteral("/slots")), 200);
    m_proxy->clearFaults();
    QCOMPARE(erase(), 200);
}

void TstRecordingProxy::dropsBeforeTheServerSeesIt()
{
    ProxyFault drop = fault(ProxyFault::Kind::Drop);
    drop.match = "action=save";
    m_proxy->addFault(drop);
    QCOMPARE(request("POST", QStringLiteral("/slots/0?action=save"), "{\"filename\":\"dropped.bin\"}"), 0);
    QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("dropped.bin"))));
}

void TstRecordingProxy::dropsTheReplyAfterTheServerActed()
{
    m_proxy->addFault(fault(ProxyFault::Kind::DropReply));
    QCOMPARE(request("POST", QStringLiteral("/slots/0?action=save"), "{\"filename\":\"kept.bin\"}"), 0);
    QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("kept.bin"))));
}

void TstRecordingProxy::holdsUntilReleased()
{
    m_proxy->addFault(fault(ProxyFault::Kind::Hold));
    QNetworkRequest request(QUrl(m_proxy->url() + QStringLiteral("/slots/0?action=erase")));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    const std::unique_ptr<QNetworkReply> reply(m_network.post(request, QByteArray()));
    QVERIFY(QTest::qWaitFor([this] { return m_proxy->held() == 1; }, 10000));
    QTest::qWait(100);
    QVERIFY(!reply->isFinished());
    m_proxy->release();
    QVERIFY(QTest::qWaitFor([&] { return reply->isFinished(); }, 10000));
    QCOMPARE(reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), 200);
}

void TstRecordingProxy::refusesConnectionsAndComesBackOnTheSamePort()
{
    const QString url = m_proxy->url();
    m_proxy->setListening(false);
    QCOMPARE(erase(), 0);
    QVERIFY(m_proxy->setListening(true));
    QCOMPARE(m_proxy->url(), url);
    QCOMPARE(erase(), 200);
}

void TstRecordingProxy::faultsAreForTheirNumberOfRequestsOnly()
{
    ProxyFault twice = fault(ProxyFault::Kind::Answer);
    twice.times = 2;
    m_proxy->addFault(twice);
    QCOMPARE(erase(), 500);
    QCOMPARE(erase(), 500);
    QCOMPARE(erase(), 200);
}

void TstRecordingProxy::serverComesBackOnItsPortWithAnotherIdentity()
{
    const auto boot = [this] {
        return request("GET", QStringLiteral("/props")) == 200
            ? QJsonDocument::fromJson(m_body)[QStringLiteral("media_marker")].toString()
            : QString();
    };
    const QString before = boot();
    const quint16 port = m_server->port();
    QVERIFY(m_server->restart());
    QCOMPARE(m_server->port(), port);
    QVERIFY(!before.isEmpty());
    QVERIFY(boot() != before);
}

QTEST_GUILESS_MAIN(TstRecordingProxy)
#include "tst_recordingproxy.moc"
