// SPDX-License-Identifier: MIT
#include "configreader.h"
#include "problemlist.h"

#include <QTest>

using namespace kv;

namespace {

QString errorOf(const QByteArray &yaml)
{
    QProcessEnvironment env;
    env.insert(QStringLiteral("HOME"), QStringLiteral("/home/u"));
    const Result<LoadedConfig> loaded = readConfig(yaml, QStringLiteral("c.yaml"), env);
    if (loaded) {
        return QStringLiteral("(no error)");
    }
    return loaded.error().code == ErrorCode::ConfigInvalid ? loaded.error().message
                                                           : QStringLiteral("(wrong code)");
}

const QByteArray c_server = "servers:\n  a:\n    baseURL: http://h\n"; // 3 lines

} // namespace

class TstConfigErrors final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneProblemIsOneLineWithFileLineKeyFoundAndAllowed_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("message");
        const auto row = [](const QByteArray &yaml, const char *message) {
            QTest::newRow(message) << yaml << QString::fromUtf8(message);
        };
        // unknown keys
        row("\n\ncheckpoint:\n  onSwitch: true\n  idleMS: 5\n",
            "c.yaml:5: key 'checkpoint.idleMS' is not known (nearest: 'idleMs')");
        row("checkpoints: {}", "c.yaml:1: key 'checkpoints' is not known (nearest: 'checkpoint')");
        row("enbaled: true", "c.yaml:1: key 'enbaled' is not known (nearest: 'enabled')");
        row("leases: { zzz: 1 }", "c.yaml:1: key 'leases.zzz' is not known (allowed here: idleMs, holdMs)");
        row(c_server + "    baseUrl: http://h\n",
            "c.yaml:4: key 'servers.a.baseUrl' is not known (nearest: 'baseURL')");
        row("retention:\n  maxAge: 3",
            "c.yaml:2: key 'retention.maxAge' is not known (nearest: 'maxAgeDays')");
        row("<<: {}", "c.yaml:1: key '<<' is not known (allowed here: ");
        // values of the wrong kind
        row("checkpoint: { idleMs: abc }",
            "c.yaml:1: key 'checkpoint.idleMs': found 'abc', expected a number of milliseconds (0 or more) "
            "or off");
        row("leases:\n  idleMs: -1",
            "c.yaml:2: key 'leases.idleMs': found '-1', expected a number of milliseconds (0 or more)");
        row("leases:\n  idleMs: 1.5", "c.yaml:2: key 'leases.idleMs': found '1.5', expected a number");
        row("leases:\n  idleMs: 99999999999999999999", "c.yaml:2: key 'leases.idleMs': found '9999");
        row("leases:\n  idleMs:", "c.yaml:2: key 'leases.idleMs': found nothing, expected a number");
        row("leases:\n  idleMs: [ 1 ]", "c.yaml:2: key 'leases.idleMs': found a list, expected a number");
        row("enabled: 1", "c.yaml:1: key 'enabled': found '1', expected true or false");
        row("enabled: {}", "c.yaml:1: key 'enabled': found a section, expected true or false");
        row("leases: 5", "c.yaml:1: key 'leases': found '5', expected a section of keys and values");
        row("checkpoint: [ a ]", "c.yaml:1: key 'checkpoint': found a list, expected a section");
        row("checkpoint:\n  minTokens: some",
            "c.yaml:2: key 'checkpoint.minTokens': found 'some', expected a number "
            "of tokens (0 or more) or auto");
        row("checkpoint:\n  maxBytesPerDay: 5G",
            "c.yaml:2: key 'checkpoint.maxBytesPerDay': found '5G', expected a "
            "size such as 100GB or 5GiB, more than 0, or off");
        row("checkpoint:\n  maxBytesPerDay: 0",
            "c.yaml:2: key 'checkpoint.maxBytesPerDay': found '0', expected");
        row("retention: { minFreeBytes: -5GB }",
            "c.yaml:1: key 'retention.minFreeBytes': found '-5GB', expected a "
            "size such as 100GB or 5GiB, or off");
        row("retention: { maxSessions: 0 }",
            "c.yaml:1: key 'retention.maxSessions': found '0', expected a number of "
            "sessions (1 or more) or off");
        row("failure: { maxConsecutiveFailures: 0 }",
            "c.yaml:1: key 'failure.maxConsecutiveFailures': found '0', expected a number of failures (1 or "
            "more)");
        row("restore: { verify: maybe }",
            "c.yaml:1: key 'restore.verify': found 'maybe', expected off, basic or strict");
        row("coldStart: warm", "c.yaml:1: key 'coldStart': found 'warm', expected erase, keep or base");
        row("auxiliaryRequests: x",
            "c.yaml:1: key 'auxiliaryRequests': found 'x', expected isolate or ignore");
        row("checkpoint: { subagents: sometimes }",
            "c.yaml:1: key 'checkpoint.subagents': found 'sometimes', expected never, whileAlive or always");
        row("logging: { level: verbose }",
            "c.yaml:1: key 'logging.level': found 'verbose', expected error, warn, info or debug");
        row("logging: { format: xml }", "c.yaml:1: key 'logging.format': found 'xml', expected text or json");
        row("logging: { filter: \"proxy=debug,prxy=info\" }",
            "c.yaml:1: key 'logging.filter': found 'proxy=debug,prxy=info', expected parts of the program "
            "with "
            "levels, such as \"proxy=debug,runtime=warn\"; parts: backend, config, coordinator, daemon, "
            "http, "
            "proxy, runtime, server, snapshots; levels: error, warn, info, debug");
        row("logging: { filter: [ proxy ] }",
            "c.yaml:1: key 'logging.filter': found a list, expected parts of the program with levels");
        row("- a\n- b", "c.yaml:1: found a list, expected keys and values such as 'enabled: true'");
        row("just text", "c.yaml:1: found 'just text', expected keys and values");
        row("kv-persist: 7", "c.yaml:1: found '7', expected keys and values");
        // duplicates
        row("enabled: true\nleases: {}\nenabled: false\n",
            "c.yaml:3: key 'enabled' is given twice, first in line 1; keep one");
        row("leases: { idleMs: 1,\n  idleMs: 2 }",
            "c.yaml:2: key 'leases.idleMs' is given twice, first in line 1; keep one");
        row("servers:\n  a: { baseURL: 'http://h' }\n  a: { baseURL: 'http://i' }\n",
            "c.yaml:3: key 'servers.a' is given twice, first in line 2; keep one");
        row("kv-persist: {}\nenabled: true", "c.yaml:2: key 'enabled' stands beside 'kv-persist'");
        row("kv-persist: {}\nkv-persist: {}", "c.yaml:2: key 'kv-persist' stands beside 'kv-persist'");
        // servers
        row("servers:\n  a: {}\n",
            "c.yaml:2: key 'servers.a.baseURL': is missing; write the server's address");
        row("servers:\n  a:\n", "c.yaml:2: key 'servers.a.baseURL': is missing; write the server's address");
        row("servers:\n  a:\n    baseURL: ftp://h\n",
            "c.yaml:3: key 'servers.a.baseURL': found 'ftp://h', expected an "
            "address such as http://127.0.0.1:8080");
        row("servers:\n  a:\n    baseURL: 127.0.0.1:8080\n",
            "c.yaml:3: key 'servers.a.baseURL': found '127.0.0.1");
        row("servers:\n  a:\n    baseURL: http://\n", "c.yaml:3: key 'servers.a.baseURL': found 'http://'");
        row("servers:\n  a:\n    baseURL: http://h:99999\n",
            "c.yaml:3: key 'servers.a.baseURL': found 'http://h:9");
        row("servers:\n  a:\n    baseURL: http://h:0\n",
            "c.yaml:3: key 'servers.a.baseURL': found 'http://h:0'");
        row("servers:\n  a:\n    baseURL: http://h/?x=1\n",
            "c.yaml:3: key 'servers.a.baseURL': found 'http://h/?x=1', expected an address without '?' and "
            "'#'");
        row("servers:\n  a:\n    baseURL: http://u:pw@h/\n",
            "c.yaml:3: key 'servers.a.baseURL': names and passwords are not taken here");
        row("servers:\n  a b: { baseURL: 'http://h' }\n",
            "c.yaml:2: key 'servers.a b': the name of a server is");
        row("servers:\n  a: { baseURL: 'http://localhost' }\n  b: { baseURL: 'http://127.0.0.1:80/' }\n",
            "c.yaml:3: key 'servers.b': has the same baseURL as 'a'");
        row(c_server + "    type: vllm\n",
            "c.yaml:4: key 'servers.a.type': found 'vllm', expected llama.cpp");
        row(c_server + "    slotId: -1\n",
            "c.yaml:4: key 'servers.a.slotId': found '-1', expected the number of a slot (0 or more)");
        row(c_server + "    requestTimeoutMs: 0\n",
            "c.yaml:4: key 'servers.a.requestTimeoutMs': found '0', expected a number of milliseconds (1 or "
            "more)");
        row(c_server + "    mode: many\n",
            "c.yaml:4: key 'servers.a.mode': found 'many', expected single-slot or managed-slots");
        row(c_server + "    snapshotBinaryManagement: shared-filesystem\n",
            "c.yaml:4: key 'servers.a.snapshotBinaryManagement': shared-filesystem needs slotSavePath");
        row(c_server + "    apiKey: k\n    apiKeyFile: /x\n",
            "c.yaml:5: key 'servers.a.apiKeyFile': apiKey is given");
        row(c_server + "    apiKey: \"a\\nb\"\n",
            "c.yaml:4: key 'servers.a.apiKey': expected a text of visible ASCII");
        row(c_server + "    apiKeyFile: /no/such/file\n",
            "c.yaml:4: key 'servers.a.apiKeyFile': the API key file '/no/such/file' does not exist, so");
        row(c_server + "    runtimeKey: \"\"\n",
            "c.yaml:4: key 'servers.a.runtimeKey': found '', expected a text");
        row("mode: single-slot\n", "c.yaml:1: key 'mode': belongs to a server");
        row(c_server + "slotId: 0\n", "c.yaml:4: key 'slotId': belongs to a server");
        row(c_server + "backend: { baseURL: 'http://i' }\n",
            "c.yaml:4: key 'backend': 'servers' is given too");
        row("backend: {}\n", "c.yaml:1: key 'backend.baseURL': is missing");
        row("backend: { baseURL: 'http://h', mode: single-slot }\nslotId: 1\n",
            "c.yaml:2: key 'slotId': keep it and");
        // paths
        row("metadata:\n  path: ${NOPE}/x\n",
            "c.yaml:2: key 'metadata.path': The environment variable 'NOPE', named in the path '${NOPE}/x', "
            "is not");
        row("metadata:\n  path: relative/x\n",
            "c.yaml:2: key 'metadata.path': found 'relative/x', expected an absolute path");
        row("metadata:\n  path: ~root/x\n",
            "c.yaml:2: key 'metadata.path': The path '~root/x' names the home");
        // routes
        row(c_server + "providers:\n  p: b\n",
            "c.yaml:5: key 'providers.p': there is no server 'b' (configured: a)");
        row("servers: { local-3060: { baseURL: 'http://h' } }\nproviders:\n  p: local-3600\n",
            "c.yaml:3: key 'providers.p': there is no server 'local-3600' (nearest: 'local-3060')");
        row("providers:\n  p: a\n",
            "c.yaml:2: key 'providers.p': there is no server 'a': no server is configured");
        row("providers:\n  - p\n",
            "c.yaml:1: key 'providers': no server is configured that they could go to");
        row("servers: { a: { baseURL: 'http://h' }, b: { baseURL: 'http://i' } }\nproviders: [ p ]\n",
            "c.yaml:2: key 'providers': a list of names goes to the one server, but there are 2");
        row(c_server + "providers:\n  - p\n  - [ q ]\n",
            "c.yaml:6: key 'providers': found a list, expected the name");
        row(c_server + "providers:\n  - p\n  - p\n", "c.yaml:6: key 'providers': 'p' is given twice");
        row(c_server + "providers:\n  p:\n",
            "c.yaml:5: key 'providers.p': found nothing, expected the name of");
        row(c_server + "providers:\n  p: []\n",
            "c.yaml:5: key 'providers.p': found a list, expected the name of");
        row(c_server + "providers:\n  p:\n  - { model: x }\n",
            "c.yaml:6: key 'providers.p[0].server': is missing");
        row(c_server + "providers:\n  p:\n  - server: a\n  - server: b\n",
            "c.yaml:7: key 'providers.p[1].server': there is no server 'b'");
        row(c_server + "providers:\n  p: { models: x, server: a }\n",
            "c.yaml:5: key 'providers.p.models' is not known (nearest: 'model')");
        row(c_server + "providers:\n  p: [ a ]\n",
            "c.yaml:5: key 'providers.p[0]': found 'a', expected a section");
        // listeners
        row("metrics:\n  listen: 9464\n",
            "c.yaml:2: key 'metrics.listen': found '9464', expected an address with a "
            "port such as 127.0.0.1:9464, or off");
        row("metrics:\n  listen: '::1:9464'\n", "c.yaml:2: key 'metrics.listen': found '::1:9464'");
        row("metrics:\n  listen: h:70000\n", "c.yaml:2: key 'metrics.listen': found 'h:70000'");
        row("metrics:\n  listen: 'h/x:70'\n", "c.yaml:2: key 'metrics.listen': found 'h/x:70'");
        row(c_server + "proxy:\n  server: a\n", "c.yaml:5: key 'proxy.listen': is missing");
        row(c_server + "proxy:\n  listen: 127.0.0.1:1\n  server: b\n",
            "c.yaml:6: key 'proxy.server': there is no server 'b'");
        row("proxy:\n  listen: 127.0.0.1:1\n", "c.yaml:2: key 'proxy.server': is missing");
        row(c_server + "metrics: { listen: 'h:1' }\nproxy: { listen: 'h:1' }\n",
            "c.yaml:5: key 'proxy': listens at the same address as 'metrics'");
    }
    void oneProblemIsOneLineWithFileLineKeyFoundAndAllowed()
    {
        QFETCH(const QByteArray, yaml);
        QFETCH(const QString, message);
        const QString error = errorOf(yaml);
        QVERIFY2(error.startsWith(message), qPrintable(error));
        QVERIFY2(!error.contains(u'\n'), qPrintable(error));
    }

    void allProblemsOfAFileAreReportedAtOnce()
    {
        const QStringList lines
            = errorOf("enabled: maybe\nfoo: 1\nleases:\n  idleMs: x\n  holdms: 1\nservers:\n  a: {}\n")
                  .split(u'\n');
        QCOMPARE(lines.size(), 5);
        for (const char *start : { "c.yaml:1: ", "c.yaml:2: ", "c.yaml:4: ", "c.yaml:5: ", "c.yaml:7: " }) {
            const QString text = QString::fromLatin1(start);
            QVERIFY2(
                std::any_of(lines.begin(), lines.end(), [&](const QString &l) { return l.startsWith(text); }),
                qPrintable(lines.join(u'\n')));
        }
    }

    void thousandsOfProblemsDoNotFloodTheMessage()
    {
        QByteArray yaml;
        for (int i = 0; i < 3000; ++i) {
            yaml += "key" + QByteArray::number(i) + ": 1\n";
        }
        const QStringList lines = errorOf(yaml).split(u'\n');
        QCOMPARE(lines.size(), 51);
        QCOMPARE(lines.last(), u"c.yaml: and 2950 more problems"_qs);
    }

    void secretsAreNotRepeatedInMessages()
    {
        QVERIFY(!errorOf(c_server + "    apiKey: \"topsecret \\u00e9\"\n").contains(u"topsecret"));
        QVERIFY(!errorOf("servers:\n  a:\n    baseURL: http://u:topsecret@h/\n").contains(u"topsecret"));
    }

    void longAndUnprintableTextIsShownShortAndOnOneLine()
    {
        const QString error = errorOf("coldStart: \"" + QByteArray(5000, 'x') + "\"");
        QVERIFY(error.size() < 200);
        QVERIFY(errorOf("coldStart: \"a\\nb\\e[31m\"").contains(u"'a?b?[31m'"));
        QVERIFY(errorOf("\"a\\nb\": 1").contains(u"key 'a?b'"));
    }

    void nearestNameIsOneThatIsReallyNear()
    {
        const QStringList names { u"idleMs"_qs, u"holdMs"_qs, u"path"_qs };
        QCOMPARE(nearestName(u"idleMS"_qs, names), std::optional(u"idleMs"_qs));
        QCOMPARE(nearestName(u"ildeMs"_qs, names), std::optional(u"idleMs"_qs));
        QCOMPARE(nearestName(u"paht"_qs, names), std::optional(u"path"_qs));
        QCOMPARE(nearestName(u"xy"_qs, names), std::nullopt);
        QCOMPARE(nearestName(u"completely"_qs, names), std::nullopt);
        QCOMPARE(nearestName(QString(), names), std::nullopt);
        QCOMPARE(nearestName(QString(100'000, u'x'), names), std::nullopt);
    }
};

QTEST_GUILESS_MAIN(TstConfigErrors)
#include "tst_configerrors.moc"
