// SPDX-License-Identifier: MIT
#include "fakeui.h"
#include "samplestatus.h"
#include "trayiconpresenter.h"

#include <QSignalSpy>
#include <QTest>

using namespace kv;
using namespace kv::test;

class TestTrayIconPresenter final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statesOfOneServer_data();
    void statesOfOneServer();
    void statesOfSeveral_data();
    void statesOfSeveral();
    void withoutDaemonNothingCanBeDone();
    void toolTipHasWordsAndNumbers();
    void longToolTipsEnd();
    void ownersAreNamedByServerWhereThereAreSeveral();
    void commandsAreThere();
    void refusalsAreTold();
};

namespace {

QString word(const char *text) { return QString::fromLatin1(text); }

struct Stage {
    FakeUiDaemon daemon;
    StatusFeed feed { daemon };
    TrayIconPresenter presenter { daemon, feed };
};

QJsonObject server(const char *state, const QJsonObject &slot = slotDocument(), const QJsonObject &more = {})
{
    return serverDocument(word("local"), word(state), { slot }, more);
}

} // namespace

Q_DECLARE_METATYPE(kv::TrayState)

void TestTrayIconPresenter::statesOfOneServer_data()
{
    QTest::addColumn<QJsonObject>("document");
    QTest::addColumn<TrayState>("expected");
    const QJsonObject paused { { word("paused"), true } };
    QTest::newRow("ready") << server("healthy") << TrayState::Warm;
    QTest::newRow("sleeping") << server("sleeping") << TrayState::Warm;
    for (const char *kind : { "inference", "save", "restore" }) {
        QTest::newRow(kind) << server("healthy", slotDocument(runningDocument(word(kind))))
                            << TrayState::Working;
    }
    for (const char *state : { "degraded", "open", "half-open", "unsupported" }) {
        QTest::newRow(state) << server(state) << TrayState::Degraded;
    }
    QTest::newRow("broken") << server(
        "healthy", slotDocument(), { { word("compatibility"), word("broken") } })
                            << TrayState::Degraded;
    QTest::newRow("broken slot") << server("healthy", slotDocument({ { word("state"), word("broken") } }))
                                 << TrayState::Degraded;
    QTest::newRow("paused") << server("healthy", slotDocument(), paused) << TrayState::Paused;
    QTest::newRow("paused, and failing") << server("open", slotDocument(), paused) << TrayState::Degraded;
    QTest::newRow("away") << server("unreachable") << TrayState::ServerAway;
}

void TestTrayIconPresenter::statesOfOneServer()
{
    QFETCH(QJsonObject, document);
    QFETCH(TrayState, expected);
    Stage stage;
    stage.daemon.sendStatus(statusDocument({ document }));
    QCOMPARE(stage.presenter.state(), expected);
    QVERIFY(!stage.presenter.headline().isEmpty());
}

void TestTrayIconPresenter::statesOfSeveral_data()
{
    QTest::addColumn<QJsonArray>("servers");
    QTest::addColumn<TrayState>("expected");
    const QJsonObject busy = server("healthy", slotDocument(runningDocument(word("inference"))));
    const QJsonObject paused = server("healthy", slotDocument(), { { word("paused"), true } });
    QTest::newRow("none") << QJsonArray {} << TrayState::ServerAway;
    QTest::newRow("one away") << QJsonArray { server("unreachable"), server("healthy") } << TrayState::Warm;
    QTest::newRow("all away") << QJsonArray { server("unreachable"), server("unreachable") }
                              << TrayState::ServerAway;
    QTest::newRow("one busy") << QJsonArray { server("healthy"), busy } << TrayState::Working;
    QTest::newRow("one failing") << QJsonArray { busy, server("open") } << TrayState::Degraded;
    QTest::newRow("one paused") << QJsonArray { paused, server("healthy") } << TrayState::Warm;
    QTest::newRow("rest paused") << QJsonArray { paused, server("unreachable") } << TrayState::Paused;
}

void TestTrayIconPresenter::statesOfSeveral()
{
    QFETCH(QJsonArray, servers);
    QFETCH(TrayState, expected);
    Stage stage;
    stage.daemon.sendStatus(statusDocument(servers));
    QCOMPARE(stage.presenter.state(), expected);
    stage.daemon.sendStatus(statusDocument(servers, { { word("enabled"), false } }));
    QCOMPARE(stage.presenter.state(), TrayState::Paused);
}

void TestTrayIconPresenter::withoutDaemonNothingCanBeDone()
{
    Stage stage;
    stage.daemon.sendStatus(
        statusDocument({ server("healthy", slotDocument({ { word("state"), word("dirty") } })) }));
    QVERIFY(stage.presenter.canSave() && stage.presenter.canPause());
    stage.daemon.setLink(Daemon::Link::Away);
    QCOMPARE(stage.presenter.state(), TrayState::DaemonAway);
    QCOMPARE(stage.presenter.toolTip(), word("The daemon is away"));
    QVERIFY(!stage.presenter.canSave() && !stage.presenter.canPause() && !stage.presenter.canResume());
    QVERIFY(stage.presenter.owners().isEmpty());
}

void TestTrayIconPresenter::toolTipHasWordsAndNumbers()
{
    Stage stage;
    stage.daemon.sendStatus(statusDocument({ server("healthy") }));
    QCOMPARE(stage.presenter.toolTip(),
        word("All sessions are warm\n"
             "my-project: 48.7K of 131.1K tokens, prefill 310 tok/s, generating 42 tok/s"));
    QJsonObject saving = slotDocument(runningDocument(word("save")));
    saving.insert(word("state"), word("saving"));
    stage.daemon.sendStatus(statusDocument({ server("healthy", saving) }));
    QCOMPARE(stage.presenter.toolTip(), word("Working\nmy-project: 48.7K of 131.1K tokens, being saved"));
    stage.daemon.sendStatus(statusDocument({ server("unsupported") }));
    QVERIFY(stage.presenter.toolTip().startsWith(word("local: Cannot save as it was started\n")));
}

void TestTrayIconPresenter::longToolTipsEnd()
{
    Stage stage;
    QJsonArray slotList;
    for (int i = 0; i < 9; ++i) {
        slotList.append(slotDocument({ { word("id"), i } }));
    }
    stage.daemon.sendStatus(statusDocument({ serverDocument(word("local"), word("healthy"), slotList) }));
    QCOMPARE(stage.presenter.toolTip().count(u'\n'), 5);
    QCOMPARE(stage.presenter.owners().size(), 9);
}

void TestTrayIconPresenter::ownersAreNamedByServerWhereThereAreSeveral()
{
    Stage stage;
    const QJsonObject nobody { { word("id"), 1 }, { word("state"), word("idle") } };
    stage.daemon.sendStatus(
        statusDocument({ serverDocument(word("local"), word("healthy"), { slotDocument(), nobody }) }));
    const QList<TrayIconPresenter::Owner> owners = stage.presenter.owners();
    QCOMPARE(owners.size(), 2);
    QCOMPARE(owners.first().text, word("my-project, 48.7K of 131.1K tokens, saved"));
    QVERIFY(owners.first().warm);
    QCOMPARE(owners.last().text, word("Nobody, empty"));
    QVERIFY(!owners.last().warm);
    stage.daemon.sendStatus(statusDocument({ server("healthy"), server("healthy") }));
    QVERIFY(stage.presenter.owners().first().text.startsWith(word("local: my-project")));
}

void TestTrayIconPresenter::commandsAreThere()
{
    Stage stage;
    stage.daemon.sendStatus(statusDocument({ server("healthy") }));
    QVERIFY(!stage.presenter.canSave()); // all is saved
    QVERIFY(stage.presenter.canPause() && !stage.presenter.canResume());
    stage.presenter.saveNow();
    stage.presenter.pause(600'000);
    stage.presenter.pause(std::nullopt);
    stage.presenter.resume();
    QCOMPARE(stage.daemon.calls().size(), 4);
    QCOMPARE(stage.daemon.calls().at(0).method, word("kv.flush"));
    QCOMPARE(stage.daemon.calls().at(1).method, word("kv.pause"));
    QCOMPARE(stage.daemon.calls().at(1).params.value(word("forMs")), 600'000);
    QVERIFY(stage.daemon.calls().at(2).params.isEmpty());
    QCOMPARE(stage.daemon.calls().at(3).method, word("kv.resume"));
    stage.daemon.sendStatus(
        statusDocument({ server("healthy", slotDocument(), { { word("paused"), true } }) }));
    QVERIFY(!stage.presenter.canPause() && stage.presenter.canResume());
}

void TestTrayIconPresenter::refusalsAreTold()
{
    Stage stage;
    QSignalSpy failed(&stage.presenter, &TrayIconPresenter::failed);
    stage.presenter.saveNow();
    stage.daemon.answerOldest(
        FakeUiDaemon::refused(word("KV_BACKEND_UNAVAILABLE"), word("The server is gone.")));
    QCOMPARE(failed.count(), 1);
    QCOMPARE(failed.first().first().toString(), word("The server is gone."));
    stage.presenter.saveNow();
    stage.daemon.answerOldest(FakeUiDaemon::ok({}));
    QCOMPARE(failed.count(), 1);
}

QTEST_GUILESS_MAIN(TestTrayIconPresenter)
#include "tst_trayiconpresenter.moc"
