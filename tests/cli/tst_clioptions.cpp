// SPDX-License-Identifier: MIT
#include "clioptions.h"
#include "commands.h"
#include "configreader.h"
#include "defaultconfig.h"
#include "exitcode.h"

#include <QRegularExpression>
#include <QTest>

using namespace kv;

class TestCliOptions : public QObject {
    Q_OBJECT

    static QStringList words(const char *text)
    {
        return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts);
    }
    static CliOptions parsed(const char *line)
    {
        const auto result = parseCommandLine(words(line));
        if (const auto *message = std::get_if<CliMessage>(&result)) {
            QTest::qFail(qPrintable(message->text), __FILE__, __LINE__);
            return {};
        }
        return std::get<CliOptions>(result);
    }
    static CliMessage message(const QStringList &arguments)
    {
        const auto result = parseCommandLine(arguments);
        const auto *text = std::get_if<CliMessage>(&result);
        return text ? *text : CliMessage { -1, {} };
    }

private Q_SLOTS:
    void everyCommandIsFoundAndItsHelpTeachesByExample_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("found");
        const QList<QPair<const char *, CommandFunction>> commands { { "status", runStatus },
            { "slots", runSlots }, { "list", runList }, { "show x", runShow }, { "save x", runSave },
            { "restore x", runRestore }, { "invalidate x", runInvalidate }, { "purge x", runPurge },
            { "pin x", runPin }, { "unpin x", runUnpin }, { "flush", runFlush }, { "gc", runGc },
            { "doctor", runDoctor }, { "metrics", runMetrics }, { "watch", runWatch },
            { "history x", runHistory }, { "pause", runPause }, { "resume", runResume },
            { "reload", runReload }, { "config get", runConfigGet },
            { "config validate f", runConfigValidate }, { "config set f", runConfigSet },
            { "config path", runConfigPath }, { "config default", runConfigDefault } };
        for (const auto &[line, function] : commands) {
            QTest::newRow(line) << QByteArray(line) << (parsed(line).run == function);
        }
    }
    void everyCommandIsFoundAndItsHelpTeachesByExample()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const bool, found);
        QVERIFY(found);
        QStringList arguments = words(line.constData());
        arguments.append(QStringLiteral("--help"));
        const CliMessage help = message(arguments);
        QCOMPARE(help.exitCode, exitcode::ok);
        QVERIFY2(help.text.contains(QStringLiteral("Example:\n  kv-persist ")), qPrintable(help.text));
        // The example is a command line that is understood.
        QString example
            = help.text.section(QStringLiteral("Example:\n  kv-persist "), 1).section(u'\n', 0, 0);
        example = example.section(u'|', 0, 0).section(u'>', 0, 0).remove(u'"');
        example.replace(QStringLiteral("strange answers"), QStringLiteral("strange"));
        parsed(example.toUtf8().constData());
        const QString top = message({ QStringLiteral("--help") }).text;
        QVERIFY(top.contains(QStringLiteral("  ") + arguments.first() + u' '));
    }

    void theHelpListsTheExitCodes()
    {
        const QString help = message({ QStringLiteral("--help") }).text;
        for (const char *word : { "0 done", "1 the daemon said no", "2 wrong", "3 no daemon",
                 "4 doctor: NOT READY", "5 doctor: READY WITH WARNINGS", "KV_PERSIST_SOCKET" }) {
            QVERIFY2(help.contains(QString::fromUtf8(word)), word);
        }
        QCOMPARE(QList<int>({ exitcode::ok, exitcode::refused, exitcode::usage, exitcode::noDaemon,
                     exitcode::notReady, exitcode::warnings }),
            QList<int>({ 0, 1, 2, 3, 4, 5 }));
    }

    void wrongCommandLinesAreUsageErrorsWithAWayOut_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char *line : { "stauts", "show", "list --limit 0", "list --limit 1001", "list --offset -1",
                 "list --sorted", "status extra", "--color blue status", "--timeout -1 status", "--socket",
                 "config", "config validate", "config change x", "pin a b" }) {
            QTest::newRow(line) << QByteArray(line);
        }
    }
    void wrongCommandLinesAreUsageErrorsWithAWayOut()
    {
        QFETCH(const QByteArray, line);
        const CliMessage fault = message(words(line.constData()));
        QCOMPARE(fault.exitCode, exitcode::usage);
        QVERIFY(fault.text.startsWith(QStringLiteral("kv-persist: ")));
        QVERIFY(fault.text.contains(QStringLiteral("--help")));
    }

    void aMistypedCommandIsNamedWithTheNearest()
    {
        QVERIFY(message(words("stauts"))
                    .text.startsWith(QStringLiteral(
                        "kv-persist: There is no command \"stauts\". Did you mean \"status\"?\n")));
        QVERIFY(message(words("--json lst")).text.contains(QStringLiteral("Did you mean \"list\"?")));
        QVERIFY(
            message(words("config vaildate f")).text.contains(QStringLiteral("Did you mean \"validate\"?")));
        const QString far = message(words("hello")).text;
        QVERIFY(far.contains(QStringLiteral("There is no command \"hello\".")));
        QVERIFY(!far.contains(QStringLiteral("Did you mean")));
        QVERIFY(!message(words("show")).text.contains(QStringLiteral("There is no command")));
    }

    void noCommandShowsTheHelp()
    {
        const CliMessage help = message({});
        QCOMPARE(help.exitCode, exitcode::usage);
        QVERIFY(help.text.contains(QStringLiteral("doctor")));
        QCOMPARE(message({ QStringLiteral("--version") }).text,
            QStringLiteral("kv-persist " KV_PERSIST_VERSION "\n"));
    }

    void globalOptionsStandBeforeOrAfterTheCommand()
    {
        for (const char *line :
            { "--json --socket /s --timeout 2.5 list", "list --json --socket /s --timeout 2.5" }) {
            const CliOptions options = parsed(line);
            QVERIFY(options.json);
            QCOMPARE(options.socket, QStringLiteral("/s"));
            QCOMPARE(options.timeoutSeconds, 2.5);
        }
        QVERIFY(parsed("config get --json").json);
    }

    void optionsArriveWhereTheyBelong()
    {
        const CliOptions list = parsed("list --filter f --sort bytes --desc --limit 5 --offset 10");
        QCOMPARE(QStringList({ list.filter, list.sort }),
            QStringList({ QStringLiteral("f"), QStringLiteral("bytes") }));
        QVERIFY(list.desc);
        QCOMPARE(list.limit, 5);
        QCOMPARE(list.offset, 10);
        const CliOptions purge = parsed("purge s --provider p --model m --server v -y");
        QCOMPARE(QStringList({ purge.session, purge.provider, purge.model, purge.server }), words("s p m v"));
        QVERIFY(purge.yes);
        QCOMPARE(parsed("watch --topics kv.a,kv.b --topics status").topics, words("kv.a kv.b status"));
        QCOMPARE(parsed("pause --for 10min").duration, QStringLiteral("10min"));
        QCOMPARE(parsed("config set f --if-hash h").ifHash, QStringLiteral("h"));
        QCOMPARE(parsed("show -- -x").session, QStringLiteral("-x"));
    }

    void theDefaultConfigurationIsTheDaemonsOwn()
    {
        const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        const auto loaded
            = readConfig(explainedConfigText().toUtf8(), QStringLiteral("default"), environment);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : qPrintable(loaded.error().message));
        QVERIFY(loaded.value().config == defaultConfig(environment));
        QVERIFY(loaded.value().warnings.isEmpty());
    }

    void theCommentedPartsOfTheDefaultConfigurationAreRightToo()
    {
        QString text = explainedConfigText();
        text.replace(
            QRegularExpression(QStringLiteral("^#(?! )"), QRegularExpression::MultilineOption), QString());
        text.replace(QRegularExpression(QStringLiteral("^#( {2,})"), QRegularExpression::MultilineOption),
            QStringLiteral("\\1"));
        text.remove(QRegularExpression(QStringLiteral(".*apiKeyFile.*\n"))); // the file is not there
        text.replace(QStringLiteral("server-owned"), QStringLiteral("shared-filesystem"));
        const auto loaded
            = readConfig(text.toUtf8(), QStringLiteral("default"), QProcessEnvironment::systemEnvironment());
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : qPrintable(loaded.error().message));
        QCOMPARE(loaded.value().config.servers.size(), 1U);
        QCOMPARE(loaded.value().config.providers.size(), 2U);
        QVERIFY(loaded.value().config.metricsListen.has_value());
    }
};

QTEST_GUILESS_MAIN(TestCliOptions)
#include "tst_clioptions.moc"
