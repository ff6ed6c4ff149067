// SPDX-License-Identifier: MIT
// replay and report: a journal written by a real coordinator, shown and packed.
#include "clirun.h"
#include "exitcode.h"
#include "journal.h"
#include "replaytext.h"
#include "reportscrub.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QTest>

#include <memory>

using namespace kv;

namespace {

/// One slot is looked at, erased and granted to a session, which ends well.
QByteArray journal()
{
    Policy policy;
    policy.server = QStringLiteral("local");
    Coordinator coordinator(policy, {});
    JournalEncoder encoder(QStringLiteral("9.9"), policy.server);
    Instant now { 1000, c_testNowMs };
    QByteArray bytes = encoder.header() + encoder.start(coordinator, now);
    Effects effects;
    const auto handle = [&](const Event &event) {
        now.monoMs += 10;
        now.wallMs += 10;
        effects = coordinator.handle(event, now);
        bytes += encoder.event(event, now, effects);
    };
    const Identity identity { QStringLiteral("boot"),
        std::make_shared<Fingerprint>(
            FieldList { { QStringLiteral("modelPath"), QStringLiteral("/home/secret/qwen.gguf") } },
            FieldList {}, 4096) };
    handle(ServerObserved { identity, false, 1 });
    BeginRequest begin;
    begin.request = 1;
    begin.connection = 1;
    begin.session = QStringLiteral("secret session");
    begin.provider = QStringLiteral("pa");
    begin.model = QStringLiteral("qwen");
    begin.label = QStringLiteral("secret label");
    handle(begin);
    for (int round = 0; round < 10; ++round) {
        for (const Effect &effect : Effects(effects)) {
            if (const auto *start = std::get_if<StartOp>(&effect)) {
                OpReply reply;
                reply.id = start->op.id;
                reply.kind = start->op.kind;
                reply.identity = identity;
                reply.slotsListed = true;
                reply.slotList = { SlotObservation { 0, false, 4096, {}, {}, {} } };
                reply.tokens = 0;
                handle(OpFinished { reply });
            }
            if (const auto *grant = std::get_if<Grant>(&effect)) {
                EndRequest end;
                end.request = 2;
                end.connection = 1;
                end.lease = grant->lease;
                end.usage = { 1000, 100, 0 };
                handle(end);
            }
        }
    }
    return bytes;
}

void write(const QString &path, const QByteArray &bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestCliReplay : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    [[nodiscard]] QString at(const char *name) const { return m_folder->filePath(QString::fromUtf8(name)); }
    [[nodiscard]] CliRun run(const QStringList &arguments) const { return { at("no.sock"), arguments }; }

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("HOME", m_folder->path().toUtf8());
        qunsetenv("DSH_HOME");
        qunsetenv("XDG_CONFIG_HOME");
    }

    void replayShowsEventsStatesAndDecisions()
    {
        write(at("j"), journal());
        const CliRun shown = run({ QStringLiteral("replay"), at("j") });
        QCOMPARE(shown.code, exitcode::ok);
        QVERIFY(shown.err.isEmpty());
        for (const char *part :
            { "2026-01-31 12:00:00.010  the server was seen", "1 slots", "begin of request 1", "pa/qwen",
                "=> look #", "answer to look #", "slot 0: unknown", "=> granted, request 1: cold, slot 0",
                "end of lease 1: ok, 1000 tokens, 0 reused, 100 generated",
                "Server local, written by kv-persist 9.9", "Grants: 1 cold", "Invariants broken: 0",
                "Every event was decided as it was then." }) {
            QVERIFY2(shown.out.contains(QString::fromUtf8(part)),
                qPrintable(QString::fromUtf8(part) + u'\n' + shown.out));
        }
        QVERIFY(!shown.out.contains(QStringLiteral("secret")));
        const CliRun verbose = run({ QStringLiteral("replay"), at("j"), QStringLiteral("--verbose") });
        QVERIFY(verbose.out.size() > shown.out.size());
        QVERIFY(verbose.out.contains(QStringLiteral("=> timer at")));
        QVERIFY(verbose.out.contains(QStringLiteral("\"type\":\"BeginRequest\"")));
    }

    void replayAsJsonIsOneObjectALine()
    {
        write(at("j"), journal());
        const CliRun shown = run({ QStringLiteral("replay"), at("j"), QStringLiteral("--json") });
        const QStringList lines = shown.out.split(u'\n', Qt::SkipEmptyParts);
        QVERIFY(lines.size() > 4);
        for (const QString &line : lines) {
            QVERIFY(QJsonDocument::fromJson(line.toUtf8()).isObject());
        }
        const QJsonObject first = QJsonDocument::fromJson(lines.first().toUtf8()).object();
        QCOMPARE(first[u"event"][u"type"].toString(), QStringLiteral("ServerObserved"));
        QCOMPARE(first[u"event"][u"totalSlots"].toInt(), 1);
        QVERIFY(first[u"asRecorded"].toBool());
        const QJsonObject last = QJsonDocument::fromJson(lines.last().toUtf8()).object();
        QCOMPARE(last[u"summary"][u"grants"][u"cold"].toInt(), 1);
        QCOMPARE(last[u"summary"][u"events"].toInt(), static_cast<int>(lines.size() - 1));
    }

    void replaySaysWhatIsWrongWithAFile()
    {
        const CliRun none = run({ QStringLiteral("replay"), at("nothing") });
        QCOMPARE(none.code, exitcode::usage);
        QVERIFY(none.err.contains(QStringLiteral("cannot be read")));
        write(at("other"), "PNG");
        QVERIFY(run({ QStringLiteral("replay"), at("other") }).err.contains(QStringLiteral("no journal")));
        QByteArray newer = journal();
        newer[19] = 9;
        write(at("newer"), newer);
        QVERIFY(
            run({ QStringLiteral("replay"), at("newer") }).err.contains(QStringLiteral("newer kv-persist")));
        write(at("torn"), journal().chopped(1));
        const CliRun torn = run({ QStringLiteral("replay"), at("torn") });
        QCOMPARE(torn.code, exitcode::usage);
        QVERIFY(torn.err.contains(QStringLiteral("ends at byte")));
        QVERIFY(torn.out.contains(QStringLiteral("begin of request 1")));
        QCOMPARE(run({ QStringLiteral("replay") }).code, exitcode::usage);
    }

    void replayNoticesAnotherDecision()
    {
        // An event that the journal says gave something else.
        Coordinator coordinator(Policy {}, {});
        JournalEncoder encoder(QStringLiteral("9.9"), QStringLiteral("s"));
        QByteArray bytes = encoder.header() + encoder.start(coordinator, { 1, 1 });
        bytes += encoder.event(Paused { -1 }, { 2, 2 }, { ShutdownDone {} });
        write(at("j"), bytes);
        const CliRun shown = run({ QStringLiteral("replay"), at("j") });
        QVERIFY(
            shown.out.contains(QStringLiteral("!! the one that wrote the journal decided otherwise here")));
        QVERIFY(shown.out.contains(
            QStringLiteral("1 events were decided otherwise than then, the first is number 1")));
    }

    void everyEventHasWords()
    {
        const auto check = []<std::size_t... Index>(std::index_sequence<Index...>)
        {
            QStringList words { eventText(std::variant_alternative_t<Index, Event> {})... };
            return words;
        };
        for (const QString &words : check(std::make_index_sequence<std::variant_size_v<Event>>())) {
            QVERIFY2(!words.isEmpty() && words.front().isLower(), qPrintable(words));
        }
    }

    void reportHasAllThatTheDaemonSays()
    {
        FakeDaemon daemon;
        write(at("meta/journal/local.kvjournal"), journal());
        write(at("meta/journal/local.kvjournal.old"), journal());
        write(at("meta/journal/foreign.kvjournal"), "SQLite format 3");
        write(at("meta/store.db"), "secret");
        write(at("config.yaml"),
            "servers:\n  a:\n    baseURL: http://secret:secret@box:1 # secret\n    apiKey: secret-key\n");
        QJsonObject status
            = jsonOf("{'enabled':true,'version':'9.9','servers':[{'name':'local','backend':{'kind':"
                     "'llama.cpp','build':'b77'},'slots':[{'id':0,'owner':'3fa41c','label':'secret'}]}]}");
        status.insert(u"metadataPath", at("meta"));
        status.insert(u"configPath", at("config.yaml"));
        daemon.answer(QStringLiteral("kv.status"), status);
        daemon.answer(QStringLiteral("kv.metrics"), jsonOf("{'text':'a 1\\n'}"));
        daemon.answer(QStringLiteral("kv.doctor"),
            jsonOf("{'result':'ready','checks':[{'message':'key secret-key at http://u:secret@h'}]}"));
        const CliRun packed(daemon, { QStringLiteral("report"), QStringLiteral("-o"), at("out") });
        QVERIFY2(packed.code == exitcode::ok, qPrintable(packed.err));
        const QDir out(at("out"));
        for (const char *name :
            { "README.txt", "versions.json", "status.json", "doctor.json", "metrics.txt", "config.yaml",
                "journal/local.kvjournal", "journal/local.kvjournal.old", "events/local.kvjournal.txt" }) {
            const QByteArray bytes = read(out.filePath(QString::fromUtf8(name)));
            QVERIFY2(!bytes.isEmpty(), name);
            QVERIFY2(!bytes.contains("secret"), bytes.constData());
            QVERIFY2(!bytes.contains(m_folder->path().toUtf8()), name);
            QVERIFY2(packed.out.contains(QString::fromUtf8(name)), name);
            QCOMPARE(QFile::permissions(out.filePath(QString::fromUtf8(name))) & QFile::ReadOther,
                QFile::Permissions());
        }
        QVERIFY(!out.exists(QStringLiteral("journal/foreign.kvjournal")));
        QVERIFY(packed.out.contains(QStringLiteral("Missing: foreign.kvjournal")));
        QVERIFY(packed.out.contains(QStringLiteral("No prompt, no answer and no label")));
        QVERIFY(read(out.filePath(QStringLiteral("versions.json"))).contains("b77"));
        QCOMPARE(read(out.filePath(QStringLiteral("journal/local.kvjournal"))), journal());
        QVERIFY(read(out.filePath(QStringLiteral("status.json"))).contains("3fa41c"));
        // Nothing is overwritten.
        const CliRun again(daemon, { QStringLiteral("report"), QStringLiteral("-o"), at("out") });
        QCOMPARE(again.code, exitcode::usage);
        QVERIFY(again.err.contains(QStringLiteral("exists already")));
    }

    void reportWithoutADaemonSaysWhatIsMissing()
    {
        write(at(".dsh/cache/dsh-kv-persist/journal/local.kvjournal"), journal());
        const CliRun packed = run(
            { QStringLiteral("report"), QStringLiteral("-o"), at("out.tar.gz"), QStringLiteral("--json") });
        QVERIFY2(packed.code == exitcode::ok, qPrintable(packed.err));
        QVERIFY(packed.json().value(u"files").toArray().contains(QStringLiteral("journal/local.kvjournal")));
        const QJsonArray missing = packed.json().value(u"missing").toArray();
        QCOMPARE(missing.size(), 2); // daemon, configuration
        QVERIFY(missing.first().toString().startsWith(QStringLiteral("status, doctor and metrics: ")));
        QProcess tar;
        tar.start(QStringLiteral("tar"), { QStringLiteral("-tzf"), at("out.tar.gz") });
        QVERIFY(tar.waitForFinished());
        QVERIFY(tar.readAllStandardOutput().contains("/journal/local.kvjournal"));
        QCOMPARE(QFile::permissions(at("out.tar.gz")) & QFile::ReadOther, QFile::Permissions());
    }

    void reportFindsTheFolderThatTheConfigurationNames()
    {
        write(at("kv/journal/x.kvjournal"), journal());
        for (const char *yaml : { "metadata:\n  path: ~/kv\n", "metadata: { path: \"~/kv\" }\n" }) {
            write(at(".config/kv-persist/config.yaml"), yaml);
            QDir(at("out")).removeRecursively();
            const CliRun packed = run({ QStringLiteral("report"), QStringLiteral("-o"), at("out") });
            QCOMPARE(packed.code, exitcode::ok);
            QVERIFY(QFileInfo::exists(at("out/journal/x.kvjournal")));
        }
    }

    void configurationsLoseTheirSecrets()
    {
        const QByteArray yaml
            = "# secret comment\n"
              "servers:\n"
              "  a: { baseURL: \"http://secret:secret@h:1\", apiKey: secret1, mode: single-slot }\n"
              "  b:\n"
              "    apiKey: >\n"
              "      secret2\n"
              "      secret3\n"
              "    slotId: 3 # secret\n"
              "    'api_key' : 'secret4'\n"
              "    X-Auth-Token: secret5\n"
              "    apiKeyFile: ~/.config/key\n"
              "checkpoint: { minTokens: 500 }\n";
        ReportScrub scrub(QStringLiteral("/home/me"));
        const QString shown = scrub.config(QString::fromUtf8(yaml));
        QVERIFY2(!shown.contains(QStringLiteral("secret")), qPrintable(shown));
        for (const char *kept :
            { "slotId: 3", "apiKeyFile: ~/.config/key", "minTokens: 500", "apiKey: ***", "@h:1" }) {
            QVERIFY2(shown.contains(QString::fromUtf8(kept)), qPrintable(shown));
        }
        QCOMPARE(scrub.text(QStringLiteral("the key secret2 of /home/me/x, /home/me2/x")),
            QStringLiteral("the key *** of ~/x, /home/me2/x"));
        QCOMPARE(scrub.document(jsonOf("{'a':[{'label':'x','apiKey':'y','tokens':3,'path':'/home/me'}]}")),
            jsonOf("{'a':[{'apiKey':'***','tokens':3,'path':'~'}]}"));
    }
};

QTEST_GUILESS_MAIN(TestCliReplay)
#include "tst_clireplay.moc"
