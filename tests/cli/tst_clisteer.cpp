// SPDX-License-Identifier: MIT
#include "clirun.h"
#include "exitcode.h"
#include "params.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace kv;

class TestCliSteer : public QObject {
    Q_OBJECT

    std::unique_ptr<FakeDaemon> m_daemon;

    static void verifyHas(const QString &text, const QList<const char *> &parts)
    {
        for (const char *part : parts) {
            QVERIFY2(
                text.contains(QString::fromUtf8(part)), qPrintable(QString::fromUtf8(part) + u'\n' + text));
        }
    }
    void scriptSession()
    {
        m_daemon->answer(QStringLiteral("kv.get"),
            jsonOf("{'session':'3fa41c','label':'Fix the "
                   "build','manifests':[{'bytes':1048576},{'bytes':1048576}]}"));
        m_daemon->answer(QStringLiteral("kv.purge"), jsonOf("{'count':2,'fileRemains':true}"));
    }
    /// A `kv.doctor` that streams `checks`, then answers `result`.
    void scriptDoctor(const QJsonArray &checks, const QString &result, qsizetype streamed)
    {
        m_daemon->on(QStringLiteral("kv.doctor"), [=](QLocalSocket *socket, const QJsonObject &request) {
            for (qsizetype i = 0; i < streamed; ++i) {
                QJsonObject check = checks.at(i).toObject();
                check.insert(u"id", request.value(u"id"));
                socket->write(encodeNotification(QStringLiteral("doctor.check"), check));
            }
            socket->write(encodeResult(request.value(u"id"),
                { { QStringLiteral("result"), result }, { QStringLiteral("checks"), checks } }));
        });
    }
    QString file(const QByteArray &content)
    {
        QFile file(m_files.filePath(QStringLiteral("my.yaml")));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
            qFatal("cannot write the test's file");
        }
        return file.fileName();
    }
    QTemporaryDir m_files;

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void init() { m_daemon = std::make_unique<FakeDaemon>(); }
    void cleanup() { m_daemon.reset(); }

    void everySessionCommandSendsWhatItWasTold_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("method");
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<QString>("text");
        const auto row = [](const char *line, const char *method, const char *params, const char *result,
                             const char *text) {
            QTest::newRow(line) << QByteArray(line) << QString::fromUtf8(method) << QByteArray(params)
                                << QByteArray(result) << QString::fromUtf8(text);
        };
        row("save x --server a", "kv.save", "{'session':'x','server':'a'}",
            "{'revision':8,'tokens':6521,'bytes':173015040,'ms':94.1}",
            "Saved 6521 tokens, 165 MiB, in 94 ms.\n");
        row("save x", "kv.save", "{'session':'x'}", "{'revision':8,'skipped':'clean'}",
            "Nothing was written: clean.\n");
        row("restore x", "kv.restore", "{'session':'x'}", "{'slot':0,'tokens':5,'bytes':1024,'ms':71}",
            "Restored 5 tokens, 1.0 KiB, into slot 0 in 71 ms.\n");
        row("invalidate x --reason odd", "kv.invalidate", "{'session':'x','reason':'odd'}", "{'count':1}",
            "1 snapshot will not be used any more.\n");
        row("purge x --yes --provider p --model m", "kv.purge", "{'session':'x','provider':'p','model':'m'}",
            "{'count':2}", "Deleted 2 snapshots.\n");
        row("pin x", "kv.pin", "{'session':'x','pinned':true}", "{'count':1}", "Pinned 1 snapshot.\n");
        row("unpin x", "kv.pin", "{'session':'x','pinned':false}", "{'count':0}", "Unpinned 0 snapshots.\n");
        row("flush", "kv.flush", "{}", "{'count':2}", "Slots saved: 2.\n");
        row("flush --timeout 3", "kv.flush", "{}", "{'count':0}", "Nothing was unsaved.\n");
        row("gc", "kv.gc", "{}", "{'dryRun':false,'removed':1,'bytes':1048576,'rows':[]}",
            "Removed 1 snapshot, 1.0 MiB.\n");
        row("pause", "kv.pause", "{}", "{'servers':['a','b']}",
            "Paused (a, b) until \"kv-persist resume\". Requests go on without saving and restoring.\n");
        row("pause --server a --for 10min", "kv.pause", "{'server':'a','forMs':600000}",
            "{'servers':['a'],'until':'2026-01-31T12:10:00Z'}",
            "Paused (a) until 2026-01-31 12:10:00. Requests go on without saving and restoring.\n");
        row("resume --server a", "kv.resume", "{'server':'a'}", "{'servers':['a']}", "Resumed: a.\n");
        row("resume", "kv.resume", "{}", "{'servers':[]}", "Nothing was paused.\n");
        row("reload", "kv.reload", "{}", "{'changed':['a.b','c'],'restartNeeded':['c']}",
            "Changed: a.b, c.\nActs only after a restart of the daemon: c.\n");
        row("config path", "kv.config", "{'action':'get'}", "{'path':'/c.yaml'}", "/c.yaml\n");
        row("config get", "kv.config", "{'action':'get'}", "{'path':'/c','exists':true,'yaml':'a: 1\\n'}",
            "a: 1\n");
    }
    void everySessionCommandSendsWhatItWasTold()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const QString, method);
        QFETCH(const QByteArray, params);
        QFETCH(const QByteArray, result);
        QFETCH(const QString, text);
        m_daemon->answer(method, jsonOf(result.constData()));
        const CliRun run(*m_daemon, words(line.constData()));
        QCOMPARE(run.err, QString());
        QCOMPARE(run.out, text);
        QCOMPARE(run.code, exitcode::ok);
        QCOMPARE(m_daemon->requests().size(), 1);
        QCOMPARE(m_daemon->lastParams(method), jsonOf(params.constData()));
        QVERIFY(checkParams(*methodFromName(method), m_daemon->lastParams(method)).ok());

        const CliRun json(*m_daemon, words((line + " --json").constData()));
        QCOMPARE(json.json(), jsonOf(result.constData()));
        QCOMPARE(json.code, exitcode::ok);

        m_daemon->refuse(method, ErrorCode::SlotBusy, QStringLiteral("It is busy."));
        const CliRun refused(*m_daemon, words(line.constData()));
        QCOMPARE(refused.code, exitcode::refused);
        QCOMPARE(refused.err, QStringLiteral("kv-persist: It is busy.\n"));
        QVERIFY(refused.out.isEmpty());
    }

    void purgeAsksAndSaysWhatIsLost()
    {
        scriptSession();
        const CliRun run(*m_daemon, words("purge 3fa41c"), QStringLiteral("y\n"), true);
        QCOMPARE(run.code, exitcode::ok);
        verifyHas(run.err, { "Delete 2 snapshots (2.0 MiB) of 3fa41c Fix the build?", "Only speed is lost" });
        verifyHas(run.out, { "Deleted 2 snapshots.", "The server keeps the files" });
        QCOMPARE(m_daemon->count(QStringLiteral("kv.purge")), 1);
    }

    void purgeDeletesNothingWithoutAYes_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("no") << QStringLiteral("n\n");
        QTest::newRow("return") << QStringLiteral("\n");
        QTest::newRow("end of input") << QString();
        QTest::newRow("something else") << QStringLiteral("perhaps\n");
    }
    void purgeDeletesNothingWithoutAYes()
    {
        QFETCH(const QString, typed);
        scriptSession();
        const CliRun run(*m_daemon, words("purge 3fa41c"), typed, true);
        QCOMPARE(run.code, exitcode::refused);
        verifyHas(run.err, { "Nothing was deleted." });
        QCOMPARE(m_daemon->count(QStringLiteral("kv.purge")), 0);
    }

    void purgeRefusesWhereNobodyCanAnswer()
    {
        scriptSession();
        const CliRun run(*m_daemon, words("purge 3fa41c"), QStringLiteral("y\n"), false);
        QCOMPARE(run.code, exitcode::usage);
        verifyHas(run.err, { "--yes" });
        QCOMPARE(m_daemon->requests().size(), 0);
    }

    void purgeOfAnUnknownSessionDoesNotAsk()
    {
        scriptSession();
        m_daemon->refuse(QStringLiteral("kv.get"), ErrorCode::SessionUnknown, QStringLiteral("Nobody."));
        const CliRun run(*m_daemon, words("purge zzz"), QStringLiteral("y\n"), true);
        QCOMPARE(run.code, exitcode::refused);
        QCOMPARE(run.err, QStringLiteral("kv-persist: Nobody.\n"));
        QCOMPARE(m_daemon->count(QStringLiteral("kv.purge")), 0);
    }

    void gcDryRunListsWhatWouldGo()
    {
        m_daemon->answer(QStringLiteral("kv.gc"),
            jsonOf("{'dryRun':true,'removed':1,'bytes':1048576,'rows':[{'session':'77ab01','label':'Old','"
                   "server':'a',"
                   "'bytes':1048576,'reason':'age'}]}"));
        const CliRun run(*m_daemon, words("gc --dry-run"));
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.gc")), jsonOf("{'dryRun':true}"));
        verifyHas(run.out,
            { "77ab01", "Old", "age: not used for maxAgeDays", "Would remove 1 snapshot, 1.0 MiB." });
        m_daemon->answer(QStringLiteral("kv.gc"), jsonOf("{'dryRun':true,'removed':0,'bytes':0,'rows':[]}"));
        QCOMPARE(CliRun(*m_daemon, words("gc --dry-run")).out, QStringLiteral("Nothing is to be removed.\n"));
    }

    void pauseRefusesALengthThatIsNone()
    {
        for (const char *line : { "pause --for soon", "pause --for 0s", "pause --for 10" }) {
            const CliRun run(*m_daemon, words(line));
            QVERIFY2(run.code == exitcode::usage, line);
        }
        QCOMPARE(m_daemon->requests().size(), 0);
    }

    void doctorEndsWithItsVerdictAndCode_data()
    {
        QTest::addColumn<QString>("result");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("last");
        QTest::newRow("ready") << QStringLiteral("ready") << exitcode::ok
                               << QStringLiteral("Result: READY\n");
        QTest::newRow("warnings") << QStringLiteral("ready-with-warnings") << exitcode::warnings
                                  << QStringLiteral("Result: READY WITH WARNINGS\n");
        QTest::newRow("not") << QStringLiteral("not-ready") << exitcode::notReady
                             << QStringLiteral("Result: NOT READY\n");
        QTest::newRow("newer word") << QStringLiteral("hm") << exitcode::notReady
                                    << QStringLiteral("Result: NOT READY\n");
    }
    void doctorEndsWithItsVerdictAndCode()
    {
        QFETCH(const QString, result);
        QFETCH(const int, code);
        QFETCH(const QString, last);
        const QJsonArray checks { jsonOf("{'name':'daemon','result':'passed','message':'Runs.'}"),
            jsonOf("{'name':'reachable','result':'passed','message':'It answers.','server':'a'}"),
            jsonOf("{'name':'saving','result':'failed','message':'No folder.','remedy':'Add the "
                   "flag.','server':'a'}") };
        for (const qsizetype streamed : { 0, 1, 2, 3 }) { // whatever was not streamed is printed at the end
            scriptDoctor(checks, result, streamed);
            const CliRun run(*m_daemon, words("doctor --server a --verify"));
            QCOMPARE(run.code, code);
            QCOMPARE(run.out,
                QStringLiteral("kv-persist\n  passed  daemon: Runs.\nServer a\n  passed  reachable: It "
                               "answers.\n  failed  saving: No folder.\n          Add the flag.\n")
                    + last);
        }
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.doctor")), jsonOf("{'server':'a','verify':true}"));
        const CliRun restart(*m_daemon, words("doctor --verify --restart"));
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.doctor")), jsonOf("{'verify':true,'restart':true}"));
        QCOMPARE(CliRun(*m_daemon, words("doctor --restart")).code, exitcode::usage);
        const CliRun json(*m_daemon, words("doctor --json"));
        QCOMPARE(json.code, code);
        QCOMPARE(json.json().value(u"checks").toArray(), checks);
    }

    void doctorTakesTheKeyFromAFileAndNeverShowsIt()
    {
        m_daemon->refuse(
            QStringLiteral("kv.doctor"), ErrorCode::BackendUnavailable, QStringLiteral("Nobody answers."));
        const QString key = file("sk-secret\n");
        const CliRun run(*m_daemon, words("doctor --url http://h:1 --api-key-file") << key);
        QCOMPARE(run.code, exitcode::refused);
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.doctor")),
            jsonOf("{'baseURL':'http://h:1','apiKey':'sk-secret'}"));
        QVERIFY(!(run.out + run.err).contains(QStringLiteral("secret")));
        const CliRun missing(*m_daemon, words("doctor --api-key-file /nowhere/key"));
        QCOMPARE(missing.code, exitcode::usage);
        verifyHas(missing.err, { "/nowhere/key cannot be read" });
    }

    void watchShowsEventsUntilTheDaemonIsGone()
    {
        m_daemon->on(QStringLiteral("kv.subscribe"), [](QLocalSocket *socket, const QJsonObject &request) {
            socket->write(encodeResult(request.value(u"id"), {})
                + encodeNotification(QStringLiteral("event"),
                    jsonOf(
                        "{'seq':1,'at':'2026-01-31T12:00:00.000Z','name':'kv.session.restore.success','"
                        "server':'a',"
                        "'slot':0,'session':'3fa41c','label':'Fix','tokens':6292,'bytes':1048576,'ms':71.1}"))
                + encodeNotification(QStringLiteral("other"), {})
                + encodeNotification(QStringLiteral("event"),
                    jsonOf("{'seq':2,'at':'2026-01-31T12:00:01.000Z','name':'kv.session.save.failed','code':'"
                           "KV_SAVE_FAILED',"
                           "'reason':'full'}"))
                + encodeNotification(QStringLiteral("event"),
                    jsonOf("{'seq':3,'at':'2026-01-31T12:00:02.000Z','name':'kv.operation.progress','server':"
                           "'a','what':'checksum','permille':419,'bytes':1048576,'ms':1500}")));
            socket->disconnectFromServer();
        });
        const CliRun run(*m_daemon, words("watch --topics kv.session.,status"));
        QCOMPARE(run.code, exitcode::noDaemon);
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.subscribe")),
            jsonOf("{'topics':['kv.session.','status']}"));
        QCOMPARE(run.out,
            QStringLiteral("2026-01-31 12:00:00  kv.session.restore.success  a/0  3fa41c  Fix  6292 tokens, "
                           "1.0 MiB, 71 ms\n"
                           "2026-01-31 12:00:01  kv.session.save.failed  KV_SAVE_FAILED, full\n"
                           "2026-01-31 12:00:02  kv.operation.progress  a  checksum 41 %, 1.0 MiB, 1.5 s\n"));
        verifyHas(run.err, { "closed the connection" });

        const CliRun json(*m_daemon, words("watch --json"));
        QVERIFY(m_daemon->lastParams(QStringLiteral("kv.subscribe")).isEmpty());
        const QStringList lines = json.out.split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QCOMPARE(QJsonDocument::fromJson(lines.last().toUtf8()).object().value(u"seq").toInt(), 3);
    }

    void configValidateNamesFileLineAndFault()
    {
        const QString path = file("enabeld: true\n");
        m_daemon->answer(QStringLiteral("kv.config"),
            jsonOf("{'valid':false,'errors':[{'line':1,'key':'enabeld','message':'Unknown "
                   "key.'},{'message':'More.'}]}"));
        const CliRun run(*m_daemon, words("config validate") << path);
        QCOMPARE(run.code, exitcode::refused);
        QCOMPARE(run.err, path + QStringLiteral(":1: Unknown key.\nMore.\n"));
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.config")),
            jsonOf("{'action':'validate','yaml':'enabeld: true\\n'}"));
        QCOMPARE(CliRun(*m_daemon, words("config validate --json") << path).code, exitcode::refused);
        m_daemon->answer(QStringLiteral("kv.config"), jsonOf("{'valid':true}"));
        const CliRun good(*m_daemon, words("config validate -"), QStringLiteral("enabled: true\n"));
        QCOMPARE(good.code, exitcode::ok);
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.config")).value(u"yaml").toString(),
            QStringLiteral("enabled: true\n"));
    }

    void configSetSendsTheFileAndShowsWhatChanged()
    {
        const QString path = file("enabled: false\n");
        m_daemon->answer(
            QStringLiteral("kv.config"), jsonOf("{'path':'/c','changed':['enabled'],'restartNeeded':[]}"));
        const CliRun run(*m_daemon, words("config set --if-hash 2c26") << path);
        QCOMPARE(run.code, exitcode::ok);
        QCOMPARE(m_daemon->lastParams(QStringLiteral("kv.config")),
            jsonOf("{'action':'set','yaml':'enabled: false\\n','ifHash':'2c26'}"));
        QCOMPARE(run.out, QStringLiteral("Written to /c.\nChanged: enabled.\n"));
        m_daemon->refuse(QStringLiteral("kv.config"), ErrorCode::ConfigInvalid,
            QStringLiteral("c.yaml:1: wrong\nc.yaml:2: worse"),
            jsonOf("{'errors':[{'line':7,'message':'bad'},{'message':'c.yaml:2: worse'}]}"));
        const CliRun bad(*m_daemon, words("config set") << path);
        QCOMPARE(bad.code, exitcode::refused);
        QCOMPARE(bad.err, QStringLiteral("kv-persist: c.yaml:1: wrong\n  c.yaml:2: worse\n  line 7: bad\n"));
        const CliRun missing(*m_daemon, words("config set /nowhere/c.yaml"));
        QCOMPARE(missing.code, exitcode::usage);
    }

    void configGetWithoutAFileSaysSo()
    {
        m_daemon->answer(QStringLiteral("kv.config"), jsonOf("{'path':'/c.yaml','exists':false}"));
        const CliRun run(*m_daemon, words("config get"));
        QCOMPARE(run.code, exitcode::ok);
        QVERIFY(run.out.isEmpty());
        verifyHas(run.err, { "There is no file /c.yaml" });
    }

    void configDefaultNeedsNoDaemon()
    {
        m_daemon->stop();
        const CliRun run(*m_daemon, words("config default"));
        QCOMPARE(run.code, exitcode::ok);
        verifyHas(run.out, { "enabled: true", "checkpoint:" });
    }
};

QTEST_GUILESS_MAIN(TestCliSteer)
#include "tst_clisteer.moc"
