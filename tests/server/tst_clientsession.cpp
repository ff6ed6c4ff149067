// SPDX-License-Identifier: MIT
#include "apiserver.h"
#include "fakeservice.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalSocket>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <sys/socket.h>

using namespace kv;

namespace {

/// A client that speaks plain bytes; answers are kept in the order in which they come.
class PlainClient final {
public:
    explicit PlainClient(const QString &path)
    {
        QObject::connect(&m_socket, &QLocalSocket::readyRead, &m_socket, [this]() {
            if (reading) {
                m_buffer += m_socket.readAll();
                for (auto end = m_buffer.indexOf('\n'); end >= 0; end = m_buffer.indexOf('\n')) {
                    messages.append(QJsonDocument::fromJson(m_buffer.left(end)).object());
                    m_buffer.remove(0, end + 1);
                }
            }
        });
        QObject::connect(&m_socket, &QLocalSocket::disconnected, &m_socket, [this]() { gone = true; });
        m_socket.connectToServer(path);
    }

    void send(const QByteArray &bytes) { m_socket.write(bytes); }
    void call(int id, const char *method, const char *params = "{}")
    {
        send(QByteArray(R"({"jsonrpc":"2.0","id":)") + QByteArray::number(id) + R"(,"method":")" + method
            + R"(","params":)" + params + "}\n");
    }
    void begin(int id, const char *session = "s")
    {
        call(id, "request.begin",
            (QByteArray(R"({"provider":"p","model":"m","session":")") + session + R"("})").constData());
    }
    /// The one answer to this id; a failed test if there are several.
    [[nodiscard]] QJsonObject answer(const QJsonValue &id) const
    {
        QJsonObject found;
        for (const QJsonObject &message : messages) {
            if (message.contains(u"id") && message.value(u"id") == id) {
                if (!found.isEmpty()) {
                    QTest::qFail("a request was answered twice", __FILE__, __LINE__);
                }
                found = message;
            }
        }
        return found;
    }
    [[nodiscard]] QString errorCode(const QJsonValue &id) const
    {
        return answer(id).value(u"error").toObject().value(u"data").toObject().value(u"code").toString();
    }
    [[nodiscard]] QLocalSocket &socket() { return m_socket; }

    QList<QJsonObject> messages;
    bool gone = false;
    bool reading = true;

private:
    QLocalSocket m_socket;
    QByteArray m_buffer;
};

int rpcCode(const QJsonObject &message) { return message.value(u"error").toObject().value(u"code").toInt(); }

} // namespace

class TestClientSession final : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<FakeService> m_service;
    std::unique_ptr<ApiServer> m_server;

    [[nodiscard]] QString path() const { return m_dir->filePath(QStringLiteral("api.sock")); }
    void restartWith(const ServerLimits &limits)
    {
        m_server.reset();
        m_server = std::make_unique<ApiServer>(*m_service, limits);
        QVERIFY(m_server->listen(path()).ok());
    }

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_service = std::make_unique<FakeService>();
        restartWith({});
    }
    void cleanup()
    {
        m_server.reset();
        // Whatever happened, the service was told of the end of every connection exactly once.
        auto opened = m_service->opened;
        auto closed = m_service->closed;
        std::sort(closed.begin(), closed.end());
        QCOMPARE(closed, opened);
        m_service.reset();
    }

    void aCallIsAnswered()
    {
        PlainClient client(path());
        client.call(1, "kv.status");
        QTRY_COMPARE(client.messages.size(), 1);
        QCOMPARE(client.answer(1).value(u"result").toObject(), m_service->status());
        QCOMPARE(client.answer(1).value(u"jsonrpc").toString(), QStringLiteral("2.0"));
    }

    void bytesThatCameBeforeTheSessionAreRead()
    {
        PlainClient client(path());
        client.call(1, "kv.status");
        QVERIFY(client.socket().waitForBytesWritten()); // before the server's event loop ran
        QTRY_COMPARE(client.messages.size(), 1);
    }

    /// The answer leaves in the very call that reads the request: no queued hop. One turn of the event loop,
    /// in which only the server's socket has something to say, must be enough.
    void aResidentBeginIsAnsweredInTheSamePass()
    {
        std::array<int, 2> pair {};
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair.data()), 0);
        EventHub hub(*m_service);
        Handlers handlers(*m_service, hub);
        auto session
            = std::make_unique<ClientSession>(pair[0], *m_service, handlers, hub, SessionLimits(), nullptr);
        QCoreApplication::processEvents();
        const QByteArray request
            = R"({"jsonrpc":"2.0","id":1,"method":"request.begin","params":{"session":"s","provider":"p","model":"m"}})"
              "\n";
        QCOMPARE(
            ::send(pair[1], request.constData(), static_cast<size_t>(request.size()), 0), request.size());
        QByteArray buffer(4096, '\0');
        QCoreApplication::processEvents();
        QVERIFY(::recv(pair[1], buffer.data(), static_cast<size_t>(buffer.size()), 0) > 0);
        QVERIFY(buffer.contains("\"resident\""));
        session.reset();
        ::close(pair[1]);
    }

    void oneByteAtATime()
    {
        PlainClient client(path());
        const QByteArray line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kv.status\"}\r\n";
        for (const char byte : line) {
            client.send(QByteArray(1, byte));
            client.socket().flush();
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE(client.messages.size(), 1);
        QVERIFY(client.answer(1).contains(u"result"));
    }

    void manyMessagesInOneWrite()
    {
        PlainClient client(path());
        QByteArray all;
        for (int i = 0; i < 1000; ++i) {
            all += "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(i) + ",\"method\":\"kv.status\"}\n\n";
        }
        client.send(all);
        QTRY_COMPARE(client.messages.size(), 1000);
        for (int i = 0; i < 1000; ++i) {
            QCOMPARE(client.messages.at(i).value(u"id").toInt(), i);
        }
    }

    void answersMayComeInAnotherOrder()
    {
        m_service->hold = true;
        PlainClient client(path());
        client.begin(1);
        client.begin(2);
        client.call(3, "kv.status");
        QTRY_COMPARE(client.messages.size(), 1);
        QCOMPARE(client.messages.at(0).value(u"id").toInt(), 3);
        m_service->releaseAll();
        QTRY_COMPARE(client.messages.size(), 3);
        QVERIFY(client.answer(1).contains(u"result"));
        QVERIFY(client.answer(2).contains(u"result"));
    }

    void idsComeBackUnchanged()
    {
        PlainClient client(path());
        client.send("{\"jsonrpc\":\"2.0\",\"id\":\"\\u0000 \\ud83d\\ude00\",\"method\":\"kv.status\"}\n"
                    "{\"jsonrpc\":\"2.0\",\"id\":9007199254740991,\"method\":\"kv.status\"}\n"
                    "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"kv.status\"}\n");
        QTRY_COMPARE(client.messages.size(), 3);
        QCOMPARE(client.messages.at(0).value(u"id").toString(), QString(QChar(0)) + QStringLiteral(u" 😀"));
        QCOMPARE(client.messages.at(1).value(u"id").toInteger(), Q_INT64_C(9007199254740991));
        QVERIFY(client.messages.at(2).value(u"id").isNull());
    }

    void theSameIdTwiceIsAnsweredTwice()
    {
        m_service->hold = true;
        PlainClient client(path());
        client.begin(1);
        client.begin(1);
        QTRY_COMPARE(m_service->heldCount(), std::size_t { 2 });
        m_service->releaseAll();
        QTRY_COMPARE(client.messages.size(), 2);
    }

    void wrongLinesGetAnErrorAndTheConnectionLives_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        QTest::newRow("no JSON") << QByteArray("hello") << -32700;
        QTest::newRow("half an object") << QByteArray("{\"jsonrpc\":") << -32700;
        QTest::newRow("noise") << QByteArray("\x00\xff\xfe\x01\x80{{{", 8) << -32700;
        QTest::newRow("deep") << QByteArray(200'000, '[') << -32700;
        QTest::newRow("an array") << QByteArray("[]") << -32600;
        QTest::newRow("a batch") << QByteArray("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kv.status\"}]")
                                 << -32600;
        QTest::newRow("no version") << QByteArray("{\"id\":1,\"method\":\"kv.status\"}") << -32600;
        QTest::newRow("no method") << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1}") << -32600;
        QTest::newRow("id is an object")
            << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"kv.status\"}") << -32600;
        QTest::newRow("unknown method")
            << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kv.nothing\"}") << -32601;
        QTest::newRow("params are a list")
            << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kv.status\",\"params\":[]}") << -32602;
        QTest::newRow("a parameter is missing")
            << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kv.get\",\"params\":{}}") << -32602;
        QTest::newRow("another protocol")
            << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":2}}")
            << -32602;
    }
    void wrongLinesGetAnErrorAndTheConnectionLives()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, code);
        PlainClient client(path());
        client.send(line + '\n');
        QTRY_COMPARE(client.messages.size(), 1);
        QCOMPARE(rpcCode(client.messages.at(0)), code);
        const QJsonObject data = client.messages.at(0).value(u"error").toObject().value(u"data").toObject();
        QCOMPARE(data.value(u"code").toString(), QStringLiteral("KV_BAD_REQUEST"));
        client.call(2, "kv.status");
        QTRY_COMPARE(client.messages.size(), 2);
        QVERIFY(client.answer(2).contains(u"result"));
    }

    void binaryNoiseNeverEndsTheDaemon()
    {
        PlainClient client(path());
        QByteArray noise;
        quint32 state = 1;
        for (int i = 0; i < 300'000; ++i) {
            state = state * 1664525U + 1013904223U;
            noise.append(static_cast<char>(state >> 24U));
        }
        client.send(noise + '\n');
        client.call(7, "kv.status");
        QTRY_VERIFY(client.answer(7).contains(u"result"));
        for (const QJsonObject &message : std::as_const(client.messages)) {
            QVERIFY(message.contains(u"result") || rpcCode(message) == -32700 || rpcCode(message) == -32600);
        }
    }

    void pathLikeSessionIdsAreOpaque_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("session");
        QTest::newRow("../..") << QByteArray("../../x") << QStringLiteral("../../x");
        QTest::newRow("drive") << QByteArray("C:\\\\x") << QStringLiteral("C:\\x");
        QTest::newRow("NUL") << QByteArray("a\\u0000b")
                             << QString(QStringLiteral("a") + QChar(0) + QStringLiteral("b"));
        QTest::newRow("emoji") << QByteArray("\xf0\x9f\x98\x80") << QStringLiteral(u"😀");
        QTest::newRow("root") << QByteArray("/etc/passwd") << QStringLiteral("/etc/passwd");
    }
    void pathLikeSessionIdsAreOpaque()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, session);
        PlainClient client(path());
        client.begin(1, json.constData());
        QTRY_COMPARE(client.messages.size(), 1);
        QVERIFY(client.answer(1).contains(u"result"));
        QCOMPARE(m_service->lastBegin->session, session);
    }

    void aLineOfExactlyTheLimitIsTaken()
    {
        PlainClient client(path());
        QByteArray line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"kv.status\",\"x\":\"";
        line += QByteArray(c_maxRequestLine - line.size() - 2, 'x') + "\"}";
        QCOMPARE(line.size(), c_maxRequestLine);
        client.send(line + '\n');
        QTRY_COMPARE(client.messages.size(), 1);
        QVERIFY(client.answer(1).contains(u"result"));
        QVERIFY(!client.gone);
    }

    void aLineTooLongIsToldAndEndsTheConnection_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("1 MiB + 1") << QByteArray(c_maxRequestLine + 1, 'x') + '\n';
        QTest::newRow("without end") << QByteArray(c_maxRequestLine * 3, 'x');
        QTest::newRow("an id of 10 MB") << "{\"jsonrpc\":\"2.0\",\"id\":\"" + QByteArray(10'000'000, 'i')
                + "\",\"method\":\"kv.status\"}\n";
    }
    void aLineTooLongIsToldAndEndsTheConnection()
    {
        QFETCH(QByteArray, bytes);
        PlainClient client(path());
        client.call(1, "kv.status");
        client.send(bytes);
        QTRY_VERIFY(client.gone);
        QCOMPARE(client.messages.size(), 2);
        QVERIFY(client.answer(1).contains(u"result")); // what came before it was served
        QCOMPARE(rpcCode(client.messages.at(1)), -32600);
        QVERIFY(client.messages.at(1).value(u"id").isNull());
        QTRY_COMPARE(m_server->connectionCount(), 0);
    }

    void aHalfClosedClientStillGetsItsAnswers()
    {
        PlainClient client(path());
        QTRY_COMPARE(m_server->connectionCount(), 1);
        client.call(1, "kv.status");
        client.call(2, "kv.metrics");
        QVERIFY(client.socket().waitForBytesWritten());
        QCOMPARE(::shutdown(static_cast<int>(client.socket().socketDescriptor()), SHUT_WR), 0);
        QTRY_COMPARE(client.messages.size(), 2);
        QTRY_COMPARE(m_server->connectionCount(), 0);
    }

    void aClientGoneWithWaitingCallsIsToldOnce()
    {
        m_service->hold = true;
        auto client = std::make_unique<PlainClient>(path());
        client->begin(1);
        client->begin(2);
        QTRY_COMPARE(m_service->heldCount(), std::size_t { 2 });
        client.reset();
        QTRY_COMPARE(m_service->closed.size(), 1);
        QCOMPARE(m_service->heldCount(), std::size_t { 0 });
        QTRY_COMPARE(m_server->connectionCount(), 0);
    }

    void theLimitOfWaitingCallsEndsTheConnection()
    {
        m_service->hold = true;
        PlainClient client(path());
        for (int i = 1; i <= 256; ++i) {
            client.begin(i);
        }
        QTRY_COMPARE(m_service->heldCount(), std::size_t { 256 });
        // What does not wait is still served.
        client.call(1000, "request.end", R"({"call":"c","outcome":"aborted"})");
        QTRY_VERIFY(client.answer(1000).contains(u"result"));
        QVERIFY(!client.gone);

        client.begin(257);
        QTRY_VERIFY(client.gone);
        QCOMPARE(rpcCode(client.answer(257)), -32600);
        QCOMPARE(client.messages.size(), 2);
        QCOMPARE(m_service->closed.size(), 1);
    }

    void theSixtyFifthConnectionIsToldAndClosed()
    {
        std::vector<std::unique_ptr<PlainClient>> clients;
        for (int i = 0; i < 64; ++i) {
            clients.push_back(std::make_unique<PlainClient>(path()));
        }
        QTRY_COMPARE(m_server->connectionCount(), 64);
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("connection was refused")));
        PlainClient extra(path());
        QTRY_VERIFY(extra.gone);
        QCOMPARE(extra.messages.size(), 1);
        QVERIFY(extra.messages.at(0).value(u"id").isNull());
        QCOMPARE(rpcCode(extra.messages.at(0)), -32600);
        QCOMPARE(m_service->opened.size(), 64);
        for (const auto &client : clients) {
            client->call(1, "kv.status");
        }
        for (const auto &client : clients) {
            QTRY_COMPARE(client->messages.size(), 1);
        }
        // A place that becomes free is given again.
        clients.pop_back();
        QTRY_COMPARE(m_server->connectionCount(), 63);
        PlainClient next(path());
        next.call(1, "kv.status");
        QTRY_COMPARE(next.messages.size(), 1);
    }

    void aClientThatDoesNotReadIsDropped()
    {
        m_service->document = QJsonObject { { QStringLiteral("big"), QString(500'000, u'x') } };
        PlainClient client(path());
        client.reading = false;
        client.socket().setReadBufferSize(1);
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("does not read its answers")));
        for (int i = 0; i < 40; ++i) { // 20 MB of answers
            client.call(i, "kv.list");
        }
        QTRY_COMPARE(m_service->closed.size(), 1);
        QTRY_COMPARE(m_server->connectionCount(), 0);
        PlainClient other(path());
        other.call(1, "kv.status");
        QTRY_COMPARE(other.messages.size(), 1);
    }

    void aSlowReaderGetsAllItsAnswers()
    {
        m_service->document = QJsonObject { { QStringLiteral("big"), QString(100'000, u'x') } };
        PlainClient client(path());
        client.reading = false;
        client.socket().setReadBufferSize(4096);
        for (int i = 0; i < 50; ++i) { // 5 MB, less than the limit
            client.call(i, "kv.list");
        }
        QTest::qWait(100);
        client.reading = true;
        client.socket().setReadBufferSize(0);
        client.call(1000, "kv.status");
        QMetaObject::invokeMethod(&client.socket(), &QLocalSocket::readyRead, Qt::QueuedConnection);
        QTRY_COMPARE(client.messages.size(), 51);
    }

    void anAnswerAfterTheClientWentIsDropped()
    {
        m_service->hold = true;
        auto client = std::make_unique<PlainClient>(path());
        client->call(1, "kv.doctor");
        QTRY_COMPARE(m_service->heldCount(), std::size_t { 1 });
        client.reset();
        QTRY_COMPARE(m_server->connectionCount(), 0);
        m_service->releaseAll(); // nothing may happen
        PlainClient other(path());
        other.call(1, "kv.status");
        QTRY_COMPARE(other.messages.size(), 1);
    }

    void notificationsAreDoneAndNotAnswered()
    {
        PlainClient client(path());
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"request.end\",\"params\":{\"lease\":\"L1\","
                    "\"outcome\":\"ok\"}}\n"
                    "{\"jsonrpc\":\"2.0\",\"method\":\"request.end\",\"params\":{}}\n"
                    "{\"jsonrpc\":\"2.0\",\"method\":\"kv.nothing\"}\n"
                    "{\"jsonrpc\":\"2.0\",\"method\":\"kv.flush\"}\n"
                    "{\"jsonrpc\":\"2.0\",\"method\":\"request.begin\",\"params\":{\"provider\":\"p\","
                    "\"model\":\"m\"}}\n");
        client.call(1, "kv.status");
        QTRY_COMPARE(client.messages.size(), 1);
        QCOMPARE(m_service->calls, QStringList { QStringLiteral("end") });
        QCOMPARE(m_service->lastEnd->lease, LeaseId { 1 });
    }

    void cancelAnswersTheWaitingCall()
    {
        m_service->hold = true;
        PlainClient client(path());
        PlainClient other(path());
        client.begin(1);
        QTRY_COMPARE(m_service->heldCount(), std::size_t { 1 });
        other.call(1, "kv.cancel", R"({"id":1})"); // of one's own connection only
        QTRY_COMPARE(other.messages.size(), 1);
        QCOMPARE(other.answer(1).value(u"result").toObject().value(u"cancelled"), QJsonValue(false));
        QVERIFY(client.messages.isEmpty());

        client.call(2, "kv.cancel", R"({"id":1})");
        QTRY_COMPARE(client.messages.size(), 2);
        QCOMPARE(client.errorCode(1), QStringLiteral("KV_CANCELLED"));
        QCOMPARE(client.answer(2).value(u"result").toObject().value(u"cancelled"), QJsonValue(true));

        client.call(3, "kv.cancel", R"({"id":1})"); // answered already
        QTRY_COMPARE(client.messages.size(), 3);
        QCOMPARE(client.answer(3).value(u"result").toObject().value(u"cancelled"), QJsonValue(false));
    }

    void cancelMayBeANotification()
    {
        m_service->hold = true;
        PlainClient client(path());
        client.send("{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"method\":\"kv.doctor\"}\n"
                    "{\"jsonrpc\":\"2.0\",\"method\":\"kv.cancel\",\"params\":{\"id\":\"d\"}}\n");
        QTRY_COMPARE(client.messages.size(), 1);
        QCOMPARE(client.errorCode(QStringLiteral("d")), QStringLiteral("KV_CANCELLED"));
    }

    void doctorStreamsWithTheIdOfItsCall()
    {
        m_service->doctorChecks = { { { QStringLiteral("name"), QStringLiteral("reachable") } } };
        PlainClient client(path());
        PlainClient other(path());
        QTRY_COMPARE(m_server->connectionCount(), 2);
        client.call(14, "kv.doctor");
        QTRY_COMPARE(client.messages.size(), 2);
        QCOMPARE(client.messages.at(0).value(u"method").toString(), QStringLiteral("doctor.check"));
        const QJsonObject params = client.messages.at(0).value(u"params").toObject();
        QCOMPARE(params.value(u"id").toInt(), 14);
        QCOMPARE(params.value(u"name").toString(), QStringLiteral("reachable"));
        QCOMPARE(client.messages.at(1).value(u"id").toInt(), 14);
        QVERIFY(other.messages.isEmpty());
    }

    void subscribersGetTheirTopicsInOrder()
    {
        PlainClient client(path());
        PlainClient deaf(path());
        client.call(1, "kv.subscribe", R"({"topics":["kv.session."]})");
        deaf.call(1, "kv.status");
        QTRY_COMPARE(client.messages.size(), 1);
        QTRY_COMPARE(deaf.messages.size(), 1);
        const auto emitEvent = [this](const char *name) {
            Q_EMIT m_service->eventEmitted({ { QStringLiteral("name"), QString::fromUtf8(name) } });
        };
        emitEvent("kv.session.cold");
        emitEvent("kv.slot.state");
        emitEvent("kv.session.switch");
        QTRY_COMPARE(client.messages.size(), 3);
        const QJsonObject first = client.messages.at(1).value(u"params").toObject();
        const QJsonObject second = client.messages.at(2).value(u"params").toObject();
        QCOMPARE(client.messages.at(1).value(u"method").toString(), QStringLiteral("event"));
        QCOMPARE(first.value(u"name").toString(), QStringLiteral("kv.session.cold"));
        QCOMPARE(second.value(u"name").toString(), QStringLiteral("kv.session.switch"));
        QVERIFY(second.value(u"seq").toInt() > first.value(u"seq").toInt());
        QVERIFY(first.value(u"at").toString().endsWith(u'Z'));
        QCOMPARE(deaf.messages.size(), 1);

        client.call(2, "kv.subscribe", R"({"topics":[]})");
        QTRY_COMPARE(client.messages.size(), 4);
        emitEvent("kv.session.cold");
        client.call(3, "kv.status");
        QTRY_COMPARE(client.messages.size(), 5);
        QVERIFY(client.answer(3).contains(u"result"));
    }

    void statusIsSentToThoseWhoAsk()
    {
        PlainClient client(path());
        client.call(1, "kv.subscribe", R"({"topics":["status"]})");
        QTRY_COMPARE(client.messages.size(), 2);
        const QJsonObject event = client.messages.at(1).value(u"params").toObject();
        QCOMPARE(event.value(u"name").toString(), QStringLiteral("status"));
        QCOMPARE(event.value(u"status").toObject(), m_service->status());
    }

    /// Events to a subscriber that does not read are left out, and it is told how many; it keeps its
    /// connection and nobody else notices.
    void aSlowSubscriberLosesEventsNotItsConnection()
    {
        PlainClient slow(path());
        slow.call(1, "kv.subscribe");
        QTRY_COMPARE(slow.messages.size(), 1);
        slow.reading = false;
        slow.socket().setReadBufferSize(1);
        const QJsonObject event { { QStringLiteral("name"), QStringLiteral("kv.stats") },
            { QStringLiteral("filler"), QString(10'000, u'x') } };
        for (int i = 0; i < 1000; ++i) { // 10 MB, more than would be kept for answers
            Q_EMIT m_service->eventEmitted(event);
            if (i % 50 == 0) {
                QCoreApplication::processEvents();
            }
        }
        QCOMPARE(m_server->connectionCount(), 1);
        slow.reading = true;
        slow.socket().setReadBufferSize(0);
        QMetaObject::invokeMethod(&slow.socket(), &QLocalSocket::readyRead, Qt::QueuedConnection);
        slow.call(2, "kv.status");
        QTRY_VERIFY(slow.answer(2).contains(u"result"));
        const qsizetype got = slow.messages.size() - 2;
        QVERIFY(got > 0 && got < 1000);
        Q_EMIT m_service->eventEmitted(event);
        QTRY_COMPARE(slow.messages.size(), got + 3);
        QCOMPARE(slow.messages.last().value(u"params").toObject().value(u"lost").toInteger(), 1000 - got);
        Q_EMIT m_service->eventEmitted(event);
        QTRY_COMPARE(slow.messages.size(), got + 4);
        QVERIFY(!slow.messages.last().value(u"params").toObject().contains(u"lost"));
    }

    void pinsOfHelloReachTheNextBegin()
    {
        PlainClient client(path());
        client.begin(1);
        QTRY_COMPARE(client.messages.size(), 1);
        QVERIFY(!m_service->lastBegin->pins);
        client.call(2, "hello", R"({"pins":true})");
        client.begin(3);
        QTRY_COMPARE(client.messages.size(), 3);
        QVERIFY(m_service->lastBegin->pins);
    }

    void whileStoppingWhatWaitsIsStillAnswered()
    {
        m_service->hold = true;
        PlainClient client(path());
        client.begin(1);
        QTRY_COMPARE(m_service->heldCount(), std::size_t { 1 });
        m_server->stopTakingWork();
        client.begin(2);
        client.call(3, "request.end", R"({"lease":"L1","outcome":"ok"})");
        QTRY_COMPARE(client.messages.size(), 2);
        QCOMPARE(client.errorCode(2), QStringLiteral("KV_BACKEND_UNAVAILABLE"));
        QVERIFY(client.answer(3).contains(u"result"));
        m_service->releaseAll();
        QTRY_VERIFY(client.answer(1).contains(u"result"));
        PlainClient late(path());
        QTRY_COMPARE(late.socket().state(), QLocalSocket::UnconnectedState);
        QVERIFY(!QFile::exists(path()));
    }

    void destroyingTheServerEndsItsConnections()
    {
        m_service->hold = true;
        PlainClient client(path());
        client.begin(1);
        client.call(2, "kv.subscribe", R"({"topics":["status"]})");
        QTRY_COMPARE(m_service->heldCount(), std::size_t { 1 });
        m_server.reset();
        QCOMPARE(m_service->closed.size(), 1);
        QTRY_VERIFY(client.gone);
    }

    void fiftyClientsAtOnce()
    {
        std::vector<std::unique_ptr<PlainClient>> clients;
        for (int i = 0; i < 50; ++i) {
            clients.push_back(std::make_unique<PlainClient>(path()));
            for (int k = 0; k < 20; ++k) {
                clients.back()->begin(k);
            }
        }
        for (const auto &client : clients) {
            QTRY_COMPARE(client->messages.size(), 20);
            for (int k = 0; k < 20; ++k) {
                QVERIFY(client->answer(k).contains(u"result"));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestClientSession)
#include "tst_clientsession.moc"
