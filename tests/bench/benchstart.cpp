// SPDX-License-Identifier: MIT
// Start with many snapshots on record, memory, the first page of a list.
#include "benchkit.h"
#include "realdaemon.h"
#include "rpcclient.h"
#include "snapshotstore.h"
#include "storerows.h"
#include "storeschema.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>

namespace kv::bench {

namespace {

constexpr int c_patienceMs = 20'000;

Snapshot sampleRow(int number, const FingerprintPtr &fingerprint)
{
    Snapshot row;
    row.session = QStringLiteral("session-%1-of-the-benchmark").arg(number, 8, 10, QLatin1Char('0'));
    row.provider = QStringLiteral("p");
    row.model = QStringLiteral("m");
    row.serverInstanceKey = QStringLiteral("local");
    row.fingerprint = fingerprint;
    row.boot = QStringLiteral("boot");
    row.name = number;
    row.tokens = 1000 + number % 50000;
    row.bytes = row.tokens * 26000;
    row.createdWallMs = 1'790'000'000'000 + number;
    row.updatedWallMs = 1'790'000'000'000 + number * 7919LL % 100000;
    row.usedSeq = static_cast<quint64>(number);
    row.label = QStringLiteral("project %1").arg(number % 300);
    return row;
}

} // namespace

bool fillSnapshots(const QString &folder, int rows)
{
    {
        SnapshotStore store;
        if (!store.open(folder) || !store.close()) {
            return false;
        }
    }
    Result<std::unique_ptr<StoreDatabase>> database
        = StoreDatabase::open(folder + QStringLiteral("/kv-persist.db"), {});
    if (!database) {
        return false;
    }
    const auto fingerprint = std::make_shared<const Fingerprint>(
        FieldList { { QStringLiteral("backend"), QStringLiteral("llama.cpp") },
            { QStringLiteral("build"), QStringLiteral("b1") },
            { QStringLiteral("modelPath"), QStringLiteral("m.gguf") } },
        FieldList {}, 131072);
    const Result<Done> done = database.value()->transaction(Durability::Full, [&]() -> Result<Done> {
        for (int number = 0; number < rows; ++number) {
            const Result<Done> put
                = writeSnapshot(*database.value(), QStringLiteral("local"), sampleRow(number, fingerprint));
            if (!put) {
                return put;
            }
        }
        return writeHighWater(*database.value(), QStringLiteral("local"), rows + 64);
    });
    return done.ok();
}

double launchAndAsk(test::RealDaemon &daemon, LineClient &client)
{
    QElapsedTimer timer;
    timer.start();
    daemon.launch();
    while (!QFile::exists(daemon.socketPath()) || !client.connectTo(daemon.socketPath())) {
        if (timer.elapsed() > c_patienceMs) {
            return -1;
        }
    }
    const QByteArray answer = client.ask(R"({"jsonrpc":"2.0","id":1,"method":"hello"})");
    return answer.isEmpty() ? -1 : static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

namespace {

QJsonObject measureStart(int snapshots, int rounds)
{
    test::RealDaemon daemon;
    daemon.setConfig(configFor(QUrl(QStringLiteral("http://127.0.0.1:9"))));
    if (snapshots > 0 && !fillSnapshots(daemon.metadataFolder(), snapshots)) {
        return skipped(QStringLiteral("the database could not be filled"));
    }
    std::vector<double> starts;
    std::vector<double> lists;
    qint64 memory = -1;
    qint64 total = 0;
    for (int round = 0; round < rounds; ++round) {
        LineClient client;
        const double ms = launchAndAsk(daemon, client);
        if (ms < 0) {
            return skipped(daemon.log());
        }
        starts.push_back(ms);
        memory = memoryBytes(daemon.pid(), "VmRSS");
        test::RpcClient rpc;
        rpc.connectTo(daemon.socketPath());
        for (int again = 0; again < 3; ++again) {
            QElapsedTimer listing;
            listing.start();
            const test::RpcReply page
                = rpc.call(QStringLiteral("kv.list"), { { QStringLiteral("limit"), 100 } });
            lists.push_back(static_cast<double>(listing.nsecsElapsed()) / 1e6);
            total = page.result.value(u"total").toInteger();
        }
        daemon.stop();
    }
    return { { QStringLiteral("snapshots"), total },
        { QStringLiteral("startToFirstAnswerMs"), summary(starts) },
        { QStringLiteral("memoryBytes"), memory }, { QStringLiteral("listFirstPageMs"), summary(lists) } };
}

} // namespace

QJsonObject measureStarts(const Sizes &sizes)
{
    QJsonObject out;
    for (const int snapshots : sizes.startSnapshots) {
        out.insert(QString::number(snapshots), measureStart(snapshots, sizes.startRounds));
    }
    return out;
}

} // namespace kv::bench
