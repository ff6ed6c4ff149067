// SPDX-License-Identifier: MIT
#include "fakellamaserver.h"
#include "realdaemon.h"
#include "rpcclient.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QTcpServer>
#include <QTest>

#include <algorithm>
#include <array>
#include <memory>

using namespace kv::test;

namespace {

// Each holds a word that nothing else in the log has a reason to hold.
const QString c_session = QStringLiteral("sessionmark-0123456789abcdef-0123456789abcdef");
const QString c_proxied = QStringLiteral("proxiedmark-0123456789abcdef");
const QString c_inPath = QStringLiteral("pathmark-0123456789abcdef");
const QString c_label = QStringLiteral("labelmark: my secret plans");
const QString c_prompt = QStringLiteral("promptmark what nobody may read ");
const QByteArray c_serverKey = "serverkeymark-0123456789";
const QByteArray c_clientKey = "clientkeymark-0123456789";
const QByteArray c_doctorKey = "doctorkeymark-0123456789";
constexpr std::array c_marks { "sessionmark", "proxiedmark", "pathmark", "labelmark", "promptmark",
    "serverkeymark", "clientkeymark", "doctorkeymark" };

QString text(const char *word) { return QString::fromLatin1(word); }

quint16 freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

} // namespace

/// Everything that the daemon can be asked for, at each level and in both forms; then its log is read.
class TestLogPrivacy final : public QObject {
    Q_OBJECT

    std::unique_ptr<FakeLlamaServer> m_server;
    std::unique_ptr<RealDaemon> m_daemon;
    std::unique_ptr<RpcClient> m_client;
    quint16 m_proxyPort = 0;

    [[nodiscard]] RpcReply call(const char *method, const QJsonObject &params = {}) const
    {
        return m_client->call(text(method), params);
    }
    static QString sessionNumber(int number) { return c_session + QString::number(number); }

    bool start(const QByteArray &level, const QByteArray &format)
    {
        FakeOptions options;
        options.apiKey = c_serverKey;
        m_server = std::make_unique<FakeLlamaServer>(options);
        if (!m_server->start()) {
            return false;
        }
        m_proxyPort = freePort();
        m_daemon = std::make_unique<RealDaemon>();
        m_daemon->setConfig("servers:\n  box: { baseURL: '"
            + m_server->url().toString(QUrl::StripTrailingSlash).toUtf8() + "', apiKey: " + c_serverKey
            + " }\nproviders: { p: box }\ncheckpoint: { minTokens: 1 }\nmetadata: { path: '${METADATA}' }\n"
              "proxy: { listen: '127.0.0.1:"
            + QByteArray::number(m_proxyPort) + "', server: box }\nlogging: { level: " + level
            + ", format: " + format + " }\n");
        m_client = std::make_unique<RpcClient>();
        return m_daemon->start() && m_client->connectTo(m_daemon->socketPath())
            && call("hello", { { text("client"), text("tester") } }).ok() && call("kv.subscribe").ok();
    }

    /// A turn of a session over the socket, with the request sent to the server itself.
    bool turn(int number)
    {
        const RpcReply begun = call("request.begin",
            { { text("session"), sessionNumber(number) }, { text("provider"), text("p") },
                { text("model"), text("tiny") }, { text("label"), c_label }, { text("parent"), c_session },
                { text("call"), c_session + text("-call") } });
        const bool sent = post(m_server->port(), "/completion",
            { { text("prompt"), c_prompt.repeated(20) + QString::number(number) }, { text("n_predict"), 2 },
                { text("id_slot"), 0 } },
            { { "Authorization", "Bearer " + c_serverKey } });
        return begun.ok() && sent
            && call("request.end",
                { { text("lease"), begun.result.value(u"lease") }, { text("outcome"), text("ok") },
                    { text("usage"),
                        QJsonObject { { text("promptTokens"), 600 }, { text("cachedTokens"), 0 } } } })
                   .ok();
    }

    static bool post(quint16 port, const char *path, const QJsonObject &body,
        const QList<QPair<QByteArray, QByteArray>> &headers)
    {
        QNetworkRequest request(
            QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(port).arg(QLatin1String(path))));
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
        for (const auto &[name, value] : headers) {
            request.setRawHeader(name, value);
        }
        QNetworkAccessManager network;
        const std::unique_ptr<QNetworkReply> reply(network.post(request, QJsonDocument(body).toJson()));
        return QTest::qWaitFor([&] { return reply->isFinished(); }, 20'000)
            && reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() > 0;
    }

    void talkThroughTheProxy()
    {
        const QList<QPair<QByteArray, QByteArray>> headers { { "X-KV-Session", c_proxied.toUtf8() },
            { "Authorization", "Bearer " + c_serverKey }, { "X-Api-Key", c_clientKey } };
        for (const char *path : { "/v1/chat/completions", "/completion", "/v1/messages", "/v1/responses",
                 "/s/pathmark-0123456789abcdef/v1/chat/completions",
                 "/s/pathmark-0123456789abcdef/nonsense" }) {
            for (const char *word : { "a", "b" }) { // the second one's prompt does not begin as the first
                const QJsonObject message { { text("role"), text("user") },
                    { text("content"), text(word) + c_prompt } };
                QVERIFY(post(m_proxyPort, path,
                    { { text("model"), text("tiny") }, { text("prompt"), text(word) + c_prompt },
                        { text("input"), c_prompt }, { text("messages"), QJsonArray { message } },
                        { text("prompt_cache_key"), c_proxied },
                        { text("metadata"), QJsonObject { { text("user_id"), c_proxied } } } },
                    QByteArray(path).startsWith("/s/") ? headers.mid(1) : headers));
            }
        }
        QVERIFY(post(m_proxyPort, "/completion", { { text("prompt"), c_prompt } },
            { { "Authorization", "Bearer " + c_clientKey } })); // refused by the server
    }

    void askForEverything()
    {
        const QJsonObject session { { text("session"), sessionNumber(1) } };
        const auto with = [&](const char *key, const QJsonValue &value) {
            QJsonObject out = session;
            out.insert(text(key), value);
            return out;
        };
        QVERIFY(call("kv.status").ok());
        QVERIFY(call("kv.flush").ok());
        QVERIFY(call("kv.list", { { text("filter"), c_label } }).ok());
        QVERIFY(call("kv.get", session).ok());
        QVERIFY(call("kv.history",
            { { text("session"), sessionNumber(1) }, { text("from"), text("2026-01-01T00:00:00Z") },
                { text("to"), text("2026-01-02T00:00:00Z") } })
                    .ok());
        QVERIFY(call("kv.metrics").ok());
        for (const char *type :
            { "created", "resumed", "flush", "turn-end", "step-end", "compacted", "disposed" }) {
            QVERIFY(call("session.event",
                { { text("session"), sessionNumber(2) }, { text("type"), text(type) },
                    { text("label"), c_label } })
                        .ok());
        }
        QVERIFY(call("kv.save", session).answered);
        QVERIFY(call("kv.restore", session).answered);
        QVERIFY(call("kv.pin", with("pinned", true)).ok());
        QVERIFY(call("kv.pin", with("pinned", false)).ok());
        QVERIFY(call("kv.gc").ok());
        QVERIFY(call("kv.invalidate", session).ok());
        QVERIFY(call("kv.purge", session).ok());
        QVERIFY(call("kv.erase", { { text("server"), text("box") }, { text("slot"), 0 } }).ok());
        QVERIFY(call("kv.pause").ok() && call("kv.resume").ok() && call("kv.reload").ok());
        QVERIFY(call("kv.doctor").ok());
        QVERIFY(call("kv.doctor",
            { { text("baseURL"), m_server->url().toString() },
                { text("apiKey"), QString::fromLatin1(c_doctorKey) } })
                    .answered);
        QVERIFY(call("kv.config", { { text("action"), text("get") } }).ok());
        const QString yaml
            = QStringLiteral("servers: { x: { baseURL: 'http://u:%1@h', apiKey: %1, nonsense: %2 } }")
                  .arg(QString::fromLatin1(c_doctorKey), c_session);
        QVERIFY(call("kv.config", { { text("action"), text("validate") }, { text("yaml"), yaml } }).answered);
    }

    void goWrong()
    {
        for (const char *action : { "save", "restore", "slots" }) {
            m_server->failNext(text(action), 500);
            turn(11);
            turn(12);
            turn(11);
        }
        m_server->garbageNext(text("save"));
        turn(12);
        turn(11);
        QVERIFY(!call("kv.get", { { text("session"), c_session + text("-unknown") } }).ok());
        QVERIFY(!call("kv.save", { { text("session"), c_session + text("-unknown") } }).ok());
        QVERIFY(!call(qPrintable(c_session)).ok()); // an unknown method
        QVERIFY(!call("kv.get", { { text("session"), 7 }, { c_label, c_prompt } }).ok());
        m_client->sendRaw("no JSON { " + c_prompt.toUtf8() + '\n');
        m_client->sendRaw("[\"" + c_session.toUtf8() + "\"]\n");
        const RpcReply begun = call("request.begin",
            { { text("session"), sessionNumber(13) }, { text("provider"), text("p") },
                { text("model"), text("tiny") }, { text("label"), c_label } });
        m_client->abort(); // in the midst of a request
        m_client = std::make_unique<RpcClient>();
        QVERIFY(m_client->connectTo(m_daemon->socketPath()));
        m_server->stop();
        talkThroughTheProxy();
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(!builtProgram(text("kv-persistd")).isEmpty(), "kv-persistd is not built");
    }

    void cleanup()
    {
        m_client.reset();
        m_daemon.reset();
        m_server.reset();
    }

    void nothingOfAConversationIsLogged_data()
    {
        QTest::addColumn<QByteArray>("level");
        QTest::addColumn<QByteArray>("format");
        for (const char *level : { "debug", "info", "warn", "error" }) {
            for (const char *format : { "text", "json" }) {
                const bool most = QByteArray(level) == "debug"; // holds what the others hold
                if (most || (QByteArray(level) == "warn") == (QByteArray(format) == "json")) {
                    QTest::addRow("%s %s", level, format) << QByteArray(level) << QByteArray(format);
                }
            }
        }
    }
    void nothingOfAConversationIsLogged()
    {
        QFETCH(const QByteArray, level);
        QFETCH(const QByteArray, format);
        QVERIFY2(start(level, format), m_daemon ? qPrintable(m_daemon->log()) : "no server");
        const int turns = level == "debug" ? 60 : 12; // a day's work, where each of it is logged
        for (int i = 0; i < turns; ++i) {
            QVERIFY2(turn(i / 6 % 7), qPrintable(m_daemon->log().right(2000)));
        }
        talkThroughTheProxy();
        QVERIFY(turn(1));
        askForEverything();
        goWrong();
        QVERIFY(m_daemon->stop());
        const QString log = m_daemon->log();
        for (const char *mark : c_marks) {
            const qsizetype at = log.indexOf(QLatin1String(mark), 0, Qt::CaseInsensitive);
            QVERIFY2(at < 0,
                qPrintable(
                    QLatin1String(mark) + text(": ") + log.mid(std::max<qsizetype>(0, at - 300), 600)));
        }
        // It was no empty log that was searched.
        const QString shown = format == "json" ? text("\"category\":\"kv.runtime\"") : text("kv.runtime: ");
        QCOMPARE(log.contains(shown), level != "error");
        if (level == "debug") {
            QVERIFY2(log.count(text("kv.slot.state")) > 100, qPrintable(log.left(2000)));
            QVERIFY(log.contains(text("kv.session.save.failed")));
        }
    }
};

QTEST_GUILESS_MAIN(TestLogPrivacy)
#include "tst_logprivacy.moc"
