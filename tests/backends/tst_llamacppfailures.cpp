// SPDX-License-Identifier: MIT
// What the backend makes of a server that fails, lies, hangs or is gone.
#include "backendtesting.h"
#include "fakellamaserver.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QTimer>

using namespace kv;
using namespace kv::test;

namespace {
const QString c_file = QStringLiteral("0123456789abcdef-1.bin");

QString actionOf(OpKind kind)
{
    return kind == OpKind::Save ? QStringLiteral("save")
        : kind == OpKind::Erase ? QStringLiteral("erase")
                                : QStringLiteral("restore");
}
const QList<OpKind> c_actions { OpKind::Save, OpKind::Restore, OpKind::Erase };
} // namespace

class TestLlamaCppFailures final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statusDecides_data();
    void statusDecides();
    void aRefusedRestoreIsRefused();
    void aMissingSavePathNamesTheFlag();
    void aFullDiskIsAServerError();
    void nobodyListens();
    void noSuchHost();
    void aLostAnswerIsLostNotRefused();
    void aServerKilledByASnapshotIsLost();
    void aTruncatedAnswerIsNoSuccess();
    void answersThatMakeNoSenseAreServerErrors_data();
    void answersThatMakeNoSenseAreServerErrors();
    void damagedReadsAreServerErrors_data();
    void damagedReadsAreServerErrors();
    void anAnswerOfHugeSizeIsRefused();
    void anEndlessAnswerIsRefused();
    void redirectsAndChallengesAreNotFollowed_data();
    void redirectsAndChallengesAreNotFollowed();
    void aSlowOperationIsAwaitedWhateverTheTimeOfRequests();
    void aSlowReadEndsInTime();
    void aSlowWakeIsNotBoundByTheTimeOfRequests();
    void answersInSmallPiecesAreRead();
    void aLateSaveIsAnsweredWithWhatTheSlotHeldThen();
    void aDeferredSaveIsStillAnswered();
    void aProxyOfTheEnvironmentIsNotUsed();
};

void TestLlamaCppFailures::statusDecides_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("failure");
    const auto row
        = [](int status, OpFailure failure) { QTest::addRow("%d", status) << status << nameOf(failure); };
    row(400, OpFailure::Refused);
    row(404, OpFailure::Refused);
    row(409, OpFailure::Refused);
    row(413, OpFailure::Refused);
    row(429, OpFailure::Refused);
    row(401, OpFailure::Unauthorized);
    row(403, OpFailure::Unauthorized);
    row(500, OpFailure::ServerError);
    row(502, OpFailure::ServerError);
    row(504, OpFailure::ServerError);
    row(599, OpFailure::ServerError);
    row(501, OpFailure::Unsupported);
    row(503, OpFailure::Loading);
    row(204, OpFailure::ServerError); // no content is no answer
    row(304, OpFailure::ServerError);
}

void TestLlamaCppFailures::statusDecides()
{
    QFETCH(const int, status);
    QFETCH(const QString, failure);
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    OpId id = 0;
    for (const OpKind kind : c_actions) {
        server.answerNext(
            actionOf(kind), status, status == 204 || status == 304 ? QByteArray() : QByteArray("{}"));
        const auto reply = runOp(backend, makeOp(kind, ++id), c_file);
        QVERIFY(reply);
        QCOMPARE(nameOf(reply->failure), failure);
        QCOMPARE(reply->httpStatus, status);
        QVERIFY(!reply->message.isEmpty());
        QVERIFY(!reply->message.contains(u'%'));
        QCOMPARE(reply->tokens, -1);
    }
    server.answerNext(
        QStringLiteral("props"), status, status == 204 || status == 304 ? QByteArray() : QByteArray("{}"));
    const auto look = runOp(backend, makeOp(OpKind::Look, ++id));
    QVERIFY(look);
    QCOMPARE(nameOf(look->failure), failure);
    QVERIFY(!look->facts.complete);
    QVERIFY(server.callsTo(QStringLiteral("/slots")).empty());
}

void TestLlamaCppFailures::aRefusedRestoreIsRefused()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto reply = runOp(backend, makeOp(OpKind::Restore), c_file);
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::Refused));
    QCOMPARE(reply->httpStatus, 400);
    QVERIFY(reply->message.contains(QStringLiteral("Unable to restore slot"))); // its own words are passed on
}

void TestLlamaCppFailures::aMissingSavePathNamesTheFlag()
{
    FakeOptions options;
    options.savePath = false;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto reply = runOp(backend, makeOp(OpKind::Save), c_file);
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::Unsupported));
    QVERIFY(reply->message.contains(QStringLiteral("--slot-save-path DIR")));
}

void TestLlamaCppFailures::aFullDiskIsAServerError()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.setDiskFull(true);
    LlamaCppBackend backend(endpointOf(server.url()));
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Save), c_file)->failure), nameOf(OpFailure::ServerError));
}

void TestLlamaCppFailures::nobodyListens()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    QVERIFY(runOp(backend, makeOp(OpKind::Look))); // connections are kept from here
    server.stop();
    OpId id = 1;
    for (const OpKind kind :
        { OpKind::Save, OpKind::Restore, OpKind::Erase, OpKind::Look, OpKind::Identity, OpKind::Probe }) {
        const auto reply = runOp(backend, makeOp(kind, ++id), c_file);
        QVERIFY(reply);
        QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::ConnectionRefused));
        QCOMPARE(reply->httpStatus, 0);
    }
}

void TestLlamaCppFailures::noSuchHost()
{
    LlamaCppBackend backend(endpointOf(QUrl(QStringLiteral("http://nobody.invalid:8080"))));
    const auto reply = runOp(backend, makeOp(OpKind::Save), c_file);
    QVERIFY(reply);
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::ConnectionRefused)); // no operation was begun
}

void TestLlamaCppFailures::aLostAnswerIsLostNotRefused()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    OpId id = 0;
    for (const OpKind kind : c_actions) {
        server.dropBeforeNext(actionOf(kind));
        QCOMPARE(
            nameOf(runOp(backend, makeOp(kind, ++id), c_file)->failure), nameOf(OpFailure::ConnectionLost));
    }
    // The process goes while the call waits in it.
    server.hangNext(QStringLiteral("save"));
    std::optional<BackendReply> reply;
    connect(&backend, &KvBackend::finished, this, [&reply](const BackendReply &got) { reply = got; });
    backend.start(makeOp(OpKind::Save, ++id), c_file);
    QTRY_COMPARE(server.slotCalls().size(), std::size_t(4));
    server.stop();
    QTRY_VERIFY(reply);
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::ConnectionLost));
}

void TestLlamaCppFailures::aServerKilledByASnapshotIsLost()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.engine().completeNow({ QByteArray(100, 'a'), 1, 0, true });
    LlamaCppBackend backend(endpointOf(server.url()));
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Save), c_file)->failure), nameOf(OpFailure::None));
    QVERIFY(server.files().truncateBy(c_file, 3));
    const auto reply = runOp(backend, makeOp(OpKind::Restore, 2), c_file);
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::ConnectionLost));
    QCOMPARE(
        nameOf(runOp(backend, makeOp(OpKind::Identity, 3))->failure), nameOf(OpFailure::ConnectionRefused));
}

void TestLlamaCppFailures::aTruncatedAnswerIsNoSuccess()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.engine().completeNow({ QByteArray(100, 'a'), 1, 0, true });
    LlamaCppBackend backend(endpointOf(server.url()));
    OpId id = 0;
    for (const OpKind kind : c_actions) {
        server.truncateNext(actionOf(kind));
        const auto reply = runOp(backend, makeOp(kind, ++id), c_file);
        QVERIFY(reply);
        QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::ConnectionLost));
        QCOMPARE(reply->tokens, -1);
    }
}

void TestLlamaCppFailures::answersThatMakeNoSenseAreServerErrors_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << QByteArray("\x00\xff\x01\x02", 4);
    QTest::newRow("html") << QByteArray("<html>hello</html>");
    QTest::newRow("empty object") << QByteArray("{}");
    QTest::newRow("other slot") << QByteArray(
        R"({"id_slot":1,"filename":"0123456789abcdef-1.bin","n_saved":1,"n_written":2,"n_restored":1,"n_read":2})");
    QTest::newRow("other file") << QByteArray(
        R"({"id_slot":0,"filename":"0123456789abcdef-2.bin","n_saved":1,"n_written":2,"n_restored":1,"n_read":2})");
    QTest::newRow("negative") << QByteArray(
        R"({"id_slot":0,"filename":"0123456789abcdef-1.bin","n_saved":-1,"n_written":2,"n_restored":-1,"n_read":2})");
    QTest::newRow("words") << QByteArray(
        R"({"id_slot":0,"filename":"0123456789abcdef-1.bin","n_saved":"1","n_written":2,"n_restored":"1","n_read":2})");
    QTest::newRow("deep") << QByteArray(5000, '[');
}

void TestLlamaCppFailures::answersThatMakeNoSenseAreServerErrors()
{
    QFETCH(const QByteArray, body);
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    OpId id = 0;
    for (const OpKind kind : { OpKind::Save, OpKind::Restore }) {
        server.garbageNext(actionOf(kind), body);
        const auto reply = runOp(backend, makeOp(kind, ++id), c_file);
        QVERIFY(reply);
        QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::ServerError));
        QCOMPARE(reply->tokens, -1);
        QVERIFY(!reply->message.isEmpty());
    }
}

void TestLlamaCppFailures::damagedReadsAreServerErrors_data()
{
    QTest::addColumn<QString>("action");
    QTest::addColumn<bool>("onlySlots");
    QTest::newRow("props") << QStringLiteral("props") << false;
    QTest::newRow("models") << QStringLiteral("models") << false;
    QTest::newRow("lora") << QStringLiteral("lora") << false;
    QTest::newRow("slots") << QStringLiteral("slots") << true;
}

void TestLlamaCppFailures::damagedReadsAreServerErrors()
{
    QFETCH(const QString, action);
    QFETCH(const bool, onlySlots);
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    server.garbageNext(action);
    const auto reply = runOp(backend, makeOp(OpKind::Look));
    QVERIFY(reply);
    QCOMPARE(nameOf(onlySlots ? reply->slotsFailure : reply->failure), nameOf(OpFailure::ServerError));
    QCOMPARE(reply->facts.complete, onlySlots);
    QVERIFY(onlySlots ? !reply->slotsListed && !reply->slotsMessage.isEmpty() : !reply->message.isEmpty());
    const auto after = runOp(backend, makeOp(OpKind::Look, 2));
    QVERIFY(after && after->facts.complete && after->slotsListed); // nothing of it stays
}

void TestLlamaCppFailures::anAnswerOfHugeSizeIsRefused()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    server.answerNext(QStringLiteral("save"), 200, QByteArray(9 * 1024 * 1024, ' '));
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Save), c_file)->failure), nameOf(OpFailure::ServerError));
    server.answerNext(QStringLiteral("props"), 200, QByteArray(9 * 1024 * 1024, ' '));
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Identity, 2))->failure), nameOf(OpFailure::ServerError));
    QVERIFY(runOp(backend, makeOp(OpKind::Identity, 3))->facts.complete);
}

void TestLlamaCppFailures::anEndlessAnswerIsRefused()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, this, [&server] {
        QTcpSocket *socket = server.nextPendingConnection();
        socket->write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        auto *feed = new QTimer(socket);
        connect(feed, &QTimer::timeout, socket, [socket] {
            if (socket->bytesToWrite() < 65536) {
                socket->write("10000\r\n" + QByteArray(65536, 'x') + "\r\n");
            }
        });
        feed->start(0);
    });
    LlamaCppBackend backend(endpointOf(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(server.serverPort()))));
    const auto reply = runOp(backend, makeOp(OpKind::Save), c_file);
    QVERIFY(reply);
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::ServerError));
}

void TestLlamaCppFailures::redirectsAndChallengesAreNotFollowed_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("failure");
    const auto row = [](const char *name, const QByteArray &head, int status, OpFailure failure) {
        QTest::newRow(name) << head << status << nameOf(failure);
    };
    row("307", "Location: TARGET/slots/0?action=erase", 307, OpFailure::ServerError);
    row("302", "Location: TARGET/slots/0?action=erase", 302, OpFailure::ServerError);
    row("basic", "WWW-Authenticate: Basic realm=\"x\"", 401, OpFailure::Unauthorized);
    row("digest", "WWW-Authenticate: Digest realm=\"x\", nonce=\"1\"", 401, OpFailure::Unauthorized);
}

void TestLlamaCppFailures::redirectsAndChallengesAreNotFollowed()
{
    QFETCH(QByteArray, head);
    QFETCH(const int, status);
    QFETCH(const QString, failure);
    FakeLlamaServer target;
    QVERIFY(target.start());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    head.replace("TARGET", target.url().toEncoded());
    const QByteArray answer = "HTTP/1.1 " + QByteArray::number(status) + " Elsewhere\r\n" + head
        + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    int connections = 0;
    connect(&server, &QTcpServer::newConnection, this, [&server, &connections, answer] {
        ++connections;
        QTcpSocket *socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, socket, [socket, answer] {
            if (socket->readAll().contains('}')) {
                socket->write(answer);
                socket->disconnectFromHost();
            }
        });
    });
    LlamaCppBackend backend(endpointOf(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(server.serverPort()))));
    const auto reply = runOp(backend, makeOp(OpKind::Erase));
    QVERIFY(reply);
    QCOMPARE(nameOf(reply->failure), failure);
    QCOMPARE(reply->httpStatus, status);
    QVERIFY(target.calls().empty());
    QTest::qWait(20);
    QCOMPARE(connections, 1); // nothing was sent again
}

void TestLlamaCppFailures::aSlowOperationIsAwaitedWhateverTheTimeOfRequests()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.engine().completeNow({ QByteArray(100, 'a'), 1, 0, true });
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.requestTimeoutMs = 20;
    LlamaCppBackend backend(endpoint);
    server.holdNext(QStringLiteral("save"), 200);
    const auto reply = runOp(backend, makeOp(OpKind::Save), c_file);
    QVERIFY(reply);
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::None));
    QCOMPARE(reply->tokens, 100);
}

void TestLlamaCppFailures::aSlowReadEndsInTime()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.requestTimeoutMs = 50;
    LlamaCppBackend backend(endpoint);
    server.hangNext(QStringLiteral("props"));
    const auto reply = runOp(backend, makeOp(OpKind::Look));
    QVERIFY(reply);
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::ConnectionLost));
    QVERIFY(reply->message.contains(QStringLiteral("in time")));
}

void TestLlamaCppFailures::aSlowWakeIsNotBoundByTheTimeOfRequests()
{
    FakeOptions options;
    options.loadMs = 1500;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    server.sleepNow();
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.requestTimeoutMs = 1000;
    LlamaCppBackend backend(endpoint);
    Op op = makeOp(OpKind::Look);
    op.mayWake = true;
    const auto reply = runOp(backend, op);
    QVERIFY(reply && reply->slotsListed);
}

void TestLlamaCppFailures::answersInSmallPiecesAreRead()
{
    const QByteArray answer
        = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n"
          R"({"id_slot":0,"n_erased":12})";
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, this, [&server, answer] {
        QTcpSocket *socket = server.nextPendingConnection();
        auto *timer = new QTimer(socket);
        connect(timer, &QTimer::timeout, socket, [socket, answer, at = qsizetype(0)]() mutable {
            socket->write(answer.mid(at++, 1));
            socket->flush();
        });
        timer->start(0);
    });
    LlamaCppBackend backend(endpointOf(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(server.serverPort()))));
    const auto reply = runOp(backend, makeOp(OpKind::Erase));
    QVERIFY(reply);
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::None));
    QCOMPARE(reply->tokens, 12);
}

void TestLlamaCppFailures::aLateSaveIsAnsweredWithWhatTheSlotHeldThen()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.engine().completeNow({ QByteArray(100, 'a'), 1, 0, true });
    LlamaCppBackend backend(endpointOf(server.url()));
    server.delayNext(QStringLiteral("save"), 1000);
    std::optional<BackendReply> reply;
    connect(&backend, &KvBackend::finished, this, [&reply](const BackendReply &got) { reply = got; });
    backend.start(makeOp(OpKind::Save), c_file);
    QTRY_COMPARE(server.slotCalls().size(), std::size_t(1));
    server.engine().completeNow({ QByteArray(50, 'b'), 1, 0, true });
    QTRY_VERIFY(reply);
    QCOMPARE(reply->tokens, 50);
    QVERIFY(reply->wallMs > reply->serverMs + 50); // how a caller sees that it waited
}

void TestLlamaCppFailures::aDeferredSaveIsStillAnswered()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.engine().setManualInference(true);
    server.engine().complete({ QByteArray(100, 'a'), 1, 0, true }, {});
    LlamaCppBackend backend(endpointOf(server.url()));
    std::optional<BackendReply> reply;
    connect(&backend, &KvBackend::finished, this, [&reply](const BackendReply &got) { reply = got; });
    backend.start(makeOp(OpKind::Save), c_file);
    QTRY_COMPARE(server.engine().deferred(), std::size_t(1));
    const auto look = runOp(backend, makeOp(OpKind::Look, 2)); // reads go on meanwhile
    QVERIFY(look && look->slotList.at(0).processing);
    reply.reset();
    server.engine().endInference(0);
    QTRY_VERIFY(reply);
    QCOMPARE(reply->id, OpId(1));
    QCOMPARE(reply->tokens, 100);
}

void TestLlamaCppFailures::aProxyOfTheEnvironmentIsNotUsed()
{
    qputenv("http_proxy", "http://127.0.0.1:1");
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto reply = runOp(backend, makeOp(OpKind::Look));
    qunsetenv("http_proxy");
    QVERIFY(reply && reply->slotsListed);
}

QTEST_GUILESS_MAIN(TestLlamaCppFailures)
#include "tst_llamacppfailures.moc"
