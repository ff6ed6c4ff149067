// SPDX-License-Identifier: MIT
// The doctor on the real thing: every way to set a server up badly is named with its remedy, and the proof
// says what is true of real models.
#include "e2etest.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QScopeGuard>
#include <QTcpServer>
#include <QtTest>

#include <unistd.h>

using namespace kv::test;

namespace {

/// What one doctor said.
struct Said {
    RpcReply reply;

    [[nodiscard]] QJsonObject check(const QString &name) const
    {
        const QJsonArray checks = reply.result[QStringLiteral("checks")].toArray();
        for (const QJsonValue &one : checks) {
            if (one[QStringLiteral("name")] == name) {
                return one.toObject();
            }
        }
        return {};
    }
    [[nodiscard]] bool says(
        const char *name, const char *result, const char *message, const char *remedy) const
    {
        const QJsonObject one = check(QString::fromLatin1(name));
        return one[QStringLiteral("result")] == QLatin1String(result)
            && one[QStringLiteral("message")].toString().contains(QLatin1String(message))
            && one[QStringLiteral("remedy")].toString().contains(QLatin1String(remedy));
    }
    [[nodiscard]] QString result() const { return reply.result[QStringLiteral("result")].toString(); }
    [[nodiscard]] QString text() const { return reply.text(); }
};

Said doctor(RpcClient &client, const QJsonObject &params = {})
{
    return { client.call(QStringLiteral("kv.doctor"), params, 120'000) };
}

/// A daemon configured for a server at `url`, and a client.
class House final {
public:
    explicit House(const QUrl &url, const QByteArray &more = {})
    {
        m_daemon.setConfig("servers:\n  local:\n    baseURL: "
            + url.toString(QUrl::StripTrailingSlash).toUtf8() + '\n' + more
            + "providers:\n  local: local\nmetadata: { path: '${METADATA}' }\nretention: { minFreeBytes: 1MB "
              "}\n");
    }
    bool start() { return m_daemon.start() && m_client.connectTo(m_daemon.socketPath()); }
    /// Waits until the daemon has seen who the server is.
    bool knows()
    {
        return QTest::qWaitFor(
            [&] {
                const QJsonValue backend
                    = m_client.call(QStringLiteral("kv.status"))
                          .result[QStringLiteral("servers")][0][QStringLiteral("backend")];
                return backend[QStringLiteral("state")] == QStringLiteral("healthy");
            },
            30'000);
    }
    RpcClient &client() { return m_client; }
    RealDaemon &daemon() { return m_daemon; }

private:
    RealDaemon m_daemon;
    RpcClient m_client;
};

StageOptions direct(const QString &model = QStringLiteral("tiny-dense"))
{
    StageOptions options;
    options.model = model;
    options.direct = true;
    options.config = "retention: { minFreeBytes: 1MB }\n";
    return options;
}

}

class TstE2eDoctor final : public E2eTest {
    Q_OBJECT
private Q_SLOTS:
    void aGoodServerIsReady();
    void noServer();
    void withoutASlotSavePath();
    void withoutTheSlotsApi();
    void aWrongKey();
    void asleep();
    void aRouter();
    void aRouterForAllThatSavesNothing();
    void aServerThatNobodyHasUsed();
    void fourUnifiedSlots();
    void aReadOnlySlotFolder();
    void aPublicBind();
    void theProofSaysSupported_data();
    void theProofSaysSupported();
    void theProofAcrossARestart();
    void anUnsavedSessionIsBack();
    void theProgramShowsIt();

private:
    QTemporaryDir m_slots;
};

void TstE2eDoctor::aGoodServerIsReady()
{
    KV_STAGE(direct())
    const Said said = doctor(stage().client());
    QVERIFY2(said.result() == QStringLiteral("ready"), qPrintable(said.text()));
    QVERIFY(said.says("socket", "passed", "api.sock", ""));
    QVERIFY(said.says("slot folder", "passed", qPrintable(stage().slotFolder()), ""));
    QVERIFY(said.says("prompt cache", "passed", "--cache-ram 0", ""));
}

void TstE2eDoctor::noServer()
{
    QTcpServer port;
    QVERIFY(port.listen(QHostAddress::LocalHost));
    QUrl url(QStringLiteral("http://127.0.0.1"));
    url.setPort(port.serverPort());
    port.close();
    House house(url);
    QVERIFY2(house.start(), qPrintable(house.daemon().log()));
    const Said said = doctor(house.client());
    QCOMPARE(said.result(), QStringLiteral("not-ready"));
    QVERIFY2(
        said.says("reachable", "failed", "Nobody answers", "Start llama-server"), qPrintable(said.text()));
}

void TstE2eDoctor::withoutASlotSavePath()
{
    RealLlamaServer server(QStringLiteral("tiny-dense"), {}, StageOptions::plainServer());
    QVERIFY2(server.start(), qPrintable(server.log()));
    House house(server.url());
    QVERIFY(house.start());
    const Said said = doctor(house.client(), { { QStringLiteral("verify"), true } });
    QCOMPARE(said.result(), QStringLiteral("not-ready"));
    QVERIFY2(said.says("slot saving", "failed", "no folder to save slots to", "--slot-save-path"),
        qPrintable(said.text()));
    QVERIFY(said.says("verify", "warning", "Not tried", ""));
}

void TstE2eDoctor::withoutTheSlotsApi()
{
    StageOptions options = direct();
    RealLlamaServer server(
        options.model, m_slots.path(), options.serverFlags + QStringList { QStringLiteral("--no-slots") });
    QVERIFY2(server.start(), qPrintable(server.log()));
    House house(server.url());
    QVERIFY(house.start());
    const Said said = doctor(house.client());
    QCOMPARE(said.result(), QStringLiteral("not-ready"));
    QVERIFY2(said.says("slots", "failed", "does not list its slots", "--no-slots"), qPrintable(said.text()));
}

void TstE2eDoctor::aWrongKey()
{
    RealLlamaServer server(QStringLiteral("tiny-dense"), m_slots.path(),
        StageOptions::plainServer() + QStringList { QStringLiteral("--api-key"), QStringLiteral("right") });
    QVERIFY2(server.start(), qPrintable(server.log()));
    House house(server.url(), "    apiKey: wr0ng\n");
    QVERIFY(house.start());
    const Said said = doctor(house.client());
    QCOMPARE(said.result(), QStringLiteral("not-ready"));
    QVERIFY2(said.says("api key", "failed", "does not take the configured API key", "apiKeyFile"),
        qPrintable(said.text()));
    QVERIFY(!said.text().contains(QStringLiteral("wr0ng")));
    House right(server.url(), "    apiKey: right\n");
    QVERIFY(right.start());
    const Said good = doctor(right.client());
    QVERIFY2(good.says("api key", "passed", "is taken", ""), qPrintable(good.text()));
}

void TstE2eDoctor::asleep()
{
    RealLlamaServer server(QStringLiteral("tiny-dense"), m_slots.path(),
        StageOptions::plainServer()
            + QStringList { QStringLiteral("--sleep-idle-seconds"), QStringLiteral("1") });
    QVERIFY2(server.start(), qPrintable(server.log()));
    complete(server.port(), { 5, 6, 7 });
    House house(server.url());
    QVERIFY(house.start());
    QVERIFY(QTest::qWaitFor(
        [&] {
            return house.client()
                       .call(QStringLiteral("kv.status"))
                       .result[QStringLiteral("servers")][0][QStringLiteral("backend")]
                              [QStringLiteral("state")]
                       .toString()
                == QStringLiteral("sleeping");
        },
        60'000));
    const Said said = doctor(house.client(), { { QStringLiteral("verify"), true } });
    QVERIFY2(said.says("sleep", "warning", "sleeps", "--sleep-idle-seconds"), qPrintable(said.text()));
    QVERIFY2(said.says("verify", "warning", "sleeps", "request"), qPrintable(said.text()));
    QVERIFY(doctor(house.client()).says("sleep", "warning", "sleeps", "")); // nor did that wake it
}

void TstE2eDoctor::aRouter()
{
    QTemporaryDir models;
    QVERIFY(QFile::link(
        RealLlamaServer::model(QStringLiteral("tiny-dense")), models.filePath(QStringLiteral("alpha.gguf"))));
    QVERIFY(QFile::link(
        RealLlamaServer::model(QStringLiteral("tiny-dense")), models.filePath(QStringLiteral("beta.gguf"))));
    RealLlamaServer server({}, m_slots.path(),
        { QStringLiteral("--models-dir"), models.path(), QStringLiteral("-c"), QStringLiteral("4096"),
            QStringLiteral("-np"), QStringLiteral("1"), QStringLiteral("-t"), QStringLiteral("1") });
    QVERIFY2(server.start(), qPrintable(server.log()));
    House house(server.url());
    QVERIFY(house.start());
    const Said said = doctor(house.client(), { { QStringLiteral("verify"), true } });
    QVERIFY2(said.says("models", "passed", "A router with 2 models: alpha, beta (none is loaded)", ""),
        qPrintable(said.text()));
    QVERIFY2(said.says("verify", "warning", "no model of this router has been used", "Send a request"),
        qPrintable(said.text()));
    QVERIFY2(said.says("slot saving", "passed", "can save", ""), qPrintable(said.text()));
    QVERIFY2(said.says("exposure", "passed", "Only this machine", ""), qPrintable(said.text()));
    // A model in use is a server of its own, and can be proved.
    const RpcReply begun = house.client().call(QStringLiteral("request.begin"),
        { { QStringLiteral("session"), QStringLiteral("s") },
            { QStringLiteral("provider"), QStringLiteral("local") },
            { QStringLiteral("model"), QStringLiteral("alpha") } });
    QVERIFY2(begun.ok(), qPrintable(begun.text()));
    const Completion answer = complete(server.port(), Conversation(QStringLiteral("s"), 9, 300).prompt(),
        true, 4, 0, QStringLiteral("alpha"));
    house.client().call(QStringLiteral("request.end"),
        { { QStringLiteral("lease"), begun.result[QStringLiteral("lease")] },
            { QStringLiteral("outcome"), QStringLiteral("ok") }, { QStringLiteral("more"), false },
            { QStringLiteral("usage"), answer.usage() } });
    const Said proved = doctor(house.client(), { { QStringLiteral("verify"), true } });
    QVERIFY2(proved.says("verify", "passed", "supported", ""), qPrintable(proved.text()));
    QCOMPARE(proved.check(QStringLiteral("verify"))[QStringLiteral("server")].toString(),
        QStringLiteral("local/alpha"));
}

void TstE2eDoctor::aRouterForAllThatSavesNothing()
{
    QTemporaryDir models;
    QVERIFY(QFile::link(
        RealLlamaServer::model(QStringLiteral("tiny-dense")), models.filePath(QStringLiteral("alpha.gguf"))));
    RealLlamaServer server({}, {},
        { QStringLiteral("--models-dir"), models.path(), QStringLiteral("--host"),
            QStringLiteral("0.0.0.0") });
    QVERIFY2(server.start(), qPrintable(server.log()));
    House house(server.url());
    QVERIFY(house.start());
    const Said said = doctor(house.client());
    QCOMPARE(said.result(), QStringLiteral("not-ready"));
    QVERIFY2(said.says("slot saving", "failed", "no folder", "--slot-save-path"), qPrintable(said.text()));
    QVERIFY2(said.says("exposure", "warning", "0.0.0.0", "--api-key-file"), qPrintable(said.text()));
}

void TstE2eDoctor::aServerThatNobodyHasUsed()
{
    RealLlamaServer server(QStringLiteral("tiny-dense"), m_slots.path(), StageOptions::plainServer());
    QVERIFY2(server.start(), qPrintable(server.log()));
    House house(server.url());
    QVERIFY(house.start() && house.knows());
    const Said said = doctor(house.client());
    QVERIFY2(said.says("fingerprint", "passed", "first request", ""), qPrintable(said.text()));
}

void TstE2eDoctor::fourUnifiedSlots()
{
    StageOptions options = direct();
    options.serverFlags = QStringList { QStringLiteral("-c"), QStringLiteral("8192"), QStringLiteral("-t"),
        QStringLiteral("1") };
    options.serverConfig = "    mode: managed-slots\n";
    KV_STAGE(options)
    const Said said = doctor(stage().client());
    QCOMPARE(said.result(), QStringLiteral("ready-with-warnings"));
    QVERIFY2(said.says("unified kv", "warning", "4 slots share one pool", "--parallel 4"),
        qPrintable(said.text()));
    QVERIFY2(said.says("idle clearing", "warning", "empties an idle slot", "--no-cache-idle-slots"),
        qPrintable(said.text()));
    const Said proved = doctor(stage().client(), { { QStringLiteral("verify"), true } });
    QVERIFY2(proved.says("verify", "passed", "supported", ""), qPrintable(proved.text()));
}

void TstE2eDoctor::aReadOnlySlotFolder()
{
    // Whoever runs the tests may be root, whom no right stops: the server runs as somebody else then.
    if (::geteuid() != 0) {
        StageOptions options = direct();
        QTemporaryDir folder;
        options.slotFolder = folder.path();
        QVERIFY(QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::ExeOwner));
        KV_STAGE(options)
        const Said said = doctor(stage().client());
        QVERIFY2(said.says("slot folder", "failed", qPrintable(folder.path()), "chmod 700"),
            qPrintable(said.text()));
        return;
    }
    QTemporaryDir mount;
    if (QProcess::execute(QStringLiteral("mount"),
            { QStringLiteral("-t"), QStringLiteral("tmpfs"), QStringLiteral("-o"), QStringLiteral("ro"),
                QStringLiteral("none"), mount.path() })
        != 0) {
        QSKIP("no file system can be mounted read-only here; the judgement itself is tested in "
              "tst_doctorchecks");
    }
    const auto unmount = qScopeGuard([&] { QProcess::execute(QStringLiteral("umount"), { mount.path() }); });
    StageOptions options = direct();
    options.slotFolder = mount.path();
    KV_STAGE(options)
    const Said said = doctor(stage().client(), { { QStringLiteral("verify"), true } });
    QCOMPARE(said.result(), QStringLiteral("not-ready"));
    QVERIFY2(said.says("slot folder", "failed", qPrintable(mount.path()), "--slot-save-path"),
        qPrintable(said.text()));
    QVERIFY(said.says("slot folder", "failed", "read-only", ""));
    endStage();
}

void TstE2eDoctor::aPublicBind()
{
    StageOptions options = direct();
    options.serverFlags += QStringList { QStringLiteral("--host"), QStringLiteral("0.0.0.0") };
    KV_STAGE(options)
    const Said said = doctor(stage().client());
    QVERIFY2(said.says("exposure", "warning", "0.0.0.0", "--host 127.0.0.1"), qPrintable(said.text()));
    QVERIFY(said.says("exposure", "warning", "asks for no key", "--api-key-file"));
}

void TstE2eDoctor::theProofSaysSupported_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("promptCache");
    QTest::newRow("dense") << QStringLiteral("tiny-dense") << false;
    QTest::newRow("dense, with a prompt cache") << QStringLiteral("tiny-dense") << true;
    QTest::newRow("recurrent") << QStringLiteral("tiny-mamba") << false;
}

void TstE2eDoctor::theProofSaysSupported()
{
    QFETCH(const QString, model);
    QFETCH(const bool, promptCache);
    if (const QString why = RealLlamaServer::whyNot(model); !why.isEmpty()) {
        QSKIP(qPrintable(why));
    }
    StageOptions options = direct(model);
    if (promptCache) {
        options.serverFlags = QStringList { QStringLiteral("-np"), QStringLiteral("1"), QStringLiteral("-c"),
            QStringLiteral("8192"), QStringLiteral("-t"), QStringLiteral("1") };
    }
    KV_STAGE(options)
    QElapsedTimer clock;
    clock.start();
    const Said said = doctor(stage().client(), { { QStringLiteral("verify"), true } });
    QVERIFY2(said.says("verify", "passed", "supported", ""), qPrintable(said.text()));
    qInfo().noquote() << "the proof took" << clock.elapsed() << "ms:"
                      << said.check(QStringLiteral("verify continued"))[QStringLiteral("message")].toString();
    const QJsonValue server = stage().status()[QStringLiteral("servers")][0];
    QCOMPARE(server[QStringLiteral("compatibility")].toString(), QStringLiteral("supported"));
    QVERIFY(stage().slot()[QStringLiteral("owner")].toString().isEmpty());
    // What it saved is not there any more.
    for (const QString &file : stage().snapshotFiles()) {
        QVERIFY2(file.section(u' ', 1, 1).toInt() < 100, qPrintable(file));
    }
}

void TstE2eDoctor::theProofAcrossARestart()
{
    KV_STAGE(direct())
    const int id = stage().client().send(QStringLiteral("kv.doctor"),
        { { QStringLiteral("verify"), true }, { QStringLiteral("restart"), true } });
    const auto asks = [&] {
        for (const QJsonObject &one : stage().client().others()) {
            if (one[QStringLiteral("params")][QStringLiteral("name")] == QStringLiteral("verify waiting")) {
                return true;
            }
        }
        return false;
    };
    QVERIFY(QTest::qWaitFor(asks, 60'000));
    QVERIFY2(stage().server().restart(), qPrintable(stage().server().log()));
    const Said said { stage().client().wait(id, 120'000) };
    QVERIFY2(said.says("verify", "passed", "after a restart", ""), qPrintable(said.text()));
    QCOMPARE(stage().status()[QStringLiteral("servers")][0][QStringLiteral("compatibility")].toString(),
        QStringLiteral("supported"));
}

void TstE2eDoctor::anUnsavedSessionIsBack()
{
    KV_STAGE(direct())
    Conversation talk(QStringLiteral("talk"), 21);
    QCOMPARE(stage().turn(talk).outcome(), QStringLiteral("cold"));
    const int held = talk.held();
    const Said said = doctor(stage().client(), { { QStringLiteral("verify"), true } });
    QVERIFY2(said.says("verify", "passed", "supported", ""), qPrintable(said.text()));
    QVERIFY2(said.says("verify owner", "passed", "is back", ""), qPrintable(said.text()));
    const Turn next = stage().turn(talk);
    QVERIFY2(next.outcome() == QStringLiteral("resident") || next.outcome() == QStringLiteral("restored"),
        qPrintable(next.outcome()));
    verifyWarm(next, held, stage().warmReference(talk));
}

void TstE2eDoctor::theProgramShowsIt()
{
    KV_STAGE(direct())
    QProcess program;
    program.start(builtProgram(QStringLiteral("kv-persist")),
        { QStringLiteral("--socket"), stage().daemon().socketPath(), QStringLiteral("doctor"),
            QStringLiteral("--verify") });
    QVERIFY(QTest::qWaitFor([&] { return program.state() == QProcess::NotRunning; }, 60'000));
    const QStringList lines = QString::fromUtf8(program.readAllStandardOutput()).trimmed().split(u'\n');
    QVERIFY2(lines.last() == QStringLiteral("Result: READY"), qPrintable(lines.join(u'\n')));
    QCOMPARE(program.exitCode(), 0);
    QCOMPARE(lines.first(), QStringLiteral("kv-persist"));
    QVERIFY(lines.contains(QStringLiteral("Server local")));
}

QTEST_GUILESS_MAIN(TstE2eDoctor)
#include "tst_e2edoctor.moc"
