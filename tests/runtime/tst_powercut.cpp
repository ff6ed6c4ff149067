// SPDX-License-Identifier: MIT
// The machine stopped without warning: what is restored afterwards, what is not, and that it is said.
#include "stage.h"

#include <QJsonArray>

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray c_long(400, 'x');
const QByteArray c_other(300, 'y');

class StepClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override
    {
        const Instant now = m_clock.now();
        return { now.monoMs + m_ahead, now.wallMs + m_ahead };
    }
    void advance(qint64 ms) { m_ahead += ms; }

private:
    SystemClock m_clock;
    qint64 m_ahead = 0;
};

/// The power goes, and comes back: nobody says goodbye.
[[nodiscard]] bool powerCut(Stage &stage)
{
    stage.crash();
    stage.store.machineBoot = u"the next life"_qs;
    return stage.server().restart() && stage.open();
}

QString stateOf(Stage &stage, const QString &session)
{
    const Result<QJsonObject> document = stage.service().get(stage.call(session));
    const QJsonObject row
        = document ? document.value().value(u"manifests").toArray().at(0).toObject() : QJsonObject();
    return row.value(u"state").toString() + u' ' + row.value(u"reason").toString();
}

}

class TstPowerCut final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatALocalServerHadJustWrittenIsNotRestored();
    void aMinuteLaterItIs();
    void aCrashOfTheDaemonAloneIsNoPowerCut();
    void sharedFilesAreComparedWhateverVerifySays();
};

void TstPowerCut::whatALocalServerHadJustWrittenIsNotRestored()
{
    Stage stage;
    stage.store.machineBoot = u"one life"_qs;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    QVERIFY(powerCut(stage));
    QCOMPARE(stateOf(stage, u"A"_qs), u"invalid UNCLEAN_STOP"_qs);
    QVERIFY(textOf(stage.status()).contains(u"The machine stopped without warning"_qs));
    QVERIFY(stage.stop());
    QVERIFY(stage.open()); // an orderly start does not make it trustworthy
    QCOMPARE(stateOf(stage, u"A"_qs), u"invalid UNCLEAN_STOP"_qs);
    QCOMPARE(stage.turn(u"A"_qs, c_long), u"cold"_qs);
    QVERIFY(!stage.takeActions().contains(u"restore"_qs));
    QVERIFY(stage.saved(u"A"_qs)); // and is good again
    stage.turn(u"B"_qs, c_other);
    QCOMPARE(stage.turn(u"A"_qs, c_long), u"restored"_qs);
}

void TstPowerCut::aMinuteLaterItIs()
{
    StepClock clock;
    Stage stage;
    stage.clock = &clock;
    stage.store.machineBoot = u"one life"_qs;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    const QStringList before = databaseState(stage.metadata());
    clock.advance(61'000);
    // The totals' timer writes it.
    QTRY_VERIFY_WITH_TIMEOUT(databaseState(stage.metadata()) != before, 20'000);
    QTest::qWait(200);
    QVERIFY(powerCut(stage));
    QCOMPARE(stateOf(stage, u"A"_qs), u"valid "_qs);
    QCOMPARE(stage.turn(u"A"_qs, c_long), u"restored"_qs);
}

void TstPowerCut::aCrashOfTheDaemonAloneIsNoPowerCut()
{
    Stage stage;
    stage.store.machineBoot = u"one life"_qs;
    QVERIFY(stage.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    stage.crash();
    QVERIFY(stage.server().restart());
    QVERIFY(stage.open());
    QCOMPARE(stateOf(stage, u"A"_qs), u"valid "_qs);
    QCOMPARE(stage.turn(u"A"_qs, c_long), u"restored"_qs);
}

void TstPowerCut::sharedFilesAreComparedWhateverVerifySays()
{
    QTemporaryDir files;
    Stage stage(1, savingTo(files));
    shareFolder(stage, files);
    stage.config.restore.verify = RestoreConfig::Verify::Off;
    stage.store.machineBoot = u"one life"_qs;
    QVERIFY(stage.open());
    for (const QString &session : { u"A"_qs, u"B"_qs }) {
        stage.turn(session, session == u"A"_qs ? c_long : c_other);
        stage.clearEvents();
        QVERIFY(stage.saved(session));
        QTRY_VERIFY(stage.events().contains(u"kv.snapshot.changed"_qs)); // its checksum is known
    }
    const Result<QJsonObject> a = stage.service().get(stage.call(u"A"_qs));
    QFile file(files.filePath(
        a.value().value(u"manifests").toArray().at(0).toObject().value(u"snapshotFilename").toString()));
    QVERIFY(powerCut(stage));
    QCOMPARE(stateOf(stage, u"A"_qs), u"suspect UNCLEAN_STOP"_qs);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.seek(file.size() / 2));
    QCOMPARE(file.write("\x01\x02", 2), 2);
    file.close();
    QCOMPARE(stage.turn(u"A"_qs, c_long), u"cold-fallback"_qs);
    QCOMPARE(stateOf(stage, u"A"_qs), u"invalid FILE_CHECKSUM"_qs);
    QCOMPARE(stage.turn(u"B"_qs, c_other), u"restored"_qs);
    QCOMPARE(stateOf(stage, u"B"_qs), u"valid "_qs);
}

QTEST_GUILESS_MAIN(TstPowerCut)
#include "tst_powercut.moc"
