// SPDX-License-Identifier: MIT
#include "dshtest.h"

#include <QJsonDocument>
#include <QSet>

#include <algorithm>

using namespace kv::test;

/// The plugin in the real harness, before the real daemon and a real server: sessions stay warm.
class TstDsh final : public DshTest {
    Q_OBJECT

private Q_SLOTS:
    void sessionsStayWarmOverSwitchesAndRestarts();
    void withoutADaemonTheSameIsCold();
    void nothingThatTheModelSeesChanges();
    void aCancelledTurnLosesNothing();
    void aTurnCancelledWhileItWaitsSendsNothing();
    void theDaemonIsKilledAndStartedInMidStream();
    void thePluginIsReloadedInMidStream();
    void withTwoSlotsEachRequestNamesItsOwn();
    void threeSubagentsShareOneSlot();
    void newSessionsAndSubagentsAreWarmFromTheFirst();
    void compactionIsServedAsTheSession();
    void anEndOfTheHarnessInMidStreamFreesTheSlot_data();
    void anEndOfTheHarnessInMidStreamFreesTheSlot();
};

namespace {

QString sessionA() { return QStringLiteral("session-A"); }
QString sessionB() { return QStringLiteral("session-B"); }

QJsonArray threeSubagents()
{
    QJsonArray calls;
    for (int i = 1; i <= 3; ++i) {
        const QJsonObject arguments { { QStringLiteral("description"), QStringLiteral("part %1").arg(i) },
            { QStringLiteral("prompt"), QStringLiteral("do part %1").arg(i) },
            { QStringLiteral("run_in_background"), false } };
        calls.append(QJsonObject {
            { QStringLiteral("name"), QStringLiteral("subagent") }, { QStringLiteral("args"), arguments } });
    }
    return calls;
}

QString repeated(const char *words) { return QString::fromLatin1(words).repeated(200); }

} // namespace

void TstDsh::sessionsStayWarmOverSwitchesAndRestarts()
{
    KV_DSH_STAGE();
    QVERIFY2(newHome(), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    const Spoken a1 = ask(sessionA(), QStringLiteral("hello one"));
    KV_ANSWERED(a1);
    QVERIFY(waitTitles(1));
    // The title is an auxiliary request: the conversation was saved before it.
    KV_COMPARE_ACTIONS(QStringLiteral("erase"), QStringLiteral("save"));

    // The first chunk is timed from the request on: its rate explains the turn, and not a tenth of it.
    const double rate = stage()
                            .status()[QStringLiteral("servers")][0][QStringLiteral("rates")]
                                     [QStringLiteral("prefillPerSecond")]
                            .toDouble();
    QVERIFY2(rate > 0 && rate * a1.ms / 1000 < 10 * a1.prompt, qPrintable(QString::number(rate)));

    KV_DONE("open", { sessionB() });
    KV_ANSWERED(ask(sessionB(), QStringLiteral("hello two")));
    QVERIFY(waitTitles(2));
    stage().proxy().forget();
    const Spoken a2 = ask(sessionA(), QStringLiteral("hello again"));
    KV_ANSWERED(a2);
    KV_WARM(a2, a1);
    KV_COMPARE_ACTIONS(QStringLiteral("restore"));
    qInfo().noquote() << "A, B, A with the daemon:" << a2.text();

    stage().stopServer();
    QVERIFY(stage().startServer());
    QVERIFY(stage().waitUnowned());
    const Spoken a3 = ask(sessionA(), QStringLiteral("hello after the restart of the server"));
    KV_ANSWERED(a3);
    KV_WARM(a3, a1); // what was saved before the title; the turn in between was lost with the server
    qInfo().noquote() << "after a restart of the server:" << a3.text();
    QVERIFY2(statusLine(sessionA()).startsWith(QStringLiteral("KV: restored 2")),
        qPrintable(statusLine(sessionA())));

    QVERIFY(tell("service", { QStringLiteral("flush") })[QStringLiteral("answer")][QStringLiteral("ok")]
                .toBool());
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
    stage().stopServer();
    QVERIFY(stage().startServer());
    QVERIFY(stage().waitUnowned());
    QVERIFY2(startDsh(), qPrintable(dsh().log()));
    KV_DONE("resume", { sessionA() });
    const Spoken a4 = ask(sessionA(), QStringLiteral("hello after the restart of both"));
    KV_ANSWERED(a4);
    KV_WARM(a4, a3);
    qInfo().noquote() << "after a restart of server and harness:" << a4.text();
    QVERIFY2(dsh().errors().isEmpty(), qPrintable(dsh().errors()));
    QCOMPARE(stage().stat(QStringLiteral("auxiliary")), 2);
    QCOMPARE(stage().stat(QStringLiteral("reuseNone")), 0);
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

void TstDsh::withoutADaemonTheSameIsCold()
{
    // Nobody keeps requests apart here, and the server may leave a title waiting for another one's end. Then
    // nothing comes between B and A, which share their beginning; so it is tried again.
    bool titled = false;
    Spoken a1;
    Spoken a2;
    for (int attempt = 0; attempt < 5 && !titled; ++attempt) {
        KV_DSH_STAGE();
        stage().daemon().kill();
        QVERIFY2(newHome(), qPrintable(dsh().log()));
        KV_DONE("open", { sessionA() });
        a1 = ask(sessionA(), QStringLiteral("hello one"));
        KV_ANSWERED(a1);
        titled = waitTitles(1, 5000);
        KV_DONE("open", { sessionB() });
        KV_ANSWERED(ask(sessionB(), QStringLiteral("hello two")));
        titled = waitTitles(2, 5000) && titled;
        a2 = ask(sessionA(), QStringLiteral("hello again"));
        KV_ANSWERED(a2);
        QCOMPARE(dsh().errors().count(QLatin1Char('\n')), 1);
        QVERIFY2(
            dsh().errors().contains(QStringLiteral("kv-persist: no daemon at")), qPrintable(dsh().errors()));
        QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
    }
    QVERIFY2(titled, "each time the server left a title waiting");
    QVERIFY2(a2.cached * 20 < a1.prompt, qPrintable(a2.text()));
    qInfo().noquote() << "A, B, A without a daemon:" << a2.text();
}

void TstDsh::nothingThatTheModelSeesChanges()
{
    struct Run {
        const char *name;
        bool plugin;
        bool daemon;
    };
    const Run runs[] = { { "without the plugin:", false, false },
        { "with the plugin, no daemon:", true, false }, { "with the plugin and the daemon:", true, true } };
    KV_DSH_STAGE();
    stage().daemon().kill();
    QList<QStringList> logs;
    QList<QByteArrayList> bodies;
    for (const Run &run : runs) {
        QVERIFY(stage().server().restart()); // what it holds would show in the log, as usage
        QVERIFY(
            !run.daemon || (stage().daemon().start() && stage().connectClient() && stage().waitHealthy()));
        QVERIFY2(newHome(noTitlePatch(), run.plugin), qPrintable(dsh().log()));
        stage().proxy().forget();
        KV_DONE("open", { sessionA() });
        QList<double> times;
        for (int i = 0; i < 8; ++i) {
            const Spoken turn = ask(sessionA(), QStringLiteral("say it again"));
            KV_ANSWERED(turn);
            times.append(turn.ms);
        }
        times.removeFirst(); // it processed the whole prompt
        std::sort(times.begin(), times.end());
        qInfo("a turn %s %.1f ms (median of 7; from %.1f to %.1f ms)", run.name, times[3], times.first(),
            times.last());
        logs.append(tell("log", { sessionA() })[QStringLiteral("log")].toVariant().toStringList());
        bodies.append(QByteArrayList());
        for (const auto &call : completions()) {
            bodies.last().append(call->body);
        }
        QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
    }
    QCOMPARE(bodies[0].size(), 8);
    QVERIFY(bodies[0][0].contains("\"tools\":[{"));
    QCOMPARE(logs[0].filter(QStringLiteral("[\"turn/end\"")).size(), 8);
    for (int run = 1; run < 3; ++run) {
        QCOMPARE(logs[run], logs[0]);
        QCOMPARE(bodies[run], bodies[0]);
    }
    QVERIFY(stage().stat(QStringLiteral("requests")) == 8);
}

void TstDsh::aCancelledTurnLosesNothing()
{
    KV_DSH_STAGE();
    QVERIFY2(newHome(noTitlePatch()), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    const Spoken first = ask(sessionA(), QStringLiteral("hello one"));
    KV_ANSWERED(first);
    KV_DONE("start", { sessionA(), QStringLiteral("talk") });
    QCOMPARE(stage().slot()[QStringLiteral("state")].toString(), QStringLiteral("inference"));
    QCOMPARE(tell("cancel", { sessionA() })[QStringLiteral("reason")].toString(), QStringLiteral("aborted"));
    QVERIFY(!completions().last()->reply.contains("[DONE]")); // it was stopped at the server, too
    QVERIFY(waitNothingRuns());
    // What was there before the cancelled turn is still there, and is saved for the next session's sake.
    KV_DONE("open", { sessionB() });
    KV_ANSWERED(ask(sessionB(), QStringLiteral("hello two")));
    stage().proxy().forget();
    const Spoken back = ask(sessionA(), QStringLiteral("and again"));
    KV_ANSWERED(back);
    KV_WARM(back, first);
    qInfo().noquote() << "A cancelled, A, B, A:" << back.text();
    KV_COMPARE_ACTIONS(QStringLiteral("save"), QStringLiteral("restore"));
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

void TstDsh::aTurnCancelledWhileItWaitsSendsNothing()
{
    KV_DSH_STAGE();
    QVERIFY2(newHome(noTitlePatch()), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    KV_DONE("open", { sessionB() });
    KV_DONE("start", { sessionA(), QStringLiteral("talk") });
    const auto waiting
        = [this] { return stage().status()[QStringLiteral("servers")][0][QStringLiteral("waiting")]; };
    KV_DONE("send", { sessionB(), QStringLiteral("hello two") });
    QVERIFY(QTest::qWaitFor([&] { return waiting().toInt() == 1; }, 20000));
    QCOMPARE(tell("cancel", { sessionB() })[QStringLiteral("reason")].toString(), QStringLiteral("aborted"));
    QVERIFY(QTest::qWaitFor([&] { return waiting().toInt() == 0; }, 20000));
    QCOMPARE(allSpoken().size(), 1); // the one that still talks
    QCOMPARE(stage().slot()[QStringLiteral("state")].toString(), QStringLiteral("inference"));
    tell("cancel", { sessionA() });
    QVERIFY(waitNothingRuns());
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

void TstDsh::theDaemonIsKilledAndStartedInMidStream()
{
    KV_DSH_STAGE();
    QVERIFY2(newHome(noTitlePatch()), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    KV_DONE("start", { sessionA(), QStringLiteral("talk") });
    stage().daemon().kill();
    QVERIFY(QTest::qWaitFor([&] { return dsh().errors().contains(QStringLiteral("went away")); }, 20000));
    QVERIFY(stage().daemon().start() && stage().connectClient() && stage().waitHealthy());
    // It is told what runs, and keeps its hands off the slot.
    QVERIFY(QTest::qWaitFor(
        [&] { return stage().slot()[QStringLiteral("state")] == QStringLiteral("inference"); }, 20000));
    QCOMPARE(completions().size(), 1);
    QVERIFY(!completions().last()->reply.contains("[DONE]"));
    QCOMPARE(tell("cancel", { sessionA() })[QStringLiteral("reason")].toString(), QStringLiteral("aborted"));
    QVERIFY(waitNothingRuns());
    const Spoken after = ask(sessionA(), QStringLiteral("hello again"));
    KV_ANSWERED(after);
    // The one that was told again may have been counted by the killed daemon, too, if that wrote its totals
    // in time.
    const qint64 requests = stage().stat(QStringLiteral("requests"));
    QVERIFY2(requests == 2 || requests == 3, qPrintable(QString::number(requests)));
    QCOMPARE(dsh().errors().count(QLatin1Char('\n')), 1);
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

void TstDsh::thePluginIsReloadedInMidStream()
{
    KV_DSH_STAGE();
    QVERIFY2(newHome(noTitlePatch(), true, "{ drainMs: 100, injectSlot: true }"), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    KV_DONE("start", { sessionA(), QStringLiteral("talk") });
    KV_DONE("reload", { QStringLiteral("kv-persist") });
    // The daemon knows that the request of before is over for it, and the request goes on all the same.
    QVERIFY(QTest::qWaitFor(
        [&] {
            const QString log = stage().daemon().log();
            return log.count(QStringLiteral("Client \"dsh\"")) == 2
                && log.contains(QStringLiteral("outcome=aborted"));
        },
        20000));
    QVERIFY(!completions().last()->reply.contains("[DONE]"));
    QCOMPARE(tell("cancel", { sessionA() })[QStringLiteral("reason")].toString(), QStringLiteral("aborted"));
    const Spoken after = ask(sessionA(), QStringLiteral("hello again"));
    KV_ANSWERED(after);
    QCOMPARE(stage().stat(QStringLiteral("requests")), 2); // both were managed, each by its own plugin
    QVERIFY2(statusLine(sessionA()).startsWith(QStringLiteral("KV: ")), qPrintable(statusLine(sessionA())));
    const QJsonValue status = tell("service", { QStringLiteral("status") })[QStringLiteral("answer")];
    QVERIFY(status[QStringLiteral("ok")].toBool());
    QVERIFY2(dsh().errors().isEmpty(), qPrintable(dsh().errors()));
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

void TstDsh::withTwoSlotsEachRequestNamesItsOwn()
{
    StageOptions options = dshStage();
    options.serverFlags[options.serverFlags.indexOf(QStringLiteral("-np")) + 1] = QStringLiteral("2");
    options.serverFlags[options.serverFlags.indexOf(QStringLiteral("-c")) + 1] = QStringLiteral("131072");
    options.serverConfig = "    mode: managed-slots\n";
    KV_DSH_STAGE(options);
    QVERIFY2(newHome(noTitlePatch(), true, "{ injectSlot: true }"), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    KV_DONE("open", { sessionB() });
    const Spoken first = ask(sessionA(), QStringLiteral("hello one"));
    KV_ANSWERED(first);
    KV_ANSWERED(ask(sessionB(), QStringLiteral("hello two")));
    const Spoken back = ask(sessionA(), QStringLiteral("hello again"));
    KV_ANSWERED(back);
    KV_WARM(back, first);
    QCOMPARE(statusLine(sessionA()), QStringLiteral("KV: resident"));
    QList<int> named;
    for (const auto &call : completions()) {
        named.append(QJsonDocument::fromJson(call->body)[QStringLiteral("id_slot")].toInt(-1));
    }
    QCOMPARE(named.size(), 3);
    QVERIFY(named[0] >= 0 && named[1] >= 0);
    QVERIFY(named[0] != named[1]);
    QCOMPARE(named[2], named[0]);
    QVERIFY(!stage().proxy().actions().contains(QStringLiteral("restore")));
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

void TstDsh::threeSubagentsShareOneSlot()
{
    StageOptions options = dshStage();
    options.config = "coldStart: keep\n";
    KV_DSH_STAGE(options);
    QVERIFY2(newHome(noTitlePatch()), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    const Spoken first = ask(sessionA(), QStringLiteral("hello"));
    KV_ANSWERED(first);
    stage().proxy().forget();
    const Spoken last = ask(sessionA(), QStringLiteral("do it in three parts"), threeSubagents());
    KV_ANSWERED(last);
    const QList<Spoken> all = allSpoken();
    QSet<QString> sessions;
    for (const Spoken &one : all) {
        sessions.insert(one.session);
        qInfo().noquote() << "sub-agents:" << one.session.left(9) << one.text();
        // Children begin as their parent does: nobody processes the whole prompt again.
        QVERIFY2(one.cached * 10 >= first.prompt * 9, qPrintable(one.text()));
    }
    QCOMPARE(all.size(), 5); // the parent's two, and one of each child
    QCOMPARE(sessions.size(), 4);
    QCOMPARE(all.last().session, sessionA());
    KV_WARM(all.last(), all.first());
    // Each takes the slot once: the parent is saved once and comes back once.
    QCOMPARE(stage().proxy().actions().count(QStringLiteral("restore")), 1);
    QVERIFY2(stage().stat(QStringLiteral("switches")) <= 5, qPrintable(stage().log()));
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

void TstDsh::newSessionsAndSubagentsAreWarmFromTheFirst()
{
    StageOptions options = dshStage();
    options.config = "coldStart: base\n";
    KV_DSH_STAGE(options);
    QVERIFY2(newHome(noTitlePatch()), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    const Spoken first = ask(sessionA(), QStringLiteral("hello"));
    KV_ANSWERED(first);
    const auto bases
        = [this] { return stage().status()[QStringLiteral("snapshots")][QStringLiteral("bases")].toInt(); };
    QVERIFY(QTest::qWaitFor([&] { return bases() == 1; }, 20000));
    // From here on only files are left of it.
    const auto restartServer = [this] {
        stage().stopServer();
        return stage().startServer() && stage().waitUnowned();
    };
    QVERIFY(restartServer());
    stage().proxy().forget();
    KV_DONE("open", { sessionB() });
    const Spoken second = ask(sessionB(), QStringLiteral("something else"));
    KV_ANSWERED(second);
    qInfo().noquote() << "first request of a second session:" << second.text();
    QVERIFY2(second.cached * 10 >= first.prompt * 9, qPrintable(second.text()));
    KV_COMPARE_ACTIONS(QStringLiteral("restore"));
    QVERIFY(restartServer());
    const Spoken last = ask(sessionB(), QStringLiteral("do it in three parts"), threeSubagents());
    KV_ANSWERED(last);
    const QList<Spoken> all = allSpoken();
    QCOMPARE(all.size(), 6); // B's three, and one of each child
    int children = 0;
    for (const Spoken &one : all) {
        if (one.session != sessionB()) {
            ++children;
            qInfo().noquote() << "first request of a sub-agent:" << one.session.left(9) << one.text();
            QVERIFY2(one.cached * 10 >= first.prompt * 9, qPrintable(one.text()));
        }
    }
    QCOMPARE(children, 3);
    // B twice, as the server was killed before it was saved, and each child.
    QCOMPARE(stage().stat(QStringLiteral("based")), 5);
    QCOMPARE(stage().stat(QStringLiteral("coldStarts")), 1); // the very first
    QVERIFY2(dsh().errors().isEmpty(), qPrintable(dsh().errors()));
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

void TstDsh::compactionIsServedAsTheSession()
{
    KV_DSH_STAGE();
    QVERIFY2(newHome(noTitlePatch()), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    KV_ANSWERED(ask(sessionA(), repeated("a long story about a house; ")));
    const Spoken before = ask(sessionA(), repeated("and a garden, and a tree; "));
    KV_ANSWERED(before);
    stage().proxy().forget();
    const QJsonObject done = tell("compact", { sessionA() });
    QVERIFY2(done[QStringLiteral("compacted")].toBool(), QJsonDocument(done).toJson().constData());
    const Spoken compaction = allSpoken().last();
    KV_WARM(compaction, before);
    QCOMPARE(stage().proxy().actions(), QStringList());
    const Spoken after = ask(sessionA(), QStringLiteral("go on"));
    KV_ANSWERED(after);
    QVERIFY(after.prompt < before.prompt); // its history is shorter now
    QCOMPARE(stage().proxy().actions(), QStringList());
    qInfo().noquote() << "compaction:" << compaction.text() << "then" << after.text();
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

void TstDsh::anEndOfTheHarnessInMidStreamFreesTheSlot_data()
{
    QTest::addColumn<bool>("graceful");
    QTest::newRow("SIGTERM") << true;
    QTest::newRow("SIGKILL") << false;
}

void TstDsh::anEndOfTheHarnessInMidStreamFreesTheSlot()
{
    QFETCH(const bool, graceful);
    KV_DSH_STAGE();
    QVERIFY2(newHome(noTitlePatch()), qPrintable(dsh().log()));
    KV_DONE("open", { sessionA() });
    const Spoken first = ask(sessionA(), QStringLiteral("hello one"));
    KV_ANSWERED(first);
    KV_DONE("start", { sessionA(), QStringLiteral("talk") });
    QCOMPARE(stage().slot()[QStringLiteral("state")].toString(), QStringLiteral("inference"));
    if (graceful) {
        dsh().terminate();
    } else {
        dsh().kill();
    }
    QVERIFY(dsh().waitForExit());
    QCOMPARE(dsh().exitCode(), graceful ? 0 : 9);
    QVERIFY(waitNothingRuns());
    // The session goes on in a new process, on what the server holds.
    QVERIFY2(startDsh(), qPrintable(dsh().log()));
    KV_DONE("resume", { sessionA() });
    const Spoken after = ask(sessionA(), QStringLiteral("hello again"));
    KV_ANSWERED(after);
    KV_WARM(after, first);
    QVERIFY2(dsh().quit(), qPrintable(dsh().log()));
}

QTEST_GUILESS_MAIN(TstDsh)
#include "tst_dsh.moc"
