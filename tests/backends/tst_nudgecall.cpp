// SPDX-License-Identifier: MIT
// The nudge over HTTP (facts, trap 28), against a server that defers as the real one does.
#include "backendtesting.h"
#include "fakellamaserver.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace kv;
using namespace kv::test;

class TestNudgeCall final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsRefusedAndLeavesTheSlotAsItWas();
    void itWakesOneDeferredTask();
    void aServerThatTakesItIsFoundOut();
    void theSizeIsBounded();
    void aRouterIsToldTheModel();
};

namespace {
Op nudgeOp(qint64 context, int slot = 0)
{
    Op op = makeOp(OpKind::Nudge, 7, slot);
    op.contextTokens = context;
    return op;
}
void infer(FakeLlamaServer &server, const QByteArray &prompt, int slot)
{
    FakeCompletion request;
    request.prompt = prompt;
    request.predict = 1;
    request.slot = slot;
    server.engine().completeNow(request);
}
}

void TestNudgeCall::itIsRefusedAndLeavesTheSlotAsItWas()
{
    FakeOptions options;
    options.slotContext = 64;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    infer(server, "some prompt", 0);
    const QByteArray before = server.engine().slot(0).content;
    LlamaCppBackend backend(endpointOf(server.url()), nullptr, noProcess());
    const auto reply = runOp(backend, nudgeOp(64));
    QVERIFY(reply.has_value());
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::None));
    QCOMPARE(reply->httpStatus, 400);
    QCOMPARE(server.engine().slot(0).content, before);
    const QJsonObject body = QJsonDocument::fromJson(server.calls().back().body).object();
    QCOMPARE(body.value(u"id_slot").toInt(-1), 0);
    QCOMPARE(body.value(u"prompt").toArray().size(), 65);
}

void TestNudgeCall::itWakesOneDeferredTask()
{
    FakeOptions options;
    options.slotContext = 64;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    server.engine().setManualInference(true);
    LlamaCppBackend backend(endpointOf(server.url()), nullptr, noProcess());
    int saves = 0;
    connect(&backend, &KvBackend::finished, this,
        [&saves](const BackendReply &reply) { saves += reply.kind == OpKind::Save ? 1 : 0; });
    FakeCompletion request;
    request.prompt = "a prompt of forty tokens or so, not more";
    request.predict = 1;
    request.slot = 0;
    server.engine().complete(request, {}, {});
    QVERIFY(server.engine().slot(0).processing);
    backend.start(makeOp(OpKind::Save, 1), QStringLiteral("0123456789abcdef-1.bin"));
    backend.start(makeOp(OpKind::Save, 2), QStringLiteral("0123456789abcdef-2.bin"));
    QTRY_COMPARE(server.engine().deferred(), std::size_t { 2 });
    server.engine().endInference(0);
    server.engine().setManualInference(false);
    QTRY_COMPARE(saves, 1); // its release woke one; the other waits for ever
    QTest::qWait(50);
    QCOMPARE(saves, 1);
    QVERIFY(runOp(backend, nudgeOp(64)).has_value());
    QTRY_COMPARE(saves, 2);
}

void TestNudgeCall::aServerThatTakesItIsFoundOut()
{
    FakeOptions options;
    options.slotContext = 64;
    options.truncatesOverlong = true;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()), nullptr, noProcess());
    const auto reply = runOp(backend, nudgeOp(64));
    QVERIFY(reply.has_value());
    QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::Unsupported));
    QVERIFY(!reply->message.isEmpty());
}

void TestNudgeCall::theSizeIsBounded()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    LlamaCppBackend backend(endpointOf(server.url()), nullptr, noProcess());
    for (const qint64 context : { qint64 { 0 }, qint64 { -1 }, qint64 { 1'000'000'000 } }) {
        const auto reply = runOp(backend, nudgeOp(context));
        QVERIFY(reply.has_value());
        QCOMPARE(nameOf(reply->failure), nameOf(OpFailure::Refused));
    }
    QVERIFY(server.calls().empty());
}

void TestNudgeCall::aRouterIsToldTheModel()
{
    FakeOptions options;
    options.routerModels = { QStringLiteral("one \"two\"") };
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.routerModel = QStringLiteral("one \"two\"");
    LlamaCppBackend backend(endpoint, nullptr, noProcess());
    QVERIFY(runOp(backend, nudgeOp(64)).has_value());
    const QJsonObject body = QJsonDocument::fromJson(server.calls().back().body).object();
    QCOMPARE(body.value(u"model").toString(), endpoint.routerModel);
}

QTEST_GUILESS_MAIN(TestNudgeCall)
#include "tst_nudgecall.moc"
