// SPDX-License-Identifier: MIT
// What real clients send (captured, shortened), and whose session it is then.
#include "sessionclaim.h"

#include <QtTest>

using namespace kv;

namespace {

const char *const c_id = "0199c1d2-7f3e-7000-8000-1234567890ab";

SessionClaim claim(const HeaderList &headers, const QByteArray &body = "{}", const QString &path = {})
{
    return claimOf(headers, skimObject(body).value_or(JsonMembers()), path);
}

} // namespace

class TestSessionClaim final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void codex()
    {
        const SessionClaim found
            = claim({ { "session-id", c_id }, { "thread-id", c_id }, { "x-client-request-id", c_id },
                        { "x-codex-window-id", QByteArray(c_id) + ":0" } },
                QByteArray("{\"prompt_cache_key\":\"") + c_id + "\",\"client_metadata\":{\"session_id\":\""
                    + c_id + "\"}}");
        QCOMPARE(found.session, QLatin1String(c_id));
        QCOMPARE(found.why, QStringLiteral("header session-id"));
    }
    void opencode()
    {
        const SessionClaim found = claim(
            { { "x-session-id", "ses_5f" }, { "x-session-affinity", "ses_5f" }, { "User-Agent", "ai-sdk" } });
        QCOMPARE(found.session, QStringLiteral("ses_5f"));
        const SessionClaim child
            = claim({ { "x-session-id", "ses_6" }, { "X-Parent-Session-Id", "ses_5f" } });
        QCOMPARE(child.parent, QStringLiteral("ses_5f"));
        QVERIFY(child.subagent);
    }
    void claudeCode()
    {
        const SessionClaim byHeader
            = claim({ { "X-Claude-Code-Session-Id", c_id }, { "x-api-key", "secret" } });
        QCOMPARE(byHeader.session, QLatin1String(c_id));
        QVERIFY(!byHeader.subagent);
        const SessionClaim byBody = claim({},
            QByteArray("{\"metadata\":{\"user_id\":\"{\\\"device_id\\\":\\\"d\\\",\\\"session_id\\\":\\\"")
                + c_id + "\\\"}\"}}");
        QCOMPARE(byBody.session, QLatin1String(c_id));
        QCOMPARE(byBody.why, QStringLiteral("body metadata.user_id"));
        const SessionClaim older
            = claim({}, QByteArray("{\"metadata\":{\"user_id\":\"user_a_account__session_") + c_id + "\"}}");
        QCOMPARE(older.session, QLatin1String(c_id));
    }
    void claudeCodeSubagents()
    {
        const SessionClaim agent
            = claim({ { "x-claude-code-session-id", "S" }, { "x-claude-code-agent-id", "a1" } });
        QCOMPARE(agent.session, QStringLiteral("S/a1"));
        QCOMPARE(agent.parent, QStringLiteral("S"));
        QVERIFY(agent.subagent);
        const SessionClaim nested = claim({ { "x-claude-code-session-id", "S" },
            { "x-claude-code-agent-id", "a2" }, { "x-claude-code-parent-agent-id", "a1" } });
        QCOMPARE(nested.parent, QStringLiteral("S/a1"));
    }
    void qwenCodeSaysNothing()
    {
        const SessionClaim found
            = claim({ { "User-Agent", "QwenCode/0.24.4" } }, "{\"model\":\"m\",\"messages\":[]}");
        QVERIFY(found.session.isEmpty());
        QVERIFY(found.why.isEmpty());
    }
    void dshDeepseek()
    {
        const SessionClaim found = claim({ { "x-deepseek-harness-session-id", "session-1" } });
        QCOMPARE(found.session, QStringLiteral("session-1"));
        QVERIFY(!found.compaction);
        const SessionClaim compaction = claim(
            { { "x-deepseek-harness-session-id", "session-1" }, { "x-deepseek-harness-compact", "1" } });
        QVERIFY(compaction.compaction);
    }
    void dshPiAi()
    {
        const SessionClaim found
            = claim({}, "{\"prompt_cache_key\":\"session-1\",\"prompt_cache_retention\":\"24h\"}");
        QCOMPARE(found.session, QStringLiteral("session-1"));
        QCOMPARE(claim({ { "session_id", "session-2" } }, "{\"prompt_cache_key\":\"x\"}").session,
            QStringLiteral("session-2"));
    }
    void others_data()
    {
        QTest::addColumn<QByteArray>("header");
        const QList<QByteArray> headers { "X-KV-Session", "x-session-affinity", "thread-id",
            "X-Conversation-Id", "X-OpenWebUI-Chat-Id", "x-litellm-session-id" };
        for (const QByteArray &header : headers) {
            QTest::newRow(header.constData()) << header;
        }
    }
    void others()
    {
        QFETCH(QByteArray, header);
        QCOMPARE(claim({ { header, "abc" } }).session, QStringLiteral("abc"));
    }

    void theOrderIsThatOfTheDesign()
    {
        const QList<QByteArray> order { "X-KV-Session", "x-claude-code-session-id",
            "x-deepseek-harness-session-id", "x-session-id", "session_id", "session-id", "thread-id",
            "x-session-affinity", "x-conversation-id", "x-openwebui-chat-id", "x-litellm-session-id" };
        const QByteArray body
            = "{\"prompt_cache_key\":\"key\",\"metadata\":{\"user_id\":\"u_session_user\"}}";
        for (qsizetype first = 0; first <= order.size(); ++first) {
            HeaderList headers;
            for (qsizetype i = order.size() - 1; i >= first; --i) {
                headers.emplace_back(order[i], "from-" + order[i]);
            }
            const QByteArray expected = first < order.size() ? "from-" + order[first] : QByteArray("key");
            QCOMPARE(claim(headers, body, QStringLiteral("path")).session, QString::fromLatin1(expected));
        }
        QCOMPARE(claim({}, "{\"metadata\":{\"user_id\":\"u_session_user\"}}", QStringLiteral("path")).session,
            QStringLiteral("user"));
        QCOMPARE(claim({}, "{\"user\":\"me\"}", QStringLiteral("path")).session, QStringLiteral("path"));
        QCOMPARE(claim({}, "{\"user\":\"me\"}").session, QString()); // a person, not a session
    }

    void whatIsNoIdIsPassedOver()
    {
        QCOMPARE(claim({ { "x-session-id", "  " }, { "thread-id", "t" } }).session, QStringLiteral("t"));
        QCOMPARE(claim({ { "x-session-id", QByteArray(300, 'x') } }).session, QString());
        QCOMPARE(claim({ { "x-session-id", "a\tb" } }).session, QString());
        QCOMPARE(claim({}, "{\"prompt_cache_key\":17}").session, QString());
    }

    void aLeaseIsTaken() { QCOMPARE(claim({ { "X-KV-Lease", " L13 " } }).lease, QStringLiteral("L13")); }
};

QTEST_GUILESS_MAIN(TestSessionClaim)
#include "tst_sessionclaim.moc"
