// SPDX-License-Identifier: MIT
// Several servers behind one service: routing, connections, reload, and every call answered.
#include "stage.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>

using namespace kv;
using namespace kv::test;

namespace {
const QByteArray c_long(400, 'x');
const QByteArray c_other(300, 'y');

template <typename T> AskedPtr<T> asked() { return std::make_shared<Asked<T>>(); }
}

class TstRuntimeService final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aProviderWithoutARouteIsUnmanaged();
    void switchedOffMeansUnmanaged();
    void noSessionIsCalledLikeABase();
    void aModelDecidesTheRoute();
    void aHungServerDoesNotHoldUpAnother();
    void anEndNamesItsLeaseOrItsCall();
    void aLeaseOfAnotherConnectionIsUnknown();
    void anEndCancelsTheBeginThatWaits();
    void aClosedConnectionGivesItsLeaseBack();
    void nothingIsAnsweredAfterAClosedConnection();
    void anAnswerMayCloseItsOwnConnection();
    void purgeTakesAllServers();
    void purgeWithinAnAnswerCountsAllServers();
    void flushSavesAllServers();
    void aFlushIsCancelledAndAnsweredOnce();
    void pinAndUnpin();
    void erasingAnUnknownServerIsAnError();
    void pauseAndResume();
    void aPauseEndsByItself();
    void reloadAddsAndRemovesServers();
    void aBrokenFileChangesNothing();
    void reloadAnswersEverybodyWhoWaits();
    void reloadWithinAnAnswerIsSafe();
    void anAddressThatChangedIsUsed();
    void whatWasBeingWrittenIsKnownAfterAReload();
    void aPauseOutlastsAChangedServer();
    void aNameInUseByAFormerOperationIsNotReused();
    void configIsReadCheckedAndSet();
    void gcRemovesWhatTheRulesLetGo();
    void doctorOfAConfiguredServer();
    void doctorCancelledWithinItsOwnCheck();
    void doctorOfAConnectionThatClosesWithinItsCheck();
    void doctorRefusesAnAddressThatIsNone();
    void discoverRunsWhileTheServiceGoes();
    void shutdownTwiceFinishesOnce();
    void shutdownWithoutServers();
    void nothingIsReloadedWhileStopping();
    void aSecondServiceIsRefusedTheFolder();
};

void TstRuntimeService::aProviderWithoutARouteIsUnmanaged()
{
    Stage stage;
    QVERIFY(stage.open());
    const AskedPtr<BeginAnswer> begin = stage.beginLater(u"A"_qs, u"cloud"_qs);
    QVERIFY(begin->done());
    QVERIFY(!begin->answer->managed);
    QCOMPARE(begin->answer->grant.lease, LeaseId { 0 });
    QCOMPARE(toString(begin->answer->grant.outcome), u"unmanaged"_qs);
    QCOMPARE(stage.server().calls().size(), std::size_t { 0 });
    QCOMPARE(stage.stat(u"requests"_qs), 0);
}

void TstRuntimeService::noSessionIsCalledLikeABase()
{
    Stage stage;
    QVERIFY(stage.open());
    const AskedPtr<BeginAnswer> begin = stage.beginLater(QChar(u'\x1') + u"0123"_qs);
    QVERIFY(begin->done());
    QVERIFY(begin->error && begin->error->code == ErrorCode::BadRequest);
    QVERIFY(!begin->strict);
    QCOMPARE(stage.stat(u"requests"_qs), 0);
}

void TstRuntimeService::switchedOffMeansUnmanaged()
{
    Stage stage;
    stage.config.enabled = false;
    QVERIFY(stage.open());
    QVERIFY(!stage.begin(u"A"_qs).managed);
    QVERIFY(stage.service().providers().isEmpty());
    QCOMPARE(stage.status().value(u"enabled").toBool(true), false);
}

void TstRuntimeService::aModelDecidesTheRoute()
{
    Stage stage(2);
    stage.config.providers = { { u"mixed"_qs, { { u"qwen*"_qs, u"b"_qs }, { u"*"_qs, u"a"_qs } } } };
    QVERIFY(stage.open());
    BeginRequest request = stage.request(u"A"_qs, u"mixed"_qs);
    request.model = u"qwen3"_qs;
    const AskedPtr<BeginAnswer> qwen = stage.beginLater(request);
    QVERIFY(qwen->waited());
    QCOMPARE(qwen->answer->server, u"b"_qs);
    QCOMPARE(stage.begin(u"A"_qs, u"mixed"_qs).server, u"a"_qs);
}

void TstRuntimeService::aHungServerDoesNotHoldUpAnother()
{
    // Invariant 8: slots of different servers never wait for each other.
    Stage stage(2);
    stage.config.servers.front().requestTimeoutMs = 15'000;
    QVERIFY(stage.open());
    stage.server(0).hangNext(u"slots"_qs);
    const AskedPtr<BeginAnswer> hung = stage.beginLater(u"A"_qs, u"pa"_qs);
    QCOMPARE(stage.turn(u"B"_qs, c_long, 1), u"cold"_qs);
    QCOMPARE(stage.turn(u"C"_qs, c_other, 1), u"cold"_qs);
    QCOMPARE(stage.turn(u"B"_qs, c_long + "z", 1), u"restored"_qs);
    QVERIFY(!hung->done());
}

void TstRuntimeService::anEndNamesItsLeaseOrItsCall()
{
    Stage stage;
    QVERIFY(stage.open());
    BeginRequest request = stage.request(u"A"_qs);
    request.call = u"c1"_qs;
    const AskedPtr<BeginAnswer> begin = stage.beginLater(request);
    QVERIFY(begin->waited());
    EndRequest end;
    end.connection = stage.connection();
    end.call = u"c1"_qs;
    const AskedPtr<EndAnswer> ended = stage.endLater(end);
    QVERIFY(ended->done());
    QVERIFY(ended->answer);
    QVERIFY(ended->answer->dirty);
    const AskedPtr<EndAnswer> again = stage.endLater(end);
    QCOMPARE(again->error->code, ErrorCode::LeaseUnknown);
    EndRequest nothing;
    nothing.connection = stage.connection();
    QCOMPARE(stage.endLater(nothing)->error->code, ErrorCode::LeaseUnknown);
}

void TstRuntimeService::aLeaseOfAnotherConnectionIsUnknown()
{
    Stage stage;
    QVERIFY(stage.open());
    const BeginAnswer begun = stage.begin(u"A"_qs);
    EndRequest end;
    end.connection = stage.service().openConnection();
    end.lease = begun.grant.lease;
    QCOMPARE(stage.endLater(end)->error->code, ErrorCode::LeaseUnknown);
    end.connection = stage.connection();
    QVERIFY(stage.endLater(end)->answer);
}

void TstRuntimeService::anEndCancelsTheBeginThatWaits()
{
    Stage stage;
    QVERIFY(stage.open());
    const BeginAnswer holder = stage.begin(u"A"_qs);
    BeginRequest request = stage.request(u"B"_qs);
    request.call = u"waiting"_qs;
    const AskedPtr<BeginAnswer> waiting = stage.beginLater(request);
    EndRequest end;
    end.connection = stage.connection();
    end.call = u"waiting"_qs;
    end.outcome = EndOutcome::Aborted;
    const AskedPtr<EndAnswer> ended = stage.endLater(end);
    QVERIFY(ended->answer);
    QCOMPARE(waiting->replies, 1);
    QCOMPARE(waiting->error->code, ErrorCode::Cancelled);
    stage.end(holder, stage.infer(c_long));
}

void TstRuntimeService::aClosedConnectionGivesItsLeaseBack()
{
    Stage stage;
    QVERIFY(stage.open());
    BeginRequest request = stage.request(u"A"_qs);
    request.connection = stage.service().openConnection();
    QVERIFY(stage.beginLater(request)->waited());
    const AskedPtr<BeginAnswer> next = stage.beginLater(u"B"_qs);
    QVERIFY(!next->done());
    stage.service().closeConnection(request.connection);
    QVERIFY(next->waited());
    QVERIFY(next->answer);
}

void TstRuntimeService::nothingIsAnsweredAfterAClosedConnection()
{
    Stage stage(2);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.turn(u"B"_qs, c_long, 1);
    stage.server().holdNext(u"save"_qs, 200);
    const ConnectionId gone = stage.service().openConnection();
    SessionCall call = stage.call(u"A"_qs);
    call.connection = gone;
    const auto save = asked<ManualAnswer>();
    const auto flush = asked<ManualAnswer>();
    stage.service().flush(gone, Stage::into(flush));
    stage.service().save(call, Stage::into(save));
    BeginRequest request = stage.request(u"C"_qs);
    request.connection = gone;
    const AskedPtr<BeginAnswer> begin = stage.beginLater(request);
    stage.service().closeConnection(gone);
    stage.service().closeConnection(gone); // twice does no harm
    QTRY_COMPARE(stage.rows(), 2); // what was being saved is saved all the same
    QTest::qWait(50);
    QCOMPARE(save->replies + flush->replies + begin->replies, 0);
}

void TstRuntimeService::anAnswerMayCloseItsOwnConnection()
{
    Stage stage(2);
    QVERIFY(stage.open());
    const ConnectionId connection = stage.service().openConnection();
    BeginRequest request = stage.request(u"A"_qs);
    request.connection = connection;
    int replies = 0;
    stage.service().begin(request, [&](const auto &) {
        ++replies;
        stage.service().closeConnection(connection);
    });
    QTRY_COMPARE(replies, 1);
    QVERIFY(stage.begin(u"B"_qs).managed); // the lease that nobody holds is gone with it
}

void TstRuntimeService::purgeTakesAllServers()
{
    Stage stage(3);
    QVERIFY(stage.open());
    for (int i = 0; i < 2; ++i) {
        stage.turn(u"A"_qs, c_long, i);
        const auto flush = asked<ManualAnswer>();
        stage.service().flush(stage.connection(), Stage::into(flush));
        QVERIFY(flush->waited());
    }
    QCOMPARE(stage.rows(), 2);
    const auto purge = asked<ManualAnswer>();
    stage.service().purge(stage.call(u"A"_qs), Stage::into(purge));
    QVERIFY(purge->waited());
    QCOMPARE(purge->replies, 1);
    QCOMPARE(purge->answer->count, 2);
    QVERIFY(purge->answer->fileRemains);
    QCOMPARE(stage.rows(), 0);
    QVERIFY(stage.stop());
    QVERIFY(stage.open());
    QCOMPARE(stage.rows(), 0); // and not only in memory
}

void TstRuntimeService::purgeWithinAnAnswerCountsAllServers()
{
    Stage stage(2);
    QVERIFY(stage.open());
    for (int i = 0; i < 2; ++i) {
        stage.turn(u"A"_qs, c_long, i);
    }
    const auto flush = asked<ManualAnswer>();
    stage.service().flush(stage.connection(), Stage::into(flush));
    QVERIFY(flush->waited());
    const auto purge = asked<ManualAnswer>();
    stage.service().begin(stage.request(u"A"_qs),
        [&](const auto &) { stage.service().purge(stage.call(u"A"_qs), Stage::into(purge)); });
    QVERIFY(purge->waited());
    QCOMPARE(purge->answer->count, 2);
}

void TstRuntimeService::flushSavesAllServers()
{
    Stage stage(3);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long, 0);
    stage.turn(u"B"_qs, c_long, 1);
    const auto flush = asked<ManualAnswer>();
    QVERIFY(stage.service().flush(stage.connection(), Stage::into(flush)) != 0);
    QVERIFY(flush->waited());
    QCOMPARE(flush->answer->count, 2);
    QCOMPARE(stage.rows(), 2);
    const auto again = asked<ManualAnswer>();
    stage.service().flush(stage.connection(), Stage::into(again));
    QVERIFY(again->waited());
    QCOMPARE(again->answer->count, 0);
}

void TstRuntimeService::aFlushIsCancelledAndAnsweredOnce()
{
    Stage stage(2);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long, 0);
    stage.server().holdNext(u"save"_qs, 200);
    const auto flush = asked<ManualAnswer>();
    const RequestId id = stage.service().flush(stage.connection(), Stage::into(flush));
    QVERIFY(id != 0);
    QVERIFY(stage.service().cancel(stage.connection(), id));
    QCOMPARE(flush->error->code, ErrorCode::Cancelled);
    QTRY_COMPARE(stage.rows(), 1);
    QTest::qWait(50);
    QCOMPARE(flush->replies, 1);
}

void TstRuntimeService::pinAndUnpin()
{
    Stage stage;
    QVERIFY(stage.open());
    const auto unknown = asked<ManualAnswer>();
    stage.service().pin(stage.call(u"nobody"_qs), true, Stage::into(unknown));
    QCOMPARE(unknown->error->code, ErrorCode::SessionUnknown);
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    const auto pin = asked<ManualAnswer>();
    stage.service().pin(stage.call(u"A"_qs), true, Stage::into(pin));
    QCOMPARE(pin->answer->count, 1);
    QVERIFY(stage.stop());
    QVERIFY(stage.open());
    ListCall pinned;
    pinned.filter = u"pinned:true"_qs;
    QCOMPARE(stage.service().list(pinned).value().value(u"total").toInt(), 1);
}

void TstRuntimeService::erasingAnUnknownServerIsAnError()
{
    Stage stage;
    QVERIFY(stage.open());
    const auto erase = asked<ManualAnswer>();
    stage.service().erase(stage.connection(), u"nowhere"_qs, {}, Stage::into(erase));
    QCOMPARE(erase->error->code, ErrorCode::SlotNotFound);
    const auto slot = asked<ManualAnswer>();
    stage.service().erase(stage.connection(), u"a"_qs, SlotKey { {}, 7 }, Stage::into(slot));
    QVERIFY(slot->waited());
    QCOMPARE(slot->error->code, ErrorCode::SlotNotFound);
    const auto fine = asked<ManualAnswer>();
    stage.service().erase(stage.connection(), u"a"_qs, SlotKey { {}, 0 }, Stage::into(fine));
    QVERIFY(fine->waited());
    QVERIFY(fine->answer);
}

void TstRuntimeService::pauseAndResume()
{
    Stage stage(2);
    QVERIFY(stage.open());
    QCOMPARE(stage.service().pause(u"nowhere"_qs, -1).error().code, ErrorCode::SlotNotFound);
    QVERIFY(stage.service().pause(u"a"_qs, -1).ok());
    QCOMPARE(stage.status().value(u"paused").toBool(), false); // only one of them
    QCOMPARE(toString(stage.begin(u"A"_qs).grant.outcome), u"bypass"_qs);
    QCOMPARE(stage.turn(u"B"_qs, c_long, 1), u"cold"_qs);
    QVERIFY(stage.service().pause({}, 600'000).ok());
    QCOMPARE(stage.status().value(u"paused").toBool(), true);
    QVERIFY(stage.status().contains(u"pausedUntil"));
    const Result<QJsonObject> resumed = stage.service().resume({});
    QCOMPARE(resumed.value().value(u"servers").toArray().size(), 2);
    QCOMPARE(stage.service().resume({}).value().value(u"servers").toArray().size(), 0);
    QCOMPARE(stage.status().value(u"paused").toBool(), false);
}

void TstRuntimeService::aPauseEndsByItself()
{
    Stage stage;
    QVERIFY(stage.open());
    QVERIFY(stage.service().pause({}, 150).ok());
    QVERIFY(stage.serverStatus().value(u"paused").toBool());
    QTRY_VERIFY(!stage.serverStatus().value(u"paused").toBool());
    QVERIFY(!stage.serverStatus().contains(u"pausedUntil"));
}

void TstRuntimeService::reloadAddsAndRemovesServers()
{
    Stage stage(2);
    stage.writeConfig(stage.yaml({ u"a"_qs }));
    const Config both = stage.config;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long, 0);
    stage.turn(u"B"_qs, c_long, 1);
    QVERIFY(stage.saved(u"B"_qs));
    const Result<QJsonObject> reloaded = stage.service().reload();
    QVERIFY2(reloaded.ok(), qPrintable(reloaded.ok() ? QString() : reloaded.error().message));
    QVERIFY(reloaded.value().value(u"changed").toArray().contains(u"servers.b"_qs));
    QCOMPARE(stage.status().value(u"servers").toArray().size(), 1);
    QVERIFY(!stage.begin(u"B"_qs, u"pb"_qs).managed);
    QCOMPARE(toString(stage.begin(u"A"_qs).grant.outcome), u"resident"_qs); // untouched by it
    QVERIFY(stage.events().contains(u"kv.config.reloaded"_qs));
    // And back: what it had on record is still there, and its totals.
    stage.writeConfig(stage.yaml({ u"a"_qs, u"b"_qs }));
    QVERIFY(stage.service().reload().ok());
    QCOMPARE(stage.status().value(u"servers").toArray().size(), 2);
    QCOMPARE(stage.stat(u"saves"_qs), 1);
    stage.turn(u"C"_qs, c_other, 1);
    QCOMPARE(stage.turn(u"B"_qs, c_long + "z", 1), u"restored"_qs);
}

void TstRuntimeService::aBrokenFileChangesNothing()
{
    Stage stage;
    stage.writeConfig(u"servers: { a: { baseURL: 12 } }\nenabeld: true\n"_qs);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    const Result<QJsonObject> reloaded = stage.service().reload();
    QVERIFY(!reloaded.ok());
    QCOMPARE(reloaded.error().code, ErrorCode::ConfigInvalid);
    QVERIFY(!reloaded.error().data.value(u"errors").toArray().isEmpty());
    QCOMPARE(toString(stage.begin(u"A"_qs).grant.outcome), u"resident"_qs);
}

void TstRuntimeService::reloadAnswersEverybodyWhoWaits()
{
    Stage stage(2);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.turn(u"D"_qs, c_long, 1);
    stage.server().holdNext(u"save"_qs, 1500);
    const AskedPtr<ManualAnswer> save = stage.save(u"A"_qs);
    const auto flush = asked<ManualAnswer>();
    stage.service().flush(stage.connection(), Stage::into(flush));
    const AskedPtr<BeginAnswer> first = stage.beginLater(u"B"_qs);
    const AskedPtr<BeginAnswer> second = stage.beginLater(u"C"_qs);
    QTRY_VERIFY(!stage.server().slotCalls().empty());
    stage.writeConfig(stage.yaml({ u"b"_qs }));
    QVERIFY(stage.service().reload().ok());
    QCOMPARE(save->replies, 1);
    QCOMPARE(save->error->code, ErrorCode::Cancelled);
    QCOMPARE(first->error->code, ErrorCode::Cancelled);
    QCOMPARE(second->error->code, ErrorCode::Cancelled);
    QVERIFY(!first->strict); // the client goes on by itself
    QVERIFY(flush->waited());
    QCOMPARE(flush->answer->count, 1); // the other server's
    QTest::qWait(1800); // the reply of the former server's save comes now
    QCOMPARE(save->replies + first->replies + second->replies + flush->replies, 4);
    QCOMPARE(stage.rows(), 1);
}

void TstRuntimeService::reloadWithinAnAnswerIsSafe()
{
    Stage stage(2);
    QVERIFY(stage.open());
    stage.writeConfig(stage.yaml({ u"b"_qs }));
    bool reloaded = false;
    stage.service().begin(
        stage.request(u"A"_qs), [&](const auto &) { reloaded = stage.service().reload().ok(); });
    QTRY_VERIFY(reloaded);
    QTest::qWait(50);
    QVERIFY(!stage.begin(u"A"_qs).managed);
    QCOMPARE(stage.turn(u"B"_qs, c_long, 1), u"cold"_qs);
}

void TstRuntimeService::anAddressThatChangedIsUsed()
{
    Stage stage(2);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QString text = stage.yaml({ u"a"_qs }, u"coldStart: erase\n"_qs);
    text.replace(stage.server(0).url().toString(), stage.server(1).url().toString());
    stage.writeConfig(text);
    QVERIFY(stage.service().reload().ok());
    stage.takeActions(0);
    const BeginAnswer begun = stage.begin(u"A"_qs); // it waits until the old one has saved
    QVERIFY(begun.managed);
    QCOMPARE(stage.takeActions(0), u"save"_qs);
    // Under another address it is the same server to us, with what was saved there on record.
    QVERIFY(!stage.takeActions(1).isEmpty());
}

void TstRuntimeService::whatWasBeingWrittenIsKnownAfterAReload()
{
    Stage stage;
    stage.watched = true;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    // The row is on its way to the database when the server is replaced.
    QObject context;
    bool reloaded = false;
    QString text = stage.yaml({ u"a"_qs });
    stage.writeConfig(text.replace(u"requestTimeoutMs: 2000"_qs, u"requestTimeoutMs: 2500"_qs));
    QObject::connect(&stage.service(), &Service::eventEmitted, &context, [&](const QJsonObject &event) {
        if (event.value(u"name").toString() == u"kv.session.save.success" && !reloaded) {
            reloaded = true;
            QTimer::singleShot(0, &context, [&] { reloaded = stage.service().reload().ok(); });
        }
    });
    stage.save(u"A"_qs);
    QTRY_VERIFY(stage.events().contains(u"kv.config.reloaded"_qs));
    QTRY_COMPARE(stage.rows(), 1);
    stage.turn(u"B"_qs, c_other);
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"restored"_qs);
    QVERIFY(stage.stop());
    QVERIFY(stage.open());
    QCOMPARE(stage.rows(), 2);
}

void TstRuntimeService::aPauseOutlastsAChangedServer()
{
    Stage stage;
    QVERIFY(stage.open());
    QVERIFY(stage.service().pause({}, 600'000).ok());
    QString text = stage.yaml({ u"a"_qs });
    stage.writeConfig(text.replace(u"requestTimeoutMs: 2000"_qs, u"requestTimeoutMs: 2500"_qs));
    QVERIFY(stage.service().reload().ok());
    QVERIFY(stage.serverStatus().value(u"paused").toBool());
    QVERIFY(stage.serverStatus().contains(u"pausedUntil"));
}

void TstRuntimeService::aNameInUseByAFormerOperationIsNotReused()
{
    // Invariant 11: the save of the former runtime still writes to its file.
    Stage stage;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.server().clearCalls();
    stage.server().delayNext(u"save"_qs, 500);
    stage.save(u"A"_qs);
    QTRY_VERIFY(!stage.server().slotCalls().empty());
    QString text = stage.yaml({ u"a"_qs });
    stage.writeConfig(text.replace(u"requestTimeoutMs: 2000"_qs, u"requestTimeoutMs: 2500"_qs));
    QVERIFY(stage.service().reload().ok());
    stage.turn(u"B"_qs, c_other);
    QVERIFY(stage.saved(u"B"_qs));
    QStringList names;
    for (const FakeCall &call : stage.server().slotCalls()) {
        if (call.action() == u"save") {
            names.append(call.json().value(u"filename").toString());
        }
    }
    QCOMPARE(names.size(), 2);
    QVERIFY(names.at(0) != names.at(1));
}

void TstRuntimeService::configIsReadCheckedAndSet()
{
    Stage stage;
    QVERIFY(stage.open());
    const QString text = stage.yaml({ u"a"_qs });
    const QJsonObject none = stage.service().config(u"get"_qs, {}, {}).value();
    QCOMPARE(none.value(u"exists").toBool(true), false);
    const QJsonObject bad = stage.service().config(u"validate"_qs, u"enabeld: true\n"_qs, {}).value();
    QCOMPARE(bad.value(u"valid").toBool(true), false);
    QCOMPARE(bad.value(u"errors").toArray().size(), 1);
    QVERIFY(stage.service().config(u"validate"_qs, text, {}).value().value(u"valid").toBool());
    QVERIFY(!QFile::exists(stage.configPath()));
    const Result<QJsonObject> set = stage.service().config(u"set"_qs, text, {});
    QVERIFY2(set.ok(), qPrintable(set.ok() ? QString() : set.error().message));
    const QString hash = set.value().value(u"hash").toString();
    const QJsonObject got = stage.service().config(u"get"_qs, {}, {}).value();
    QCOMPARE(got.value(u"yaml").toString(), text);
    QCOMPARE(got.value(u"hash").toString(), hash);
    const Result<QJsonObject> stale = stage.service().config(u"set"_qs, text + u"\n"_qs, u"0000"_qs);
    QCOMPARE(stale.error().code, ErrorCode::ConfigInvalid);
    QVERIFY(stage.service().config(u"set"_qs, text + u"coldStart: keep\n"_qs, hash).ok());
    const Result<QJsonObject> broken = stage.service().config(u"set"_qs, u"servers: 3\n"_qs, {});
    QCOMPARE(broken.error().code, ErrorCode::ConfigInvalid);
    QVERIFY(!broken.error().data.value(u"errors").toArray().isEmpty());
    QVERIFY(stage.service().config(u"get"_qs, {}, {}).value().value(u"yaml").toString().contains(u"keep"_qs));
}

void TstRuntimeService::gcRemovesWhatTheRulesLetGo()
{
    Stage stage;
    stage.config.retention.maxSessions = 2;
    QVERIFY(stage.open());
    for (const QString &session : { u"A"_qs, u"B"_qs, u"C"_qs, u"D"_qs }) {
        stage.turn(session, session.toUtf8() + c_long);
        QVERIFY(stage.saved(session));
        QTest::qWait(2); // another millisecond
    }
    const QJsonObject dry = stage.service().gc(true).value();
    QCOMPARE(dry.value(u"removed").toInt(), 2);
    QCOMPARE(stage.rows(), 4);
    const QJsonObject wet = stage.service().gc(false).value();
    QCOMPARE(wet.value(u"rows").toArray(), dry.value(u"rows").toArray());
    QCOMPARE(wet.value(u"rows").toArray().at(0).toObject().value(u"label").toString(), u"label of A"_qs);
    QCOMPARE(stage.rows(), 2);
    QVERIFY(stage.stop());
    QVERIFY(stage.open());
    QCOMPARE(stage.rows(), 2);
}

void TstRuntimeService::doctorOfAConfiguredServer()
{
    Stage stage;
    QVERIFY(stage.open());
    QList<QJsonObject> checks;
    const auto doctor = asked<QJsonObject>();
    QVERIFY(
        stage.service().doctor(
            stage.connection(), {}, [&](const QJsonObject &one) { checks.append(one); }, Stage::into(doctor))
        != 0);
    QVERIFY(!doctor->done()); // never before the call has returned
    QVERIFY(doctor->waited());
    QCOMPARE(doctor->answer->value(u"checks").toArray().size(), checks.size());
    QVERIFY(checks.size() >= 4);
    QVERIFY(doctor->answer->value(u"result").toString().startsWith(u"ready"_qs));
    const auto unknown = asked<QJsonObject>();
    stage.service().doctor(
        stage.connection(), { { u"server"_qs, u"nowhere"_qs } }, [](const auto &) {}, Stage::into(unknown));
    QCOMPARE(unknown->error->code, ErrorCode::SlotNotFound);
    // The handler of the call tells other clients; a second event would be one too many.
    QVERIFY(!stage.events().contains(u"doctor"_qs));
}

void TstRuntimeService::doctorCancelledWithinItsOwnCheck()
{
    Stage stage;
    QVERIFY(stage.open());
    const auto doctor = asked<QJsonObject>();
    RequestId id = 0;
    int checks = 0;
    id = stage.service().doctor(
        stage.connection(), {},
        [&](const QJsonObject &) {
            ++checks;
            stage.service().cancel(stage.connection(), id);
        },
        Stage::into(doctor));
    QVERIFY(doctor->waited());
    QCOMPARE(doctor->error->code, ErrorCode::Cancelled);
    QTest::qWait(300);
    QCOMPARE(checks, 1);
    QCOMPARE(doctor->replies, 1);
}

void TstRuntimeService::doctorOfAConnectionThatClosesWithinItsCheck()
{
    Stage stage;
    QVERIFY(stage.open());
    const ConnectionId connection = stage.service().openConnection();
    const auto doctor = asked<QJsonObject>();
    int checks = 0;
    int seen = 0;
    stage.service().doctor(
        connection, {},
        [&](const QJsonObject &one) {
            ++checks;
            if (one.value(u"name").toString() == u"reachable") {
                stage.service().closeConnection(connection);
                seen = checks;
            }
        },
        Stage::into(doctor));
    QTRY_VERIFY(seen > 0);
    QTest::qWait(300);
    QCOMPARE(checks, seen);
    QCOMPARE(doctor->replies, 0);
}

void TstRuntimeService::doctorRefusesAnAddressThatIsNone()
{
    Stage stage;
    QVERIFY(stage.open());
    for (const QString &url : { u"127.0.0.1:8080"_qs, u"ftp://x"_qs, u"http://"_qs, u"nonsense"_qs }) {
        const auto doctor = asked<QJsonObject>();
        stage.service().doctor(
            stage.connection(), { { u"baseURL"_qs, url } }, [](const auto &) {}, Stage::into(doctor));
        QVERIFY2(doctor->error && doctor->error->code == ErrorCode::BadRequest, qPrintable(url));
    }
}

void TstRuntimeService::discoverRunsWhileTheServiceGoes()
{
    Stage stage;
    QVERIFY(stage.open());
    const auto discover = asked<QJsonObject>();
    stage.service().discover(Stage::into(discover));
    stage.crash();
    QTest::qWait(200);
    QCOMPARE(discover->replies, 0);
    QVERIFY(stage.open());
    stage.service().discover(Stage::into(discover));
    QVERIFY(discover->waited());
    QVERIFY(discover->answer->value(u"servers").isArray());
}

void TstRuntimeService::shutdownTwiceFinishesOnce()
{
    Stage stage(2);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.server().holdNext(u"save"_qs, 200);
    stage.service().shutdown(5000);
    const AskedPtr<BeginAnswer> late = stage.beginLater(u"B"_qs);
    QCOMPARE(late->error->code, ErrorCode::Cancelled);
    QVERIFY(stage.stop()); // asks again, and checks that it finishes exactly once
    QVERIFY(stage.open());
    QCOMPARE(stage.rows(), 1);
}

void TstRuntimeService::shutdownWithoutServers()
{
    Stage stage(0);
    QVERIFY(stage.open());
    QVERIFY(!stage.status().value(u"advice").toArray().isEmpty());
    const auto flush = asked<ManualAnswer>();
    stage.service().flush(stage.connection(), Stage::into(flush));
    QCOMPARE(flush->answer->count, 0);
    stage.service().shutdown(100);
    QVERIFY(stage.stop());
}

void TstRuntimeService::nothingIsReloadedWhileStopping()
{
    Stage stage(2);
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    stage.server().holdNext(u"save"_qs, 200);
    stage.writeConfig(stage.yaml({ u"b"_qs }));
    stage.service().shutdown(5000);
    QCOMPARE(stage.service().reload().error().code, ErrorCode::Cancelled);
    QVERIFY(!stage.service().config(u"set"_qs, stage.yaml({ u"b"_qs }), {}).ok());
    QVERIFY(stage.stop());
}

void TstRuntimeService::aSecondServiceIsRefusedTheFolder()
{
    Stage stage;
    QVERIFY(stage.open());
    RuntimeOptions options;
    options.config = stage.config;
    const Result<std::unique_ptr<RuntimeService>> second = RuntimeService::create(std::move(options));
    QVERIFY(!second.ok());
    QCOMPARE(second.error().code, ErrorCode::MetadataIo);
    QVERIFY(!second.error().message.isEmpty());
}

QTEST_GUILESS_MAIN(TstRuntimeService)
#include "tst_runtimeservice.moc"
