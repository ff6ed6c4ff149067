// SPDX-License-Identifier: MIT
#include "clock.h"
#include "logging.h"
#include "redact.h"

#include <QJsonDocument>
#include <QTest>

#include <atomic>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace kv;

namespace {

class HandClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return Instant { m_ms, 1'700'000'000'123 + m_ms }; }
    qint64 m_ms = 0;
};

struct Lines {
    LogSink sink()
    {
        return [this](const QByteArray &line, const LogRecord &record) {
            lines.append(line);
            records.push_back(record);
        };
    }
    QList<QByteArray> lines;
    std::vector<LogRecord> records;
};

LogOptions options(LogLevel level, LogFormat format = LogFormat::Text, bool journald = false)
{
    LogOptions out;
    out.level = level;
    out.format = format;
    out.journald = journald;
    return out;
}

} // namespace

class TstBaseLogging final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void levelsDecideWhatLeaves_data()
    {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("count");
        QTest::newRow("error") << int(LogLevel::Error) << 1;
        QTest::newRow("warn") << int(LogLevel::Warning) << 2;
        QTest::newRow("info") << int(LogLevel::Info) << 3;
        QTest::newRow("debug") << int(LogLevel::Debug) << 4;
    }
    void levelsDecideWhatLeaves()
    {
        QFETCH(const int, level);
        Lines out;
        {
            const Logging logging(options(static_cast<LogLevel>(level)), out.sink());
            qCCritical(lcServer) << "e";
            qCWarning(lcServer) << "w";
            qCInfo(lcServer) << "i";
            qCDebug(lcServer) << "d";
        }
        QTEST(int(out.lines.size()), "count");
    }

    void levelCanBeChangedWhileItRuns()
    {
        Lines out;
        Logging logging(options(LogLevel::Error), out.sink());
        qCInfo(lcDaemon) << "hidden";
        logging.setOptions(options(LogLevel::Info));
        qCInfo(lcDaemon) << "shown";
        QCOMPARE(out.lines.size(), 1);
        QVERIFY(out.lines.first().contains("shown"));
    }

    void textLineHasTimeLevelCategoryAndMessage()
    {
        Lines out;
        const HandClock clock;
        const Logging logging(options(LogLevel::Info), out.sink(), &clock);
        qCWarning(lcRuntime).noquote() << u"two\nlines\x1b[31m"_qs;
        QCOMPARE(out.lines,
            (QList<QByteArray> { "2023-11-14T22:13:20.123Z warn kv.runtime: two\\nlines\\x1b[31m\n" }));
    }

    void journalLineHasThePriorityAndNoTime()
    {
        Lines out;
        const Logging logging(options(LogLevel::Debug, LogFormat::Text, true), out.sink());
        qCCritical(lcConfig) << "e";
        qCWarning(lcConfig) << "w";
        qCInfo(lcConfig) << "i";
        qCDebug(lcConfig) << "d";
        QCOMPARE(out.lines,
            (QList<QByteArray> {
                "<3>kv.config: e\n", "<4>kv.config: w\n", "<6>kv.config: i\n", "<7>kv.config: d\n" }));
    }

    void jsonLineIsOneObjectWithTheFieldsOfAnEvent()
    {
        Lines out;
        const HandClock clock;
        const Logging logging(options(LogLevel::Info, LogFormat::Json), out.sink(), &clock);
        logEvent(lcRuntime(), LogLevel::Info, QStringLiteral("kv.session.switch"),
            { { QStringLiteral("slot"), 0 }, { QStringLiteral("label"), QStringLiteral("a \"b\"\nc") } });
        QCOMPARE(out.lines.size(), 1);
        QCOMPARE(out.lines.first().count('\n'), 1);
        const QJsonObject object = QJsonDocument::fromJson(out.lines.first()).object();
        QCOMPARE(object.value(u"time").toString(), u"2023-11-14T22:13:20.123Z"_qs);
        QCOMPARE(object.value(u"level").toString(), u"info"_qs);
        QCOMPARE(object.value(u"category").toString(), u"kv.runtime"_qs);
        QCOMPARE(object.value(u"message").toString(), u"kv.session.switch"_qs);
        QCOMPARE(object.value(u"fields").toObject().value(u"slot").toInt(-1), 0);
        QCOMPARE(object.value(u"fields").toObject().value(u"label").toString(), u"a \"b\"\nc"_qs);
    }

    void eventsInTextAreNameAndFields()
    {
        Lines out;
        const Logging logging(options(LogLevel::Info, LogFormat::Text, true), out.sink());
        logEvent(lcRuntime(), LogLevel::Info, QStringLiteral("kv.slot.state"),
            { { QStringLiteral("label"), QStringLiteral("my chat") }, { QStringLiteral("slot"), 1 },
                { QStringLiteral("state"), QStringLiteral("dirty") } });
        QCOMPARE(out.lines.value(0), "<6>kv.runtime: kv.slot.state label=\"my chat\" slot=1 state=dirty\n");
        logEvent(lcRuntime(), LogLevel::Debug, QStringLiteral("kv.slot.state"), {});
        QCOMPARE(out.lines.size(), 1);
    }

    void secretsNeverLeave_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *text, const char *expected) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(expected);
        };
        row("Authorization: Bearer s3cr3t-token", "Authorization: Bearer ***");
        row("authorization: Basic dXNlcjpwYXNz rest", "authorization: Basic *** rest");
        row("Authorization: rawtoken", "Authorization: ***");
        row(R"({"Authorization":"Bearer abc.def"})", R"({"Authorization":"Bearer ***"})");
        row("sent Bearer abcdef0123", "sent Bearer ***");
        row("api_key=abc&x=1", "api_key=***&x=1");
        row("http://h/p?api-key=abc", "http://h/p?api-key=***");
        row("X-Api-Key: abc", "X-Api-Key: ***");
        row(R"("apiKey": "abc", "b": 2)", R"("apiKey": "***", "b": 2)");
        row("LLAMA_API_KEY=abc", "LLAMA_API_KEY=***");
        row("http://user:pass@host:8080/slots", "http://***@host:8080/slots");
        row("https://token@host/", "https://***@host/");
        row("http://user:p@ss@host:8080/slots", "http://***@host:8080/slots");
        row("key is hunter22 here", "key is *** here");
        row("apiKeyFile: /home/u/key", "apiKeyFile: /home/u/key");
        row("http://127.0.0.1:8080/slots?x=a@b", "http://127.0.0.1:8080/slots?x=a@b");
        row("the bearer of news", "the bearer of news");
        row("nothing to hide", "nothing to hide");
    }
    void secretsNeverLeave()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, expected);
        const QStringList secrets { QStringLiteral("hunter22"), QStringLiteral("a") };
        QCOMPARE(redacted(text, secrets), expected);
        Lines out;
        LogOptions with = options(LogLevel::Info, LogFormat::Json);
        with.secrets = secrets;
        const Logging logging(with, out.sink());
        qCInfo(lcBackend).noquote() << text;
        logEvent(lcBackend(), LogLevel::Info, QStringLiteral("e"), { { QStringLiteral("f"), text } });
        QCOMPARE(out.records.at(0).text, expected);
        QCOMPARE(out.records.at(1).fields.value(u"f").toString(), expected);
    }

    void aRepeatedWarningLeavesOnceInThirtySecondsWithItsCount()
    {
        Lines out;
        HandClock clock;
        const Logging logging(options(LogLevel::Info, LogFormat::Text, true), out.sink(), &clock);
        for (int i = 0; i < 5; ++i) {
            qCWarning(lcBackend) << "server does not answer";
            clock.m_ms += 1000;
        }
        qCWarning(lcServer) << "server does not answer"; // another category: another text
        qCWarning(lcBackend) << "something else";
        QCOMPARE(out.lines.size(), 3);
        clock.m_ms = 30'000;
        qCWarning(lcBackend) << "server does not answer";
        QCOMPARE(out.lines.size(), 4);
        QCOMPARE(out.lines.last(), "<4>kv.backend: server does not answer (and 4 times before)\n");
        clock.m_ms += 100;
        qCWarning(lcBackend) << "server does not answer";
        QCOMPARE(out.lines.size(), 4);
    }

    void whatWasHeldBackIsToldAtTheLatestAtTheEnd()
    {
        Lines out;
        {
            const Logging logging(options(LogLevel::Info, LogFormat::Text, true), out.sink());
            for (int i = 0; i < 4; ++i) {
                qCWarning(lcBackend) << "again";
            }
            QCOMPARE(out.lines.size(), 1);
        }
        QCOMPARE(out.lines.size(), 2);
        QCOMPARE(out.lines.last(), "<4>kv.backend: again (and 2 times before)\n");
    }

    void whatWasHeldBackIsToldByLaterMessagesToo()
    {
        Lines out;
        HandClock clock;
        clock.m_ms = 1;
        const Logging logging(options(LogLevel::Info, LogFormat::Text, true), out.sink(), &clock);
        qCWarning(lcBackend) << "again";
        qCWarning(lcBackend) << "again";
        clock.m_ms = 40'000;
        qCInfo(lcBackend) << "other";
        QCOMPARE(out.lines,
            (QList<QByteArray> {
                "<4>kv.backend: again\n", "<6>kv.backend: other\n", "<4>kv.backend: again\n" }));
    }

    void errorsAndInfosAreNeverHeldBack()
    {
        Lines out;
        const Logging logging(options(LogLevel::Info), out.sink());
        for (int i = 0; i < 3; ++i) {
            qCCritical(lcBackend) << "e";
            qCInfo(lcBackend) << "i";
        }
        QCOMPARE(out.lines.size(), 6);
    }

    void aFloodOfDifferentWarningsAllLeaves()
    {
        Lines out;
        const HandClock clock;
        const Logging logging(options(LogLevel::Info), out.sink(), &clock);
        for (int i = 0; i < 1000; ++i) {
            QByteArray word = "aaa"; // differ in letters: no two are of one shape
            word[0] = static_cast<char>('a' + i % 26);
            word[1] = static_cast<char>('a' + i / 26 % 26);
            word[2] = static_cast<char>('a' + i / 676);
            qCWarning(lcBackend) << "word" << word.constData();
        }
        QCOMPARE(out.lines.size(), 1000);
    }

    void warningsThatDifferOnlyInNumbersAndNamesAreHeldBack_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("number") << QStringLiteral("The server did not answer within %1 ms.");
        QTest::newRow("hash") << QStringLiteral("Session 3fa4%1c was not saved.");
        QTest::newRow("quoted") << QStringLiteral("There is no method \"x%1\", nor was there one.");
        QTest::newRow("curly") << QStringLiteral("There is no file “a%1/b.bin”.");
        QTest::newRow("address") << QStringLiteral("Nothing listens at http://127.0.0.1:%1/slots.");
    }
    void warningsThatDifferOnlyInNumbersAndNamesAreHeldBack()
    {
        QFETCH(const QString, text);
        Lines out;
        HandClock clock;
        {
            const Logging logging(options(LogLevel::Info, LogFormat::Text, true), out.sink(), &clock);
            for (int i = 0; i < 500; ++i) {
                qCWarning(lcBackend).noquote() << text.arg(i);
            }
            QCOMPARE(out.lines.size(), 5);
            qCWarning(lcServer).noquote() << text.arg(0); // another part of the program
            qCWarning(lcBackend) << "something else 1";
            QCOMPARE(out.lines.size(), 7);
            clock.m_ms = 30'000;
            qCWarning(lcBackend).noquote() << text.arg(700);
            QCOMPARE(QString::fromUtf8(out.lines.value(7)),
                QStringLiteral("<4>kv.backend: %1 (and 495 times before)\n").arg(text.arg(700)));
            for (int i = 0; i < 100; ++i) {
                qCWarning(lcBackend).noquote() << text.arg(i);
            }
        }
        // The last of those held back is told in the end.
        QCOMPARE(QString::fromUtf8(out.lines.last()),
            QStringLiteral("<4>kv.backend: %1 (and 95 times before)\n").arg(text.arg(99)));
    }

    void anEndlessFloodStaysBounded()
    {
        Lines out;
        HandClock clock;
        const Logging logging(options(LogLevel::Info), out.sink(), &clock);
        for (int i = 0; i < 24 * 3600; ++i) { // a day of one a second
            clock.m_ms += 1000;
            qCWarning(lcBackend) << "number" << i;
        }
        QVERIFY2(out.lines.size() <= 5 * 2 * 60 * 24 + 5, QByteArray::number(out.lines.size()).constData());
    }

    void partsOfTheProgramMayBeLouderOrQuieter()
    {
        Lines out;
        LogOptions some = options(LogLevel::Info, LogFormat::Text, true);
        some.filter = parseLogFilter(QStringLiteral("proxy=debug,runtime=error snapshots=warn")).filter;
        Logging logging(some, out.sink());
        qCDebug(lcProxy) << "1";
        qCInfo(lcProxy) << "2";
        qCInfo(lcServer) << "3"; // as the whole
        qCDebug(lcServer) << "no";
        qCWarning(lcRuntime) << "no";
        qCCritical(lcRuntime) << "4";
        qCInfo(lcSnapshots) << "no";
        qCWarning(lcSnapshots) << "5";
        logEvent(lcRuntime(), LogLevel::Warning, QStringLiteral("no"), {});
        QCOMPARE(out.lines,
            (QList<QByteArray> { "<7>kv.proxy: 1\n", "<6>kv.proxy: 2\n", "<6>kv.server: 3\n",
                "<3>kv.runtime: 4\n", "<4>kv.snapshots: 5\n" }));
        logging.setOptions(options(LogLevel::Info));
        qCDebug(lcProxy) << "no";
        qCWarning(lcRuntime) << "6";
        QCOMPARE(out.lines.size(), 6);
    }

    void aFilterNamesPartsAndLevels()
    {
        using Filter = LogFilter;
        QCOMPARE(parseLogFilter({}).filter, Filter());
        QCOMPARE(parseLogFilter(QStringLiteral(" proxy=debug , runtime=warn,")).filter,
            (Filter { { QStringLiteral("proxy"), LogLevel::Debug },
                { QStringLiteral("runtime"), LogLevel::Warning } }));
        QCOMPARE(parseLogFilter(QStringLiteral("proxy=debug proxy=error")).filter,
            (Filter { { QStringLiteral("proxy"), LogLevel::Error } }));
        for (const char *wrong : { "prxy=debug", "proxy", "proxy=", "proxy=loud", "=debug", "kv.proxy=debug",
                 "proxy=debug=info", "*=debug" }) {
            const ParsedLogFilter parsed
                = parseLogFilter(QStringLiteral("server=info,") + QLatin1String(wrong));
            QCOMPARE(parsed.wrong, QLatin1String(wrong));
            QVERIFY(parsed.filter.isEmpty());
        }
        QCOMPARE(logLevelNames().join(u' '), QStringLiteral("error warn info debug"));
    }

    void everyPartIsACategory()
    {
        const QList<const QLoggingCategory *> categories { &lcBackend(), &lcConfig(), &lcCoordinator(),
            &lcDaemon(), &lcHttp(), &lcProxy(), &lcRuntime(), &lcServer(), &lcSnapshots() };
        QStringList names;
        for (const QLoggingCategory *category : categories) {
            names.append(QString::fromLatin1(category->categoryName()).mid(3));
        }
        QCOMPARE(logParts(), names);
    }

    void endingPutsBackWhatWasThereBefore()
    {
        static std::atomic<int> seen = 0;
        const QtMessageHandler original
            = qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) { ++seen; });
        Lines outer;
        Lines inner;
        {
            const Logging first(options(LogLevel::Debug), outer.sink());
            {
                const Logging second(options(LogLevel::Error), inner.sink());
                qCInfo(lcDaemon) << "nobody";
                qCCritical(lcDaemon) << "inner";
            }
            qCDebug(lcDaemon) << "outer";
        }
        qCCritical(lcDaemon) << "original";
        qInstallMessageHandler(original);
        QCOMPARE(inner.lines.size(), 1);
        QCOMPARE(outer.lines.size(), 1);
        QCOMPARE(seen.load(), 1);
    }

    void aSinkThatLogsDoesNotHang()
    {
        int calls = 0;
        const Logging logging(options(LogLevel::Info), [&calls](const QByteArray &, const LogRecord &) {
            ++calls;
            qCInfo(lcDaemon) << "from the sink (expected on standard error)";
        });
        qCInfo(lcDaemon) << "once";
        QCOMPARE(calls, 1);
    }

    void manyThreadsMayLog()
    {
        Lines out;
        {
            const Logging logging(options(LogLevel::Info), out.sink());
            std::vector<std::thread> threads;
            for (int t = 0; t < 4; ++t) {
                threads.emplace_back([] {
                    for (int i = 0; i < 250; ++i) {
                        qCInfo(lcBackend) << i;
                    }
                });
            }
            for (std::thread &thread : threads) {
                thread.join();
            }
        }
        QCOMPARE(out.lines.size(), 1000);
    }

    void theJournalIsKnownByItsDeviceAndInode()
    {
        struct stat data { };
        QCOMPARE(::fstat(STDERR_FILENO, &data), 0);
        const QByteArray mine
            = QByteArray::number(qulonglong(data.st_dev)) + ':' + QByteArray::number(qulonglong(data.st_ino));
        QVERIFY(stderrIsJournal(mine));
        QVERIFY(!stderrIsJournal(mine + '0'));
        QVERIFY(!stderrIsJournal({}));
        QVERIFY(!stderrIsJournal("nonsense"));
    }

    void namesOfLevelsAndFormatsComeBack()
    {
        for (const LogLevel level : { LogLevel::Error, LogLevel::Warning, LogLevel::Info, LogLevel::Debug }) {
            QCOMPARE(logLevelFromName(toString(level)), std::optional(level));
        }
        for (const LogFormat format : { LogFormat::Text, LogFormat::Json }) {
            QCOMPARE(logFormatFromName(toString(format)), std::optional(format));
        }
        QCOMPARE(logLevelFromName(u"verbose"), std::nullopt);
        QCOMPARE(logFormatFromName(u"xml"), std::nullopt);
    }
};

QTEST_GUILESS_MAIN(TstBaseLogging)
#include "tst_baselogging.moc"
