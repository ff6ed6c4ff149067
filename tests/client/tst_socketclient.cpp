// SPDX-License-Identifier: MIT
#include "fakedaemon.h"
#include "socketclient.h"

#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace kv;
using Status = CallResult::Status;

class TestSocketClient : public QObject {
    Q_OBJECT

    std::unique_ptr<FakeDaemon> m_daemon;

    [[nodiscard]] SocketClient::Options options() const
    {
        SocketClient::Options options;
        options.path = m_daemon->path();
        options.name = QStringLiteral("test");
        options.version = QStringLiteral("1");
        options.firstPauseMs = 5;
        options.maxPauseMs = 20;
        return options;
    }
    /// Collects the answers of calls.
    struct Answers {
        QObject context;
        QList<CallResult> list;
        SocketClient::CallId ask(
            SocketClient &client, const QString &method, int deadlineMs = 0, const QJsonObject &params = {})
        {
            return client.call(method, params, deadlineMs, &context,
                [this](const CallResult &result) { list.append(result); });
        }
    };

private Q_SLOTS:
    void init() { m_daemon = std::make_unique<FakeDaemon>(); }
    void cleanup() { m_daemon.reset(); }

    void greetsThenAnswersCalls()
    {
        m_daemon->answer(QStringLiteral("kv.status"), { { QStringLiteral("enabled"), true } });
        SocketClient client(options());
        QSignalSpy connected(&client, &SocketClient::connected);
        client.open();
        QCOMPARE(connected.count(), 0);
        QTRY_COMPARE(connected.count(), 1);
        QCOMPARE(client.hello().value(u"name").toString(), QStringLiteral("fake"));
        Answers answers;
        answers.ask(client, QStringLiteral("kv.status"));
        QVERIFY(answers.list.isEmpty()); // never before call() returned
        QTRY_COMPARE(answers.list.size(), 1);
        QVERIFY(answers.list.first().ok());
        QVERIFY(answers.list.first().result.value(u"enabled").toBool());
        QCOMPARE(client.openCalls(), 0);
    }

    void anErrorOfTheDaemonKeepsItsCodeAndData()
    {
        m_daemon->refuse(QStringLiteral("kv.get"), ErrorCode::SessionUnknown, QStringLiteral("Which?"),
            { { QStringLiteral("candidates"), 2 } });
        SocketClient client(options());
        client.open();
        QTRY_VERIFY(client.isConnected());
        Answers answers;
        answers.ask(client, QStringLiteral("kv.get"));
        QTRY_COMPARE(answers.list.size(), 1);
        QVERIFY(answers.list.first().status == Status::Refused);
        QVERIFY(answers.list.first().error.error.code == ErrorCode::SessionUnknown);
        QCOMPARE(answers.list.first().error.extra.value(u"candidates").toInt(), 2);
    }

    void answersMayComeInAnyOrderAndOneByteAtATime()
    {
        QList<QJsonValue> ids;
        m_daemon->on(QStringLiteral("kv.get"), [&ids](QLocalSocket *socket, const QJsonObject &request) {
            ids.append(request.value(u"id"));
            if (ids.size() == 3) {
                const QByteArray stream = encodeResult(ids.at(2), { { QStringLiteral("n"), 2 } })
                    + encodeResult(ids.at(0), { { QStringLiteral("n"), 0 } })
                    + encodeResult(ids.at(1), { { QStringLiteral("n"), 1 } });
                for (const char byte : stream) {
                    socket->write(&byte, 1);
                    socket->flush();
                }
            }
        });
        SocketClient client(options());
        client.open();
        QTRY_VERIFY(client.isConnected());
        QList<QPair<int, int>> got;
        for (int i = 0; i < 3; ++i) {
            client.call(QStringLiteral("kv.get"), {}, 0, this, [&got, i](const CallResult &result) {
                got.append({ i, result.result.value(u"n").toInt() });
            });
        }
        QTRY_COMPARE(got.size(), 3);
        QCOMPARE(got, (QList<QPair<int, int>> { { 2, 2 }, { 0, 0 }, { 1, 1 } }));
    }

    void aSilentDaemonMeansDeadlineOnceAndItsLateAnswerIsIgnored()
    {
        QJsonValue id;
        QLocalSocket *peer = nullptr;
        m_daemon->on(QStringLiteral("kv.save"), [&](QLocalSocket *socket, const QJsonObject &request) {
            id = request.value(u"id");
            peer = socket;
        });
        SocketClient client(options());
        client.open();
        QTRY_VERIFY(client.isConnected());
        Answers answers;
        answers.ask(client, QStringLiteral("kv.save"), 30);
        QTRY_COMPARE(answers.list.size(), 1);
        QVERIFY(answers.list.first().status == Status::Deadline);
        QVERIFY(answers.list.first().error.error.code == ErrorCode::OperationTimeout);
        QTRY_VERIFY(peer);
        peer->write(encodeResult(id, {}) + encodeResult(id, {}) + encodeResult(QStringLiteral("x"), {})
            + encodeResult(999, {}) + encodeResult(-1, {}) + encodeResult(1.5, {}));
        QTRY_COMPARE(client.strayAnswers(), 6U);
        QCOMPARE(answers.list.size(), 1);
        QVERIFY(client.isConnected());
    }

    void deathInMidCallAnswersEveryCallOnceAndThenTellsIt()
    {
        m_daemon->ignore(QStringLiteral("kv.save"));
        m_daemon->on(QStringLiteral("kv.flush"), [](QLocalSocket *socket, const QJsonObject &request) {
            socket->write(encodeResult(request.value(u"id"), {}).chopped(5)); // half an answer
            socket->flush();
            socket->abort();
        });
        SocketClient client(options());
        QSignalSpy disconnected(&client, &SocketClient::disconnected);
        client.open();
        QTRY_VERIFY(client.isConnected());
        Answers answers;
        for (int i = 0; i < 5; ++i) {
            answers.ask(client, QStringLiteral("kv.save"), 60'000);
        }
        answers.ask(client, QStringLiteral("kv.flush"));
        QTRY_COMPARE(disconnected.count(), 1);
        QCOMPARE(answers.list.size(), 6);
        for (const CallResult &result : std::as_const(answers.list)) {
            QVERIFY(result.status == Status::Closed);
            QVERIFY(!result.error.error.message.isEmpty());
        }
        QVERIFY(!client.isConnected());
    }

    void anAnswerSentJustBeforeTheEndStillCounts()
    {
        m_daemon->on(QStringLiteral("kv.flush"), [](QLocalSocket *socket, const QJsonObject &request) {
            socket->write(encodeResult(request.value(u"id"), { { QStringLiteral("count"), 3 } }));
            socket->disconnectFromServer();
        });
        SocketClient client(options());
        QSignalSpy disconnected(&client, &SocketClient::disconnected);
        client.open();
        QTRY_VERIFY(client.isConnected());
        Answers answers;
        answers.ask(client, QStringLiteral("kv.flush"));
        QTRY_COMPARE(disconnected.count(), 1);
        QCOMPARE(answers.list.size(), 1);
        QVERIFY(answers.list.first().ok());
    }

    void garbageEndsTheConnectionWithAReason_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("text") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
        QTest::newRow("binary") << QByteArray("\x00\xff\xfe\n", 4);
        QTest::newRow("list") << QByteArray("[]\n");
        QTest::newRow("nothing in it") << QByteArray("{}\n");
        QTest::newRow("no end") << QByteArray(5000, 'x');
    }
    void garbageEndsTheConnectionWithAReason()
    {
        QFETCH(const QByteArray, bytes);
        m_daemon->on(QStringLiteral("kv.get"),
            [&](QLocalSocket *socket, const QJsonObject &) { socket->write(bytes); });
        SocketClient::Options small = options();
        small.maxLine = 4096;
        SocketClient client(small);
        QSignalSpy disconnected(&client, &SocketClient::disconnected);
        client.open();
        QTRY_VERIFY(client.isConnected());
        Answers answers;
        answers.ask(client, QStringLiteral("kv.get"), 60'000);
        QTRY_COMPARE(disconnected.count(), 1);
        QVERIFY(disconnected.first().first().toString().contains(m_daemon->path()));
        QCOMPARE(answers.list.size(), 1);
        QVERIFY(answers.list.first().status == Status::Closed);
    }

    void aPeerThatNeverGreetsIsGivenUp()
    {
        m_daemon->ignore(QStringLiteral("hello"));
        SocketClient::Options hasty = options();
        hasty.connectMs = 30;
        SocketClient client(hasty);
        QSignalSpy failed(&client, &SocketClient::failed);
        QSignalSpy disconnected(&client, &SocketClient::disconnected);
        client.open();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(!client.isConnected());
        QCOMPARE(disconnected.count(), 0);
        QTRY_COMPARE(m_daemon->connections(), 0);
    }

    void anotherProtocolIsRefusedByTheClient()
    {
        m_daemon->answer(QStringLiteral("hello"), { { QStringLiteral("protocol"), 2 } });
        SocketClient client(options());
        QSignalSpy failed(&client, &SocketClient::failed);
        client.open();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("protocol 2")));
    }

    void aRefusedGreetingGivesTheDaemonsSentence()
    {
        m_daemon->refuse(QStringLiteral("hello"), ErrorCode::BadRequest, QStringLiteral("Too old."));
        SocketClient client(options());
        QSignalSpy failed(&client, &SocketClient::failed);
        client.open();
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.first().first().toString(), QStringLiteral("Too old."));
    }

    void aComplaintOfTheDaemonIsTheReasonOfItsClosing()
    {
        m_daemon->on(QStringLiteral("kv.get"), [](QLocalSocket *socket, const QJsonObject &) {
            socket->write(encodeError(QJsonValue::Null,
                RpcError { c_rpcInvalidRequest,
                    Error { ErrorCode::BadRequest, QStringLiteral("Too many."), {} }, {} }));
            socket->disconnectFromServer();
        });
        SocketClient client(options());
        QSignalSpy disconnected(&client, &SocketClient::disconnected);
        client.open();
        QTRY_VERIFY(client.isConnected());
        Answers answers;
        answers.ask(client, QStringLiteral("kv.get"));
        QTRY_COMPARE(disconnected.count(), 1);
        QCOMPARE(disconnected.first().first().toString(), QStringLiteral("Too many."));
    }

    void noDaemonIsToldBySentence()
    {
        m_daemon->stop();
        SocketClient client(options());
        QSignalSpy failed(&client, &SocketClient::failed);
        client.open();
        QCOMPARE(failed.count(), 0);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("No daemon runs")));
        QTest::qWait(50);
        QCOMPARE(failed.count(), 1); // without `reconnect` one attempt is all
        client.open(); // and it can be tried again by hand
        QTRY_COMPARE(failed.count(), 2);
    }

    void reconnectsUntilTheDaemonIsThereAndAfterEveryLoss()
    {
        m_daemon->stop();
        SocketClient::Options patient = options();
        patient.reconnect = true;
        SocketClient client(patient);
        QSignalSpy connected(&client, &SocketClient::connected);
        QSignalSpy failed(&client, &SocketClient::failed);
        QSignalSpy disconnected(&client, &SocketClient::disconnected);
        client.open();
        QTRY_VERIFY(failed.count() >= 3);
        m_daemon->start();
        QTRY_COMPARE(connected.count(), 1);
        m_daemon->ignore(QStringLiteral("kv.save"));
        Answers answers;
        answers.ask(client, QStringLiteral("kv.save"));
        QTRY_COMPARE(m_daemon->count(QStringLiteral("kv.save")), 1);
        m_daemon->dropConnections();
        QTRY_COMPARE(connected.count(), 2);
        QCOMPARE(disconnected.count(), 1);
        QCOMPARE(answers.list.size(), 1);
        QVERIFY(answers.list.first().status == Status::Closed);
        m_daemon->answer(QStringLiteral("kv.save"), {});
        answers.ask(client, QStringLiteral("kv.save"));
        QTRY_COMPARE(answers.list.size(), 2);
        QVERIFY(answers.list.last().ok());
        client.close();
        QCOMPARE(disconnected.count(), 2);
        QTest::qWait(50);
        QCOMPARE(connected.count(), 2); // closed by hand: no more attempts
    }

    void callsWithoutConnectionAreAnsweredNotSentLater()
    {
        SocketClient client(options());
        Answers answers;
        answers.ask(client, QStringLiteral("kv.status"), 10);
        QVERIFY(answers.list.isEmpty());
        QTRY_COMPARE(answers.list.size(), 1);
        QVERIFY(answers.list.first().status == Status::NotSent);
        QVERIFY(!client.notify(QStringLiteral("kv.cancel"), {}));
    }

    void whatTheDaemonDoesNotReadIsNotBufferedWithoutEnd()
    {
        SocketClient::Options tight = options();
        tight.maxUnsentBytes = 100'000;
        SocketClient client(tight);
        client.open();
        QTRY_VERIFY(client.isConnected());
        Answers answers;
        const QJsonObject large { { QStringLiteral("filter"), QString(60'000, u'x') } };
        answers.ask(client, QStringLiteral("kv.list"), 0, large);
        answers.ask(client, QStringLiteral("kv.list"), 0, large); // nothing was read in between
        answers.ask(client, QStringLiteral("kv.list"), 0,
            { { QStringLiteral("filter"), QString(2'000'000, u'x') } }); // no daemon takes such a line
        QTRY_COMPARE(answers.list.size(), 3);
        int notSent = 0;
        for (const CallResult &result : std::as_const(answers.list)) {
            notSent += result.status == Status::NotSent ? 1 : 0;
        }
        QCOMPARE(notSent, 2);
        QVERIFY(client.isConnected());
    }

    void notificationsArriveAsSignals()
    {
        SocketClient client(options());
        QSignalSpy notes(&client, &SocketClient::notification);
        client.open();
        QTRY_VERIFY(client.isConnected());
        m_daemon->broadcast(encodeNotification(QStringLiteral("event"), { { QStringLiteral("seq"), 1 } })
            + encodeNotification(QStringLiteral("event"), { { QStringLiteral("seq"), 2 } }));
        QTRY_COMPARE(notes.count(), 2);
        QCOMPARE(notes.last().at(1).toJsonObject().value(u"seq").toInt(), 2);
    }

    void cancelNamesTheCallOnTheWire()
    {
        m_daemon->ignore(QStringLiteral("kv.restore"));
        SocketClient client(options());
        client.open();
        QTRY_VERIFY(client.isConnected());
        Answers answers;
        const auto id = answers.ask(client, QStringLiteral("kv.restore"));
        client.cancel(id);
        client.cancel(id + 1); // not open: nothing is sent
        QTRY_COMPARE(m_daemon->count(QStringLiteral("kv.cancel")), 1);
        QCOMPARE(
            m_daemon->lastParams(QStringLiteral("kv.cancel")).value(u"id").toInt(), static_cast<int>(id));
    }

    void aDeletedContextHearsNothing()
    {
        m_daemon->answer(QStringLiteral("kv.status"), {});
        SocketClient client(options());
        client.open();
        QTRY_VERIFY(client.isConnected());
        bool heard = false;
        auto context = std::make_unique<QObject>();
        client.call(QStringLiteral("kv.status"), {}, 0, context.get(),
            [&heard](const CallResult &) { heard = true; });
        context.reset();
        QTRY_COMPARE(client.openCalls(), 0);
        QVERIFY(!heard);
    }

    void aCallbackMayDeleteTheClient_data()
    {
        QTest::addColumn<bool>("byAnswer");
        QTest::newRow("of an answer") << true;
        QTest::newRow("of a loss") << false;
    }
    void aCallbackMayDeleteTheClient()
    {
        QFETCH(const bool, byAnswer);
        m_daemon->on(
            QStringLiteral("kv.status"), [byAnswer](QLocalSocket *socket, const QJsonObject &request) {
                if (byAnswer) {
                    socket->write(encodeResult(request.value(u"id"), {}) + encodeResult(77, {}));
                } else {
                    socket->abort();
                }
            });
        auto client = std::make_unique<SocketClient>(options());
        client->open();
        QTRY_VERIFY(client->isConnected());
        int calls = 0;
        for (int i = 0; i < 2; ++i) {
            client->call(QStringLiteral("kv.status"), {}, 0, this, [&](const CallResult &) {
                ++calls;
                client.reset();
            });
        }
        QTRY_VERIFY(!client);
        QVERIFY(calls >= 1);
    }

    void closingFromACallbackIsFine()
    {
        m_daemon->answer(QStringLiteral("kv.status"), {});
        SocketClient client(options());
        QSignalSpy disconnected(&client, &SocketClient::disconnected);
        client.open();
        QTRY_VERIFY(client.isConnected());
        Answers others;
        client.call(QStringLiteral("kv.status"), {}, 1000, this, [&](const CallResult &) { client.close(); });
        others.ask(client, QStringLiteral("kv.status"));
        QTRY_COMPARE(disconnected.count(), 1);
        QCOMPARE(others.list.size(), 1);
        QVERIFY(others.list.first().status == Status::Closed);
    }
};

QTEST_GUILESS_MAIN(TestSocketClient)
#include "tst_socketclient.moc"
