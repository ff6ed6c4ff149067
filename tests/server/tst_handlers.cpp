// SPDX-License-Identifier: MIT
#include "eventhub.h"
#include "fakeservice.h"
#include "handlers.h"
#include "params.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace kv;

namespace {

class FakeCaller final : public Caller {
public:
    [[nodiscard]] ConnectionId connection() const override { return 5; }
    [[nodiscard]] bool pins() const override { return pinning; }
    void setPins(bool pins) override { pinning = pins; }
    bool cancelCall(const QJsonValue &id) override
    {
        cancelled = id;
        return cancelAnswer;
    }
    void subscribe(const QStringList &wanted) override { topics = wanted; }
    [[nodiscard]] std::function<void(QStringView, const QJsonObject &)> notifier() override
    {
        return [this](QStringView method, const QJsonObject &params) {
            notified.append({ method.toString(), params });
        };
    }

    bool pinning = false;
    bool cancelAnswer = true;
    QJsonValue cancelled;
    QStringList topics { QStringLiteral("untouched") };
    QList<std::pair<QString, QJsonObject>> notified;
};

QJsonObject object(const char *json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError) {
        qFatal("the test's own JSON is wrong: %s", json);
    }
    return document.object();
}

/// One call with its service; counts the answers.
struct Fixture {
    FakeService service;
    EventHub hub { service };
    Handlers handlers { service, hub };
    FakeCaller caller;
    int answers = 0;
    std::optional<HandlerResult> last;

    RequestId call(ApiMethod method, const QJsonObject &params)
    {
        last.reset();
        answers = 0;
        return handlers.call(caller, method, params, [this](const HandlerResult &result) {
            ++answers;
            last = result;
        });
    }
    /// The result; empty with a failed test if there is none.
    QJsonObject result(ApiMethod method, const char *params = "{}")
    {
        call(method, object(params));
        if (answers != 1 || !std::holds_alternative<QJsonObject>(*last)) {
            QTest::qFail("no result, or not exactly one", __FILE__, __LINE__);
            return {};
        }
        return std::get<QJsonObject>(*last);
    }
    RpcError error(ApiMethod method, const char *params = "{}")
    {
        call(method, object(params));
        if (answers != 1 || !std::holds_alternative<RpcError>(*last)) {
            QTest::qFail("no error, or not exactly one", __FILE__, __LINE__);
            return {};
        }
        return std::get<RpcError>(*last);
    }
};

} // namespace

class TestHandlers final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Parameters that are good and that are bad, for every method. The bad ones reach no service.
    void badParametersAreRefusedByName_data()
    {
        QTest::addColumn<int>("method");
        QTest::addColumn<QByteArray>("params");
        const auto row = [](ApiMethod method, const char *params) {
            QTest::newRow(qPrintable(methodName(method) + u' ' + QString::fromUtf8(params)))
                << static_cast<int>(method) << QByteArray(params);
        };
        row(ApiMethod::Hello, R"({"protocol":2})");
        row(ApiMethod::Hello, R"({"pins":"yes"})");
        row(ApiMethod::RequestBegin, R"({})");
        row(ApiMethod::RequestBegin, R"({"provider":"p"})");
        row(ApiMethod::RequestBegin, R"({"provider":1,"model":"m"})");
        row(ApiMethod::RequestBegin, R"({"provider":"p","model":"m","session":["s"]})");
        row(ApiMethod::RequestBegin, R"({"provider":"p","model":"m","timeoutMs":-5})");
        row(ApiMethod::RequestEnd, R"({"outcome":"ok"})");
        row(ApiMethod::RequestEnd, R"({"lease":"L1","outcome":"fine"})");
        row(ApiMethod::RequestEnd, R"({"lease":"1","outcome":"ok"})");
        row(ApiMethod::RequestEnd, R"({"lease":"L1","call":"c","outcome":"ok"})");
        row(ApiMethod::RequestEnd, R"({"lease":"L1","outcome":"ok","usage":{"promptTokens":-1}})");
        row(ApiMethod::SessionEvent, R"({"session":"s"})");
        row(ApiMethod::SessionEvent, R"({"session":"s","type":"exploded"})");
        row(ApiMethod::List, R"({"limit":0})");
        row(ApiMethod::List, R"({"sort":"nonsense"})");
        for (const ApiMethod method : { ApiMethod::Get, ApiMethod::Save, ApiMethod::Restore,
                 ApiMethod::Invalidate, ApiMethod::Purge, ApiMethod::Pin }) {
            row(method, R"({})");
            row(method, R"({"session":7})");
        }
        row(ApiMethod::Pin, R"({"session":"s","pinned":"yes"})");
        row(ApiMethod::Erase, R"({"server":"a"})");
        row(ApiMethod::Erase, R"({"server":"a","slot":-1})");
        row(ApiMethod::Gc, R"({"dryRun":1})");
        row(ApiMethod::Pause, R"({"forMs":0})");
        row(ApiMethod::Resume, R"({"server":{}})");
        row(ApiMethod::Doctor, R"({"verify":"yes"})");
        row(ApiMethod::Config, R"({})");
        row(ApiMethod::Config, R"({"action":"erase"})");
        row(ApiMethod::Config, R"({"action":"set"})");
        row(ApiMethod::History, R"({"session":"s"})");
        row(ApiMethod::History, R"({"session":"s","from":"yesterday","to":"today"})");
        row(ApiMethod::Cancel, R"({})");
        row(ApiMethod::Subscribe, R"({"topics":"kv."})");
    }
    void badParametersAreRefusedByName()
    {
        QFETCH(int, method);
        QFETCH(QByteArray, params);
        Fixture f;
        const RpcError error = f.error(static_cast<ApiMethod>(method), params.constData());
        QCOMPARE(error.rpcCode, c_rpcInvalidParams);
        QCOMPARE(error.error.code, ErrorCode::BadRequest);
        QVERIFY(!error.error.message.isEmpty());
        QVERIFY(f.service.calls.isEmpty());
        QVERIFY(!f.service.lastCall && !f.service.lastList && !f.service.lastHistory);
    }

    void helloNamesTheProtocolAndTheProviders()
    {
        Fixture f;
        const QJsonObject hello = f.result(ApiMethod::Hello, R"({"client":"dsh","protocol":1,"pins":true})");
        QCOMPARE(hello.value(u"name").toString(), QStringLiteral("kv-persistd"));
        QCOMPARE(hello.value(u"version").toString(), QStringLiteral(KV_PERSIST_VERSION));
        QCOMPARE(hello.value(u"protocol").toInt(), c_protocolVersion);
        QCOMPARE(f.service.lastClient.name, QStringLiteral("dsh"));
        QVERIFY(f.service.lastClient.pins);
        QCOMPARE(hello.value(u"features").toArray(), QJsonArray { QStringLiteral("events") });
        QCOMPARE(hello.value(u"providers").toArray(), QJsonArray { QStringLiteral("local-qwen") });
        QVERIFY(f.caller.pinning);
    }

    void beginHandsOverEverythingTheClientSaid()
    {
        Fixture f;
        f.caller.pinning = true;
        f.result(ApiMethod::RequestBegin,
            R"({"call":"c1","session":"../../x","provider":"local-qwen","model":"qwen3","purpose":"title",
                "origin":"subagent","parent":"p","base":"b","fork":"f","forkSeq":8,"seq":9,"label":"L","running":true,
                "lora":true,"timeoutMs":500})");
        const BeginRequest &request = *f.service.lastBegin;
        QCOMPARE(request.connection, ConnectionId { 5 });
        QCOMPARE(request.call, QStringLiteral("c1"));
        QCOMPARE(request.session, QStringLiteral("../../x"));
        QCOMPARE(request.provider, QStringLiteral("local-qwen"));
        QCOMPARE(request.model, QStringLiteral("qwen3"));
        QCOMPARE(request.purpose, QStringLiteral("title"));
        QCOMPARE(request.origin, QStringLiteral("subagent"));
        QCOMPARE(request.parent, QStringLiteral("p"));
        QCOMPARE(request.base, QStringLiteral("b"));
        QCOMPARE(request.fork, QStringLiteral("f"));
        QCOMPARE(request.forkSeq, 8);
        QCOMPARE(request.label, QStringLiteral("L"));
        QCOMPARE(request.seq, 9);
        QCOMPARE(request.timeoutMs, 500);
        QVERIFY(request.running && request.ownAdapters && request.pins);
    }

    void beginAnswersEveryFieldOfARestore()
    {
        Fixture f;
        BeginAnswer answer = FakeService::residentGrant();
        answer.grant.outcome = Outcome::Restored;
        answer.grant.slot = { {}, 3 };
        answer.grant.transport = Transport { 3, true };
        answer.grant.tokens = 1493;
        answer.grant.bytes = 4096;
        answer.grant.waitMs = 30.5;
        answer.grant.saveMs = 10;
        answer.grant.restoreMs = 20;
        answer.grant.reason = QStringLiteral("because");
        f.service.beginAnswer = answer;
        const QJsonObject expected = object(
            R"({"managed":true,"outcome":"restored","lease":"L12","server":"local","slot":3,
                "transport":{"id_slot":3,"cache_prompt":true},"tokens":1493,"bytes":4096,"waitMs":30.5,
                "saveMs":10,"restoreMs":20,"reason":"because"})");
        QCOMPARE(
            f.result(ApiMethod::RequestBegin, R"({"provider":"p","model":"m","session":"s"})"), expected);
    }

    void anUnmanagedBeginHasNoLeaseAndNoSlot()
    {
        Fixture f;
        BeginAnswer answer;
        answer.grant.outcome = Outcome::Unmanaged;
        f.service.beginAnswer = answer;
        const QJsonObject begin = f.result(ApiMethod::RequestBegin, R"({"provider":"p","model":"m"})");
        QCOMPARE(begin.value(u"managed"), QJsonValue(false));
        QCOMPARE(begin.value(u"outcome"), QJsonValue(QStringLiteral("unmanaged")));
        QVERIFY(!begin.contains(u"lease") && !begin.contains(u"slot") && !begin.contains(u"server"));
    }

    void aStrictRefusalSaysSo()
    {
        Fixture f;
        f.service.beginAnswer
            = BeginFailure { { ErrorCode::RestoreFailed, QStringLiteral("No."), {} }, true };
        const RpcError error = f.error(ApiMethod::RequestBegin, R"({"provider":"p","model":"m"})");
        QCOMPARE(error.rpcCode, c_rpcKvError);
        QCOMPARE(error.error.code, ErrorCode::RestoreFailed);
        QCOMPARE(error.extra.value(u"strict"), QJsonValue(true));
        f.service.beginAnswer = BeginFailure { { ErrorCode::Cancelled, QStringLiteral("No."), {} }, false };
        QVERIFY(
            !f.error(ApiMethod::RequestBegin, R"({"provider":"p","model":"m"})").extra.contains(u"strict"));
    }

    void endHandsOverUsageAndTimings()
    {
        Fixture f;
        f.result(ApiMethod::RequestEnd,
            R"({"lease":"L12","outcome":"error","more":true,
                "usage":{"promptTokens":100,"completionTokens":20,"cachedTokens":90},
                "timings":{"firstChunkMs":1.5,"promptMs":2.5,"promptTokens":10,"predictedMs":3.5,
                "predictedTokens":20}})");
        const EndRequest &request = *f.service.lastEnd;
        QCOMPARE(request.connection, ConnectionId { 5 });
        QCOMPARE(request.lease, LeaseId { 12 });
        QVERIFY(request.outcome == EndOutcome::Error);
        QCOMPARE(request.more, std::optional<bool>(true));
        QCOMPARE(request.usage.promptTokens, 100);
        QCOMPARE(request.usage.completionTokens, 20);
        QCOMPARE(request.usage.cachedTokens, 90);
        QCOMPARE(request.timings.firstChunkMs, 1.5);
        QCOMPARE(request.timings.promptMs, 2.5);
        QCOMPARE(request.timings.promptTokens, 10);
        QCOMPARE(request.timings.predictedMs, 3.5);
        QCOMPARE(request.timings.predictedTokens, 20);
    }

    void whatEndWasNotToldStaysUnknown()
    {
        Fixture f;
        f.result(ApiMethod::RequestEnd, R"({"call":"c1","outcome":"aborted"})");
        const EndRequest &request = *f.service.lastEnd;
        QCOMPARE(request.lease, LeaseId { 0 });
        QCOMPARE(request.call, QStringLiteral("c1"));
        QVERIFY(request.outcome == EndOutcome::Aborted);
        QVERIFY(!request.more.has_value());
        QCOMPARE(request.usage.promptTokens, -1);
        QCOMPARE(request.timings.firstChunkMs, -1.0);
    }

    void endAnswersWithTheProofOfReuse()
    {
        Fixture f;
        f.service.endAnswer = EndAnswer { true, 4, Verdict::Partial, 100, 50, QStringLiteral("compaction") };
        QCOMPARE(f.result(ApiMethod::RequestEnd, R"({"lease":"L1","outcome":"ok"})"),
            object(R"({"dirty":true,"revision":4,
                "reuse":{"verdict":"partial","expected":100,"actual":50,"cause":"compaction"}})"));
        f.service.endAnswer = EndAnswer { false, 5, std::nullopt, 0, 0, {} };
        QCOMPARE(f.result(ApiMethod::RequestEnd, R"({"lease":"L1","outcome":"ok"})"),
            object(R"({"dirty":false,"revision":5})"));
    }

    void anUnknownLeaseKeepsItsCode()
    {
        Fixture f;
        f.service.endAnswer = Error { ErrorCode::LeaseUnknown, QStringLiteral("Gone."), {} };
        const RpcError error = f.error(ApiMethod::RequestEnd, R"({"lease":"L99","outcome":"ok"})");
        QCOMPARE(error.rpcCode, c_rpcKvError);
        QCOMPARE(error.error.code, ErrorCode::LeaseUnknown);
    }

    void aSessionEventBecomesAHint_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("type");
        const auto row = [](const char *name, HintType type) {
            QTest::newRow(name) << QString::fromUtf8(name) << static_cast<int>(type);
        };
        row("created", HintType::Created);
        row("resumed", HintType::Resumed);
        row("flush", HintType::Flush);
        row("disposed", HintType::Disposed);
        row("turn-end", HintType::TurnEnd);
        row("step-end", HintType::StepEnd);
        row("compacted", HintType::Compacted);
    }
    void aSessionEventBecomesAHint()
    {
        QFETCH(QString, name);
        QFETCH(int, type);
        Fixture f;
        f.call(ApiMethod::SessionEvent,
            { { QStringLiteral("session"), QStringLiteral("s") }, { QStringLiteral("type"), name },
                { QStringLiteral("provider"), QStringLiteral("p") },
                { QStringLiteral("model"), QStringLiteral("m") },
                { QStringLiteral("label"), QStringLiteral("l") }, { QStringLiteral("seq"), 3 } });
        QCOMPARE(f.answers, 1);
        QCOMPARE(std::get<QJsonObject>(*f.last), QJsonObject());
        const SessionHint &hint = *f.service.lastHint;
        QCOMPARE(static_cast<int>(hint.type), type);
        QCOMPARE(hint.session, QStringLiteral("s"));
        QCOMPARE(hint.provider, QStringLiteral("p"));
        QCOMPARE(hint.model, QStringLiteral("m"));
        QCOMPARE(hint.label, QStringLiteral("l"));
        QCOMPARE(hint.seq, 3);
    }

    void manualCallsReachTheirFunction_data()
    {
        QTest::addColumn<int>("method");
        QTest::addColumn<QString>("function");
        QTest::addColumn<QByteArray>("result");
        const auto row = [](ApiMethod method, const char *function, const char *result) {
            QTest::newRow(function) << static_cast<int>(method) << QString::fromUtf8(function)
                                    << QByteArray(result);
        };
        row(ApiMethod::Save, "save",
            R"({"revision":2,"tokens":100,"bytes":4096,"ms":1.5,"skipped":"clean"})");
        row(ApiMethod::Restore, "restore", R"({"slot":1,"tokens":100,"bytes":4096,"ms":1.5})");
        row(ApiMethod::Invalidate, "invalidate", R"({"count":3})");
        row(ApiMethod::Purge, "purge", R"({"count":3,"fileRemains":true})");
        row(ApiMethod::Pin, "pin", R"({"count":3})");
    }
    void manualCallsReachTheirFunction()
    {
        QFETCH(int, method);
        QFETCH(QString, function);
        QFETCH(QByteArray, result);
        Fixture f;
        f.service.manualAnswer = ManualAnswer { 2, 1, 100, 4096, 1.5, 3, true, QStringLiteral("clean") };
        const QJsonObject got = f.result(static_cast<ApiMethod>(method),
            R"({"session":"abc","provider":"p","model":"m","server":"a","reason":"why","pinned":false})");
        QCOMPARE(got, object(result.constData()));
        QCOMPARE(f.service.calls, QStringList { function });
        QCOMPARE(f.service.lastCall->connection, ConnectionId { 5 });
        QCOMPARE(f.service.lastCall->session, QStringLiteral("abc"));
        QCOMPARE(f.service.lastCall->provider, QStringLiteral("p"));
        QCOMPARE(f.service.lastCall->model, QStringLiteral("m"));
        QCOMPARE(f.service.lastCall->server, QStringLiteral("a"));
        if (function == u"invalidate") {
            QCOMPARE(f.service.lastReason, QStringLiteral("why"));
        }
        QVERIFY(!f.service.lastFlag);
    }

    void pinnedIsTheDefaultOfPin()
    {
        Fixture f;
        f.result(ApiMethod::Pin, R"({"session":"abc"})");
        QVERIFY(f.service.lastFlag);
    }

    void eraseAndFlushReachTheirFunction()
    {
        Fixture f;
        f.service.manualAnswer = ManualAnswer { 0, 2, -1, -1, 3, 4, false, {} };
        QCOMPARE(f.result(ApiMethod::Erase, R"({"server":"a","slot":2,"model":"m"})"),
            object(R"({"slot":2,"ms":3})"));
        QCOMPARE(f.service.lastSlot.id, 2);
        QCOMPARE(f.service.lastSlot.model, QStringLiteral("m"));
        QCOMPARE(f.service.lastCall->server, QStringLiteral("a"));
        QCOMPARE(f.result(ApiMethod::Flush), object(R"({"count":4})"));
        QCOMPARE(f.service.lastCall->connection, ConnectionId { 5 });
    }

    void anErrorOfTheServiceKeepsItsCode_data()
    {
        QTest::addColumn<int>("code");
        for (const ErrorCode code : allErrorCodes()) {
            QTest::newRow(qPrintable(errorCodeName(code))) << static_cast<int>(code);
        }
    }
    void anErrorOfTheServiceKeepsItsCode()
    {
        QFETCH(int, code);
        Fixture f;
        const Error error { static_cast<ErrorCode>(code), QStringLiteral("A sentence."), {} };
        f.service.manualAnswer = error;
        f.service.document = error;
        for (const ApiMethod method : { ApiMethod::Save, ApiMethod::Get, ApiMethod::Doctor }) {
            const RpcError got = f.error(method, R"({"session":"s"})");
            QCOMPARE(got.error.code, error.code);
            QCOMPARE(got.error.message, error.message);
            QCOMPARE(got.rpcCode, error.code == ErrorCode::BadRequest ? c_rpcInvalidParams : c_rpcKvError);
        }
    }

    void documentsGoThroughAsTheyAre()
    {
        Fixture f;
        const QJsonObject marker = object(R"({"marker":1})");
        QCOMPARE(f.result(ApiMethod::Status), object(R"({"enabled":true})"));
        QCOMPARE(f.result(ApiMethod::Metrics), object(R"({"text":"dsh_kv_save_total 1\n"})"));
        QCOMPARE(f.result(ApiMethod::Discover), marker);
        QCOMPARE(f.result(ApiMethod::Reload), marker);

        QCOMPARE(
            f.result(ApiMethod::List, R"({"filter":"qwen","sort":"bytes","desc":true,"offset":5,"limit":6})"),
            marker);
        QCOMPARE(f.service.lastList->filter, QStringLiteral("qwen"));
        QCOMPARE(f.service.lastList->sort, QStringLiteral("bytes"));
        QVERIFY(f.service.lastList->desc);
        QCOMPARE(f.service.lastList->offset, 5);
        QCOMPARE(f.service.lastList->limit, 6);

        QCOMPARE(f.result(ApiMethod::Get, R"({"session":"abc","server":"a"})"), marker);
        QCOMPARE(f.service.lastCall->session, QStringLiteral("abc"));
        QCOMPARE(f.service.lastCall->server, QStringLiteral("a"));

        QCOMPARE(
            f.result(ApiMethod::History,
                R"({"server":"a","from":"1970-01-01T00:00:01Z","to":"1970-01-01T01:00:00Z","bucketMs":60000})"),
            marker);
        QCOMPARE(f.service.lastHistory->server, QStringLiteral("a"));
        QCOMPARE(f.service.lastHistory->fromWallMs, 1000);
        QCOMPARE(f.service.lastHistory->toWallMs, 3600000);
        QCOMPARE(f.service.lastHistory->bucketMs, 60000);
    }

    void steeringReachesTheService()
    {
        Fixture f;
        f.result(ApiMethod::Gc, R"({"dryRun":true})");
        QVERIFY(f.service.lastFlag);
        f.result(ApiMethod::Pause, R"({"server":"a","forMs":60000})");
        QCOMPARE(f.service.lastServer, QStringLiteral("a"));
        QCOMPARE(f.service.lastForMs, 60000);
        f.result(ApiMethod::Pause);
        QCOMPARE(f.service.lastServer, QString());
        QCOMPARE(f.service.lastForMs, -1);
        f.result(ApiMethod::Resume, R"({"server":"b"})");
        QCOMPARE(f.service.lastServer, QStringLiteral("b"));
        f.result(ApiMethod::Config, R"({"action":"set","yaml":"enabled: true","ifHash":"h"})");
        QCOMPARE(f.service.lastConfig,
            (QStringList { QStringLiteral("set"), QStringLiteral("enabled: true"), QStringLiteral("h") }));
        QCOMPARE(f.service.calls,
            (QStringList { QStringLiteral("gc"), QStringLiteral("pause"), QStringLiteral("pause"),
                QStringLiteral("resume"), QStringLiteral("config") }));
    }

    /// Making the events of single requests is most of what a resident one would cost.
    void eventsAreWantedOnlyWhileSomebodyListens()
    {
        Fixture f;
        QVERIFY(!f.service.eventsWanted());
        {
            const QSignalSpy events(&f.hub, &EventHub::happened);
            QVERIFY(f.service.eventsWanted());
        }
        Q_EMIT f.service.eventEmitted({}); // nobody is left to hear it
        QVERIFY(!f.service.eventsWanted());
    }

    void doctorStreamsItsChecksBeforeItsAnswer()
    {
        Fixture f;
        QSignalSpy events(&f.hub, &EventHub::happened);
        f.service.doctorChecks
            = { object(R"({"name":"socket","result":"ok"})"), object(R"({"name":"slots"})") };
        f.service.hold = true;
        const RequestId id = f.call(ApiMethod::Doctor, object(R"({"server":"a","verify":true})"));
        QVERIFY(id != 0); // so that it can be cancelled
        QCOMPARE(f.answers, 0);
        QCOMPARE(f.caller.notified.size(), 2);
        QCOMPARE(f.caller.notified.at(0).first, QStringLiteral("doctor.check"));
        QCOMPARE(f.caller.notified.at(0).second, f.service.doctorChecks.at(0));
        QCOMPARE(events.size(), 2);
        const QJsonObject event = events.at(1).at(0).toJsonObject();
        QCOMPARE(event.value(u"name").toString(), QStringLiteral("doctor"));
        QCOMPARE(event.value(u"check").toObject(), f.service.doctorChecks.at(1));
        QCOMPARE(f.service.lastDoctor.value(u"verify"), QJsonValue(true));
        f.service.releaseAll();
        QCOMPARE(f.answers, 1);
        QCOMPARE(std::get<QJsonObject>(*f.last), object(R"({"marker":1})"));
    }

    void cancelTellsWhetherAnythingWaited()
    {
        Fixture f;
        QCOMPARE(f.result(ApiMethod::Cancel, R"({"id":"a"})"), object(R"({"cancelled":true})"));
        QCOMPARE(f.caller.cancelled, QJsonValue(QStringLiteral("a")));
        f.caller.cancelAnswer = false;
        QCOMPARE(f.result(ApiMethod::Cancel, R"({"id":7})"), object(R"({"cancelled":false})"));
        QCOMPARE(f.caller.cancelled, QJsonValue(7));
    }

    void subscribeKnowsAllSomeAndNone()
    {
        Fixture f;
        QCOMPARE(f.result(ApiMethod::Subscribe), QJsonObject());
        QCOMPARE(f.caller.topics, QStringList { QStringLiteral("kv.") });
        f.result(ApiMethod::Subscribe, R"({"topics":["kv.session","status"]})");
        QCOMPARE(f.caller.topics, (QStringList { QStringLiteral("kv.session"), QStringLiteral("status") }));
        f.result(ApiMethod::Subscribe, R"({"topics":[]})");
        QCOMPARE(f.caller.topics, QStringList());
    }

    void topicsArePrefixesButTwoWordsAreThemselves()
    {
        const QStringList all { QStringLiteral("kv.") };
        QVERIFY(topicsMatch(all, QStringLiteral("kv.session.cold")));
        QVERIFY(!topicsMatch(all, QStringLiteral("status")));
        const QStringList some { QStringLiteral("kv.slot"), QStringLiteral("doctor") };
        QVERIFY(topicsMatch(some, QStringLiteral("kv.slot.state")));
        QVERIFY(!topicsMatch(some, QStringLiteral("kv.session.cold")));
        QVERIFY(topicsMatch(some, QStringLiteral("doctor")));
        QVERIFY(!topicsMatch({ QString() }, QStringLiteral("status")));
        QVERIFY(!topicsMatch({}, QStringLiteral("kv.slot.state")));
    }

    void eventsGetATimeUnlessTheyHaveOne()
    {
        Fixture f;
        QSignalSpy events(&f.hub, &EventHub::happened);
        Q_EMIT f.service.eventEmitted({ { QStringLiteral("name"), QStringLiteral("kv.stats") } });
        const QString at = events.at(0).at(0).toJsonObject().value(u"at").toString();
        QVERIFY2(QRegularExpression(QStringLiteral("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$"))
                     .match(at)
                     .hasMatch(),
            qPrintable(at));
        Q_EMIT f.service.eventEmitted({ { QStringLiteral("name"), QStringLiteral("kv.stats") },
            { QStringLiteral("at"), QStringLiteral("2026-01-01T00:00:00.000Z") } });
        QCOMPARE(events.at(1).at(0).toJsonObject().value(u"at").toString(),
            QStringLiteral("2026-01-01T00:00:00.000Z"));
    }

    void theStatusIsMadeOnlyWhileSomebodyWatches()
    {
        Fixture f;
        QSignalSpy events(&f.hub, &EventHub::happened);
        f.hub.addStatusWatcher();
        QTRY_COMPARE(events.size(), 1); // the first comes by itself
        QCOMPARE(events.at(0).at(0).toJsonObject().value(u"status").toObject(), f.service.status());
        // A burst makes one status after it, and only as the status changed.
        f.service.statusDocument.insert(u"paused", true);
        for (int i = 0; i < 5; ++i) {
            Q_EMIT f.service.eventEmitted({ { QStringLiteral("name"), QStringLiteral("kv.stats") } });
        }
        QTRY_COMPARE(events.size(), 7);
        QCOMPARE(events.at(6).at(0).toJsonObject().value(u"status").toObject(), f.service.status());
        Q_EMIT f.service.eventEmitted({ { QStringLiteral("name"), QStringLiteral("kv.stats") } });
        QTest::qWait(700); // nothing to wait for: the status is the same
        QCOMPARE(events.size(), 8);
        f.hub.removeStatusWatcher();
        f.service.statusDocument.insert(u"paused", false);
        Q_EMIT f.service.eventEmitted({ { QStringLiteral("name"), QStringLiteral("kv.stats") } });
        QTest::qWait(700);
        QCOMPARE(events.size(), 9); // the event alone
        // Every event of the daemon has its number.
        for (int i = 0; i < 9; ++i) {
            QCOMPARE(events.at(i).at(0).toJsonObject().value(u"seq").toInt(), i + 1);
        }
    }

    void whileStoppingNoWorkBegins_data()
    {
        QTest::addColumn<int>("method");
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<bool>("served");
        const auto row = [](ApiMethod method, const char *params, bool served) {
            QTest::newRow(qPrintable(methodName(method)))
                << static_cast<int>(method) << QByteArray(params) << served;
        };
        row(ApiMethod::RequestBegin, R"({"provider":"p","model":"m"})", false);
        row(ApiMethod::Save, R"({"session":"s"})", false);
        row(ApiMethod::Restore, R"({"session":"s"})", false);
        row(ApiMethod::Purge, R"({"session":"s"})", false);
        row(ApiMethod::Reload, "{}", false);
        row(ApiMethod::RequestEnd, R"({"lease":"L1","outcome":"ok"})", true);
        row(ApiMethod::SessionEvent, R"({"session":"s","type":"flush"})", true);
        row(ApiMethod::Cancel, R"({"id":1})", true);
        row(ApiMethod::Status, "{}", true);
        row(ApiMethod::Hello, "{}", true);
    }
    void whileStoppingNoWorkBegins()
    {
        QFETCH(int, method);
        QFETCH(QByteArray, params);
        QFETCH(bool, served);
        Fixture f;
        f.handlers.stopTakingWork();
        if (served) {
            f.result(static_cast<ApiMethod>(method), params.constData());
        } else {
            QCOMPARE(f.error(static_cast<ApiMethod>(method), params.constData()).error.code,
                ErrorCode::BackendUnavailable);
            QVERIFY(f.service.calls.isEmpty());
        }
    }

    void everyMethodAnswersOnce()
    {
        for (const MethodInfo &info : allMethods()) {
            Fixture f;
            f.call(info.method, {});
            QVERIFY2(f.answers == 1, qPrintable(info.name));
        }
    }
};

QTEST_GUILESS_MAIN(TestHandlers)
#include "tst_handlers.moc"
