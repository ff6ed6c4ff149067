// SPDX-License-Identifier: MIT
#include "backendtesting.h"
#include "fakellamaserver.h"
#include "watcher.h"

#include <QProcess>
#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

/// A router with one model, which is not loaded.
FakeOptions routerWith(const QString &model)
{
    FakeOptions options;
    options.routerModels = QStringList { model };
    return options;
}

ServerEndpoint modelAt(const QUrl &router, const QString &model)
{
    ServerEndpoint endpoint = endpointOf(router);
    endpoint.routerModel = model;
    return endpoint;
}

/// A backend, a watcher of the same server, and what the watcher said.
struct Watched {
    explicit Watched(const ServerEndpoint &endpoint, const ProcessFinder &finder = noProcess())
        : backend(endpoint, nullptr, finder)
        , watcher(endpoint, backend.book())
    {
        watcher.setInterval(5);
        QObject::connect(&watcher, &Watcher::observed, &context, [this](const ServerFacts &facts) {
            seen = facts;
            ++observations;
        });
        QObject::connect(&watcher, &Watcher::lost, &context, [this](const QString &message, bool gone) {
            trouble = message;
            ++losses;
            refused = gone;
        });
    }
    LlamaCppBackend backend;
    Watcher watcher;
    QObject context;
    ServerFacts seen;
    QString trouble;
    int observations = 0;
    int losses = 0;
    bool refused = false;
};

} // namespace

class TestWatcher final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itAsksForPropertiesAndNothingElse();
    void itSharesTheBackendsKnowledge();
    void itNeverWakesASleeperAndSeesItSleep();
    void itSeesARestartAsAnotherBoot();
    void itSeesLossAndReturn();
    void itSeesADifferentNumberOfSlots();
    void loadingAndRightsAreLosses_data();
    void loadingAndRightsAreLosses();
    void anAnswerThatIsNoneIsALoss();
    void aServerThatHangsIsALoss();
    void oneAtATime();
    void aHungOperationDoesNotHinderIt();
    void stoppedItIsSilent();
    void theIntervalIsInForceAtOnce();
    void theEndOfALocalProcessIsToldAtOnce();
    void aRouterIsWatchedByItsListOfModels();
    void anUnloadedModelIsSeen();
    void aModelWhoseProcessFailedIsALoss();
    void aModelLoadedAnewIsAnotherBoot();
    void aModelTheRouterDoesNotKnowIsALoss();
};

void TestWatcher::itAsksForPropertiesAndNothingElse()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    watched.watcher.start();
    QTRY_VERIFY(watched.observations >= 5);
    QCOMPARE(watched.losses, 0);
    QVERIFY(server.calls().size() >= 5);
    for (const FakeCall &call : server.calls()) {
        QCOMPARE(call.method, QByteArray("GET"));
        QCOMPARE(call.path, QStringLiteral("/props"));
    }
    QCOMPARE(watched.seen.boot, server.mediaMarker());
    QCOMPARE(watched.seen.totalSlots, 1);
}

void TestWatcher::itSharesTheBackendsKnowledge()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    watched.watcher.start();
    QTRY_VERIFY(watched.observations > 0);
    QVERIFY(!watched.seen.complete);
    const auto identity = runOp(watched.backend, makeOp(OpKind::Identity));
    QVERIFY(identity->facts.complete);
    QTRY_VERIFY(watched.seen.complete);
    QCOMPARE(watched.seen.compared, identity->facts.compared);
    QCOMPARE(watched.seen.boot, identity->facts.boot);
}

void TestWatcher::itNeverWakesASleeperAndSeesItSleep()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    watched.watcher.start();
    QTRY_VERIFY(watched.observations > 0);
    QVERIFY(!watched.seen.sleeping);
    const QString boot = watched.seen.boot;
    server.sleepNow();
    QTRY_VERIFY(watched.seen.sleeping);
    const int before = watched.observations;
    QTRY_VERIFY(watched.observations > before + 3);
    QVERIFY(server.engine().sleeping());
    QCOMPARE(watched.seen.boot, boot); // the same process
}

void TestWatcher::itSeesARestartAsAnotherBoot()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    QVERIFY(runOp(watched.backend, makeOp(OpKind::Identity))->facts.complete);
    watched.watcher.start();
    QTRY_VERIFY(watched.observations > 0);
    QVERIFY(watched.seen.complete);
    QVERIFY(server.restart()); // in an instant
    QTRY_COMPARE(watched.seen.boot, server.mediaMarker());
    QVERIFY(!watched.seen.complete); // an identity has to be read anew
}

void TestWatcher::itSeesLossAndReturn()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    watched.watcher.start();
    QTRY_VERIFY(watched.observations > 0);
    server.stop();
    QTRY_VERIFY(watched.losses >= 2); // said again as long as it is so
    QVERIFY(!watched.trouble.isEmpty());
    const int before = watched.observations;
    QVERIFY(server.start());
    QTRY_VERIFY(watched.observations > before);
}

void TestWatcher::itSeesADifferentNumberOfSlots()
{
    FakeOptions options;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    watched.watcher.start();
    QTRY_COMPARE(watched.seen.totalSlots, 1);
    options.slotCount = 4;
    options.modelPath = QStringLiteral("/models/other.gguf");
    QVERIFY(server.restartWith(options));
    QTRY_COMPARE(watched.seen.totalSlots, 4);
    QCOMPARE(watched.seen.modelPath, QStringLiteral("/models/other.gguf"));
}

void TestWatcher::loadingAndRightsAreLosses_data()
{
    QTest::addColumn<int>("status");
    for (const int status : { 401, 404, 500, 503 }) {
        QTest::addRow("%d", status) << status;
    }
}

void TestWatcher::loadingAndRightsAreLosses()
{
    QFETCH(const int, status);
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    server.failNext(QStringLiteral("props"), status);
    watched.watcher.start();
    QTRY_COMPARE(watched.losses, 1);
    QVERIFY(watched.trouble.contains(QString::number(status)));
    QTRY_VERIFY(watched.observations > 0);
}

void TestWatcher::anAnswerThatIsNoneIsALoss()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    server.garbageNext(QStringLiteral("props"));
    server.garbageNext(QStringLiteral("props"), "{}");
    watched.watcher.start();
    QTRY_COMPARE(watched.losses, 2);
    QTRY_VERIFY(watched.observations > 0);
}

void TestWatcher::aServerThatHangsIsALoss()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.requestTimeoutMs = 50;
    Watched watched(endpoint);
    server.hangNext(QStringLiteral("props"));
    watched.watcher.start();
    QTRY_VERIFY(watched.losses >= 1);
    QTRY_VERIFY(watched.observations > 0);
}

void TestWatcher::oneAtATime()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    server.hangNext(QStringLiteral("props"));
    watched.watcher.start();
    QTRY_COMPARE(server.calls().size(), std::size_t(1));
    for (int i = 0; i < 5; ++i) {
        watched.watcher.pollNow();
    }
    QTest::qWait(30);
    QCOMPARE(server.calls().size(), std::size_t(1));
}

void TestWatcher::aHungOperationDoesNotHinderIt()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    for (OpId id = 1; id <= 8; ++id) {
        server.hangNext(QStringLiteral("save"));
        watched.backend.start(makeOp(OpKind::Save, id), QStringLiteral("a.bin"));
    }
    QTRY_COMPARE(server.slotCalls().size(), std::size_t(8));
    watched.watcher.start();
    QTRY_VERIFY(watched.observations >= 3);
}

void TestWatcher::stoppedItIsSilent()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    server.holdNext(QStringLiteral("props"), 1500);
    watched.watcher.start();
    QTRY_COMPARE(server.calls().size(), std::size_t(1));
    watched.watcher.stop();
    watched.watcher.pollNow();
    QTest::qWait(1700);
    QCOMPARE(watched.observations + watched.losses, 0);
    QCOMPARE(server.calls().size(), std::size_t(1));
    watched.watcher.start();
    QTRY_VERIFY(watched.observations > 0);
}

void TestWatcher::theEndOfALocalProcessIsToldAtOnce()
{
#ifndef Q_OS_LINUX
    QSKIP("only Linux tells of the end of a process that is not a child");
#endif
    QProcess process;
    process.start(QStringLiteral("sleep"), { QStringLiteral("1000") });
    QVERIFY(process.waitForStarted());
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()), [&process](quint16) {
        LocalProcess found;
        found.pid = process.processId();
        found.argv = QStringList { QStringLiteral("llama-server") };
        return std::optional<LocalProcess>(found);
    });
    watched.watcher.setInterval(3'600'000);
    watched.watcher.start();
    QTRY_COMPARE(watched.observations, 1);
    process.kill();
    QTRY_COMPARE(watched.losses, 1);
    QVERIFY(watched.refused);
    QVERIFY2(watched.trouble.contains(QStringLiteral("has ended")), qPrintable(watched.trouble));
    QTRY_COMPARE(watched.observations, 2); // and who is there now is asked
    watched.watcher.stop();
    process.waitForFinished();
}

void TestWatcher::theIntervalIsInForceAtOnce()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Watched watched(endpointOf(server.url()));
    watched.watcher.setInterval(3'600'000);
    watched.watcher.start();
    QTRY_COMPARE(watched.observations, 1);
    QTest::qWait(30);
    QCOMPARE(watched.observations, 1);
    watched.watcher.setInterval(1);
    QTRY_VERIFY(watched.observations > 1);
}

void TestWatcher::aRouterIsWatchedByItsListOfModels()
{
    const QString model = QStringLiteral("tiny");
    FakeLlamaServer server(routerWith(model));
    QVERIFY(server.start());
    server.loadModel(model);
    Watched watched(modelAt(server.url(), model));
    QVERIFY(runOp(watched.backend, makeOp(OpKind::Identity))->facts.complete);
    server.clearCalls();
    watched.watcher.start();
    QTRY_VERIFY(watched.observations >= 3);
    for (const FakeCall &call : server.calls()) {
        QCOMPARE(call.path, QStringLiteral("/models"));
        QVERIFY(!call.query.hasQueryItem(QStringLiteral("model")));
    }
    QVERIFY(watched.seen.complete && watched.seen.router && watched.seen.modelLoaded);
}

void TestWatcher::anUnloadedModelIsSeen()
{
    const QString model = QStringLiteral("tiny");
    FakeLlamaServer server(routerWith(model));
    QVERIFY(server.start());
    server.loadModel(model);
    Watched watched(modelAt(server.url(), model));
    QVERIFY(runOp(watched.backend, makeOp(OpKind::Identity))->facts.complete);
    watched.watcher.start();
    QTRY_VERIFY(watched.seen.complete);
    server.unloadModel(model);
    QTRY_VERIFY(!watched.seen.modelLoaded);
    QVERIFY(watched.seen.boot.isEmpty());
    const int before = watched.observations;
    QTRY_VERIFY(watched.observations > before + 2);
    QVERIFY(!watched.seen.modelLoaded); // and watching did not load it
}

void TestWatcher::aModelWhoseProcessFailedIsALoss()
{
    const QString model = QStringLiteral("tiny");
    FakeLlamaServer server(routerWith(model));
    QVERIFY(server.start());
    server.loadModel(model);
    Watched watched(modelAt(server.url(), model));
    QVERIFY(runOp(watched.backend, makeOp(OpKind::Identity))->facts.complete);
    watched.watcher.start();
    QTRY_VERIFY(watched.seen.complete);
    QCOMPARE(watched.losses, 0);
    server.failModel(model);
    QTRY_COMPARE(watched.losses, 1);
    QVERIFY(watched.refused && watched.trouble.contains(model));
    const int before = watched.observations;
    QTRY_VERIFY(watched.observations > before + 2);
    QVERIFY(!watched.seen.modelLoaded);
    QCOMPARE(watched.losses, 1); // it is told once
}

void TestWatcher::aModelLoadedAnewIsAnotherBoot()
{
    const QString model = QStringLiteral("tiny");
    FakeLlamaServer server(routerWith(model));
    QVERIFY(server.start());
    server.loadModel(model);
    Watched watched(modelAt(server.url(), model));
    const QString boot = runOp(watched.backend, makeOp(OpKind::Identity))->facts.boot;
    watched.watcher.start();
    QTRY_COMPARE(watched.seen.boot, boot);
    server.loadModel(model); // gone and back between two polls: only its port tells
    QTRY_VERIFY(watched.seen.boot.isEmpty());
    const auto after = runOp(watched.backend, makeOp(OpKind::Identity, 2));
    QVERIFY(after->facts.complete && after->facts.boot != boot);
}

void TestWatcher::aModelTheRouterDoesNotKnowIsALoss()
{
    FakeLlamaServer server(routerWith(QStringLiteral("tiny")));
    QVERIFY(server.start());
    Watched watched(modelAt(server.url(), QStringLiteral("other")));
    watched.watcher.start();
    QTRY_VERIFY(watched.losses > 0);
    QVERIFY(watched.trouble.contains(QStringLiteral("other")));
}

QTEST_GUILESS_MAIN(TestWatcher)
#include "tst_watcher.moc"
