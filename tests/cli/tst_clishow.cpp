// SPDX-License-Identifier: MIT
#include "clirun.h"
#include "exitcode.h"
#include "params.h"

#include <QJsonArray>
#include <QTest>

#include <memory>

using namespace kv;

class TestCliShow : public QObject {
    Q_OBJECT

    std::unique_ptr<FakeDaemon> m_daemon;

    static QJsonObject status()
    {
        return jsonOf(
            "{'enabled':true,'version':'9.9','pid':4711,'startedAt':'2026-01-31T08:00:00Z','paused':false,"
            "'servers':[{'name':'local','backend':{'kind':'llama.cpp','state':'degraded','endpoint':'http://"
            "h:1',"
            "'build':'b1','model':'qwen','message':'The last save failed.'},'mode':'single-slot',"
            "'files':'server-owned','paused':true,'pausedUntil':'2026-01-31T13:00:00Z','waiting':2,"
            "'slots':[{'id':0,'owner':'3fa41c','label':'Fix','state':'dirty','tokens':6521,'context':131072,"
            "'lastUsedAt':'2026-01-31T11:57:00Z','running':{'kind':'save','since':'2026-01-31T11:59:20Z'}}],"
            "'rates':{'prefillPerSecond':410.4,'savePerSecond':2147483648},'compatibility':'supported',"
            "'advice':['Give it more disk.']}],"
            "'snapshots':{'known':12,'valid':10,'hidden':2,'bytes':1610612736},"
            "'stats':{'restores':40,'restoreHits':39,'saves':55,'saveFailures':1,'coldStarts':3,"
            "'timeSavedMs':3200,'bytesWrittenToday':838860800},'advice':['Update me.']}");
    }
    static QJsonObject row()
    {
        return jsonOf(
            "{'session':'3fa41c','hash':'3fa41c77','label':'Fix the build','provider':'p','model':'qwen',"
            "'server':'local','state':'valid','tokens':6292,'bytes':167772160,"
            "'createdAt':'2026-01-30T10:00:00Z','updatedAt':'2026-01-31T11:57:00Z','verdict':'verified',"
            "'pinned':true,'subagent':false}");
    }
    static void verifyHas(const QString &text, const QList<const char *> &parts)
    {
        for (const char *part : parts) {
            QVERIFY2(
                text.contains(QString::fromUtf8(part)), qPrintable(QString::fromUtf8(part) + u'\n' + text));
        }
    }

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void init() { m_daemon = std::make_unique<FakeDaemon>(); }
    void cleanup() { m_daemon.reset(); }

    void statusShowsServersSlotsTotalsAndAdvice()
    {
        m_daemon->answer(QStringLiteral("kv.status"), status());
        const CliRun run(*m_daemon, words("status"));
        QCOMPARE(run.code, exitcode::ok);
        verifyHas(run.out,
            { "kv-persistd 9.9", "process 4711", "started 4 h ago",
                "local: degraded, paused until 2026-01-31 13:00:00", "The last save failed.",
                "llama.cpp, b1, qwen, http://h:1, single-slot", "prompt 410 tokens/s", "save 2.0 GiB/s",
                "reuse supported", "2 requests wait", "dirty", "3fa41c", "Fix", "6521", "131072", "3 min ago",
                "save, began 40 s ago", "Advice: Give it more disk.",
                "Snapshots: 12, 1.5 GiB, 10 valid, 2 of another runtime",
                "40 restores (39 good), 55 saves (1 failed), 3 cold starts, 3.2 s saved, 800 MiB written "
                "today",
                "Advice: Update me." });
        QVERIFY(run.err.isEmpty());
        QVERIFY(!run.out.contains(u'\x1b'));
    }

    void coloursComeOnATerminalOnlyAndNotWithNoColor()
    {
        m_daemon->answer(QStringLiteral("kv.status"), status());
        QVERIFY(
            CliRun(*m_daemon, words("status"), {}, true).out.contains(QStringLiteral("\x1b[33mdegraded")));
        QVERIFY(!CliRun(m_daemon->path(), words("status"), {}, true, true).out.contains(u'\x1b'));
        QVERIFY(!CliRun(*m_daemon, words("status --color never"), {}, true).out.contains(u'\x1b'));
        QVERIFY(CliRun(*m_daemon, words("status --color always")).out.contains(u'\x1b'));
        QVERIFY(!CliRun(*m_daemon, words("status --json --color always")).out.contains(u'\x1b'));
    }

    void jsonIsTheDaemonsDocumentAsItCame()
    {
        m_daemon->answer(QStringLiteral("kv.status"), status());
        m_daemon->answer(QStringLiteral("kv.get"), jsonOf("{'session':'3fa41c','new':[1,2]}"));
        QCOMPARE(CliRun(*m_daemon, words("status --json")).json(), status());
        QCOMPARE(CliRun(*m_daemon, words("show 3fa41c --json")).json(),
            jsonOf("{'session':'3fa41c','new':[1,2]}"));
    }

    void anEmptyStatusSaysWhatToDo()
    {
        m_daemon->answer(QStringLiteral("kv.status"), jsonOf("{'enabled':false,'servers':[]}"));
        const CliRun run(*m_daemon, words("status"));
        QCOMPARE(run.code, exitcode::ok);
        verifyHas(run.out, { "switched off in the configuration", "No server is configured" });
    }

    void slotsOfAllServersStandInOneTable()
    {
        m_daemon->answer(QStringLiteral("kv.status"), status());
        const CliRun run(*m_daemon, words("slots"));
        QCOMPARE(run.code, exitcode::ok);
        QCOMPARE(run.out.count(u'\n'), 2);
        verifyHas(run.out, { "SERVER", "local", "3fa41c", "dirty" });
        QVERIFY(!run.out.contains(QStringLiteral("MODEL"))); // no router: an empty column
        QVERIFY(!run.out.contains(QStringLiteral("PROMPT"))); // nor does any prompt drift
        const QJsonArray slotList = CliRun(*m_daemon, words("slots --json")).json().value(u"slots").toArray();
        QCOMPARE(slotList.size(), 1);
        QCOMPARE(slotList.first()[u"server"].toString(), QStringLiteral("local"));
    }

    void aPromptThatDriftsIsShown()
    {
        m_daemon->answer(QStringLiteral("kv.status"),
            jsonOf("{'servers':[{'name':'local','slots':[{'id':0,'state':'dirty','prefix':'turn 14: message "
                   "3 of 20 "
                   "changed'}]}]}"));
        verifyHas(CliRun(*m_daemon, words("slots")).out, { "PROMPT", "turn 14: message 3 of 20 changed" });
    }

    void listAsksAsToldAndShowsRows()
    {
        m_daemon->answer(QStringLiteral("kv.list"),
            { { QStringLiteral("rows"), QJsonArray { row() } }, { QStringLiteral("total"), 12 } });
        const CliRun run(*m_daemon, words("list --filter qwen --sort bytes --desc --limit 1 --offset 3"));
        QCOMPARE(run.code, exitcode::ok);
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.list")),
            jsonOf("{'filter':'qwen','sort':'bytes','desc':true,'limit':1,'offset':3,'kind':'session'}"));
        verifyHas(run.out,
            { "3fa41c", "Fix the build", "valid", "6292", "160 MiB", "3 min ago", "verified", "yes",
                "1 of 12" });
        const CliRun plain(*m_daemon, words("list"));
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.list")), jsonOf("{'kind':'session'}"));
        QVERIFY(checkParams(ApiMethod::List, m_daemon->lastParams(QStringLiteral("kv.list"))).ok());
    }

    void sharedBeginningsAreListedApart()
    {
        m_daemon->answer(QStringLiteral("kv.list"),
            jsonOf("{'rows':[{'session':'b0b0b0','hash':'b0b0b0','kind':'base','source':'3fa41c','state':'"
                   "valid',"
                   "'tokens':6292,'prefixTokens':6001,'bytes':167772160,'provider':'p','model':'m',"
                   "'server':'local','verdict':'verified'}],'total':1}"));
        const CliRun run(*m_daemon, words("list --bases"));
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.list")), jsonOf("{'kind':'base'}"));
        QVERIFY(checkParams(ApiMethod::List, m_daemon->lastParams(QStringLiteral("kv.list"))).ok());
        verifyHas(run.out, { "BASE", "SHARED", "b0b0b0", "6001", "6292", "160 MiB", "3fa41c", "verified" });
        m_daemon->answer(QStringLiteral("kv.list"), jsonOf("{'rows':[],'total':0}"));
        verifyHas(CliRun(*m_daemon, words("list --bases")).out, { "no shared beginning yet" });
    }

    void anEmptyListSaysWhy()
    {
        m_daemon->answer(QStringLiteral("kv.list"), jsonOf("{'rows':[],'total':0}"));
        verifyHas(CliRun(*m_daemon, words("list")).out, { "no snapshots yet" });
        verifyHas(CliRun(*m_daemon, words("list --filter x")).out, { "No snapshot fits the filter" });
    }

    void labelsCannotSteerTheTerminal()
    {
        QJsonObject evil = row();
        evil.insert(u"label", QStringLiteral("a\x1b]0;owned\x07\nb"));
        m_daemon->answer(QStringLiteral("kv.list"),
            { { QStringLiteral("rows"), QJsonArray { evil } }, { QStringLiteral("total"), 1 } });
        const CliRun run(*m_daemon, words("list"));
        QVERIFY(!run.out.contains(u'\x1b'));
        QVERIFY(!run.out.contains(u'\x07'));
        QCOMPARE(run.out.count(u'\n'), 2);
    }

    void showGivesTheWholeManifest()
    {
        QJsonObject manifest = row();
        manifest.insert(u"snapshotFilename", QStringLiteral("c4f1-3.bin"));
        manifest.insert(u"schemaVersion", 1);
        manifest.insert(u"runtime", jsonOf("{'build':'b9912'}"));
        QJsonObject session = jsonOf("{'session':'3fa41c','hash':'3fa41c77','label':'Fix','state':'active-"
                                     "dirty','server':'local','slot':0}");
        session.insert(u"manifests", QJsonArray { manifest });
        m_daemon->answer(QStringLiteral("kv.get"), session);
        const CliRun run(*m_daemon, words("show 3fa41c --model qwen"));
        QCOMPARE(run.code, exitcode::ok);
        QCOMPARE(
            m_daemon->lastParams(QStringLiteral("kv.get")), jsonOf("{'session':'3fa41c','model':'qwen'}"));
        verifyHas(run.out,
            { "active-dirty", "0 of local", "c4f1-3.bin", "160 MiB (167772160)",
                "2026-01-31 11:57:00 (3 min ago)", "runtime.build", "b9912", "schemaVersion", "subagent" });
    }

    void anAmbiguousSessionListsItsCandidates()
    {
        m_daemon->refuse(QStringLiteral("kv.get"), ErrorCode::SessionUnknown,
            QStringLiteral("Several sessions fit."),
            jsonOf("{'candidates':[{'hash':'3fa41c000000aaaa','label':'One','server':'a'},"
                   "{'hash':'3fa41c111111bbbb','label':'Two','server':'b'}]}"));
        const CliRun run(*m_daemon, words("show 3fa41c"));
        QCOMPARE(run.code, exitcode::refused);
        QVERIFY(run.out.isEmpty());
        QVERIFY(run.err.startsWith(QStringLiteral("kv-persist: Several sessions fit.\n")));
        verifyHas(run.err, { "3fa41c000000  a  One", "3fa41c111111  b  Two" });
        const CliRun json(*m_daemon, words("show 3fa41c --json"));
        QCOMPARE(json.code, exitcode::refused);
        const QJsonObject error
            = QJsonDocument::fromJson(json.err.toUtf8()).object().value(u"error").toObject();
        QCOMPARE(error.value(u"data")[u"code"].toString(), QStringLiteral("KV_SESSION_UNKNOWN"));
        QCOMPARE(error.value(u"data")[u"candidates"].toArray().size(), 2);
    }

    void metricsAreTextAsTheyAre()
    {
        m_daemon->answer(QStringLiteral("kv.metrics"), jsonOf("{'text':'a 1\\nb 2\\n'}"));
        QCOMPARE(CliRun(*m_daemon, words("metrics")).out, QStringLiteral("a 1\nb 2\n"));
    }

    void historyNamesItsSpan()
    {
        m_daemon->answer(QStringLiteral("kv.history"),
            jsonOf("{'server':'local','buckets':[{'at':'2026-01-31T11:00:00Z','requests':2,'restores':1,'"
                   "failures':1,"
                   "'promptTokens':100,'cachedTokens':90,'timeSavedMs':3200}],"
                   "'slots':[{'id':0,'intervals':[{'kind':'save','from':'2026-01-31T11:00:10Z','to':'2026-01-"
                   "31T11:00:10.092Z',"
                   "'session':'3fa41c','bytes':1048576}]}]}"));
        const CliRun run(*m_daemon, words("history --server local --since 2h --bucket 1h"));
        QCOMPARE(run.code, exitcode::ok);
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.history")),
            jsonOf("{'server':'local','from':'2026-01-31T10:00:00.000Z','to':'2026-01-31T12:00:00.000Z','"
                   "bucketMs':3600000}"));
        verifyHas(run.out, { "2026-01-31 11:00:00", "3.2 s", "92 ms", "save", "3fa41c", "1.0 MiB" });
        CliRun(*m_daemon, words("history 3fa41c --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z"));
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.history")),
            jsonOf("{'session':'3fa41c','from':'2026-01-01T00:00:00.000Z','to':'2026-01-02T00:00:00.000Z'}"));
        CliRun(*m_daemon, words("history 3fa41c"));
        QVERIFY(checkParams(ApiMethod::History, m_daemon->lastParams(QStringLiteral("kv.history"))).ok());
    }

    void historyRefusesSpansThatAreNone()
    {
        for (const char *line :
            { "history", "history x --server y", "history x --since tomorrow", "history x --from noon",
                "history x --since 1h --from 2026-01-01T00:00:00Z", "history x --bucket 5",
                "history x --from 2026-01-02T00:00:00Z --to 2026-01-01T00:00:00Z" }) {
            const CliRun run(*m_daemon, words(line));
            QVERIFY2(run.code == exitcode::usage, line);
            QVERIFY(run.err.startsWith(QStringLiteral("kv-persist: ")));
        }
        QCOMPARE(m_daemon->requests().size(), 0);
    }

    void noDaemonIsOneClearSentence()
    {
        m_daemon->stop();
        for (const char *line : { "status", "list", "purge x --yes", "doctor", "watch", "config path" }) {
            const CliRun run(*m_daemon, words(line));
            QVERIFY2(run.code == exitcode::noDaemon, line);
            QVERIFY(run.out.isEmpty());
            QCOMPARE(run.err.count(u'\n'), 1);
            verifyHas(run.err, { "kv-persist: No daemon runs", "Start it with \"kv-persistd\"" });
        }
        const CliRun json(*m_daemon, words("status --json"));
        QCOMPARE(json.code, exitcode::noDaemon);
        QVERIFY(QJsonDocument::fromJson(json.err.toUtf8()).isObject());
    }

    void aDaemonThatDoesNotAnswerOrDiesEndsTheWait()
    {
        m_daemon->ignore(QStringLiteral("kv.status"));
        const CliRun silent(*m_daemon, words("status --timeout 0.05"));
        QCOMPARE(silent.code, exitcode::noDaemon);
        verifyHas(silent.err, { "did not answer kv.status" });
        m_daemon->on(
            QStringLiteral("kv.status"), [](QLocalSocket *socket, const QJsonObject &) { socket->abort(); });
        const CliRun dead(*m_daemon, words("status"));
        QCOMPARE(dead.code, exitcode::noDaemon);
        verifyHas(dead.err, { "closed the connection" });
    }
};

QTEST_GUILESS_MAIN(TestCliShow)
#include "tst_clishow.moc"
