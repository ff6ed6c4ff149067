// SPDX-License-Identifier: MIT
// Many snapshots: lists of them over the socket, and the daemon's memory.
#include "benchfit.h"
#include "benchkit.h"
#include "fakellamaserver.h"
#include "realdaemon.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

namespace kv::bench {

namespace {

constexpr int c_limit = 100;

struct Query {
    QString title;
    QJsonObject params; ///< "%1" in its filter stands for the round, so that no answer is one that was kept
};

std::vector<Query> queries(int snapshots)
{
    const QString offset = QStringLiteral("offset");
    const QString filter = QStringLiteral("filter");
    const QString sort = QStringLiteral("sort");
    return { { QStringLiteral("first page"), {} },
        { QStringLiteral("last page"), { { offset, std::max(0, snapshots - c_limit) } } },
        { QStringLiteral("filter by a label"), { { filter, QStringLiteral("project 1%1") } } },
        { QStringLiteral("filter by state"), { { filter, QStringLiteral("state:valid") } } },
        { QStringLiteral("largest first"),
            { { sort, QStringLiteral("bytes") }, { QStringLiteral("desc"), true } } },
        { QStringLiteral("by label, last page"),
            { { sort, QStringLiteral("label") }, { offset, std::max(0, snapshots - c_limit) } } },
        { QStringLiteral("filter by a label, by tokens"),
            { { filter, QStringLiteral("project 2%1") }, { sort, QStringLiteral("tokens") } } } };
}

QByteArray listLine(QJsonObject params, int round)
{
    const QString filter = params.value(u"filter").toString();
    if (filter.contains(QStringLiteral("%1"))) {
        params.insert(QStringLiteral("filter"), filter.arg(round));
    }
    params.insert(QStringLiteral("limit"), c_limit);
    return QJsonDocument(
        QJsonObject { { QStringLiteral("jsonrpc"), QStringLiteral("2.0") }, { QStringLiteral("id"), 1 },
            { QStringLiteral("method"), QStringLiteral("kv.list") }, { QStringLiteral("params"), params } })
        .toJson(QJsonDocument::Compact);
}

/// Started, and at work: bytes of memory. Negative: it did not come up.
struct Memory {
    qint64 started = -1;
    qint64 working = -1;
    qint64 peak = -1;
};

Memory memoryWith(int snapshots, int pairs)
{
    test::FakeLlamaServer server;
    test::RealDaemon daemon;
    if (!server.start()) {
        return {};
    }
    daemon.setConfig(configFor(server.url()));
    LineClient client;
    if (!fillSnapshots(daemon.metadataFolder(), snapshots) || launchAndAsk(daemon, client) < 0) {
        return {};
    }
    Memory memory;
    memory.started = memoryBytes(daemon.pid(), "VmRSS");
    client.askRunning(endLine(2, leaseIn(client.askRunning(beginLine(1)))));
    for (int round = 0; round < pairs; ++round) {
        client.ask(endLine(2, leaseIn(client.ask(beginLine(1)))));
    }
    for (const Query &query : queries(snapshots)) {
        client.ask(listLine(query.params, 0));
    }
    QTest::qWait(500); // what is written later is written
    memory.working = memoryBytes(daemon.pid(), "VmRSS");
    memory.peak = memoryBytes(daemon.pid(), "VmHWM");
    daemon.stop();
    return memory;
}

} // namespace

QJsonObject measureList(const Sizes &sizes)
{
    test::RealDaemon daemon;
    daemon.setConfig(configFor(QUrl(QStringLiteral("http://127.0.0.1:9"))));
    LineClient client;
    if (!fillSnapshots(daemon.metadataFolder(), sizes.listSnapshots) || launchAndAsk(daemon, client) < 0) {
        return skipped(QStringLiteral("the daemon did not start with so many rows: ") + daemon.log());
    }
    const std::vector<Query> all = queries(sizes.listSnapshots);
    std::vector<std::vector<double>> ms(all.size());
    std::vector<qint64> totals(all.size());
    for (int round = 0; round < sizes.listRounds; ++round) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            const QByteArray answer = client.ask(listLine(all[i].params, round));
            ms[i].push_back(client.lastMicroseconds() / 1000);
            const QJsonValue result = QJsonDocument::fromJson(answer).object().value(u"result");
            totals[i] = result[QStringLiteral("total")].toInteger(-1);
        }
    }
    daemon.stop();
    QJsonArray measured;
    for (std::size_t i = 0; i < all.size(); ++i) {
        measured.append(QJsonObject { { QStringLiteral("title"), all[i].title },
            { QStringLiteral("params"), all[i].params }, { QStringLiteral("total"), totals[i] },
            { QStringLiteral("firstMs"), ms[i].front() }, { QStringLiteral("ms"), summary(ms[i]) } });
    }
    return { { QStringLiteral("snapshots"), sizes.listSnapshots }, { QStringLiteral("limit"), c_limit },
        { QStringLiteral("queries"), measured } };
}

QJsonObject measureMemory(const Sizes &sizes)
{
    QJsonArray shown;
    std::vector<Point> points;
    for (const int snapshots : sizes.memorySnapshots) {
        const Memory memory = memoryWith(snapshots, sizes.pairs);
        if (memory.working < 0) {
            return skipped(QStringLiteral("the daemon did not start with %1 rows").arg(snapshots));
        }
        points.push_back({ static_cast<double>(snapshots), static_cast<double>(memory.working) });
        shown.append(QJsonObject { { QStringLiteral("snapshots"), snapshots },
            { QStringLiteral("startedBytes"), memory.started },
            { QStringLiteral("workingBytes"), memory.working },
            { QStringLiteral("peakBytes"), memory.peak } });
    }
    const LineFit line = fitLine(points);
    return { { QStringLiteral("points"), shown }, { QStringLiteral("bytesAtNone"), line.start },
        { QStringLiteral("bytesPerSnapshot"), line.perUnit }, { QStringLiteral("r2"), line.r2 } };
}

} // namespace kv::bench
