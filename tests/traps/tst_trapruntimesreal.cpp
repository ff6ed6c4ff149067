// SPDX-License-Identifier: MIT
// Which model, which process and what kind of server, with a real one. Numbers as in README.md.
#include "e2etest.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

using namespace kv::test;

class TstTrapRuntimesReal final : public E2eTest {
    Q_OBJECT

private Q_SLOTS:
    void trap05_anotherModelAtTheSamePath();
    void trap05_anotherModelAtAnotherPath();
    void trap07_aSleepingServerIsWatchedAndNotWoken();
    void trap14_aServerStartedWithoutNpKeepsItsSessions();
    void trap33_aModelFileReplacedUnderARunningServer();
    void cleanup()
    {
        if (!m_models.isEmpty()) {
            qunsetenv("KV_PERSIST_TEST_MODELS");
            m_models.clear();
        }
        E2eTest::endStage();
    }

private:
    /// A folder of models of its own, in which the file `swap` is one of the real ones.
    void useModels(const QTemporaryDir &folder, const QStringList &names)
    {
        for (const QString &name : names) {
            QVERIFY(QFile::copy(RealLlamaServer::model(name), file(folder, name)));
        }
        QVERIFY(QFile::copy(RealLlamaServer::model(names.first()), file(folder, QStringLiteral("swap"))));
        m_models = folder.path();
        qputenv("KV_PERSIST_TEST_MODELS", m_models.toUtf8());
    }
    static QString file(const QTemporaryDir &folder, const QString &name)
    {
        return folder.filePath(name + QStringLiteral(".gguf"));
    }
    /// As a download does it: written beside, then moved over the old one.
    static void replace(const QTemporaryDir &folder, const QString &by)
    {
        const QString beside = folder.filePath(QStringLiteral("part"));
        QVERIFY(QFile::copy(file(folder, by), beside));
        QFile::remove(file(folder, QStringLiteral("swap")));
        QVERIFY(QFile::rename(beside, file(folder, QStringLiteral("swap"))));
    }
    /// The very file, with its times.
    static void bringBack(const QTemporaryDir &folder)
    {
        QFile::remove(file(folder, QStringLiteral("swap")));
        QVERIFY(QFile::rename(folder.filePath(QStringLiteral("kept")), file(folder, QStringLiteral("swap"))));
    }
    static void putAway(const QTemporaryDir &folder)
    {
        QVERIFY(QFile::rename(file(folder, QStringLiteral("swap")), folder.filePath(QStringLiteral("kept"))));
    }
    void restartServer()
    {
        stage().server().kill();
        QVERIFY(stage().server().start());
        QVERIFY(stage().waitUnowned());
        QVERIFY(stage().waitHealthy());
    }
    QJsonArray manifests(const QString &session)
    {
        return stage()
            .client()
            .call(QStringLiteral("kv.get"), { { QStringLiteral("session"), session } })
            .result[QStringLiteral("manifests")]
            .toArray();
    }
    QString m_models;
};

void TstTrapRuntimesReal::trap05_anotherModelAtTheSamePath()
{
    const QTemporaryDir folder;
    useModels(folder, { QStringLiteral("tiny-dense"), QStringLiteral("tiny-dense-b") });
    StageOptions options;
    options.model = QStringLiteral("swap");
    options.direct = true; // its process is found, and with it the model's file
    KV_STAGE(options);
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    const int held = a.held();
    stage().server().kill();
    putAway(folder);
    replace(folder, QStringLiteral("tiny-dense-b"));
    restartServer();
    const Turn other = stage().turn(a);
    QVERIFY2(other.outcome() == QStringLiteral("cold"), qPrintable(other.begin.text()));
    QCOMPARE(other.answer.cachedTokens, 0);
    const QString reason = other.begin.result[QStringLiteral("reason")].toString();
    QVERIFY2(reason.contains(QStringLiteral("MODEL_CHANGED")), qPrintable(reason));
    QCOMPARE(manifests(a.session())[0][QStringLiteral("state")].toString(), QStringLiteral("hidden"));
    stage().server().kill();
    bringBack(folder);
    restartServer();
    const Turn back = stage().turn(a);
    QVERIFY2(back.outcome() == QStringLiteral("restored"), qPrintable(back.begin.text()));
    QVERIFY(back.answer.cachedTokens * 10 >= held * 9);
}

void TstTrapRuntimesReal::trap05_anotherModelAtAnotherPath()
{
    StageOptions options;
    options.direct = true;
    KV_STAGE(options);
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    const int held = a.held();
    stage().server().setModel(QStringLiteral("tiny-dense-b"));
    restartServer();
    const Turn other = stage().turn(a);
    QVERIFY2(other.outcome() == QStringLiteral("cold"), qPrintable(other.begin.text()));
    QCOMPARE(other.answer.cachedTokens, 0);
    const QString reason = other.begin.result[QStringLiteral("reason")].toString();
    QVERIFY2(reason.contains(QStringLiteral("MODEL_CHANGED")), qPrintable(reason));
    stage().server().setModel(QStringLiteral("tiny-dense"));
    restartServer();
    const Turn back = stage().turn(a);
    QVERIFY2(back.outcome() == QStringLiteral("restored"), qPrintable(back.begin.text()));
    QVERIFY(back.answer.cachedTokens * 10 >= held * 9);
}

void TstTrapRuntimesReal::trap07_aSleepingServerIsWatchedAndNotWoken()
{
    StageOptions options;
    options.serverFlags << QStringLiteral("--sleep-idle-seconds") << QStringLiteral("2");
    options.config = "checkpoint: { idleMs: 500, minTokens: 1 }\n";
    KV_STAGE(options);
    Conversation a(QStringLiteral("session-a"), 1);
    stage().turn(a);
    const auto sleeps = [this] {
        const QJsonObject server = stage().status()[QStringLiteral("servers")][0].toObject();
        return server[QStringLiteral("backend")][QStringLiteral("state")] == QStringLiteral("sleeping");
    };
    QVERIFY2(QTest::qWaitFor(sleeps, 30000), qPrintable(stage().proxy().transcript()));
    QCOMPARE(stage().snapshotFiles().size(), 1); // the idle save came before
    stage().proxy().forget();
    QTest::qWait(6000);
    QVERIFY2(stage().proxy().slotCalls().isEmpty(), qPrintable(stage().proxy().transcript()));
    QVERIFY(sleeps());
    const int held = a.held();
    const Turn turn = stage().turn(a);
    QVERIFY2(turn.outcome() == QStringLiteral("restored"), qPrintable(turn.begin.text()));
    verifyWarm(turn, held, stage().warmReference(a));
}

void TstTrapRuntimesReal::trap14_aServerStartedWithoutNpKeepsItsSessions()
{
    StageOptions options;
    options.serverFlags
        = { QStringLiteral("-c"), QStringLiteral("16384"), QStringLiteral("-t"), QStringLiteral("1") };
    options.pins = true; // else the server may use slots that are not managed
    KV_STAGE(options);
    const auto slotCount = stage().status()[QStringLiteral("servers")][0][QStringLiteral("slots")];
    QVERIFY(slotCount.isArray());
    std::vector<Conversation> sessions;
    for (quint32 i = 0; i < 3; ++i) {
        sessions.emplace_back(QStringLiteral("session-%1").arg(i), i + 1);
    }
    for (int round = 0; round < 3; ++round) {
        for (Conversation &each : sessions) {
            const int held = each.held();
            const Turn turn = stage().turn(each);
            QCOMPARE(turn.answer.status, 200);
            QVERIFY2(round == 0 || turn.answer.cachedTokens * 10 >= held * 9, qPrintable(turn.begin.text()));
        }
    }
    // And after a restart, when only what was saved is left.
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    stage().stopServer();
    QVERIFY(stage().startServer());
    QVERIFY(stage().waitUnowned());
    QVERIFY(stage().waitHealthy());
    for (Conversation &each : sessions) {
        const int held = each.held();
        const Turn turn = stage().turn(each);
        QVERIFY2(turn.outcome() == QStringLiteral("restored"), qPrintable(turn.begin.text()));
        QVERIFY2(turn.answer.cachedTokens * 10 >= held * 9, qPrintable(turn.begin.text()));
    }
    const QByteArray advice = QJsonDocument(stage().status()).toJson();
    QVERIFY2(advice.contains("--parallel 1") || advice.contains("-np"), advice.constData());
}

void TstTrapRuntimesReal::trap33_aModelFileReplacedUnderARunningServer()
{
    const QTemporaryDir folder;
    useModels(folder, { QStringLiteral("tiny-dense"), QStringLiteral("tiny-dense-b") });
    StageOptions options;
    options.model = QStringLiteral("swap");
    options.direct = true;
    KV_STAGE(options);
    Conversation a(QStringLiteral("session-a"), 1);
    Conversation b(QStringLiteral("session-b"), 2);
    stage().turn(a);
    QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
    const int held = a.held();
    stage().turn(a);
    putAway(folder);
    replace(folder, QStringLiteral("tiny-dense-b")); // what runs is the old one
    const QStringList before = stage().snapshotFiles();
    QCOMPARE(before.size(), 1);
    QTest::qWait(5500); // the last sign of life counts no more: it is looked at again
    for (int i = 0; i < 2; ++i) {
        QVERIFY(stage().turn(b).outcome() != QStringLiteral("restored"));
        QVERIFY(stage().turn(a).outcome() != QStringLiteral("restored"));
    }
    stage().client().call(QStringLiteral("kv.flush"));
    QCOMPARE(stage().snapshotFiles(), before); // not one was saved
    const QByteArray said = QJsonDocument(stage().status()).toJson();
    QVERIFY2(said.contains("changed after the server had loaded it"), said.constData());
    restartServer(); // now it is the other one
    const Turn other = stage().turn(a);
    QVERIFY2(other.outcome() == QStringLiteral("cold"), qPrintable(other.begin.text()));
    QCOMPARE(other.answer.cachedTokens, 0);
    stage().server().kill();
    bringBack(folder);
    restartServer();
    const Turn back = stage().turn(a);
    QVERIFY2(back.outcome() == QStringLiteral("restored"), qPrintable(back.begin.text()));
    QVERIFY(back.answer.cachedTokens * 10 >= held * 9);
}

QTEST_GUILESS_MAIN(TstTrapRuntimesReal)
#include "tst_trapruntimesreal.moc"
