// SPDX-License-Identifier: MIT
#include "humantime.h"
#include "status.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace kv;

class TestStatus final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exampleOfTheProtocolIsReadWhole();
    void absentIsNotZero();
    void unknownNamesAreOther();
    void ratesOfNothingAreUnknown();
};

namespace {

/// The example of kv.status in PROTOCOL.md: what is promised there is what must be read.
QJsonObject documentOfProtocol()
{
    QFile file(QStringLiteral(KV_PROTOCOL_PAGE));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray page = file.readAll();
    const qsizetype request = page.indexOf("\"method\":\"kv.status\"");
    const qsizetype begin = page.indexOf("{\n", request);
    const qsizetype end = page.indexOf("\n}\n", begin);
    return QJsonDocument::fromJson(page.mid(begin, end + 2 - begin))
        .object()
        .value(QStringLiteral("result"))
        .toObject();
}

} // namespace

void TestStatus::exampleOfTheProtocolIsReadWhole()
{
    const StatusView status = parseStatus(documentOfProtocol());
    QVERIFY(status.enabled);
    QCOMPARE(status.version, QStringLiteral("0.1.0"));
    QCOMPARE(status.pid, 4711);
    QCOMPARE(status.startedMs, wallMsFromIso(QStringLiteral("2026-01-31T08:00:00.000Z")));
    QVERIFY(status.configPath.endsWith(QStringLiteral("config.yaml")));
    QVERIFY(!status.paused);
    QCOMPARE(status.servers.size(), 1);
    const ServerView &server = status.servers.first();
    QCOMPARE(status.server(QStringLiteral("local-3060")), &server);
    QCOMPARE(status.server(QStringLiteral("other")), nullptr);
    QCOMPARE(server.backend.state, BackendView::State::Healthy);
    QCOMPARE(server.backend.model, QStringLiteral("qwen3-8b"));
    QCOMPARE(server.backend.endpoint, QStringLiteral("http://127.0.0.1:8080"));
    QVERIFY(!server.managedSlots && !server.sharedFiles);
    QCOMPARE(server.freeBytes, 210'000'000'000);
    QCOMPARE(server.writtenToday, 838'860'800);
    QCOMPARE(server.maxBytesPerDay, 50'000'000'000);
    QCOMPARE(server.rates.prefill, 410.5);
    QCOMPARE(server.rates.switchMs, 165.0);
    QCOMPARE(server.compatibility, ServerView::Compatibility::Supported);
    QCOMPARE(server.slotList.size(), 1);
    const SlotView &slot = server.slotList.first();
    QCOMPARE(slot.ownerName(), QStringLiteral("Fix the build"));
    QCOMPARE(slot.state, SlotView::State::Dirty);
    QCOMPARE(slot.tokens, 6521);
    QCOMPARE(slot.context, 131'072);
    QVERIFY(slot.running);
    QCOMPARE(slot.running->kind, RunningView::Kind::Save);
    QCOMPARE(slot.running->sinceMs, wallMsFromIso(QStringLiteral("2026-01-31T12:00:30.000Z")));
    QCOMPARE(status.snapshots.valid, 10);
    QCOMPARE(status.snapshots.bytes, 2'147'483'648);
    QCOMPARE(status.stats.timeSavedMs, 1'830'000);
    QCOMPARE(status.stats.hitRate(), 39.0 / 41);
    QCOMPARE(status.stats.reuseRate(), 37.0 / 38);
}

void TestStatus::absentIsNotZero()
{
    const QJsonObject bare { { QStringLiteral("servers"),
        QJsonArray { QJsonObject {
            { QStringLiteral("slots"), QJsonArray { QJsonObject { { QStringLiteral("id"), 3 } } } } } } } };
    const StatusView status = parseStatus(bare);
    const ServerView &server = status.servers.first();
    QVERIFY(status.enabled);
    QVERIFY(!status.pausedUntilMs && !status.startedMs);
    QVERIFY(!server.freeBytes && !server.maxBytesPerDay && !server.rates.prefill);
    const SlotView &slot = server.slotList.first();
    QCOMPARE(slot.id, 3);
    QVERIFY(!slot.tokens && !slot.context && !slot.running && !slot.isOwned());
}

void TestStatus::unknownNamesAreOther()
{
    const QJsonObject slot { { QStringLiteral("state"), QStringLiteral("dreaming") },
        { QStringLiteral("owner"), QStringLiteral("3fa41c") },
        { QStringLiteral("running"), QJsonObject { { QStringLiteral("kind"), QStringLiteral("dance") } } } };
    const QJsonObject server { { QStringLiteral("slots"), QJsonArray { slot } },
        { QStringLiteral("backend"), QJsonObject { { QStringLiteral("state"), QStringLiteral("odd") } } } };
    const StatusView status
        = parseStatus(QJsonObject { { QStringLiteral("servers"), QJsonArray { server } } });
    QCOMPARE(status.servers.first().backend.state, BackendView::State::Other);
    const SlotView &read = status.servers.first().slotList.first();
    QCOMPARE(read.state, SlotView::State::Other);
    QCOMPARE(read.running->kind, RunningView::Kind::Other);
    QCOMPARE(read.ownerName(), QStringLiteral("3fa41c"));
}

void TestStatus::ratesOfNothingAreUnknown()
{
    QVERIFY(!StatsView {}.hitRate());
    QVERIFY(!StatsView {}.reuseRate());
    StatsView missed;
    missed.restoreMisses = 2;
    QCOMPARE(missed.hitRate(), 0.0);
}

QTEST_GUILESS_MAIN(TestStatus)
#include "tst_status.moc"
