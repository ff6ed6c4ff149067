// SPDX-License-Identifier: MIT
#include "backendtesting.h"
#include "discovery.h"
#include "fakellamaserver.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

std::optional<ServerFindings> discover(
    const ServerEndpoint &endpoint, const ProcessFinder &finder = noProcess())
{
    std::optional<ServerFindings> out;
    int times = 0;
    ServerDiscovery discovery(endpoint, nullptr, finder);
    QObject::connect(&discovery, &ServerDiscovery::finished, &discovery, [&](const ServerFindings &findings) {
        out = findings;
        ++times;
    });
    discovery.start();
    (void)QTest::qWaitFor([&] { return times > 0; }, 5000);
    QTest::qWait(5);
    return times == 1 ? out : std::nullopt;
}

QStringList missingOf(const ServerFindings &findings)
{
    QStringList out;
    for (const MissingPiece &piece : findings.missing) {
        out.append(piece.name);
    }
    return out;
}

ProcessFinder startedWith(const QStringList &argv)
{
    return [argv](quint16) {
        LocalProcess process;
        process.pid = 1;
        process.argv = argv;
        return std::optional<LocalProcess>(process);
    };
}

} // namespace

class TestDiscovery final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aServerThatHasAllIsFoundWithNothingMissing();
    void nobodyThere();
    void somethingElseIsNoLlamaServer();
    void aMissingKeyAndAWrongKeyAreToldApart();
    void hiddenSlotsNameTheFlag_data();
    void hiddenSlotsNameTheFlag();
    void aMissingSaveFolderNamesTheFlagWhereItCanBeSeen();
    void aLoadingServerIsAliveLater();
    void aSleeperIsNotWoken();
    void aRouterListsItsModels();
    void aRouterThatDoesNotKnowTheModelSaysWhichItKnows();
    void aServerThatHangsEndsInTime();
    void onlyGetsAreSent();
    void localPortsAreAllAsked();
    void noPortsAreNoServers();
};

void TestDiscovery::aServerThatHasAllIsFoundWithNothingMissing()
{
    FakeOptions options;
    options.slotCount = 2;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    const auto found = discover(endpointOf(server.url()));
    QVERIFY(found);
    QVERIFY(found->alive && found->llamaServer && !found->loading && !found->router && !found->sleeping);
    QVERIFY(found->missing.isEmpty());
    QCOMPARE(found->totalSlots, 2);
    QCOMPARE(found->slotContext, 8192);
    QCOMPARE(found->build, QStringLiteral("b11669-Debian"));
    QCOMPARE(found->slotsListing, std::optional<bool>(true));
    QVERIFY(!found->slotSavePath.has_value()); // no GET tells
    QCOMPARE(found->base, server.url());
}

void TestDiscovery::nobodyThere()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.stop();
    const auto found = discover(endpointOf(server.url()));
    QVERIFY(found);
    QVERIFY(!found->alive && !found->llamaServer);
    QCOMPARE(missingOf(*found), QStringList { QStringLiteral("server") });
    QVERIFY(!found->missing.first().message.isEmpty());
}

void TestDiscovery::somethingElseIsNoLlamaServer()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.answerNext(QStringLiteral("props"), 200, R"({"hello":"world"})");
    const auto odd = discover(endpointOf(server.url()));
    QVERIFY(odd && odd->alive && !odd->llamaServer);
    QCOMPARE(missingOf(*odd), QStringList { QStringLiteral("server") });
    server.answerNext(QStringLiteral("health"), 404, "not here");
    server.answerNext(QStringLiteral("props"), 404, "not here");
    const auto web = discover(endpointOf(server.url()));
    QVERIFY(web && !web->alive && !web->llamaServer);
}

void TestDiscovery::aMissingKeyAndAWrongKeyAreToldApart()
{
    FakeOptions options;
    options.apiKey = "sekret";
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    const auto none = discover(endpointOf(server.url()));
    QVERIFY(none && none->alive && none->llamaServer);
    QCOMPARE(none->key, ServerFindings::Key::Missing);
    QCOMPARE(missingOf(*none), QStringList { QStringLiteral("apiKey") });
    QCOMPARE(none->missing.first().remedy, QStringLiteral("apiKeyFile"));
    const auto wrong = discover(endpointOf(server.url(), "guess"));
    QCOMPARE(wrong->key, ServerFindings::Key::Wrong);
    QVERIFY(!wrong->missing.first().message.contains(QStringLiteral("guess")));
    const auto right = discover(endpointOf(server.url(), "sekret"));
    QCOMPARE(right->key, ServerFindings::Key::Accepted);
    QVERIFY(right->missing.isEmpty());
}

void TestDiscovery::hiddenSlotsNameTheFlag_data()
{
    QTest::addColumn<bool>("propsTell");
    QTest::newRow("told by /props") << true;
    QTest::newRow("told by 501") << false;
}

void TestDiscovery::hiddenSlotsNameTheFlag()
{
    QFETCH(const bool, propsTell);
    FakeOptions options;
    options.slotsEndpoint = false;
    options.tellsSlotsEndpoint = propsTell;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    const auto found = discover(endpointOf(server.url()));
    QVERIFY(found && found->alive && found->llamaServer); // inference is alive, persistence is not
    QCOMPARE(found->slotsListing, std::optional<bool>(false));
    QCOMPARE(missingOf(*found), QStringList { QStringLiteral("slots") });
    QVERIFY(found->missing.first().message.contains(QStringLiteral("--no-slots")));
    QCOMPARE(server.callsTo(QStringLiteral("/slots")).size(), std::size_t(propsTell ? 0 : 1));
}

void TestDiscovery::aMissingSaveFolderNamesTheFlagWhereItCanBeSeen()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    const QString program = QStringLiteral("llama-server");
    const auto without = discover(endpointOf(server.url()), startedWith({ program }));
    QCOMPARE(without->slotSavePath, std::optional<bool>(false));
    QCOMPARE(missingOf(*without), QStringList { QStringLiteral("slotSavePath") });
    QCOMPARE(without->missing.first().remedy, QStringLiteral("--slot-save-path DIR"));
    const auto with = discover(endpointOf(server.url()),
        startedWith({ program, QStringLiteral("--slot-save-path"), QStringLiteral("kv") }));
    QCOMPARE(with->slotSavePath, std::optional<bool>(true));
    QVERIFY(with->missing.isEmpty());
}

void TestDiscovery::aLoadingServerIsAliveLater()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    server.setLoading(true);
    const auto found = discover(endpointOf(server.url()));
    QVERIFY(found && found->loading && !found->alive && found->llamaServer);
    server.setLoading(false);
    QVERIFY(discover(endpointOf(server.url()))->alive);
}

void TestDiscovery::aSleeperIsNotWoken()
{
    FakeOptions options;
    options.tellsSlotsEndpoint = false;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    server.sleepNow();
    const auto found = discover(endpointOf(server.url()));
    QVERIFY(found && found->alive && found->sleeping);
    QVERIFY(server.engine().sleeping());
    QVERIFY(!found->slotsListing.has_value());
    QVERIFY(found->missing.isEmpty());
}

void TestDiscovery::aRouterListsItsModels()
{
    FakeOptions options;
    options.routerModels = QStringList { QStringLiteral("a"), QStringLiteral("b") };
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    const auto found = discover(endpointOf(server.url()));
    QVERIFY(found && found->alive && found->llamaServer && found->router);
    QCOMPARE(found->models, options.routerModels);
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.routerModel = QStringLiteral("b");
    const auto named = discover(endpoint);
    QCOMPARE(named->slotSavePath, std::optional<bool>(true)); // of its command line
    QVERIFY(named->missing.isEmpty());
    options.savePath = false;
    QVERIFY(server.restartWith(options));
    QCOMPARE(missingOf(*discover(endpoint)), QStringList { QStringLiteral("slotSavePath") });
    for (const FakeCall &call : server.calls()) {
        QVERIFY(!call.query.hasQueryItem(QStringLiteral("model"))); // nothing was loaded
    }
}

void TestDiscovery::aRouterThatDoesNotKnowTheModelSaysWhichItKnows()
{
    FakeOptions options;
    options.routerModels = QStringList { QStringLiteral("a"), QStringLiteral("b") };
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.routerModel = QStringLiteral("c");
    const auto found = discover(endpoint);
    QCOMPARE(missingOf(*found), QStringList { QStringLiteral("model") });
    QVERIFY(found->missing.first().message.contains(QStringLiteral("a, b")));
}

void TestDiscovery::aServerThatHangsEndsInTime()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    ServerEndpoint endpoint = endpointOf(server.url());
    endpoint.requestTimeoutMs = 50;
    server.hangNext(QStringLiteral("health"));
    const auto found = discover(endpoint);
    QVERIFY(found && !found->alive);
    QCOMPARE(missingOf(*found), QStringList { QStringLiteral("server") });
}

void TestDiscovery::onlyGetsAreSent()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    QVERIFY(discover(endpointOf(server.url())));
    QVERIFY(!server.calls().empty());
    for (const FakeCall &call : server.calls()) {
        QCOMPARE(call.method, QByteArray("GET"));
    }
}

void TestDiscovery::localPortsAreAllAsked()
{
    FakeLlamaServer one;
    FakeOptions options;
    options.alias = QStringLiteral("second");
    FakeLlamaServer other(options);
    QVERIFY(one.start() && other.start());
    FakeLlamaServer gone;
    QVERIFY(gone.start());
    gone.stop();
    QList<ServerFindings> found;
    int times = 0;
    LocalDiscovery discovery({ other.port(), gone.port(), one.port() });
    connect(&discovery, &LocalDiscovery::finished, this, [&](const QList<ServerFindings> &servers) {
        found = servers;
        ++times;
    });
    discovery.start();
    QTRY_COMPARE(times, 1);
    QCOMPARE(found.size(), 2);
    QCOMPARE(found.at(0).alias, QStringLiteral("second")); // in the order of the ports
    QCOMPARE(found.at(1).base, one.url());
}

void TestDiscovery::noPortsAreNoServers()
{
    LocalDiscovery discovery(QList<quint16> {});
    int times = 0;
    connect(&discovery, &LocalDiscovery::finished, this, [&times] { ++times; });
    discovery.start();
    QCOMPARE(times, 0);
    QTRY_COMPARE(times, 1);
}

QTEST_GUILESS_MAIN(TestDiscovery)
#include "tst_discovery.moc"
