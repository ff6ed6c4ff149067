// SPDX-License-Identifier: MIT
#include "config.h"
#include "configdiff.h"

#include <QTest>

using namespace kv;

namespace {

ServerConfig server(const QString &name, const QString &url)
{
    ServerConfig out;
    out.name = name;
    out.baseUrl = QUrl(url);
    return out;
}

Config routed()
{
    Config config;
    config.servers = { server(u"a"_qs, u"http://a"_qs), server(u"b"_qs, u"http://b"_qs) };
    config.providers = { { u"p"_qs, { { u"qwen*"_qs, u"a"_qs }, { u"*coder*"_qs, u"b"_qs } } },
        { u"q"_qs, { { u"*"_qs, u"b"_qs } } } };
    return config;
}

} // namespace

class TstConfigRoutes final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void patternsMatchWholeNames_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("matches");
        const auto row = [](const char *pattern, const char *text, bool matches) {
            QTest::addRow("%s ~ %s", pattern, text)
                << QString::fromLatin1(pattern) << QString::fromLatin1(text) << matches;
        };
        row("*", "", true);
        row("*", "any/thing.gguf", true);
        row("", "", true);
        row("", "a", false);
        row("qwen*", "qwen3-27b", true);
        row("qwen*", "Qwen3", false);
        row("qwen*", "my-qwen", false);
        row("*coder*", "qwen/coder-7b", true);
        row("a?c", "abc", true);
        row("a?c", "ac", false);
        row("*.gguf", "x.gguf.gguf", true);
        row("a*b*c", "aXbYbZc", true);
        row("a*b*c", "aXbYbZ", false);
        row("[ab]", "a", false);
        row("[ab]", "[ab]", true);
        row("exact", "exact", true);
    }
    void patternsMatchWholeNames()
    {
        QFETCH(const QString, pattern);
        QFETCH(const QString, text);
        QTEST(matchesPattern(text, pattern), "matches");
    }

    void anUnkindPatternEnds()
    {
        QVERIFY(!matchesPattern(QString(2000, u'a'), QStringLiteral("*a").repeated(200) + u'b'));
    }

    void theFirstMatchingRouteCounts()
    {
        const Config config = routed();
        QCOMPARE(config.serverFor(u"p"_qs, u"qwen-coder"_qs), std::optional(u"a"_qs));
        QCOMPARE(config.serverFor(u"p"_qs, u"starcoder"_qs), std::optional(u"b"_qs));
        QCOMPARE(config.serverFor(u"q"_qs, QString()), std::optional(u"b"_qs));
    }

    void whatIsNotRoutedIsNotManaged()
    {
        const Config config = routed();
        QCOMPARE(config.serverFor(u"p"_qs, u"llama"_qs), std::nullopt);
        QCOMPARE(config.serverFor(u"openai"_qs, u"qwen3"_qs), std::nullopt);
        QCOMPARE(config.serverFor(u"P"_qs, u"qwen3"_qs), std::nullopt);
        QCOMPARE(config.serverFor(QString(), u"qwen3"_qs), std::nullopt);
        QCOMPARE(Config().serverFor(u"p"_qs, u"m"_qs), std::nullopt);
    }

    void anEntryOfItsOwnDecidesBeforeTheOneForAll()
    {
        Config config = routed();
        config.providers.insert(config.providers.begin(), { u"*"_qs, { { u"*"_qs, u"a"_qs } } });
        QCOMPARE(config.serverFor(u"q"_qs, u"m"_qs), std::optional(u"b"_qs));
        QCOMPARE(config.serverFor(u"openai"_qs, u"m"_qs), std::optional(u"a"_qs));
        QCOMPARE(config.serverFor(u"p"_qs, u"llama"_qs), std::nullopt); // its own entry decides alone
    }

    void aDiscoveredServerServesEveryProviderAndKeepsTheSettings()
    {
        Config settings;
        settings.leases.idleMs = 5;
        settings.metadataPath = u"/m"_qs;
        const Config config = defaultForDiscovered(u"http://127.0.0.1:9931"_qs, settings);
        QCOMPARE(config.servers.size(), 1U);
        QCOMPARE(config.servers.front().name, u"local"_qs);
        QCOMPARE(config.servers.front().baseUrl.port(), 9931);
        QCOMPARE(config.serverFor(u"whatever"_qs, u"m"_qs), std::optional(u"local"_qs));
        QCOMPARE(config.leases.idleMs, 5);
        QCOMPARE(config.metadataPath, u"/m"_qs);
    }

    void serversAreFoundByName()
    {
        const Config config = routed();
        QCOMPARE(config.server(u"b"_qs), &config.servers.at(1));
        QCOMPARE(config.server(u"c"_qs), nullptr);
    }

    void equalConfigurationsDifferInNothing() { QVERIFY(whatChanged(routed(), routed()).isEmpty()); }

    void serversAddedRemovedAndChangedAreNamed()
    {
        Config after = routed();
        after.servers.erase(after.servers.begin());
        after.servers.front().apiKey = u"new"_qs;
        after.servers.push_back(server(u"c"_qs, u"http://c"_qs));
        const ConfigChange change = whatChanged(routed(), after);
        QCOMPARE(change.addedServers, QStringList { u"c"_qs });
        QCOMPARE(change.removedServers, QStringList { u"a"_qs });
        QCOMPARE(change.changedServers, QStringList { u"b"_qs });
        QVERIFY(change.sections.isEmpty());
    }

    void anotherOrderOfServersIsNoChange()
    {
        Config after = routed();
        std::swap(after.servers.at(0), after.servers.at(1));
        QVERIFY(whatChanged(routed(), after).isEmpty());
    }

    void everyOtherSectionIsNamedWhenItDiffers()
    {
        const auto sections = [](auto &&edit) {
            Config after = routed();
            edit(after);
            return whatChanged(routed(), after).sections;
        };
        QCOMPARE(sections([](Config &c) { c.enabled = false; }), QStringList { u"enabled"_qs });
        QCOMPARE(sections([](Config &c) { c.providers.pop_back(); }), QStringList { u"providers"_qs });
        QCOMPARE(sections([](Config &c) { c.auxiliaryRequests = Config::Auxiliary::Ignore; }),
            QStringList { u"auxiliaryRequests"_qs });
        QCOMPARE(sections([](Config &c) { c.coldStart = Config::ColdStart::Erase; }),
            QStringList { u"coldStart"_qs });
        QCOMPARE(sections([](Config &c) { c.leases.holdMs = 1; }), QStringList { u"leases"_qs });
        QCOMPARE(sections([](Config &c) { c.checkpoint.minTokens = 1; }), QStringList { u"checkpoint"_qs });
        QCOMPARE(sections([](Config &c) { c.restore.enabled = false; }), QStringList { u"restore"_qs });
        QCOMPARE(sections([](Config &c) { c.failure.strict = true; }), QStringList { u"failure"_qs });
        QCOMPARE(sections([](Config &c) { c.retention.maxSessions = 1; }), QStringList { u"retention"_qs });
        QCOMPARE(sections([](Config &c) { c.metadataPath = u"/x"_qs; }), QStringList { u"metadata"_qs });
        QCOMPARE(
            sections([](Config &c) { c.logging.level = LogLevel::Debug; }), QStringList { u"logging"_qs });
        QCOMPARE(
            sections([](Config &c) { c.metricsListen = ListenAddress(); }), QStringList { u"metrics"_qs });
        QCOMPARE(sections([](Config &c) { c.proxy = ProxyConfig(); }), QStringList { u"proxy"_qs });
    }
};

QTEST_GUILESS_MAIN(TstConfigRoutes)
#include "tst_configroutes.moc"
