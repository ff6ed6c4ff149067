// SPDX-License-Identifier: MIT
// The proxy before a real llama-server: clients without a plugin.
#include "e2etest.h"
#include "proxyclient.h"

#include <QRegularExpression>
#include <QTcpSocket>

using namespace kv::test;

namespace {

/// What differs between two answers to one request: names, times, and measured times.
QByteArray normalised(const QByteArray &bytes)
{
    static const QRegularExpression ids(QStringLiteral("(chatcmpl-|resp_|msg_|cmpl-|fc_|rs_)[A-Za-z0-9]+"));
    static const QRegularExpression times(
        QStringLiteral("\"(created|created_at|completed_at|[a-z_]*_ms|[a-z_]*_per_second)\":[0-9.e+-]+"));
    QString text = QString::fromLatin1(bytes);
    text.replace(ids, QStringLiteral("\\1ID"));
    text.replace(times, QStringLiteral("\"\\1\":0"));
    return text.toLatin1();
}

QByteArray bodyWith(const char *more, int number)
{
    return "{\"messages\":[{\"role\":\"system\",\"content\":\"A "
           "test.\"},{\"role\":\"user\",\"content\":\"question "
        + QByteArray::number(number)
        + "\"}],\"temperature\":0,\"seed\":1,\"cache_prompt\":false,\"max_tokens\":12" + more + '}';
}

} // namespace

class TestE2eProxy final : public E2eTest {
    Q_OBJECT

    quint16 m_port = 0;

    StageOptions options(bool twoSlots = false)
    {
        m_port = freePort();
        StageOptions options;
        options.config = "proxy: { listen: 127.0.0.1:" + QByteArray::number(m_port) + ", server: local }\n";
        if (twoSlots) {
            options.serverConfig = "    mode: managed-slots\n";
            options.serverFlags[options.serverFlags.indexOf(QStringLiteral("-np")) + 1] = QStringLiteral("2");
        }
        return options;
    }
    QByteArray lastBody()
    {
        QByteArray body;
        for (const auto &call : stage().proxy().calls()) {
            body = call->target.startsWith("/v1/") && call->method == "POST" ? call->body : body;
        }
        return body;
    }

private Q_SLOTS:
    void warmWithoutAPlugin_data()
    {
        QTest::addColumn<int>("api");
        QTest::addColumn<bool>("stream");
        QTest::addColumn<QByteArray>("headerA");
        QTest::addColumn<QByteArray>("headerB");
        QTest::addColumn<QByteArray>("prefix");
        const auto row = [](const char *name, Chat::Api api, bool stream, const char *a = "",
                             const char *b = "", const char *prefix = "") {
            QTest::newRow(name) << static_cast<int>(api) << stream << QByteArray(a) << QByteArray(b)
                                << QByteArray(prefix);
        };
        row("by the prompt", Chat::Api::ChatCompletions, true);
        row("by the prompt, not streamed", Chat::Api::ChatCompletions, false);
        row("by a header", Chat::Api::ChatCompletions, true, "x-session-id: a\r\n", "x-session-id: b\r\n");
        row("responses", Chat::Api::Responses, true, "session-id: a\r\n", "session-id: b\r\n");
        row("messages", Chat::Api::Messages, true, "x-claude-code-session-id: a\r\n",
            "x-claude-code-session-id: b\r\n");
        row("messages, not streamed", Chat::Api::Messages, false);
        row("by a path", Chat::Api::ChatCompletions, true, "", "X-KV-Session: b\r\n", "/s/a");
    }
    void warmWithoutAPlugin()
    {
        QFETCH(int, api);
        QFETCH(bool, stream);
        QFETCH(QByteArray, headerA);
        QFETCH(QByteArray, headerB);
        QFETCH(QByteArray, prefix);
        KV_STAGE(options());
        QVERIFY(stage()
                    .client()
                    .call(QStringLiteral("kv.subscribe"),
                        { { QStringLiteral("topics"), QJsonArray { QStringLiteral("kv.reuse.early") } } })
                    .ok());
        Chat a(static_cast<Chat::Api>(api), "alpha", stream);
        Chat b(static_cast<Chat::Api>(api), "beta", stream);
        const WireReply first = a.turn(m_port, headerA, prefix);
        QVERIFY2(first.status == 200 && first.whole, first.body().constData());
        QVERIFY(first.prompt() > 1000);
        const WireReply other = b.turn(m_port, headerB, prefix);
        QVERIFY(other.cached() * 10 < first.prompt());
        stage().proxy().forget();
        const WireReply third = a.turn(m_port, headerA, prefix);
        QCOMPARE(third.status, 200);
        KV_COMPARE_ACTIONS(QStringLiteral("save"), QStringLiteral("restore"));
        QVERIFY2(third.cached() * 100 >= first.prompt() * 95,
            qPrintable(
                QStringLiteral("%1 of %2 tokens were reused").arg(third.cached()).arg(first.prompt())));
        qInfo("third turn: %d of %d tokens of the first prompt reused", third.cached(), first.prompt());
        QVERIFY(!third.body().contains("prompt_progress"));
        const bool asked = stream && static_cast<Chat::Api>(api) == Chat::Api::ChatCompletions;
        QCOMPARE(lastBody().contains("\"return_progress\":true"), asked);
        QCOMPARE(stage().client().others().size(), asked ? 1 : 0); // kv.reuse.early
        const WireReply fourth = a.turn(m_port, headerA, prefix); // resident: no call of the slots API
        QVERIFY(fourth.cached() * 100 >= third.prompt() * 95);
        KV_COMPARE_ACTIONS(QStringLiteral("save"), QStringLiteral("restore"));
        QCOMPARE(stage().stat(QStringLiteral("reuseVerified")), 1); // read from the answer as it passed
        QCOMPARE(stage().stat(QStringLiteral("residents")), 1);
    }

    void warmAfterTheDaemonsRestart()
    {
        KV_STAGE(options());
        Chat a(Chat::Api::ChatCompletions, "alpha", true);
        const WireReply first = a.turn(m_port);
        QVERIFY(stage().daemon().restart()); // saves; the book of prompts is gone
        QVERIFY(stage().connectClient() && stage().waitHealthy());
        stage().stopServer();
        QVERIFY(stage().startServer() && stage().waitHealthy());
        const WireReply second = a.turn(m_port);
        QVERIFY2(second.cached() * 100 >= first.prompt() * 95, qPrintable(QString::number(second.cached())));
    }

    void answersAreThoseOfTheBareServer()
    {
        KV_STAGE(options());
        const QList<QByteArray> more { ",\"stream\":true", "",
            ",\"stream\":true,\"stream_options\":{\"include_usage\":true}",
            ",\"stream\":true,\"timings_per_token\":true", ",\"stream\":true,\"return_progress\":true" };
        int chunks = 0;
        for (int i = 0; i < 100; ++i) {
            const QByteArray body = bodyWith(more[i % more.size()], i / 5);
            const WireReply bare = post(stage().server().port(), "/v1/chat/completions", body);
            const WireReply proxied = post(m_port, "/v1/chat/completions", body, "x-session-id: s\r\n");
            QCOMPARE(bare.status, 200);
            QCOMPARE(proxied.status, 200);
            QCOMPARE(proxied.chunks.size(), bare.chunks.size());
            for (qsizetype c = 0; c < bare.chunks.size(); ++c) {
                QCOMPARE(normalised(proxied.chunks[c]), normalised(bare.chunks[c]));
            }
            chunks += static_cast<int>(bare.chunks.size());
        }
        qInfo("100 answers, %d chunks, the same", chunks);
    }

    void otherPathsAreThoseOfTheBareServer()
    {
        KV_STAGE(options());
        for (const char *target :
            { "/tokenize", "/v1/chat/completions", "/no/such/path", "/apply-template" }) {
            const QByteArray body = "{\"content\":\"hello\",\"messages\":17}";
            const WireReply bare = post(stage().server().port(), target, body);
            const WireReply proxied = post(m_port, target, body);
            QCOMPARE(proxied.status, bare.status);
            QCOMPARE(normalised(proxied.body()), normalised(bare.body()));
        }
        QCOMPARE(post(m_port, "/slots/0?action=erase", {}).status, 403);
    }

    void twoSlotsKeepTwoChatsResident_data()
    {
        QTest::addColumn<int>("api");
        QTest::newRow("chat completions") << static_cast<int>(Chat::Api::ChatCompletions);
        QTest::newRow("responses") << static_cast<int>(Chat::Api::Responses);
    }
    void twoSlotsKeepTwoChatsResident()
    {
        QFETCH(int, api);
        KV_STAGE(options(true));
        Chat a(static_cast<Chat::Api>(api), "alpha", true, 800);
        Chat b(static_cast<Chat::Api>(api), "beta", true, 800);
        const WireReply firstA = a.turn(m_port);
        const QByteArray bodyA = lastBody();
        const WireReply firstB = b.turn(m_port);
        const QByteArray bodyB = lastBody();
        QVERIFY2(bodyA.startsWith("{\"id_slot\":") && bodyB.startsWith("{\"id_slot\":"),
            bodyB.left(60).constData());
        QVERIFY(bodyA.left(14) != bodyB.left(14)); // each its own slot
        stage().proxy().forget();
        const WireReply secondA = a.turn(m_port);
        const WireReply secondB = b.turn(m_port);
        QVERIFY2(
            secondA.cached() * 100 >= firstA.prompt() * 95, qPrintable(QString::number(secondA.cached())));
        QVERIFY2(
            secondB.cached() * 100 >= firstB.prompt() * 95, qPrintable(QString::number(secondB.cached())));
        QVERIFY2(
            !stage().proxy().actions().contains(QStringLiteral("restore")), "both stayed where they were");
    }

    void socketAndProxyTogetherNeitherWaitNorChangePlaces()
    {
        KV_STAGE(options(true));
        const RpcReply conversation = stage().begin(QStringLiteral("ses"));
        const RpcReply title = stage().begin(
            QStringLiteral("ses"), { { QStringLiteral("purpose"), QStringLiteral("title") } });
        const QJsonValue slotOfConversation
            = conversation.result[QStringLiteral("transport")][QStringLiteral("id_slot")];
        const QJsonValue slotOfTitle = title.result[QStringLiteral("transport")][QStringLiteral("id_slot")];
        QVERIFY(slotOfConversation.isDouble() && slotOfTitle.isDouble() && slotOfConversation != slotOfTitle);
        const auto pinned = [&](const QJsonValue &slot) {
            return "{\"id_slot\":" + QByteArray::number(slot.toInt()) + ',';
        };
        Chat chat(Chat::Api::ChatCompletions, "alpha", true, 600);
        const QByteArray header = "x-deepseek-harness-session-id: ses\r\n";
        const WireReply answered = chat.turn(m_port,
            header + "X-KV-Lease: " + conversation.result[QStringLiteral("lease")].toString().toLatin1()
                + "\r\n");
        QCOMPARE(answered.status, 200);
        QVERIFY2(lastBody().startsWith(pinned(slotOfConversation)), lastBody().left(60).constData());
        Chat titleChat(Chat::Api::ChatCompletions, "title", true, 300);
        QCOMPARE(titleChat.turn(m_port, header).status, 200); // without a lease's name: found by its prompt
        QVERIFY2(lastBody().startsWith(pinned(slotOfTitle)), lastBody().left(60).constData());
        QCOMPARE(chat.turn(m_port, header).status, 200);
        QVERIFY2(lastBody().startsWith(pinned(slotOfConversation)), lastBody().left(60).constData());
        QVERIFY(stage().end(title, {}).ok());
        QVERIFY(stage().end(conversation, {}).ok());
    }

    void oneSlotSocketAndProxyDoNotDeadlock()
    {
        KV_STAGE(options());
        const RpcReply conversation = stage().begin(QStringLiteral("ses"));
        QCOMPARE(conversation.result[QStringLiteral("outcome")].toString(), QStringLiteral("cold"));
        Chat chat(Chat::Api::ChatCompletions, "alpha", true, 600);
        const WireReply answered = chat.turn(m_port, "x-session-id: ses\r\n");
        QVERIFY(answered.whole);
        QVERIFY(stage().end(conversation, {}).ok());
        QVERIFY(chat.turn(m_port, "x-session-id: ses\r\n").cached() * 100 >= answered.prompt() * 95);
    }

    void theServerGoesAndComesBack()
    {
        KV_STAGE(options());
        Chat a(Chat::Api::ChatCompletions, "alpha", true);
        const WireReply first = a.turn(m_port);
        QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
        stage().stopServer();
        const WireReply away = post(m_port, a.target(), a.body());
        QCOMPARE(away.status, 502);
        QVERIFY2(away.body().contains("llama-server"), away.body().constData());
        QVERIFY(stage().startServer() && stage().waitHealthy());
        const WireReply back = a.turn(m_port);
        QVERIFY2(back.cached() * 100 >= first.prompt() * 95, qPrintable(QString::number(back.cached())));
    }

    void anAbortFreesTheSlot()
    {
        KV_STAGE(options());
        QTcpSocket socket;
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
        socket.write(postBytes("/v1/chat/completions",
            "{\"messages\":[{\"role\":\"user\",\"content\":\"talk\"}],\"stream\":true,\"max_tokens\":6000,"
            "\"ignore_eos\":true}",
            "x-session-id: long\r\n"));
        QTRY_VERIFY_WITH_TIMEOUT(socket.bytesAvailable() > 2000, 30'000);
        QCOMPARE(stage().slot()[QStringLiteral("state")].toString(), QStringLiteral("inference"));
        socket.abort();
        QTRY_VERIFY_WITH_TIMEOUT(
            stage().slot()[QStringLiteral("state")].toString() != QStringLiteral("inference"), 30'000);
        Chat next(Chat::Api::ChatCompletions, "next", true, 300);
        QCOMPARE(next.turn(m_port).status, 200);
    }

    void driftIsShown()
    {
        KV_STAGE(options());
        QVERIFY(stage()
                    .client()
                    .call(QStringLiteral("kv.subscribe"),
                        { { QStringLiteral("topics"), QJsonArray { QStringLiteral("kv.prefix.") } } })
                    .ok());
        const QByteArray header = "x-session-id: s\r\n";
        QCOMPARE(post(m_port, "/v1/chat/completions", bodyWith("", 1), header).status, 200);
        QCOMPARE(stage().slot()[QStringLiteral("prefix")].toString(), QString());
        QByteArray changed = bodyWith("", 2);
        QCOMPARE(post(m_port, "/v1/chat/completions", changed, header).status, 200);
        QCOMPARE(stage().slot()[QStringLiteral("prefix")].toString(),
            QStringLiteral("turn 2: message 2 of 2 changed"));
        QTRY_COMPARE(stage().client().others().size(), 1);
        const QJsonValue event = stage().client().others().first()[QStringLiteral("params")];
        QCOMPARE(event[QStringLiteral("name")].toString(), QStringLiteral("kv.prefix.changed"));
        QCOMPARE(
            event[QStringLiteral("reason")].toString(), QStringLiteral("turn 2: message 2 of 2 changed"));
        QCOMPARE(post(m_port, "/v1/chat/completions", changed, header).status, 200);
        QCOMPARE(stage().slot()[QStringLiteral("prefix")].toString(), QString()); // it goes on as it was
    }
};

QTEST_GUILESS_MAIN(TestE2eProxy)
#include "tst_e2eproxy.moc"
