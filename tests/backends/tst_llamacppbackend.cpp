// SPDX-License-Identifier: MIT
// What the backend asks a server that behaves: every operation, and exactly which calls it makes.
#include "backendtesting.h"
#include "fakellamaserver.h"
#include "fingerprint.h"

#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {
const QString c_file = QStringLiteral("0123456789abcdef-1.bin");

QStringList pathsOf(const FakeLlamaServer &server)
{
    QStringList out;
    for (const FakeCall &call : server.calls()) {
        out.append(QString::fromLatin1(call.method) + u' ' + call.path);
    }
    out.sort();
    return out;
}

void infer(FakeLlamaServer &server, const QByteArray &prompt, int slot = 0)
{
    FakeCompletion request;
    request.prompt = prompt;
    request.predict = 1;
    request.slot = slot;
    server.engine().completeNow(request);
}

Op lookThatMayWake(OpId id)
{
    Op op = makeOp(OpKind::Look, id);
    op.mayWake = true;
    return op;
}

} // namespace

class TestLlamaCppBackend final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void identityAsksEverySourceOnceAndOnlyAdaptersAgain();
    void identityTellsTheFields();
    void adaptersChangedAtRunTimeAreSeen();
    void aRestartIsANewBootAndAsksAgain();
    void identityIsIncompleteUntilEverySourceAnswered();
    void aBuildWithoutTheListsIsCompleteToo();
    void aBuildWithoutMarkerIsFollowedByItsMetrics();
    void aBuildWithoutMarkerIsFollowedByItsSlots();
    void lookListsTheSlots();
    void lookWithoutTheRightToWakeLeavesASleeperAsleep();
    void lookWithTheRightWakesAndReadsTheIdentityAfterwards();
    void identityOfASleeperWakesNobody();
    void lookOnAServerThatHidesItsSlotsIsStillAnIdentity();
    void probeAsksForTheSlotsOfAnAwakeServer();
    void saveRestoreAndErase();
    void onePostForEachOperation();
    void anEmptySaveIsReportedAsItIs();
    void everyPostHasAConnectionOfItsOwn();
    void theKeyIsSentWithEveryCall();
    void aBaseUrlWithAPathOrV1IsUnderstood();
    void routerCallsNameTheModel();
    void routerModelThatIsNotLoadedIsLoadedOnlyForALookThatMay();
    void aRouterWithoutAModelNameSaysSo();
    void manyHungOperationsDoNotBlockOthers();
    void destroyingTheBackendDropsWhatRuns();
    void operationsOfOthersAreRefused();
    void namesThatAreNoNamesAreNeverSent_data();
    void namesThatAreNoNamesAreNeverSent();
};

void TestLlamaCppBackend::identityAsksEverySourceOnceAndOnlyAdaptersAgain()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto first = runOp(backend, makeOp(OpKind::Identity));
    QVERIFY(first);
    QCOMPARE(nameOf(first->failure), nameOf(OpFailure::None));
    QVERIFY(first->facts.complete);
    QCOMPARE(pathsOf(server),
        (QStringList { QStringLiteral("GET /lora-adapters"), QStringLiteral("GET /props"),
            QStringLiteral("GET /v1/models") }));
    server.clearCalls();
    const auto second = runOp(backend, makeOp(OpKind::Identity, 2));
    QVERIFY(second && second->facts.complete);
    QCOMPARE(pathsOf(server),
        (QStringList { QStringLiteral("GET /lora-adapters"), QStringLiteral("GET /props") }));
    QCOMPARE(second->facts.compared, first->facts.compared);
}

void TestLlamaCppBackend::identityTellsTheFields()
{
    FakeOptions options;
    options.slotCount = 2;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()), nullptr, noProcess());
    const auto reply = runOp(backend, makeOp(OpKind::Identity));
    QVERIFY(reply);
    const ServerFacts &facts = reply->facts;
    QCOMPARE(facts.boot, server.mediaMarker());
    QCOMPARE(facts.totalSlots, 2);
    QCOMPARE(facts.slotContext, 8192);
    QCOMPARE(facts.build, QStringLiteral("b11669-Debian"));
    QCOMPARE(facts.alias, QStringLiteral("tiny"));
    QVERIFY(!facts.sleeping && !facts.router && facts.modelLoaded && !facts.local);
    QCOMPARE(fieldOf(facts.compared, field::backend), QStringLiteral("llama.cpp"));
    QCOMPARE(fieldOf(facts.compared, field::modelPath), QStringLiteral("/models/tiny.gguf"));
    QCOMPARE(fieldOf(facts.compared, field::nParams), QStringLiteral("23974400"));
    QCOMPARE(fieldOf(facts.compared, field::nCtxTrain), QStringLiteral("32768"));
    QCOMPARE(fieldOf(facts.compared, field::lora), QStringLiteral("none"));
    QVERIFY(fieldOf(facts.compared, field::typeK).isEmpty()); // another machine: not known
    for (const auto &[name, value] : facts.compared) {
        QVERIFY2(!value.contains(server.mediaMarker()), qPrintable(name)); // never in a fingerprint
    }
}

void TestLlamaCppBackend::adaptersChangedAtRunTimeAreSeen()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto before = runOp(backend, makeOp(OpKind::Identity));
    server.setLora(R"([{"id":0,"path":"a.gguf","scale":0.5}])");
    const auto after = runOp(backend, makeOp(OpKind::Identity, 2));
    QCOMPARE(after->facts.boot, before->facts.boot);
    QCOMPARE(fieldOf(before->facts.compared, field::lora), QStringLiteral("none"));
    QCOMPARE(fieldOf(after->facts.compared, field::lora), QStringLiteral("a.gguf=0.5"));
}

void TestLlamaCppBackend::aRestartIsANewBootAndAsksAgain()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto before = runOp(backend, makeOp(OpKind::Identity));
    FakeOptions other;
    other.modelPath = QStringLiteral("/models/other.gguf");
    QVERIFY(server.restartWith(other));
    server.clearCalls();
    const auto after = runOp(backend, makeOp(OpKind::Identity, 2));
    QVERIFY(after->facts.complete);
    QVERIFY(after->facts.boot != before->facts.boot);
    QCOMPARE(fieldOf(after->facts.compared, field::modelPath), QStringLiteral("/models/other.gguf"));
    QCOMPARE(server.callsTo(QStringLiteral("/v1/models")).size(), std::size_t(1));
}

void TestLlamaCppBackend::identityIsIncompleteUntilEverySourceAnswered()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    server.failNext(QStringLiteral("models"), 500);
    const auto first = runOp(backend, makeOp(OpKind::Identity));
    QCOMPARE(nameOf(first->failure), nameOf(OpFailure::ServerError));
    QVERIFY(!first->facts.complete);
    const auto second = runOp(backend, makeOp(OpKind::Identity, 2));
    QCOMPARE(nameOf(second->failure), nameOf(OpFailure::None));
    QVERIFY(second->facts.complete);
    server.dropBeforeNext(QStringLiteral("lora")); // Qt asks a GET again by itself, so both are dropped
    server.dropBeforeNext(QStringLiteral("lora"));
    server.dropBeforeNext(QStringLiteral("lora"));
    const auto third = runOp(backend, makeOp(OpKind::Identity, 3));
    QCOMPARE(nameOf(third->failure), nameOf(OpFailure::ConnectionLost));
    QVERIFY(third->facts.complete); // once known, known for the boot
}

void TestLlamaCppBackend::aBuildWithoutTheListsIsCompleteToo()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    server.failNext(QStringLiteral("models"), 404);
    server.failNext(QStringLiteral("lora"), 501);
    const auto reply = runOp(backend, makeOp(OpKind::Identity));
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::None));
    QVERIFY(reply->facts.complete);
    QVERIFY(fieldOf(reply->facts.compared, field::nParams).isEmpty());
}

void TestLlamaCppBackend::aBuildWithoutMarkerIsFollowedByItsMetrics()
{
    FakeOptions options;
    options.hasMarker = false;
    options.processStart = QStringLiteral("1700000000");
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()), nullptr, noProcess());
    const auto first = runOp(backend, makeOp(OpKind::Identity));
    QVERIFY(first->facts.complete);
    QCOMPARE(first->facts.boot, QStringLiteral("start-1700000000"));
    QCOMPARE(runOp(backend, makeOp(OpKind::Identity, 2))->facts.boot, first->facts.boot);
    options.processStart = QStringLiteral("1700000001");
    QVERIFY(server.restartWith(options));
    const auto after = runOp(backend, makeOp(OpKind::Identity, 3));
    QVERIFY(after->facts.complete);
    QCOMPARE(after->facts.boot, QStringLiteral("start-1700000001"));
}

void TestLlamaCppBackend::aBuildWithoutMarkerIsFollowedByItsSlots()
{
    FakeOptions options;
    options.hasMarker = false;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()), nullptr, noProcess());
    infer(server, QByteArray(100, 'a'));
    const auto first = runOp(backend, makeOp(OpKind::Look));
    QVERIFY(first->facts.complete);
    QVERIFY(!first->facts.boot.isEmpty());
    QCOMPARE(runOp(backend, makeOp(OpKind::Look, 2))->facts.boot, first->facts.boot);
    QVERIFY(server.restart());
    const auto noticed = runOp(backend, makeOp(OpKind::Look, 3));
    QVERIFY(noticed->facts.boot != first->facts.boot || !noticed->facts.complete);
    const auto after = runOp(backend, makeOp(OpKind::Look, 4));
    QVERIFY(after->facts.complete);
    QVERIFY(after->facts.boot != first->facts.boot);
}

void TestLlamaCppBackend::lookListsTheSlots()
{
    FakeOptions options;
    options.slotCount = 2;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    infer(server, QByteArray(100, 'a'), 1);
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto reply = runOp(backend, makeOp(OpKind::Look));
    QVERIFY(reply && reply->slotsListed);
    QCOMPARE(reply->slotList.size(), std::size_t(2));
    QVERIFY(!reply->slotList.at(0).promptTokens);
    QCOMPARE(reply->slotList.at(1).promptTokens, std::optional<qint64>(100));
    QVERIFY(reply->slotList.at(1).idTask);
    QVERIFY(reply->facts.complete);
    QCOMPARE(server.callsTo(QStringLiteral("/slots")).size(), std::size_t(1));
    QVERIFY(server.slotCalls().empty());
}

void TestLlamaCppBackend::lookWithoutTheRightToWakeLeavesASleeperAsleep()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.sleepNow();
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto reply = runOp(backend, makeOp(OpKind::Look));
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::None));
    QVERIFY(reply->facts.sleeping && !reply->slotsListed);
    QVERIFY(!reply->slotsMessage.isEmpty());
    QVERIFY(server.engine().sleeping());
    QVERIFY(server.callsTo(QStringLiteral("/slots")).empty());
    const auto probe = runOp(backend, makeOp(OpKind::Probe, 2));
    QCOMPARE(nameOf(probe->failure), nameOf(OpFailure::None));
    QVERIFY(server.engine().sleeping());
}

void TestLlamaCppBackend::lookWithTheRightWakesAndReadsTheIdentityAfterwards()
{
    FakeOptions options;
    options.loadMs = 30;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    server.sleepNow();
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto reply = runOp(backend, lookThatMayWake(1));
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::None));
    QVERIFY(reply->slotsListed);
    QVERIFY(reply->facts.sleeping); // as it was found: what the slots held is gone
    QVERIFY(reply->facts.complete);
    QVERIFY(!server.engine().sleeping());
    QCOMPARE(server.callsTo(QStringLiteral("/slots")).size(), std::size_t(1));
    const auto again = runOp(backend, lookThatMayWake(2));
    QVERIFY(!again->facts.sleeping);
}

// GET /lora-adapters wakes a sleeper too (measured).
void TestLlamaCppBackend::identityOfASleeperWakesNobody()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    server.sleepNow();
    const auto fresh = runOp(backend, makeOp(OpKind::Identity));
    QVERIFY(server.engine().sleeping());
    QVERIFY(!fresh->facts.complete); // the adapters are not known
    server.engine().wake();
    QVERIFY(runOp(backend, makeOp(OpKind::Identity, 2))->facts.complete);
    server.sleepNow();
    const auto known = runOp(backend, makeOp(OpKind::Identity, 3));
    QVERIFY(server.engine().sleeping());
    QVERIFY(known->facts.complete && known->facts.sleeping);
}

void TestLlamaCppBackend::lookOnAServerThatHidesItsSlotsIsStillAnIdentity()
{
    FakeOptions options;
    options.slotsEndpoint = false;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto look = runOp(backend, makeOp(OpKind::Look));
    QCOMPARE(nameOf(look->failure), nameOf(OpFailure::None));
    QVERIFY(look->facts.complete && !look->slotsListed);
    QCOMPARE(nameOf(look->slotsFailure), nameOf(OpFailure::Unsupported));
    QVERIFY(look->slotsMessage.contains(QStringLiteral("--slots")));
    const auto probe = runOp(backend, makeOp(OpKind::Probe, 2));
    QCOMPARE(nameOf(probe->failure), nameOf(OpFailure::Unsupported));
}

void TestLlamaCppBackend::probeAsksForTheSlotsOfAnAwakeServer()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto reply = runOp(backend, makeOp(OpKind::Probe));
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::None));
    QVERIFY(reply->slotsListed);
    for (const FakeCall &call : server.calls()) {
        QCOMPARE(call.method, QByteArray("GET"));
    }
}

void TestLlamaCppBackend::saveRestoreAndErase()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    infer(server, QByteArray(100, 'a'));
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto saved = runOp(backend, makeOp(OpKind::Save), c_file);
    QCOMPARE(nameOf(saved->failure), nameOf(OpFailure::None));
    QCOMPARE(saved->tokens, 100);
    QCOMPARE(saved->bytes, 436);
    QCOMPARE(saved->serverMs, 0.83);
    QCOMPARE(saved->httpStatus, 200);
    QVERIFY(saved->wallMs > 0);
    const auto erased = runOp(backend, makeOp(OpKind::Erase, 2));
    QCOMPARE(erased->tokens, 100);
    QCOMPARE(erased->bytes, -1);
    const auto restored = runOp(backend, makeOp(OpKind::Restore, 3), c_file);
    QCOMPARE(nameOf(restored->failure), nameOf(OpFailure::None));
    QCOMPARE(restored->tokens, 100);
    QCOMPARE(restored->bytes, 436);
    const auto calls = server.slotCalls();
    QCOMPARE(calls.size(), std::size_t(3));
    QCOMPARE(calls.at(0).path, QStringLiteral("/slots/0"));
    QCOMPARE(calls.at(0).action(), QStringLiteral("save"));
    QCOMPARE(calls.at(0).body, QByteArray(R"({"filename":"0123456789abcdef-1.bin"})"));
    QCOMPARE(calls.at(1).action(), QStringLiteral("erase"));
    QCOMPARE(calls.at(2).action(), QStringLiteral("restore"));
    QCOMPARE(server.calls().size(), std::size_t(3)); // and nothing else was asked
}

// Qt would send a POST again when the connection drops without an answer.
void TestLlamaCppBackend::onePostForEachOperation()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    infer(server, QByteArray(100, 'a'));
    LlamaCppBackend backend(endpointOf(server.url()));
    OpId id = 0;
    for (const OpKind kind : { OpKind::Save, OpKind::Restore, OpKind::Erase }) {
        for (const bool carriedOut : { true, false }) {
            for (const bool warm : { true, false }) { // also on a connection that was used before
                if (warm) {
                    QVERIFY(runOp(backend, makeOp(OpKind::Save, ++id), c_file));
                }
                server.clearCalls();
                const QString action = kind == OpKind::Save ? QStringLiteral("save")
                    : kind == OpKind::Restore               ? QStringLiteral("restore")
                                                            : QStringLiteral("erase");
                carriedOut ? server.dropNext(action) : server.dropBeforeNext(action);
                const auto reply = runOp(backend, makeOp(kind, ++id), c_file);
                QVERIFY(reply);
                QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::ConnectionLost));
                QTest::qWait(20); // a second one would come at once
                QCOMPARE(server.slotCalls().size(), std::size_t(1));
            }
        }
    }
}

void TestLlamaCppBackend::anEmptySaveIsReportedAsItIs()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto saved = runOp(backend, makeOp(OpKind::Save), c_file);
    QCOMPARE(nameOf(saved->failure), nameOf(OpFailure::None));
    QCOMPARE(saved->tokens, 0);
    QCOMPARE(saved->bytes, 36);
}

void TestLlamaCppBackend::everyPostHasAConnectionOfItsOwn()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    for (OpId id = 1; id <= 3; ++id) {
        QVERIFY(runOp(backend, makeOp(OpKind::Erase, id)));
    }
    QCOMPARE(server.connectionsSeen(), 3);
}

void TestLlamaCppBackend::theKeyIsSentWithEveryCall()
{
    FakeOptions options;
    options.apiKey = "sekret";
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url(), "sekret"));
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Look))->failure), nameOf(OpFailure::None));
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Erase, 2))->failure), nameOf(OpFailure::None));
    for (const FakeCall &call : server.calls()) {
        QCOMPARE(call.authorization, QByteArray("Bearer sekret"));
    }
    for (const QByteArray &key : { QByteArray(), QByteArray("wrong") }) {
        LlamaCppBackend other(endpointOf(server.url(), key));
        for (const OpKind kind : { OpKind::Look, OpKind::Save }) {
            const auto reply = runOp(other, makeOp(kind, 3), c_file);
            QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::Unauthorized));
            QVERIFY(reply->message.contains(QStringLiteral("apiKeyFile")));
            QVERIFY(!reply->message.contains(QStringLiteral("wrong")));
        }
    }
}

void TestLlamaCppBackend::aBaseUrlWithAPathOrV1IsUnderstood()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    for (const QString &suffix : { QStringLiteral("/"), QStringLiteral("/v1"), QStringLiteral("/v1/") }) {
        LlamaCppBackend backend(endpointOf(QUrl(server.url().toString() + suffix)));
        QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Erase))->failure), nameOf(OpFailure::None));
    }
    LlamaCppBackend prefixed(endpointOf(QUrl(server.url().toString() + QStringLiteral("/llm/"))));
    server.clearCalls();
    QVERIFY(runOp(prefixed, makeOp(OpKind::Erase)));
    QCOMPARE(server.calls().at(0).path, QStringLiteral("/llm/slots/0"));
}

void TestLlamaCppBackend::routerCallsNameTheModel()
{
    const QString model = QStringLiteral("org/tiny model+q4");
    FakeOptions options;
    options.routerModels = QStringList { QStringLiteral("other"), model };
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    server.loadModel(model);
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.routerModel = model;
    LlamaCppBackend backend(endpoint, nullptr, noProcess());
    const auto look = runOp(backend, makeOp(OpKind::Look));
    QCOMPARE(nameOf(look->failure), nameOf(OpFailure::None));
    QVERIFY(look->facts.router && look->facts.modelLoaded && look->facts.complete && look->slotsListed);
    QCOMPARE(fieldOf(look->facts.compared, field::streams), QStringLiteral("1")); // of its command line
    for (const FakeCall &call : server.calls()) {
        if (call.path == QStringLiteral("/models")) {
            continue;
        }
        QCOMPARE(call.query.queryItemValue(QStringLiteral("model"), QUrl::FullyDecoded), model);
        QCOMPARE(call.query.queryItemValue(QStringLiteral("autoload")), QStringLiteral("0"));
    }
    const auto saved = runOp(backend, makeOp(OpKind::Save, 2), c_file);
    QCOMPARE(nameOf(saved->failure), nameOf(OpFailure::None));
    const auto erased = runOp(backend, makeOp(OpKind::Erase, 3));
    QCOMPARE(nameOf(erased->failure), nameOf(OpFailure::None));
    for (const FakeCall &call : server.slotCalls()) {
        QCOMPARE(call.json().value(QStringLiteral("model")).toString(),
            model); // in the body: the query is not seen
        QVERIFY(!call.query.hasQueryItem(QStringLiteral("model")));
    }
}

void TestLlamaCppBackend::routerModelThatIsNotLoadedIsLoadedOnlyForALookThatMay()
{
    const QString model = QStringLiteral("tiny");
    FakeOptions options;
    options.routerModels = QStringList { model };
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.routerModel = model;
    LlamaCppBackend backend(endpoint, nullptr, noProcess());
    for (const OpKind kind : { OpKind::Identity, OpKind::Look, OpKind::Probe }) {
        const auto reply = runOp(backend, makeOp(kind));
        QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::None));
        QVERIFY(reply->facts.router && !reply->facts.modelLoaded && reply->facts.boot.isEmpty());
        QVERIFY(!reply->slotsListed && !reply->facts.complete);
    }
    for (const FakeCall &call : server.calls()) {
        QCOMPARE(call.query.queryItemValue(QStringLiteral("autoload")), QStringLiteral("0"));
    }
    const auto look = runOp(backend, lookThatMayWake(5));
    QCOMPARE(nameOf(look->failure), nameOf(OpFailure::None));
    QVERIFY(look->slotsListed && look->facts.modelLoaded && look->facts.complete);
    QVERIFY(!look->facts.boot.isEmpty());
}

void TestLlamaCppBackend::aRouterWithoutAModelNameSaysSo()
{
    FakeOptions options;
    options.routerModels = QStringList { QStringLiteral("tiny") };
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    const auto reply = runOp(backend, makeOp(OpKind::Look));
    QVERIFY(reply->facts.router && !reply->slotsListed && !reply->slotsMessage.isEmpty());
    QVERIFY(server.callsTo(QStringLiteral("/slots")).empty());
}

// Qt opens at most six connections to a host for each of its managers.
void TestLlamaCppBackend::manyHungOperationsDoNotBlockOthers()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    QList<OpId> answered;
    connect(&backend, &KvBackend::finished, this,
        [&answered](const BackendReply &got) { answered.append(got.id); });
    for (OpId id = 1; id <= 12; ++id) {
        server.hangNext(QStringLiteral("save"));
        backend.start(makeOp(OpKind::Save, id), c_file);
    }
    QTRY_COMPARE(server.slotCalls().size(), std::size_t(12));
    QVERIFY(runOp(backend, makeOp(OpKind::Erase, 20)));
    QVERIFY(runOp(backend, makeOp(OpKind::Look, 21)));
    QCOMPARE(answered, (QList<OpId> { 20, 21 }));
    server.stop(); // and in the end each is answered, once
    QTRY_COMPARE(answered.size(), 14);
}

void TestLlamaCppBackend::destroyingTheBackendDropsWhatRuns()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.hangNext(QStringLiteral("save"));
    server.hangNext(QStringLiteral("props"));
    auto backend = std::make_unique<LlamaCppBackend>(endpointOf(server.url()));
    int answered = 0;
    connect(backend.get(), &KvBackend::finished, this, [&answered] { ++answered; });
    backend->start(makeOp(OpKind::Save), c_file);
    backend->start(makeOp(OpKind::Look, 2), {});
    QTRY_COMPARE(server.calls().size(), std::size_t(2));
    backend.reset();
    QTest::qWait(10);
    QCOMPARE(answered, 0);
}

void TestLlamaCppBackend::operationsOfOthersAreRefused()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    for (const OpKind kind : { OpKind::CheckFile, OpKind::DeleteFile }) {
        QCOMPARE(nameOf(runOp(backend, makeOp(kind), c_file)->failure), nameOf(OpFailure::Refused));
    }
    QVERIFY(server.calls().empty());
}

void TestLlamaCppBackend::namesThatAreNoNamesAreNeverSent_data()
{
    QTest::addColumn<QString>("name");
    int row = 0;
    for (const char *name :
        { "", "../a", "a/b", "/etc/passwd", "..", ".hidden", "a b", "a\n", "C:\\x", "ä" }) {
        QTest::addRow("name %d", ++row) << QString::fromUtf8(name);
    }
    QTest::newRow("long") << QString(300, u'a');
}

void TestLlamaCppBackend::namesThatAreNoNamesAreNeverSent()
{
    QFETCH(const QString, name);
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()));
    for (const OpKind kind : { OpKind::Save, OpKind::Restore }) {
        QCOMPARE(nameOf(runOp(backend, makeOp(kind), name)->failure), nameOf(OpFailure::Refused));
    }
    QCOMPARE(nameOf(runOp(backend, makeOp(OpKind::Erase, 1, -1))->failure), nameOf(OpFailure::Refused));
    QVERIFY(server.calls().empty());
}

QTEST_GUILESS_MAIN(TestLlamaCppBackend)
#include "tst_llamacppbackend.moc"
