// SPDX-License-Identifier: MIT
// What the proxy asks of the service, and what it makes of the answers.
#include "logging.h"
#include "proxystage.h"

#include <QTemporaryFile>

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray c_answer = "{\"choices\":[{\"finish_reason\":\"stop\"}],\"timings\":{\"cache_n\":5,\"prompt_"
                            "n\":2,\"predicted_n\":3}}";

QByteArray talk(const QByteArray &system, const QByteArray &text, const QByteArray &tools = {})
{
    return "{\"model\":\"m\"," + (tools.isEmpty() ? QByteArray() : "\"tools\":[" + tools + "],")
        + "\"messages\":[{\"role\":\"system\",\"content\":\"" + system
        + "\"},{\"role\":\"user\",\"content\":\"" + text + "\"}]}";
}

} // namespace

class TestProxyCoordination final : public QObject {
    Q_OBJECT

    std::unique_ptr<ProxyStage> m_stage;

    [[nodiscard]] std::unique_ptr<RawClient> client() const
    {
        return std::make_unique<RawClient>(m_stage->proxy.port());
    }
    /// One request through the proxy and back.
    FakeUpstream::Request exchange(
        const QByteArray &target, const QByteArray &body, const QByteArray &headers = {})
    {
        const auto one = client();
        const qsizetype before = m_stage->upstream.requests.size();
        m_stage->upstream.handler = [](const FakeUpstream::Request &request) {
            request.socket->write(FakeUpstream::json(c_answer));
        };
        one->post(target, body, headers);
        const bool done = QTest::qWaitFor([&] { return one->got.endsWith(c_answer); }) && m_stage->waitOver();
        return done ? m_stage->upstream.requests.value(before) : FakeUpstream::Request {};
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ProxyStage>();
        QVERIFY(m_stage->up);
    }
    void cleanup() { m_stage.reset(); }

    void anInferenceIsBegunPinnedAndEnded()
    {
        m_stage->service.beginAnswer = ProxyStage::grant();
        const FakeUpstream::Request sent = exchange("/v1/chat/completions?x=1", c_chatBody,
            "x-session-id: ses_1\r\nAuthorization: Bearer key\r\nX-KV-Session: mine\r\nConnection: "
            "keep-alive\r\n");
        QCOMPARE(sent.body, "{\"id_slot\":3,\"cache_prompt\":true," + c_chatBody.mid(1));
        QCOMPARE(sent.head.target, QByteArray("/v1/chat/completions?x=1"));
        QCOMPARE(headerOf(sent.head.headers, "authorization"), std::optional(QByteArray("Bearer key")));
        QCOMPARE(headerOf(sent.head.headers, "x-session-id"), std::optional(QByteArray("ses_1")));
        QVERIFY(!headerOf(sent.head.headers, "x-kv-session"));
        QCOMPARE(headerOf(sent.head.headers, "host"),
            std::optional(m_stage->upstream.url().authority().toLatin1()));
        QCOMPARE(headerOf(sent.head.headers, "content-length"),
            std::optional(QByteArray::number(sent.body.size())));
        const FakeService &service = m_stage->service;
        QCOMPARE(service.calls, (QStringList { QStringLiteral("begin"), QStringLiteral("end") }));
        QCOMPARE(service.lastBegin->session, QStringLiteral("mine"));
        QCOMPARE(service.lastBegin->provider, QStringLiteral("local-qwen")); // the first that routes here
        QCOMPARE(service.lastBegin->model, QStringLiteral("m"));
        QVERIFY(service.lastBegin->pins && service.lastBegin->purpose.isEmpty());
        QVERIFY(service.lastBegin->base.isEmpty()); // no system prompt, no tools: nothing known to be shared
        QCOMPARE(service.lastEnd->lease, LeaseId { 12 });
        QVERIFY(service.lastEnd->outcome == EndOutcome::Ok);
        QCOMPARE(service.lastEnd->usage.promptTokens, 7);
        QCOMPARE(service.lastEnd->usage.cachedTokens, 5);
        QCOMPARE(service.lastEnd->more, std::optional(false));
    }

    void withoutTransportNothingIsAdded()
    {
        QCOMPARE(exchange("/v1/chat/completions", c_chatBody).body, c_chatBody);
        m_stage->service.beginAnswer = ProxyStage::grant();
        QCOMPARE(exchange("/v1/messages", c_chatBody).body, c_chatBody); // ignores the slot
        QVERIFY(!m_stage->service.lastBegin->pins);
    }

    void otherPathsPassUncoordinated()
    {
        const FakeUpstream::Request sent = exchange("/v1/embeddings", "{\"input\":\"x\"}");
        QCOMPARE(sent.body, QByteArray("{\"input\":\"x\"}"));
        QVERIFY(m_stage->service.calls.isEmpty());
        QCOMPARE(exchange("/v1/chat/completions", "no JSON {").body, QByteArray("no JSON {"));
        QVERIFY(m_stage->service.calls.isEmpty());
        m_stage->config.providers.pop_back(); // nothing is routed to the server
        QVERIFY(m_stage->proxy.configure(m_stage->config).ok());
        QCOMPARE(exchange("/v1/chat/completions", c_chatBody).body, c_chatBody);
        QVERIFY(m_stage->service.calls.isEmpty());
    }

    void theSlotsApiIsForbidden()
    {
        for (const char *target : { "/slots", "/%73lots/0?action=erase", "//slots", "/s/x/slots" }) {
            const auto one = client();
            one->post(target, {});
            QTRY_VERIFY(one->got.contains("permission_error"));
            QVERIFY(one->got.startsWith("HTTP/1.1 403"));
        }
        QVERIFY(m_stage->upstream.requests.isEmpty());
    }

    void otherHostsAreNotServed()
    {
        const auto one = client();
        one->socket.write("CONNECT example.org:80 HTTP/1.1\r\nHost: example.org\r\n\r\n");
        QTRY_VERIFY(one->got.startsWith("HTTP/1.1 400"));
        QVERIFY(m_stage->upstream.requests.isEmpty());
    }

    void aPathPrefixNamesTheSession()
    {
        QCOMPARE(exchange("/s/my-chat/v1/chat/completions", c_chatBody).head.target,
            QByteArray("/v1/chat/completions"));
        QCOMPARE(m_stage->service.lastBegin->session, QStringLiteral("my-chat"));
        exchange("/s/my-chat/v1/models", {});
        QCOMPARE(m_stage->upstream.requests.last().head.target, QByteArray("/v1/models"));
    }

    void whatPromptsBeginWithIsTold()
    {
        exchange("/v1/chat/completions", talk("s", "u", "{}"), "x-session-id: a\r\n");
        const QString base = m_stage->service.lastBegin->base;
        QVERIFY(!base.isEmpty());
        exchange("/v1/chat/completions", talk("s", "another", "{}"), "x-session-id: b\r\n");
        QCOMPARE(m_stage->service.lastBegin->base, base);
        exchange("/v1/chat/completions", talk("another", "u", "{}"), "x-session-id: c\r\n");
        QVERIFY(m_stage->service.lastBegin->base != base);
    }

    void titleCompactionAndSubagentAreTold()
    {
        exchange("/v1/chat/completions", talk("s", "u", "{}"), "x-session-id: a\r\n");
        QVERIFY(m_stage->service.lastBegin->purpose.isEmpty());
        exchange("/v1/chat/completions", talk("title", "Generate"), "x-session-id: a\r\n");
        QCOMPARE(m_stage->service.lastBegin->purpose, QStringLiteral("auxiliary"));
        QCOMPARE(m_stage->service.lastBegin->session, QStringLiteral("a"));
        exchange("/v1/chat/completions", talk("s", "shorten", "{}"),
            "x-deepseek-harness-session-id: a\r\nx-deepseek-harness-compact: 1\r\n");
        QCOMPARE(m_stage->service.lastBegin->purpose, QStringLiteral("compaction"));
        exchange(
            "/v1/messages", talk("s", "u"), "x-claude-code-session-id: c\r\nx-claude-code-agent-id: d\r\n");
        QCOMPARE(m_stage->service.lastBegin->session, QStringLiteral("c/d"));
        QCOMPARE(m_stage->service.lastBegin->origin, QStringLiteral("subagent"));
        QCOMPARE(m_stage->service.lastBegin->parent, QStringLiteral("c"));
    }

    void driftIsNoted()
    {
        exchange("/v1/chat/completions", talk("monday", "u"), "x-session-id: a\r\n");
        exchange("/v1/chat/completions", talk("tuesday", "u"), "x-session-id: a\r\n");
        QCOMPARE(m_stage->service.prefixNotes,
            (QStringList { QStringLiteral("a: turn 2: message 1 of 2 changed") }));
    }

    void afterARestoreProgressIsAskedForAndNotShown()
    {
        BeginAnswer restored = ProxyStage::grant();
        restored.grant.outcome = Outcome::Restored;
        m_stage->service.beginAnswer = restored;
        const QByteArray rest = FakeUpstream::chunk("data: {\"choices\":[]}\n\n") + "0\r\n\r\n";
        m_stage->upstream.handler = [&](const FakeUpstream::Request &request) {
            request.socket->write(FakeUpstream::streamHead()
                + FakeUpstream::chunk(
                    "data: {\"prompt_progress\":{\"total\":100,\"cache\":95,\"processed\":95}}\n\n"));
        };
        const QByteArray body = "{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
        const auto one = client();
        one->post("/v1/chat/completions", body, "x-session-id: a\r\n");
        QTRY_COMPARE(m_stage->service.reuseNotes, (QStringList { QStringLiteral("a: 95/100") }));
        QVERIFY(m_stage->upstream.requests.last().body.startsWith(
            "{\"id_slot\":3,\"cache_prompt\":true,\"return_progress\":true,"));
        QVERIFY(one->got.isEmpty()); // not even the head comes earlier than without it
        m_stage->upstream.requests.last().socket->write(rest);
        QTRY_VERIFY(one->got.endsWith(rest));
        QCOMPARE(one->body(), rest);
        // Where it is not streamed, or the client has a word on it, nothing is asked for.
        for (const char *more : { "\"stream\":false", "\"stream\":true,\"return_progress\":false" }) {
            const FakeUpstream::Request sent = exchange("/v1/chat/completions",
                QByteArray("{") + more + ",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
                "x-session-id: a\r\n");
            QVERIFY2(!sent.body.contains("return_progress\":true"), sent.body.constData());
        }
        // An error in one piece passes as it is.
        m_stage->upstream.handler = [](const FakeUpstream::Request &request) {
            request.socket->write(FakeUpstream::json("{}", "400 Bad"));
        };
        const auto other = client();
        other->post("/v1/chat/completions", body, "x-session-id: a\r\n");
        QTRY_VERIFY(other->got.endsWith("\r\n\r\n{}"));
        QVERIFY(other->got.startsWith("HTTP/1.1 400 Bad\r\n"));
        // A server that dies before the first token has sent nothing yet that the client saw.
        m_stage->upstream.handler = [&](const FakeUpstream::Request &request) {
            request.socket->write(FakeUpstream::streamHead());
            request.socket->disconnectFromHost();
        };
        const auto third = client();
        third->post("/v1/chat/completions", body, "x-session-id: a\r\n");
        QTRY_VERIFY(third->got.startsWith("HTTP/1.1 502"));
    }

    void aNamedLeaseIsTaken()
    {
        m_stage->service.leaseViews = { { 13, 99, QStringLiteral("x"), Transport { 5, true }, false } };
        QVERIFY(exchange("/v1/chat/completions", c_chatBody, "X-KV-Lease: L13\r\n")
                    .body.startsWith("{\"id_slot\":5,"));
        QVERIFY(m_stage->service.calls.isEmpty()); // whoever began it ends it
        QVERIFY(!headerOf(m_stage->upstream.requests.last().head.headers, "x-kv-lease"));
        exchange("/v1/chat/completions", c_chatBody, "X-KV-Lease: L14\r\n"); // ended long ago
        QCOMPARE(m_stage->service.calls, (QStringList { QStringLiteral("begin"), QStringLiteral("end") }));
    }

    void aSessionThatHoldsOrAwaitsALeaseNeverWaits()
    {
        FakeService &service = m_stage->service;
        service.hold = true; // a begin would wait for ever
        const QByteArray header = "x-session-id: a\r\n";
        service.leaseViews = { { 13, 99, QStringLiteral("a"), Transport { 5, true }, false } };
        QVERIFY(exchange("/v1/chat/completions", talk("s", "u", "{}"), header)
                    .body.startsWith("{\"id_slot\":5,"));
        service.leaseViews = { { 0, 99, QStringLiteral("a"), std::nullopt, false } }; // awaited
        QVERIFY(exchange("/v1/chat/completions", talk("s", "u", "{}"), header).body.startsWith("{\"model\""));
        // Conversation and title: each prompt finds its own.
        service.leaseViews = { { 13, 99, QStringLiteral("a"), Transport { 5, true }, false },
            { 14, 99, QStringLiteral("a"), Transport { 6, true }, true } };
        QVERIFY(exchange("/v1/chat/completions", talk("title", "Generate"), header)
                    .body.startsWith("{\"id_slot\":6,"));
        QVERIFY(exchange("/v1/chat/completions", talk("s", "u", "{}"), header)
                    .body.startsWith("{\"id_slot\":5,"));
        // Two of a kind: nobody knows which.
        service.leaseViews.push_back({ 15, 99, QStringLiteral("a"), Transport { 7, true }, false });
        QVERIFY(exchange("/v1/chat/completions", talk("s", "u", "{}"), header).body.startsWith("{\"model\""));
        QVERIFY(service.calls.isEmpty());
        // Its own leases are no reason: the coordinator knows what to do.
        service.hold = false;
        service.leaseViews
            = { { 13, service.opened.first(), QStringLiteral("a"), Transport { 5, true }, false } };
        exchange("/v1/chat/completions", talk("s", "u", "{}"), header);
        QCOMPARE(service.calls.first(), QStringLiteral("begin"));
    }

    void persistenceInTroubleChangesNothing()
    {
        m_stage->service.beginAnswer
            = BeginFailure { Error { ErrorCode::Cancelled, QStringLiteral("stopping"), {} }, false };
        QCOMPARE(exchange("/v1/chat/completions", c_chatBody).body, c_chatBody);
        BeginAnswer bypass = ProxyStage::grant(std::nullopt);
        bypass.grant.outcome = Outcome::Bypass;
        m_stage->service.beginAnswer = bypass;
        QCOMPARE(exchange("/v1/chat/completions", c_chatBody).body, c_chatBody);
        BeginAnswer unmanaged;
        m_stage->service.beginAnswer = unmanaged;
        m_stage->service.calls.clear();
        QCOMPARE(exchange("/v1/chat/completions", c_chatBody).body, c_chatBody);
        QCOMPARE(m_stage->service.calls, (QStringList { QStringLiteral("begin") })); // no lease, no end
    }

    void strictModeRefuses()
    {
        m_stage->service.beginAnswer
            = BeginFailure { Error { ErrorCode::SaveFailed, QStringLiteral("It could not be saved."), {} },
                  true };
        const auto one = client();
        one->post("/v1/chat/completions", c_chatBody);
        QTRY_VERIFY(one->got.contains("It could not be saved."));
        QVERIFY(one->got.startsWith("HTTP/1.1 503"));
        QVERIFY(m_stage->upstream.requests.isEmpty());
    }

    void aServerThatIsAwayIsTold()
    {
        m_stage->upstream.close();
        const auto one = client();
        one->post("/v1/chat/completions", c_chatBody);
        QTRY_VERIFY(one->got.contains("unavailable_error"));
        QVERIFY(one->got.startsWith("HTTP/1.1 502"));
        QVERIFY(m_stage->waitOver());
        QVERIFY(m_stage->service.lastEnd->outcome == EndOutcome::Error);
        one->got.clear();
        one->post("/v1/models", {}); // the connection is still good
        QTRY_VERIFY(one->got.startsWith("HTTP/1.1 502"));
    }

    void anErrorOfTheServerPassesAndIsTold()
    {
        m_stage->upstream.handler = [](const FakeUpstream::Request &request) {
            request.socket->write(FakeUpstream::json("{\"error\":{}}", "503 Loading"));
        };
        const auto one = client();
        one->post("/v1/chat/completions", c_chatBody);
        QTRY_VERIFY(one->got.endsWith("{\"error\":{}}"));
        QVERIFY(one->got.startsWith("HTTP/1.1 503 Loading\r\n"));
        QVERIFY(m_stage->waitOver());
        QVERIFY(m_stage->service.lastEnd->outcome == EndOutcome::Error);
    }

    void aCancelledWaitIsWithdrawn()
    {
        m_stage->service.hold = true;
        const auto one = client();
        one->post("/v1/chat/completions", c_chatBody);
        QTRY_COMPARE(m_stage->service.heldCount(), std::size_t { 1 });
        one->socket.abort();
        QTRY_COMPARE(m_stage->service.heldCount(), std::size_t { 0 });
        QVERIFY(m_stage->waitOver());
        QCOMPARE(m_stage->service.calls, (QStringList { QStringLiteral("begin"), QStringLiteral("cancel") }));
        QVERIFY(m_stage->upstream.requests.isEmpty());
    }

    void theKeyIsNeverLogged()
    {
        QByteArray logged;
        LogOptions options;
        options.level = LogLevel::Debug;
        const Logging logging(options, [&](const QByteArray &line, const LogRecord &) { logged += line; });
        exchange("/v1/chat/completions", c_chatBody, "Authorization: Bearer s3cr3t\r\nx-api-key: s3cr3t\r\n");
        m_stage->upstream.close();
        const auto one = client();
        one->post("/v1/chat/completions?key=s3cr3t", c_chatBody, "Authorization: Bearer s3cr3t\r\n");
        QTRY_VERIFY(one->got.startsWith("HTTP/1.1 502"));
        QVERIFY(logged.contains("kv.proxy"));
        QVERIFY(!logged.contains("s3cr3t"));
        QVERIFY(!logged.contains("hi\"")); // nor a prompt
    }

    void itListensWhereTheConfigurationSays()
    {
        const quint16 first = m_stage->proxy.port();
        QVERIFY(m_stage->proxy.configure(m_stage->config).ok());
        QCOMPARE(m_stage->proxy.port(), first); // nothing changed
        m_stage->config.proxy.reset();
        QVERIFY(m_stage->proxy.configure(m_stage->config).ok());
        QVERIFY(!m_stage->proxy.isListening());
        m_stage->config.proxy = ProxyConfig { { QStringLiteral("127.0.0.1"), 0 }, QStringLiteral("local") };
        QVERIFY(m_stage->proxy.configure(m_stage->config).ok());
        QVERIFY(m_stage->proxy.isListening());
        QCOMPARE(exchange("/v1/chat/completions", c_chatBody).body, c_chatBody);
    }
};

QTEST_GUILESS_MAIN(TestProxyCoordination)
#include "tst_proxycoordination.moc"
