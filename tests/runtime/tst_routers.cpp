// SPDX-License-Identifier: MIT
// A server that turns out to be a router: what is sent to it, and what becomes of those who wait for a model.
#include "stage.h"

#include <QJsonArray>

using namespace kv;
using namespace kv::test;

namespace {
const QByteArray c_long(400, 'x');

FakeOptions routerOptions(int modelsMax = 1)
{
    FakeOptions options;
    options.routerModels = QStringList { u"alpha"_qs, u"beta"_qs, u"gamma"_qs };
    options.modelsMax = modelsMax;
    return options;
}

BeginRequest requestFor(Stage &stage, const QString &session, const QString &model)
{
    BeginRequest request = stage.request(session);
    request.model = model;
    return request;
}

QJsonObject serverNamed(Stage &stage, const QString &name)
{
    const QJsonArray all = stage.status().value(u"servers").toArray();
    for (const QJsonValue &one : all) {
        if (one[u"name"] == name) {
            return one.toObject();
        }
    }
    return {};
}

bool isSeen(Stage &stage)
{
    stage.watched = true;
    return stage.open()
        && QTest::qWaitFor([&] { return serverNamed(stage, u"a"_qs).value(u"router").toBool(); });
}

/// One whole request; the name of its outcome.
QString turn(Stage &stage, const QString &session, const QString &model)
{
    const AskedPtr<BeginAnswer> asked = stage.beginLater(requestFor(stage, session, model));
    if (!asked->waited() || !asked->answer) {
        return u"refused"_qs;
    }
    FakeCompletion completion;
    completion.prompt = c_long;
    completion.slot = 0;
    FakeEngine *const engine = stage.server().modelEngine(model);
    if (engine == nullptr) {
        return u"granted before its model was loaded"_qs;
    }
    stage.end(*asked->answer, engine->completeNow(completion));
    return toString(asked->answer->grant.outcome);
}
}

class TstRouters final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachModelInUseBecomesAServer();
    void noOperationCanLoadAModel();
    void aResidentRequestCostsNoCall();
    void whoIsUnsavedIsSavedBeforeItsModelGoes();
    void aModelThatSomebodyUnloadedIsNotResident();
    void anUnknownModelIsUnmanaged();
    void aRouterThatIsAwayHoldsNobodyUp();
    void aBeginThatWaitsForItsModelCanBeCancelled();
    void itsTimeRunsWhileItWaits();
    void aClientThatGoesLetsTheNextIn();
    void theEndOfACallThatWaitsCancelsIt();
    void pausingTheRouterPausesItsModels();
    void eraseOfAnUnloadedModelLoadsNothing();
    void aRestoreByHandWaitsForItsPlace();
    void takenOutItTakesItsModelsWithIt();
    void aStopAnswersThoseWhoWait();
};

void TstRouters::eachModelInUseBecomesAServer()
{
    Stage stage(1, routerOptions(2));
    QVERIFY(isSeen(stage));
    QCOMPARE(turn(stage, u"A"_qs, u"alpha"_qs), u"cold"_qs);
    QCOMPARE(turn(stage, u"A"_qs, u"beta"_qs), u"cold"_qs);
    QCOMPARE(turn(stage, u"A"_qs, u"alpha"_qs), u"resident"_qs);
    const QJsonObject alpha = serverNamed(stage, u"a/alpha"_qs);
    QCOMPARE(alpha.value(u"routerModel").toString(), u"alpha"_qs);
    QCOMPARE(alpha.value(u"slots")[0][u"model"].toString(), u"alpha"_qs);
    QVERIFY(serverNamed(stage, u"a"_qs).value(u"slots").toArray().isEmpty());
    QVERIFY(serverNamed(stage, u"a/gamma"_qs).isEmpty()); // nobody has used it
}

void TstRouters::noOperationCanLoadAModel()
{
    Stage stage(1, routerOptions(2));
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    turn(stage, u"B"_qs, u"alpha"_qs); // a switch
    int posts = 0;
    for (const FakeCall &call : stage.server().calls()) {
        if (call.method == "POST") {
            ++posts;
            QCOMPARE(call.query.queryItemValue(u"autoload"_qs), u"0"_qs);
            QCOMPARE(call.json().value(u"model").toString(), u"alpha"_qs);
        }
    }
    QVERIFY(posts >= 2);
}

void TstRouters::aResidentRequestCostsNoCall()
{
    // Invariant 6.
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    QTest::qWait(300); // once what went for it is known
    stage.server().clearCalls();
    for (int i = 0; i < 20; ++i) {
        const AskedPtr<BeginAnswer> asked = stage.beginLater(requestFor(stage, u"A"_qs, u"alpha"_qs));
        QVERIFY(asked->done()); // in the same pass of the event loop
        QCOMPARE(toString(asked->answer->grant.outcome), u"resident"_qs);
        FakeCompletion completion;
        completion.prompt = c_long;
        completion.slot = 0;
        stage.end(*asked->answer, stage.server().modelEngine(u"alpha"_qs)->completeNow(completion));
    }
    for (const FakeCall &call : stage.server().calls()) {
        QVERIFY2(
            call.path == u"/models"_qs || call.path == u"/props"_qs, qPrintable(call.path)); // the watchers'
    }
}

void TstRouters::whoIsUnsavedIsSavedBeforeItsModelGoes()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    QCOMPARE(stage.takeActions(), u"erase"_qs);
    QCOMPARE(turn(stage, u"B"_qs, u"beta"_qs), u"cold"_qs);
    QCOMPARE(stage.takeActions(), u"save erase"_qs);
    QCOMPARE(turn(stage, u"A"_qs, u"alpha"_qs), u"restored"_qs);
    QCOMPARE(turn(stage, u"B"_qs, u"beta"_qs), u"restored"_qs);
}

void TstRouters::aModelThatSomebodyUnloadedIsNotResident()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    QVERIFY(stage.saved(u"A"_qs));
    stage.server().unloadModel(u"alpha"_qs);
    QTRY_COMPARE_WITH_TIMEOUT(
        serverNamed(stage, u"a/alpha"_qs).value(u"backend")[u"state"].toString(), u"sleeping"_qs, 10'000);
    QCOMPARE(turn(stage, u"A"_qs, u"alpha"_qs), u"restored"_qs);
}

void TstRouters::anUnknownModelIsUnmanaged()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    const AskedPtr<BeginAnswer> asked = stage.beginLater(requestFor(stage, u"A"_qs, u"omega"_qs));
    QVERIFY(asked->waited());
    QVERIFY(asked->answer && !asked->answer->managed);
    QCOMPARE(stage.takeActions(), QString());
}

void TstRouters::aRouterThatIsAwayHoldsNobodyUp()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    stage.server().stop();
    const AskedPtr<BeginAnswer> asked = stage.beginLater(requestFor(stage, u"A"_qs, u"alpha"_qs));
    QVERIFY(asked->waited());
    QVERIFY(asked->answer.has_value());
}

void TstRouters::aBeginThatWaitsForItsModelCanBeCancelled()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    const AskedPtr<BeginAnswer> working = stage.beginLater(requestFor(stage, u"A"_qs, u"alpha"_qs));
    const AskedPtr<BeginAnswer> waiting = stage.beginLater(requestFor(stage, u"B"_qs, u"beta"_qs));
    QVERIFY(working->waited());
    QTest::qWait(400);
    QVERIFY(!waiting->done());
    QVERIFY(!stage.service().cancel(stage.connection() + 1, waiting->id));
    QVERIFY(stage.service().cancel(stage.connection(), waiting->id));
    QVERIFY(waiting->error && waiting->error->code == ErrorCode::Cancelled);
    QVERIFY(stage.server().modelEngine(u"beta"_qs) == nullptr);
}

void TstRouters::itsTimeRunsWhileItWaits()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    stage.beginLater(requestFor(stage, u"A"_qs, u"alpha"_qs));
    BeginRequest request = requestFor(stage, u"B"_qs, u"beta"_qs);
    request.timeoutMs = 300;
    const AskedPtr<BeginAnswer> waiting = stage.beginLater(request);
    QVERIFY(waiting->waited());
    QVERIFY(waiting->answer.has_value());
    QCOMPARE(toString(waiting->answer->grant.outcome), u"bypass"_qs);
    QVERIFY(waiting->answer->grant.waitMs >= 300);
}

void TstRouters::aClientThatGoesLetsTheNextIn()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    const ConnectionId other = stage.service().openConnection();
    BeginRequest leaving = requestFor(stage, u"A"_qs, u"alpha"_qs);
    leaving.connection = other;
    const AskedPtr<BeginAnswer> held = stage.beginLater(leaving);
    QVERIFY(held->waited());
    BeginRequest alsoLeaving = requestFor(stage, u"C"_qs, u"gamma"_qs);
    alsoLeaving.connection = other;
    const AskedPtr<BeginAnswer> never = stage.beginLater(alsoLeaving);
    const AskedPtr<BeginAnswer> waiting = stage.beginLater(requestFor(stage, u"B"_qs, u"beta"_qs));
    QTest::qWait(400);
    QVERIFY(!waiting->done());
    stage.service().closeConnection(other);
    QVERIFY(waiting->waited());
    QCOMPARE(waiting->answer->server, u"a/beta"_qs);
    QVERIFY(!never->done());
}

void TstRouters::theEndOfACallThatWaitsCancelsIt()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    stage.beginLater(requestFor(stage, u"A"_qs, u"alpha"_qs));
    BeginRequest request = requestFor(stage, u"B"_qs, u"beta"_qs);
    request.call = u"call"_qs;
    const AskedPtr<BeginAnswer> waiting = stage.beginLater(request);
    EndRequest end;
    end.connection = stage.connection();
    end.call = u"call"_qs;
    const AskedPtr<EndAnswer> ended = stage.endLater(end);
    QVERIFY(ended->waited() && ended->answer);
    QVERIFY(waiting->error && waiting->error->code == ErrorCode::Cancelled);
}

void TstRouters::pausingTheRouterPausesItsModels()
{
    Stage stage(1, routerOptions(2));
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    QVERIFY(stage.service().pause(u"a"_qs, -1).ok());
    QVERIFY(serverNamed(stage, u"a/alpha"_qs).value(u"paused").toBool());
    const AskedPtr<BeginAnswer> later = stage.beginLater(requestFor(stage, u"B"_qs, u"beta"_qs));
    QVERIFY(later->waited() && later->answer);
    QCOMPARE(toString(later->answer->grant.outcome), u"bypass"_qs); // one that comes later is paused too
    QVERIFY(stage.service().resume(u"a"_qs).ok());
    QVERIFY(!serverNamed(stage, u"a/beta"_qs).value(u"paused").toBool());
}

void TstRouters::eraseOfAnUnloadedModelLoadsNothing()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    turn(stage, u"B"_qs, u"beta"_qs);
    QTRY_COMPARE_WITH_TIMEOUT(
        serverNamed(stage, u"a/alpha"_qs).value(u"backend")[u"state"].toString(), u"sleeping"_qs, 10'000);
    const auto erased = std::make_shared<Asked<ManualAnswer>>();
    stage.service().erase(
        stage.connection(), u"a"_qs, SlotKey { u"alpha"_qs, 0 }, Stage::into<ManualAnswer>(erased));
    QVERIFY(erased->waited() && erased->answer);
    QCOMPARE(erased->answer->skipped, u"asleep"_qs);
    QVERIFY(stage.server().modelEngine(u"alpha"_qs) == nullptr);
}

void TstRouters::aRestoreByHandWaitsForItsPlace()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    turn(stage, u"B"_qs, u"beta"_qs);
    const AskedPtr<BeginAnswer> working = stage.beginLater(requestFor(stage, u"B"_qs, u"beta"_qs));
    const auto restored = std::make_shared<Asked<ManualAnswer>>();
    stage.service().restore(stage.call(u"A"_qs), Stage::into<ManualAnswer>(restored));
    QTest::qWait(400);
    QVERIFY(!restored->done());
    QVERIFY(stage.server().modelEngine(u"beta"_qs) != nullptr);
    FakeCompletion completion;
    completion.prompt = c_long;
    completion.slot = 0;
    stage.end(*working->answer, stage.server().modelEngine(u"beta"_qs)->completeNow(completion));
    QVERIFY(restored->waited());
    QVERIFY2(
        restored->answer.has_value(), qPrintable(restored->error ? restored->error->message : QString()));
    QCOMPARE(turn(stage, u"A"_qs, u"alpha"_qs), u"resident"_qs);
    QCOMPARE(turn(stage, u"B"_qs, u"beta"_qs), u"restored"_qs); // it had been saved
}

void TstRouters::takenOutItTakesItsModelsWithIt()
{
    Stage stage(2, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    stage.writeConfig(stage.yaml({ u"b"_qs }));
    QVERIFY(stage.service().reload().ok());
    QTRY_VERIFY(serverNamed(stage, u"a/alpha"_qs).isEmpty());
    QVERIFY(serverNamed(stage, u"a"_qs).isEmpty());
    stage.writeConfig(stage.yaml({ u"a"_qs, u"b"_qs }));
    QVERIFY(stage.service().reload().ok());
    QTRY_VERIFY(!serverNamed(stage, u"a/alpha"_qs).isEmpty()); // its snapshots are on record
    QCOMPARE(turn(stage, u"A"_qs, u"alpha"_qs), u"restored"_qs);
}

void TstRouters::aStopAnswersThoseWhoWait()
{
    Stage stage(1, routerOptions());
    QVERIFY(isSeen(stage));
    turn(stage, u"A"_qs, u"alpha"_qs);
    stage.beginLater(requestFor(stage, u"A"_qs, u"alpha"_qs));
    const AskedPtr<BeginAnswer> waiting = stage.beginLater(requestFor(stage, u"B"_qs, u"beta"_qs));
    QVERIFY(stage.stop());
    QVERIFY(waiting->error && waiting->error->code == ErrorCode::Cancelled);
}

QTEST_GUILESS_MAIN(TstRouters)
#include "tst_routers.moc"
