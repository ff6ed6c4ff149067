// SPDX-License-Identifier: MIT
// `doctor --verify` through the real service before a fake server: what it says of servers of every kind,
// that it leaves nothing behind however it ends, and that nobody's state is lost for it.
#include "stage.h"

#include <QDir>
#include <QJsonArray>
#include <QTimer>

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray c_prompt(600, 'p');

struct Proof final {
    AskedPtr<QJsonObject> asked = std::make_shared<Asked<QJsonObject>>();
    std::shared_ptr<QList<QJsonObject>> seen = std::make_shared<QList<QJsonObject>>();

    [[nodiscard]] QJsonObject check(const QString &name) const
    {
        for (const QJsonObject &one : *seen) {
            if (one.value(u"name").toString() == name) {
                return one;
            }
        }
        return {};
    }
    [[nodiscard]] QString of(const QString &name) const { return check(name).value(u"result").toString(); }
    [[nodiscard]] QString message(const QString &name = u"verify"_qs) const
    {
        return check(name).value(u"message").toString();
    }
    [[nodiscard]] bool waited()
    {
        return QTest::qWaitFor([this] { return asked->done(); }, 60'000);
    }
};

/// `onCheck` is called with the name of each check.
Proof verifyLater(
    Stage &stage, const std::function<void(const QString &)> &onCheck = {}, const QJsonObject &more = {})
{
    Proof out;
    QJsonObject params { { u"verify"_qs, true } };
    for (auto it = more.begin(); it != more.end(); ++it) {
        params.insert(it.key(), it.value());
    }
    out.asked->id = stage.service().doctor(
        stage.connection(), params,
        [seen = out.seen, onCheck](const QJsonObject &one) {
            seen->append(one);
            if (onCheck) {
                onCheck(one.value(u"name").toString());
            }
        },
        Stage::into(out.asked));
    return out;
}

QString compatibility(Stage &stage) { return stage.serverStatus().value(u"compatibility").toString(); }

bool noLease(Stage &stage)
{
    return QTest::qWaitFor([&] { return stage.service().leases(u"a"_qs).empty(); }, 20'000);
}

int filesOf(FakeLlamaServer &server)
{
    int files = 0;
    for (const FakeCall &call : server.slotCalls()) {
        files += call.json().value(u"filename").toString().endsWith(u"-verify.bin") ? 1 : 0;
    }
    return files;
}

/// What the proof's file on the server still holds: bytes, −1: there is none.
qint64 proofBytes(Stage &stage)
{
    for (const FakeCall &call : stage.server().slotCalls()) {
        const QString name = call.json().value(u"filename").toString();
        if (name.endsWith(u"-verify.bin")) {
            const std::optional<QByteArray> data = stage.server().files().read(name);
            return data ? data->size() : -1;
        }
    }
    return -1;
}

} // namespace

class TstVerifyRun final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aGoodServerIsSupported();
    void itSurvivesARestartOfTheDaemon();
    void aServerThatReusesNothingRestoredIsBroken_data();
    void aServerThatReusesNothingRestoredIsBroken();
    void brokenIsLiftedByAResumeOrALaterProof();
    void reuseWithoutARestoreProvesNothing();
    void theOwnerIsSavedFirstAndIsBack();
    void whatCannotBeSavedIsNotTouched();
    void aServerThatCannotSaveIsSaidSo();
    void cancelledAtEachStepItLeavesNothing_data();
    void cancelledAtEachStepItLeavesNothing();
    void cancelledWhileTheServerIsDownItEnds();
    void aClientThatGoesEndsIt();
    void aServerThatDiesMeanwhileIsNoVerdict_data();
    void aServerThatDiesMeanwhileIsNoVerdict();
    void acrossARestart();
    void acrossARestartIntoAnotherBuildCountsNothing();
    void pausedOrAsleepNothingIsTried();
    void pausedMeanwhileTheRemedyIsToResume();
    void switchedOffTheRemedyIsToSwitchItOn();
    void whatCannotBeTriedIsSaidSo_data();
    void whatCannotBeTriedIsSaidSo();
    void whoAsksMeanwhileIsServedNext();
    void sharedFilesAreRemoved();
    void theSlotsOfAnUnconfiguredServerAreNotUsed();
    void aNeighbourAtWorkIsNoVerdictAgainstIt();
};

void TstVerifyRun::aGoodServerIsSupported()
{
    Stage stage;
    QVERIFY(stage.open());
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify"_qs), u"passed"_qs);
    QVERIFY2(proof.message().startsWith(u"supported"_qs), qPrintable(proof.message()));
    for (const char *name :
        { "verify save first", "verify slot", "verify cold", "verify save", "verify resident",
            "verify control", "verify restore", "verify inspect", "verify same", "verify continued" }) {
        QCOMPARE(proof.of(QString::fromLatin1(name)), u"passed"_qs);
    }
    QCOMPARE(compatibility(stage), u"supported"_qs);
    QVERIFY(noLease(stage));
    QCOMPARE(stage.rows(), 0); // nothing of it is a session's
    QVERIFY(stage.server().engine().slot(0).content.isEmpty());
    QTRY_COMPARE(proofBytes(stage), 36); // nothing is in it any more
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs); // and work goes on
}

void TstVerifyRun::itSurvivesARestartOfTheDaemon()
{
    Stage stage;
    QVERIFY(stage.open());
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify"_qs), u"passed"_qs);
    QVERIFY(noLease(stage));
    QVERIFY(stage.stop());
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs); // the server is known again
    QCOMPARE(compatibility(stage), u"supported"_qs);
}

void TstVerifyRun::aServerThatReusesNothingRestoredIsBroken_data()
{
    QTest::addColumn<bool>("empty");
    QTest::newRow("what is restored is worth nothing") << false;
    QTest::newRow("nothing is restored") << true;
}

void TstVerifyRun::aServerThatReusesNothingRestoredIsBroken()
{
    QFETCH(const bool, empty);
    FakeOptions options;
    options.reuseAfterRestore = empty;
    options.restoresNothing = empty;
    Stage stage(1, options);
    QVERIFY(stage.open());
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify"_qs), u"failed"_qs);
    QVERIFY2(proof.message().startsWith(u"broken"_qs), qPrintable(proof.message()));
    QCOMPARE(proof.asked->answer->value(u"result").toString(), u"not-ready"_qs);
    QCOMPARE(compatibility(stage), u"broken"_qs);
    QVERIFY(noLease(stage));
    stage.takeActions();
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs);
    QCOMPARE(stage.turn(u"T"_qs, c_prompt + "t"), u"cold"_qs);
    QVERIFY(!stage.takeActions().contains(u"save"_qs)); // it rests
}

void TstVerifyRun::brokenIsLiftedByAResumeOrALaterProof()
{
    FakeOptions options;
    options.reuseAfterRestore = false;
    Stage stage(1, options);
    QVERIFY(stage.open());
    Proof bad = verifyLater(stage);
    QVERIFY(bad.waited());
    QVERIFY(noLease(stage));
    QCOMPARE(compatibility(stage), u"broken"_qs);
    QVERIFY(stage.service().resume({}).ok());
    QCOMPARE(compatibility(stage), u"unknown"_qs);
    Proof again = verifyLater(stage);
    QVERIFY(again.waited());
    QVERIFY(noLease(stage));
    QCOMPARE(compatibility(stage), u"broken"_qs);
    // The same build and model, and now it works: a library beside it was replaced.
    options.reuseAfterRestore = true;
    QVERIFY(stage.server().restartWith(options));
    QVERIFY(!stage.turn(u"S"_qs, c_prompt).isEmpty()); // its identity is known again: the same
    Proof good = verifyLater(stage);
    QVERIFY(good.waited());
    QCOMPARE(good.of(u"compatibility"_qs), u"failed"_qs); // as it was; that does not stand in the way
    QVERIFY2(good.message().startsWith(u"supported"_qs), qPrintable(good.message()));
    QCOMPARE(compatibility(stage), u"supported"_qs);
}

void TstVerifyRun::reuseWithoutARestoreProvesNothing()
{
    FakeOptions options;
    options.eraseKeeps = true;
    options.restoresNothing = true;
    Stage stage(1, options);
    QVERIFY(stage.open());
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify"_qs), u"warning"_qs);
    QVERIFY2(proof.message().contains(u"without a restore"_qs), qPrintable(proof.message()));
    QCOMPARE(compatibility(stage), u"unknown"_qs);
    QVERIFY(noLease(stage));
}

void TstVerifyRun::theOwnerIsSavedFirstAndIsBack()
{
    Stage stage;
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs); // and not saved
    QCOMPARE(stage.rows(), 0);
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QVERIFY2(proof.message().startsWith(u"supported"_qs), qPrintable(proof.message()));
    QCOMPARE(stage.rows(), 1);
    QCOMPARE(proof.of(u"verify owner"_qs), u"passed"_qs);
    QVERIFY(noLease(stage));
    const BeginAnswer begun = stage.begin(u"S"_qs);
    QVERIFY(begun.grant.outcome == Outcome::Resident || begun.grant.outcome == Outcome::Restored);
    const FakeCompletionReply reply = stage.infer(c_prompt + "xxx and more");
    QVERIFY2(reply.cached >= c_prompt.size(), qPrintable(QString::number(reply.cached)));
    stage.end(begun, reply);
}

void TstVerifyRun::whatCannotBeSavedIsNotTouched()
{
    Stage stage;
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs);
    const QByteArray held = stage.server().engine().slot(0).content;
    stage.server().setDiskFull(true);
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify"_qs), u"failed"_qs);
    QVERIFY2(proof.message().contains(u"could not be saved"_qs), qPrintable(proof.message()));
    QCOMPARE(filesOf(stage.server()), 0);
    QCOMPARE(stage.server().engine().slot(0).content, held);
    QCOMPARE(compatibility(stage), u"unknown"_qs);
    QVERIFY(noLease(stage));
    stage.server().setDiskFull(false);
    const BeginAnswer begun = stage.begin(u"S"_qs);
    QCOMPARE(toString(begun.grant.outcome), u"resident"_qs);
    stage.end(begun, stage.infer(c_prompt + "xxx and more"));
}

void TstVerifyRun::aServerThatCannotSaveIsSaidSo()
{
    FakeOptions options;
    options.savePath = false;
    Stage stage(1, options);
    QVERIFY(stage.open());
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify"_qs), u"failed"_qs);
    QVERIFY(proof.check(u"verify"_qs).value(u"remedy").toString().contains(u"--slot-save-path"_qs));
    QVERIFY(noLease(stage));
}

namespace {
void addSteps()
{
    QTest::addColumn<QString>("step");
    for (const char *step :
        { "verify save first", "verify slot", "verify cold", "verify save", "verify resident",
            "verify control", "verify restore", "verify inspect", "verify same", "verify continued" }) {
        QTest::newRow(step) << QString::fromLatin1(step);
    }
}
}

void TstVerifyRun::cancelledAtEachStepItLeavesNothing_data()
{
    addSteps();
    for (const char *step : { "verify waiting", "verify restart" }) {
        QTest::newRow(step) << QString::fromLatin1(step);
    }
}

void TstVerifyRun::cancelledAtEachStepItLeavesNothing()
{
    QFETCH(const QString, step);
    Stage stage;
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs);
    Proof proof;
    const bool acrossRestart = step == u"verify waiting" || step == u"verify restart";
    proof = verifyLater(stage,
        [&](const QString &name) {
            if (name == step) {
                stage.service().cancel(stage.connection(), proof.asked->id);
            } else if (name == u"verify waiting") {
                QTimer::singleShot(50, &stage.server(), [&] { stage.server().restart(); });
            }
        },
        { { u"restart"_qs, acrossRestart } });
    QVERIFY(proof.waited());
    QVERIFY(proof.asked->error && proof.asked->error->code == ErrorCode::Cancelled);
    QVERIFY(noLease(stage));
    QCOMPARE(compatibility(stage), u"unknown"_qs);
    // Nothing of the proof stays anywhere, and the session whose slot it was has lost nothing.
    QTRY_VERIFY(proofBytes(stage) <= 36);
    QTRY_VERIFY(!stage.server().engine().slot(0).content.isEmpty());
    const BeginAnswer begun = stage.begin(u"S"_qs);
    QVERIFY(begun.grant.outcome == Outcome::Resident || begun.grant.outcome == Outcome::Restored);
    const FakeCompletionReply reply = stage.infer(c_prompt + "xxx and more");
    QVERIFY2(reply.cached >= c_prompt.size(), qPrintable(QString::number(reply.cached)));
    stage.end(begun, reply);
    QCOMPARE(proof.asked->replies, 1);
}

void TstVerifyRun::cancelledWhileTheServerIsDownItEnds()
{
    Stage stage;
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs);
    Proof proof;
    proof = verifyLater(stage,
        [&](const QString &name) {
            if (name == u"verify waiting") {
                stage.server().stop();
                stage.service().cancel(stage.connection(), proof.asked->id);
            }
        },
        { { u"restart"_qs, true } });
    QVERIFY(proof.waited());
    QVERIFY(noLease(stage));
    QTest::qWait(500);
    QVERIFY(stage.server().restart());
    QTRY_VERIFY(!stage.turn(u"S"_qs, c_prompt).isEmpty());
    Proof again = verifyLater(stage); // nothing of the first one is in the way
    QVERIFY(again.waited());
    QVERIFY2(again.message().startsWith(u"supported"_qs), qPrintable(again.message()));
}

void TstVerifyRun::aClientThatGoesEndsIt()
{
    Stage stage;
    QVERIFY(stage.open());
    const ConnectionId other = stage.service().openConnection();
    const auto asked = std::make_shared<Asked<QJsonObject>>();
    bool closed = false;
    stage.service().doctor(
        other, { { u"verify"_qs, true } },
        [&](const QJsonObject &one) {
            if (one.value(u"name") == u"verify cold"_qs) {
                closed = true;
                stage.service().closeConnection(other);
            }
        },
        Stage::into(asked));
    QTRY_VERIFY(closed);
    QVERIFY(noLease(stage));
    QCOMPARE(asked->replies, 0);
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs);
}

void TstVerifyRun::aServerThatDiesMeanwhileIsNoVerdict_data() { addSteps(); }

void TstVerifyRun::aServerThatDiesMeanwhileIsNoVerdict()
{
    QFETCH(const QString, step);
    Stage stage;
    QVERIFY(stage.open());
    bool died = false;
    Proof proof = verifyLater(stage, [&](const QString &name) {
        if (name == step && !died) {
            died = true;
            QTimer::singleShot(0, &stage.server(), [&] { stage.server().restart(); });
        }
    });
    QVERIFY(proof.waited());
    QVERIFY(died);
    // Before it began, the new process is as good as any; else it is no verdict.
    if (step == u"verify save first" || step == u"verify slot") {
        QVERIFY(proof.of(u"verify"_qs) != u"failed"_qs);
    } else if (proof.of(u"verify"_qs) != u"passed"_qs) {
        QVERIFY2(proof.message().startsWith(u"Not proved"_qs), qPrintable(proof.message()));
    }
    QVERIFY(compatibility(stage) != u"broken"_qs);
    QVERIFY(noLease(stage));
    QTRY_VERIFY(!stage.turn(u"S"_qs, c_prompt).isEmpty());
}

void TstVerifyRun::acrossARestart()
{
    Stage stage;
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs);
    Proof proof = verifyLater(stage,
        [&](const QString &name) {
            if (name == u"verify waiting") {
                QTimer::singleShot(50, &stage.server(), [&] { stage.server().restart(); });
            }
        },
        { { u"restart"_qs, true } });
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify restart"_qs), u"passed"_qs);
    QVERIFY2(proof.message().startsWith(u"supported"_qs) && proof.message().contains(u"after a restart"_qs),
        qPrintable(proof.message()));
    QCOMPARE(compatibility(stage), u"supported"_qs);
    QVERIFY(noLease(stage));
    const BeginAnswer begun = stage.begin(u"S"_qs);
    QVERIFY(begun.grant.outcome == Outcome::Resident || begun.grant.outcome == Outcome::Restored);
    stage.end(begun, stage.infer(c_prompt + "xxx and more"));
}

void TstVerifyRun::acrossARestartIntoAnotherBuildCountsNothing()
{
    Stage stage;
    QVERIFY(stage.open());
    FakeOptions other;
    other.build = u"b20000"_qs;
    Proof proof = verifyLater(stage,
        [&](const QString &name) {
            if (name == u"verify waiting") {
                QTimer::singleShot(50, &stage.server(), [&] { stage.server().restartWith(other); });
            }
        },
        { { u"restart"_qs, true } });
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify"_qs), u"warning"_qs);
    QVERIFY2(proof.message().contains(u"another model, build"_qs), qPrintable(proof.message()));
    QCOMPARE(compatibility(stage), u"unknown"_qs);
    QVERIFY(noLease(stage));
    QTRY_VERIFY(proofBytes(stage) <= 36); // though it is another process by now
}

void TstVerifyRun::pausedOrAsleepNothingIsTried()
{
    Stage stage;
    QVERIFY(stage.open());
    QVERIFY(stage.service().pause({}, -1).ok());
    Proof paused = verifyLater(stage);
    QVERIFY(paused.waited());
    QVERIFY2(paused.message().contains(u"paused"_qs), qPrintable(paused.message()));
    QCOMPARE(paused.check(u"verify"_qs).value(u"remedy").toString(), u"kv-persist resume"_qs);
    QVERIFY(stage.service().resume({}).ok());
    stage.server().sleepNow();
    stage.server().clearCalls();
    Proof asleep = verifyLater(stage);
    QVERIFY(asleep.waited());
    QVERIFY2(asleep.message().contains(u"sleeps"_qs), qPrintable(asleep.message()));
    QVERIFY(stage.server().engine().sleeping());
    QVERIFY(stage.server().slotCalls().empty());
}

void TstVerifyRun::pausedMeanwhileTheRemedyIsToResume()
{
    Stage stage;
    QVERIFY(stage.open());
    Proof proof = verifyLater(stage, [&](const QString &name) {
        if (name == u"verify save first") {
            QVERIFY(stage.service().pause({}, -1).ok());
        }
    });
    QVERIFY(proof.waited());
    QVERIFY2(proof.message().contains(u"paused"_qs), qPrintable(proof.message()));
    QCOMPARE(proof.check(u"verify"_qs).value(u"remedy").toString(), u"kv-persist resume"_qs);
}

void TstVerifyRun::switchedOffTheRemedyIsToSwitchItOn()
{
    Stage stage;
    stage.config.enabled = false;
    QVERIFY(stage.open());
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QVERIFY2(proof.message().contains(u"switched off"_qs), qPrintable(proof.message()));
    const QString remedy = proof.check(u"verify"_qs).value(u"remedy").toString();
    QVERIFY2(remedy.contains(u"enabled: true"_qs), qPrintable(remedy));
}

void TstVerifyRun::whatCannotBeTriedIsSaidSo_data()
{
    QTest::addColumn<bool>("loading");
    QTest::newRow("the model is loaded") << true;
    QTest::newRow("nobody answers") << false;
}

void TstVerifyRun::whatCannotBeTriedIsSaidSo()
{
    QFETCH(const bool, loading);
    Stage stage;
    QVERIFY(stage.open());
    if (loading) {
        stage.server().setLoading(true);
    } else {
        stage.server().stop();
    }
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify"_qs), u"warning"_qs);
    QVERIFY2(proof.message().startsWith(u"Not tried"_qs), qPrintable(proof.message()));
    QCOMPARE(proof.message().contains(u"loaded"_qs), loading);
    QVERIFY(!proof.check(u"verify"_qs).value(u"remedy").toString().isEmpty());
}

void TstVerifyRun::whoAsksMeanwhileIsServedNext()
{
    Stage stage;
    QVERIFY(stage.open());
    QCOMPARE(stage.turn(u"S"_qs, c_prompt), u"cold"_qs);
    AskedPtr<BeginAnswer> waiter;
    Proof proof = verifyLater(stage, [&](const QString &name) {
        if (name == u"verify save") {
            waiter = stage.beginLater(u"T"_qs);
        }
    });
    QVERIFY(proof.waited());
    QVERIFY(proof.message().startsWith(u"supported"_qs));
    QVERIFY(waiter && waiter->waited() && waiter->answer);
    QCOMPARE(toString(waiter->answer->grant.outcome), u"cold"_qs);
    QVERIFY(proof.check(u"verify owner"_qs).isEmpty()); // the slot is not taken from who waited for it
    stage.end(*waiter->answer, stage.infer(c_prompt + "t"));
    QCOMPARE(stage.turn(u"S"_qs, c_prompt + "xxx and more"), u"restored"_qs);
}

void TstVerifyRun::sharedFilesAreRemoved()
{
    QTemporaryDir folder;
    Stage stage(1, savingTo(folder));
    shareFolder(stage, folder);
    QVERIFY(stage.open());
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    QVERIFY2(proof.message().startsWith(u"supported"_qs), qPrintable(proof.message()));
    QTRY_VERIFY(QDir(folder.path()).isEmpty());
}

void TstVerifyRun::theSlotsOfAnUnconfiguredServerAreNotUsed()
{
    Stage stage;
    FakeLlamaServer other;
    QVERIFY(other.start() && stage.open());
    Proof proof = verifyLater(stage, {}, { { u"baseURL"_qs, other.url().toString() } });
    QVERIFY(proof.waited());
    QCOMPARE(proof.of(u"verify"_qs), u"warning"_qs);
    QVERIFY(other.slotCalls().empty());
}

void TstVerifyRun::aNeighbourAtWorkIsNoVerdictAgainstIt()
{
    FakeOptions options;
    options.slotCount = 2;
    options.idleClearing = true;
    Stage stage(1, options);
    stage.config.servers.front().mode = ServerConfig::Mode::ManagedSlots;
    QVERIFY(stage.open());
    // Each time something was restored, somebody uses the other slot, which empties this one.
    const auto meanwhile = [&](const FakeCall &call) {
        if (call.action() == u"restore"
            && call.json().value(u"filename").toString().endsWith(u"-verify.bin")) {
            const int own = call.path.section(u'/', 2).toInt();
            QTimer::singleShot(
                0, &stage.server(), [&stage, own] { stage.infer("somebody else's", 0, 1 - own); });
        }
    };
    connect(&stage.server(), &FakeLlamaServer::called, this, meanwhile);
    Proof proof = verifyLater(stage);
    QVERIFY(proof.waited());
    disconnect(&stage.server(), nullptr, this, nullptr);
    QCOMPARE(proof.of(u"verify"_qs), u"warning"_qs);
    QCOMPARE(compatibility(stage), u"unknown"_qs);
}

QTEST_GUILESS_MAIN(TstVerifyRun)
#include "tst_verifyrun.moc"
