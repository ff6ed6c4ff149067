// SPDX-License-Identifier: MIT
#include "fakellamaserver.h"
#include "realdaemon.h"
#include "rpcclient.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace kv::test;

namespace {

constexpr int c_noValidator = 77;
constexpr int c_patienceMs = 20'000;

QString text(const char *word) { return QString::fromLatin1(word); }

/// One daemon with one server and what it answers.
struct Stage {
    explicit Stage(const FakeOptions &options = {})
        : server(options)
    {
    }
    bool start(const QByteArray &more = {})
    {
        if (!server.start()) {
            return false;
        }
        return startWith("servers: { box: { baseURL: '"
            + server.url().toString(QUrl::StripTrailingSlash).toUtf8() + "' } }\nproviders: { p: box }\n"
            + more);
    }
    bool startWith(const QByteArray &config)
    {
        daemon.setConfig(config + "metadata: { path: '${METADATA}' }\n");
        return daemon.start() && client.connectTo(daemon.socketPath());
    }
    QJsonObject status() { return client.call(text("kv.status")).result; }
    QJsonObject box(int index = 0) { return status().value(u"servers")[index].toObject(); }
    QString state() { return box().value(u"backend")[u"state"].toString(); }
    bool reaches(const QString &wanted)
    {
        return QTest::qWaitFor([&] { return state() == wanted; }, c_patienceMs);
    }
    QString begin(const QString &session, const char *model = "tiny")
    {
        return client
            .call(text("request.begin"),
                { { text("session"), session }, { text("provider"), text("p") },
                    { text("model"), text(model) }, { text("label"), text("a label") } })
            .result.value(u"lease")
            .toString();
    }
    bool end(const QString &lease, const char *outcome = "ok")
    {
        return client
            .call(text("request.end"), { { text("lease"), lease }, { text("outcome"), text(outcome) } })
            .ok();
    }

    FakeLlamaServer server;
    RealDaemon daemon;
    RpcClient client;
};

} // namespace

/// status.schema.json is what programs read kv.status by: here it is held against real answers.
class TestStatusSchema final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QStringList m_answers;

    void keep(const char *name, const QJsonObject &status)
    {
        QFile file(m_folder.filePath(text(name) + text(".json")));
        QVERIFY(!status.isEmpty());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(status).toJson());
        m_answers.append(file.fileName());
    }
    struct Ran {
        int exitCode = -1;
        QByteArray output;
    };
    static Ran check(const QStringList &answers)
    {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(text("/usr/bin/python3"),
            QStringList { text(KV_SOURCE_DIR "/tests/daemon/check_status.py"),
                text(KV_SOURCE_DIR "/src/protocol/status.schema.json"),
                text(KV_SOURCE_DIR "/src/protocol/PROTOCOL.md") }
                + answers);
        const bool ended = process.waitForFinished(60'000);
        return { ended ? process.exitCode() : -1, process.readAll() };
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (const Ran ran = check({}); ran.exitCode == c_noValidator) {
            QSKIP(ran.output.trimmed().constData());
        }
        QVERIFY(m_folder.isValid());
    }

    void withoutAServer()
    {
        Stage stage;
        QVERIFY2(stage.startWith("servers: {}\n"), qPrintable(stage.daemon.log()));
        QCOMPARE(stage.status().value(u"servers").toArray().size(), 0);
        keep("none", stage.status());
    }

    void withAnUnreachableOne()
    {
        Stage stage;
        QVERIFY(
            stage.startWith("servers: { box: { baseURL: 'http://127.0.0.1:1' } }\nproviders: { p: box }\n"));
        QVERIFY(stage.reaches(text("unreachable")));
        QTRY_VERIFY(stage.box().value(u"backend").toObject().contains(u"message"));
        keep("unreachable", stage.status());
    }

    void healthyAndRunning()
    {
        Stage stage;
        QVERIFY2(stage.start(), qPrintable(stage.daemon.log()));
        QVERIFY(stage.reaches(text("healthy")));
        keep("idle", stage.status());
        const QString lease = stage.begin(text("A"));
        QVERIFY(!lease.isEmpty());
        const QJsonObject slot = stage.box().value(u"slots")[0].toObject();
        QCOMPARE(slot.value(u"running")[u"kind"].toString(), text("inference"));
        QVERIFY(slot.contains(u"owner") && slot.contains(u"label"));
        keep("running", stage.status());
        QVERIFY(stage.end(lease));
        keep("dirty", stage.status());
    }

    void aPromptThatChanged()
    {
        Stage stage;
        QVERIFY2(
            stage.start("proxy: { listen: '127.0.0.1:0', server: box }\n"), qPrintable(stage.daemon.log()));
        QVERIFY(stage.reaches(text("healthy")));
        const QString port
            = stage.daemon.logged(text("The proxy for box listens on 127\\.0\\.0\\.1 port (\\d+)"));
        QNetworkAccessManager network;
        for (const char *first : { "one thing", "another thing" }) {
            QNetworkRequest request(QUrl(text("http://127.0.0.1:%1/v1/chat/completions").arg(port)));
            request.setRawHeader("X-KV-Session", "talk");
            request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
            const auto message = [](const char *role, const QString &content) {
                return QJsonObject { { text("role"), text(role) }, { text("content"), content } };
            };
            const QJsonObject body { { text("model"), text("tiny") },
                { text("messages"),
                    QJsonArray { message("system", text("Be brief.")), message("user", text(first)),
                        message("assistant", text("Well.")), message("user", text("And then?")) } } };
            const std::unique_ptr<QNetworkReply> reply(network.post(request, QJsonDocument(body).toJson()));
            QVERIFY(QTest::qWaitFor([&] { return reply->isFinished(); }, c_patienceMs));
            QCOMPARE(reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), 200);
        }
        QTRY_VERIFY2(stage.box().value(u"slots")[0].toObject().contains(u"prefix"),
            QJsonDocument(stage.status()).toJson().constData());
        keep("prefix", stage.status());
    }

    void paused()
    {
        Stage stage;
        QVERIFY2(stage.start(), qPrintable(stage.daemon.log()));
        QVERIFY(stage.reaches(text("healthy")));
        QVERIFY(stage.client.call(text("kv.pause"), { { text("forMs"), 600'000 } }).ok());
        QVERIFY(stage.status().contains(u"pausedUntil"));
        keep("paused", stage.status());
    }

    void unsupported()
    {
        FakeOptions options;
        options.slotsEndpoint = false;
        Stage stage(options);
        QVERIFY2(stage.start(), qPrintable(stage.daemon.log()));
        QVERIFY(stage.reaches(text("healthy")));
        QVERIFY(stage.end(stage.begin(text("A")), "error")); // the first look at a slot finds out
        QVERIFY(stage.reaches(text("unsupported")));
        keep("unsupported", stage.status());
    }

    void broken()
    {
        Stage stage;
        QVERIFY2(stage.start(), qPrintable(stage.daemon.log()));
        QVERIFY(stage.reaches(text("healthy")));
        stage.server.failNext(text("slots"), 500, 50);
        for (const char *session : { "A", "B", "C", "D" }) {
            QVERIFY(stage.end(stage.begin(text(session)), "error"));
        }
        QVERIFY2(stage.reaches(text("open")), qPrintable(stage.state()));
        keep("open", stage.status());
    }

    void aRouter()
    {
        FakeOptions options;
        options.routerModels = QStringList { text("alpha"), text("beta") };
        Stage stage(options);
        QVERIFY2(stage.start(), qPrintable(stage.daemon.log()));
        QTRY_VERIFY_WITH_TIMEOUT(stage.box().value(u"router").toBool(), c_patienceMs);
        stage.server.loadModel(text("alpha"));
        QVERIFY(!stage.begin(text("A"), "alpha").isEmpty());
        const QJsonObject model = stage.box(1);
        QCOMPARE(model.value(u"name").toString(), text("box/alpha"));
        QCOMPARE(model.value(u"routerModel").toString(), text("alpha"));
        QVERIFY(!model.value(u"slots").toArray().isEmpty());
        keep("router", stage.status());
    }

    void allFitTheSchema()
    {
        QCOMPARE(m_answers.size(), 10);
        const Ran ran = check(m_answers);
        QVERIFY2(ran.exitCode == 0, ran.output.constData());
    }

    void aFieldThatNobodyDescribedIsNoticed_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("a new one") << text("novelty") << QJsonValue(1);
        QTest::newRow("another type") << text("pid") << QJsonValue(text("one"));
        QTest::newRow("no time") << text("startedAt") << QJsonValue(text("yesterday"));
    }
    void aFieldThatNobodyDescribedIsNoticed()
    {
        QFETCH(QString, name);
        QFETCH(QJsonValue, value);
        QFile file(m_answers.value(0));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject status = QJsonDocument::fromJson(file.readAll()).object();
        status.insert(name, value);
        QFile other(m_folder.filePath(text("wrong")));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(QJsonDocument(status).toJson());
        other.close();
        const Ran ran = check(m_answers + QStringList { other.fileName() });
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.output.contains(name.toUtf8()), ran.output.constData());
    }
};

QTEST_GUILESS_MAIN(TestStatusSchema)
#include "tst_statusschema.moc"
