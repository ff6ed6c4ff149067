// SPDX-License-Identifier: MIT
#include "configreader.h"
#include "configwriter.h"

#include <QTest>

using namespace kv;

namespace {

QProcessEnvironment environment()
{
    QProcessEnvironment out;
    out.insert(QStringLiteral("HOME"), QStringLiteral("/home/u"));
    return out;
}

const QByteArray c_everyKey
    = "enabled: false\n"
      "servers:\n"
      "  b:\n"
      "    type: llama.cpp\n"
      "    baseURL: https://host.example:8443/llama/\n"
      "    apiKey: sk-1\n"
      "    requestTimeoutMs: 7\n"
      "    mode: managed-slots\n"
      "    slotId: 3\n"
      "    auxiliarySlot: true\n"
      "    runtimeKey: rk\n"
      "    snapshotBinaryManagement: shared-filesystem\n"
      "    slotSavePath: ${DATA}/kv\n"
      "  a: { baseURL: \"http://[::1]:9000\" }\n"
      "providers:\n"
      "  p1: a\n"
      "  p2: { model: \"m?\", server: b }\n"
      "  p3: [ { model: \"qwen*\", server: a }, { server: b } ]\n"
      "  \"*\": b\n"
      "auxiliaryRequests: ignore\n"
      "coldStart: base\n"
      "leases: { idleMs: 1, holdMs: 2 }\n"
      "checkpoint: { onSwitch: no, onShutdown: false, onSessionFlush: off, onDispose: False, idleMs: off, "
      "onTurnEnd: yes,\n"
      "              onStepEnd: on, minTokens: 512, maxBytesPerDay: 1.5GiB, maxDirtyMs: 5, subagents: always "
      "}\n"
      "restore: { enabled: false, verify: strict }\n"
      "failure: { strict: true, maxConsecutiveFailures: 9, cooldownMs: 11 }\n"
      "retention: { maxTotalBytes: off, minFreeBytes: 0, maxSessions: 12, maxAgeDays: 30 }\n"
      "metadata: { path: ~/meta }\n"
      "logging: { level: warn, format: json, filter: \"proxy=debug, runtime=error\" }\n"
      "metrics: { listen: \"[::1]:0\" }\n"
      "proxy: { listen: localhost:9932, server: b }\n";

const QByteArray c_specExample = "kv-persist:\n"
                                 "  enabled: true\n"
                                 "\n"
                                 "  backend:\n"
                                 "    type: llama.cpp\n"
                                 "    baseURL: http://127.0.0.1:8080\n"
                                 "\n"
                                 "  providers:\n"
                                 "    - local-qwen\n"
                                 "\n"
                                 "  mode: single-slot\n"
                                 "  slotId: 0\n"
                                 "\n"
                                 "  runtimeKey: qwen38-27b-iq2xs-ctx128k-q4kv\n"
                                 "\n"
                                 "  checkpoint:\n"
                                 "    onSwitch: true\n"
                                 "    onShutdown: true\n"
                                 "    onSessionFlush: true\n"
                                 "\n"
                                 "    idleMs: 30000\n"
                                 "\n"
                                 "    onTurnEnd: false\n"
                                 "    onStepEnd: false\n"
                                 "\n"
                                 "  restore:\n"
                                 "    enabled: true\n"
                                 "    verify: true\n"
                                 "\n"
                                 "  failure:\n"
                                 "    strict: false\n"
                                 "    maxConsecutiveFailures: 3\n"
                                 "    cooldownMs: 60000\n"
                                 "\n"
                                 "  metadata:\n"
                                 "    path: ${DSH_HOME}/cache/dsh-kv-persist\n"
                                 "\n"
                                 "  logging:\n"
                                 "    level: info\n";

const QByteArray c_shortForm
    = "backend: { baseURL: \"http://127.0.0.1:8080\", mode: managed-slots, auxiliarySlot: true }\n"
      "providers: [ p, q ]\n"
      "proxy: { listen: \"127.0.0.1:9932\" }\n";

/// The configuration, or one without a metadata folder, the error shown and as a warning.
LoadedConfig read(const QByteArray &yaml, const QProcessEnvironment &env = environment())
{
    const Result<LoadedConfig> loaded = readConfig(yaml, QStringLiteral("c.yaml"), env);
    if (!loaded) {
        qWarning().noquote() << loaded.error().message;
        LoadedConfig none;
        none.warnings = { QStringLiteral("failed") };
        return none;
    }
    return loaded.value();
}

} // namespace

class TstConfigRead final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyFileMeansTheDefaultsOfTheDesign()
    {
        const Config config = read("").config;
        QVERIFY(config.enabled);
        QVERIFY(config.servers.empty());
        QVERIFY(config.providers.empty());
        QVERIFY(config.autodiscover);
        QVERIFY(config.auxiliaryRequests == Config::Auxiliary::Isolate);
        QVERIFY(config.coldStart == Config::ColdStart::Base);
        QCOMPARE(config.leases.idleMs, 60'000);
        QCOMPARE(config.leases.holdMs, 30'000);
        QVERIFY(config.checkpoint.onSwitch);
        QVERIFY(config.checkpoint.onShutdown);
        QVERIFY(config.checkpoint.onSessionFlush);
        QVERIFY(config.checkpoint.onDispose);
        QCOMPARE(config.checkpoint.idleMs, 30'000);
        QVERIFY(!config.checkpoint.onTurnEnd);
        QVERIFY(!config.checkpoint.onStepEnd);
        QVERIFY(!config.checkpoint.minTokens.has_value());
        QCOMPARE(config.checkpoint.maxBytesPerDay, std::optional(50'000'000'000LL));
        QCOMPARE(config.checkpoint.maxDirtyMs, 300'000);
        QVERIFY(config.checkpoint.subagents == CheckpointConfig::Subagents::WhileAlive);
        QVERIFY(config.restore.enabled);
        QVERIFY(config.restore.verify == RestoreConfig::Verify::Basic);
        QVERIFY(!config.failure.strict);
        QCOMPARE(config.failure.maxConsecutiveFailures, 3);
        QCOMPARE(config.failure.cooldownMs, 60'000);
        QCOMPARE(config.retention.maxTotalBytes, std::optional(100'000'000'000LL));
        QCOMPARE(config.retention.minFreeBytes, std::optional(5'000'000'000LL));
        QVERIFY(!config.retention.maxSessions.has_value());
        QVERIFY(!config.retention.maxAgeDays.has_value());
        QCOMPARE(config.metadataPath, u"/home/u/.dsh/cache/dsh-kv-persist"_qs);
        QVERIFY(config.logging.level == LogLevel::Info);
        QVERIFY(config.logging.format == LogFormat::Text);
        QVERIFY(!config.metricsListen.has_value());
        QVERIFY(!config.proxy.has_value());
    }

    void aServerHasTheDefaultsOfTheDesign()
    {
        const Config config = read("servers: { a: { baseURL: 'http://h:1' } }\nproviders: { p: a }").config;
        QCOMPARE(config.servers.size(), 1U);
        const ServerConfig &server = config.servers.front();
        QCOMPARE(server.name, u"a"_qs);
        QCOMPARE(server.type, u"llama.cpp"_qs);
        QCOMPARE(server.baseUrl, QUrl(u"http://h:1"_qs));
        QVERIFY(server.apiKey.isEmpty());
        QCOMPARE(server.requestTimeoutMs, 15'000);
        QVERIFY(server.mode == ServerConfig::Mode::SingleSlot);
        QCOMPARE(server.slotId, 0);
        QVERIFY(!server.auxiliarySlot);
        QVERIFY(server.runtimeKey.isEmpty());
        QVERIFY(server.snapshotBinaryManagement == ServerConfig::Files::ServerOwned);
        QVERIFY(server.slotSavePath.isEmpty());
    }

    void filesWithoutContentAreTheDefaults_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::newRow("spaces") << QByteArray("  \n\n");
        QTest::newRow("comment") << QByteArray("# nothing\n");
        QTest::newRow("document mark") << QByteArray("---\n");
        QTest::newRow("null") << QByteArray("~\n");
        QTest::newRow("braces") << QByteArray("{}\n");
        QTest::newRow("empty sections")
            << QByteArray("checkpoint:\nmetrics:\nproxy:\nproviders:\nleases: {}\n");
        QTest::newRow("wrapper") << QByteArray("kv-persist:\n");
        QTest::newRow("bom") << QByteArray("\xEF\xBB\xBF# nothing\n");
        QTest::newRow("the text that we write") << defaultConfigText();
    }
    void filesWithoutContentAreTheDefaults()
    {
        QFETCH(const QByteArray, yaml);
        const LoadedConfig loaded = read(yaml);
        QVERIFY(loaded.config == defaultConfig(environment()));
        QVERIFY(loaded.warnings.isEmpty());
        QCOMPARE(loaded.hash, configHash(yaml));
    }

    void theTextThatWeWriteNamesEveryKeyOfTheDesign()
    {
        QByteArray text = defaultConfigText();
        text.replace("\n#", "\n"); // what is commented out must be right too, once put in
        text.replace("\n Every value", "\n# Every value");
        QByteArrayList lines = text.split('\n');
        for (QByteArray &line : lines) {
            if (line.startsWith(' ') && !line.startsWith("  ")) {
                line.prepend('#');
            }
            if (line.contains("apiKeyFile")) {
                line.prepend('#');
            }
        }
        const Result<LoadedConfig> loaded
            = readConfig(lines.join('\n'), QStringLiteral("c.yaml"), environment());
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : qPrintable(loaded.error().message));
        const Config &config = loaded.value().config;
        QCOMPARE(config.servers.size(), 1U);
        QCOMPARE(config.servers.front().requestTimeoutMs, ServerConfig().requestTimeoutMs);
        QCOMPARE(config.serverFor(u"other"_qs, u"qwen3"_qs), std::optional(u"local"_qs));
        QVERIFY(config.metricsListen.has_value());
        QVERIFY(config.proxy.has_value());
        QCOMPARE(config.metadataPath, defaultConfig(environment()).metadataPath);
    }

    void everyKeyIsRead()
    {
        const Config config = read(c_everyKey,
            [] {
                QProcessEnvironment env = environment();
                env.insert(QStringLiteral("DATA"), QStringLiteral("/data"));
                return env;
            }())
                                  .config;
        QVERIFY(!config.enabled);
        QVERIFY(!config.autodiscover);
        QCOMPARE(config.servers.size(), 2U);
        ServerConfig b;
        b.name = QStringLiteral("b");
        b.baseUrl = QUrl(QStringLiteral("https://host.example:8443/llama"));
        b.apiKey = QStringLiteral("sk-1");
        b.requestTimeoutMs = 7;
        b.mode = ServerConfig::Mode::ManagedSlots;
        b.slotId = 3;
        b.auxiliarySlot = true;
        b.runtimeKey = QStringLiteral("rk");
        b.snapshotBinaryManagement = ServerConfig::Files::SharedFilesystem;
        b.slotSavePath = QStringLiteral("/data/kv");
        QVERIFY(config.servers.at(0) == b); // the file's order, not the alphabet's
        QCOMPARE(config.servers.at(1).baseUrl.port(), 9000);
        QCOMPARE(config.providers.size(), 4U);
        QVERIFY((config.providers.at(1) == ProviderConfig { u"p2"_qs, { { u"m?"_qs, u"b"_qs } } }));
        QVERIFY((config.providers.at(2)
            == ProviderConfig { u"p3"_qs, { { u"qwen*"_qs, u"a"_qs }, { u"*"_qs, u"b"_qs } } }));
        QVERIFY(config.auxiliaryRequests == Config::Auxiliary::Ignore);
        QVERIFY(config.coldStart == Config::ColdStart::Base);
        QVERIFY((config.leases == LeasesConfig { 1, 2 }));
        QVERIFY((config.checkpoint
            == CheckpointConfig { false, false, false, false, 0, true, true, 512, 1'610'612'736, 5,
                CheckpointConfig::Subagents::Always }));
        QVERIFY((config.restore == RestoreConfig { false, RestoreConfig::Verify::Strict }));
        QVERIFY((config.failure == FailureConfig { true, 9, 11 }));
        QVERIFY((config.retention == RetentionConfig { std::nullopt, 0, 12, 30 }));
        QCOMPARE(config.metadataPath, u"/home/u/meta"_qs);
        QVERIFY((config.logging
            == LoggingConfig { LogLevel::Warning, LogFormat::Json,
                { { QStringLiteral("proxy"), LogLevel::Debug },
                    { QStringLiteral("runtime"), LogLevel::Error } } }));
        QVERIFY((config.metricsListen == ListenAddress { u"::1"_qs, 0 }));
        QVERIFY((config.proxy == ProxyConfig { { u"localhost"_qs, 9932 }, u"b"_qs }));
        QCOMPARE(config.secrets(), QStringList { u"sk-1"_qs });
    }

    void theExampleOfTheSpecificationLoadsAsItStands()
    {
        QProcessEnvironment env = environment();
        env.insert(QStringLiteral("DSH_HOME"), QStringLiteral("/opt/dsh"));
        const LoadedConfig loaded = read(c_specExample, env);
        QVERIFY(loaded.warnings.isEmpty());
        Config expected = defaultConfig(env);
        expected.autodiscover = false;
        ServerConfig server;
        server.name = QStringLiteral("default");
        server.baseUrl = QUrl(QStringLiteral("http://127.0.0.1:8080"));
        server.runtimeKey = QStringLiteral("qwen38-27b-iq2xs-ctx128k-q4kv");
        expected.servers = { server };
        expected.providers = { { u"local-qwen"_qs, { { u"*"_qs, u"default"_qs } } } };
        QVERIFY(loaded.config == expected);
        QCOMPARE(loaded.config.metadataPath, u"/opt/dsh/cache/dsh-kv-persist"_qs);
    }

    void theShortFormWorksWithoutItsWrapperAndWithSlotKeysInTheBlock()
    {
        const Config config = read(c_shortForm).config;
        QCOMPARE(config.servers.size(), 1U);
        QVERIFY(config.servers.front().mode == ServerConfig::Mode::ManagedSlots);
        QCOMPARE(config.serverFor(u"q"_qs, u"any"_qs), std::optional(u"default"_qs));
        QCOMPARE(config.proxy.value().server, u"default"_qs); // the only one
    }

    void verifyTakesTheSpecificationsBooleans()
    {
        QVERIFY(read("restore: { verify: true }").config.restore.verify == RestoreConfig::Verify::Basic);
        QVERIFY(read("restore: { verify: false }").config.restore.verify == RestoreConfig::Verify::Off);
        QVERIFY(read("restore: { verify: off }").config.restore.verify == RestoreConfig::Verify::Off);
    }

    void aListOfProvidersGoesToTheOnlyServer()
    {
        const Config config = read("servers: { a: { baseURL: 'http://h' } }\nproviders:\n- p\n- q\n").config;
        QCOMPARE(config.serverFor(u"p"_qs, {}), std::optional(u"a"_qs));
    }

    void autodiscoveryNeedsAFileThatNamesNoServer()
    {
        QVERIFY(read("logging: { level: debug }").config.autodiscover);
        QVERIFY(!read("servers: {}").config.autodiscover);
        QVERIFY(!read("servers: { a: { baseURL: 'http://h' } }\nproviders: [ p ]").config.autodiscover);
    }

    void metricsAndProxyCanBeSwitchedOff()
    {
        QVERIFY(!read("metrics: { listen: off }\nproxy: { listen: off }").config.metricsListen.has_value());
    }

    void aliasesAreTheirValues()
    {
        const Config config
            = read("servers: { a: { baseURL: &u 'http://h' } }\nproviders: { p: &s a, q: *s }").config;
        QCOMPARE(config.serverFor(u"q"_qs, {}), std::optional(u"a"_qs));
    }

    void oddThingsAreWarningsWithTheirLine_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("start");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *name, const char *yaml, const char *start, const char *part) {
            QTest::newRow(name) << QByteArray(yaml) << QString::fromUtf8(start) << QString::fromUtf8(part);
        };
        row("nothing routed", "servers: { a: { baseURL: 'http://h' } }", "c.yaml: ", "no provider");
        row("auxiliary slot",
            "servers:\n  a:\n    baseURL: http://h\n    auxiliarySlot: true\nproviders: [p]",
            "c.yaml:4: key 'servers.a.auxiliarySlot'", "managed-slots");
        row("save path", "servers:\n  a:\n    baseURL: http://h\n    slotSavePath: /x\nproviders: [p]",
            "c.yaml:4: key 'servers.a.slotSavePath'", "shared-filesystem");
        row("v1", "servers:\n  a:\n    baseURL: http://h/v1/\nproviders: [p]",
            "c.yaml:3: key 'servers.a.baseURL'", "/v1");
    }
    void oddThingsAreWarningsWithTheirLine()
    {
        QFETCH(const QByteArray, yaml);
        QFETCH(const QString, start);
        QFETCH(const QString, part);
        const LoadedConfig loaded = read(yaml);
        QCOMPARE(loaded.warnings.size(), 1);
        QVERIFY2(loaded.warnings.first().startsWith(start), qPrintable(loaded.warnings.first()));
        QVERIFY2(loaded.warnings.first().contains(part), qPrintable(loaded.warnings.first()));
        QVERIFY(!loaded.config.servers.front().baseUrl.path().contains(u"v1"));
    }
};

QTEST_GUILESS_MAIN(TstConfigRead)
#include "tst_configread.moc"
